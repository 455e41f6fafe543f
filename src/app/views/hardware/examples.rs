//! Results of an operation that were not right: how many of which kind, and one of them bit by bit.

use egui::{Align, Layout, RichText, TextStyle, Ui};

use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::shown as readable;
use crate::app::views::number::row::code_ui;
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::export::{departed, how_far};
use crate::figure::Role;
use crate::format::Format;
use crate::i18n::Lang;
use crate::i18n::app::grouped;
use crate::i18n::hardware::{self as words, Hardware as Text};
use crate::observe::{Example, Observation, Primitive, Verdict, formats};

/// How wide the column with the names of the codes is, and that of their values.
const NAME: f32 = 46.0;
const VALUE: f32 = 150.0;

/// Lays out the card; returns the number of the example that was chosen, from 1.
pub(super) fn examples_ui(
    ui: &mut Ui,
    lang: Lang,
    primitive: Primitive,
    seen: Option<&Observation>,
    chosen: usize,
) -> Option<usize> {
    card::titled(ui, Text::Examples.text(lang), primitive.formula());
    let seen = match seen {
        None => {
            card::weak(ui, Text::NothingYet.text(lang));
            return None;
        }
        Some(seen) if seen.examples.is_empty() => {
            card::weak(ui, Text::AllRight.text(lang));
            return None;
        }
        Some(seen) => seen,
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        for (departure, count) in seen.departures() {
            let text = words::so_many(&grouped(count), departed(departure).text(lang));
            let color = theme::ink(ui, role(departure.verdict()));
            ui.label(RichText::new(text).text_style(TextStyle::Small).color(color));
        }
    });
    let chosen = chosen.clamp(1, seen.examples.len());
    let numbers: Vec<String> = (1..=seen.examples.len()).map(|number| number.to_string()).collect();
    let choices: Vec<_> = numbers.iter().zip(1..).map(|(text, value)| Choice { value, text, hint: "" }).collect();
    let example = &seen.examples[chosen - 1];
    let mut next = None;
    ui.horizontal_wrapped(|ui| {
        next = segmented(ui, Text::Example.text(lang), chosen, &choices);
        ui.add_space(6.0);
        let sentence = RichText::new(how_far(lang, example)).text_style(theme::strong());
        ui.label(sentence.color(Tokens::of(ui).text));
    });
    ui.add_space(2.0);
    codes_ui(ui, lang, primitive, example);
    next
}

/// The colour of words about a verdict.
const fn role(verdict: Verdict) -> Role {
    match verdict {
        Verdict::OtherNan => Role::Subnormal,
        Verdict::Flushed => Role::Lost,
        Verdict::Wrong => Role::Overflow,
    }
}

/// Operands, the right result and what was seen, each as bits and as a number.
fn codes_ui(ui: &mut Ui, lang: Lang, primitive: Primitive, example: &Example) {
    let (from, to) = formats(primitive);
    let operands = ["a", "b", "c"].into_iter().zip(example.operands).take(primitive.operands());
    let operands = operands.map(|(name, bits)| (name, from, bits));
    let results = [(Text::RightResult, example.right), (Text::SeenResult, example.seen)];
    let results = results.map(|(text, bits)| (text.text(lang), to, bits));
    for (name, format, bits) in operands.chain(results) {
        code_line_ui(ui, lang, name, (format, u64::from(bits)));
    }
}

fn code_line_ui(ui: &mut Ui, lang: Lang, name: &str, (format, bits): (Format, u64)) {
    let tokens = Tokens::of(ui);
    let unit = TextStyle::Body.resolve(ui.style()).size / 14.0;
    ui.horizontal(|ui| {
        let column = |ui: &mut Ui, width: f32, text: RichText| {
            let size = egui::vec2(width * unit, TextStyle::Body.resolve(ui.style()).size * 2.0);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Max), |ui| {
                ui.set_width(width * unit);
                ui.add(egui::Label::new(text).truncate());
            });
        };
        column(ui, NAME, RichText::new(name).text_style(theme::small_strong()).color(tokens.text));
        let value = readable(&format.value_text(bits, 17));
        column(ui, VALUE, RichText::new(value).text_style(theme::strong()).color(tokens.text));
        code_ui(ui, lang, (format, bits), &format!("{name}, {}", format.label()), true);
    });
}
