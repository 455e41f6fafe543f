//! “Where it lands”: the number line around the typed value in one format, and the bits that decided.

use egui::{Align, Layout, RichText, TextStyle, Ui};

use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::{CutBits, Row, elided};
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::figure::Role;
use crate::format::Format;
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text};

/// Lays out the card; returns another format if one was chosen.
pub(super) fn landing_ui(ui: &mut Ui, row: &Row, formats: &[Format], lang: Lang) -> Option<Format> {
    let picked = ui.horizontal(|ui| {
        card::title(ui, Text::Lands.text(lang));
        card::weak(ui, Text::LandsHint.text(lang));
        let labels: Vec<String> = formats.iter().map(|format| format.label()).collect();
        let choices: Vec<_> = formats
            .iter()
            .zip(&labels)
            .map(|(format, label)| Choice { value: *format, text: label.as_str(), hint: "" })
            .collect();
        let picked = segmented(ui, Text::Lands.text(lang), row.format, &choices);
        if let Some(cut) = &row.cut {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| cut_ui(ui, cut, lang));
        }
        picked
    });
    match &row.line {
        Some(line) => {
            let format = row.format.label();
            let spoken = match &row.between {
                Some((low, high)) => words::landing(lang, &format, &line.typed.1, low, high, &row.value),
                None => words::landing_exact(lang, &format, &line.typed.1),
            };
            line.show(ui, Text::Midpoint.text(lang), &spoken, false);
        }
        None => {
            card::weak(ui, Text::NoPlace.text(lang));
        }
    }
    picked.inner
}

/// Kept bits, then guard, round and sticky: all that a rounding looks at.
fn cut_ui(ui: &mut Ui, cut: &CutBits, lang: Lang) {
    let tokens = Tokens::of(ui);
    for (bit, name) in [(cut.sticky, Text::Sticky), (cut.round, Text::Round), (cut.guard, Text::Guard)] {
        let digit = if bit { "1" } else { "0" };
        let color = if bit { theme::ink(ui, Role::Sign) } else { tokens.text_weak };
        let text = format!("{} {digit}", name.text(lang));
        ui.label(RichText::new(text).text_style(theme::small_strong()).color(color));
    }
    let kept = elided(&cut.kept, 28);
    let font = TextStyle::Monospace.resolve(ui.style());
    ui.label(RichText::new(kept).font(font).color(theme::ink(ui, Role::Fraction)));
    card::weak(ui, Text::Kept.text(lang));
}
