//! A row of bits in three coloured, captioned groups. Bits are clicked, painted by dragging, or reached with the arrow
//! keys.

use egui::accesskit;
use egui::{
    Align2, Color32, CornerRadius, EventFilter, Key, Modifiers, PointerButton, Rect, Response, Sense, Stroke,
    StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::theme::{self, Tokens};
use crate::figure::Role;
use crate::format::Format;

/// One field of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Whose colour it has.
    pub role: Role,
    /// How many bits.
    pub width: u32,
    /// What stands above it; narrow fields keep only their colour and their name for screen readers.
    pub caption: String,
}

/// What the strip shows.
#[derive(Debug)]
pub struct BitStrip<'a> {
    /// The code.
    pub bits: u64,
    /// Its fields, from the top bit down.
    pub fields: &'a [Field],
    /// The code as text, at the right end of the captions.
    pub hex: &'a str,
    /// The strip's name for screen readers.
    pub name: &'a str,
    /// The name of each bit for screen readers, from the top bit down.
    pub bit_names: &'a [String],
    /// Whether it is only looked at: no bit can be changed.
    pub fixed: bool,
}

/// What was done to a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// This bit, counted from the right, was flipped.
    Flip(u32),
    /// The bits of this mask were all set, or all cleared, by dragging over them.
    Paint {
        /// Which bits.
        mask: u64,
        /// Whether they were set.
        set: bool,
    },
    /// Another code was typed.
    Code(u64),
    /// One step up the number line.
    Up,
    /// One step down the number line.
    Down,
}

impl Edit {
    /// The code afterwards.
    #[must_use]
    pub fn apply(self, format: Format, bits: u64) -> u64 {
        match self {
            Self::Flip(place) => bits ^ (1 << place),
            Self::Paint { mask, set } => {
                if set {
                    bits | mask
                } else {
                    bits & !mask
                }
            }
            Self::Code(code) => code,
            Self::Up => format.next_up(bits),
            Self::Down => format.next_down(bits),
        }
    }
}

/// A brush that goes over the bits while the pointer is down.
#[derive(Debug, Clone, Copy)]
struct Brush {
    /// The cell that it was over last, from the top bit down.
    last: usize,
    /// What it paints.
    set: bool,
}

/// Widest a bit gets.
const MAX_PITCH: f32 = 25.0;
/// Space between fields.
const FIELD_GAP: f32 = 8.0;

impl BitStrip<'_> {
    /// Shows the strip and says what was done to it. The response has the keyboard focus of the whole row.
    pub fn show(&self, ui: &mut Ui) -> (Response, Option<Edit>) {
        let small = TextStyle::Small.resolve(ui.style()).size;
        let (caption, height) = (small * 1.3, small * 1.85);
        let size = vec2(ui.available_width(), caption + height + 2.0);
        let sense = if self.fixed { Sense::hover() } else { Sense::focusable_noninteractive() };
        let (rect, response) = ui.allocate_exact_size(size, sense);
        let cells = self.cells(Rect::from_min_max(pos2(rect.left(), rect.bottom() - height - 1.0), rect.max));
        if self.fixed {
            response
                .widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, format!("{}: {}", self.name, self.hex)));
            if ui.is_rect_visible(rect) {
                self.paint(ui, rect, &cells, None, None);
            }
            return (response, None);
        }
        let count = cells.len() as u32;
        let cursor_id = response.id.with("cursor");
        let mut cursor = ui.data(|data| data.get_temp(cursor_id)).unwrap_or(0u32).min(count - 1);
        let mut edit = self.keyed(ui, &response, &mut cursor);
        let hovered = self.click_cells(ui, &response, &cells, &mut cursor, &mut edit);
        ui.data_mut(|data| data.insert_temp(cursor_id, cursor));
        self.announce(ui, &response);
        if ui.is_rect_visible(rect) {
            let focus = response.has_focus().then_some(cursor as usize);
            self.paint(ui, rect, &cells, hovered, focus);
        }
        (response, edit)
    }

    /// Where each bit is, from the top bit down.
    fn cells(&self, room: Rect) -> Vec<Rect> {
        let count: u32 = self.fields.iter().map(|field| field.width).sum();
        let gaps = FIELD_GAP * (self.fields.len() as f32 - 1.0);
        let pitch = ((room.width() - gaps) / count as f32).min(MAX_PITCH);
        let space = if pitch > 18.0 { 3.0 } else { 2.0 };
        let mut cells = Vec::with_capacity(count as usize);
        let mut x = room.left();
        for field in self.fields {
            for _ in 0..field.width {
                cells.push(Rect::from_min_size(pos2(x, room.top()), vec2(pitch - space, room.height() - 1.0)));
                x += pitch;
            }
            x += FIELD_GAP;
        }
        cells
    }

    /// What the keys and screen readers ask for.
    fn keyed(&self, ui: &Ui, response: &Response, cursor: &mut u32) -> Option<Edit> {
        let count = self.bit_names.len() as u32;
        let asked = |action| ui.input(|input| input.has_accesskit_action_request(response.id, action));
        if asked(accesskit::Action::Increment) {
            return Some(Edit::Up);
        }
        if asked(accesskit::Action::Decrement) {
            return Some(Edit::Down);
        }
        if !response.has_focus() {
            return None;
        }
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        for (key, edit) in [(Key::ArrowUp, Edit::Up), (Key::ArrowDown, Edit::Down)] {
            if pressed(Modifiers::COMMAND, key) {
                return Some(edit);
            }
        }
        for (key, to) in [
            (Key::ArrowLeft, cursor.saturating_sub(1)),
            (Key::ArrowRight, (*cursor + 1).min(count - 1)),
            (Key::Home, 0),
            (Key::End, count - 1),
        ] {
            if pressed(Modifiers::NONE, key) {
                *cursor = to;
            }
        }
        let place = count - 1 - *cursor;
        let set = self.bits >> place & 1 == 1;
        let flips = pressed(Modifiers::NONE, Key::Space)
            || pressed(Modifiers::NONE, Key::Enter)
            || (pressed(Modifiers::NONE, Key::ArrowUp) && !set)
            || (pressed(Modifiers::NONE, Key::ArrowDown) && set);
        flips.then_some(Edit::Flip(place))
    }

    /// Gives each bit a node of its own that can be clicked but is no stop of the Tab key; returns the one under the
    /// pointer.
    fn click_cells(
        &self,
        ui: &Ui,
        response: &Response,
        cells: &[Rect],
        cursor: &mut u32,
        edit: &mut Option<Edit>,
    ) -> Option<usize> {
        let mut hovered = None;
        for (at, (cell, name)) in cells.iter().zip(self.bit_names).enumerate() {
            let place = cells.len() - 1 - at;
            let bit: Response = ui.interact(*cell, response.id.with(at), Sense::CLICK | Sense::DRAG);
            let set = self.bits >> place & 1 == 1;
            bit.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, set, name));
            if bit.hovered() {
                hovered = Some(at);
            }
            if bit.clicked() {
                *cursor = at as u32;
                *edit = Some(Edit::Flip(place as u32));
                response.request_focus();
            }
            // A click does not begin a drag: the two never change the same bit.
            if bit.dragged_by(PointerButton::Primary) {
                *edit = self.paint_cells(ui, &bit, response.id, cells, at).or(*edit);
                response.request_focus();
            }
        }
        hovered
    }

    /// Goes on painting from where the brush was last; it takes the opposite of the bit where the drag began.
    fn paint_cells(&self, ui: &Ui, bit: &Response, strip: egui::Id, cells: &[Rect], began: usize) -> Option<Edit> {
        let id = strip.with("brush");
        let set = |at: usize| self.bits >> (cells.len() - 1 - at) & 1 == 1;
        let kept: Option<Brush> = ui.data(|data| data.get_temp(id)).filter(|_| !bit.drag_started());
        let brush = kept.unwrap_or(Brush { last: began, set: !set(began) });
        let pointer = bit.interact_pointer_pos()?;
        let distance = |at: &usize| (cells[*at].center().x - pointer.x).abs();
        let now = (0..cells.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        ui.data_mut(|data| data.insert_temp(id, Brush { last: now, ..brush }));
        // A fast pointer skips cells; those between are painted too.
        let over = brush.last.min(now)..=brush.last.max(now);
        let mask = over.filter(|at| set(*at) != brush.set).fold(0, |mask, at| mask | 1 << (cells.len() - 1 - at));
        (mask != 0).then_some(Edit::Paint { mask, set: brush.set })
    }

    fn announce(&self, ui: &Ui, response: &Response) {
        response.widget_info(|| WidgetInfo::labeled(egui::Role::SpinButton, true, self.name));
        let _ = ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_value(self.hex);
            node.add_action(accesskit::Action::Increment);
            node.add_action(accesskit::Action::Decrement);
        });
    }

    fn paint(&self, ui: &Ui, rect: Rect, cells: &[Rect], hovered: Option<usize>, focus: Option<usize>) {
        let tokens = Tokens::of(ui);
        let painter = ui.painter();
        let small = TextStyle::Small.resolve(ui.style());
        let mono = TextStyle::Monospace.resolve(ui.style());
        let digits = theme::small_strong().resolve(ui.style());
        let hex = painter.text(rect.right_top(), Align2::RIGHT_TOP, self.hex, mono, tokens.text_weak);
        let mut at = 0;
        for field in self.fields {
            let group = &cells[at..at + field.width as usize];
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let ink = theme::ink(ui, field.role);
            let caption = painter.layout_no_wrap(field.caption.clone(), small.clone(), ink);
            // The first field's caption may reach past its only bit, a later one must end before the next field.
            let fits = field.width == 1 || first.left() + caption.size().x <= last.right().max(first.left() + 1.0);
            if fits && first.left() + caption.size().x < hex.left() - 6.0 && field.width > 1 {
                painter.galley(pos2(first.left(), rect.top()), caption, ink);
            } else if field.width == 1 {
                painter.text(pos2(first.center().x, rect.top()), Align2::CENTER_TOP, "±", small.clone(), ink);
            }
            let fill = theme::fill(ui, field.role);
            for (offset, cell) in group.iter().enumerate() {
                let place = cells.len() - 1 - (at + offset);
                let set = self.bits >> place & 1 == 1;
                let index = at + offset;
                let look = CellLook { fill, set, hovered: hovered == Some(index), focused: focus == Some(index) };
                look.paint(ui, *cell, &digits);
            }
            at += field.width as usize;
        }
        if focus.is_some() {
            let frame = Rect::from_min_max(cells[0].min, cells[cells.len() - 1].max).expand(2.5);
            painter.rect_stroke(frame, CornerRadius::same(4), Stroke::new(1.0, tokens.accent), StrokeKind::Outside);
        }
    }
}

struct CellLook {
    fill: Color32,
    set: bool,
    hovered: bool,
    focused: bool,
}

impl CellLook {
    fn paint(&self, ui: &Ui, cell: Rect, font: &egui::FontId) {
        let tokens = Tokens::of(ui);
        let round = CornerRadius::same(3);
        // A clear bit keeps a hint of its field's colour; the digit says what it is.
        let back = if self.set { self.fill } else { tokens.well.lerp_to_gamma(self.fill, 0.18) };
        let (width, outline) = match (self.focused, self.hovered) {
            (true, _) => (2.0, tokens.text),
            (_, true) => (1.5, tokens.accent),
            _ => (1.0, self.fill.gamma_multiply(0.55)),
        };
        ui.painter().rect(cell, round, back, Stroke::new(width, outline), StrokeKind::Inside);
        let color = if self.set { on(self.fill) } else { tokens.text };
        let digit = if self.set { "1" } else { "0" };
        let size = font.size.min(cell.width());
        let font = egui::FontId::new(size, font.family.clone());
        ui.painter().text(cell.center(), Align2::CENTER_CENTER, digit, font, color);
    }
}

/// Black or white, whichever is read better on a colour.
pub(super) fn on(back: Color32) -> Color32 {
    let light = 0.299 * f32::from(back.r()) + 0.587 * f32::from(back.g()) + 0.114 * f32::from(back.b());
    if light > 140.0 { Color32::BLACK } else { Color32::WHITE }
}
