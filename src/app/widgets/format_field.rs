//! A format: chosen from the list, or typed as a name such as `e5m3b16-fn`.

use egui::{ComboBox, Id, RichText, TextStyle, Ui};

use super::choice_list::choice_list;
use super::value_field::ValueField;
use crate::format::Format;
use crate::i18n::Lang;
use crate::i18n::arithmetic::{Arithmetic as Text, fields_of};

/// How wide the list and the field are.
const LIST_WIDTH: f32 = 96.0;
const FIELD_WIDTH: f32 = 104.0;

/// Shows list and field side by side under a name that is unique in the window; returns another format if one was
/// chosen or typed.
pub fn format_field(ui: &mut Ui, name: &str, lang: Lang, chosen: Format) -> Option<Format> {
    let listed = format_list(ui, name, lang, chosen);
    let id = Id::unique(("format field", name));
    // While it is being typed a name may not be one yet; it is kept until the field is left.
    let typed: Option<String> = ui.data(|data| data.get_temp(id));
    let focused = ui.memory(|memory| memory.has_focus(id));
    let mut text = typed.filter(|_| focused).unwrap_or_else(|| chosen.name());
    let error = Format::parse(&text).err();
    let label = format!("{name}, {}", Text::FormatName.text(lang));
    let field = ValueField { error: error.as_deref(), size: 0.95, ..ValueField::new(id, &label, FIELD_WIDTH) };
    let response = field.show(ui, &mut text).on_hover_text(Text::FormatNameHint.text(lang));
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    let parsed = Format::parse(&text).ok().filter(|format| response.changed() && *format != chosen);
    listed.or(parsed)
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
    let choices = Format::presets().map(|format| (format, text(format)));
    choice_list(ui, list, [name, &label], &mut now, choices).then_some(now)
}
