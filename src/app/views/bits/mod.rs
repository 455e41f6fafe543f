//! One number in every format: typed, clicked bit by bit or stepped by ULP, and where each format puts it.

mod derived;
mod landing;
mod row;

use egui::{ComboBox, Key, Modifiers, RichText, TextEdit, TextStyle, Ui, WidgetInfo};

use self::derived::{FORMATS, Row};
use super::{View, ViewId};
use crate::app::action::Actions;
use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::bit_strip::Edit;
use crate::app::widgets::card;
use crate::format::{Format, Literal, Policy, Rounding, Value, parse_value};
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text};

/// Values worth a look, each for its own reason.
const EXAMPLES: [&str; 6] = ["0.1", "65519.9999", "65520", "2^-25", "3*2^-26", "1/3"];

/// Longest decimal that a flipped bit puts into the field; a longer one is written as bits.
const TYPED_WIDTH: usize = 22;

/// The Bits view.
#[derive(Debug)]
pub(super) struct BitsView {
    text: String,
    rounding: Rounding,
    /// The last value that could be read; what is being typed may not be one yet.
    literal: Literal,
    error: Option<String>,
    /// The format of the number line.
    chosen: Format,
    rows: Vec<Row>,
}

impl Default for BitsView {
    fn default() -> Self {
        let mut view = Self {
            text: String::new(),
            rounding: Rounding::Rne,
            literal: Literal::Value(Value::from(0.0)),
            error: None,
            chosen: Format::FP16,
            rows: Vec::new(),
        };
        view.enter("65519.9999".to_owned());
        view
    }
}

impl View for BitsView {
    fn id(&self) -> ViewId {
        ViewId::Bits
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
        tight_card(ui, |ui| self.input_ui(ui, lang, field));
        for at in 0..self.rows.len() {
            ui.add_space(4.0);
            let row = &self.rows[at];
            let (response, edit) = tight_card(ui, |ui| row::row_ui(ui, row, lang));
            let format = row.format;
            if response.gained_focus() || response.has_focus() {
                self.chosen = format;
            }
            if let Some(edit) = edit {
                self.edit(format, self.rows[at].bits, edit);
            }
        }
        ui.add_space(4.0);
        let chosen = self.rows.iter().find(|row| row.format == self.chosen);
        if let Some(row) = chosen {
            let picked = tight_card(ui, |ui| landing::landing_ui(ui, row, lang));
            self.chosen = picked.unwrap_or(self.chosen);
        }
    }
}

impl BitsView {
    /// Takes a text in; the rows follow if it is a value.
    fn enter(&mut self, text: String) {
        match parse_value(&text) {
            Ok(literal) => {
                self.literal = literal;
                self.error = None;
                self.derive();
            }
            Err(error) => self.error = Some(error),
        }
        self.text = text;
    }

    fn derive(&mut self) {
        let policy = Policy::with_rounding(self.rounding);
        self.rows = FORMATS.iter().map(|format| Row::new(&self.literal, *format, &policy)).collect();
    }

    fn edit(&mut self, format: Format, bits: u64, edit: Edit) {
        let bits = match edit {
            Edit::Flip(place) => bits ^ (1 << place),
            Edit::Up => format.next_up(bits),
            Edit::Down => format.next_down(bits),
        };
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
            let mut text = self.text.clone();
            let font = egui::FontId::new(TextStyle::Body.resolve(ui.style()).size * 1.25, egui::FontFamily::Monospace);
            let edit = TextEdit::singleline(&mut text).id(field).font(font).desired_width(300.0);
            let response = ui.add(edit.hint_text(Text::ValueHint.text(lang)));
            let (before, name) = (self.text.clone(), Text::Value.text(lang));
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
                None => {
                    card::weak(ui, &self.meaning(lang));
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| self.rounding_ui(ui, lang));
        });
        let examples = |ui: &mut Ui| {
            card::weak(ui, Text::Try.text(lang));
            for example in EXAMPLES {
                if ui.add(egui::Button::new(RichText::new(example).text_style(TextStyle::Small)).small()).clicked() {
                    self.enter(example.to_owned());
                }
            }
        };
        row::line(ui, examples, Text::Keys.text(lang));
    }

    fn rounding_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let mut chosen = self.rounding;
        let name = Text::Rounding.text(lang);
        let combo = ComboBox::from_id_salt("rounding")
            .selected_text(RichText::new(row::rounding(chosen).text(lang)).text_style(TextStyle::Small))
            .width(216.0)
            .show_ui(ui, |ui| {
                for mode in Rounding::DETERMINISTIC {
                    ui.selectable_value(&mut chosen, mode, row::rounding(mode).text(lang));
                }
            });
        let value = row::rounding(chosen).text(lang);
        combo.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, format!("{name}: {value}")));
        if chosen != self.rounding {
            self.rounding = chosen;
            self.derive();
        }
    }

    /// What the typed text means, if that is not obvious from it.
    fn meaning(&self, lang: Lang) -> String {
        match self.literal.value() {
            Value::Finite(exact) => {
                let decimal = exact.to_decimal().map(|text| derived::elided(&text, 34));
                match decimal.or_else(|| exact.to_fraction_text()) {
                    Some(decimal) if decimal == self.text.trim() => Text::Exactly.text(lang).to_owned(),
                    Some(decimal) => words::exactly(lang, &derived::elided(&decimal, 40)),
                    None => exact.to_significant(12).map_or_else(String::new, |text| format!("≈ {text}")),
                }
            }
            Value::Infinite { negative } => format!("= {}∞", if negative { "−" } else { "" }),
            Value::Nan(_) => "= NaN".to_owned(),
        }
    }
}

/// A card with less room above and below than the other views' cards have.
fn tight_card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let tokens = Tokens::of(ui);
    let frame = egui::Frame::new().fill(tokens.card).stroke(egui::Stroke::new(1.0, tokens.border));
    let frame = frame.corner_radius(theme::RADIUS).inner_margin(egui::Margin::symmetric(14, 7));
    let fill = |ui: &mut Ui| {
        ui.set_min_width(ui.available_width());
        add(ui)
    };
    frame.show(ui, fill).inner
}

/// The style of a value that matters.
fn value_style() -> TextStyle {
    theme::title()
}
