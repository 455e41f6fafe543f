//! Everything about a rounding that is chosen, in one line: mode, saturation, flushing, tininess, NaN.

use egui::{ComboBox, RichText, TextStyle, Ui};

use super::choice_list::choice_list;
use super::segmented::{Choice, segmented};
use super::term::{explained_choice, explained_word};
use crate::format::{NanPolicy, Rounding, Tininess};
use crate::i18n::Lang;
use crate::i18n::arithmetic::Arithmetic as Text;
use crate::i18n::bits::Bits;
use crate::i18n::glossary::Term;
use crate::link::How;

/// Shows the controls; returns the choices if one changed. `salt` makes the lists unique in the window.
pub fn policy_bar(ui: &mut Ui, salt: &str, lang: Lang, how: How) -> Option<How> {
    let mut now = how;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        now.policy.rounding = rounding_list(ui, salt, lang, how.policy.rounding);
        draw_again_ui(ui, lang, &mut now);
        for (on, text, term) in [
            (&mut now.policy.saturate, Text::Saturate, Term::Saturate),
            (&mut now.policy.ftz, Text::Ftz, Term::Ftz),
            (&mut now.policy.daz, Text::Daz, Term::Daz),
        ] {
            let label = RichText::new(text.text(lang)).text_style(TextStyle::Small);
            let response = ui.checkbox(on, label);
            explained_choice(ui, response, lang, &[term]);
        }
        let tininess = [
            Choice { value: Tininess::After, text: Text::TinyAfter.text(lang), hint: Term::TinyAfter.text(lang) },
            Choice { value: Tininess::Before, text: Text::TinyBefore.text(lang), hint: Term::TinyBefore.text(lang) },
        ];
        let tiny = Text::Tininess.text(lang);
        let label = super::card::weak(ui, tiny);
        explained_word(ui, label, lang, &[Term::TinyAfter, Term::TinyBefore], tiny);
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
    let (value, hint) = (rounding_text(chosen).text(lang), rounding_term(chosen).text(lang));
    let list = ComboBox::from_id_salt((salt, "rounding"))
        .selected_text(RichText::new(value).text_style(TextStyle::Small))
        .width(206.0);
    let modes = Rounding::DETERMINISTIC.into_iter().chain([Rounding::Sr { random: 0 }]);
    let choices = modes.map(|mode| (mode, rounding_text(mode).text(lang).to_owned(), rounding_term(mode).text(lang)));
    choice_list(ui, list, [Bits::Rounding.text(lang), value, hint], &mut now, choices);
    now
}

fn nan_list(ui: &mut Ui, salt: &str, lang: Lang, chosen: NanPolicy) -> NanPolicy {
    let mut now = chosen;
    let (value, term) = nan_words(chosen);
    let value = value.text(lang);
    let list = ComboBox::from_id_salt((salt, "nan"))
        .selected_text(RichText::new(value).text_style(TextStyle::Small))
        .width(150.0);
    let choices = NanPolicy::ALL.map(|policy| {
        let (text, term) = nan_words(policy);
        (policy, text.text(lang).to_owned(), term.text(lang))
    });
    choice_list(ui, list, [Text::Nan.text(lang), value, term.text(lang)], &mut now, choices);
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

/// What a rounding direction does.
#[must_use]
pub const fn rounding_term(mode: Rounding) -> Term {
    match mode {
        Rounding::Rne => Term::Rne,
        Rounding::Rna => Term::Rna,
        Rounding::Rtz => Term::Rtz,
        Rounding::Rup => Term::Rup,
        Rounding::Rdn => Term::Rdn,
        Rounding::Rto => Term::Rto,
        Rounding::Sr { .. } => Term::Sr,
    }
}

const fn nan_words(policy: NanPolicy) -> (Text, Term) {
    match policy {
        NanPolicy::Quiet => (Text::NanQuiet, Term::NanQuiet),
        NanPolicy::Payload => (Text::NanPayload, Term::NanPayload),
        NanPolicy::Canonical => (Text::NanCanonical, Term::NanCanonical),
    }
}
