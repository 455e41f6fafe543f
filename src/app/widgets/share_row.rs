//! A row of a list: a tensor's name, the share it loses, the share as a bar.

use egui::{Align2, CornerRadius, Rect, Response, Sense, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::app::theme::{self, Tokens};
use crate::figure::Role;

/// What a row shows.
#[derive(Debug, Clone, Copy)]
pub struct ShareRow<'a> {
    /// The name at the left.
    pub name: &'a str,
    /// The share at the right, as text.
    pub value: &'a str,
    /// The share, 0 to 1; `None` draws no bar.
    pub share: Option<f64>,
    /// Whether it is the chosen row.
    pub selected: bool,
    /// What a screen reader says.
    pub spoken: &'a str,
}

/// Below this share the number is not painted in the colour of loss: it is what the advised band tolerates.
const TOLERATED: f64 = 0.005;

impl ShareRow<'_> {
    /// Shows the row; it is clicked to be chosen.
    pub fn show(&self, ui: &mut Ui) -> Response {
        let tokens = Tokens::of(ui);
        let font = TextStyle::Body.resolve(ui.style());
        let size = vec2(ui.available_width(), font.size * 2.0 + 8.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let spoken = self.spoken;
        response.widget_info(|| WidgetInfo::selected(egui::Role::ListBoxOption, true, self.selected, spoken));
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let painter = ui.painter();
        let round = CornerRadius::same(theme::RADIUS - 2);
        if self.selected || response.hovered() {
            painter.rect_filled(rect, round, if self.selected { tokens.selection } else { tokens.button });
        }
        if response.has_focus() {
            painter.rect_stroke(rect, round, Stroke::new(2.0, tokens.accent), egui::StrokeKind::Inside);
        }
        let inner = rect.shrink2(vec2(9.0, 5.0));
        let line = inner.top() + font.size * 0.62;
        let lossy = self.share.is_some_and(|share| share > TOLERATED);
        let color = if lossy { theme::ink(ui, Role::Lost) } else { tokens.text_weak };
        let strong = theme::strong().resolve(ui.style());
        let value = painter.text(pos2(inner.right(), line), Align2::RIGHT_CENTER, self.value, strong, color);
        let names = painter.with_clip_rect(Rect::from_min_max(inner.min, pos2(value.left() - 6.0, inner.bottom())));
        names.text(pos2(inner.left(), line), Align2::LEFT_CENTER, self.name, font, tokens.text);
        let rail = Rect::from_min_max(pos2(inner.left(), inner.bottom() - 5.0), inner.max);
        painter.rect_filled(rail, CornerRadius::same(2), if self.selected { tokens.card } else { tokens.well });
        if let Some(share) = self.share {
            let width = (rail.width() * share.clamp(0.0, 1.0) as f32).max(if share > 0.0 { 1.0 } else { 0.0 });
            let bar = Rect::from_min_size(rail.min, vec2(width, rail.height()));
            painter.rect_filled(bar, CornerRadius::same(2), theme::fill(ui, Role::Lost));
        }
        response
    }
}
