//! Bars over the inputs of a function: how large the error is, in bits.

use egui::{Align2, Rect, Response, Sense, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::app::theme::{self, Tokens};
use crate::figure::Role;

/// Inputs beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The first input and the last, as text.
    pub ends: (String, String),
    /// The largest error in ULP; ∞ where an infinity or NaN stands for a number, NaN where nothing is defined.
    pub ulps: f64,
}

impl Bar {
    /// Bits of error: log2(1 + ULP).
    fn bits(&self) -> f64 {
        (1.0 + self.ulps).log2()
    }
}

/// The chart.
pub struct ErrorChart<'a> {
    /// The bars, each as many inputs.
    pub bars: &'a [Bar],
    /// How many bars there will be when all inputs are computed.
    pub room: usize,
    /// Height in points.
    pub height: f32,
    /// What the vertical axis is.
    pub axis: &'a str,
    /// An error in ULP in words, on hover.
    pub says: &'a dyn Fn(f64) -> String,
    /// What a screen reader says.
    pub spoken: &'a str,
}

impl ErrorChart<'_> {
    /// Shows the chart.
    pub fn show(&self, ui: &mut Ui) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), self.height), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, self.spoken));
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, response);
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: Response) {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let small = TextStyle::Small.resolve(ui.style());
        let (lead, foot) = (small.size * 3.0, small.size * 1.6);
        let plot = Rect::from_min_max(rect.min + vec2(lead, small.size * 1.8), rect.max - vec2(10.0, foot));
        let most = self.bars.iter().map(Bar::bits).filter(|bits| bits.is_finite()).fold(1.0, f64::max).ceil();
        let y = |bits: f64| egui::lerp(plot.bottom()..=plot.top(), (bits / most) as f32);
        painter.text(rect.left_top(), Align2::LEFT_TOP, self.axis, small.clone(), tokens.text_weak);
        let step = (most / f64::from((plot.height() / 26.0).max(1.0))).ceil().max(1.0);
        for mark in (0..).map(|at| f64::from(at) * step).take_while(|bits| *bits <= most) {
            painter.hline(plot.x_range(), y(mark), Stroke::new(1.0, tokens.border));
            let at = pos2(plot.left() - 6.0, y(mark));
            painter.text(at, Align2::RIGHT_CENTER, mark, small.clone(), tokens.text_weak);
        }
        let width = plot.width() / self.room.max(1) as f32;
        let (fill, wrong) = (theme::fill(ui, Role::Normal), theme::fill(ui, Role::Overflow));
        for (at, bar) in self.bars.iter().enumerate() {
            let left = plot.left() + at as f32 * width;
            let column = Rect::from_min_max(pos2(left, plot.top()), pos2(left + width - 1.0, plot.bottom()));
            if bar.bits().is_infinite() {
                // Not by colour alone: a frame around the whole height, and a cross through it.
                painter.rect_filled(column, 0.0, wrong.gamma_multiply(0.35));
                painter.line_segment([column.left_top(), column.right_bottom()], Stroke::new(1.0, wrong));
                painter.line_segment([column.left_bottom(), column.right_top()], Stroke::new(1.0, wrong));
            } else if bar.bits() > 0.0 {
                // Half an ULP is little beside ten bits, but must be seen.
                painter.rect_filled(column.with_min_y(y(bar.bits()).min(plot.bottom() - 1.5)), 1.0, fill);
            }
        }
        painter.hline(plot.x_range(), plot.bottom(), Stroke::new(1.0, tokens.text_weak));
        self.paint_ends(ui, plot, width);
        let Some(pointer) = response.hover_pos().filter(|at| plot.contains(*at)) else { return };
        let Some(bar) = self.bars.get(((pointer.x - plot.left()) / width) as usize) else { return };
        response.on_hover_text_at_pointer(format!("{} … {}\n{}", bar.ends.0, bar.ends.1, (self.says)(bar.ulps)));
    }

    /// Inputs below the axis: the ends of the range, and as many between as there is room for.
    fn paint_ends(&self, ui: &Ui, plot: Rect, width: f32) {
        let color = Tokens::of(ui).text_weak;
        let small = TextStyle::Small.resolve(ui.style());
        let count = (plot.width() / (small.size * 11.0)).max(1.0) as usize;
        let every = self.room.div_ceil(count).max(1);
        for at in (0..self.bars.len()).step_by(every) {
            let x = plot.left() + at as f32 * width;
            ui.painter().vline(x, plot.bottom()..=plot.bottom() + 4.0, Stroke::new(1.0, color));
            let text = self.bars.get(at).map_or("", |bar| bar.ends.0.as_str());
            ui.painter().text(pos2(x + 3.0, plot.bottom() + 2.0), Align2::LEFT_TOP, text, small.clone(), color);
        }
    }
}
