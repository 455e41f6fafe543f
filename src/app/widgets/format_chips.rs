//! A few formats: each can be taken away, and others chosen or typed beside them.

use egui::{Button, RichText, Ui, WidgetInfo};

use super::format_field::format_field;
use super::value_field::error_line;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::export::refused;
use crate::format::Format;
use crate::i18n::Lang;
use crate::i18n::line::{self as words, Line as Text};

/// Shows the formats, at least one and at most `most`; returns whether they changed. `lanes` gives each the colour of its
/// curve.
pub fn format_chips(ui: &mut Ui, lang: Lang, formats: &mut Vec<Format>, most: usize, lanes: bool) -> bool {
    let mut remove = None;
    let only = formats.len() == 1;
    for (at, format) in formats.iter().enumerate() {
        let color = if lanes { theme::lane(ui, at).0 } else { Tokens::of(ui).text };
        let text = RichText::new(format!("{}  ×", format.label())).text_style(theme::small_strong()).color(color);
        let chip = ui.add_enabled(!only, Button::new(text).small());
        let name = words::remove(lang, &format.label());
        chip.widget_info(|| WidgetInfo::labeled(egui::Role::Button, !only, &name));
        if chip.on_hover_text(&name).clicked() {
            remove = Some(at);
        }
    }
    if let Some(at) = remove {
        formats.remove(at);
        return true;
    }
    if formats.len() >= most {
        return false;
    }
    card::weak(ui, Text::AddFormat.text(lang));
    let last = formats.last().copied().unwrap_or(Format::FP16);
    match format_field(ui, Text::AddFormat.text(lang), lang, last) {
        Some(Ok(format)) if !formats.contains(&format) => {
            formats.push(format);
            true
        }
        Some(Err(error)) => {
            error_line(ui, &refused(&error, lang));
            false
        }
        _ => false,
    }
}
