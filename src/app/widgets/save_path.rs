//! The end of every card that writes a file: its path, and the buttons.

use egui::{TextEdit, Ui};

use super::card;
use crate::i18n::Lang;
use crate::i18n::gradients::Gradients as Text;

/// What was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saving {
    /// Write to the path.
    Here,
    /// Ask for a path with the system's dialog first.
    Browse,
    /// Do nothing.
    Cancel,
}

/// The field with the path.
pub fn save_path(ui: &mut Ui, lang: Lang, path: &mut String) {
    ui.add_space(4.0);
    let label = ui.label(Text::ExportPath.text(lang));
    let field = TextEdit::singleline(path).desired_width(f32::INFINITY);
    ui.add(field).labelled_by(label.id).on_hover_text(Text::ExportPathHint.text(lang));
}

/// The buttons; returns the one that was pressed.
pub fn save_buttons(ui: &mut Ui, lang: Lang) -> Option<Saving> {
    ui.horizontal(|ui| {
        let save = card::primary_button(ui, Text::ExportSave.text(lang)).clicked();
        let browse =
            ui.button(Text::ExportBrowse.text(lang)).on_hover_text(Text::ExportBrowseHint.text(lang)).clicked();
        let cancel = ui.button(Text::ExportCancel.text(lang)).clicked();
        [(save, Saving::Here), (browse, Saving::Browse), (cancel, Saving::Cancel)]
            .into_iter()
            .find_map(|(pressed, saving)| pressed.then_some(saving))
    })
    .inner
}
