//! Rounding made visible: one value, one format, and everything that decides where it goes.

use egui::{Grid, Id, RichText, TextStyle, Ui};

use super::examples_ui;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::{CutBits, elided, named};
use crate::app::views::number::{Row, row};
use crate::app::widgets::bit_strip::Edit;
use crate::app::widgets::card;
use crate::app::widgets::cut_strip::{CutBit, CutStrip};
use crate::app::widgets::format_field::{format_field, typed_error};
use crate::app::widgets::policy_bar::{policy_bar, rounding_term, rounding_text};
use crate::app::widgets::power;
use crate::app::widgets::term::{explained, explained_choice};
use crate::app::widgets::value_field::{ValueField, error_line};
use crate::export::refused;
use crate::figure::Role;
use crate::format::{Direction, Format, Literal, ParseError, Policy, Rounding, Status, Value, parse_value};
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text};
use crate::i18n::bits::Bits;
use crate::i18n::glossary::Term;
use crate::link::{How, RoundLink};

/// Links worth a look: a tie, an overflow, tininess, a NaN that has nowhere to go.
const EXAMPLES: [&str; 8] = ["0.1", "2049", "65519", "65520", "2^-25", "3*2^-26", "2^-14-2^-26", "fp32:0x7f800001"];

/// What one mode makes of the value.
#[derive(Debug)]
struct ModeRow {
    mode: Rounding,
    hex: String,
    value: String,
    error: String,
    status: Status,
    /// How likely the farther neighbour is, where chance decides, and both neighbours as text.
    chance: Option<(f64, String, String)>,
    bits: u64,
}

/// The pane.
#[derive(Debug)]
pub(super) struct RoundingPane {
    link: RoundLink,
    /// The last value that could be read; what is being typed may not be one yet.
    literal: Literal,
    error: Option<ParseError>,
    row: Row,
    direction: Option<Direction>,
    modes: Vec<ModeRow>,
    /// Share of the gap that the value has come from the neighbour near zero; with the two neighbours as text.
    chance: Option<(f64, String, String)>,
}

impl Default for RoundingPane {
    fn default() -> Self {
        Self::of(RoundLink { value: "0.1".to_owned(), format: Format::FP16, how: How::default() })
    }
}

impl RoundingPane {
    /// The pane as a link says.
    pub(super) fn of(link: RoundLink) -> Self {
        let parsed = parse_value(&link.value);
        let (literal, error) = match parsed {
            Ok(literal) => (literal, None),
            Err(error) => (Literal::Value(Value::from(0.0)), Some(error)),
        };
        let row = Row::new(&literal, link.format, &Policy::default());
        let mut pane = Self { link, literal, error, row, direction: None, modes: Vec::new(), chance: None };
        pane.derive();
        pane
    }

    pub(super) const fn link(&self) -> &RoundLink {
        &self.link
    }

    fn enter(&mut self, text: String) {
        match parse_value(&text) {
            Ok(literal) => {
                self.literal = literal;
                self.error = None;
                self.derive();
            }
            Err(error) => self.error = Some(error),
        }
        self.link.value = text;
    }

    fn derive(&mut self) {
        let RoundLink { format, how, .. } = self.link;
        let policy = how.draws().draw();
        let rounded = self.literal.round(format, &policy);
        self.direction = rounded.trace.as_ref().map(|trace| trace.direction);
        self.row = Row::of(&self.literal.value(), &rounded, format, &policy);
        let value = self.literal.value();
        let chance = value.finite().and_then(|exact| format.chance(exact));
        let chance = chance.filter(|chance| chance.toward_zero != chance.away_from_zero);
        self.chance = chance.map(|chance| {
            let name = |code: u64| named(format, code);
            (chance.away.to_f64(), name(chance.toward_zero), name(chance.away_from_zero))
        });
        let modes = Rounding::DETERMINISTIC.into_iter().chain([Rounding::Sr { random: 0 }]);
        self.modes = modes.map(|mode| self.mode_row(mode)).collect();
    }

    fn mode_row(&self, mode: Rounding) -> ModeRow {
        let RoundLink { format, how, .. } = self.link;
        let how = How { policy: Policy { rounding: mode, ..how.policy }, ..how };
        let policy = how.draws().draw();
        let row = Row::new(&self.literal, format, &policy);
        let chance = self.chance.as_ref().filter(|_| how.is_stochastic());
        ModeRow {
            mode,
            hex: row.hex,
            value: row.value,
            // An infinity is no number of ULP away.
            error: match row.error {
                Some((_, ulps)) => ulps,
                None if row.status.contains(Status::INEXACT) => "–".to_owned(),
                None => "0".to_owned(),
            },
            status: row.status,
            chance: chance.cloned(),
            bits: row.bits,
        }
    }

    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, lang: Lang) {
        card::tight(ui, |ui| self.input_ui(ui, lang));
        ui.add_space(4.0);
        card::while_typed(ui, self.error.is_some(), |ui| {
            card::tight(ui, |ui| self.landing_ui(ui, lang));
            ui.add_space(4.0);
            let edit = card::tight(ui, |ui| row::row_ui(ui, &self.row, lang, false).1);
            if let Some(edit) = edit {
                self.edit(edit);
            }
            ui.add_space(4.0);
            card::tight(ui, |ui| card::wide(ui, "modes", |ui| self.modes_ui(ui, lang)));
        });
    }

    fn edit(&mut self, edit: Edit) {
        let format = self.link.format;
        let bits = edit.apply(format, self.row.bits);
        self.enter(format!("{}:{}", format.name(), format.hex(bits)));
    }

    fn input_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let error = self.error.as_ref().map(|error| refused(error, lang));
        ui.horizontal(|ui| {
            let id = Id::unique("rounding value");
            let field = ValueField {
                size: 1.3,
                hint: Bits::ValueHint.text(lang),
                error: error.as_deref(),
                ..ValueField::new(id, Bits::Value.text(lang), 300.0)
            };
            let mut text = self.link.value.clone();
            let changed = field.show(ui, &mut text).changed();
            card::weak(ui, Text::To.text(lang));
            let typed = format_field(ui, Text::RoundedTo.text(lang), lang, self.link.format);
            if let Some(Ok(format)) = typed {
                self.link.format = format;
                self.derive();
            }
            match error.or_else(|| typed_error(typed, lang)) {
                Some(error) => error_line(ui, &error),
                None => drop(card::weak(ui, &self.meaning(lang))),
            }
            if changed {
                self.enter(text);
            }
        });
        if let Some(how) = policy_bar(ui, "rounding pane", lang, self.link.how) {
            self.link.how = how;
            self.derive();
        }
        if let Some(example) = examples_ui(ui, lang, &EXAMPLES) {
            self.enter(example.to_owned());
        }
    }

    /// The typed value with all its digits, where there is room for them.
    fn meaning(&self, lang: Lang) -> String {
        match self.literal.value() {
            Value::Finite(exact) => {
                let text = elided(&exact.number_text(), 44);
                if text == self.link.value.trim() { String::new() } else { crate::i18n::bits::exactly(lang, &text) }
            }
            _ => String::new(),
        }
    }

    fn landing_ui(&self, ui: &mut Ui, lang: Lang) {
        card::titled(ui, Bits::Lands.text(lang), Text::LandsLong.text(lang));
        let row = &self.row;
        let format = row.format.label();
        match &row.line {
            Some(line) => {
                let spoken = match &row.between {
                    Some((low, high)) => {
                        crate::i18n::bits::landing(lang, &format, &line.typed.1, low, high, &row.value)
                    }
                    None => crate::i18n::bits::landing_exact(lang, &format, &line.typed.1),
                };
                let height = TextStyle::Small.resolve(ui.style()).size * 8.6;
                ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
                    line.show(ui, Bits::Midpoint.text(lang), &spoken, true);
                });
            }
            None => drop(card::weak(ui, Bits::NoPlace.text(lang))),
        }
        if let Some(cut) = &row.cut {
            self.cut_ui(ui, cut, lang);
        }
        let why = row::why(row, lang);
        let why = power::label(ui, &why, &theme::strong(), Tokens::of(ui).text);
        explained(ui, why, lang, row::why_terms(row.reason));
    }

    fn cut_ui(&self, ui: &mut Ui, cut: &CutBits, lang: Lang) {
        let verdict = match self.direction {
            Some(Direction::AwayFromZero) => Text::OneMore.text(lang),
            Some(Direction::TowardZero) => Text::CutOff.text(lang),
            _ => Text::NothingCut.text(lang),
        };
        let bits = [
            (cut.guard, Bits::Guard, Text::GuardWorth, Term::Guard),
            (cut.round, Bits::Round, Text::RoundWorth, Term::Round),
            (cut.sticky, Bits::Sticky, Text::StickyWorth, Term::Sticky),
        ];
        let spoken = words::cut(lang, &cut.kept, bits.map(|(set, ..)| u8::from(set)), verdict);
        let cut_bits = bits.map(|(set, name, meaning, term)| CutBit {
            set,
            name: name.text(lang),
            meaning: meaning.text(lang),
            term,
        });
        CutStrip { kept: &cut.kept, kept_name: Text::KeptLong.text(lang), cut: cut_bits, verdict, spoken: &spoken }
            .show(ui, lang);
    }

    /// What every mode makes of the value; a click chooses it.
    fn modes_ui(&mut self, ui: &mut Ui, lang: Lang) {
        card::titled(ui, Text::AllModes.text(lang), Text::AllModesHint.text(lang));
        let tokens = Tokens::of(ui);
        let current = self.link.how.policy.rounding;
        let mut chosen = None;
        Grid::new("modes").num_columns(5).spacing([22.0, 1.0]).show(ui, |ui| {
            for row in &self.modes {
                let name = RichText::new(rounding_text(row.mode).text(lang)).text_style(TextStyle::Small);
                let mode = ui.radio(row.mode == current, name);
                if explained_choice(ui, mode, lang, &[rounding_term(row.mode)]).clicked() {
                    chosen = Some(row.mode);
                }
                let same = row.bits == self.row.bits;
                let color = if same { tokens.text } else { theme::ink(ui, Role::Exponent) };
                ui.label(RichText::new(&row.hex).monospace().color(color));
                let chance = row.chance.as_ref().map(|(away, near, far)| {
                    words::chances(&percent(lang, 1.0 - away), near, &percent(lang, *away), far)
                });
                let value = chance.as_ref().unwrap_or(&row.value);
                ui.label(RichText::new(value).text_style(theme::small_strong()).color(color));
                card::weak(ui, &words::error_ulp(lang, &row.error));
                row::flags_ui(ui, row.status, lang);
                ui.end_row();
            }
        });
        if let Some(mode) = chosen {
            self.link.how.policy.rounding = mode;
            self.derive();
        }
    }
}
