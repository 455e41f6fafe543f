//! Conversions one after another beside the direct ones, what each did, and the smallest number that they spoil.

use egui::{Frame, Id, Margin, RichText, Stroke, TextStyle, Ui};

use super::examples_ui;
use super::rounding::flags_text;
use crate::app::action::{Action, Actions};
use crate::app::model::{Model, WitnessAnswer};
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::{elided, named, shown};
use crate::app::widgets::card;
use crate::app::widgets::policy_bar::policy_bar;
use crate::app::widgets::power;
use crate::app::widgets::value_field::{ValueField, error_line};
use crate::export::happened;
use crate::figure::Role;
use crate::format::{Chain, ChainEvent, Format, Link as ChainStep, Literal, Value, Witness, parse_value};
use crate::i18n::Lang;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text};
use crate::i18n::bits::Bits;
use crate::link::{ChainLink, How, Link};

/// Chains worth a look, as links.
const EXAMPLES: [(&str, &str); 6] = [
    ("1025.49995 → FP16", "chain 1025.49995 via=fp64,fp32,fp16"),
    ("1.31640625 → E4M3", "chain 1.31640625 via=fp32,bf16,e4m3"),
    ("65520 → E4M3", "chain 65520 via=fp64,fp32,fp16,e4m3"),
    ("inf → E4M3", "chain inf via=fp32,fp16,e4m3"),
    ("-0 → E4M3FNUZ", "chain -0 via=fp32,fp16,e4m3fnuz"),
    ("2^-25 → E5M2", "chain 2^-25 via=fp32,fp16,e5m2"),
];

/// Longest number in a box.
const WIDTH: usize = 20;

/// The pane.
#[derive(Debug)]
pub(super) struct ChainPane {
    link: ChainLink,
    /// The formats as they are typed; they may not be formats yet.
    via: String,
    via_error: Option<String>,
    literal: Literal,
    error: Option<String>,
    chain: Chain,
}

impl Default for ChainPane {
    fn default() -> Self {
        let via = vec![Format::FP64, Format::FP32, Format::FP16, Format::E4M3];
        Self::of(ChainLink { value: "0.0009765625000000001".to_owned(), via, how: How::default() })
    }
}

impl ChainPane {
    /// The pane as a link says.
    pub(super) fn of(link: ChainLink) -> Self {
        let (literal, error) = match parse_value(&link.value) {
            Ok(literal) => (literal, None),
            Err(error) => (Literal::Value(Value::from(0.0)), Some(error)),
        };
        let via = link.via_text();
        let mut pane = Self { link, via, via_error: None, literal, error, chain: Chain { links: Vec::new() } };
        pane.derive();
        pane
    }

    pub(super) const fn link(&self) -> &ChainLink {
        &self.link
    }

    fn enter(&mut self, text: String) {
        match parse_value(&text) {
            Ok(literal) => (self.literal, self.error) = (literal, None),
            Err(error) => self.error = Some(error),
        }
        self.link.value = text;
        self.derive();
    }

    fn derive(&mut self) {
        match ChainLink::formats(&self.via) {
            Ok(via) => (self.link.via, self.via_error) = (via, None),
            Err(error) => self.via_error = Some(error),
        }
        self.chain = Chain::of(&self.literal, &self.link.via, &self.link.how.draws().draw());
    }

    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        let lang = model.lang;
        card::tight(ui, |ui| self.input_ui(ui, lang));
        ui.add_space(6.0);
        card::while_typed(ui, self.error.is_some() || self.via_error.is_some(), |ui| {
            self.boxes_ui(ui, lang);
            ui.add_space(6.0);
            card::tight(ui, |ui| self.verdict_ui(ui, lang));
        });
        ui.add_space(4.0);
        card::tight(ui, |ui| self.witness_ui(ui, model, actions));
    }

    fn input_ui(&mut self, ui: &mut Ui, lang: Lang) {
        ui.horizontal(|ui| {
            let field = ValueField {
                size: 1.15,
                error: self.error.as_deref(),
                ..ValueField::new(Id::unique("chain value"), Bits::Value.text(lang), 260.0)
            };
            let mut text = self.link.value.clone();
            if field.show(ui, &mut text).changed() {
                self.enter(text);
            }
            card::weak(ui, Text::Through.text(lang));
            let field = ValueField {
                error: self.via_error.as_deref(),
                ..ValueField::new(Id::unique("chain formats"), Text::ChainFormats.text(lang), 300.0)
            };
            if field.show(ui, &mut self.via).on_hover_text(Text::ChainFormatsHint.text(lang)).changed() {
                self.derive();
            }
            if let Some(error) = self.error.as_ref().or(self.via_error.as_ref()) {
                error_line(ui, error);
            }
        });
        if let Some(how) = policy_bar(ui, "chain pane", lang, self.link.how) {
            self.link.how = how;
            self.derive();
        }
        let names = EXAMPLES.map(|(name, _)| name);
        let example = examples_ui(ui, lang, &names).and_then(|name| EXAMPLES.iter().find(|row| row.0 == name));
        if let Some(Ok(Link::Chain(link))) = example.map(|(_, line)| Link::parse(line)) {
            let how = self.link.how;
            *self = Self::of(ChainLink { how, ..link });
        }
    }

    /// One box a format, with arrows between them.
    fn boxes_ui(&self, ui: &mut Ui, lang: Lang) {
        let count = self.chain.links.len().max(1) as f32;
        let arrow = 22.0;
        let width = ((ui.available_width() - arrow * (count - 1.0)) / count).min(300.0);
        let (rect, _) = ui.allocate_exact_size(
            egui::vec2(ui.available_width(), TextStyle::Body.resolve(ui.style()).size * 16.5),
            egui::Sense::hover(),
        );
        for (at, step) in self.chain.links.iter().enumerate() {
            let left = rect.left() + at as f32 * (width + arrow);
            let place = egui::Rect::from_min_size(egui::pos2(left, rect.top()), egui::vec2(width, rect.height()));
            card::card_in(ui, place, |ui| step_ui(ui, step, lang));
            if at > 0 {
                let at = egui::pos2(left - arrow / 2.0, rect.top() + 44.0);
                let color = Tokens::of(ui).text_weak;
                let font = theme::title().resolve(ui.style());
                ui.painter().text(at, egui::Align2::CENTER_CENTER, "→", font, color);
            }
        }
        ui.advance_cursor_after_rect(rect);
    }

    fn verdict_ui(&self, ui: &mut Ui, lang: Lang) {
        let Some(last) = self.chain.links.last() else { return };
        let name = |bits: u64| named(last.format, bits);
        let (text, role) = if self.chain.differs() {
            (words::chain_differs(lang, &name(last.rounded.bits), &name(last.direct.bits)), Role::Lost)
        } else {
            (words::chain_agrees(lang, &name(last.rounded.bits)), Role::Advised)
        };
        power::label(ui, &text, &theme::title(), theme::ink(ui, role));
    }

    fn witness_ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        let lang = model.lang;
        let question = (self.link.via.clone(), self.link.how.policy);
        card::titled(ui, Text::WitnessTitle.text(lang), Text::WitnessHint.text(lang));
        let mut follow = None;
        ui.horizontal_wrapped(|ui| {
            let possible = self.link.via.len() >= 3 && !self.link.how.is_stochastic();
            let button = ui.add_enabled(possible, egui::Button::new(Text::FindWitness.text(lang)));
            if button.on_disabled_hover_text(Text::WitnessNeeds.text(lang)).clicked() {
                actions.push(Action::FindWitness(question.clone()));
            }
            let answer = model.witness.as_ref().filter(|answer| answer.question == question);
            follow = answer.and_then(|answer| answer_ui(ui, answer, lang));
        });
        if let Some(text) = follow {
            self.enter(text);
        }
    }
}

/// What a search came to; returns the number as text where it was chosen.
fn answer_ui(ui: &mut Ui, answer: &WitnessAnswer, lang: Lang) -> Option<String> {
    let first = *answer.question.0.first()?;
    match answer.result.as_ref() {
        None => drop(card::weak(ui, Text::Searching.text(lang))),
        Some(Err(line)) => error_line(ui, line),
        Some(Ok(Witness::None)) => drop(ui.label(Text::NoWitness.text(lang))),
        Some(Ok(Witness::NoneBelow(code))) => {
            let last = answer.question.0.last()?;
            ui.label(words::none_below(lang, &named(*last, *code)));
        }
        Some(Ok(Witness::Found(bits))) => {
            let value = elided(&first.exact_decimal(*bits), 72);
            ui.label(RichText::new(format!("{value} = {}", first.hex(*bits))).text_style(theme::strong()));
            if card::small_button(ui, Text::ShowIt.text(lang)).clicked() {
                return Some(format!("{}:{}", first.name(), first.hex(*bits)));
            }
        }
    }
    None
}

/// The box of one conversion.
fn step_ui(ui: &mut Ui, step: &ChainStep, lang: Lang) {
    let tokens = Tokens::of(ui);
    let format = step.format;
    let value = |bits: u64| shown(&format.value_text(bits, WIDTH));
    ui.spacing_mut().item_spacing.y = 2.0;
    card::title(ui, &format.label());
    ui.label(RichText::new(value(step.rounded.bits)).text_style(theme::title()).color(tokens.text));
    ui.label(RichText::new(format.hex(step.rounded.bits)).monospace().color(tokens.text_weak));
    small(ui, &flags_text(step.rounded.status, lang));
    for event in &step.events {
        let role = if *event == ChainEvent::ToZero { Role::Lost } else { Role::Overflow };
        let text = RichText::new(format!("▲ {}", happened(*event).text(lang)));
        ui.add(egui::Label::new(text.text_style(theme::small_strong()).color(theme::ink(ui, role))).wrap());
    }
    ui.add_space(4.0);
    let (mark, role) = if step.differs() { ("≠", Role::Lost) } else { ("=", Role::Advised) };
    let frame = Frame::new()
        .stroke(Stroke::new(1.0, theme::ink(ui, role)))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(8, 4));
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        small(ui, Text::Directly.text(lang));
        let text = format!("{mark} {}", value(step.direct.bits));
        ui.label(RichText::new(text).text_style(theme::strong()).color(theme::ink(ui, role)));
        ui.label(RichText::new(format.hex(step.direct.bits)).monospace().color(tokens.text_weak));
    });
}

fn small(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).text_style(TextStyle::Small).color(Tokens::of(ui).text_weak);
    ui.add(egui::Label::new(text).wrap());
}
