//! A code typed part by part: its fields as numbers, its bytes as they lie in memory.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Id, PopupCloseBehavior, RichText, TextStyle, Ui, WidgetInfo};

use super::derived::Row;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::bit_strip::Edit;
use crate::app::widgets::card;
use crate::app::widgets::value_field::ValueField;
use crate::figure::Role;
use crate::format::{ByteOrder, CodeField, Format};
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text};

/// A part of a code that can be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Field(CodeField),
    Bytes(ByteOrder),
}

/// The parts with their names and colours, in the order in which they stand.
const PARTS: [(Part, Text, Option<Role>); 5] = [
    (Part::Field(CodeField::Sign), Text::Sign, Some(Role::Sign)),
    (Part::Field(CodeField::Exponent), Text::ExponentField, Some(Role::Exponent)),
    (Part::Field(CodeField::Fraction), Text::FractionField, Some(Role::Fraction)),
    (Part::Bytes(ByteOrder::Little), Text::LittleEndian, None),
    (Part::Bytes(ByteOrder::Big), Text::BigEndian, None),
];

impl Part {
    fn text(self, format: Format, bits: u64) -> String {
        match self {
            Self::Field(field) => format.field(bits, field).to_string(),
            Self::Bytes(order) => format.bytes(bits, order),
        }
    }

    fn read(self, format: Format, bits: u64, text: &str) -> Result<u64, String> {
        match self {
            Self::Field(field) => format.with_field(bits, field, text),
            Self::Bytes(order) => format.code_of_bytes(text, order),
        }
    }

    /// Whether the format has it.
    const fn is_in(self, format: Format) -> bool {
        match self {
            Self::Field(field) => format.field_bits(field) > 0,
            Self::Bytes(_) => true,
        }
    }

    /// What can be typed.
    fn range(self, format: Format, lang: Lang) -> String {
        match self {
            Self::Field(field) => format!("0 … {}", (1u64 << format.field_bits(field)) - 1),
            Self::Bytes(_) => words::bytes_of(lang, format.width().div_ceil(8)),
        }
    }
}

/// The button that opens the fields; returns the code that was typed.
pub(super) fn typed_ui(ui: &mut Ui, row: &Row, lang: Lang) -> Option<Edit> {
    let label = RichText::new(Text::Fields.text(lang)).text_style(TextStyle::Small);
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, inner) = MenuButton::new(label).config(config).ui(ui, |ui| {
        // A menu is as narrow as it can be; the bytes of FP64 must fit.
        ui.set_min_width(TextStyle::Body.resolve(ui.style()).size * 36.0);
        card::weak(ui, Text::FieldsHint.text(lang));
        ui.spacing_mut().item_spacing = egui::vec2(10.0, 4.0);
        let part_ui = |ui: &mut Ui, part| ui.horizontal(|ui| part_ui(ui, row, lang, part)).inner;
        let parts = PARTS.into_iter().filter(|(part, ..)| part.is_in(row.format));
        parts.fold(None, |edit, part| part_ui(ui, part).or(edit))
    });
    let name = words::fields_of_code(lang, &row.format.label());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
    inner.and_then(|inner| inner.inner)
}

fn part_ui(ui: &mut Ui, row: &Row, lang: Lang, (part, name, role): (Part, Text, Option<Role>)) -> Option<Edit> {
    let format = row.format;
    let name = name.text(lang);
    let color = role.map_or(Tokens::of(ui).text, |role| theme::ink(ui, role));
    let size = TextStyle::Body.resolve(ui.style()).size;
    let width = size * 9.0;
    ui.allocate_ui(egui::vec2(width, size * 1.2), |ui| {
        ui.set_width(width);
        ui.label(RichText::new(name).text_style(theme::small_strong()).color(color));
    });
    let id = Id::unique(("typed", format.name(), part));
    // What is being typed may not fit yet; it is kept until the field is left.
    let kept: Option<String> = ui.data(|data| data.get_temp(id)).filter(|_| ui.memory(|memory| memory.has_focus(id)));
    let mut text = kept.unwrap_or_else(|| part.text(format, row.bits));
    let error = part.read(format, row.bits, &text).err();
    let label = format!("{} {name}", format.label());
    let field = ValueField { error: error.as_deref(), ..ValueField::new(id, &label, 204.0) };
    let changed = field.show(ui, &mut text).changed();
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    card::weak(ui, &part.range(format, lang));
    part.read(format, row.bits, &text).ok().filter(|code| changed && *code != row.bits).map(Edit::Code)
}
