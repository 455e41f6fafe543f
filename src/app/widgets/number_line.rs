//! A short stretch of the number line: the numbers of a format, their midpoint, the typed value and where it goes.

use egui::epaint::QuadraticBezierShape;
use egui::{Color32, Rect, Response, Sense, Shape, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::app::theme::{self, Tokens};
use crate::figure::Role;

/// A number of the format on the line.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// Where: 0 at the left end, 1 at the right.
    pub at: f32,
    /// Its value as text.
    pub label: String,
    /// Its code as text.
    pub code: String,
    /// Whether it is beyond the range and stands for ∞.
    pub beyond: bool,
    /// Whether it is the result.
    pub result: bool,
}

/// A part of the gap that goes to one of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basin {
    /// The end that it goes to.
    pub from: f32,
    /// How far it reaches.
    pub to: f32,
    /// Whether it goes there by chance, the less likely the farther away.
    pub fades: bool,
}

/// What the line shows.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberLine {
    /// Numbers of the format, left to right.
    pub stops: Vec<Stop>,
    /// Midpoints between them, with their values where there is room for one.
    pub midpoints: Vec<(f32, String)>,
    /// Which part of the line goes to which number.
    pub basins: Vec<Basin>,
    /// Where the typed value is, and what it is.
    pub typed: (f32, String),
}

impl NumberLine {
    /// Shows the line in all the room there is, with the codes under the numbers where they are asked for; `midpoint` is
    /// the word for it, `words` what a screen reader says.
    pub fn show(&self, ui: &mut Ui, midpoint: &str, words: &str, codes: bool) -> Response {
        let small = TextStyle::Small.resolve(ui.style()).size;
        let size =
            vec2(ui.available_width(), ui.available_height().clamp(small * if codes { 6.9 } else { 6.0 }, small * 9.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, words));
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, midpoint, codes);
        }
        response
    }

    fn paint(&self, ui: &Ui, rect: Rect, midpoint: &str, codes: bool) {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let small = TextStyle::Small.resolve(ui.style());
        let strong = theme::strong().resolve(ui.style());
        let y = rect.top() + small.size * 3.6;
        let x = |at: f32| rect.left() + 24.0 + (rect.width() - 48.0) * at;
        painter.hline(rect.x_range(), y, Stroke::new(1.5, tokens.border_strong));
        for basin in &self.basins {
            paint_basin(ui, *basin, self.stops.iter().any(|stop| stop.result && stop.at == basin.from), y, &x);
        }
        // Where the labels of the numbers end, left and right, and the last line below them.
        let mut taken = Vec::with_capacity(self.stops.len());
        let mut bottom = y + 10.0;
        for stop in &self.stops {
            let role = if stop.beyond { Role::Overflow } else { Role::Normal };
            let (reach, width) = if stop.result { (15.0, 4.0) } else { (11.0, 2.0) };
            painter.vline(x(stop.at), y - reach..=y + reach, Stroke::new(width, theme::fill(ui, role)));
            let (font, color) =
                if stop.result { (strong.clone(), theme::ink(ui, role)) } else { (small.clone(), tokens.text) };
            let galley = painter.layout_no_wrap(stop.label.clone(), font, color);
            let below = y + 17.0 + galley.size().y;
            let left = kept_inside(rect, x(stop.at), galley.size().x);
            taken.push((left, left + galley.size().x));
            bottom = bottom.max(below);
            painter.galley(pos2(left, y + 17.0), galley, color);
            if !codes {
                continue;
            }
            let mono = egui::FontId::new(small.size * 0.92, egui::FontFamily::Monospace);
            let galley = painter.layout_no_wrap(stop.code.clone(), mono, tokens.text_weak);
            bottom = bottom.max(below + galley.size().y);
            painter.galley(pos2(kept_inside(rect, x(stop.at), galley.size().x), below), galley, tokens.text_weak);
        }
        for (at, label) in &self.midpoints {
            painter.vline(x(*at), y - 7.0..=y + 7.0, Stroke::new(1.5, tokens.text_weak));
            if label.is_empty() {
                continue;
            }
            let galley = painter.layout_no_wrap(format!("{midpoint} {label}"), small.clone(), tokens.text_weak);
            let left = kept_inside(rect, x(*at), galley.size().x);
            // Long numbers in a narrow window: below the others rather than over them.
            let free = taken.iter().all(|&(from, to)| left > to + 6.0 || left + galley.size().x < from - 6.0);
            painter.galley(pos2(left, if free { y + 10.0 } else { bottom }), galley, tokens.text_weak);
        }
        self.paint_typed(ui, x(self.typed.0), y, rect, &x);
    }

    /// The typed value, above the line, and the way it goes to the result.
    fn paint_typed(&self, ui: &Ui, at: f32, y: f32, rect: Rect, x: &impl Fn(f32) -> f32) {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let color = theme::fill(ui, Role::Sign);
        if let Some(result) = self.stops.iter().find(|stop| stop.result) {
            let to = x(result.at);
            if (to - at).abs() > 3.0 {
                let lift = vec2(0.0, -30.0);
                let [from, tip] = [pos2(at, y - 6.0), pos2(to, y - 16.0)];
                let middle = pos2(f32::midpoint(at, to), y - 16.0) + lift;
                let curve = QuadraticBezierShape::from_points_stroke(
                    [from, middle, tip],
                    false,
                    Color32::TRANSPARENT,
                    Stroke::new(2.0, color),
                );
                painter.add(curve);
                let side = if to > at { -1.0 } else { 1.0 };
                let head = vec![tip + vec2(0.0, 1.0), tip + vec2(side * 8.0, -3.0), tip + vec2(side * 2.0, -8.0)];
                painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
            }
        }
        painter.circle(pos2(at, y), 6.0, color, Stroke::new(1.5, tokens.card));
        let font = theme::small_strong().resolve(ui.style());
        let galley = painter.layout_no_wrap(self.typed.1.clone(), font, tokens.text);
        painter.galley(pos2(kept_inside(rect, at, galley.size().x), rect.top()), galley, tokens.text);
    }
}

/// A bar from the number that this part of the gap goes to; a wedge where it goes there by chance.
fn paint_basin(ui: &Ui, basin: Basin, chosen: bool, y: f32, x: &impl Fn(f32) -> f32) {
    let color = theme::fill(ui, Role::Normal).gamma_multiply(if chosen { 0.55 } else { 0.22 });
    let (from, to) = (x(basin.from), x(basin.to));
    // The two bars do not touch: the border between them is seen without colours.
    let end = to - (to - from).signum() * 3.0;
    let tip = if basin.fades { 0.0 } else { 5.0 };
    let corners = vec![pos2(from, y - 5.0), pos2(end, y - tip), pos2(end, y + tip), pos2(from, y + 5.0)];
    ui.painter().add(Shape::convex_polygon(corners, color, Stroke::NONE));
}

/// Left edge of something `width` wide that is centred on `at`, or pushed inward where it would leave `rect`.
fn kept_inside(rect: Rect, at: f32, width: f32) -> f32 {
    (at - width / 2.0).clamp(rect.left(), (rect.right() - width).max(rect.left()))
}
