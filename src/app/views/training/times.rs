//! Where the time of a step goes: a table a lane, side by side.

use egui::{CollapsingHeader, CornerRadius, Grid, Rect, RichText, ScrollArea, Sense, TextStyle, Ui, vec2};

use super::curves::sample_ui;
use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::figure::Role;
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::train::{self as words, Train as Text};
use crate::train::recording::{Lane, OpTimes};
use crate::train::report::OpTime;

/// Ops that have a row of their own; the others share one.
const ROWS: usize = 12;

/// Lays out the tables, folded at first.
pub(super) fn times_ui(ui: &mut Ui, model: &Model) {
    let title = RichText::new(Text::Times.text(model.lang)).text_style(theme::title());
    CollapsingHeader::new(title).id_salt("times").show(ui, |ui| {
        ScrollArea::horizontal().id_salt("times").show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 28.0;
                for (index, lane) in model.recording.lanes.iter().enumerate() {
                    ui.vertical(|ui| lane_ui(ui, model.lang, index, lane));
                }
            });
        });
    });
}

fn lane_ui(ui: &mut Ui, lang: Lang, index: usize, lane: &Lane) {
    let tokens = Tokens::of(ui);
    ui.spacing_mut().item_spacing.x = 8.0;
    ui.horizontal(|ui| {
        sample_ui(ui, theme::lane(ui, index));
        ui.label(RichText::new(&lane.info.config.lane).text_style(theme::strong()).color(tokens.text));
    });
    card::weak(ui, &words::device(lang, &lane.info.device));
    if lane.times.steps() == 0 {
        card::weak(ui, Text::TimesNone.text(lang));
        return;
    }
    card::weak(ui, &words::a_step(lang, &duration(lane.times.total()), lane.times.steps()));
    ui.spacing_mut().interact_size.y = TextStyle::Small.resolve(ui.style()).size + 4.0;
    Grid::new(("times", index)).num_columns(4).spacing(vec2(14.0, 2.0)).show(ui, |ui| {
        for head in [Text::TimesOp, Text::TimesLayer, Text::TimesTime, Text::TimesShare] {
            card::weak(ui, head.text(lang));
        }
        ui.end_row();
        for op in rows(&lane.times, lang) {
            for text in [&op.op, &op.layer, &duration(op.seconds)] {
                ui.label(RichText::new(text).text_style(TextStyle::Small).color(tokens.text));
            }
            share_ui(ui, lang, op.seconds / lane.times.total().max(f64::MIN_POSITIVE));
            ui.end_row();
        }
    });
    if lane.is_emulated() {
        card::weak(ui, Text::TimesEmulated.text(lang));
    }
}

/// The slowest ops, and all others as one.
fn rows(times: &OpTimes, lang: Lang) -> Vec<OpTime> {
    let mut ops = times.a_step();
    if ops.len() > ROWS {
        let rest = ops.split_off(ROWS - 1).iter().map(|op| op.seconds).sum();
        ops.push(OpTime { op: Text::TimesRest.text(lang).to_owned(), layer: String::new(), seconds: rest });
    }
    ops
}

/// A share as a bar with its number.
fn share_ui(ui: &mut Ui, lang: Lang, share: f64) {
    let text = percent(lang, share);
    ui.horizontal(|ui| {
        let height = TextStyle::Small.resolve(ui.style()).size * 0.6;
        let (rail, _) = ui.allocate_exact_size(vec2(56.0, height), Sense::hover());
        ui.painter().rect_filled(rail, CornerRadius::same(2), Tokens::of(ui).well);
        let bar = Rect::from_min_size(rail.min, vec2(rail.width() * share.clamp(0.0, 1.0) as f32, height));
        ui.painter().rect_filled(bar, CornerRadius::same(2), theme::fill(ui, Role::Normal));
        ui.label(RichText::new(text).text_style(TextStyle::Small).color(Tokens::of(ui).text));
    });
}

/// Seconds with a unit that leaves three digits or so.
fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 1.0 => format!("{seconds:.2} s"),
        _ if seconds >= 1e-3 => format!("{:.2} ms", seconds * 1e3),
        _ => format!("{:.1} µs", seconds * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::report::ProfileReport;

    #[test]
    fn what_is_beyond_the_rows_is_one_row() {
        let ops = (0..20).map(|n| OpTime { op: n.to_string(), layer: String::new(), seconds: f64::from(n) }).collect();
        let mut times = OpTimes::default();
        times.add(ProfileReport { lane: 0, steps: 1, ops });
        let rows = rows(&times, Lang::En);
        assert_eq!((rows.len(), rows[0].op.as_str(), rows[ROWS - 1].seconds), (ROWS, "19", 36.0));
        assert_eq!(rows.iter().map(|op| op.seconds).sum::<f64>(), times.total());
    }

    #[test]
    fn durations_have_fitting_units() {
        for (seconds, text) in [(2.5, "2.50 s"), (0.0425, "42.50 ms"), (12.34e-6, "12.3 µs"), (0.0, "0.0 µs")] {
            assert_eq!(duration(seconds), text);
        }
    }
}
