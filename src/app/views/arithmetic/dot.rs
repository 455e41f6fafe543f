//! D = A·B + C of 4×4 matrices, the step of a Tensor Core: how each element is added up, rounding by rounding.

use egui::{ComboBox, Grid, RichText, ScrollArea, Ui};

use super::examples_ui;
use super::matrix::{matrix_ui, result_ui};
use super::rounding::flags_text;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::{elided, named, shown};
use crate::app::widgets::choice_list::choice_list;
use crate::app::widgets::format_field::format_list;
use crate::app::widgets::policy_bar::{draw_again_ui, rounding_list};
use crate::app::widgets::segmented::{Choice, segmented};
use crate::app::widgets::value_field::error_line;
use crate::app::widgets::{card, power};
use crate::export::{accumulated, ordered};
use crate::figure::Role;
use crate::format::{Accumulation, Dot, DotStep, Format, Order, Status, Value};
use crate::i18n::Lang;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text};
use crate::link::{DotLink, Link};

/// Matrices worth a look, as links.
const EXAMPLES: [(&str, &str); 5] = [
    (
        "2048 + 1 + 1 + 1 + 1",
        "dot a=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1 b=1,0,0,0;1,1,0,0;1,1,1,0;1,1,1,1 \
         c=2048,2048,2048,2048;1024,1024,1024,1024;1,1,1,1;0,0,0,0 sum=sequential:fp16 output=fp16",
    ),
    (
        "2048 + 1 + … (FP32)",
        "dot a=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1 b=1,0,0,0;1,1,0,0;1,1,1,0;1,1,1,1 \
         c=2048,2048,2048,2048;1024,1024,1024,1024;1,1,1,1;0,0,0,0 sum=sequential:fp32 output=fp32",
    ),
    (
        "2048 + 1 + … (Kahan)",
        "dot a=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1 b=1,0,0,0;1,1,0,0;1,1,1,0;1,1,1,1 \
         c=2048,2048,2048,2048;1024,1024,1024,1024;1,1,1,1;0,0,0,0 sum=kahan:fp16 output=fp16",
    ),
    (
        "1024 + 0.1 − 1024",
        "dot a=32,1,-32,0.1;32,0.1,0.1,-32;0.1,32,-32,0.1;1,1,1,1 b=32,32,32,32;0.1,1,1,32;32,-32,1,1;1,32,32,32 \
         c=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0 sum=blocks:fp16:fp32:2 output=fp16",
    ),
    (
        "300 × 300",
        "dot a=300,1,0,0;0,300,1,0;0,0,300,1;1,0,0,300 b=300,0,0,1;1,300,0,0;0,1,300,0;0,0,1,300 \
         c=-30000,0,0,0;0,-30000,0,0;0,0,-30000,0;0,0,0,-30000 sum=fused:fp32:4 output=fp16",
    ),
];

/// The pane.
#[derive(Debug)]
pub(super) struct DotPane {
    link: DotLink,
    /// The sixteen elements, or one line that says why there are none.
    dots: Result<Vec<Dot>, Text>,
}

impl Default for DotPane {
    fn default() -> Self {
        match Link::parse(EXAMPLES[0].1) {
            Ok(Link::Dot(link)) => Self::of(*link),
            // A test reads every example.
            _ => Self::of(DotLink::default()),
        }
    }
}

impl DotPane {
    /// The pane as a link says.
    pub(super) fn of(link: DotLink) -> Self {
        let mut pane = Self { link, dots: Ok(Vec::new()) };
        pane.derive();
        pane
    }

    pub(super) const fn link(&self) -> &DotLink {
        &self.link
    }

    /// What could be computed last stays while a number is being typed.
    fn derive(&mut self) {
        if let Ok((plan, [a, b, c])) = self.link.plan() {
            self.dots = plan.matrix(&a, &b, &c).map_err(|_| Text::TooLarge);
        }
    }

    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, lang: Lang) {
        let mut changed = card::tight(ui, |ui| self.choices_ui(ui, lang));
        ui.add_space(4.0);
        changed |= card::tight(ui, |ui| self.matrices_ui(ui, lang));
        if changed {
            self.derive();
        }
        ui.add_space(4.0);
        card::tight(ui, |ui| self.steps_ui(ui, lang));
    }

    fn choices_ui(&mut self, ui: &mut Ui, lang: Lang) -> bool {
        let before = self.link.clone();
        ui.horizontal_wrapped(|ui| {
            card::weak(ui, "A, B");
            let input = format_list(ui, Text::InputFormat.text(lang), lang, self.link.input);
            self.link.input = input.unwrap_or(self.link.input);
            card::weak(ui, "C, D");
            let output = format_list(ui, Text::OutputFormat.text(lang), lang, self.link.output);
            self.link.output = output.unwrap_or(self.link.output);
            card::weak(ui, Text::Accumulate.text(lang));
            self.link.accumulation = accumulation_ui(ui, lang, self.link.accumulation);
        });
        ui.horizontal_wrapped(|ui| {
            let orders = Order::ALL.map(|order| Choice { value: order, text: ordered(order).text(lang), hint: "" });
            card::weak(ui, Text::Order.text(lang));
            if let Some(order) = segmented(ui, Text::Order.text(lang), self.link.order, &orders) {
                self.link.order = order;
            }
            let policy = &mut self.link.how.policy;
            policy.rounding = rounding_list(ui, "dot pane", lang, policy.rounding);
            draw_again_ui(ui, lang, &mut self.link.how);
        });
        let names = EXAMPLES.map(|(name, _)| name);
        let example = examples_ui(ui, lang, &names).and_then(|name| EXAMPLES.iter().find(|row| row.0 == name));
        if let Some(Ok(Link::Dot(link))) = example.map(|(_, line)| Link::parse(line)) {
            self.link = *link;
        }
        before != self.link
    }

    fn matrices_ui(&mut self, ui: &mut Ui, lang: Lang) -> bool {
        let (row, column) = self.link.cell;
        let mut changed = false;
        let unit = egui::TextStyle::Body.resolve(ui.style()).size / 14.0;
        // Where the window is narrow, D stands in a line of its own.
        let wide = ui.available_width() > 880.0 * unit.min(1.1);
        ui.horizontal_top(|ui| {
            changed |= matrix_ui(ui, "A", lang, &mut self.link.a, |r, _| r == row);
            sign_ui(ui, "·");
            changed |= matrix_ui(ui, "B", lang, &mut self.link.b, |_, c| c == column);
            sign_ui(ui, "+");
            changed |= matrix_ui(ui, "C", lang, &mut self.link.c, |r, c| (r, c) == (row, column));
            if wide {
                sign_ui(ui, "=");
                self.result_ui(ui, lang);
            }
        });
        if !wide {
            ui.horizontal_top(|ui| {
                sign_ui(ui, "=");
                self.result_ui(ui, lang);
            });
        }
        card::weak(ui, Text::ChooseElement.text(lang));
        changed
    }

    /// D; a click chooses an element.
    fn result_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let output = self.link.output;
        match &self.dots {
            Ok(dots) => {
                let value =
                    |dot: &Dot| (shown(&output.value_text(dot.result.bits, 9)), dot.result.bits != dot.best.bits);
                let values: Vec<_> = dots.iter().map(value).collect();
                let chosen = result_ui(ui, "D", lang, &values, self.link.cell);
                self.link.cell = chosen.unwrap_or(self.link.cell);
            }
            Err(error) => error_line(ui, error.text(lang)),
        }
    }

    fn steps_ui(&self, ui: &mut Ui, lang: Lang) {
        let (row, column) = self.link.cell;
        let Some(dot) = self.dots.as_ref().ok().and_then(|dots| dots.get(row * 4 + column)) else { return };
        card::titled(ui, &words::element(lang, "D", row + 1, column + 1), &products_text(self, dot));
        let tokens = Tokens::of(ui);
        ScrollArea::vertical().max_height(210.0).auto_shrink([false, true]).show(ui, |ui| {
            Grid::new("steps").num_columns(7).spacing([18.0, 2.0]).striped(true).show(ui, |ui| {
                for head in [
                    Text::StepNumber,
                    Text::Products,
                    Text::Before,
                    Text::Added,
                    Text::After,
                    Text::LostHere,
                    Text::Flags,
                ] {
                    card::weak(ui, head.text(lang));
                }
                ui.end_row();
                for (at, step) in dot.steps.iter().enumerate() {
                    card::weak(ui, &(at + 1).to_string());
                    let products: Vec<_> = step.products.iter().map(|at| format!("a{0}·b{0}", at + 1)).collect();
                    let what =
                        if products.is_empty() { Text::BlockTotal.text(lang).to_owned() } else { products.join(" + ") };
                    ui.label(what);
                    ui.label(RichText::new(value_text(&step.before)).monospace());
                    ui.label(RichText::new(format!("+ {}", value_text(&step.added))).monospace());
                    let after = named(step.format, step.after.bits);
                    ui.label(RichText::new(format!("{after}  {}", step.format.label())).monospace().color(tokens.text));
                    let inexact = step.after.status.contains(Status::INEXACT);
                    let lost = lost_in(step).filter(|_| inexact).unwrap_or_else(|| "–".to_owned());
                    let color = if inexact { theme::ink(ui, Role::Lost) } else { tokens.text_weak };
                    ui.label(RichText::new(lost).monospace().color(color));
                    card::weak(ui, &flags_text(step.after.status, lang));
                    ui.end_row();
                }
            });
        });
        self.verdict_ui(ui, dot, lang);
    }

    fn verdict_ui(&self, ui: &mut Ui, dot: &Dot, lang: Lang) {
        let output = self.link.output;
        let name = |bits: u64| named(output, bits);
        let exact = dot.exact.as_ref().map_or_else(|| "–".to_owned(), |exact| elided(&exact.number_text(), 40));
        let same = dot.result.bits == dot.best.bits;
        let text = words::dot_result(lang, &name(dot.result.bits), &exact, &name(dot.best.bits), same);
        let role = if same { Role::Advised } else { Role::Lost };
        power::label(ui, &text, &theme::title(), theme::ink(ui, role));
    }
}

/// An operation sign at half the height of a matrix.
fn sign_ui(ui: &mut Ui, text: &str) {
    ui.vertical(|ui| {
        ui.add_space(62.0);
        ui.label(RichText::new(text).text_style(theme::heading()));
    });
}

/// What a rounding added to the sum, with its sign.
fn lost_in(step: &DotStep) -> Option<String> {
    let text = step.error()?.to_significant(6)?;
    Some(if text.starts_with('-') { text } else { format!("+{text}") })
}

fn value_text(value: &Value) -> String {
    shown(&value.to_significant(9))
}

/// `c + a1·b1 + …` with its numbers.
fn products_text(pane: &DotPane, dot: &Dot) -> String {
    let (row, column) = pane.link.cell;
    let products: Vec<_> = dot.products.iter().map(value_text).collect();
    format!("{} + {}", pane.link.c[row][column].trim(), products.join(" + "))
}

/// The kinds of accumulation, with the formats and lengths that each has.
fn accumulation_ui(ui: &mut Ui, lang: Lang, now: Accumulation) -> Accumulation {
    let (inner, outer, count) = match now {
        Accumulation::Sequential(format) | Accumulation::Kahan(format) => (format, Format::FP32, 2),
        Accumulation::Fused { format, width } => (format, Format::FP32, width),
        Accumulation::Blocks { inner, outer, length } => (inner, outer, length),
    };
    let kinds = [
        Accumulation::Sequential(inner),
        Accumulation::Kahan(inner),
        Accumulation::Fused { format: inner, width: count },
        Accumulation::Blocks { inner, outer, length: count },
    ];
    let mut chosen = now;
    let value = accumulated(now).text(lang);
    let list = ComboBox::from_id_salt("accumulation").selected_text(value).width(150.0);
    let choices = kinds.map(|kind| (kind, accumulated(kind).text(lang).to_owned()));
    choice_list(ui, list, [Text::Accumulate.text(lang), value], &mut chosen, choices);
    let inner = format_list(ui, Text::AccumulatorFormat.text(lang), lang, inner);
    match &mut chosen {
        Accumulation::Sequential(format) | Accumulation::Kahan(format) => *format = inner.unwrap_or(*format),
        Accumulation::Fused { format, width } => {
            *format = inner.unwrap_or(*format);
            *width = count_ui(ui, lang, *width);
        }
        Accumulation::Blocks { inner: format, outer, length } => {
            *format = inner.unwrap_or(*format);
            *length = count_ui(ui, lang, *length);
            *outer = format_list(ui, Text::OuterFormat.text(lang), lang, *outer).unwrap_or(*outer);
        }
    }
    chosen
}

fn count_ui(ui: &mut Ui, lang: Lang, count: usize) -> usize {
    let choices = [(1, "1"), (2, "2"), (4, "4")].map(|(value, text)| Choice { value, text, hint: "" });
    segmented(ui, Text::ProductsAtOnce.text(lang), count, &choices).unwrap_or(count)
}
