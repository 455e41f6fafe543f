//! Every cast that a policy put into the program, and why.

use egui::{CollapsingHeader, Grid, RichText, ScrollArea, TextStyle, Ui, vec2};

use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::i18n::train::{self as words, Train as Text};
use crate::train::report::CastInfo;

/// Lays out the list, folded at first: one heading a lane.
pub(super) fn casts_ui(ui: &mut Ui, model: &Model) {
    let lang = model.lang;
    CollapsingHeader::new(RichText::new(Text::Casts.text(lang)).text_style(theme::title())).id_salt("casts").show(
        ui,
        |ui| {
            for (index, lane) in model.recording.lanes.iter().enumerate() {
                let casts = &lane.info.casts;
                let title = words::casts_of(lang, &lane.info.config.lane, casts.len());
                CollapsingHeader::new(title).id_salt(("lane casts", index)).show(ui, |ui| {
                    if casts.is_empty() {
                        card::weak(ui, Text::NoCasts.text(lang));
                    } else {
                        table_ui(ui, model, index, casts);
                    }
                });
            }
        },
    );
}

fn table_ui(ui: &mut Ui, model: &Model, lane: usize, casts: &[CastInfo]) {
    let lang = model.lang;
    let tokens = Tokens::of(ui);
    ScrollArea::vertical().id_salt(("casts", lane)).max_height(220.0).auto_shrink([false, true]).show(ui, |ui| {
        Grid::new(("cast table", lane)).num_columns(3).spacing(vec2(20.0, 3.0)).show(ui, |ui| {
            for head in [Text::CastTensor, Text::CastChange, Text::CastWhy] {
                card::weak(ui, head.text(lang));
            }
            ui.end_row();
            for cast in casts {
                ui.label(RichText::new(&cast.tensor).color(tokens.text));
                ui.label(RichText::new(format!("{} → {}", cast.from, cast.to)).color(tokens.text));
                ui.label(RichText::new(&cast.why).text_style(TextStyle::Small).color(tokens.text_weak));
                ui.end_row();
            }
        });
    });
}
