//! Loss, accuracy and the loss scale over the steps.

use egui::{Color32, Rect, Sense, Shape, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{LineStyle, PlotPoint};

use super::readout;
use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::curve::{Chart, Curve, Marks, Series};
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::i18n::app::{axis_percent, percent};
use crate::i18n::train::Train as Text;
use crate::train::config::ScalerConfig;

/// The most points that a curve paints.
const MOST_POINTS: usize = 1200;

/// The curves of all lanes, grown as reports come.
#[derive(Debug, Default)]
pub(super) struct LaneCurves {
    run: u64,
    lanes: Vec<LaneCurve>,
}

#[derive(Debug, Default)]
struct LaneCurve {
    loss: Series,
    accuracy: Series,
    /// log2 of the loss scale.
    scale: Series,
    skipped: Vec<PlotPoint>,
}

impl LaneCurves {
    /// Takes in what is new.
    pub(super) fn update(&mut self, model: &Model) {
        if self.run != model.run_number {
            *self = Self { run: model.run_number, lanes: Vec::new() };
        }
        self.lanes.resize_with(model.recording.lanes.len(), LaneCurve::default);
        for (curve, lane) in self.lanes.iter_mut().zip(&model.recording.lanes) {
            for step in lane.steps.iter().skip(curve.loss.len()) {
                curve.loss.push(step.step, f64::from(step.loss));
                let scale = f64::from(step.scale).log2();
                curve.scale.push(step.step, scale);
                if step.skipped {
                    curve.skipped.push(PlotPoint::new(step.step as f64, scale));
                }
            }
            for evaluation in lane.evaluations.iter().skip(curve.accuracy.len()) {
                curve.accuracy.push(evaluation.step, evaluation.accuracy().unwrap_or(f64::NAN));
            }
            for series in [&mut curve.loss, &mut curve.accuracy, &mut curve.scale] {
                series.refresh(MOST_POINTS);
            }
        }
    }
}

/// Lays out the three charts.
pub(super) fn curves_ui(ui: &mut Ui, model: &Model, curves: &LaneCurves) {
    let unit = TextStyle::Body.resolve(ui.style()).size / 14.0;
    let room = ui.available_rect_before_wrap();
    let (lanes, notes) = (model.recording.lanes.len() as f32, readout::notes(model).len() as f32);
    let table = (100.0 + 30.0 * lanes + 22.0 * notes) * unit + 56.0;
    let height = (room.height() - table - theme::GAP * 3.0).max(300.0);
    let (top, scale) = ((height - theme::GAP) * 0.62, (height - theme::GAP) * 0.38);
    let half = (room.width() - theme::GAP) / 2.0;
    let loss = Rect::from_min_size(room.min, vec2(half, top));
    let accuracy = Rect::from_min_size(pos2(room.left() + half + theme::GAP, room.top()), vec2(half, top));
    let timeline = Rect::from_min_size(pos2(room.left(), room.top() + top + theme::GAP), vec2(room.width(), scale));
    card::card_in(ui, loss, |ui| loss_ui(ui, model, curves));
    card::card_in(ui, accuracy, |ui| accuracy_ui(ui, model, curves));
    card::card_in(ui, timeline, |ui| scale_ui(ui, model, curves));
}

fn curves_of<'c>(
    ui: &Ui,
    model: &'c Model,
    curves: &'c LaneCurves,
    series: impl Fn(&'c LaneCurve) -> &'c Series,
) -> Vec<Curve<'c>> {
    let lanes = model.recording.lanes.iter().zip(&curves.lanes).enumerate();
    lanes
        .map(|(index, (lane, curve))| {
            let (color, style) = theme::lane(ui, index);
            Curve { name: &lane.info.config.lane, points: series(curve).thinned(), color, style, width: 2.0 }
        })
        .collect()
}

/// The latest values of all lanes in words: the chart's numbers for a screen reader.
fn in_words(title: &str, model: &Model, value: impl Fn(usize) -> Option<String>) -> String {
    let lanes = model.recording.lanes.iter().enumerate();
    let lanes: Vec<String> =
        lanes.filter_map(|(index, lane)| Some(format!("{} {}", lane.info.config.lane, value(index)?))).collect();
    format!("{title}: {}", lanes.join(", "))
}

fn loss_ui(ui: &mut Ui, model: &Model, curves: &LaneCurves) {
    let lang = model.lang;
    card::titled(ui, Text::Loss.text(lang), Text::LossUnit.text(lang));
    legend_ui(ui, model);
    let values = || curves.lanes.iter().flat_map(|lane| lane.loss.points()).map(|point| point.y);
    let first = values().find(|loss| loss.is_finite()).unwrap_or(1.0);
    // A diverged lane leaves the chart at its top instead of flattening the others.
    let highest = values().filter(|loss| loss.is_finite()).fold(0.0, f64::max).min(first * 3.0);
    let spoken = in_words(Text::Loss.text(lang), model, |index| {
        model.recording.lanes[index].steps.last().map(|step| format!("{:.3}", step.loss))
    });
    let chart = Chart {
        id: "loss",
        spoken,
        height: ui.available_height(),
        steps: (0.0, model.progress().1 as f64),
        values: Some((0.0, (highest * 1.05).max(0.1))),
        format: &|loss| format!("{loss:.2}"),
        step_word: Text::StepAxis.text(lang),
        curves: curves_of(ui, model, curves, |lane| &lane.loss),
        marks: Vec::new(),
        cursor: None,
    };
    chart.show(ui);
}

fn accuracy_ui(ui: &mut Ui, model: &Model, curves: &LaneCurves) {
    let lang = model.lang;
    card::titled(ui, Text::Accuracy.text(lang), Text::AccuracyUnit.text(lang));
    legend_ui(ui, model);
    let spoken = in_words(Text::Accuracy.text(lang), model, |index| {
        model.recording.lanes[index].accuracy().map(|share| percent(lang, share))
    });
    let marks: Vec<Marks<'_>> = model
        .recording
        .lanes
        .iter()
        .zip(&curves.lanes)
        .enumerate()
        .map(|(index, (lane, curve))| Marks {
            name: &lane.info.config.lane,
            points: curve.accuracy.thinned(),
            color: theme::lane(ui, index).0,
        })
        .collect();
    let chart = Chart {
        id: "accuracy",
        spoken,
        height: ui.available_height(),
        steps: (0.0, model.progress().1 as f64),
        values: Some((0.0, 1.0)),
        format: &|share| axis_percent(lang, share),
        step_word: Text::StepAxis.text(lang),
        curves: curves_of(ui, model, curves, |lane| &lane.accuracy),
        marks,
        cursor: None,
    };
    chart.show(ui);
}

fn scale_ui(ui: &mut Ui, model: &Model, curves: &LaneCurves) {
    let lang = model.lang;
    card::titled(ui, Text::ScaleTimeline.text(lang), Text::ScaleTimelineHint.text(lang));
    let skipped_color = theme::ink(ui, Role::Overflow);
    let lanes = || model.recording.lanes.iter().zip(&curves.lanes);
    let scaled = |index: usize| model.recording.lanes[index].info.config.scaler != ScalerConfig::None;
    let lines = curves_of(ui, model, curves, |lane| &lane.scale);
    let lines = lines.into_iter().enumerate().filter(|(index, _)| scaled(*index)).map(|(_, line)| line).collect();
    let marks = lanes()
        .filter(|(_, curve)| !curve.skipped.is_empty())
        .map(|(lane, curve)| Marks { name: &lane.info.config.lane, points: &curve.skipped, color: skipped_color })
        .collect();
    let exponents = || lanes().flat_map(|(_, curve)| curve.scale.points()).map(|point| point.y);
    let low = exponents().filter(|exponent| exponent.is_finite()).fold(0.0, f64::min);
    let high = exponents().filter(|exponent| exponent.is_finite()).fold(4.0, f64::max);
    let spoken = in_words(Text::ScaleTimeline.text(lang), model, |index| {
        let lane = &model.recording.lanes[index];
        scaled(index).then(|| lane.steps.last().map(|step| power::of_scale(step.scale))).flatten()
    });
    let chart = Chart {
        id: "scale",
        spoken,
        height: ui.available_height(),
        steps: (0.0, model.progress().1 as f64),
        values: Some((low - 1.0, high + 1.0)),
        format: &scale_label,
        step_word: Text::StepAxis.text(lang),
        curves: lines,
        marks,
        cursor: None,
    };
    chart.show(ui);
}

fn scale_label(exponent: f64) -> String {
    if exponent.fract() == 0.0 { format!("{exponent:.0}") } else { String::new() }
}

/// Which line is which lane; an entry is never broken.
fn legend_ui(ui: &mut Ui, model: &Model) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(14.0, 0.0);
        let font = TextStyle::Small.resolve(ui.style());
        for (index, lane) in model.recording.lanes.iter().enumerate() {
            let color = Tokens::of(ui).text;
            let name = &lane.info.config.lane;
            let galley = ui.fonts_mut(|fonts| fonts.layout_no_wrap(name.clone(), font.clone(), color));
            let size = galley.size() + vec2(SAMPLE + 6.0, 0.0);
            let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, name));
            paint_sample(ui, rect.with_max_x(rect.left() + SAMPLE), theme::lane(ui, index));
            ui.painter().galley(pos2(rect.left() + SAMPLE + 6.0, rect.top()), galley, color);
        }
    });
}

/// How long a sample of a lane's line is.
const SAMPLE: f32 = 24.0;

/// A short piece of a lane's line.
pub(super) fn sample_ui(ui: &mut Ui, look: (Color32, LineStyle)) {
    let height = TextStyle::Small.resolve(ui.style()).size;
    let (rect, _) = ui.allocate_exact_size(vec2(SAMPLE, height), Sense::hover());
    paint_sample(ui, rect, look);
}

fn paint_sample(ui: &Ui, rect: Rect, (color, style): (Color32, LineStyle)) {
    let line = [rect.left_center(), rect.right_center()];
    let stroke = Stroke::new(2.5, color);
    match style {
        LineStyle::Solid => {
            ui.painter().line_segment(line, stroke);
        }
        LineStyle::Dashed { length } => {
            ui.painter().extend(Shape::dashed_line(&line, stroke, length * 0.7, length * 0.45));
        }
        LineStyle::Dotted { spacing } => {
            ui.painter().extend(Shape::dotted_line(&line, color, spacing * 0.8, 1.6));
        }
    }
}

/// A loss as text: four digits, or the word.
pub(super) fn loss_text(loss: f32) -> String {
    if loss.is_finite() { format!("{loss:.4}") } else { loss.to_string() }
}
