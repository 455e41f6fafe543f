//! The lost share over the steps, and which step is looked at: half of the story is that it grows while a network learns.

use egui::{Align, Layout, RichText, TextStyle, Ui, WidgetInfo};
use egui_plot::PlotPoint;

use super::choice::Choice;
use super::derived::LostCurve;
use super::shown_step;
use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::curve::{Chart, Curve};
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::i18n::Lang;
use crate::i18n::app::{axis_percent, percent};
use crate::i18n::gradients::{self as words, Gradients as Text};
use crate::i18n::train::Train;
use crate::train::Recording;
use crate::train::recording::Lane;

/// Lays out the card; a click on the curve chooses a step.
pub(super) fn over_steps_ui(ui: &mut Ui, model: &Model, choice: &mut Choice, curve: &LostCurve, probe: usize) {
    let lang = model.lang;
    title_ui(ui, model, choice, probe);
    let one = Curve {
        name: Text::AtOne.text(lang),
        points: curve.at_one.thinned(),
        color: theme::ink(ui, Role::Ghost),
        style: egui_plot::LineStyle::Dashed { length: 6.0 },
        width: 1.5,
    };
    let here = Curve {
        name: Text::AtThisScale.text(lang),
        points: curve.at_scale.thinned(),
        color: theme::ink(ui, Role::Lost),
        style: egui_plot::LineStyle::Solid,
        width: 2.5,
    };
    let highest = highest(curve.at_scale.points()).max(highest(curve.at_one.points()));
    let shown = shown_step(&model.recording, choice, probe);
    let chart = Chart {
        id: "lost over steps",
        spoken: in_words(lang, curve.at_scale.points()),
        height: ui.available_height(),
        steps: (0.0, model.progress().1.max(1) as f64),
        values: Some((0.0, (highest * 1.12).clamp(0.05, 1.05))),
        format: &|share| axis_percent(lang, share),
        step_word: Train::StepAxis.text(lang),
        curves: if choice.scale_exponent == 0 { vec![here] } else { vec![one, here] },
        marks: Vec::new(),
        cursor: shown.map(|step| step as f64),
    };
    if let (_, Some(step)) = chart.show(ui) {
        choice.step = nearest_step(&model.recording, choice, probe, step);
    }
}

fn title_ui(ui: &mut Ui, model: &Model, choice: &mut Choice, probe: usize) {
    let lang = model.lang;
    ui.horizontal(|ui| {
        card::title(ui, Text::OverSteps.text(lang));
        ui.add_space(6.0);
        let here = format!("— S = {}", power::of_two(choice.scale_exponent));
        power::label(ui, &here, &theme::small_strong(), theme::ink(ui, Role::Lost));
        if choice.scale_exponent != 0 {
            let ghost = theme::ink(ui, Role::Ghost);
            power::label(ui, &format!("- - {}", Text::AtOne.text(lang)), &theme::small_strong(), ghost);
        }
        let skipped = model.recording.lanes.get(choice.lane).map_or(0, Lane::skipped);
        if skipped > 0 {
            let color = theme::ink(ui, Role::Overflow);
            power::label(ui, &words::skipped(lang, skipped), &theme::small_strong(), color);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| step_ui(ui, model, choice, probe));
    });
}

/// Follow the latest step, or stay on one: a slider over the probed steps. Laid out from the right.
fn step_ui(ui: &mut Ui, model: &Model, choice: &mut Choice, probe: usize) {
    let lang = model.lang;
    let steps: Vec<u64> = model.recording.probed_steps(choice.lane, probe).collect();
    let Some(&latest) = steps.last() else { return };
    let shown = choice.step.unwrap_or(latest);
    let text = format!("{} {shown}", Text::Step.text(lang));
    let width = TextStyle::Body.resolve(ui.style()).size * 5.0;
    ui.allocate_ui_with_layout(egui::vec2(width, 20.0), Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(text).text_style(theme::strong()).color(Tokens::of(ui).text));
    });
    let mut index = steps.partition_point(|&step| step < shown).min(steps.len() - 1);
    ui.spacing_mut().slider_width = 120.0;
    let slider = egui::Slider::new(&mut index, 0..=steps.len() - 1).show_value(false);
    let response = ui.add(slider).on_hover_text(Text::OverStepsHint.text(lang));
    response.widget_info(|| WidgetInfo::slider(true, shown as f64, Text::Step.text(lang)));
    if response.changed() {
        choice.step = steps.get(index).copied();
    }
    let mut follow = choice.step.is_none();
    let text = RichText::new(Text::Latest.text(lang)).text_style(TextStyle::Small);
    if ui.checkbox(&mut follow, text).on_hover_text(Text::LatestHint.text(lang)).changed() {
        choice.step = (!follow).then_some(latest);
    }
}

fn nearest_step(recording: &Recording, choice: &Choice, probe: usize, step: f64) -> Option<u64> {
    let distance = |probed: &u64| (*probed as f64 - step).abs();
    recording.probed_steps(choice.lane, probe).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn highest(points: &[PlotPoint]) -> f64 {
    points.iter().map(|point| point.y).filter(|share| share.is_finite()).fold(0.0, f64::max)
}

fn in_words(lang: Lang, points: &[PlotPoint]) -> String {
    let title = Text::OverSteps.text(lang);
    match (points.first(), points.last()) {
        (Some(first), Some(last)) => {
            let part = |point: &PlotPoint| (point.x as u64, percent(lang, point.y));
            let ((first_step, first), (last_step, last)) = (part(first), part(last));
            format!("{title}: {}", words::curve_in_words(lang, (first_step, &first), (last_step, &last)))
        }
        _ => title.to_owned(),
    }
}
