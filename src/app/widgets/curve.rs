//! Curves over the steps of a run, drawn by `egui_plot`: thinned to what a screen can show, with gaps where a value is
//! not a number.

use egui::{Color32, Response, TextStyle, Ui, Vec2b, WidgetInfo};
use egui_plot::{
    GridInput, GridMark, HoverPosition, Line, LineStyle, MarkerShape, Plot, PlotPoint, PlotPoints, Points, VLine,
};

use crate::app::theme::Tokens;

/// One curve.
#[derive(Debug, Clone)]
pub struct Curve<'a> {
    /// Its name.
    pub name: &'a str,
    /// (step, value), ascending steps, at most two a pixel; the value may be NaN, which leaves a gap.
    pub points: &'a [PlotPoint],
    /// Its colour.
    pub color: Color32,
    /// Its line style.
    pub style: LineStyle,
    /// Its width in points.
    pub width: f32,
}

/// Places marked by a cross.
#[derive(Debug, Clone)]
pub struct Marks<'a> {
    /// What they mean.
    pub name: &'a str,
    /// (step, value).
    pub points: &'a [PlotPoint],
    /// Their colour.
    pub color: Color32,
}

/// A chart of curves over the steps.
pub struct Chart<'a> {
    /// Unique among the charts of a view.
    pub id: &'a str,
    /// What a screen reader says: the plot's numbers in words.
    pub spoken: String,
    /// Height in points.
    pub height: f32,
    /// First and last step of the axis.
    pub steps: (f64, f64),
    /// Lowest and highest value of the axis; `None` follows the curves.
    pub values: Option<(f64, f64)>,
    /// A value as text.
    pub format: &'a dyn Fn(f64) -> String,
    /// The word for "step".
    pub step_word: &'a str,
    /// The curves, later ones on top.
    pub curves: Vec<Curve<'a>>,
    /// The crosses.
    pub marks: Vec<Marks<'a>>,
    /// The step that is looked at.
    pub cursor: Option<f64>,
}

impl Chart<'_> {
    /// Shows the chart; returns its response and the step under a click.
    pub fn show(self, ui: &mut Ui) -> (Response, Option<f64>) {
        let Self { id, spoken, height, steps, values, format, step_word, curves, marks, cursor } = self;
        let tokens = Tokens::of(ui);
        let (across, up) = (f64::from(ui.available_width()) / 110.0, f64::from(height) / 34.0);
        let ui = &mut small_type(ui, height);
        let mut plot = Plot::new(id)
            .height(height)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_axis_zoom_drag(false)
            .allow_double_click_reset(false)
            .show_background(false)
            .show_crosshair(false)
            .auto_bounds(Vec2b::new(false, values.is_none()))
            .default_x_bounds(steps.0, steps.1.max(steps.0 + 1.0))
            .grid_color(tokens.border)
            .y_axis_min_width(44.0)
            .x_grid_spacer(move |input| grid_marks(&input, across.max(2.0)))
            .y_grid_spacer(move |input| grid_marks(&input, up.max(2.0)))
            .grid_fade(0.0)
            .x_axis_formatter(|mark: GridMark, _: &_| whole_step(mark.value))
            .y_axis_formatter(move |mark: GridMark, _: &_| format(mark.value))
            .label_formatter(move |position| hover_text(position, step_word, format));
        if let Some((low, high)) = values {
            plot = plot.default_y_bounds(low, high);
        }
        let shown = plot.show(ui, |plot| {
            // Bounds are set in every frame: the axis grows with the run and nobody can pan it out of sight.
            plot.set_plot_bounds_x(steps.0..=steps.1.max(steps.0 + 1.0));
            if let Some((low, high)) = values {
                plot.set_plot_bounds_y(low..=high);
            }
            if let Some(step) = cursor {
                plot.vline(VLine::new("", step).color(tokens.text_weak).width(1.0).allow_hover(false));
            }
            for curve in &curves {
                for (part, points) in finite_parts(curve.points).enumerate() {
                    let line = Line::new(curve.name, PlotPoints::Borrowed(points)).id((curve.name, part));
                    plot.line(line.color(curve.color).style(curve.style).width(curve.width));
                }
            }
            for mark in &marks {
                let points = Points::new(mark.name, PlotPoints::Borrowed(mark.points));
                plot.points(points.color(mark.color).shape(MarkerShape::Cross).radius(4.0));
            }
            let clicked = plot.response().clicked();
            plot.pointer_coordinate().filter(|_| clicked).map(|point| point.x)
        });
        shown.response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &spoken));
        (shown.response, shown.inner)
    }
}

/// A child in which axes are labelled in small type.
fn small_type(ui: &mut Ui, height: f32) -> Ui {
    let (_, rect) = ui.allocate_space(egui::vec2(ui.available_width(), height));
    // The last number on the step axis is wider than half a tick.
    let rect = rect.with_max_x(rect.right() - 10.0);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    let styles = &mut child.style_mut().text_styles;
    if let Some(small) = styles.get(&TextStyle::Small).cloned() {
        styles.insert(TextStyle::Body, small);
    }
    child
}

/// Round numbers about `wanted` of which fit between the bounds.
fn grid_marks(input: &GridInput, wanted: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = (high - low) / wanted;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let power = 10_f64.powf(rough.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= rough);
    let step_size = step_size.unwrap_or(10.0 * power);
    let (first, last) = ((low / step_size).ceil() as i64, (high / step_size).floor() as i64);
    (first..=last).map(|index| GridMark { value: index as f64 * step_size, step_size }).collect()
}

fn whole_step(value: f64) -> String {
    if value.fract() == 0.0 && value >= 0.0 { format!("{value:.0}") } else { String::new() }
}

fn hover_text(position: &HoverPosition<'_>, step_word: &str, format: &dyn Fn(f64) -> String) -> Option<String> {
    match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            Some(format!("{plot_name}\n{step_word} {:.0}\n{}", position.x, format(position.y)))
        }
        HoverPosition::Elsewhere { .. } => None,
    }
}

/// The runs of finite values: a curve is broken where it is not a number.
fn finite_parts(points: &[PlotPoint]) -> impl Iterator<Item = &[PlotPoint]> {
    points.split(|point| !point.y.is_finite()).filter(|part| !part.is_empty())
}

/// Reduces (step, value) pairs to at most two a bucket, the lowest and the highest, in their order, so that no spike
/// is lost. A bucket with a value that is not finite keeps one such, as a gap.
#[must_use]
pub fn thin(points: &[PlotPoint], most: usize) -> Vec<PlotPoint> {
    if points.len() <= most || most < 2 {
        return points.to_vec();
    }
    let size = points.len().div_ceil(most / 2);
    let mut thinned = Vec::with_capacity(most + most / 2);
    for bucket in points.chunks(size) {
        let by_value = |a: &&PlotPoint, b: &&PlotPoint| a.y.total_cmp(&b.y);
        let finite = || bucket.iter().filter(|point| point.y.is_finite());
        let (low, high) = (finite().min_by(by_value), finite().max_by(by_value));
        let gap = bucket.iter().find(|point| !point.y.is_finite());
        let mut kept: Vec<PlotPoint> = [low, high, gap].into_iter().flatten().copied().collect();
        kept.sort_by(|a, b| a.x.total_cmp(&b.x));
        kept.dedup_by(|a, b| a.x == b.x);
        thinned.extend(kept);
    }
    thinned
}

/// A curve that grows while a run goes on: points are added as they come, and thinned again only when asked for.
#[derive(Debug, Clone, Default)]
pub struct Series {
    points: Vec<PlotPoint>,
    thinned: Vec<PlotPoint>,
    thinned_from: usize,
}

impl Series {
    /// How many points were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Adds a point.
    pub fn push(&mut self, step: u64, value: f64) {
        self.points.push(PlotPoint::new(step as f64, value));
    }

    /// All points.
    #[must_use]
    pub fn points(&self) -> &[PlotPoint] {
        &self.points
    }

    /// Brings the thinned points up to date.
    pub fn refresh(&mut self, most: usize) {
        if self.thinned_from != self.points.len() {
            self.thinned = thin(&self.points, most);
            self.thinned_from = self.points.len();
        }
    }

    /// At most as many points as the last [`Series::refresh`] allowed (half as many again where there are gaps).
    #[must_use]
    pub fn thinned(&self) -> &[PlotPoint] {
        &self.thinned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[f64]) -> Vec<PlotPoint> {
        values.iter().enumerate().map(|(step, &value)| PlotPoint::new(step as f64, value)).collect()
    }

    #[test]
    fn thinning_keeps_spikes_gaps_and_order() {
        let mut values = vec![1.0; 10_000];
        values[5_000] = 99.0;
        values[7_000] = -99.0;
        values[8_000] = f64::NAN;
        values[9_000] = f64::INFINITY;
        let thinned = thin(&points(&values), 200);
        assert!(thinned.len() <= 300, "{}", thinned.len());
        assert!(thinned.windows(2).all(|pair| pair[0].x < pair[1].x));
        for value in [99.0, -99.0] {
            assert!(thinned.iter().any(|point| point.y == value), "{value} is lost");
        }
        assert!(thinned.iter().any(|point| point.x == 8_000.0 && point.y.is_nan()));
        assert!(thinned.iter().any(|point| point.x == 9_000.0));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let few = points(&[1.0, f64::NAN, 3.0]);
        assert_eq!(thin(&few, 100).len(), 3);
    }

    #[test]
    fn a_curve_is_broken_where_it_is_not_a_number() {
        let broken = points(&[f64::NAN, 1.0, 2.0, f64::NAN, f64::NAN, 3.0]);
        let parts: Vec<usize> = finite_parts(&broken).map(<[PlotPoint]>::len).collect();
        assert_eq!(parts, [2, 1]);
    }
}
