//! The list of tensors, each with the share it loses at the chosen scale.

use egui::{ScrollArea, Ui};

use super::choice::{Choice, Group};
use crate::app::model::Model;
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice as Option_, segmented};
use crate::app::widgets::share_row::ShareRow;
use crate::histogram::ClassCounts;
use crate::i18n::app::percent;
use crate::i18n::gradients::{self as words, Gradients as Text};
use crate::train::recording::{Lane, StepChoice, relative_exponent};

/// Lays out the list; a click chooses a tensor.
pub(super) fn tensors_ui(ui: &mut Ui, model: &Model, choice: &mut Choice) {
    let lang = model.lang;
    let groups = [
        Option_ { value: Group::Weights, text: Text::GroupWeights.text(lang), hint: Text::GroupWeightsHint.text(lang) },
        Option_ {
            value: Group::Activations,
            text: Text::GroupActivations.text(lang),
            hint: Text::GroupActivationsHint.text(lang),
        },
        Option_ { value: Group::All, text: Text::GroupAll.text(lang), hint: Text::GroupAllHint.text(lang) },
    ];
    if let Some(group) = segmented(ui, Text::Tensors.text(lang), choice.group, &groups) {
        choice.group = group;
        choice.repair(&model.recording);
    }
    ui.horizontal(|ui| {
        card::weak(ui, Text::Tensors.text(lang));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            card::weak(ui, Text::LostOfNonzero.text(lang));
        });
    });
    let Some(lane) = model.recording.lanes.get(choice.lane) else { return };
    let mut chosen = None;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for (index, probe) in choice.listed(lane) {
            let share = counts(model, choice, lane, index).and_then(|counts| counts.lost_of_nonzero());
            let value = share.map_or_else(|| Text::NoValue.text(lang).to_owned(), |share| percent(lang, share));
            let spoken = words::tensor_row(lang, &probe.tensor, &value);
            let selected = probe.tensor == choice.tensor;
            let row = ShareRow { name: &probe.tensor, value: &value, share, selected, spoken: &spoken };
            if row.show(ui).clicked() {
                chosen = Some(probe.tensor.clone());
            }
        }
    });
    if let Some(tensor) = chosen {
        choice.tensor = tensor;
    }
}

/// The classes of a probe at the chosen scale and step.
fn counts(model: &Model, choice: &Choice, _lane: &Lane, probe: usize) -> Option<ClassCounts> {
    let step = choice.step.map_or(StepChoice::Latest, StepChoice::Exact);
    let selection = model.recording.select(choice.lane, probe, step)?;
    let exponent = relative_exponent(selection.scale, choice.scale_exponent)?;
    Some(selection.histogram.classes(choice.target, exponent, choice.rule))
}
