//! The set-up of the next run: experiment, lanes, seed, steps, images.

use std::sync::Arc;

use egui::{CornerRadius, DragValue, Galley, RichText, Sense, Stroke, TextStyle, Ui, Vec2, WidgetInfo, vec2};

use super::place;
use crate::app::action::{Action, Actions};
use crate::app::command::UiCommand;
use crate::app::model::{Data, DeviceSearch, Model};
use crate::app::setup::{DataChoice, LaneSetup, Scaling, Setup};
use crate::app::theme::{self, Tokens};
use crate::app::widgets::segmented::{Choice, segmented};
use crate::app::widgets::{card, power};
use crate::i18n::Lang;
use crate::i18n::app::App;
use crate::i18n::train::{self as words, Train as Text};
use crate::train::presets::{PRESETS, Preset};

/// Room of what stands beside the line about a policy, and that line's bounds.
const BESIDE_THE_LINE: f32 = 592.0;
const SHORTEST_LINE: f32 = 40.0;
const LONGEST_LINE: f32 = 420.0;

/// Lays out the set-up; what is changed is queued as one wish.
pub(super) fn setup_ui(ui: &mut Ui, model: &Model, actions: &mut Actions) {
    let mut setup = model.setup.clone();
    let lang = model.lang;
    card::card(ui, |ui| {
        card::title(ui, Text::Preset.text(lang));
        ui.add_space(4.0);
        presets_ui(ui, lang, &mut setup);
    });
    card::gap(ui);
    card::card(ui, |ui| {
        card::titled(ui, Text::Lanes.text(lang), Text::LanesHint.text(lang));
        ui.add_space(4.0);
        lanes_ui(ui, model, &mut setup);
        ui.add_space(4.0);
        place::devices_ui(ui, model, &mut setup);
        if place::is_emulated(model, &setup) {
            card::weak(ui, Text::Emulated.text(lang));
        }
    });
    card::gap(ui);
    card::card(ui, |ui| run_ui(ui, model, &mut setup, actions));
    if matches!(model.devices, DeviceSearch::NotBegun) {
        actions.push(Action::FindDevices);
    }
    if setup != model.setup {
        actions.push(Action::Configure(setup));
    }
}

fn presets_ui(ui: &mut Ui, lang: Lang, setup: &mut Setup) {
    let gap = ui.spacing().item_spacing.x;
    let width = (ui.available_width() - gap * (PRESETS.len() - 1) as f32) / PRESETS.len() as f32;
    // All cards are as high as the one with the longest text.
    let texts = PRESETS.each_ref().map(|preset| PresetText::new(ui, lang, preset, width));
    let height = texts.iter().map(PresetText::height).fold(0.0, f32::max);
    ui.horizontal(|ui| {
        for (preset, text) in PRESETS.iter().zip(texts) {
            if preset_ui(ui, text, preset.name == setup.preset.name, vec2(width, height)).clicked() {
                *setup = Setup { seed: setup.seed, data: setup.data, ..Setup::of(preset) };
            }
        }
    });
}

/// What a card of an experiment says, laid out.
struct PresetText {
    label: String,
    /// Name, what it shows, the network.
    lines: [Arc<Galley>; 3],
}

impl PresetText {
    const MARGIN: Vec2 = vec2(12.0, 9.0);
    const GAP: f32 = 6.0;

    fn new(ui: &Ui, lang: Lang, preset: &Preset, width: f32) -> Self {
        let tokens = Tokens::of(ui);
        let small = TextStyle::Small.resolve(ui.style());
        let (name, line) = (words::preset_name(lang, preset.name), words::preset_line(lang, preset.name));
        let network = words::network_line(lang, preset.widths, preset.batch, preset.loss_weight);
        let room = width - 2.0 * Self::MARGIN.x;
        let mut job = power::job(line, &small, tokens.text);
        job.wrap.max_width = room;
        let lines = ui.fonts_mut(|fonts| {
            let title = fonts.layout(name.clone(), theme::title().resolve(ui.style()), tokens.text, room);
            [title, fonts.layout_job(job), fonts.layout(network, small, tokens.text_weak, room)]
        });
        Self { label: format!("{name}: {line}"), lines }
    }

    fn height(&self) -> f32 {
        let text: f32 = self.lines.iter().map(|line| line.size().y).sum();
        text + 2.0 * (Self::GAP + Self::MARGIN.y)
    }
}

/// One experiment as a card that is chosen by a click.
fn preset_ui(ui: &mut Ui, text: PresetText, selected: bool, size: Vec2) -> egui::Response {
    let tokens = Tokens::of(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, selected, text.label.clone()));
    let fill = if selected { tokens.selection } else { tokens.button };
    let outline = match (selected || response.has_focus(), response.hovered()) {
        (true, _) => Stroke::new(2.0, tokens.accent),
        (false, true) => Stroke::new(1.0, tokens.accent),
        (false, false) => Stroke::new(1.0, tokens.border),
    };
    ui.painter().rect(rect, CornerRadius::same(theme::RADIUS), fill, outline, egui::StrokeKind::Inside);
    let inner = rect.shrink2(PresetText::MARGIN);
    let [name, line, network] = text.lines;
    let below = inner.left_top() + vec2(0.0, name.size().y + PresetText::GAP);
    let last = inner.left_bottom() - vec2(0.0, network.size().y);
    for (at, galley) in [(inner.left_top(), name), (below, line), (last, network)] {
        ui.painter().galley(at, galley, tokens.text);
    }
    response
}

fn lanes_ui(ui: &mut Ui, model: &Model, setup: &mut Setup) {
    let lang = model.lang;
    let (mut add, mut remove) = (None, None);
    let unit = TextStyle::Body.resolve(ui.style()).size / 14.0;
    let line_width = (ui.available_width() - BESIDE_THE_LINE * unit).clamp(SHORTEST_LINE, LONGEST_LINE * unit);
    egui::Grid::new("lanes").num_columns(5).spacing(vec2(14.0, 2.0)).show(ui, |ui| {
        ui.label("");
        ui.label("");
        card::weak(ui, Text::Scaling.text(lang));
        card::weak(ui, Text::Backend.text(lang));
        ui.end_row();
        for (index, lane) in setup.lanes.iter_mut().enumerate() {
            let name = RichText::new(lane.policy).text_style(theme::strong());
            ui.checkbox(&mut lane.on, name);
            let line = words::policy_line(lang, lane.policy);
            let line = RichText::new(line).text_style(TextStyle::Small).color(Tokens::of(ui).text_weak);
            ui.scope(|ui| {
                ui.set_width(line_width);
                ui.add(egui::Label::new(line).truncate());
            });
            ui.push_id(index, |ui| scaling_ui(ui, lang, lane));
            ui.push_id(index, |ui| place::backend_ui(ui, model, lane));
            ui.horizontal(|ui| {
                let (text, hint) = (Text::AddLane.text(lang), Text::AddLaneHint.text(lang));
                if place::small_button_ui(ui, text, hint, &lane.name()) {
                    add = Some(index);
                }
                let (text, hint) = (Text::RemoveLane.text(lang), Text::RemoveLaneHint.text(lang));
                if lane.added && place::small_button_ui(ui, text, hint, &lane.name()) {
                    remove = Some(index);
                }
            });
            ui.end_row();
        }
    });
    if let Some(index) = add {
        setup.add_beside(index, model.devices());
    }
    if let Some(index) = remove {
        setup.lanes.remove(index);
    }
}

fn scaling_ui(ui: &mut Ui, lang: Lang, lane: &mut LaneSetup) {
    if !lane.is_reduced() {
        return;
    }
    let exponent = match lane.scaling {
        Scaling::Static(exponent) => exponent,
        _ => 0,
    };
    let choices = [
        Choice { value: Scaling::None, text: Text::ScalingNone.text(lang), hint: "" },
        Choice {
            value: Scaling::Static(exponent),
            text: Text::ScalingStatic.text(lang),
            hint: Text::ScalingStaticHint.text(lang),
        },
        Choice {
            value: Scaling::Dynamic,
            text: Text::ScalingDynamic.text(lang),
            hint: Text::ScalingDynamicHint.text(lang),
        },
    ];
    ui.horizontal(|ui| {
        let group = format!("{} {}", Text::Scaling.text(lang), lane.policy);
        if let Some(scaling) = segmented(ui, &group, lane.scaling, &choices) {
            lane.scaling = scaling;
        }
        if let Scaling::Static(exponent) = &mut lane.scaling {
            ui.add_space(2.0);
            power::label(ui, "S = 2 ^", &TextStyle::Small, Tokens::of(ui).text);
            let drag = DragValue::new(exponent).range(Scaling::EXPONENTS).speed(0.1);
            ui.add(drag).on_hover_text(Text::ScaleExponent.text(lang));
        }
    });
}

fn run_ui(ui: &mut Ui, model: &Model, setup: &mut Setup, actions: &mut Actions) {
    let lang = model.lang;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let label = ui.label(Text::Seed.text(lang)).on_hover_text(Text::SeedHint.text(lang));
        ui.add(DragValue::new(&mut setup.seed).speed(0.05)).labelled_by(label.id);
        ui.add_space(12.0);
        let label = ui.label(Text::Steps.text(lang));
        ui.add(DragValue::new(&mut setup.steps).range(1..=100_000).speed(4.0)).labelled_by(label.id);
        ui.add_space(12.0);
        ui.label(Text::Data.text(lang));
        let choices = [
            Choice {
                value: DataChoice::Embedded,
                text: Text::DataEmbedded.text(lang),
                hint: Text::DataEmbeddedHint.text(lang),
            },
            Choice {
                value: DataChoice::Installed,
                text: Text::DataInstalled.text(lang),
                hint: Text::DataInstalledHint.text(lang),
            },
        ];
        if let Some(data) = segmented(ui, Text::Data.text(lang), setup.data, &choices) {
            setup.data = data;
            actions.push(Action::LoadData(data));
        }
        match &model.data {
            Data::Ready(data) => card::weak(ui, &words::dataset(lang, &data.name)),
            Data::Loading => card::weak(ui, App::LoadingData.text(lang)),
            Data::Failed(line) => ui.label(RichText::new(line).color(Tokens::of(ui).error)),
        };
    });
    if let Err(line) = setup.check() {
        ui.label(RichText::new(line).color(Tokens::of(ui).error));
        return;
    }
    if matches!(model.data, Data::Ready(_)) {
        ui.add_space(6.0);
        ui.spacing_mut().button_padding = vec2(22.0, 9.0);
        if card::command_button(ui, UiCommand::Start, lang, false, true).clicked() {
            actions.push(Action::Configure(setup.clone()));
            actions.push(Action::Start);
        }
    }
}
