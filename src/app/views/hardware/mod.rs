//! Truth versus the hardware: what the devices of this machine really do, operation by operation, beside the exact results.

mod devices;
mod examples;
mod report;
mod table;

use egui::{RichText, Spinner, TextStyle, Ui};

use self::report::ReportPanel;
use super::{View, ViewId};
use crate::app::action::{Action, Actions};
use crate::app::command::UiCommand;
use crate::app::hardware::{Sheet, SheetState};
use crate::app::model::{DeviceSearch, Model};
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::i18n::hardware::Hardware as Text;
use crate::link::{HardwareLink, Link};
use crate::observe::{Coverage, Found, Observation, Place, Primitive};

/// The Hardware view.
#[derive(Debug, Default)]
pub(super) struct HardwareView {
    link: HardwareLink,
    /// A link leads to answers: the device is to be asked as soon as it is found.
    asks: bool,
    report: ReportPanel,
}

impl View for HardwareView {
    fn id(&self) -> ViewId {
        ViewId::Hardware
    }

    fn ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        let lang = model.lang;
        ui.spacing_mut().item_spacing.y = 4.0;
        // Cards stand above each other: lines of text must not be as tall as buttons.
        ui.spacing_mut().interact_size.y = TextStyle::Body.resolve(ui.style()).size * 1.25;
        let Some(found) = model.devices().map(Place::among) else {
            if matches!(model.devices, DeviceSearch::NotBegun) {
                actions.push(Action::FindDevices);
            }
            card::tight(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.add(Spinner::new().size(18.0));
                    card::weak(ui, Text::Looking.text(lang));
                });
            });
            return;
        };
        let place = self.place(&found);
        self.ask_if_asked(&found, &place, actions);
        let sheet = model.sheets.get(&place);
        card::tight(ui, |ui| {
            let chosen = devices::Chosen { place: &place, coverage: self.link.coverage };
            let change = devices::devices_ui(ui, model, &found, &chosen, actions);
            if let Some(place) = change.place {
                self.link = HardwareLink { place, operation: self.link.operation, ..HardwareLink::default() };
            }
            self.link.coverage = change.coverage.unwrap_or(self.link.coverage);
        });
        ui.add_space(4.0);
        match sheet {
            None => card::tight(ui, |ui| message_ui(ui, Text::EmptyTitle.text(lang), Text::EmptyBody.text(lang))),
            Some(Sheet { state: SheetState::Failed(line), observations, .. }) if observations.is_empty() => {
                card::tight(ui, |ui| message_ui(ui, Text::FailedTitle.text(lang), line));
            }
            Some(sheet) => self.sheet_ui(ui, model, sheet),
        }
        self.report.ui(ui, model, sheet, actions);
    }

    fn header_ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        let place = model.devices().map(|devices| self.place(&Place::among(devices)));
        let sheet = place.and_then(|place| model.sheets.get(&place));
        let telling = sheet.is_some_and(|sheet| !sheet.observations.is_empty());
        if telling && card::command_button(ui, UiCommand::Export, model.lang, false, false).clicked() {
            self.command(UiCommand::Export, model, actions);
        }
    }

    fn link(&self) -> Option<Link> {
        Some(Link::Hardware(self.link.clone()))
    }

    fn follow(&mut self, link: &Link) {
        if let Link::Hardware(link) = link {
            self.link = link.clone();
            // What takes minutes is begun by a person.
            self.asks = link.coverage == Coverage::Chosen;
        }
    }

    fn command(&mut self, command: UiCommand, _model: &Model, _actions: &mut Actions) {
        if command == UiCommand::Export {
            self.report.toggle();
        }
    }
}

impl HardwareView {
    /// The place among those that there are which the link means: the named graphics processor, or the first of its kind.
    fn place(&self, found: &[Found]) -> Place {
        let wanted = &self.link.place;
        let named = |place: &Place| match (&wanted.adapter, &place.adapter) {
            (Some(text), Some(name)) => name.to_lowercase().contains(&text.to_lowercase()),
            _ => wanted.adapter.is_none(),
        };
        let place = found.iter().map(|(place, _)| place).find(|place| place.kind == wanted.kind && named(place));
        place.unwrap_or(wanted).clone()
    }

    fn ask_if_asked(&mut self, found: &[Found], place: &Place, actions: &mut Actions) {
        if std::mem::take(&mut self.asks) && found.iter().any(|(here, name)| here == place && name.is_ok()) {
            actions.push(Action::Observe(place.clone(), self.link.coverage));
        }
    }

    /// The operation whose examples are shown: the chosen one, or the first of those with the most weighty.
    fn operation(&self, sheet: &Sheet) -> Primitive {
        let weight = |seen: &&Observation| (seen.wrong() > 0, seen.flushed() > 0, seen.other_nan() > 0);
        // The last of equals counts, so from the end.
        let weightiest = || sheet.observations.iter().rev().max_by_key(weight).map(|seen| seen.primitive);
        self.link.operation.or_else(weightiest).unwrap_or(Primitive::ALL[0])
    }

    fn sheet_ui(&mut self, ui: &mut Ui, model: &Model, sheet: &Sheet) {
        let lang = model.lang;
        if let SheetState::Failed(line) = &sheet.state {
            card::tight(ui, |ui| message_ui(ui, Text::FailedTitle.text(lang), line));
            ui.add_space(4.0);
        }
        let shown = self.operation(sheet);
        if let Some(chosen) = card::tight(ui, |ui| table::table_ui(ui, lang, sheet, shown)) {
            (self.link.operation, self.link.example) = (Some(chosen), 1);
        }
        ui.add_space(4.0);
        card::tight(ui, |ui| {
            if let Some(example) = examples::examples_ui(ui, lang, shown, sheet.of(shown), self.link.example) {
                (self.link.operation, self.link.example) = (Some(shown), example);
            }
        });
    }
}

fn message_ui(ui: &mut Ui, title: &str, body: &str) {
    let tokens = Tokens::of(ui);
    ui.add_space(18.0);
    ui.label(RichText::new(title).text_style(theme::heading()).color(tokens.text));
    ui.add_space(4.0);
    ui.add(egui::Label::new(RichText::new(body).color(tokens.text_weak)).wrap());
    ui.add_space(18.0);
}
