//! The picture of the choice, and the card that writes it to a file.

use std::path::PathBuf;

use egui::{DragValue, Modal, Ui, vec2};

use super::choice::Choice;
use super::shown_step;
use crate::app::action::{Action, Actions};
use crate::app::export::ExportRequest;
use crate::app::model::Model;
use crate::app::widgets::card;
use crate::app::widgets::save_path::{Saving, save_buttons, save_path};
use crate::app::widgets::segmented::{Choice as Option_, segmented};
use crate::export::{self, FileKind, Look};
use crate::figure::{Figure, Style, Theme};
use crate::histogram::Advice;
use crate::i18n::Lang;
use crate::i18n::gradients::Gradients as Text;
use crate::train::recording::StepChoice;

/// What is chosen, in the words of [`export`].
pub(super) fn look(choice: &Choice, probe: usize, lang: Lang) -> Look {
    Look {
        steps: choice.step.map_or(StepChoice::Latest, StepChoice::Exact),
        target: choice.target,
        scale_exponent: choice.scale_exponent,
        rule: choice.rule,
        lang,
        ..Look::at(choice.lane, probe)
    }
}

/// The figure of what is chosen; an empty one where that step has none.
pub(super) fn figure(model: &Model, choice: &Choice, probe: usize, advice: &Advice) -> Figure {
    let look = look(choice, probe, model.lang);
    export::picture(&model.recording, &look, advice).map_or_else(Figure::default, |picture| picture.figure())
}

/// What to write; the advice is worked out for the very step, as the command line does.
fn request(
    model: &Model,
    choice: &Choice,
    probe: usize,
    (what, style): (What, Style),
) -> Result<ExportRequest, String> {
    let What::Picture(kind) = what else { return Ok(ExportRequest::run(&model.recording)) };
    let look = look(choice, probe, model.lang);
    let advice = export::advice(&model.recording, &look);
    let picture = export::picture(&model.recording, &look, &advice);
    let picture = picture.ok_or_else(|| "nothing was recorded at this step; choose another".to_owned())?;
    ExportRequest::new(&picture, kind, style)
}

/// What can be written from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// The picture of the step.
    Picture(FileKind),
    /// The whole run.
    Run,
}

impl What {
    const fn ending(self) -> &'static str {
        match self {
            Self::Picture(kind) => kind.ending(),
            Self::Run => "jsonl",
        }
    }
}

/// The kinds of pictures, as the card calls them.
const PICTURES: [(FileKind, &str); 4] =
    [(FileKind::Svg, "SVG"), (FileKind::Png, "PNG"), (FileKind::Csv, "CSV"), (FileKind::Json, "JSON")];

/// The card that asks what to write and where.
#[derive(Debug)]
pub(super) struct ExportPanel {
    open: bool,
    what: What,
    style: Style,
    /// Empty: a name that fits the picture.
    path: String,
}

impl Default for ExportPanel {
    fn default() -> Self {
        Self { open: false, what: What::Picture(FileKind::Svg), style: Style::default(), path: String::new() }
    }
}

impl ExportPanel {
    /// Opens or closes the card.
    pub(super) fn toggle(&mut self) {
        self.open = !self.open;
        self.path.clear();
    }

    /// Shows the card, if it is open.
    pub(super) fn ui(&mut self, ui: &Ui, model: &Model, choice: &Choice, probe: usize, actions: &mut Actions) {
        if !self.open {
            return;
        }
        if self.path.is_empty() {
            self.path = self.proposed_name(model, choice, probe);
        }
        let mut done = false;
        let modal = Modal::new(egui::Id::unique("export")).show(ui.ctx(), |ui| {
            ui.set_width(460.0);
            card::title(ui, Text::ExportTitle.text(model.lang));
            card::weak(ui, Text::ExportSame.text(model.lang));
            ui.add_space(6.0);
            self.look_ui(ui, model);
            save_path(ui, model.lang, &mut self.path);
            ui.add_space(8.0);
            done = self.buttons_ui(ui, model, choice, probe, actions);
        });
        if done || modal.should_close() {
            self.open = false;
        }
    }

    fn look_ui(&mut self, ui: &mut Ui, model: &Model) {
        let lang = model.lang;
        let mut kinds = PICTURES.map(|(kind, text)| Option_ { value: What::Picture(kind), text, hint: "" }).to_vec();
        kinds.push(Option_ {
            value: What::Run,
            text: Text::ExportRun.text(lang),
            hint: Text::ExportRunHint.text(lang),
        });
        let before = self.what;
        egui::Grid::new("export look").num_columns(2).spacing(vec2(14.0, 8.0)).show(ui, |ui| {
            ui.label(Text::ExportFormat.text(lang));
            if let Some(what) = segmented(ui, Text::ExportFormat.text(lang), self.what, &kinds) {
                self.what = what;
            }
            ui.end_row();
            if !matches!(self.what, What::Picture(FileKind::Svg | FileKind::Png)) {
                return;
            }
            ui.label(Text::ExportTheme.text(lang));
            let themes = [
                Option_ { value: Theme::Light, text: Text::ExportThemeLight.text(lang), hint: "" },
                Option_ { value: Theme::Dark, text: Text::ExportThemeDark.text(lang), hint: "" },
            ];
            if let Some(theme) = segmented(ui, Text::ExportTheme.text(lang), self.style.theme, &themes) {
                self.style.theme = theme;
            }
            ui.end_row();
            let label = ui.label(Text::ExportSize.text(lang));
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut self.style.width).range(480..=7680)).labelled_by(label.id);
                ui.label("×");
                ui.add(DragValue::new(&mut self.style.height).range(320..=4320)).labelled_by(label.id);
            });
            ui.end_row();
        });
        if (self.what == What::Run) != (before == What::Run) {
            // a picture's name says its step, a run's does not
            self.path.clear();
        } else if self.what != before {
            let path = PathBuf::from(&self.path).with_extension(self.what.ending());
            self.path = path.display().to_string();
        }
    }

    /// Returns whether the card has done its work.
    fn buttons_ui(&self, ui: &mut Ui, model: &Model, choice: &Choice, probe: usize, actions: &mut Actions) -> bool {
        let Some(saving) = save_buttons(ui, model.lang) else { return false };
        if saving != Saving::Cancel {
            let path = PathBuf::from(&self.path);
            actions.push(match request(model, choice, probe, (self.what, self.style)) {
                Ok(request) if saving == Saving::Here => Action::Export(Box::new(request), path),
                Ok(request) => Action::AskExport(Box::new(request), path),
                Err(line) => Action::Fail(line),
            });
        }
        true
    }

    /// Such as `fc1.weight.grad-step214.svg` or `run.jsonl`, in the folder the program was started in.
    fn proposed_name(&self, model: &Model, choice: &Choice, probe: usize) -> String {
        if self.what == What::Run {
            return "run.jsonl".to_owned();
        }
        let step = shown_step(&model.recording, choice, probe).unwrap_or(0);
        format!("{}-step{step}.{}", choice.tensor, self.what.ending())
    }
}
