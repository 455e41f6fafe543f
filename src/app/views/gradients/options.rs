//! The strip above the picture: lane, source, stage, format, rule.

use egui::{ComboBox, RichText, TextStyle, Ui};

use super::choice::Choice;
use crate::app::model::Model;
use crate::app::theme::Tokens;
use crate::app::widgets::choice_list::{close_if_chosen, keep_focus};
use crate::app::widgets::segmented::{Choice as Option_, segmented};
use crate::histogram::{Rule, Source, Stage, Target};
use crate::i18n::Lang;
use crate::i18n::gradients::Gradients as Text;

/// Lays out the strip, in two lines where the window is narrow.
pub(super) fn options_ui(ui: &mut Ui, model: &Model, choice: &mut Choice) {
    let unit = TextStyle::Body.resolve(ui.style()).size / 14.0;
    let staged = choice.stages(&model.recording).len() > 1;
    let needed = unit * if staged { 1010.0 } else { 800.0 };
    if ui.available_width() >= needed {
        ui.horizontal(|ui| {
            whose_ui(ui, model, choice);
            how_ui(ui, model.lang, choice);
        });
    } else {
        ui.horizontal(|ui| whose_ui(ui, model, choice));
        ui.horizontal(|ui| how_ui(ui, model.lang, choice));
    }
}

/// Whose values are shown.
fn whose_ui(ui: &mut Ui, model: &Model, choice: &mut Choice) {
    lane_ui(ui, model, choice);
    source_ui(ui, model, choice);
    stage_ui(ui, model, choice);
}

/// What becomes of them.
fn how_ui(ui: &mut Ui, lang: Lang, choice: &mut Choice) {
    target_ui(ui, lang, choice);
    rule_ui(ui, lang, choice);
}

fn name_ui(ui: &mut Ui, text: &str) -> egui::Response {
    let color = Tokens::of(ui).text_weak;
    ui.label(RichText::new(text).text_style(TextStyle::Small).color(color))
}

fn lane_ui(ui: &mut Ui, model: &Model, choice: &mut Choice) {
    let lanes = &model.recording.lanes;
    let name = |index: usize| lanes.get(index).map_or("", |lane| lane.info.config.lane.as_str());
    let mut lane = choice.lane;
    let label = name_ui(ui, Text::Lane.text(model.lang));
    let combo = ComboBox::from_id_salt("lane").selected_text(RichText::new(name(lane)).text_style(TextStyle::Small));
    let shown = combo.show_ui(ui, |ui| {
        for index in 0..lanes.len() {
            let choice = ui.selectable_value(&mut lane, index, name(index));
            close_if_chosen(ui, &choice);
        }
    });
    keep_focus(ui, &shown);
    shown.response.labelled_by(label.id);
    if lane != choice.lane {
        choice.take_lane(&model.recording, lane);
    }
    ui.add_space(4.0);
}

fn source_ui(ui: &mut Ui, model: &Model, choice: &mut Choice) {
    let (lang, sources) = (model.lang, choice.sources(&model.recording));
    if sources.len() < 2 {
        return;
    }
    let option = |source: &Source| {
        let (text, hint) = match source {
            Source::Run => (Text::SourceRun, Text::SourceRunHint),
            Source::Twin => (Text::SourceTwin, Text::SourceTwinHint),
            Source::File => (Text::SourceFile, Text::SourceFileHint),
        };
        Option_ { value: *source, text: text.text(lang), hint: hint.text(lang) }
    };
    let options: Vec<_> = sources.iter().map(option).collect();
    name_ui(ui, Text::Source.text(lang));
    if let Some(source) = segmented(ui, Text::Source.text(lang), choice.source, &options) {
        choice.source = source;
        choice.repair(&model.recording);
    }
    ui.add_space(4.0);
}

fn stage_ui(ui: &mut Ui, model: &Model, choice: &mut Choice) {
    let (lang, stages) = (model.lang, choice.stages(&model.recording));
    if stages.len() < 2 {
        return;
    }
    let option = |stage: &Stage| {
        let (text, hint) = match stage {
            Stage::BeforeCast => (Text::StageBefore, Text::StageBeforeHint),
            Stage::AfterCast => (Text::StageAfter, Text::StageAfterHint),
        };
        Option_ { value: *stage, text: text.text(lang), hint: hint.text(lang) }
    };
    let options: Vec<_> = stages.iter().map(option).collect();
    if let Some(stage) = segmented(ui, Text::Stage.text(lang), choice.stage, &options) {
        choice.stage = stage;
        choice.repair(&model.recording);
    }
    ui.add_space(4.0);
}

fn target_ui(ui: &mut Ui, lang: Lang, choice: &mut Choice) {
    let options: Vec<_> =
        Target::ALL.iter().map(|target| Option_ { value: *target, text: target.label(), hint: "" }).collect();
    name_ui(ui, Text::Target.text(lang));
    if let Some(target) = segmented(ui, Text::Target.text(lang), choice.target, &options) {
        choice.target = target;
    }
    ui.add_space(4.0);
}

fn rule_ui(ui: &mut Ui, lang: Lang, choice: &mut Choice) {
    let options = [
        Option_ { value: Rule::Ieee, text: Text::RuleIeee.text(lang), hint: Text::RuleIeeeHint.text(lang) },
        Option_ { value: Rule::Paper, text: Text::RulePaper.text(lang), hint: Text::RulePaperHint.text(lang) },
    ];
    name_ui(ui, Text::Rule.text(lang));
    if let Some(rule) = segmented(ui, Text::Rule.text(lang), choice.rule, &options) {
        choice.rule = rule;
    }
    ui.add_space(4.0);
}
