//! One operation: the operands as the format holds them, the exact result, the rounded one, and the error between them.

use egui::{ComboBox, Grid, Id, RichText, TextStyle, Ui};

use super::examples_ui;
use super::rounding::flags_text;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::{elided, shown};
use crate::app::views::number::{Row, row};
use crate::app::widgets::card;
use crate::app::widgets::choice_list::choice_list;
use crate::app::widgets::format_field::format_field;
use crate::app::widgets::policy_bar::policy_bar;
use crate::app::widgets::value_field::{ValueField, error_line};
use crate::figure::Role;
use crate::format::{Format, Literal, Operation, Status, Value, parse_value};
use crate::i18n::Lang;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text};
use crate::i18n::bits::Bits;
use crate::link::{CalcLink, How, Link};

/// Operations worth a look, as links.
const EXAMPLES: [(&str, &str); 8] = [
    ("0.1 + 0.2", "calc add 0.1 0.2 format=fp16"),
    ("2048 + 1", "calc add 2048 1 format=fp16"),
    ("65504 + 16", "calc add 65504 16 format=fp16"),
    ("1 ÷ 3", "calc div 1 3 format=bf16"),
    ("√2", "calc sqrt 2 format=fp16"),
    ("4097 × 4097 + 2^-30", "calc fma 4097 4097 2^-30 format=fp32"),
    ("0 ÷ 0", "calc div 0 0 format=fp16"),
    ("minNum(NaN, 1)", "calc minNum nan 1 format=fp16"),
];

/// Names of the operands.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// Longest number that a line of the table shows whole, and longest text of an operand.
const WIDTH: usize = 64;
const TYPED_WIDTH: usize = 28;

/// What an operation came to.
#[derive(Debug)]
struct Computed {
    /// Text as typed, code, value and flags of each operand.
    operands: Vec<(String, String, String, Status)>,
    exact: String,
    row: Row,
    error: Option<String>,
    once: Option<Once>,
}

/// The same operation on the operands as typed, rounded once.
#[derive(Debug)]
struct Once {
    /// What was computed, and its exact value.
    what: String,
    exact: String,
    hex: String,
    value: String,
    /// Whether it is the code that the rounded operands give.
    same: bool,
}

/// The pane.
#[derive(Debug)]
pub(super) struct OperationPane {
    link: CalcLink,
    errors: [Option<String>; 3],
    computed: Option<Computed>,
}

impl Default for OperationPane {
    fn default() -> Self {
        let operands = ["0.1", "0.2", "1"].map(str::to_owned);
        Self::of(CalcLink { operation: Operation::Add, operands, format: Format::FP16, how: How::default() })
    }
}

impl OperationPane {
    /// The pane as a link says.
    pub(super) fn of(link: CalcLink) -> Self {
        let mut pane = Self { link, errors: [None, None, None], computed: None };
        pane.derive();
        pane
    }

    pub(super) const fn link(&self) -> &CalcLink {
        &self.link
    }

    /// What could be computed last stays while an operand is being typed.
    fn derive(&mut self) {
        let count = self.link.operation.operands();
        let parsed = [0, 1, 2].map(|at| parse_value(&self.link.operands[at]));
        self.errors = [0, 1, 2].map(|at| if at < count { parsed[at].as_ref().err().cloned() } else { None });
        let literals: Vec<Literal> = parsed.into_iter().take(count).filter_map(Result::ok).collect();
        if literals.len() == count {
            self.computed = compute(&self.link, &literals);
        }
    }

    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, lang: Lang) {
        card::tight(ui, |ui| self.input_ui(ui, lang));
        let Some(computed) = &self.computed else { return };
        ui.add_space(4.0);
        let stale = self.errors.iter().any(Option::is_some);
        card::while_typed(ui, stale, |ui| self.results_ui(ui, computed, lang));
    }

    fn results_ui(&self, ui: &mut Ui, computed: &Computed, lang: Lang) {
        card::tight(ui, |ui| card::wide(ui, "computed", |ui| computed_ui(ui, &self.link, computed, lang)));
        ui.add_space(4.0);
        card::tight(ui, |ui| {
            card::titled(ui, Bits::Lands.text(lang), Text::ExactLands.text(lang));
            match &computed.row.line {
                Some(line) => {
                    let spoken = words::result_lands(lang, &computed.exact, &computed.row.value);
                    let height = TextStyle::Small.resolve(ui.style()).size * 8.6;
                    ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
                        line.show(ui, Bits::Midpoint.text(lang), &spoken, true);
                    });
                }
                None => drop(card::weak(ui, Bits::NoPlace.text(lang))),
            }
        });
        ui.add_space(4.0);
        let _ = card::tight(ui, |ui| row::row_ui(ui, &computed.row, lang, true));
    }

    fn input_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let mut changed = false;
        ui.horizontal(|ui| {
            changed |= self.operation_ui(ui, lang);
            for (at, name) in NAMES.into_iter().enumerate().take(self.link.operation.operands()) {
                card::weak(ui, name);
                let name = words::operand(lang, name);
                let field = ValueField {
                    size: 1.15,
                    error: self.errors[at].as_deref(),
                    ..ValueField::new(Id::unique(("operand", at)), &name, 130.0)
                };
                changed |= field.show(ui, &mut self.link.operands[at]).changed();
            }
            card::weak(ui, Text::In.text(lang));
            if let Some(format) = format_field(ui, Text::FormatOfOperation.text(lang), lang, self.link.format) {
                self.link.format = format;
                changed = true;
            }
        });
        for error in self.errors.iter().flatten() {
            error_line(ui, error);
        }
        if let Some(how) = policy_bar(ui, "operation pane", lang, self.link.how) {
            self.link.how = how;
            changed = true;
        }
        let names = EXAMPLES.map(|(name, _)| name);
        let example = examples_ui(ui, lang, &names).and_then(|name| EXAMPLES.iter().find(|row| row.0 == name));
        if let Some(Ok(Link::Calc(link))) = example.map(|(_, line)| Link::parse(line)) {
            self.link = link;
            changed = true;
        }
        if changed {
            self.derive();
        }
    }

    fn operation_ui(&mut self, ui: &mut Ui, lang: Lang) -> bool {
        let before = self.link.operation;
        let list =
            ComboBox::from_id_salt("operation").selected_text(symbol(before, "a", "b", "c")).width(150.0).height(420.0);
        let text = |operation: Operation| format!("{}    {}", operation.name(), symbol(operation, "a", "b", "c"));
        let choices = Operation::all().map(|operation| (operation, text(operation)));
        let words = [Text::Operation.text(lang), before.name()];
        choice_list(ui, list, words, &mut self.link.operation, choices)
    }
}

/// The rows: operands, exact result, rounded result, error, flags.
fn computed_ui(ui: &mut Ui, link: &CalcLink, computed: &Computed, lang: Lang) {
    let tokens = Tokens::of(ui);
    Grid::new("operation").num_columns(4).spacing([18.0, 3.0]).show(ui, |ui| {
        for (name, (typed, hex, value, status)) in NAMES.into_iter().zip(&computed.operands) {
            card::weak(ui, &format!("{name} = {typed}"));
            ui.label(RichText::new(hex).monospace().color(tokens.text_weak));
            ui.label(RichText::new(value).color(tokens.text));
            card::weak(ui, &flags_text(*status, lang));
            ui.end_row();
        }
        let what = symbol(link.operation, "a", "b", "c");
        card::weak(ui, &words::exact_of(lang, &what));
        ui.label("");
        ui.label(RichText::new(elided(&computed.exact, WIDTH)).text_style(theme::title()).color(tokens.text));
        ui.end_row();
        card::weak(ui, &words::rounded_to(lang, &link.format.label()));
        ui.label(RichText::new(&computed.row.hex).monospace().color(theme::ink(ui, Role::Normal)));
        ui.label(RichText::new(&computed.row.value).text_style(theme::title()).color(theme::ink(ui, Role::Normal)));
        let error = computed.error.as_ref().map(|error| words::error_ulp(lang, error));
        card::weak(
            ui,
            &format!(
                "{}{}",
                error.map_or_else(String::new, |error| format!("{error} · ")),
                flags_text(computed.row.status, lang)
            ),
        );
        ui.end_row();
        if let Some(once) = &computed.once {
            card::weak(ui, &words::as_typed(lang, &once.what));
            ui.label(RichText::new(&once.hex).monospace().color(tokens.text_weak));
            ui.label(RichText::new(format!("{} → {}", once.exact, once.value)).color(tokens.text));
            let (text, role) = if once.same { (Text::SameCode, Role::Advised) } else { (Text::OtherCode, Role::Lost) };
            ui.label(RichText::new(text.text(lang)).text_style(theme::small_strong()).color(theme::ink(ui, role)));
            ui.end_row();
        }
    });
}

/// Computes the operation; as on the command line, every rounding draws anew where chance decides.
fn compute(link: &CalcLink, literals: &[Literal]) -> Option<Computed> {
    let format = link.format;
    let mut draws = link.how.draws();
    let rounded: Vec<_> = literals.iter().map(|literal| literal.round(format, &draws.draw())).collect();
    let codes: Vec<u64> = rounded.iter().map(|rounded| rounded.bits).collect();
    let policy = draws.draw();
    let outcome = format.apply(link.operation, &codes, &policy).ok()?;
    let value = match outcome.exact.number() {
        Some(number) => Value::Finite(number.clone()),
        None => format.decode(outcome.rounded.bits),
    };
    let name = |bits: u64| shown(&elided(&format.exact_decimal(bits), WIDTH));
    let operands = link.operands.iter().zip(&rounded).map(|(typed, rounded)| {
        (elided(typed.trim(), TYPED_WIDTH), format.hex(rounded.bits), name(rounded.bits), rounded.status)
    });
    let once = once(link).map(|(what, literal)| {
        let bits = literal.round(format, &policy).bits;
        Once {
            what,
            exact: literal.value().finite().map_or_else(String::new, |exact| exact.short_text(TYPED_WIDTH, 12)),
            hex: format.hex(bits),
            value: name(bits),
            same: bits == outcome.rounded.bits,
        }
    });
    Some(Computed {
        operands: operands.collect(),
        exact: shown(&outcome.exact.text()),
        error: outcome.error_ulp().and_then(|error| error.to_significant(6)),
        row: Row { reason: outcome.reason(&policy), ..Row::of(&value, &outcome.rounded, format, &policy) },
        once,
    })
}

/// The operation on the operands as typed, in short and as an exact value, where they are numbers and it is one that
/// expressions know.
fn once(link: &CalcLink) -> Option<(String, Literal)> {
    let [a, b, c] = link.operands.each_ref().map(|operand| format!("({operand})"));
    let text = match link.operation {
        Operation::Add => format!("{a}+{b}"),
        Operation::Sub => format!("{a}-{b}"),
        Operation::Mul => format!("{a}*{b}"),
        Operation::Div => format!("{a}/{b}"),
        Operation::Fma => format!("{a}*{b}+{c}"),
        _ => return None,
    };
    let [x, y, z] = link.operands.each_ref().map(|operand| elided(operand.trim(), 12));
    parse_value(&text).ok().map(|literal| (symbol(link.operation, &x, &y, &z), literal))
}

/// An operation with its operands, as it is written.
pub(super) fn symbol(operation: Operation, a: &str, b: &str, c: &str) -> String {
    match operation {
        Operation::Add => format!("{a} + {b}"),
        Operation::Sub => format!("{a} − {b}"),
        Operation::Mul => format!("{a} × {b}"),
        Operation::Div => format!("{a} ÷ {b}"),
        Operation::Fma => format!("{a} × {b} + {c}"),
        Operation::Sqrt => format!("√{a}"),
        _ => format!("{}({a}, {b})", operation.name()),
    }
}
