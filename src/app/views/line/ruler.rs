//! The line itself: a row for each format, every number a tick where they can be told apart, a shade where they cannot.

use egui::accesskit;
use egui::{
    Align2, CornerRadius, EventFilter, Key, Modifiers, Rect, Response, RichText, Sense, Stroke, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use super::axis::Axis;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::named;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::format::{Class, Format};
use crate::i18n::Lang;
use crate::i18n::line::{self as words, Line as Text};
use crate::link::LineLink;

/// Room for the names of the formats.
const NAME_WIDTH: f32 = 104.0;
/// Least distance between two ticks, in points.
const TICK_PITCH: f32 = 1.6;

/// What the line keeps of its own.
#[derive(Debug, Default)]
pub(super) struct Ruler {
    /// The value that is looked at.
    cursor: f64,
}

/// Parts of the line to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Subnormals,
    One,
    Top,
}

impl Ruler {
    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, lang: Lang, link: &mut LineLink) {
        Self::controls_ui(ui, lang, link);
        let axis = axis_of(link);
        let rows = link.formats.len() as f32;
        let unit = TextStyle::Body.resolve(ui.style()).size;
        let table = unit * 2.2 * (rows + 1.0);
        let height = (ui.available_height() - table - 12.0).clamp(unit * 3.5 * rows, unit * 14.0 * rows) + unit * 2.0;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        let plot = Rect::from_min_max(rect.min + vec2(NAME_WIDTH * unit / 14.0, 0.0), rect.max - vec2(6.0, unit * 1.7));
        let mut next = self.moved(ui, &response, plot, axis, link);
        self.keyed(ui, &response, link, &mut next);
        if next != axis {
            link.window = Some((next.low, next.high));
        }
        self.announce(ui, &response, lang, link, next);
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, plot, next, link, lang);
            if response.has_focus() {
                let stroke = Stroke::new(1.0, Tokens::of(ui).accent);
                ui.painter().rect_stroke(rect, CornerRadius::same(4), stroke, egui::StrokeKind::Outside);
            }
        }
        self.readout_ui(ui, lang, link);
    }

    fn controls_ui(ui: &mut Ui, lang: Lang, link: &mut LineLink) {
        ui.horizontal_wrapped(|ui| {
            let scales = [
                Choice { value: false, text: Text::Linear.text(lang), hint: Text::LinearHint.text(lang) },
                Choice { value: true, text: Text::Log.text(lang), hint: Text::LogHint.text(lang) },
            ];
            if let Some(log) = segmented(ui, Text::Scale.text(lang), link.log, &scales) {
                (link.log, link.window) = (log, None);
            }
            for (place, text) in [
                (Place::Whole, Text::Whole),
                (Place::Subnormals, Text::Subnormals),
                (Place::One, Text::AroundOne),
                (Place::Top, Text::TheTop),
            ] {
                if card::small_button(ui, text.text(lang)).clicked() {
                    let axis = place.axis(link);
                    link.window = (place != Place::Whole).then_some((axis.low, axis.high));
                }
            }
            card::weak(ui, Text::LineKeys.text(lang));
        });
    }

    /// What pointer and wheel do.
    fn moved(&mut self, ui: &Ui, response: &Response, plot: Rect, axis: Axis, link: &LineLink) -> Axis {
        let mut next = axis;
        let width = f64::from(plot.width());
        if response.dragged() {
            next = next.moved(-f64::from(response.drag_delta().x) / width);
        }
        let Some(pointer) = response.hover_pos() else { return next };
        let at = f64::from((pointer.x - plot.left()) / plot.width()).clamp(0.0, 1.0);
        let wheel = ui.input(|input| input.smooth_scroll_delta().y);
        if wheel != 0.0 {
            next = next.zoomed(0.99_f64.powf(f64::from(wheel)), at);
        }
        if response.clicked() {
            response.request_focus();
            if let Some(first) = link.formats.first() {
                self.cursor = value_of(*first, first.nearest_number(axis.value(at)));
            }
        }
        next
    }

    /// What keys and screen readers do: arrows move, + and − zoom, Home shows everything, Ctrl+arrows step from number
    /// to number of the first format.
    fn keyed(&mut self, ui: &Ui, response: &Response, link: &LineLink, next: &mut Axis) {
        let Some(first) = link.formats.first().copied() else { return };
        let asked = |action| ui.input(|input| input.has_accesskit_action_request(response.id, action));
        let mut step = i32::from(asked(accesskit::Action::Increment)) - i32::from(asked(accesskit::Action::Decrement));
        if response.has_focus() {
            let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
            step += i32::from(pressed(Modifiers::COMMAND, Key::ArrowRight));
            step -= i32::from(pressed(Modifiers::COMMAND, Key::ArrowLeft));
            let at = next.place(self.cursor).filter(|at| (0.0..=1.0).contains(at)).unwrap_or(0.5);
            for (key, moved) in [
                (Key::ArrowRight, next.moved(0.1)),
                (Key::ArrowLeft, next.moved(-0.1)),
                (Key::Plus, next.zoomed(0.8, at)),
                (Key::Equals, next.zoomed(0.8, at)),
                (Key::Minus, next.zoomed(1.25, at)),
                (Key::Home, Place::Whole.axis(link)),
            ] {
                if pressed(Modifiers::NONE, key) {
                    *next = moved;
                }
            }
        }
        if step != 0 {
            let code = first.nearest_number(self.cursor);
            let to = if step > 0 { first.next_up(code) } else { first.next_down(code) };
            self.cursor = value_of(first, to);
            if let Some(at) = next.place(self.cursor).filter(|at| !(0.02..=0.98).contains(at)) {
                *next = next.moved(at - 0.5);
            }
        }
    }

    fn announce(&self, ui: &Ui, response: &Response, lang: Lang, link: &LineLink, axis: Axis) {
        let counts: Vec<String> = link.formats.iter().map(|format| count_text(*format, axis, lang)).collect();
        let (low, high) = (number(axis.value(0.0)), number(axis.value(1.0)));
        let name = format!("{}. {}", words::window(lang, &low, &high), counts.join(", "));
        response.widget_info(|| WidgetInfo::labeled(egui::Role::SpinButton, true, &name));
        let value = number(self.cursor);
        let _ = ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_value(value.as_str());
            node.add_action(accesskit::Action::Increment);
            node.add_action(accesskit::Action::Decrement);
        });
    }

    fn paint(&self, ui: &Ui, rect: Rect, plot: Rect, axis: Axis, link: &LineLink, lang: Lang) {
        let tokens = Tokens::of(ui);
        let small = TextStyle::Small.resolve(ui.style());
        let painter = ui.painter().with_clip_rect(rect.expand(1.0));
        let x = |at: f64| plot.left() + (f64::from(plot.width()) * at.clamp(-0.5, 1.5)) as f32;
        for mark in axis.marks(f64::from(plot.width()) / 110.0) {
            painter.vline(x(mark.at), plot.y_range(), Stroke::new(1.0, tokens.border));
            let galley = ui.fonts_mut(|fonts| fonts.layout_job(power::job(&mark.label, &small, tokens.text_weak)));
            let left = (x(mark.at) - galley.size().x / 2.0).clamp(plot.left(), rect.right() - galley.size().x);
            painter.galley(pos2(left, plot.bottom() + 4.0), galley, tokens.text_weak);
        }
        let pitch = plot.height() / link.formats.len().max(1) as f32;
        for (at, format) in link.formats.iter().enumerate() {
            let top = plot.top() + pitch * at as f32;
            let band = Rect::from_min_max(pos2(plot.left(), top + 3.0), pos2(plot.right(), top + pitch - 3.0));
            let (color, _) = theme::lane(ui, at);
            painter.text(
                pos2(rect.left(), band.top()),
                Align2::LEFT_TOP,
                format.label(),
                theme::small_strong().resolve(ui.style()),
                color,
            );
            let count = count_text(*format, axis, lang);
            let galley = painter.layout(count, small.clone(), tokens.text_weak, plot.left() - rect.left() - 6.0);
            painter.galley(pos2(rect.left(), band.top() + small.size * 1.4), galley, tokens.text_weak);
            paint_format(ui, band, axis, *format);
        }
        if let Some(at) = axis.place(self.cursor).filter(|at| (0.0..=1.0).contains(at)) {
            painter.vline(x(at), plot.y_range(), Stroke::new(1.5, theme::fill(ui, Role::Sign)));
        }
    }

    /// The numbers nearest to the cursor, one line a format.
    fn readout_ui(&self, ui: &mut Ui, lang: Lang, link: &LineLink) {
        let tokens = Tokens::of(ui);
        card::weak(ui, &words::nearest_to(lang, &number(self.cursor)));
        egui::Grid::new("readout").num_columns(5).spacing([18.0, 2.0]).show(ui, |ui| {
            for (at, format) in link.formats.iter().enumerate() {
                let code = format.nearest_number(self.cursor);
                let (color, _) = theme::lane(ui, at);
                ui.label(RichText::new(format.label()).text_style(theme::small_strong()).color(color));
                ui.label(RichText::new(format.hex(code)).monospace().color(tokens.text_weak));
                let value = named(*format, code);
                ui.label(RichText::new(value).text_style(theme::strong()).color(tokens.text));
                let neighbour = |code: u64| named(*format, code);
                let (down, up) = (neighbour(format.next_down(code)), neighbour(format.next_up(code)));
                card::weak(ui, &words::neighbours(lang, &down, &up));
                let ulp = format.ulp_exponent(code).map_or_else(String::new, |ulp| format!("ULP 2^{ulp}"));
                card::weak(ui, &ulp);
                ui.end_row();
            }
        });
    }
}

impl Place {
    fn axis(self, link: &LineLink) -> Axis {
        let formats = &link.formats;
        let lowest =
            formats.iter().filter_map(|format| format.binades().next()).map(|b| b.exponent).min().unwrap_or(-1);
        let highest = formats.iter().map(|format| format.max_exponent()).max().unwrap_or(1);
        let normal = formats.iter().map(|format| format.min_exponent()).max().unwrap_or(0);
        let least = formats.iter().map(|format| format.max_exponent()).min().unwrap_or(1);
        // Numbers beyond those of FP64 have no place on the screen.
        let clamp = |exponent: i32| f64::from(exponent.clamp(-1074, 1022));
        let top = clamp(highest).exp2() * 2.0;
        let (low, high) = match (self, link.log) {
            (Self::Whole, true) => (clamp(lowest) - 1.0, clamp(highest) + 2.0),
            (Self::Whole, false) => (-top * 1.02, top * 1.02),
            (Self::Subnormals, true) => (clamp(lowest) - 1.0, clamp(normal) + 2.0),
            (Self::Subnormals, false) => (-clamp(normal).exp2() * 2.2, clamp(normal).exp2() * 2.2),
            (Self::One, true) => (-2.2, 2.2),
            (Self::One, false) => (0.4, 2.2),
            (Self::Top, true) => (clamp(least) - 1.5, clamp(least) + 1.5),
            (Self::Top, false) => (clamp(least).exp2() * 0.9, clamp(least).exp2() * 2.2),
        };
        Axis { low, high, log: link.log }
    }
}

fn axis_of(link: &LineLink) -> Axis {
    let whole = Place::Whole.axis(link);
    let (low, high) = link.window.unwrap_or((whole.low, whole.high));
    Axis { low, high, log: link.log }
}

fn value_of(format: Format, code: u64) -> f64 {
    format.decode(code).finite().map_or(0.0, crate::format::Exact::to_f64)
}

fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        format!("{value:.4e}")
    } else {
        format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

fn count_text(format: Format, axis: Axis, lang: Lang) -> String {
    let stretch = format.numbers_between(axis.value(0.0), axis.value(1.0));
    words::count(lang, stretch.map_or(0, |stretch| stretch.count))
}

/// One format's row: its zones behind, its numbers before them.
fn paint_format(ui: &Ui, band: Rect, axis: Axis, format: Format) {
    let painter = ui.painter().with_clip_rect(band);
    let x =
        |value: f64| axis.place(value).map(|at| band.left() + (f64::from(band.width()) * at.clamp(-0.1, 1.1)) as f32);
    let zone = |from: f64, to: f64, role: Role, strength: f32| {
        let (left, right) = (x(from).unwrap_or(band.left()), x(to).unwrap_or(band.right()));
        let rect = Rect::from_x_y_ranges(left.max(band.left())..=right.min(band.right()), band.y_range());
        if rect.width() > 0.0 {
            painter.rect_filled(rect, CornerRadius::ZERO, theme::fill(ui, role).gamma_multiply(strength));
        }
    };
    let reach = format.reach();
    let tiny = f64::from(format.min_exponent()).exp2();
    zone(reach, f64::INFINITY, Role::Overflow, 0.16);
    if !axis.log {
        zone(f64::NEG_INFINITY, -reach, Role::Overflow, 0.16);
    }
    if format.has_subnormals() {
        zone(if axis.log { 0.0 } else { -tiny }, tiny, Role::Subnormal, 0.14);
    }
    let middle = band.center().y;
    painter.hline(band.x_range(), middle, Stroke::new(1.0, Tokens::of(ui).border_strong));
    let Some(stretch) = format.numbers_between(axis.value(0.0), axis.value(1.0)) else { return };
    if stretch.count as f64 * f64::from(TICK_PITCH) <= f64::from(band.width()) {
        let mut code = stretch.first;
        for _ in 0..stretch.count {
            paint_tick(ui, &painter, band, x(value_of(format, code)), format.class(code));
            code = format.next_up(code);
        }
        return;
    }
    // Too many to tell apart: each column of points is the darker the more numbers it has.
    // Wide enough for a few numbers each, or the columns would show the beat between numbers and pixels.
    let columns = (stretch.count / 6).clamp(48, (band.width() / 2.0) as u64) as usize;
    let edge = |at: usize| axis.value(at as f64 / columns as f64);
    let counts: Vec<u64> = (0..columns)
        .map(|at| format.numbers_between(edge(at), edge(at + 1)).map_or(0, |stretch| stretch.count))
        .collect();
    let most = counts.iter().copied().max().unwrap_or(1).max(2) as f32;
    for (at, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        let left = band.left() + band.width() * at as f32 / columns as f32;
        let share = (count as f32).ln_1p() / most.ln_1p();
        let role = if edge(at + 1).abs() < tiny && format.has_subnormals() { Role::Subnormal } else { Role::Normal };
        let reach = band.height() * (0.14 + 0.32 * share);
        let column =
            Rect::from_min_max(pos2(left, middle - reach), pos2(left + band.width() / columns as f32, middle + reach));
        painter.rect_filled(column, CornerRadius::ZERO, theme::fill(ui, role).gamma_multiply(0.25 + 0.6 * share));
    }
}

/// A number: zero is the tallest, subnormals are shorter than normals.
fn paint_tick(ui: &Ui, painter: &egui::Painter, band: Rect, x: Option<f32>, class: Class) {
    let Some(x) = x else { return };
    let (role, part) = match class {
        Class::Zero => (Role::Sign, 0.49),
        Class::Subnormal => (Role::Subnormal, 0.26),
        _ => (Role::Normal, 0.38),
    };
    let reach = band.height() * part;
    let middle = band.center().y;
    painter.vline(x, middle - reach..=middle + reach, Stroke::new(1.5, theme::fill(ui, role)));
}
