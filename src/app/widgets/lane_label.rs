//! The name of a curve beside a sample of its line.

use egui::{RichText, Sense, Shape, Stroke, TextStyle, Ui, pos2, vec2};

use crate::app::theme;

/// Lengths of dash and gap of each lane's line; the first is whole.
pub const DASHES: [(f32, f32); 5] = [(0.0, 0.0), (10.0, 6.0), (4.0, 3.0), (2.0, 5.0), (18.0, 8.0)];

/// The shapes of a lane's line through `points`.
#[must_use]
pub fn lane_line(points: Vec<egui::Pos2>, lane: usize, stroke: Stroke) -> Vec<Shape> {
    match DASHES[lane % DASHES.len()] {
        (0.0, _) => vec![Shape::line(points, stroke)],
        (dash, gap) => Shape::dashed_line(&points, stroke, dash, gap),
    }
}

/// Shows the sample and the name.
pub fn lane_label(ui: &mut Ui, lane: usize, text: &str) {
    let (color, _) = theme::lane(ui, lane);
    let size = TextStyle::Small.resolve(ui.style()).size;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(size * 2.6, size), Sense::hover());
        let y = rect.center().y + 1.0;
        let line = vec![pos2(rect.left(), y), pos2(rect.right(), y)];
        ui.painter().extend(lane_line(line, lane, Stroke::new(2.0, color)));
        ui.label(RichText::new(text).text_style(theme::small_strong()).color(color));
    });
}
