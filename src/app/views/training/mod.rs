//! The same network in several precisions, side by side: the set-up, then curves, the loss scale, a readout a lane.

mod casts;
mod curves;
mod place;
mod readout;
mod setup;
mod times;

use egui::{RichText, Spinner, Ui};

use self::curves::LaneCurves;
use super::{View, ViewId};
use crate::app::action::{Action, Actions};
use crate::app::command::UiCommand;
use crate::app::model::{Model, RunState};
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::i18n::app::App;
use crate::i18n::train::Train as Text;
use crate::train::report::Outcome;

/// The Training view.
#[derive(Debug, Default)]
pub(super) struct TrainingView {
    curves: LaneCurves,
}

impl View for TrainingView {
    fn id(&self) -> ViewId {
        ViewId::Training
    }

    fn header_ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        if model.has_histograms() && ui.button(Text::SeeGradients.text(model.lang)).clicked() {
            actions.push(Action::Show(ViewId::Gradients));
        }
        run_buttons_ui(ui, model, ViewId::Training, actions);
    }

    fn ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        match &model.run {
            RunState::Idle => setup::setup_ui(ui, model, actions),
            RunState::Starting => starting_ui(ui, model),
            RunState::Ended(Outcome::Failed(line)) if model.recording.lanes.is_empty() => failed_ui(ui, model, line),
            _ => {
                self.curves.update(model);
                curves::curves_ui(ui, model, &self.curves);
                card::gap(ui);
                card::card(ui, |ui| readout::readout_ui(ui, model));
                card::gap(ui);
                card::card(ui, |ui| {
                    times::times_ui(ui, model);
                    casts::casts_ui(ui, model);
                });
            }
        }
    }
}

fn starting_ui(ui: &mut Ui, model: &Model) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.35);
        ui.add(Spinner::new().size(28.0));
        card::weak(ui, App::StateStarting.text(model.lang));
    });
}

/// The run failed before its first step: there is nothing to draw but why.
fn failed_ui(ui: &mut Ui, model: &Model, line: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.3);
        let color = Tokens::of(ui).text;
        ui.label(RichText::new(Text::FailedTitle.text(model.lang)).text_style(theme::heading()).color(color));
        card::weak(ui, line);
    });
}

/// The buttons of the run, as many as make sense now; the first is the rightmost.
pub(super) fn run_buttons_ui(ui: &mut Ui, model: &Model, front: ViewId, actions: &mut Actions) {
    let paused = model.run == RunState::Paused;
    let mut button = |ui: &mut Ui, command: UiCommand, primary: bool| {
        if command.is_possible(model, front) && card::command_button(ui, command, model.lang, paused, primary).clicked()
        {
            actions.push(Action::Command(command));
        }
    };
    button(ui, UiCommand::Stop, false);
    button(ui, UiCommand::Step, false);
    button(ui, UiCommand::PauseResume, paused);
    button(ui, UiCommand::Start, true);
    let lang = model.lang;
    if model.can_run_on_processor() {
        let again = card::primary_button(ui, Text::RunOnProcessor.text(lang));
        if again.on_hover_text(Text::RunOnProcessorHint.text(lang)).clicked() {
            actions.push(Action::RunOnProcessor);
        }
    }
    if matches!(model.run, RunState::Ended(_) | RunState::File(_))
        && ui.button(App::NewRun.text(lang)).on_hover_text(App::NewRunHint.text(lang)).clicked()
    {
        actions.push(Action::NewRun);
    }
    if !model.run.is_live() && model.run != RunState::Starting {
        let response = card::command_button(ui, UiCommand::Open, lang, false, false);
        if response.clicked() {
            actions.push(Action::Command(UiCommand::Open));
        }
    }
}
