//! Paints a [`Figure`]: the same description that the SVG writer draws, on the screen.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Response, Sense, Stroke, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use super::power;
use super::scale_slider::paint_power;
use crate::app::theme::{self, Tokens};
use crate::figure::{Band, Bar, Figure, LegendEntry, Role, Segment};
use crate::i18n::Lang;

/// Where the parts of the picture are.
struct Frame {
    /// The bars and bands.
    plot: Rect,
    /// The bar of the exact zeros.
    zeros: Rect,
}

/// Paints `figure` into all the room there is; hovering a bar tells its counts.
pub fn figure_ui(ui: &mut Ui, figure: &Figure, lang: Lang) -> Response {
    header_ui(ui, figure);
    let small = TextStyle::Small.resolve(ui.style());
    let entries = legend_entries(ui, figure);
    let lines = legend_lines(&entries, ui.available_width()) + figure.notes.len();
    let legend_height = (small.size * 1.35 + 3.0) * lines as f32 + 4.0;
    let size = vec2(ui.available_width(), (ui.available_height() - legend_height).max(120.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, in_words(figure)));
    let frame = Frame::of(rect, &small);
    if ui.is_rect_visible(rect) {
        paint_bands(ui, &frame, figure);
        paint_axes(ui, &frame, figure, &small);
        paint_bars(ui, &frame, figure);
        paint_zeros(ui, &frame, figure);
        paint_outside(ui, &frame, figure, &small);
    }
    let response = hover_ui(response, &frame, figure, lang);
    legend_ui(ui, figure, &entries);
    for note in &figure.notes {
        super::card::weak(ui, note);
    }
    response
}

/// The format's ranges alone, over their axis: what there is to see before there is a value.
pub fn bands_ui(ui: &mut Ui, figure: &Figure, size: egui::Vec2) -> Response {
    let small = TextStyle::Small.resolve(ui.style());
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let bands: Vec<&str> = figure.bands.iter().map(|band| band.label.as_str()).collect();
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, bands.join(", ")));
    let plot = Rect::from_min_max(
        pos2(rect.left() + 8.0, rect.top() + small.size * 1.9),
        pos2(rect.right() - 8.0, rect.bottom() - small.size * 2.0),
    );
    let frame = Frame { plot, zeros: Rect::NOTHING };
    for band in paint_bands(ui, &frame, figure) {
        paint_beside(ui, &frame, figure, band);
    }
    paint_x_axis(ui, &frame, figure, &small);
    response
}

/// The whole picture as a sentence: what a screen reader says.
fn in_words(figure: &Figure) -> String {
    let classes = figure.legend.iter().map(|entry| format!("{} {}", entry.label, entry.value));
    let classes: Vec<String> = classes.collect();
    format!("{}. {}. {} {}", figure.title, classes.join(", "), figure.headline.value, figure.headline.sentence)
}

fn header_ui(ui: &mut Ui, figure: &Figure) {
    let tokens = Tokens::of(ui);
    let title = power::text(ui, &figure.title, &theme::title(), tokens.text);
    ui.add(egui::Label::new(title).truncate());
    let subtitle = power::text(ui, &figure.subtitle, &TextStyle::Small, tokens.text_weak);
    ui.add(egui::Label::new(subtitle).truncate());
}

impl Frame {
    fn of(rect: Rect, small: &FontId) -> Self {
        let (top, bottom) = (rect.top() + small.size * 1.9, rect.bottom() - small.size * 3.4);
        let zero_width = small.size * 2.2;
        let zeros = Rect::from_min_max(pos2(rect.left() + 4.0, top), pos2(rect.left() + 4.0 + zero_width, bottom));
        let plot = Rect::from_min_max(pos2(zeros.right() + small.size * 4.2, top), pos2(rect.right() - 6.0, bottom));
        Self { plot, zeros }
    }

    fn x(&self, figure: &Figure, at: f64) -> f32 {
        let (from, to) = figure.x.range;
        self.plot.left() + self.plot.width() * ((at - from) / (to - from).max(f64::EPSILON)) as f32
    }

    fn y(&self, figure: &Figure, at: f64) -> f32 {
        let (from, to) = figure.y.range;
        self.plot.bottom() - self.plot.height() * ((at - from) / (to - from).max(f64::EPSILON)).clamp(0.0, 1.0) as f32
    }

    fn column(&self, figure: &Figure, exponent: i32) -> (f32, f32) {
        let (left, right) = (self.x(figure, f64::from(exponent)), self.x(figure, f64::from(exponent) + 1.0));
        let gap = ((right - left) * 0.12).min(1.5);
        (left + gap, right - gap)
    }
}

/// Paints the bands with their names over them; returns those whose name has no room there.
fn paint_bands<'f>(ui: &Ui, frame: &Frame, figure: &'f Figure) -> Vec<&'f Band> {
    let strength = if ui.visuals().dark_mode { 0.13 } else { 0.16 };
    let font = theme::small_strong().resolve(ui.style());
    let mut free = frame.plot.left();
    let mut unnamed = Vec::new();
    for band in &figure.bands {
        let (left, right) = (frame.x(figure, band.x.0), frame.x(figure, band.x.1));
        let rect = Rect::from_x_y_ranges(left..=right, frame.plot.y_range());
        ui.painter().rect_filled(rect, CornerRadius::ZERO, theme::fill(ui, band.role).gamma_multiply(strength));
        let color = theme::ink(ui, band.role);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(power::job(&band.label, &font, color)));
        let width = galley.size().x;
        let room = Rect::from_min_max(pos2(free, 0.0), pos2(frame.plot.right() + 6.0, 0.0));
        // A name that has no room over its band is told by the legend.
        let start =
            (f32::midpoint(left, right) - width / 2.0).clamp(room.left(), (room.right() - width).max(room.left()));
        if width > right - left && start + width > right + 4.0 && right < frame.plot.right() - 1.0 {
            unnamed.push(band);
            continue;
        }
        ui.painter().galley(pos2(start, frame.plot.top() - galley.size().y - 5.0), galley, color);
        free = start + width + 8.0;
    }
    unnamed
}

/// The name of a narrow band inside the plot, with an arrow that points at it.
fn paint_beside(ui: &Ui, frame: &Frame, figure: &Figure, band: &Band) {
    let color = theme::ink(ui, band.role);
    let text = power::job(&format!("← {}", band.label), &theme::small_strong().resolve(ui.style()), color);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(text));
    let at = pos2(frame.x(figure, band.x.1) + 4.0, frame.plot.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
}

fn paint_axes(ui: &Ui, frame: &Frame, figure: &Figure, small: &FontId) {
    let tokens = Tokens::of(ui);
    let painter = ui.painter();
    for tick in &figure.y.ticks {
        let y = frame.y(figure, tick.at);
        painter.hline(frame.plot.x_range(), y, Stroke::new(1.0, tokens.border.gamma_multiply(0.7)));
        painter.text(
            pos2(frame.plot.left() - 6.0, y),
            Align2::RIGHT_CENTER,
            &tick.label,
            small.clone(),
            tokens.text_weak,
        );
    }
    paint_x_axis(ui, frame, figure, small);
    let at = pos2(frame.plot.right(), frame.plot.bottom() + 7.0 + small.size * 1.5);
    paint_power(ui, at, Align2::RIGHT_TOP, frame.plot, &figure.x.label, (small, tokens.text_weak));
}

fn paint_x_axis(ui: &Ui, frame: &Frame, figure: &Figure, small: &FontId) {
    let tokens = Tokens::of(ui);
    let painter = ui.painter();
    let line = Stroke::new(1.0, tokens.text_weak);
    painter.hline(frame.plot.x_range(), frame.plot.bottom(), line);
    let within = frame.plot.expand(20.0);
    for tick in &figure.x.ticks {
        let x = frame.x(figure, tick.at);
        painter.vline(x, frame.plot.bottom()..=frame.plot.bottom() + 5.0, line);
        let at = pos2(x, frame.plot.bottom() + 7.0);
        paint_power(ui, at, Align2::CENTER_TOP, within, &tick.label, (small, tokens.text_weak));
    }
}

fn paint_bars(ui: &Ui, frame: &Frame, figure: &Figure) {
    let painter = ui.painter().with_clip_rect(frame.plot.expand2(vec2(1.0, 0.0)));
    for bar in &figure.bars {
        let (left, right) = frame.column(figure, bar.exponent);
        let mut bottom = 0.0;
        for segment in &bar.segments {
            let top = bottom + segment.height;
            paint_segment(ui, &painter, (left, right), (frame.y(figure, top), frame.y(figure, bottom)), segment);
            bottom = top;
        }
    }
    paint_ghost(ui, &painter, frame, figure);
    if !figure.empty.is_empty() {
        let font = TextStyle::Body.resolve(ui.style());
        let color = Tokens::of(ui).text;
        paint_power(ui, frame.plot.center(), Align2::CENTER_CENTER, frame.plot, &figure.empty, (&font, color));
    }
}

fn paint_segment(ui: &Ui, painter: &Painter, (left, right): (f32, f32), (top, bottom): (f32, f32), segment: &Segment) {
    // A count that is not zero is at least one pixel high: it must not look like nothing.
    let top = top.min(bottom - 1.0);
    let rect = Rect::from_x_y_ranges(left..=right, top..=bottom);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::fill(ui, segment.role));
}

/// The outline of the bars at S = 1, dashed, as one staircase.
fn paint_ghost(ui: &Ui, painter: &Painter, frame: &Frame, figure: &Figure) {
    let Some(first) = figure.ghost.first() else { return };
    let mut line = vec![pos2(frame.x(figure, f64::from(first.0)), frame.plot.bottom())];
    let mut last = first.0 - 1;
    for &(exponent, height) in &figure.ghost {
        if exponent > last + 1 {
            line.push(pos2(frame.x(figure, f64::from(last) + 1.0), frame.plot.bottom()));
            line.push(pos2(frame.x(figure, f64::from(exponent)), frame.plot.bottom()));
        }
        let y = frame.y(figure, height);
        line.push(pos2(frame.x(figure, f64::from(exponent)), y));
        line.push(pos2(frame.x(figure, f64::from(exponent) + 1.0), y));
        last = exponent;
    }
    line.push(pos2(frame.x(figure, f64::from(last) + 1.0), frame.plot.bottom()));
    let stroke = Stroke::new(1.2, theme::fill(ui, Role::Ghost));
    painter.extend(egui::Shape::dashed_line(&line, stroke, 4.0, 3.0));
}

fn paint_zeros(ui: &Ui, frame: &Frame, figure: &Figure) {
    let tokens = Tokens::of(ui);
    let small = TextStyle::Small.resolve(ui.style());
    let painter = ui.painter();
    let rail = Stroke::new(1.0, tokens.border);
    painter.rect(frame.zeros, CornerRadius::same(2), tokens.well, rail, egui::StrokeKind::Inside);
    let mut bottom = frame.zeros.bottom();
    for segment in &figure.zeros.segments {
        let top = bottom - frame.zeros.height() * segment.height.clamp(0.0, 1.0) as f32;
        paint_segment(ui, painter, (frame.zeros.left(), frame.zeros.right()), (top, bottom), segment);
        bottom = top;
    }
    let center = frame.zeros.center().x;
    let over = pos2(center, frame.zeros.top() - 4.0);
    painter.text(over, Align2::CENTER_BOTTOM, &figure.zeros.value, small.clone(), tokens.text_weak);
    let under = pos2(center, frame.zeros.bottom() + 7.0);
    painter.text(under, Align2::CENTER_TOP, &figure.zeros.label, small, tokens.text_weak);
}

/// What lies beyond the pinned axis, in words at its ends.
fn paint_outside(ui: &Ui, frame: &Frame, figure: &Figure, small: &FontId) {
    let color = Tokens::of(ui).text;
    let y = frame.plot.top() + small.size;
    let left = pos2(frame.plot.left() + 6.0, y);
    paint_power(ui, left, Align2::LEFT_CENTER, frame.plot, &figure.left, (small, color));
    let right = pos2(frame.plot.right() - 6.0, y);
    paint_power(ui, right, Align2::RIGHT_CENTER, frame.plot, &figure.right, (small, color));
}

fn hover_ui(response: Response, frame: &Frame, figure: &Figure, lang: Lang) -> Response {
    let Some(pointer) = response.hover_pos() else { return response };
    let Some(bar) = bar_at(frame, figure, pointer) else { return response };
    response.on_hover_ui_at_pointer(|ui| {
        let color = Tokens::of(ui).text;
        let range = format!("2^{} … 2^{}", bar.exponent, bar.exponent + 1);
        power::label(ui, &range, &theme::strong(), color);
        for segment in &bar.segments {
            let entry = figure.legend.iter().find(|entry| entry.role == segment.role);
            let name = entry.map_or("", |entry| entry.label.as_str());
            let share = lang.percent(&format!("{:.2}", segment.height * 100.0));
            let text = format!("{name}  {}  ({share})", segment.count);
            power::label(ui, &text, &TextStyle::Small, theme::ink(ui, segment.role));
        }
    })
}

fn bar_at<'f>(frame: &Frame, figure: &'f Figure, pointer: Pos2) -> Option<&'f Bar> {
    if !frame.plot.contains(pointer) {
        return None;
    }
    figure.bars.iter().find(|bar| {
        let (left, right) = frame.column(figure, bar.exponent);
        (left - 1.5..=right + 1.5).contains(&pointer.x)
    })
}

/// The classes with their shares, each with its colour as a small square; an entry is never broken.
fn legend_ui(ui: &mut Ui, figure: &Figure, entries: &[Arc<Galley>]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(LEGEND_GAP, 2.0);
        for (entry, galley) in figure.legend.iter().zip(entries) {
            let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
            let spoken = format!("{} {}", entry.label, entry.value);
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &spoken));
            ui.painter().galley(rect.min, Arc::clone(galley), Color32::WHITE);
            response.on_hover_text(&entry.count);
        }
    });
}

const LEGEND_GAP: f32 = 14.0;

fn legend_entries(ui: &Ui, figure: &Figure) -> Vec<Arc<Galley>> {
    let tokens = Tokens::of(ui);
    let small = TextStyle::Small.resolve(ui.style());
    let strong = theme::small_strong().resolve(ui.style());
    let entry = |entry: &LegendEntry| {
        let mut job = power::job("■ ", &small, theme::fill(ui, entry.role));
        power::append(&mut job, &format!("{} ", entry.label), &small, tokens.text_weak);
        power::append(&mut job, &entry.value, &strong, tokens.text);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    figure.legend.iter().map(entry).collect()
}

/// Into how many lines the legend wraps.
fn legend_lines(entries: &[Arc<Galley>], room: f32) -> usize {
    let (mut lines, mut used) = (1, 0.0);
    for entry in entries {
        let width = entry.size().x;
        if used > 0.0 && used + LEGEND_GAP + width > room {
            (lines, used) = (lines + 1, 0.0);
        }
        used += width + if used > 0.0 { LEGEND_GAP } else { 0.0 };
    }
    lines
}
