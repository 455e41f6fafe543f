//! Something about every binade of several formats: how many numbers, how large an ULP. Steps over a log2 axis.

use egui::{Align2, Color32, Rect, Response, Sense, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::lane_label::lane_line;
use super::power;
use crate::app::theme::{self, Tokens};

/// One format.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// Its name.
    pub name: String,
    /// Exponent of a binade, and log2 of what is drawn at its two ends.
    pub binades: Vec<(i32, f64, f64)>,
}

/// What the chart shows.
#[expect(missing_debug_implementations, reason = "a closure has nothing to print")]
pub struct BinadeChart<'a> {
    /// The formats; at most five, each with a line style of its own.
    pub formats: &'a [Steps],
    /// Height in points.
    pub height: f32,
    /// What the vertical axis is.
    pub axis: &'a str,
    /// What a screen reader says.
    pub spoken: &'a str,
    /// What is said of the binade with this exponent where the pointer is over it.
    pub tell: &'a dyn Fn(i32) -> String,
}

impl BinadeChart<'_> {
    /// Shows the chart.
    pub fn show(&self, ui: &mut Ui) -> Response {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), self.height), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, self.spoken));
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let small = TextStyle::Small.resolve(ui.style()).size;
        let plot = Rect::from_min_max(rect.min + vec2(small * 3.6, small * 2.1), rect.max - vec2(10.0, small * 1.6));
        let all = || self.formats.iter().flat_map(|format| &format.binades);
        let first = all().map(|binade| binade.0).min().unwrap_or(-1);
        let last = all().map(|binade| binade.0 + 1).max().unwrap_or(1);
        let over = response.hover_pos().filter(|at| plot.x_range().contains(at.x)).map(|at| {
            let share = f64::from((at.x - plot.left()) / plot.width());
            ((share * f64::from(last - first)).floor() as i32 + first).min(last - 1)
        });
        self.paint(ui, rect, plot, (first, last), over);
        match over {
            Some(exponent) => response.on_hover_text_at_pointer((self.tell)(exponent)),
            None => response,
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect, plot: Rect, (first, last): (i32, i32), over: Option<i32>) {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let small = TextStyle::Small.resolve(ui.style());
        let all = || self.formats.iter().flat_map(|format| &format.binades);
        let low = all().map(|binade| binade.1.min(binade.2)).fold(f64::INFINITY, f64::min).min(0.0);
        let high = all().map(|binade| binade.1.max(binade.2)).fold(f64::NEG_INFINITY, f64::max).max(low + 1.0);
        let x = |exponent: f64| {
            egui::lerp(plot.x_range(), ((exponent - f64::from(first)) / f64::from(last - first)) as f32)
        };
        let y = |value: f64| egui::lerp(plot.bottom()..=plot.top(), ((value - low) / (high - low)) as f32);
        if let Some(exponent) = over {
            let [left, right] = [exponent, exponent + 1].map(|edge| x(f64::from(edge)));
            let band = Rect::from_x_y_ranges(left..=right, plot.y_range());
            painter.rect_filled(band, 0.0, tokens.selection);
        }
        painter.text(rect.left_top(), Align2::LEFT_TOP, self.axis, small.clone(), tokens.text_weak);
        let power_text = |exponent: i32, color: Color32| {
            let job = power::job(&power::of_two(exponent), &small, color);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        for exponent in marks(f64::from(first), f64::from(last), plot.width() / 64.0) {
            painter.vline(x(f64::from(exponent)), plot.y_range(), Stroke::new(1.0, tokens.border));
            let galley = power_text(exponent, tokens.text_weak);
            let left = x(f64::from(exponent)) - galley.size().x / 2.0;
            painter.galley(pos2(left, plot.bottom() + 3.0), galley, tokens.text_weak);
        }
        for value in marks(low, high, plot.height() / 30.0) {
            painter.hline(plot.x_range(), y(f64::from(value)), Stroke::new(1.0, tokens.border));
            let galley = power_text(value, tokens.text_weak);
            let at = pos2(plot.left() - 6.0 - galley.size().x, y(f64::from(value)) - galley.size().y / 2.0);
            painter.galley(at, galley, tokens.text_weak);
        }
        for (at, format) in self.formats.iter().enumerate() {
            let (color, _) = theme::lane(ui, at);
            let mut points = Vec::with_capacity(format.binades.len() * 2);
            for (exponent, begin, end) in &format.binades {
                points.push(pos2(x(f64::from(*exponent)), y(*begin)));
                points.push(pos2(x(f64::from(*exponent) + 1.0), y(*end)));
            }
            let stroke = Stroke::new(2.0, color);
            painter.extend(lane_line(points, at, stroke));
        }
    }
}

/// Whole numbers between the bounds, about `wanted` of them.
fn marks(low: f64, high: f64, wanted: f32) -> Vec<i32> {
    let rough = (high - low) / f64::from(wanted.max(2.0));
    let step =
        [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384].into_iter().find(|step| f64::from(*step) >= rough);
    let step = step.unwrap_or(16384);
    let first = (low / f64::from(step)).ceil() as i32;
    let last = (high / f64::from(step)).floor() as i32;
    (first..=last).map(|at| at * step).collect()
}
