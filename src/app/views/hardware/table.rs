//! What a device was seen to do, an operation a row: counts, and their shares as a bar.

use egui::{Align2, CornerRadius, Rect, ScrollArea, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::app::hardware::Sheet;
use crate::app::theme::{self, Tokens};
use crate::figure::Role;
use crate::i18n::Lang;
use crate::i18n::app::grouped;
use crate::i18n::hardware::{self as words, Hardware as Text};
use crate::observe::{Observation, Primitive};

/// The heads of the columns, what they say on hover, and the colour of their part of the bar.
const HEADS: [(Text, Option<Text>, Option<Role>); 8] = [
    (Text::Operation, None, None),
    (Text::By, None, None),
    (Text::Asked, None, None),
    (Text::Right, None, Some(Role::Normal)),
    (Text::OtherNan, Some(Text::OtherNanHint), Some(Role::Subnormal)),
    (Text::Flushed, Some(Text::FlushedHint), Some(Role::Lost)),
    (Text::Wrong, Some(Text::WrongHint), Some(Role::Overflow)),
    (Text::Farthest, Some(Text::FarthestHint), None),
];

/// Columns of words; the others are numbers and end at their right edge.
const WORDS: usize = 2;

/// Room between columns, and the bar's height.
const GAP: f32 = 18.0;
const BAR: f32 = 4.0;

/// Lays out the table; returns the operation that was clicked.
pub(super) fn table_ui(ui: &mut Ui, lang: Lang, sheet: &Sheet, shown: Primitive) -> Option<Primitive> {
    let mut clicked = None;
    ScrollArea::horizontal().id_salt("hardware table").show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let small = TextStyle::Small.resolve(ui.style());
        let rows: Vec<_> = Primitive::ALL.map(|primitive| cells(primitive, sheet.of(primitive))).into();
        let width = |ui: &Ui, text: &str| {
            ui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), small.clone(), Tokens::of(ui).text)).size().x
        };
        let mut widths = [0.0; HEADS.len()];
        for (column, widest) in widths.iter_mut().enumerate() {
            let head = width(ui, HEADS[column].0.text(lang)) + if HEADS[column].2.is_some() { small.size } else { 0.0 };
            *widest = rows.iter().map(|row| width(ui, &row[column])).fold(head, f32::max) + GAP;
        }
        let room = ui.available_width().max(widths.iter().sum::<f32>() + GAP);
        let spare = (room - GAP - widths.iter().sum::<f32>()) / widths.len() as f32;
        let widths = widths.map(|width| width + spare);
        heads_ui(ui, lang, &widths, room);
        for (primitive, row) in Primitive::ALL.into_iter().zip(&rows) {
            let line = Line { primitive, cells: row, seen: sheet.of(primitive), selected: primitive == shown };
            if line.show(ui, lang, &widths, room) {
                clicked = Some(primitive);
            }
        }
    });
    clicked
}

/// What stands in a row, as text.
fn cells(primitive: Primitive, seen: Option<&Observation>) -> [String; HEADS.len()] {
    let number = |of: fn(&Observation) -> u64| seen.map_or_else(|| "–".to_owned(), |seen| grouped(of(seen)));
    let farthest = seen.and_then(|seen| seen.farthest);
    [
        primitive.formula().to_owned(),
        seen.map_or("–", |seen| seen.instruction).to_owned(),
        number(|seen| seen.asked),
        number(|seen| seen.right),
        number(Observation::other_nan),
        number(Observation::flushed),
        number(Observation::wrong),
        farthest.map_or_else(|| "–".to_owned(), |codes| format!("{} ULP", grouped(codes))),
    ]
}

/// The left edges of words and the right edges of numbers.
fn edges(widths: &[f32; HEADS.len()], left: f32) -> [f32; HEADS.len()] {
    let mut at = left + GAP / 2.0;
    std::array::from_fn(|column| {
        let start = at;
        at += widths[column];
        if column < WORDS { start } else { at - GAP / 2.0 }
    })
}

fn heads_ui(ui: &mut Ui, lang: Lang, widths: &[f32; HEADS.len()], room: f32) {
    let small = TextStyle::Small.resolve(ui.style());
    let color = Tokens::of(ui).text_weak;
    let (rect, _) = ui.allocate_exact_size(vec2(room, small.size * 1.5), Sense::hover());
    for (column, edge) in edges(widths, rect.left()).into_iter().enumerate() {
        let (head, hint, role) = HEADS[column];
        let galley = ui.fonts_mut(|fonts| fonts.layout_no_wrap(head.text(lang).to_owned(), small.clone(), color));
        let left = if column < WORDS { edge } else { edge - galley.size().x };
        let place = Rect::from_min_size(pos2(left, rect.top()), galley.size());
        if let Some(role) = role {
            let square = vec2(small.size * 0.6, small.size * 0.6);
            let at = Rect::from_center_size(pos2(left - small.size * 0.65, place.center().y), square);
            ui.painter().rect_filled(at, CornerRadius::same(2), theme::fill(ui, role));
        }
        let response = ui.interact(place, ui.scope_id().with(("head", column)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, head.text(lang)));
        if let Some(hint) = hint {
            response.on_hover_text(hint.text(lang));
        }
        ui.painter().galley(place.min, galley, color);
    }
}

struct Line<'a> {
    primitive: Primitive,
    cells: &'a [String; HEADS.len()],
    seen: Option<&'a Observation>,
    selected: bool,
}

impl Line<'_> {
    /// Shows the row; returns whether it was clicked.
    fn show(&self, ui: &mut Ui, lang: Lang, widths: &[f32; HEADS.len()], room: f32) -> bool {
        let tokens = Tokens::of(ui);
        let small = TextStyle::Small.resolve(ui.style());
        let size = vec2(room, small.size * 1.4 + BAR + 3.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let spoken = self.spoken(lang);
        response.widget_info(|| WidgetInfo::selected(egui::Role::ListBoxOption, true, self.selected, &spoken));
        if !ui.is_rect_visible(rect) {
            return response.clicked();
        }
        let round = CornerRadius::same(theme::RADIUS - 4);
        if self.selected || response.hovered() {
            ui.painter().rect_filled(rect, round, if self.selected { tokens.selection } else { tokens.button });
        }
        if response.has_focus() {
            ui.painter().rect_stroke(rect, round, Stroke::new(2.0, tokens.accent), StrokeKind::Inside);
        }
        let middle = rect.top() + small.size * 0.8;
        for (column, edge) in edges(widths, rect.left()).into_iter().enumerate() {
            let (anchor, font) = match column {
                0 => (Align2::LEFT_CENTER, theme::small_strong().resolve(ui.style())),
                _ if column < WORDS => (Align2::LEFT_CENTER, small.clone()),
                _ => (Align2::RIGHT_CENTER, small.clone()),
            };
            let nothing = column >= WORDS && (self.cells[column] == "0" || self.cells[column] == "–");
            let color = if nothing { tokens.text_weak } else { tokens.text };
            ui.painter().text(pos2(edge, middle), anchor, &self.cells[column], font, color);
        }
        self.bar(
            ui,
            Rect::from_min_max(
                rect.left_bottom() + vec2(GAP / 2.0, -BAR - 2.0),
                rect.right_bottom() - vec2(GAP / 2.0, 2.0),
            ),
        );
        response.clicked()
    }

    /// The shares of the results, those that occur at least two points wide.
    fn bar(&self, ui: &Ui, rail: Rect) {
        let tokens = Tokens::of(ui);
        let round = CornerRadius::same(2);
        ui.painter().rect_filled(rail, round, if self.selected { tokens.card } else { tokens.well });
        let Some(seen) = self.seen.filter(|seen| seen.asked > 0) else { return };
        let counts = [seen.right, seen.other_nan(), seen.flushed(), seen.wrong()];
        let roles = HEADS.iter().filter_map(|(.., role)| *role);
        // What was not asked yet stays empty.
        let full = rail.width() * (seen.asked as f32 / seen.planned as f32).min(1.0);
        let widths = counts.map(|count| match count {
            0 => 0.0,
            _ => (full * (count as f64 / seen.asked as f64) as f32).max(2.0),
        });
        let scale = full / widths.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let mut left = rail.left();
        for (width, role) in widths.into_iter().zip(roles) {
            let part = Rect::from_min_size(pos2(left, rail.top()), vec2(width * scale, rail.height()));
            ui.painter().rect_filled(part, CornerRadius::ZERO, theme::fill(ui, role));
            left += width * scale;
        }
    }

    fn spoken(&self, lang: Lang) -> String {
        let [_, by, asked, right, nan, flushed, wrong, _] = self.cells;
        words::row(lang, self.primitive.formula(), by, [asked, right, nan, flushed, wrong])
    }
}
