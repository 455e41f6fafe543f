//! Rounding made visible: one value, one format, and everything that decides where it goes.

use egui::{Grid, Id, RichText, TextStyle, Ui};

use super::examples_ui;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::{CutBits, elided, named};
use crate::app::views::number::{Row, row};
use crate::app::widgets::bit_strip::Edit;
use crate::app::widgets::card;
use crate::app::widgets::cut_strip::CutStrip;
use crate::app::widgets::format_field::format_field;
use crate::app::widgets::policy_bar::{policy_bar, rounding_text};
use crate::app::widgets::power;
use crate::app::widgets::value_field::{ValueField, error_line};
use crate::figure::Role;
use crate::format::{Direction, Format, Literal, Policy, Rounding, Status, Value, parse_value};
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text};
use crate::i18n::bits::Bits;
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
    flags: Vec<Bits>,
    /// How likely, where chance decides.
    chance: Option<String>,
    bits: u64,
}

/// The pane.
#[derive(Debug)]
pub(super) struct RoundingPane {
    link: RoundLink,
    /// The last value that could be read; what is being typed may not be one yet.
    literal: Literal,
    error: Option<String>,
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
        let flags = row::FLAGS.iter().filter(|(flag, _)| row.status.contains(*flag)).map(|(_, text)| *text);
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
            flags: flags.collect(),
            chance: chance.map(|(away, near, far)| {
                words::chances(&percent(Lang::En, 1.0 - away), near, &percent(Lang::En, *away), far)
            }),
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
        ui.horizontal(|ui| {
            let id = Id::unique("rounding value");
            let field = ValueField {
                size: 1.3,
                hint: Bits::ValueHint.text(lang),
                error: self.error.as_deref(),
                ..ValueField::new(id, Bits::Value.text(lang), 300.0)
            };
            let mut text = self.link.value.clone();
            let changed = field.show(ui, &mut text).changed();
            card::weak(ui, Text::To.text(lang));
            if let Some(format) = format_field(ui, Text::RoundedTo.text(lang), lang, self.link.format) {
                self.link.format = format;
                self.derive();
            }
            match &self.error {
                Some(error) => error_line(ui, error),
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
        power::label(ui, &why, &theme::strong(), Tokens::of(ui).text);
    }

    fn cut_ui(&self, ui: &mut Ui, cut: &CutBits, lang: Lang) {
        let verdict = match self.direction {
            Some(Direction::AwayFromZero) => Text::OneMore.text(lang),
            Some(Direction::TowardZero) => Text::CutOff.text(lang),
            _ => Text::NothingCut.text(lang),
        };
        let bits = [
            (cut.guard, Bits::Guard, Text::GuardWorth),
            (cut.round, Bits::Round, Text::RoundWorth),
            (cut.sticky, Bits::Sticky, Text::StickyWorth),
        ];
        let spoken = words::cut(lang, &cut.kept, bits.map(|(set, ..)| u8::from(set)), verdict);
        let cut_bits = bits.map(|(set, name, worth)| (set, name.text(lang), worth.text(lang)));
        CutStrip { kept: &cut.kept, kept_name: Text::KeptLong.text(lang), cut: cut_bits, verdict, spoken: &spoken }
            .show(ui);
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
                if ui.radio(row.mode == current, name).clicked() {
                    chosen = Some(row.mode);
                }
                let same = row.bits == self.row.bits;
                let color = if same { tokens.text } else { theme::ink(ui, Role::Exponent) };
                ui.label(RichText::new(&row.hex).monospace().color(color));
                let value = row.chance.as_ref().unwrap_or(&row.value);
                ui.label(RichText::new(value).text_style(theme::small_strong()).color(color));
                card::weak(ui, &words::error_ulp(lang, &row.error));
                flags_ui(ui, &row.flags, lang);
                ui.end_row();
            }
        });
        if let Some(mode) = chosen {
            self.link.how.policy.rounding = mode;
            self.derive();
        }
    }
}

/// Names of raised flags in one line.
fn flags_ui(ui: &mut Ui, flags: &[Bits], lang: Lang) {
    let names: Vec<_> = flags.iter().map(|flag| flag.text(lang)).collect();
    let text = if names.is_empty() { Bits::NoFlags.text(lang).to_owned() } else { names.join(" · ") };
    card::weak(ui, &text);
}

/// Names of the flags of a status, joined.
pub(super) fn flags_text(status: Status, lang: Lang) -> String {
    let raised = row::FLAGS.iter().filter(|(flag, _)| status.contains(*flag)).map(|(_, text)| text.text(lang));
    let names: Vec<_> = raised.collect();
    if names.is_empty() { Bits::NoFlags.text(lang).to_owned() } else { names.join(" · ") }
}
