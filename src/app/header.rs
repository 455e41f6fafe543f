//! What stands above every view: its name, the state of the run, the latest news.

use egui::{Frame, Label, Margin, RichText, Sides, Ui, vec2};

use super::action::{Action, Actions};
use super::command::UiCommand;
use super::model::{Busy, Data, Model, Notice};
use super::theme::{self, Tokens};
use super::views::View;
use super::widgets::card::command_button;
use crate::i18n::app::{App as Text, step_of};
use crate::i18n::train::preset_name;

/// The view's name, and its buttons at the right end.
pub(super) fn header_ui(ui: &mut Ui, view: &mut dyn View, model: &Model, actions: &mut Actions) {
    let tokens = Tokens::of(ui);
    let lang = model.lang;
    let state = model.run.text().filter(|_| !view.id().is_explorer());
    let subtitle = match state {
        None => view.id().subtitle().text(lang).to_owned(),
        Some(state) => run_line(model, state),
    };
    let name = RichText::new(view.id().title().text(lang)).text_style(theme::heading()).color(tokens.text);
    Sides::new().height(34.0).shrink_left().show(
        ui,
        |ui| {
            ui.label(name);
            ui.add_space(4.0);
            ui.add(Label::new(RichText::new(subtitle).color(tokens.text_weak)).truncate());
        },
        |ui| {
            if let Some(link) = view.link() {
                let button = command_button(ui, UiCommand::CopyLink, lang, false, false);
                if button.clicked() {
                    actions.push(Action::CopyLink(Box::new(link)));
                }
            }
            view.header_ui(ui, model, actions);
        },
    );
}

/// Such as “underflow · step 214 of 400 · running”.
fn run_line(model: &Model, state: Text) -> String {
    let (step, steps) = model.progress();
    let preset = model.recording.lanes.first().map_or("", |lane| lane.info.config.preset.as_str());
    let step = step_of(model.lang, step, steps);
    format!("{} · {step} · {}", preset_name(model.lang, preset), state.text(model.lang))
}

/// The latest news in one line, while there is any.
pub(super) fn notice_ui(ui: &mut Ui, model: &Model, actions: &mut Actions) {
    let tokens = Tokens::of(ui);
    let lang = model.lang;
    let (line, color) = match (&model.notice, model.busy, &model.data) {
        (Some(Notice::Done(line)), ..) => (line.as_str(), tokens.good),
        (Some(Notice::Error(line)), ..) | (None, None, Data::Failed(line)) => (line.as_str(), tokens.error),
        (None, Some(Busy::Opening), _) => (Text::OpeningRun.text(lang), tokens.text_weak),
        (None, Some(Busy::Writing), _) => (Text::Working.text(lang), tokens.text_weak),
        (None, None, _) => return,
    };
    let frame = Frame::new().fill(tokens.card).stroke(egui::Stroke::new(1.0, color)).corner_radius(theme::RADIUS);
    frame.inner_margin(Margin::symmetric(12, 6)).show(ui, |ui| {
        ui.horizontal(|ui| {
            let close = model.notice.is_some();
            let room = ui.available_width() - if close { 90.0 } else { 0.0 };
            ui.allocate_ui(vec2(room, 0.0), |ui| ui.add(egui::Label::new(RichText::new(line).color(color)).wrap()));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if close && ui.small_button(Text::Close.text(lang)).clicked() {
                    actions.push(Action::Dismiss);
                }
            });
        });
    });
}

/// While a file hovers over the window: what dropping it does.
pub(super) fn drop_hint_ui(ui: &Ui, model: &Model) {
    if ui.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let tokens = Tokens::of(ui);
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
    let rect = ui.ctx().content_rect();
    painter.rect_filled(rect, 0, tokens.background.gamma_multiply(0.85));
    let font = theme::heading().resolve(ui.style());
    painter.text(rect.center(), egui::Align2::CENTER_CENTER, Text::DropHere.text(model.lang), font, tokens.text);
}
