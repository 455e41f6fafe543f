//! The loss-scale slider: whole powers of two on a log2 rail, the advised band in green, the run's own scale marked.

use std::ops::RangeInclusive;

use egui::accesskit;
use egui::{
    Align2, Color32, CornerRadius, EventFilter, Key, Modifiers, Rect, Response, Sense, Stroke, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use super::power;
use crate::app::theme::{self, Tokens};

/// What the slider shows.
#[derive(Debug, Clone)]
pub struct ScaleSlider<'a> {
    /// Exponents from left to right.
    pub range: RangeInclusive<i32>,
    /// The advised exponents, if there are any.
    pub advised: Option<RangeInclusive<i32>>,
    /// What stands above the advised band.
    pub advised_label: &'a str,
    /// The exponent of the scale that the run uses, if it has one; need not be whole.
    pub in_run: Option<f32>,
    /// What stands at that mark.
    pub in_run_label: &'a str,
    /// Its name for screen readers.
    pub name: &'a str,
}

/// How far a Page key moves.
const PAGE: i32 = 4;

impl ScaleSlider<'_> {
    /// Shows the slider; `exponent` changes with mouse, keys and screen readers.
    pub fn show(&self, ui: &mut Ui, exponent: &mut i32) -> Response {
        // 1. size
        let small = TextStyle::Small.resolve(ui.style()).size;
        let size = vec2(ui.available_width(), small * 4.6);
        // 2. allocate
        let (rect, mut response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let rail = Rect::from_min_max(
            pos2(rect.left() + 16.0, rect.top() + small * 1.9),
            pos2(rect.right() - 16.0, rect.top() + small * 1.9 + 8.0),
        );
        // 3. interact
        let old = *exponent;
        if let Some(pointer) = response.interact_pointer_pos() {
            *exponent = self.exponent_at(rail, pointer.x);
            response.request_focus();
        }
        *exponent = self.keyed(ui, &response, *exponent).clamp(*self.range.start(), *self.range.end());
        if *exponent != old {
            response.mark_changed();
        }
        self.announce(ui, &response, *exponent);
        // 4. paint
        if ui.is_rect_visible(rect) {
            self.paint(ui, rail, *exponent, &response);
        }
        response
    }

    fn span(&self) -> f32 {
        (self.range.end() - self.range.start()) as f32
    }

    fn x_of(&self, rail: Rect, exponent: f32) -> f32 {
        rail.left() + rail.width() * ((exponent - *self.range.start() as f32) / self.span()).clamp(0.0, 1.0)
    }

    fn exponent_at(&self, rail: Rect, x: f32) -> i32 {
        let share = ((x - rail.left()) / rail.width()).clamp(0.0, 1.0);
        self.range.start() + (share * self.span()).round() as i32
    }

    /// The exponent after the keys and the screen reader's wishes of this frame.
    fn keyed(&self, ui: &Ui, response: &Response, exponent: i32) -> i32 {
        let id = response.id;
        let mut moved = exponent;
        if response.has_focus() {
            let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
            for (key, by) in [
                (Key::ArrowRight, 1),
                (Key::ArrowUp, 1),
                (Key::ArrowLeft, -1),
                (Key::ArrowDown, -1),
                (Key::PageUp, PAGE),
                (Key::PageDown, -PAGE),
            ] {
                let presses = ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
                moved += by * presses as i32;
            }
            for (key, to) in [(Key::Home, *self.range.start()), (Key::End, *self.range.end())] {
                if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
                    moved = to;
                }
            }
        }
        ui.input(|input| {
            moved += input.num_accesskit_action_requests(id, accesskit::Action::Increment) as i32;
            moved -= input.num_accesskit_action_requests(id, accesskit::Action::Decrement) as i32;
            for request in input.accesskit_action_requests(id, accesskit::Action::SetValue) {
                if let Some(accesskit::ActionData::NumericValue(value)) = request.data {
                    moved = value.round() as i32;
                }
            }
        });
        moved
    }

    fn announce(&self, ui: &Ui, response: &Response, exponent: i32) {
        response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(exponent), self.name));
        let _ = ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_min_numeric_value(f64::from(*self.range.start()));
            node.set_max_numeric_value(f64::from(*self.range.end()));
            node.set_numeric_value_step(1.0);
            node.set_value(power::of_two(exponent));
            node.add_action(accesskit::Action::Increment);
            node.add_action(accesskit::Action::Decrement);
            node.add_action(accesskit::Action::SetValue);
        });
    }

    fn paint(&self, ui: &Ui, rail: Rect, exponent: i32, response: &Response) {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let small = TextStyle::Small.resolve(ui.style());
        let round = CornerRadius::same(4);
        painter.rect(rail, round, tokens.well, Stroke::new(1.0, tokens.border), egui::StrokeKind::Inside);
        if let Some(advised) = &self.advised {
            let left = self.x_of(rail, *advised.start() as f32 - 0.3);
            let right = self.x_of(rail, *advised.end() as f32 + 0.3);
            painter.rect_filled(Rect::from_x_y_ranges(left..=right, rail.y_range()), round, tokens.good);
            let font = theme::small_strong().resolve(ui.style());
            let at = pos2(f32::midpoint(left, right), rail.top() - 6.0);
            paint_power(ui, at, Align2::CENTER_BOTTOM, rail, self.advised_label, (&font, tokens.good));
        }
        for tick in self.range.clone().filter(|tick| tick.rem_euclid(4) == 0) {
            let x = self.x_of(rail, tick as f32);
            painter.vline(x, rail.bottom() + 3.0..=rail.bottom() + 8.0, Stroke::new(1.0, tokens.text_weak));
            let at = pos2(x, rail.bottom() + 10.0);
            paint_power(
                ui,
                at,
                Align2::CENTER_TOP,
                rail.expand(24.0),
                &format!("2^{tick}"),
                (&small, tokens.text_weak),
            );
        }
        if let Some(in_run) = self.in_run {
            let x = self.x_of(rail, in_run);
            let tip = pos2(x, rail.top() - 1.0);
            let triangle = vec![tip, tip + vec2(-5.0, -8.0), tip + vec2(5.0, -8.0)];
            painter.add(egui::Shape::convex_polygon(triangle, tokens.text_weak, Stroke::NONE));
            painter.text(tip - vec2(0.0, 9.0), Align2::CENTER_BOTTOM, self.in_run_label, small, tokens.text_weak);
        }
        let center = pos2(self.x_of(rail, exponent as f32), rail.center().y);
        let ring = if response.has_focus() { tokens.text } else { tokens.accent };
        painter.circle(center, 10.0, tokens.handle, Stroke::new(if response.has_focus() { 4.0 } else { 3.0 }, ring));
    }
}

/// Paints text with raised exponents, kept inside `within` horizontally.
pub fn paint_power(
    ui: &Ui,
    at: egui::Pos2,
    anchor: Align2,
    within: Rect,
    text: &str,
    (font, color): (&egui::FontId, Color32),
) {
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(power::job(text, font, color)));
    let mut rect = anchor.anchor_size(at, galley.size());
    if rect.right() > within.right() {
        rect = rect.translate(vec2(within.right() - rect.right(), 0.0));
    }
    if rect.left() < within.left() {
        rect = rect.translate(vec2(within.left() - rect.left(), 0.0));
    }
    ui.painter().galley(rect.min, galley, color);
}
