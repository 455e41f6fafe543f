//! A row of choices of which exactly one holds.

use egui::{Button, Response, RichText, TextStyle, Ui};

use crate::app::theme::Tokens;

/// One choice of the row.
#[derive(Debug, Clone)]
pub struct Choice<'a, T> {
    /// What it stands for.
    pub value: T,
    /// What it says.
    pub text: &'a str,
    /// What it says on hover; empty for nothing.
    pub hint: &'a str,
}

/// A row of choices named `name`; returns the one that was just clicked, if it was not chosen already.
pub fn segmented<T: PartialEq + Copy>(ui: &mut Ui, name: &str, chosen: T, choices: &[Choice<'_, T>]) -> Option<T> {
    let tokens = Tokens::of(ui);
    let mut clicked = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding = egui::vec2(8.0, 4.0);
        ui.spacing_mut().interact_size.y = 24.0;
        ui.horizontal(|ui| {
            for choice in choices {
                let selected = choice.value == chosen;
                let color = if selected { tokens.text } else { tokens.text_weak };
                let button =
                    Button::selectable(selected, RichText::new(choice.text).text_style(TextStyle::Small).color(color));
                let response = named(ui.add(button), name, choice.text, selected);
                let response = if choice.hint.is_empty() { response } else { response.on_hover_text(choice.hint) };
                if response.clicked() && !selected {
                    clicked = Some(choice.value);
                }
            }
        });
    });
    clicked
}

/// Tells screen readers that a button is one of several: its name is `group: text`.
fn named(response: Response, group: &str, text: &str, selected: bool) -> Response {
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::RadioButton, true, selected, format!("{group}: {text}"))
    });
    response
}
