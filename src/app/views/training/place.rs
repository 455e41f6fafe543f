//! Where lanes run: a backend a lane, and which graphics processor wgpu uses.

use egui::{Button, ComboBox, Response, RichText, TextStyle, Ui, WidgetInfo, vec2};

use crate::app::model::Model;
use crate::app::setup::{LaneSetup, Setup};
use crate::app::theme::Tokens;
use crate::app::widgets::card;
use crate::app::widgets::choice_list::{close_if_chosen, keep_focus};
use crate::i18n::Lang;
use crate::i18n::train::{self as words, Train as Text};
use crate::train::BackendKind;
use crate::train::devices::{Availability, Nature};

/// How wide the list of backends is at most; device names and reasons are long.
const LIST_WIDTH: f32 = 440.0;

const fn name(kind: BackendKind) -> Text {
    match kind {
        BackendKind::Auto => Text::BackendAuto,
        BackendKind::Cpu => Text::BackendCpu,
        BackendKind::Wgpu => Text::BackendWgpu,
        BackendKind::Cuda => Text::BackendCuda,
    }
}

/// The list of backends of a lane.
pub(super) fn backend_ui(ui: &mut Ui, model: &Model, lane: &mut LaneSetup) {
    let lang = model.lang;
    let chosen = name(lane.backend).text(lang);
    let text = RichText::new(chosen).text_style(TextStyle::Small);
    let combo = ComboBox::from_id_salt("backend").width(78.0).selected_text(text).show_ui(ui, |ui| {
        ui.set_min_width(LIST_WIDTH);
        ui.set_max_width(LIST_WIDTH);
        for kind in BackendKind::ALL {
            let choice = choice_ui(ui, model, kind, lane.backend == kind);
            if close_if_chosen(ui, &choice) {
                lane.backend = kind;
            }
        }
    });
    keep_focus(ui, &combo);
    let spoken = format!("{} {}", Text::Backend.text(lang), lane.name());
    combo.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(egui::Role::ComboBox, true, &spoken);
        info.current_text_value = Some(chosen.to_owned());
        info
    });
}

/// One backend with its device, or greyed out with the reason why it cannot be used.
fn choice_ui(ui: &mut Ui, model: &Model, kind: BackendKind, selected: bool) -> Response {
    let lang = model.lang;
    let tokens = Tokens::of(ui);
    let found = model.devices().and_then(|devices| devices.availability(kind));
    let (enabled, what) = match found {
        None => (true, String::new()),
        Some(Availability::Ready { device }) => (true, device.clone()),
        Some(Availability::Missing { reason }) => (false, format!("{}: {reason}", Text::BackendMissing.text(lang))),
    };
    let color = if enabled { tokens.text } else { tokens.text_weak };
    let mut text = egui::text::LayoutJob::default();
    let format = |style: TextStyle, color| egui::TextFormat::simple(style.resolve(ui.style()), color);
    text.append(name(kind).text(lang), 0.0, format(TextStyle::Body, color));
    text.append(&what, 10.0, format(TextStyle::Small, tokens.text_weak));
    let response = ui.add_enabled(enabled, Button::selectable(selected, text).truncate());
    let spoken = format!("{} · {what}", name(kind).text(lang));
    response.widget_info(|| WidgetInfo::selected(egui::Role::ListBoxOption, enabled, selected, &spoken));
    if what.is_empty() { response } else { response.on_hover_text(&what).on_disabled_hover_text(&what) }
}

/// Whether a lane that is switched on keeps 16 bits on what has no units for them, as far as is known.
pub(super) fn is_emulated(model: &Model, setup: &Setup) -> bool {
    let emulates = |lane: &LaneSetup| {
        let found = model.devices().and_then(|devices| devices.availability(lane.backend));
        let device = found.and_then(|found| match found {
            Availability::Ready { device } => Some(device),
            Availability::Missing { .. } => None,
        });
        device.is_none_or(|device| Nature::of(device).is_emulated())
    };
    setup.lanes.iter().any(|lane| lane.on && lane.is_reduced() && emulates(lane))
}

/// What `auto` takes here, and the choice of a graphics processor where there are several.
pub(super) fn devices_ui(ui: &mut Ui, model: &Model, setup: &mut Setup) {
    let lang = model.lang;
    let Some(devices) = model.devices() else {
        card::weak(ui, Text::FindingDevices.text(lang));
        return;
    };
    ui.horizontal(|ui| {
        if let Some(Availability::Ready { device }) = devices.availability(BackendKind::Auto) {
            card::weak(ui, &words::auto_takes(lang, device));
        }
        if devices.adapters.len() > 1 {
            ui.add_space(12.0);
            let label = card::weak(ui, Text::Adapter.text(lang));
            adapter_ui(ui, lang, &devices.adapters, &mut setup.adapter).labelled_by(label.id);
        }
    });
}

fn adapter_ui(ui: &mut Ui, lang: Lang, adapters: &[String], chosen: &mut Option<String>) -> Response {
    let fastest = Text::AdapterFastest.text(lang);
    let text = RichText::new(chosen.as_deref().unwrap_or(fastest)).text_style(TextStyle::Small);
    let combo = ComboBox::from_id_salt("adapter").width(240.0).truncate().selected_text(text).show_ui(ui, |ui| {
        ui.set_min_width(LIST_WIDTH);
        let first = ui.selectable_value(chosen, None, fastest);
        close_if_chosen(ui, &first);
        for adapter in adapters {
            let choice = ui.selectable_value(chosen, Some(adapter.clone()), adapter);
            close_if_chosen(ui, &choice);
        }
    });
    keep_focus(ui, &combo);
    combo.response
}

/// A button of one sign, called by its hint and the lane it is about.
pub(super) fn small_button_ui(ui: &mut Ui, sign: &str, hint: &str, lane: &str) -> bool {
    let button = Button::new(RichText::new(sign).text_style(TextStyle::Small)).min_size(vec2(24.0, 24.0));
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("{lane}: {hint}")));
    response.on_hover_text(hint).clicked()
}
