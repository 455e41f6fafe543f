//! The limits of all formats, and what is often said about them and is wrong.

use egui::{Grid, RichText, ScrollArea, TextStyle, Ui};

use crate::app::theme::{self, Tokens};
use crate::app::widgets::term::explained;
use crate::app::widgets::{card, power};
use crate::export::mistaken;
use crate::format::{Exact, Format, Mistake, Specials};
use crate::i18n::Lang;
use crate::i18n::glossary::Term;
use crate::i18n::line::Line as Text;

/// Lays out the table: the formats that were chosen stand out, and are there even where they are no presets.
pub(super) fn limits_ui(ui: &mut Ui, lang: Lang, chosen: &[Format]) {
    let own = chosen.iter().copied().filter(|format| !Format::presets().any(|preset| preset == *format));
    let formats: Vec<Format> = Format::presets().chain(own).collect();
    card::titled(ui, Text::LimitsTitle.text(lang), Text::LimitsHint.text(lang));
    ScrollArea::both().id_salt("limits").auto_shrink([false, true]).show(ui, |ui| {
        let heads = [
            (Text::Format, None),
            (Text::Width, Some(Term::Fields)),
            // Which formats have no infinity is asked most: it stands where a narrow window shows it.
            (Text::SpecialCodes, Some(Term::SpecialCodes)),
            (Text::Largest, None),
            (Text::OverflowsAt, Some(Term::OverflowsAt)),
            (Text::MinNormal, Some(Term::MinNormal)),
            (Text::MinSubnormal, Some(Term::MinSubnormal)),
            (Text::Epsilon, Some(Term::Epsilon)),
            (Text::WholeTo, Some(Term::WholeTo)),
        ];
        Grid::new("limits").num_columns(heads.len()).spacing([14.0, 3.0]).striped(true).show(ui, |ui| {
            for (head, term) in heads {
                let head = card::weak(ui, head.text(lang));
                if let Some(term) = term {
                    explained(ui, head, lang, &[term]);
                }
            }
            ui.end_row();
            for format in &formats {
                row_ui(ui, lang, *format, chosen.contains(format));
                ui.end_row();
            }
        });
        ui.add_space(8.0);
        card::title(ui, Text::OftenMistaken.text(lang));
        for mistake in Mistake::ALL {
            let text = format!("· {}", mistaken(mistake).text(lang));
            power::label(ui, &text, &TextStyle::Body, Tokens::of(ui).text);
        }
    });
}

fn row_ui(ui: &mut Ui, lang: Lang, format: Format, chosen: bool) {
    let tokens = Tokens::of(ui);
    let limits = format.limits();
    let about = |exact: &Exact| {
        // A power of two says more as such.
        match exact.as_dyadic() {
            Some((one, exponent)) if *one == 1_u8.into() && exponent.unsigned_abs() > 3 => format!("2^{exponent}"),
            _ => exact.to_significant(6).unwrap_or_default(),
        }
    };
    let name = RichText::new(format.label()).text_style(theme::strong());
    ui.horizontal(|ui| {
        ui.label(if chosen { name.color(tokens.accent) } else { name.color(tokens.text) });
        // People look for FP8; its kinds are named by their fields.
        if format.width() <= 8 && format.specials() != Specials::Scale {
            card::weak(ui, &format!("FP{}", format.width()));
        }
    });
    let subnormal = limits.min_subnormal.as_ref().map_or_else(|| "–".to_owned(), about);
    let fields = format!("{}+{}+{}", u8::from(format.is_signed()), format.exponent_bits(), format.fraction_bits());
    power::label(ui, &fields, &TextStyle::Small, tokens.text);
    let response = card::weak(ui, specials(format).text(lang));
    if format.specials() == Specials::Fnuz {
        explained(ui, response, lang, &[Term::Fnuz]);
    }
    let cells = [
        about(&limits.max_finite),
        about(&limits.overflow_threshold),
        about(&limits.min_normal),
        subnormal,
        about(&limits.epsilon),
        about(&limits.exact_integers),
    ];
    for cell in cells {
        power::label(ui, &cell, &TextStyle::Small, tokens.text);
    }
}

const fn specials(format: Format) -> Text {
    match format.specials() {
        Specials::Ieee => Text::SpecialsIeee,
        Specials::NanOnly => Text::SpecialsNanOnly,
        Specials::Finite => Text::SpecialsFinite,
        Specials::Fnuz => Text::SpecialsFnuz,
        Specials::Scale => Text::SpecialsScale,
    }
}
