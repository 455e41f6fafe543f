//! Rounded cards, the boxes in which a view groups what belongs together, and the buttons on them.

use egui::{Button, CornerRadius, Frame, InnerResponse, Margin, Response, RichText, Stroke, Ui};

use crate::app::command::UiCommand;
use crate::app::theme::{self, Tokens};
use crate::i18n::Lang;

/// A card as wide as there is room.
pub fn card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
    let tokens = Tokens::of(ui);
    Frame::new()
        .fill(tokens.card)
        .stroke(Stroke::new(1.0, tokens.border))
        .corner_radius(CornerRadius::same(theme::RADIUS))
        .inner_margin(Margin::symmetric(14, 12))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            add(ui)
        })
}

/// A card with less room above and below, for views in which several stand above each other.
pub fn tight<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let tokens = Tokens::of(ui);
    let frame = Frame::new().fill(tokens.card).stroke(Stroke::new(1.0, tokens.border));
    let frame = frame.corner_radius(theme::RADIUS).inner_margin(Margin::symmetric(14, 6));
    let fill = |ui: &mut Ui| {
        ui.set_min_width(ui.available_width());
        add(ui)
    };
    frame.show(ui, fill).inner
}

/// Something that is wider than a narrow window: it scrolls sideways. `salt` is unique in the view.
pub fn wide<R>(ui: &mut Ui, salt: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    egui::ScrollArea::horizontal().id_salt(salt).auto_shrink([false, true]).show(ui, add).inner
}

/// What was computed from the last input that could be read: pale while `stale`, since what stands in the field now is another one.
pub fn while_typed<R>(ui: &mut Ui, stale: bool, add: impl FnOnce(&mut Ui) -> R) -> R {
    let add = |ui: &mut Ui| {
        if stale {
            ui.multiply_opacity(0.35);
        }
        add(ui)
    };
    ui.scope(add).inner
}

/// A card that fills a rectangle exactly.
pub fn card_in<R>(ui: &mut Ui, rect: egui::Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    let tokens = Tokens::of(ui);
    ui.painter().rect(
        rect,
        CornerRadius::same(theme::RADIUS),
        tokens.card,
        Stroke::new(1.0, tokens.border),
        egui::StrokeKind::Inside,
    );
    let inner = rect.shrink2(egui::vec2(14.0, 11.0));
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(inner).layout(egui::Layout::top_down(egui::Align::Min)));
    child.shrink_clip_rect(rect);
    let result = add(&mut child);
    ui.advance_cursor_after_rect(rect);
    result
}

/// The button that says "act here".
pub fn primary_button(ui: &mut Ui, text: &str) -> Response {
    let tokens = Tokens::of(ui);
    ui.add(
        Button::new(RichText::new(text).text_style(theme::strong()).color(tokens.on_accent))
            .fill(tokens.accent)
            .stroke(Stroke::NONE),
    )
}

/// A small button, for examples and for what is seldom needed.
pub fn small_button(ui: &mut Ui, text: &str) -> Response {
    ui.add(Button::new(RichText::new(text).text_style(egui::TextStyle::Small)).small())
}

/// A button for a command: its text, with hint and keys on hover.
pub fn command_button(ui: &mut Ui, command: UiCommand, lang: Lang, paused: bool, primary: bool) -> Response {
    let text = command.text(lang, paused);
    let response = if primary { primary_button(ui, text) } else { ui.button(text) };
    let hint = format!("{} · {}", command.hint(lang), command.keys(ui.ctx()));
    response.on_hover_text(hint)
}

/// The space between two cards that follow each other.
pub fn gap(ui: &mut Ui) {
    ui.add_space(theme::GAP - ui.spacing().item_spacing.y);
}

/// A card's name.
pub fn title(ui: &mut Ui, text: &str) -> Response {
    let color = Tokens::of(ui).text;
    ui.label(RichText::new(text).text_style(theme::title()).color(color))
}

/// A card's name with half a sentence behind it, which is cut where there is no room.
pub fn titled(ui: &mut Ui, name: &str, hint: &str) {
    ui.horizontal(|ui| {
        title(ui, name);
        let color = Tokens::of(ui).text_weak;
        let text = super::power::text(ui, hint, &egui::TextStyle::Small, color);
        ui.add(egui::Label::new(text).truncate());
    });
}

/// Small text of less weight.
pub fn weak(ui: &mut Ui, text: &str) -> Response {
    let color = Tokens::of(ui).text_weak;
    super::power::label(ui, text, &egui::TextStyle::Small, color)
}
