//! Everything about a rounding that is chosen, in one line: mode, saturation, flushing, tininess, NaN.

use egui::{ComboBox, RichText, TextStyle, Ui};

use super::choice_list::choice_list;
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
        draw_again_ui(ui, lang, &mut now);
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

/// The button that takes the next seed, where chance decides.
pub fn draw_again_ui(ui: &mut Ui, lang: Lang, how: &mut How) {
    if how.is_stochastic() && ui.button(Text::DrawAgain.text(lang)).on_hover_text(Text::SeedHint.text(lang)).clicked() {
        how.seed = how.seed.wrapping_add(1);
    }
}

/// The rounding modes as a list.
pub fn rounding_list(ui: &mut Ui, salt: &str, lang: Lang, chosen: Rounding) -> Rounding {
    let mut now = chosen;
    let value = rounding_text(chosen).text(lang);
    let list = ComboBox::from_id_salt((salt, "rounding"))
        .selected_text(RichText::new(value).text_style(TextStyle::Small))
        .width(206.0);
    let modes = Rounding::DETERMINISTIC.into_iter().chain([Rounding::Sr { random: 0 }]);
    let choices = modes.map(|mode| (mode, rounding_text(mode).text(lang).to_owned()));
    choice_list(ui, list, [Bits::Rounding.text(lang), value], &mut now, choices);
    now
}

fn nan_list(ui: &mut Ui, salt: &str, lang: Lang, chosen: NanPolicy) -> NanPolicy {
    let mut now = chosen;
    let value = nan_text(chosen).text(lang);
    let list = ComboBox::from_id_salt((salt, "nan"))
        .selected_text(RichText::new(value).text_style(TextStyle::Small))
        .width(150.0);
    let choices = NanPolicy::ALL.map(|policy| (policy, nan_text(policy).text(lang).to_owned()));
    choice_list(ui, list, [Text::Nan.text(lang), value], &mut now, choices);
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
