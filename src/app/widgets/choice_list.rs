//! A list that opens below a button, for keyboard and pointer alike.

use egui::{ComboBox, Id, InnerResponse, Response, Ui, WidgetInfo};

/// Shows a list of choices; returns whether another one was made. `name` is for screen readers, `value` what is chosen in words.
pub fn choice_list<T: PartialEq>(
    ui: &mut Ui,
    list: ComboBox,
    [name, value]: [&str; 2],
    chosen: &mut T,
    choices: impl IntoIterator<Item = (T, String)>,
) -> bool {
    let mut changed = false;
    let shown = list.show_ui(ui, |ui| {
        for (choice, text) in choices {
            let selected = *chosen == choice;
            let line = ui.selectable_label(selected, text);
            if close_if_chosen(ui, &line) {
                changed |= !selected;
                *chosen = choice;
            }
        }
    });
    let spoken = format!("{name}: {value}");
    shown.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, &spoken));
    keep_focus(ui, &shown);
    changed
}

/// Closes the list that this choice of it stands in if it was chosen, and says whether it was. egui closes lists when the
/// pointer is clicked; Enter and Space are no such click.
#[expect(clippy::must_use_candidate, reason = "most callers only want the list closed")]
pub fn close_if_chosen(ui: &Ui, choice: &Response) -> bool {
    if choice.clicked() {
        ui.close();
    }
    choice.clicked()
}

/// Gives the focus back to the button whose list a key has closed: it would be gone with the list.
pub fn keep_focus<R>(ui: &Ui, list: &InnerResponse<Option<R>>) {
    let open = list.inner.is_some();
    let id = Id::unique((list.response.id, "open for the keyboard"));
    let clicked = ui.input(|input| input.pointer.any_click());
    let was_open = ui.data_mut(|data| {
        let was_open = data.get_temp(id).unwrap_or(false);
        data.insert_temp(id, open && !clicked);
        was_open
    });
    if was_open && !open {
        list.response.request_focus();
    }
}
