//! The devices that there are, how much they are asked, and the buttons that begin and end it.

use egui::{Button, ProgressBar, RichText, TextStyle, Ui, WidgetInfo, vec2};

use crate::app::action::{Action, Actions};
use crate::app::hardware::Sheet;
use crate::app::model::Model;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::i18n::Lang;
use crate::i18n::app::{App, percent};
use crate::i18n::hardware::{self as words, Hardware as Text};
use crate::observe::{Coverage, Found, Place};
use crate::train::devices::Nature;

/// What is chosen.
pub(super) struct Chosen<'a> {
    pub(super) place: &'a Place,
    pub(super) coverage: Coverage,
}

/// What a person chose just now.
#[derive(Debug, Default)]
pub(super) struct Change {
    pub(super) place: Option<Place>,
    pub(super) coverage: Option<Coverage>,
}

/// Lays out the card.
pub(super) fn devices_ui(
    ui: &mut Ui,
    model: &Model,
    found: &[Found],
    chosen: &Chosen<'_>,
    actions: &mut Actions,
) -> Change {
    let lang = model.lang;
    let mut change = Change::default();
    card::title(ui, Text::Devices.text(lang));
    let line = RichText::new(Text::Observation.text(lang)).text_style(TextStyle::Small);
    ui.add(egui::Label::new(line.color(Tokens::of(ui).text_weak)).wrap());
    ui.add_space(2.0);
    ui.spacing_mut().button_padding.y = 2.0;
    for (place, name) in found {
        if device_ui(ui, lang, (place, name), model.sheets.get(place), place == chosen.place) {
            change.place = Some(place.clone());
        }
    }
    ui.add_space(2.0);
    ui.spacing_mut().button_padding.y = 4.0;
    let here = found.iter().any(|(place, name)| place == chosen.place && name.is_ok());
    ui.horizontal(|ui| {
        card::weak(ui, Text::Inputs.text(lang));
        let choices = [
            Choice { value: Coverage::Chosen, text: Text::Chosen.text(lang), hint: Text::ChosenHint.text(lang) },
            Choice { value: Coverage::All, text: Text::All.text(lang), hint: Text::AllHint.text(lang) },
        ];
        change.coverage = segmented(ui, Text::Inputs.text(lang), chosen.coverage, &choices);
        ui.add_space(8.0);
        if here {
            buttons_ui(ui, lang, model.sheets.get(chosen.place), chosen, actions);
        }
    });
    change
}

/// One device: kind, name, and how far it is, or why it is not here. Returns whether it was clicked.
fn device_ui(
    ui: &mut Ui,
    lang: Lang,
    (place, name): (&Place, &Result<String, String>),
    sheet: Option<&Sheet>,
    selected: bool,
) -> bool {
    let tokens = Tokens::of(ui);
    let (device, here) = match name {
        Ok(name) => (name.clone(), true),
        Err(reason) => (format!("{}: {reason}", Text::Missing.text(lang)), false),
    };
    let kind = place.kind.name();
    let state = match sheet {
        _ if !here => String::new(),
        None => Text::NotSeen.text(lang).to_owned(),
        Some(sheet) => state_text(lang, sheet),
    };
    let mut text = egui::text::LayoutJob::default();
    let format = |style: TextStyle, color| egui::TextFormat::simple(style.resolve(ui.style()), color);
    // What is not here is greyed by its button.
    text.append(kind, 0.0, format(theme::strong(), tokens.text));
    text.append(&device, 10.0, format(TextStyle::Small, tokens.text));
    text.append(&state, 14.0, format(TextStyle::Small, tokens.text_weak));
    let button = Button::selectable(selected, text).truncate().min_size(vec2(ui.available_width(), 24.0));
    let response = ui.add_enabled(here, button);
    let spoken = format!("{}: {kind} · {device}", Text::Devices.text(lang));
    response.widget_info(|| {
        let mut info = WidgetInfo::selected(egui::Role::RadioButton, here, selected, &spoken);
        info.current_text_value = Some(state.clone());
        info
    });
    let hover = nature_hint(lang, &device).filter(|_| here).map_or(device, str::to_owned);
    response.on_hover_text(&hover).on_disabled_hover_text(&hover).clicked()
}

/// What is to be known before a device is asked everything.
fn nature_hint(lang: Lang, device: &str) -> Option<&'static str> {
    match Nature::of(device) {
        Nature::Software => Some(Text::Software.text(lang)),
        Nature::Emulator => Some(Text::Emulator.text(lang)),
        Nature::Processor | Nature::Graphics => None,
    }
}

fn state_text(lang: Lang, sheet: &Sheet) -> String {
    match sheet.observations.last().filter(|_| sheet.is_running()) {
        Some(last) => words::observing(lang, last.primitive.formula(), &percent(lang, sheet.share())),
        None => sheet.text().text(lang).to_owned(),
    }
}

fn buttons_ui(ui: &mut Ui, lang: Lang, sheet: Option<&Sheet>, chosen: &Chosen<'_>, actions: &mut Actions) {
    let running = sheet.filter(|sheet| sheet.is_running());
    let Some(sheet) = running else {
        let button = card::primary_button(ui, Text::Observe.text(lang));
        if button.on_hover_text(Text::ObserveHint.text(lang)).clicked() {
            actions.push(Action::Observe(chosen.place.clone(), chosen.coverage));
        }
        if chosen.coverage == Coverage::All
            && let Some(hint) = sheet_nature(chosen, lang)
        {
            card::weak(ui, hint);
        }
        return;
    };
    if ui.button(App::Stop.text(lang)).on_hover_text(Text::StopHint.text(lang)).clicked() {
        actions.push(Action::StopObserving(chosen.place.clone()));
    }
    let bar = ProgressBar::new(sheet.share() as f32).desired_width(220.0);
    let text = RichText::new(percent(lang, sheet.share())).text_style(TextStyle::Small);
    ui.add(bar.text(text).corner_radius(theme::RADIUS - 4));
}

/// What is to be known of the chosen device before it is asked everything.
fn sheet_nature(chosen: &Chosen<'_>, lang: Lang) -> Option<&'static str> {
    chosen.place.adapter.as_deref().and_then(|name| nature_hint(lang, name))
}
