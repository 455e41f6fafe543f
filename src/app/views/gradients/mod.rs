//! The picture a visitor remembers: the exponents of every gradient, the format's window behind them, and a slider for
//! the loss scale that moves the bars at once.
//!
//! The slider needs no look at the data: a histogram knows its classes for every power of two. “Apply to run” is what
//! tells the session.

mod choice;
mod derived;
mod empty;
mod export;
mod options;
mod over_steps;
mod scale;
mod tensors;

use egui::{Rect, Ui, pos2};

use self::choice::Choice;
use self::derived::{KeptAdvice, LostCurve};
use self::export::ExportPanel;
use super::training::run_buttons_ui;
use super::{View, ViewId};
use crate::app::action::{Action, Actions};
use crate::app::command::UiCommand;
use crate::app::model::{Model, RunState};
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card::{self, card_in};
use crate::app::widgets::histogram::figure_ui;
use crate::app::widgets::power;
use crate::figure::{Figure, Role};
use crate::histogram::Advice;
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::gradients as words;
use crate::train::Recording;

/// The Gradients view.
#[derive(Debug, Default)]
pub(super) struct GradientsView {
    choice: Choice,
    /// Which recording the choice belongs to; a new one gets a new choice.
    chosen_for: Option<RecordingKey>,
    curve: LostCurve,
    advice: KeptAdvice,
    export: ExportPanel,
}

/// Tells recordings apart: a fresh run has other lanes or starts from generation 0 again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RecordingKey {
    lanes: Vec<String>,
    run: u64,
}

impl View for GradientsView {
    fn id(&self) -> ViewId {
        ViewId::Gradients
    }

    fn header_ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        if UiCommand::Export.is_possible(model, ViewId::Gradients)
            && card::command_button(ui, UiCommand::Export, model.lang, false, true).clicked()
        {
            actions.push(Action::Command(UiCommand::Export));
        }
        run_buttons_ui(ui, model, ViewId::Gradients, actions);
    }

    fn ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        if !model.has_histograms() {
            empty::empty_ui(ui, model, actions);
            return;
        }
        self.follow_recording(model);
        self.choice.repair(&model.recording);
        options::options_ui(ui, model, &mut self.choice);
        let Some(probe) = self.choice.probe(&model.recording) else {
            empty::no_probe_ui(ui, model.lang);
            return;
        };
        self.advice.update(model, &self.choice, probe);
        self.curve.update(&model.recording, &self.choice, probe);
        ui.add_space(4.0);
        self.panels_ui(ui, model, probe, actions);
        self.export.ui(ui, model, &self.choice, probe, actions);
    }

    fn command(&mut self, command: UiCommand, _model: &Model, _actions: &mut Actions) {
        if command == UiCommand::Export {
            self.export.toggle();
        }
    }
}

impl GradientsView {
    fn follow_recording(&mut self, model: &Model) {
        let lanes = model.recording.lanes.iter().map(|lane| lane.info.config.lane.clone()).collect();
        let key = RecordingKey { lanes, run: model.run_number };
        if self.chosen_for.as_ref() != Some(&key) {
            self.choice = Choice::for_recording(&model.recording, &self.choice);
            self.curve = LostCurve::default();
            self.advice = KeptAdvice::default();
            self.chosen_for = Some(key);
        }
    }

    /// The cards, in all the room that is left.
    fn panels_ui(&mut self, ui: &mut Ui, model: &Model, probe: usize, actions: &mut Actions) {
        let unit = egui::TextStyle::Body.resolve(ui.style()).size / 14.0;
        let room = ui.available_rect_before_wrap();
        let (gap, scale_height) = (theme::GAP, 164.0 * unit);
        let curve_height = (room.height() * 0.19).min(126.0 * unit);
        let list_width = (room.width() * 0.21).clamp(212.0, 250.0) * unit;
        let share_width = (room.width() * 0.34).clamp(250.0, 380.0);
        let curve_top = room.bottom() - curve_height;
        let scale_top = curve_top - gap - scale_height;
        let figure_bottom = scale_top - gap;
        let at =
            |left: f32, top: f32, right: f32, bottom: f32| Rect::from_min_max(pos2(left, top), pos2(right, bottom));
        let split = room.left() + list_width;
        let scale_right = room.right() - share_width - gap;

        let scale = at(room.left(), scale_top, scale_right, scale_top + scale_height);
        card_in(ui, scale, |ui| scale::scale_ui(ui, model, &mut self.choice, &self.advice.advice, actions));
        // After the slider, so that its move shows in the same frame.
        let list = at(room.left(), room.top(), split, figure_bottom);
        card_in(ui, list, |ui| tensors::tensors_ui(ui, model, &mut self.choice));
        let figure = export::figure(model, &self.choice, probe, &self.advice.advice);
        let picture = at(split + gap, room.top(), room.right(), figure_bottom);
        card_in(ui, picture, |ui| figure_ui(ui, &figure, model.lang));
        let share = at(scale_right + gap, scale_top, room.right(), scale_top + scale_height);
        card_in(ui, share, |ui| self.headline_ui(ui, model, &figure));
        self.curve.update(&model.recording, &self.choice, probe);
        let curve = at(room.left(), curve_top, room.right(), room.bottom());
        card_in(ui, curve, |ui| over_steps::over_steps_ui(ui, model, &mut self.choice, &self.curve, probe));
    }

    /// The share that is lost, for the back row.
    fn headline_ui(&self, ui: &mut Ui, model: &Model, figure: &Figure) {
        let tokens = Tokens::of(ui);
        let lost = figure.headline.share.is_some_and(|share| share > crate::export::TOLERANCE);
        let color = match figure.headline.share {
            None => tokens.text_weak,
            Some(_) => theme::ink(ui, if lost { Role::Lost } else { Role::Advised }),
        };
        ui.vertical_centered(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            power::label(ui, &figure.headline.value, &theme::huge(), color);
            power::label(ui, &figure.headline.sentence, &egui::TextStyle::Body, tokens.text);
            let advice = self.advice_line(model.lang);
            if !advice.is_empty() {
                power::label(ui, &advice, &theme::small_strong(), tokens.good);
            }
        });
    }

    fn advice_line(&self, lang: Lang) -> String {
        match &self.advice.advice {
            Advice::Band { low, high } => self
                .advice
                .lost_at_low
                .map_or_else(String::new, |lost| words::advised_outcome(lang, *low, &percent(lang, lost), *high)),
            Advice::Empty { low, low_tensor, high, high_tensor } => {
                crate::i18n::figure::advised_none(lang, (*low, low_tensor), (*high, high_tensor))
            }
            Advice::NoData => String::new(),
        }
    }
}

/// The step whose histogram is shown.
fn shown_step(recording: &Recording, choice: &Choice, probe: usize) -> Option<u64> {
    let reports = recording.lanes.get(choice.lane)?.histograms.get(probe)?;
    choice.step.or_else(|| reports.last().map(|report| report.step))
}

/// Whether a run is about to begin or has begun without a histogram yet.
fn is_waiting(model: &Model) -> bool {
    matches!(model.run, RunState::Starting | RunState::Running | RunState::Paused)
}
