//! One row of numbers a lane.

use egui::{Grid, RichText, ScrollArea, TextStyle, Ui, vec2};

use super::curves::{loss_text, sample_ui};
use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::train::{self as words, Train as Text};
use crate::train::config::ScalerConfig;
use crate::train::devices::Nature;
use crate::train::recording::Lane;

/// Lays out the table.
pub(super) fn readout_ui(ui: &mut Ui, model: &Model) {
    ScrollArea::horizontal().show(ui, |ui| grid_ui(ui, model));
    for note in notes(model) {
        card::weak(ui, &note);
    }
}

fn grid_ui(ui: &mut Ui, model: &Model) {
    let lang = model.lang;
    Grid::new("readout").num_columns(12).spacing(vec2(16.0, 5.0)).show(ui, |ui| {
        for head in [
            Text::LegendLane,
            Text::ReadoutStep,
            Text::ReadoutLoss,
            Text::ReadoutAccuracy,
            Text::ReadoutGap,
            Text::ReadoutScale,
            Text::ReadoutSkipped,
            Text::ReadoutSpeed,
            Text::ReadoutSamples,
        ] {
            card::weak(ui, head.text(lang));
        }
        card::weak(ui, Text::ReadoutMemory.text(lang)).on_hover_text(Text::ReadoutMemoryHint.text(lang));
        card::weak(ui, Text::ReadoutFree.text(lang)).on_hover_text(Text::ReadoutFreeHint.text(lang));
        card::weak(ui, Text::ReadoutDevice.text(lang));
        ui.end_row();
        for (index, lane) in model.recording.lanes.iter().enumerate() {
            row_ui(ui, model, index, lane);
            ui.end_row();
        }
    });
}

fn row_ui(ui: &mut Ui, model: &Model, index: usize, lane: &Lane) {
    let tokens = Tokens::of(ui);
    let lang = model.lang;
    ui.horizontal(|ui| {
        sample_ui(ui, theme::lane(ui, index));
        ui.label(RichText::new(&lane.info.config.lane).text_style(theme::strong()).color(tokens.text));
    });
    let dash = || "—".to_owned();
    let last = lane.steps.last();
    number(ui, &last.map_or_else(dash, |step| step.step.to_string()));
    number(ui, &last.map_or_else(dash, |step| loss_text(step.loss)));
    number(ui, &lane.accuracy().map_or_else(dash, |share| percent(lang, share)));
    gap_ui(ui, model, index);
    let scaled = lane.info.config.scaler != ScalerConfig::None;
    number(ui, &last.filter(|_| scaled).map_or_else(dash, |step| power::of_scale(step.scale)));
    let skipped = lane.skipped();
    let color = if skipped > 0 { theme::ink(ui, Role::Overflow) } else { tokens.text };
    power::label(ui, &skipped.to_string(), &TextStyle::Body, color);
    number(ui, &lane.steps_per_second.map_or_else(dash, |speed| format!("{speed:.0$}", usize::from(speed < 10.0))));
    number(ui, &lane.samples_per_second().map_or_else(dash, |speed| format!("{speed:.0}")));
    let planned = bytes(lane.info.buffer_bytes);
    number(ui, &lane.memory.map_or(planned.clone(), |memory| format!("{planned} ({})", bytes(memory.used))));
    number(ui, &lane.memory.and_then(|memory| memory.free).map_or_else(dash, bytes));
    device_ui(ui, lang, &lane.info.device);
}

/// The device's name; one that is no graphics processor though it comes as one is marked, and explained in [`notes`].
fn device_ui(ui: &mut Ui, lang: Lang, device: &str) {
    let color = if nature_of(device).is_some() { theme::ink(ui, Role::Lost) } else { Tokens::of(ui).text_weak };
    let device = words::device(lang, device);
    let text = RichText::new(&device).text_style(TextStyle::Small).color(color);
    ui.add(egui::Label::new(text).truncate()).on_hover_text(device);
}

/// What a device is, where that is no graphics processor though it comes as one.
fn nature_of(device: &str) -> Option<Text> {
    match Nature::of(device) {
        Nature::Software => Some(Text::NatureSoftware),
        Nature::Emulator => Some(Text::NatureEmulator),
        Nature::Processor | Nature::Graphics => None,
    }
}

/// What must be known about the devices, a line each.
pub(super) fn notes(model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    for lane in &model.recording.lanes {
        let device = &lane.info.device;
        let note = nature_of(device);
        let note = note.map(|nature| format!("{}: {}", words::device(model.lang, device), nature.text(model.lang)));
        notes.extend(note.filter(|note| !notes.contains(note)));
    }
    if model.recording.lanes.iter().any(Lane::is_emulated) {
        notes.push(Text::Emulated.text(model.lang).to_owned());
    }
    notes
}

/// How far the accuracy is from that of the FP32 lane.
fn gap_ui(ui: &mut Ui, model: &Model, index: usize) {
    let gap = model.recording.accuracy_gap(index).filter(|_| model.recording.fp32_lane() != Some(index));
    match gap {
        Some(gap) => {
            let color = theme::ink(ui, if gap < -5.0 { Role::Lost } else { Role::Advised });
            let text = format!("{gap:+.1}").replace('-', "−");
            power::label(ui, &text, &theme::strong(), color);
        }
        None => number(ui, "—"),
    }
}

fn number(ui: &mut Ui, text: &str) {
    let color = Tokens::of(ui).text;
    power::label(ui, text, &TextStyle::Body, color);
}

/// Bytes with a binary prefix, three digits or so.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match value {
        _ if unit == 0 => format!("{count} B"),
        ..10.0 => format!("{value:.2} {}", UNITS[unit]),
        ..100.0 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_carry_binary_prefixes() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.50 KiB");
        assert_eq!(bytes(5 * 1024 * 1024), "5.00 MiB");
        assert_eq!(bytes(12_345_678), "11.8 MiB");
        assert_eq!(bytes(148_000_000_000), "138 GiB");
    }
}
