//! The card that writes the report about a device to a file.

use std::path::PathBuf;

use egui::{Modal, Ui};

use crate::app::action::{Action, Actions};
use crate::app::export::ExportRequest;
use crate::app::hardware::Sheet;
use crate::app::model::Model;
use crate::app::widgets::card;
use crate::app::widgets::save_path::{Saving, save_buttons, save_path};
use crate::export::observed;
use crate::i18n::hardware::Hardware as Text;

/// Where the report goes.
#[derive(Debug)]
pub(super) struct ReportPanel {
    open: bool,
    path: String,
}

impl Default for ReportPanel {
    fn default() -> Self {
        Self { open: false, path: "hardware.jsonl".to_owned() }
    }
}

impl ReportPanel {
    /// Opens or closes the card.
    pub(super) const fn toggle(&mut self) {
        self.open = !self.open;
    }

    /// Shows the card, if it is open.
    pub(super) fn ui(&mut self, ui: &Ui, model: &Model, sheet: Option<&Sheet>, actions: &mut Actions) {
        let Some(sheet) = sheet.filter(|sheet| self.open && !sheet.observations.is_empty()) else {
            self.open = false;
            return;
        };
        let lang = model.lang;
        let mut saving = None;
        let modal = Modal::new(egui::Id::unique("report")).show(ui.ctx(), |ui| {
            ui.set_width(460.0);
            card::title(ui, Text::SaveTitle.text(lang));
            card::weak(ui, &sheet.device);
            card::weak(ui, Text::SaveSame.text(lang));
            save_path(ui, lang, &mut self.path);
            ui.add_space(8.0);
            saving = save_buttons(ui, lang);
        });
        let path = PathBuf::from(&self.path);
        let request =
            || observed(&sheet.device, &sheet.observations).map(|bytes| Box::new(ExportRequest::lines(bytes)));
        match saving {
            Some(Saving::Here) => actions.push(request().map_or_else(Action::Fail, |it| Action::Export(it, path))),
            Some(Saving::Browse) => actions.push(request().map_or_else(Action::Fail, |it| Action::AskExport(it, path))),
            Some(Saving::Cancel) | None => {}
        }
        self.open = saving.is_none() && !modal.should_close();
    }
}
