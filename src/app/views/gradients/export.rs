//! The picture of the choice, and the card that writes it to a file.

use std::path::PathBuf;

use egui::{DragValue, Modal, TextEdit, Ui, vec2};

use super::choice::Choice;
use super::shown_step;
use crate::app::action::{Action, Actions};
use crate::app::export::{ExportRequest, FileKind};
use crate::app::model::Model;
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice as Option_, segmented};
use crate::figure::{Figure, GradientPicture, Style, TensorKind, Theme};
use crate::histogram::Advice;
use crate::i18n::gradients::Gradients as Text;
use crate::train::recording::StepChoice;
use crate::train::report::Role;

/// The picture of what is chosen. Borrowed from the recording: nothing is copied or counted again.
pub(super) fn picture<'m>(
    model: &'m Model,
    choice: &Choice,
    probe: usize,
    advice: &'m Advice,
) -> Option<GradientPicture<'m>> {
    let step = choice.step.map_or(StepChoice::Latest, StepChoice::Exact);
    let selection = model.recording.select(choice.lane, probe, step)?;
    let mut picture = GradientPicture::new(selection.histogram, &selection.probe.tensor, choice.target);
    picture.kind = match selection.probe.role {
        Role::WeightGradient => TensorKind::WeightGradient,
        Role::ActivationGradient => TensorKind::ActivationGradient,
        Role::Weight => TensorKind::Weight,
        Role::Activation => TensorKind::Activation,
        Role::Update => TensorKind::Update,
        _ => TensorKind::Tensor,
    };
    picture.source = selection.probe.source;
    picture.stage = selection.probe.stage;
    picture.lane = &selection.lane.info.config.lane;
    picture.dataset = &model.recording.dataset;
    picture.step = Some(selection.last_step);
    picture.taken_at = selection.scale;
    picture.lost_upstream = selection.lost_upstream;
    picture.scale_exponent = choice.scale_exponent;
    picture.rule = choice.rule;
    picture.advice = Some(advice);
    picture.lang = model.lang;
    Some(picture)
}

/// The figure of what is chosen; an empty one where that step has none.
pub(super) fn figure(model: &Model, choice: &Choice, probe: usize, advice: &Advice) -> Figure {
    picture(model, choice, probe, advice).map_or_else(Figure::default, |picture| picture.figure())
}

/// The card that asks what to write and where.
#[derive(Debug)]
pub(super) struct ExportPanel {
    open: bool,
    kind: FileKind,
    style: Style,
    /// Empty: a name that fits the picture.
    path: String,
}

impl Default for ExportPanel {
    fn default() -> Self {
        Self { open: false, kind: FileKind::Svg, style: Style::default(), path: String::new() }
    }
}

impl ExportPanel {
    /// Opens or closes the card.
    pub(super) fn toggle(&mut self) {
        self.open = !self.open;
        self.path.clear();
    }

    /// Shows the card, if it is open.
    pub(super) fn ui(
        &mut self,
        ui: &Ui,
        model: &Model,
        choice: &Choice,
        (probe, advice): (usize, &Advice),
        actions: &mut Actions,
    ) {
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
            self.path_ui(ui, model);
            ui.add_space(8.0);
            done = self.buttons_ui(ui, model, choice, (probe, advice), actions);
        });
        if done || modal.should_close() {
            self.open = false;
        }
    }

    fn look_ui(&mut self, ui: &mut Ui, model: &Model) {
        let lang = model.lang;
        let kinds = FileKind::ALL.map(|kind| Option_ { value: kind, text: kind.label(), hint: "" });
        let before = self.kind;
        egui::Grid::new("export look").num_columns(2).spacing(vec2(14.0, 8.0)).show(ui, |ui| {
            ui.label(Text::ExportFormat.text(lang));
            if let Some(kind) = segmented(ui, Text::ExportFormat.text(lang), self.kind, &kinds) {
                self.kind = kind;
            }
            ui.end_row();
            if self.kind == FileKind::Csv {
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
        if self.kind != before {
            let path = PathBuf::from(&self.path).with_extension(self.kind.extension());
            self.path = path.display().to_string();
        }
    }

    fn path_ui(&mut self, ui: &mut Ui, model: &Model) {
        ui.add_space(4.0);
        let label = ui.label(Text::ExportPath.text(model.lang));
        let field = TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY);
        ui.add(field).labelled_by(label.id).on_hover_text(Text::ExportPathHint.text(model.lang));
    }

    /// Returns whether the card has done its work.
    fn buttons_ui(
        &self,
        ui: &mut Ui,
        model: &Model,
        choice: &Choice,
        (probe, advice): (usize, &Advice),
        actions: &mut Actions,
    ) -> bool {
        let lang = model.lang;
        let mut done = false;
        ui.horizontal(|ui| {
            let save = card::primary_button(ui, Text::ExportSave.text(lang)).clicked();
            let browse = ui.button(Text::ExportBrowse.text(lang));
            let browse = browse.on_hover_text(Text::ExportBrowseHint.text(lang)).clicked();
            let request = (save || browse).then(|| picture(model, choice, probe, advice)).flatten();
            if let Some(picture) = request {
                let request = Box::new(ExportRequest::new(&picture, self.kind, self.style));
                let path = PathBuf::from(&self.path);
                actions.push(if save { Action::Export(request, path) } else { Action::AskExport(request, path) });
                done = true;
            }
            done |= ui.button(Text::ExportCancel.text(lang)).clicked();
        });
        done
    }

    /// Such as `fc1.weight.grad-step214.svg`, in the folder the program was started in.
    fn proposed_name(&self, model: &Model, choice: &Choice, probe: usize) -> String {
        let step = shown_step(&model.recording, choice, probe).unwrap_or(0);
        format!("{}-step{step}.{}", choice.tensor, self.kind.extension())
    }
}
