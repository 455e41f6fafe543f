//! The left edge: the views, the language, the theme, the zoom.

use egui::{Align2, CornerRadius, FontId, Response, RichText, Sense, TextStyle, Ui, WidgetInfo, vec2};

use super::action::{Action, Actions};
use super::command::UiCommand;
use super::model::Model;
use super::theme::{self, Look, Tokens};
use super::views::ViewId;
use super::widgets::segmented::{Choice, segmented};
use crate::i18n::Lang;
use crate::i18n::app::{App as Text, axis_percent};

/// How wide the navigation is.
pub const WIDTH: f32 = 184.0;

/// Lays out the navigation for the given views.
pub fn navigation_ui(ui: &mut Ui, model: &Model, views: &[ViewId], front: ViewId, actions: &mut Actions) {
    let lang = model.lang;
    ui.add_space(6.0);
    ui.label(RichText::new(Text::Name.text(lang)).text_style(theme::heading()).color(Tokens::of(ui).text));
    ui.label(RichText::new(Text::Tagline.text(lang)).text_style(TextStyle::Small).color(Tokens::of(ui).text_weak));
    ui.add_space(14.0);
    for &view in views {
        let command = UiCommand::Show(view);
        let keys = command.keys(ui.ctx());
        let response = item(ui, view.title().text(lang), &keys, view == front);
        let response = response.on_hover_text(format!("{} · {keys}", command.hint(lang)));
        if response.clicked() {
            actions.push(Action::Show(view));
        }
    }
    ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| settings_ui(ui, model, actions));
}

/// One line of the navigation: name left, keys right, a bar at the edge of the one in front.
fn item(ui: &mut Ui, text: &str, keys: &str, selected: bool) -> Response {
    let tokens = Tokens::of(ui);
    let font = TextStyle::Body.resolve(ui.style());
    let size = vec2(ui.available_width(), font.size + 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::Role::Tab, true, selected, text));
    if ui.is_rect_visible(rect) {
        let painter = ui.painter();
        let round = CornerRadius::same(theme::RADIUS - 2);
        if selected || response.hovered() || response.has_focus() {
            painter.rect_filled(rect, round, if selected { tokens.selection } else { tokens.button });
        }
        if response.has_focus() {
            painter.rect_stroke(rect, round, ui.visuals().widgets.active.bg_stroke, egui::StrokeKind::Inside);
        }
        if selected {
            let bar = egui::Rect::from_min_size(rect.left_top() + vec2(0.0, 6.0), vec2(3.0, rect.height() - 12.0));
            painter.rect_filled(bar, CornerRadius::same(2), tokens.accent);
        }
        let color = if selected { tokens.text } else { tokens.text_weak };
        let font = if selected { theme::strong().resolve(ui.style()) } else { font };
        painter.text(rect.left_center() + vec2(14.0, 0.0), Align2::LEFT_CENTER, text, font, color);
        let small = FontId { size: TextStyle::Small.resolve(ui.style()).size * 0.9, ..FontId::default() };
        painter.text(rect.right_center() - vec2(10.0, 0.0), Align2::RIGHT_CENTER, keys, small, tokens.text_weak);
    }
    response
}

/// Language, theme and zoom, laid out from the bottom up.
fn settings_ui(ui: &mut Ui, model: &Model, actions: &mut Actions) {
    let lang = model.lang;
    ui.add_space(4.0);
    zoom_ui(ui, lang, actions);
    ui.add_space(2.0);
    let looks = [
        Choice { value: Look::Dark, text: Text::Dark.text(lang), hint: "" },
        Choice { value: Look::Light, text: Text::Light.text(lang), hint: "" },
        Choice { value: Look::Projector, text: Text::Projector.text(lang), hint: Text::ProjectorHint.text(lang) },
    ];
    if let Some(look) = segmented(ui, Text::Theme.text(lang), model.look, &looks) {
        actions.push(Action::SetLook(look));
    }
    ui.add_space(2.0);
    let languages = [
        Choice { value: Lang::En, text: Text::English.text(lang), hint: "" },
        Choice { value: Lang::ZhCn, text: Text::Chinese.text(lang), hint: "" },
    ];
    if let Some(lang) = segmented(ui, Text::Language.text(lang), lang, &languages) {
        actions.push(Action::SetLang(lang));
    }
}

fn zoom_ui(ui: &mut Ui, lang: Lang, actions: &mut Actions) {
    let zoom = ui.ctx().zoom_factor();
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding = vec2(9.0, 3.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (text, name, hint, keys, to) in [
            ("−", Text::ZoomOut, Text::ZoomOutHint, "Ctrl −", zoom - 0.1),
            ("+", Text::ZoomIn, Text::ZoomInHint, "Ctrl +", zoom + 0.1),
        ] {
            let response = ui.button(RichText::new(text).text_style(TextStyle::Small));
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name.text(lang)));
            if response.on_hover_text(format!("{} · {keys}", hint.text(lang))).clicked() {
                actions.push(Action::SetZoom(to));
            }
        }
        let percent = axis_percent(lang, f64::from(zoom));
        let response = ui.button(RichText::new(&percent).text_style(TextStyle::Small));
        response.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Button, true, format!("{} {percent}", Text::Zoom.text(lang)))
        });
        if response.on_hover_text(format!("{} · Ctrl 0", Text::ZoomResetHint.text(lang))).clicked() {
            actions.push(Action::SetZoom(1.0));
        }
    });
}
