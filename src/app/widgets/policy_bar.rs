//! Everything about a rounding that is chosen, in one line: mode, saturation, flushing, tininess, NaN.

use egui::{ComboBox, RichText, TextStyle, Ui, WidgetInfo};

use super::segmented::{Choice, segmented};
use crate::format::{NanPolicy, Rounding, Tininess};
use crate::i18n::Lang;
use crate::i18n::arithmetic::Arithmetic as Text;
use crate::i18n::bits::Bits;
use crate::link::How;

/// Shows the controls; returns the choices if one changed. `salt` makes the lists unique in the window.
pub fn policy_bar(ui: &mut Ui, salt: &str, lang: Lang, how: How) -> Option<How> {
    let mut now = how;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        now.policy.rounding = rounding_list(ui, salt, lang, how.policy.rounding);
        if how.is_stochastic()
            && ui.button(Text::DrawAgain.text(lang)).on_hover_text(Text::SeedHint.text(lang)).clicked()
        {
            now.seed = how.seed.wrapping_add(1);
        }
        for (on, text, hint) in [
            (&mut now.policy.saturate, Text::Saturate, Text::SaturateHint),
            (&mut now.policy.ftz, Text::Ftz, Text::FtzHint),
            (&mut now.policy.daz, Text::Daz, Text::DazHint),
        ] {
            let label = RichText::new(text.text(lang)).text_style(TextStyle::Small);
            ui.checkbox(on, label).on_hover_text(hint.text(lang));
        }
        let tininess = [
            Choice { value: Tininess::After, text: Text::TinyAfter.text(lang), hint: Text::TinyHint.text(lang) },
            Choice { value: Tininess::Before, text: Text::TinyBefore.text(lang), hint: Text::TinyHint.text(lang) },
        ];
        super::card::weak(ui, Text::Tininess.text(lang));
        if let Some(chosen) = segmented(ui, Text::Tininess.text(lang), how.policy.tininess, &tininess) {
            now.policy.tininess = chosen;
        }
        now.policy.nan = nan_list(ui, salt, lang, how.policy.nan);
    });
    Some(now).filter(|now| *now != how)
}

/// The rounding modes as a list.
pub fn rounding_list(ui: &mut Ui, salt: &str, lang: Lang, chosen: Rounding) -> Rounding {
    let mut now = chosen;
    let combo = ComboBox::from_id_salt((salt, "rounding"))
        .selected_text(RichText::new(rounding_text(chosen).text(lang)).text_style(TextStyle::Small))
        .width(206.0)
        .show_ui(ui, |ui| {
            for mode in Rounding::DETERMINISTIC.into_iter().chain([Rounding::Sr { random: 0 }]) {
                ui.selectable_value(&mut now, mode, rounding_text(mode).text(lang));
            }
        });
    let (name, value) = (Bits::Rounding.text(lang), rounding_text(chosen).text(lang));
    combo.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, format!("{name}: {value}")));
    now
}

fn nan_list(ui: &mut Ui, salt: &str, lang: Lang, chosen: NanPolicy) -> NanPolicy {
    let mut now = chosen;
    let combo = ComboBox::from_id_salt((salt, "nan"))
        .selected_text(RichText::new(nan_text(chosen).text(lang)).text_style(TextStyle::Small))
        .width(150.0)
        .show_ui(ui, |ui| {
            for policy in NanPolicy::ALL {
                ui.selectable_value(&mut now, policy, nan_text(policy).text(lang));
            }
        });
    let value = nan_text(chosen).text(lang);
    combo.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, value));
    now
}

/// The name of a rounding direction.
#[must_use]
pub const fn rounding_text(mode: Rounding) -> Bits {
    match mode {
        Rounding::Rne => Bits::Rne,
        Rounding::Rna => Bits::Rna,
        Rounding::Rtz => Bits::Rtz,
        Rounding::Rup => Bits::Rup,
        Rounding::Rdn => Bits::Rdn,
        Rounding::Rto => Bits::Rto,
        Rounding::Sr { .. } => Bits::Sr,
    }
}

const fn nan_text(policy: NanPolicy) -> Text {
    match policy {
        NanPolicy::Quiet => Text::NanQuiet,
        NanPolicy::Payload => Text::NanPayload,
        NanPolicy::Canonical => Text::NanCanonical,
    }
}
