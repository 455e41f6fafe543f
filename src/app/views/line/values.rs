//! Every number of a format of up to eight bits: a table with the upper half of the code down and the lower half across.

use std::sync::Arc;

use egui::{Button, Grid, RichText, ScrollArea, Ui, WidgetInfo};

use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::shown;
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::figure::Role;
use crate::format::{Class, Format};
use crate::i18n::Lang;
use crate::i18n::line::{self as words, Line as Text};

/// Widest format whose numbers are listed.
const WIDEST: u32 = 8;

/// Characters that a cell has room for.
const CELL_WIDTH: usize = 8;

/// Lays out the table of the format that `code` was last chosen in.
pub(super) fn values_ui(ui: &mut Ui, lang: Lang, formats: &[Format], code: &mut u64) {
    let narrow: Vec<Format> = formats.iter().copied().filter(|format| format.width() <= WIDEST).collect();
    let id = egui::Id::unique("values format");
    let kept: Option<Format> = ui.data(|data| data.get_temp(id));
    let Some(mut format) = kept.filter(|format| narrow.contains(format)).or_else(|| narrow.first().copied()) else {
        card::weak(ui, Text::NoneNarrow.text(lang));
        return;
    };
    card::titled(ui, Text::ValuesTitle.text(lang), Text::ValuesHint.text(lang));
    let labels: Vec<String> = narrow.iter().map(|format| format.label()).collect();
    let choices: Vec<_> =
        narrow.iter().zip(&labels).map(|(format, text)| Choice { value: *format, text, hint: "" }).collect();
    if let Some(chosen) = segmented(ui, Text::ValuesTitle.text(lang), format, &choices) {
        format = chosen;
    }
    ui.data_mut(|data| data.insert_temp(id, format));
    *code &= format.mask();
    let area = ScrollArea::both().id_salt("values").auto_shrink([false, true]);
    area.max_height(ui.available_height() - 64.0).show(ui, |ui| {
        table_ui(ui, lang, format, code);
    });
    let told = words::code(lang, &format.hex(*code), &format.exact_decimal(*code), &format.power_form(*code));
    crate::app::widgets::power::label(ui, &told, &theme::strong(), Tokens::of(ui).text);
    let bits = format!("{:0width$b}", *code, width = format.width() as usize);
    card::weak(ui, &format!("{bits} · {}", class_text(format.class(*code)).text(lang)));
}

fn table_ui(ui: &mut Ui, lang: Lang, format: Format, code: &mut u64) {
    let columns = 1_u64 << format.width().min(4);
    ui.spacing_mut().button_padding = egui::vec2(1.0, 1.0);
    ui.spacing_mut().interact_size.y = 18.0;
    let cell_width = ((ui.available_width() - 40.0) / columns as f32 - 2.0).max(46.0);
    let names = names(ui, format);
    let mut font = theme::small_strong().resolve(ui.style());
    font.size *= 0.9;
    Grid::new("values").spacing([2.0, 2.0]).show(ui, |ui| {
        card::weak(ui, "");
        for column in 0..columns {
            card::weak(ui, &format!("…{column:x}"));
        }
        ui.end_row();
        for row in 0..=(format.mask() / columns) {
            card::weak(ui, &format!("{row:x}…"));
            for column in 0..columns {
                let bits = row * columns + column;
                let class = format.class(bits);
                let value = &names[bits as usize];
                let text = RichText::new(value).font(font.clone()).color(theme::ink(ui, Role::of(class)));
                let button = ui.add(Button::selectable(bits == *code, text).min_size(egui::vec2(cell_width, 0.0)));
                let spoken = format!("{}: {value}, {}", format.hex(bits), class_text(class).text(lang));
                button.widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, bits == *code, &spoken));
                if button.clicked() {
                    *code = bits;
                }
            }
            ui.end_row();
        }
    });
}

/// What stands in the cells: the exact value, or as many digits of it as there is room for; computed once a format.
fn names(ui: &Ui, format: Format) -> Arc<[String]> {
    let id = egui::Id::unique("values names");
    let kept: Option<(Format, Arc<[String]>)> = ui.data(|data| data.get_temp(id));
    if let Some((_, names)) = kept.filter(|(of, _)| *of == format) {
        return names;
    }
    let names: Arc<[String]> = (0..=format.mask()).map(|bits| shown(&format.value_text(bits, CELL_WIDTH))).collect();
    ui.data_mut(|data| data.insert_temp(id, (format, Arc::clone(&names))));
    names
}

const fn class_text(class: Class) -> crate::i18n::bits::Bits {
    use crate::i18n::bits::Bits;
    match class {
        Class::Zero => Bits::Zero,
        Class::Subnormal => Bits::Subnormal,
        Class::Normal => Bits::Normal,
        Class::Infinite => Bits::Infinite,
        Class::Nan => Bits::Nan,
    }
}
