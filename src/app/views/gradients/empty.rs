//! What the Gradients view says while there is no histogram: what it is, and the way to the first one.

use egui::{Align, Layout, RichText, Spinner, TextStyle, Ui, vec2};

use super::super::ViewId;
use super::is_waiting;
use crate::app::action::{Action, Actions};
use crate::app::command::UiCommand;
use crate::app::model::{Data, Model, RunState};
use crate::app::theme::{self, Tokens};
use crate::app::widgets::histogram::bands_ui;
use crate::app::widgets::{card, power};
use crate::figure::GradientPicture;
use crate::histogram::{ExponentHistogram, Target};
use crate::i18n::Lang;
use crate::i18n::app::App;
use crate::i18n::gradients::Gradients as Text;
use crate::train::report::Outcome;

/// How wide a line of reading is.
const MEASURE: f32 = 560.0;

/// Lays out the state that fits the model.
pub(super) fn empty_ui(ui: &mut Ui, model: &Model, actions: &mut Actions) {
    let lang = model.lang;
    match &model.run {
        RunState::Idle => centered_ui(ui, |ui| {
            window_of_fp16_ui(ui, lang);
            words_ui(ui, Text::EmptyTitle.text(lang), Text::EmptyBody.text(lang));
            start_ui(ui, model, actions);
            doors_ui(ui, lang, actions);
        }),
        RunState::Starting => centered_ui(ui, |ui| {
            ui.add(Spinner::new().size(28.0));
            words_ui(ui, Text::StartingTitle.text(lang), Text::StartingBody.text(lang));
        }),
        RunState::Ended(Outcome::Failed(line)) => centered_ui(ui, |ui| {
            words_ui(ui, Text::FailedTitle.text(lang), line);
        }),
        _ if is_waiting(model) => centered_ui(ui, |ui| {
            ui.add(Spinner::new().size(28.0));
            words_ui(ui, Text::WaitingTitle.text(lang), Text::WaitingBody.text(lang));
        }),
        _ => no_probe_ui(ui, lang),
    }
}

/// There is a run, but nothing of it that could be shown here.
pub(super) fn no_probe_ui(ui: &mut Ui, lang: Lang) {
    centered_ui(ui, |ui| words_ui(ui, Text::NoProbeTitle.text(lang), Text::NoProbeBody.text(lang)));
}

/// FP16's ranges, as they will lie behind the bars.
fn window_of_fp16_ui(ui: &mut Ui, lang: Lang) {
    let nothing = ExponentHistogram::default();
    let picture = GradientPicture { lang, ..GradientPicture::new(&nothing, "", Target::Fp16) };
    let width = ui.available_width();
    bands_ui(ui, &picture.figure(), vec2(width, TextStyle::Body.resolve(ui.style()).size * 9.0));
    ui.add_space(8.0);
}

fn start_ui(ui: &mut Ui, model: &Model, actions: &mut Actions) {
    let lang = model.lang;
    match &model.data {
        Data::Loading => {
            ui.add(Spinner::new().size(20.0));
            card::weak(ui, App::LoadingData.text(lang));
        }
        Data::Failed(line) => {
            ui.label(RichText::new(line).color(Tokens::of(ui).error));
        }
        Data::Ready(_) => {
            let own = model.setup != crate::app::setup::Setup::default();
            let text = if own { Text::EmptyStartOwn } else { Text::EmptyStart };
            let hint = format!("{} · {}", App::StartHint.text(lang), UiCommand::Start.keys(ui.ctx()));
            ui.spacing_mut().button_padding = vec2(20.0, 10.0);
            if card::primary_button(ui, text.text(lang)).on_hover_text(hint).clicked() {
                actions.push(Action::Start);
            }
        }
    }
    ui.add_space(6.0);
    card::weak(ui, Text::EmptyOpen.text(lang));
}

/// The views that need no training, for somebody who has never seen an FP16 number.
fn doors_ui(ui: &mut Ui, lang: Lang, actions: &mut Actions) {
    let doors = [ViewId::Bits, ViewId::Arithmetic];
    let small = TextStyle::Small.resolve(ui.style());
    let padding = ui.spacing().button_padding.x * 2.0 + ui.spacing().item_spacing.x;
    let words = Text::EmptyDoors.text(lang);
    let width = ui.fonts_mut(|fonts| {
        let mut width =
            |text: &str| fonts.layout_no_wrap(text.to_owned(), small.clone(), egui::Color32::WHITE).size().x;
        width(words) + doors.iter().map(|door| width(door.title().text(lang)) + padding).sum::<f32>()
    });
    ui.add_space(8.0);
    // A line of buttons does not centre itself.
    let height = small.size * 2.0;
    ui.allocate_ui_with_layout(vec2(width, height), Layout::left_to_right(Align::Center), |ui| {
        card::weak(ui, words);
        for door in doors {
            let button = card::small_button(ui, door.title().text(lang));
            if button.on_hover_text(door.subtitle().text(lang)).clicked() {
                actions.push(Action::Show(door));
            }
        }
    });
}

fn words_ui(ui: &mut Ui, title: &str, body: &str) {
    let tokens = Tokens::of(ui);
    ui.add_space(10.0);
    power::label(ui, title, &theme::heading(), tokens.text);
    ui.add_space(6.0);
    power::label(ui, body, &TextStyle::Body, tokens.text_weak);
    ui.add_space(14.0);
}

/// A card over the whole view with its content in the middle.
fn centered_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let rect = ui.available_rect_before_wrap();
    card::card_in(ui, rect, |ui| {
        let side = ((ui.available_width() - MEASURE) / 2.0).max(0.0);
        let room = ui.available_rect_before_wrap().shrink2(vec2(side, 0.0));
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(room).layout(Layout::top_down(Align::Center)));
        child.add_space(room.height() * 0.15);
        add(&mut child);
    });
}
