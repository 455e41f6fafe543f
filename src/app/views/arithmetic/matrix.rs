//! 4×4 matrices: fields to type into, and buttons to choose an element of the result.

use egui::{Button, Grid, Id, RichText, Ui, WidgetInfo};

use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::app::widgets::value_field::ValueField;
use crate::export::refused;
use crate::format::parse_value;
use crate::i18n::Lang;
use crate::i18n::arithmetic as words;
use crate::link::Matrix;

/// Shows a matrix to be typed into; returns whether something was typed. Numbers of the row or column `marked` stand
/// out.
pub(super) fn matrix_ui(
    ui: &mut Ui,
    name: &str,
    lang: Lang,
    matrix: &mut Matrix,
    marked: impl Fn(usize, usize) -> bool,
) -> bool {
    let mut changed = false;
    let color = Tokens::of(ui).accent;
    ui.vertical(|ui| {
        card::title(ui, name);
        Grid::new(("matrix", name)).spacing([3.0, 3.0]).show(ui, |ui| {
            for (row, cells) in matrix.iter_mut().enumerate() {
                for (column, text) in cells.iter_mut().enumerate() {
                    let label = words::element(lang, name, row + 1, column + 1);
                    let error = parse_value(text).err().map(|error| refused(&error, lang));
                    let id = Id::unique(("matrix", name, row, column));
                    let field = ValueField { error: error.as_deref(), ..ValueField::new(id, &label, 48.0) };
                    let response = field.show(ui, text);
                    if marked(row, column) {
                        let line = response.rect.bottom() - 1.0;
                        ui.painter().hline(response.rect.x_range(), line, egui::Stroke::new(2.0, color));
                    }
                    changed |= response.changed();
                }
                ui.end_row();
            }
        });
    });
    changed
}

/// Shows the result; returns the element that was chosen. `lost` marks what differs from the best result.
pub(super) fn result_ui(
    ui: &mut Ui,
    name: &str,
    lang: Lang,
    values: &[(String, bool)],
    chosen: (usize, usize),
) -> Option<(usize, usize)> {
    let mut clicked = None;
    let (text, lost) = (Tokens::of(ui).text, theme::ink(ui, crate::figure::Role::Lost));
    ui.vertical(|ui| {
        card::title(ui, name);
        Grid::new(("matrix", name)).spacing([3.0, 3.0]).show(ui, |ui| {
            for (at, (value, differs)) in values.iter().enumerate() {
                let place = (at / 4, at % 4);
                let shown = if *differs { format!("{value} ≠") } else { value.clone() };
                let color = if *differs { lost } else { text };
                let label = RichText::new(&shown).monospace().color(color);
                let button = ui.add(Button::selectable(place == chosen, label).min_size(egui::vec2(64.0, 24.0)));
                let spoken = format!("{}: {shown}", words::element(lang, name, place.0 + 1, place.1 + 1));
                button.widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, place == chosen, &spoken));
                if button.clicked() {
                    clicked = Some(place);
                }
                if at % 4 == 3 {
                    ui.end_row();
                }
            }
        });
    });
    clicked
}
