//! The loss-scale card: the slider, the way to the advised scale, the way into the run.

use egui::{Layout, Ui};

use super::choice::Choice;
use crate::app::action::{Action, Actions};
use crate::app::model::Model;
use crate::app::setup::Scaling;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::scale_slider::ScaleSlider;
use crate::app::widgets::{card, power};
use crate::histogram::Advice;
use crate::i18n::Lang;
use crate::i18n::gradients::{self as words, Gradients as Text};
use crate::train::Command;

/// The powers of two that can be looked at: those that can be set up.
const EXPONENTS: std::ops::RangeInclusive<i32> = Scaling::EXPONENTS;

/// Lays out the card.
pub(super) fn scale_ui(ui: &mut Ui, model: &Model, choice: &mut Choice, advice: &Advice, actions: &mut Actions) {
    let lang = model.lang;
    let in_run = choice.scale_in_run(model);
    card::titled(ui, Text::Scale.text(lang), Text::ScaleHint.text(lang));
    let band = match advice {
        Advice::Band { low, high } => Some(*low..=*high),
        _ => None,
    };
    let label = band.as_ref().map_or_else(String::new, |band| words::advised_band(lang, *band.start(), *band.end()));
    let slider = ScaleSlider {
        range: EXPONENTS,
        advised: band.clone(),
        advised_label: &label,
        in_run: in_run.map(f32::log2),
        in_run_label: Text::InRun.text(lang),
        name: Text::SliderName.text(lang),
    };
    slider.show(ui, &mut choice.scale_exponent);
    let reason = reason(model, choice, in_run);
    ui.horizontal(|ui| {
        if reason.is_none() {
            apply_ui(ui, lang, choice, actions);
        }
        let lowest = band.as_ref().map(|band| (*band.start()).clamp(*EXPONENTS.start(), *EXPONENTS.end()));
        if let Some(lowest) = lowest
            && choice.scale_exponent != lowest
            && ui.button(Text::GoToAdvised.text(lang)).on_hover_text(Text::GoToAdvisedHint.text(lang)).clicked()
        {
            choice.scale_exponent = lowest;
        }
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let text = format!("S = {}", power::of_two(choice.scale_exponent));
            power::label(ui, &text, &theme::heading(), Tokens::of(ui).text);
        });
    });
    if let Some(reason) = reason {
        card::weak(ui, reason.text(lang));
    }
}

/// Why the scale cannot be applied; nothing if it can.
fn reason(model: &Model, choice: &Choice, in_run: Option<f32>) -> Option<Text> {
    match in_run {
        None => Some(Text::NoScale),
        Some(_) if !model.run.is_live() => Some(Text::NotLive),
        Some(now) if now == (choice.scale_exponent as f32).exp2() => Some(Text::SameScale),
        Some(_) => None,
    }
}

/// The button that tells the session.
fn apply_ui(ui: &mut Ui, lang: Lang, choice: &Choice, actions: &mut Actions) {
    let button = card::primary_button(ui, Text::Apply.text(lang)).on_hover_text(Text::ApplyHint.text(lang));
    if button.clicked() {
        let scale = (choice.scale_exponent as f32).exp2();
        actions.push(Action::Send(Command::SetLossScale { lane: choice.lane, scale }));
    }
}
