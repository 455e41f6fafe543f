//! A block drawn as a block: the shared scale, and under it every element beside the value that it stands for.

use egui::{Frame, Grid, Margin, RichText, ScrollArea, Stroke, TextStyle, Ui};

use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::shown;
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::format::{Block, BlockFormat, Draws, Element, Exact, Value};
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text};

/// The most values that are shown.
const MOST: usize = 128;

/// Elements side by side.
const COLUMNS: usize = 8;

/// Quantises the values of a text.
///
/// # Errors
/// One line that names the first that is no value.
pub(super) fn blocks(text: &str, format: BlockFormat, mut draws: Draws) -> Result<Vec<Block>, String> {
    let mut blocks = format.read(text, &mut draws)?;
    blocks.truncate(MOST.div_ceil(format.size));
    Ok(blocks)
}

/// Lays out the blocks.
pub(super) fn blocks_ui(ui: &mut Ui, lang: Lang, blocks: &[Block]) {
    ScrollArea::vertical().auto_shrink([false, true]).max_height(ui.available_height().max(320.0)).show(ui, |ui| {
        for (at, block) in blocks.iter().enumerate() {
            card::tight(ui, |ui| block_ui(ui, lang, at, block));
            ui.add_space(4.0);
        }
    });
}

fn block_ui(ui: &mut Ui, lang: Lang, at: usize, block: &Block) {
    let format = block.format;
    let bits = format!("{:.4}", format.bits_per_value());
    let bits = bits.trim_end_matches('0').trim_end_matches('.');
    card::titled(
        ui,
        &words::block(lang, at + 1, &format.name()),
        &words::bits_per_value(lang, bits, block.elements.len()),
    );
    let tokens = Tokens::of(ui);
    let scale = format.scale;
    let value = shown(&scale.exact_decimal(block.scale.bits));
    let mut text = format!("{} {} = {value}", scale.label(), scale.hex(block.scale.bits));
    if block.tensor_scale != Exact::power_of_two(0) {
        let tensor = block.tensor_scale.to_significant(6).unwrap_or_default();
        text = format!("{text} × {tensor}");
    }
    let largest = block.largest.to_significant(6).unwrap_or_default();
    ui.horizontal_wrapped(|ui| {
        card::weak(ui, Text::SharedScale.text(lang));
        power::label(ui, &text, &theme::title(), theme::ink(ui, Role::Exponent));
        card::weak(ui, &words::largest_of(lang, &largest));
    });
    let width = (ui.available_width() - 8.0 * COLUMNS as f32) / COLUMNS as f32;
    Grid::new(("block", at)).spacing([6.0, 6.0]).show(ui, |ui| {
        for (place, element) in block.elements.iter().enumerate() {
            let exact = element.value == element.stored;
            let color = if exact { tokens.border } else { theme::ink(ui, Role::Lost) };
            let frame = Frame::new().fill(tokens.well).stroke(Stroke::new(1.0, color)).corner_radius(5);
            frame.inner_margin(Margin::symmetric(7, 4)).show(ui, |ui| {
                ui.set_width(width - 16.0);
                ui.vertical(|ui| element_ui(ui, format, element, exact));
            });
            if place % COLUMNS == COLUMNS - 1 {
                ui.end_row();
            }
        }
    });
}

/// The value as given, the element, and what the block holds in its place.
fn element_ui(ui: &mut Ui, format: BlockFormat, element: &Element, exact: bool) {
    let tokens = Tokens::of(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let text = |value: &Value| shown(&value.to_significant(5));
    card::weak(ui, &text(&element.value));
    let mark = if exact { "=" } else { "≈" };
    let stored = RichText::new(format!("{mark} {}", text(&element.stored))).text_style(theme::small_strong());
    ui.label(stored.color(if exact { tokens.text } else { theme::ink(ui, Role::Lost) }));
    let code = element.rounded.bits;
    let name = format!("{} {}", format.element.hex(code), shown(&format.element.value_text(code, 10)));
    let mono = egui::FontId::new(TextStyle::Small.resolve(ui.style()).size * 0.95, egui::FontFamily::Monospace);
    ui.label(RichText::new(name).font(mono).color(tokens.text_weak));
}
