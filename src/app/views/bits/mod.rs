//! One number in every format: typed, clicked bit by bit or stepped by ULP, and where each format puts it.

mod block;
mod landing;

use egui::{ComboBox, Key, Modifiers, RichText, TextEdit, TextStyle, Ui, WidgetInfo};

use super::number::{Row, derived, row};
use super::{View, ViewId};
use crate::app::action::Actions;
use crate::app::model::Model;
use crate::app::theme::Tokens;
use crate::app::widgets::bit_strip::Edit;
use crate::app::widgets::card;
use crate::app::widgets::choice_list::choice_list;
use crate::app::widgets::format_chips::format_chips;
use crate::app::widgets::policy_bar::rounding_list;
use crate::format::{Block, BlockFormat, Format, Literal, Value, parse_value};
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text};
use crate::link::{BitsLink, How, Link};

/// Values worth a look, each for its own reason.
const EXAMPLES: [&str; 6] = ["0.1", "65519.9999", "65520", "2^-25", "3*2^-26", "1/3"];

/// Values worth a look as a block: plain ones, an outlier that costs the others their bits, powers of two, a NaN.
const BLOCK_EXAMPLES: [&str; 4] = [
    "0.1 -0.5 1.5 3 -6 0.02 5 -1e-3 0.3 0.7 -2.5 2",
    "0.1 -0.5 1.5 3 -6 0.02 448 12",
    "1 2 4 8 16 32 0.5 0.25",
    "1 -1 nan 0.5 inf 3",
];

/// Longest decimal that a flipped bit puts into the field; a longer one is written as bits.
const TYPED_WIDTH: usize = 22;

/// The Bits view.
#[derive(Debug)]
pub(super) struct BitsView {
    link: BitsLink,
    /// The last value that could be read; what is being typed may not be one yet.
    literal: Literal,
    error: Option<String>,
    /// The format of the number line.
    chosen: Format,
    rows: Vec<Row>,
    /// The blocks, where a block format is shown.
    blocks: Vec<Block>,
}

impl Default for BitsView {
    fn default() -> Self {
        let value = "65519.9999".to_owned();
        Self::of(BitsLink { value, formats: BitsLink::USUAL.to_vec(), block: None, how: How::default() })
    }
}

impl View for BitsView {
    fn id(&self) -> ViewId {
        ViewId::Bits
    }

    fn link(&self) -> Option<Link> {
        Some(Link::Bits(self.link.clone()))
    }

    fn follow(&mut self, link: &Link) {
        if let Link::Bits(link) = link {
            *self = Self::of(link.clone());
        }
    }

    fn ui(&mut self, ui: &mut Ui, model: &Model, _actions: &mut Actions) {
        let lang = model.lang;
        ui.spacing_mut().item_spacing.y = 4.0;
        // Six cards stand above each other: lines of text must not be as tall as buttons.
        ui.spacing_mut().interact_size.y = TextStyle::Body.resolve(ui.style()).size * 1.25;
        let field = egui::Id::unique("bits value");
        if ui.memory(|memory| memory.has_focus(field)) {
            // Before the field sees them: there they would move the text cursor.
            self.step_keys(ui);
        }
        card::tight(ui, |ui| self.input_ui(ui, lang, field));
        if self.link.block.is_some() {
            ui.add_space(4.0);
            block::blocks_ui(ui, lang, &self.blocks);
            return;
        }
        for at in 0..self.rows.len() {
            let row = &self.rows[at];
            let (response, edit) = card::tight(ui, |ui| row::row_ui(ui, row, lang, false));
            let format = row.format;
            if response.gained_focus() || response.has_focus() {
                self.chosen = format;
            }
            if let Some(edit) = edit {
                self.edit(format, self.rows[at].bits, edit);
            }
        }
        let chosen = self.rows.iter().find(|row| row.format == self.chosen);
        if let Some(row) = chosen {
            let picked = card::tight(ui, |ui| landing::landing_ui(ui, row, &self.link.formats, lang));
            self.chosen = picked.unwrap_or(self.chosen);
        }
    }
}

impl BitsView {
    /// The view as a link says.
    fn of(link: BitsLink) -> Self {
        let chosen = link.formats.first().copied().unwrap_or(Format::FP16);
        let literal = Literal::Value(Value::from(0.0));
        let value = link.value.clone();
        let mut view = Self { link, literal, error: None, chosen, rows: Vec::new(), blocks: Vec::new() };
        view.enter(value);
        view
    }

    /// Takes a text in; what is shown follows if it is a value, or values for a block.
    fn enter(&mut self, text: String) {
        self.link.value = text;
        self.derive();
    }

    /// What could be read last stays while something is being typed.
    fn derive(&mut self) {
        let text = &self.link.value;
        let mut draws = self.link.how.draws();
        self.error = match self.link.block {
            Some(format) => block::blocks(text, format, draws).map(|blocks| self.blocks = blocks).err(),
            None => parse_value(text).map(|literal| self.literal = literal).err(),
        };
        let formats = &self.link.formats;
        self.rows = formats.iter().map(|format| Row::new(&self.literal, *format, &draws.draw())).collect();
        if !formats.contains(&self.chosen) {
            self.chosen = formats.first().copied().unwrap_or(self.chosen);
        }
    }

    fn edit(&mut self, format: Format, bits: u64, edit: Edit) {
        let bits = edit.apply(format, bits);
        self.chosen = format;
        // The exact decimal where it is short: 65472 is what the code means, 65470 only reads back as it in FP16.
        let decimal = format.exact_decimal(bits);
        let is_short = decimal.len() <= TYPED_WIDTH && decimal != "nan";
        self.enter(if is_short { decimal } else { format!("{}:{}", format.name(), format.hex(bits)) });
    }

    fn step_keys(&mut self, ui: &Ui) {
        for (key, edit) in [(Key::ArrowUp, Edit::Up), (Key::ArrowDown, Edit::Down)] {
            if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, key)) {
                let bits = self.rows.iter().find(|row| row.format == self.chosen).map(|row| row.bits);
                if let Some(bits) = bits {
                    self.edit(self.chosen, bits, edit);
                }
            }
        }
    }

    fn input_ui(&mut self, ui: &mut Ui, lang: Lang, field: egui::Id) {
        let tokens = Tokens::of(ui);
        ui.horizontal(|ui| {
            let mut text = self.link.value.clone();
            let font = egui::FontId::new(TextStyle::Body.resolve(ui.style()).size * 1.25, egui::FontFamily::Monospace);
            let edit = TextEdit::singleline(&mut text)
                .id(field)
                .font(font)
                .desired_width(if self.link.block.is_some() { 560.0 } else { 300.0 });
            let response = ui.add(edit.hint_text(Text::ValueHint.text(lang)));
            let (before, name) = (self.link.value.clone(), Text::Value.text(lang));
            response.widget_info(|| WidgetInfo {
                label: Some(name.to_owned()),
                ..WidgetInfo::text_edit(true, &before, &text, name)
            });
            if response.changed() {
                self.enter(text);
            }
            match &self.error {
                Some(error) => {
                    let width = (ui.available_width() - 240.0).max(120.0);
                    let line = RichText::new(error).color(tokens.error).text_style(TextStyle::Small);
                    ui.allocate_ui(egui::vec2(width, 0.0), |ui| ui.add(egui::Label::new(line).wrap()));
                }
                None if self.link.block.is_some() => {}
                None => {
                    card::weak(ui, &self.meaning(lang));
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| self.rounding_ui(ui, lang));
        });
        ui.horizontal_wrapped(|ui| self.formats_ui(ui, lang));
        let block = self.link.block;
        let examples = |ui: &mut Ui| {
            card::weak(ui, Text::Try.text(lang));
            for example in if block.is_some() { &BLOCK_EXAMPLES[..] } else { &EXAMPLES[..] } {
                if card::small_button(ui, example).clicked() {
                    self.enter((*example).to_owned());
                }
            }
        };
        row::line(ui, examples, if block.is_some() { "" } else { Text::Keys.text(lang) });
    }

    /// The formats, or the block format.
    fn formats_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let mut block = self.link.block;
        let text =
            |block: Option<BlockFormat>| block.map_or_else(|| Text::NoBlock.text(lang).to_owned(), BlockFormat::name);
        let list = ComboBox::from_id_salt("block")
            .selected_text(RichText::new(text(block)).text_style(TextStyle::Small))
            .width(130.0);
        let choices =
            std::iter::once(None).chain(BlockFormat::presets().map(Some)).map(|choice| (choice, text(choice)));
        choice_list(ui, list, [Text::BlockFormat.text(lang), &text(self.link.block)], &mut block, choices);
        let mut changed = false;
        if block.is_none() {
            changed = format_chips(ui, lang, &mut self.link.formats, BitsLink::MOST, false);
        }
        if block != self.link.block {
            // A block of one number says little, and many numbers are no value of one format.
            match (self.link.block, block) {
                (None, Some(_)) => BLOCK_EXAMPLES[0].clone_into(&mut self.link.value),
                (Some(_), None) => EXAMPLES[0].clone_into(&mut self.link.value),
                _ => {}
            }
            (self.link.block, changed) = (block, true);
        }
        if changed {
            self.derive();
        }
    }

    fn rounding_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let chosen = rounding_list(ui, "bits", lang, self.link.how.policy.rounding);
        if chosen != self.link.how.policy.rounding {
            self.link.how.policy.rounding = chosen;
            self.derive();
        }
    }

    /// What the typed text means, if that is not obvious from it.
    fn meaning(&self, lang: Lang) -> String {
        match self.literal.value() {
            Value::Finite(exact) => {
                let decimal = exact.to_decimal().map(|text| derived::elided(&text, 34));
                match decimal.or_else(|| exact.to_fraction_text()) {
                    Some(decimal) if decimal == self.link.value.trim() => Text::Exactly.text(lang).to_owned(),
                    Some(decimal) => words::exactly(lang, &derived::elided(&decimal, 40)),
                    None => exact.to_significant(12).map_or_else(String::new, |text| format!("≈ {text}")),
                }
            }
            Value::Infinite { negative } => format!("= {}∞", if negative { "−" } else { "" }),
            Value::Nan(_) => "= NaN".to_owned(),
        }
    }
}
