//! A format: chosen from the list, or typed as a name such as `e5m3b16-fn`.

use egui::{ComboBox, Id, Key, RichText, TextStyle, Ui};

use super::choice_list::choice_list;
use super::value_field::ValueField;
use crate::export::refused;
use crate::format::{Format, ParseError};
use crate::i18n::Lang;
use crate::i18n::arithmetic::{Arithmetic as Text, fields_of};

/// How wide the list and the field are.
const LIST_WIDTH: f32 = 96.0;
const FIELD_WIDTH: f32 = 104.0;

/// What is being typed into a field: it may not be a name yet.
#[derive(Debug, Clone)]
struct Typed {
    text: String,
    /// The format that was chosen beside it.
    beside: Format,
}

/// Shows list and field side by side under a name that is unique in the window; returns another format if one was
/// chosen or typed, or what is wrong with what is typed. That stays until it is right or Esc is pressed.
pub fn format_field(ui: &mut Ui, name: &str, lang: Lang, chosen: Format) -> Option<Result<Format, ParseError>> {
    if let Some(listed) = format_list(ui, name, lang, chosen) {
        return Some(Ok(listed));
    }
    let id = Id::unique(("format field", name));
    let typed: Option<Typed> = ui.data(|data| data.get_temp(id));
    // A format that was chosen elsewhere takes the place of what was typed.
    let is_current = |typed: &Typed| typed.beside == chosen || Format::parse(&typed.text) == Ok(chosen);
    let mut text = typed.filter(is_current).map_or_else(|| chosen.name(), |typed| typed.text);
    let error = Format::parse(&text).err().map(|error| refused(&error, lang));
    let label = format!("{name}, {}", Text::FormatName.text(lang));
    let field = ValueField { error: error.as_deref(), size: 0.95, ..ValueField::new(id, &label, FIELD_WIDTH) };
    let mut response = field.show(ui, &mut text);
    if error.is_none() {
        response = response.on_hover_text(Text::FormatNameHint.text(lang));
    }
    let parsed = Format::parse(&text);
    let pressed = |key| response.lost_focus() && ui.input(|input| input.key_pressed(key));
    if pressed(Key::Escape) {
        ui.data_mut(|data| data.remove::<Typed>(id));
        return None;
    }
    if pressed(Key::Enter) && parsed.is_err() {
        response.request_focus();
    }
    if response.has_focus() || parsed.is_err() {
        ui.data_mut(|data| data.insert_temp(id, Typed { text, beside: chosen }));
    } else {
        ui.data_mut(|data| data.remove::<Typed>(id));
    }
    match parsed {
        Ok(format) => (response.changed() && format != chosen).then_some(Ok(format)),
        Err(error) => Some(Err(error)),
    }
}

/// The line for what [`format_field`] could not read.
#[must_use]
pub fn typed_error(typed: Option<Result<Format, ParseError>>, lang: Lang) -> Option<String> {
    typed?.err().map(|error| refused(&error, lang))
}

/// Only the list.
pub fn format_list(ui: &mut Ui, name: &str, lang: Lang, chosen: Format) -> Option<Format> {
    let mut now = chosen;
    let label = chosen.label();
    let list = ComboBox::from_id_salt(("format", name))
        .selected_text(RichText::new(&label).text_style(TextStyle::Small))
        .width(LIST_WIDTH)
        .height(420.0);
    let text = |format: Format| {
        let fields = fields_of(lang, format.is_signed(), format.exponent_bits(), format.fraction_bits());
        format!("{}  {fields}", format.label())
    };
    let choices = Format::presets().map(|format| (format, text(format), ""));
    choice_list(ui, list, [name, &label, ""], &mut now, choices).then_some(now)
}
