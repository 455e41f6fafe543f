//! The bits that a rounding looks at: those that fit, then guard, round and sticky.

use egui::{
    Align2, Color32, CornerRadius, FontId, Rect, Response, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2,
    vec2,
};

use super::term::explained;
use crate::app::theme::{self, Tokens};
use crate::figure::Role;
use crate::i18n::Lang;
use crate::i18n::glossary::Term;

/// What the strip shows.
#[derive(Debug, Clone, Copy)]
pub struct CutStrip<'a> {
    /// The kept significand with its point, `1.0110`.
    pub kept: &'a str,
    /// The word above it.
    pub kept_name: &'a str,
    /// Guard, round and sticky.
    pub cut: [CutBit<'a>; 3],
    /// What came of it, at the right end.
    pub verdict: &'a str,
    /// All of it for screen readers.
    pub spoken: &'a str,
}

/// A bit behind the cut.
#[derive(Debug, Clone, Copy)]
pub struct CutBit<'a> {
    /// Whether it is 1.
    pub set: bool,
    /// What it is called.
    pub name: &'a str,
    /// What it says.
    pub meaning: &'a str,
    /// What explains it.
    pub term: Term,
}

/// Widest a bit gets.
const MAX_PITCH: f32 = 24.0;
/// Room for each of the three bits behind the cut, with its words.
const CUT_PITCH: f32 = 96.0;

impl CutStrip<'_> {
    /// Shows the strip.
    pub fn show(&self, ui: &mut Ui, lang: Lang) -> Response {
        let small = TextStyle::Small.resolve(ui.style());
        let (caption, height) = (small.size * 1.35, small.size * 1.9);
        let size = vec2(ui.available_width(), caption + height + small.size * 1.5);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, self.spoken));
        if ui.is_rect_visible(rect) {
            let names = self.paint(ui, rect, caption, height);
            for (at, (rect, term)) in names.into_iter().enumerate() {
                let name = ui.interact(rect, response.id.with(at), Sense::hover());
                explained(ui, name, lang, &[term]);
            }
        }
        response
    }

    /// Paints all of it; returns where the names stand.
    fn paint(&self, ui: &Ui, rect: Rect, caption: f32, height: f32) -> [(Rect, Term); 4] {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let small = TextStyle::Small.resolve(ui.style());
        let (top, bottom) = (rect.top() + caption, rect.top() + caption + height);
        let verdict =
            painter.layout_no_wrap(self.verdict.to_owned(), theme::small_strong().resolve(ui.style()), tokens.text);
        let unit = small.size / 12.0;
        let digits = self.kept.chars().filter(|c| *c != '.').count().max(1) as f32;
        let room = rect.width() - 3.0 * CUT_PITCH * unit - 40.0 - verdict.size().x;
        let pitch = (room / digits).clamp(6.0, MAX_PITCH * unit);
        let ink = theme::ink(ui, Role::Fraction);
        let named = painter.text(rect.left_top(), Align2::LEFT_TOP, self.kept_name, small.clone(), ink);
        let mut x = rect.left();
        let fill = theme::fill(ui, Role::Fraction);
        for digit in self.kept.chars() {
            if digit == '.' {
                painter.circle_filled(pos2(x + 2.0, bottom - 2.0), 1.8, tokens.text);
                x += 5.0;
                continue;
            }
            let cell = Rect::from_min_max(pos2(x, top), pos2(x + pitch - 2.0, bottom));
            paint_bit(ui, cell, digit == '1', fill);
            x += pitch;
        }
        // The knife.
        let knife = (x + 8.0).max(named.right() + 10.0);
        let dashes = egui::Shape::dashed_line(
            &[pos2(knife, rect.top()), pos2(knife, bottom + 6.0)],
            Stroke::new(1.5, tokens.text_weak),
            4.0,
            3.0,
        );
        painter.extend(dashes);
        x = knife + 10.0;
        let mut names = [(named, Term::Kept); 4];
        for (at, CutBit { set, name, meaning, term }) in self.cut.into_iter().enumerate() {
            let color = if set { theme::ink(ui, Role::Sign) } else { tokens.text_weak };
            names[at + 1] = (painter.text(pos2(x, rect.top()), Align2::LEFT_TOP, name, small.clone(), color), term);
            let cell = Rect::from_min_max(pos2(x, top), pos2(x + MAX_PITCH * unit - 2.0, bottom));
            paint_bit(ui, cell, set, theme::fill(ui, Role::Sign));
            painter.text(pos2(x, bottom + 1.0), Align2::LEFT_TOP, meaning, small.clone(), tokens.text_weak);
            x += CUT_PITCH * unit;
        }
        let at = pos2(x + 12.0, (top + bottom - verdict.size().y) / 2.0);
        painter.galley(at, verdict, tokens.text);
        names
    }
}

fn paint_bit(ui: &Ui, cell: Rect, set: bool, fill: Color32) {
    let tokens = Tokens::of(ui);
    let back = if set { fill } else { tokens.well.lerp_to_gamma(fill, 0.18) };
    let stroke = Stroke::new(1.0, fill.gamma_multiply(0.55));
    ui.painter().rect(cell, CornerRadius::same(3), back, stroke, StrokeKind::Inside);
    let color = if set { super::bit_strip::on(fill) } else { tokens.text };
    let font = theme::small_strong().resolve(ui.style());
    let font = FontId::new(font.size.min(cell.width() * 1.25), font.family);
    ui.painter().text(cell.center(), Align2::CENTER_CENTER, if set { "1" } else { "0" }, font, color);
}
