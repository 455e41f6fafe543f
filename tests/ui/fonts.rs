//! Every character of every string, in both languages, has a glyph in the embedded fonts.

use egui::{FontDefinitions, FontFamily, FontId};
use halfscope::app::fonts;
use halfscope::i18n::Lang;
use halfscope::i18n::{app, figure, gradients, train};

/// Every string of the window's tables, and sentences with numbers.
fn strings(lang: Lang) -> Vec<String> {
    let app = app::App::ALL.iter().map(|text| text.text(lang));
    let gradients_ = gradients::Gradients::ALL.iter().map(|text| text.text(lang));
    let train_ = train::Train::ALL.iter().map(|text| text.text(lang));
    let mut all: Vec<String> = app.chain(gradients_).chain(train_).map(str::to_owned).collect();
    all.push(app::saved_to(lang, "a.svg"));
    all.push(app::step_of(lang, 1, 2));
    all.push(gradients::advised_band(lang, -8, 17));
    all.push(figure::advised_none(lang, (3, "a"), (2, "b")));
    all.push(gradients::advised_outcome(lang, 11, "0.4 %", 17));
    all.push(gradients::tensor_row(lang, "fc1.weight.grad", "46.1 %"));
    all.push(gradients::skipped(lang, 3));
    all.push(gradients::curve_in_words(lang, (1, "0 %"), (9, "67 %")));
    all.push(train::network_line(lang, &[784, 10], 64, 1.0));
    all.push(train::casts_of(lang, "paper", 3));
    all.push(train::auto_takes(lang, "CPU"));
    all.push(train::a_step(lang, "12.3 µs", 3));
    all
}

#[test]
fn every_character_of_every_string_has_a_glyph() {
    // egui's own fonts are left out: what is missing from ours must not be filled in by luck.
    let mut definitions = fonts::definitions();
    let own = FontDefinitions::default();
    for names in definitions.families.values_mut() {
        names.retain(|name| !own.font_data.contains_key(name));
    }
    let ctx = egui::Context::default();
    ctx.set_fonts(definitions);
    ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
    for family in [FontFamily::Proportional, fonts::semibold(), FontFamily::Monospace] {
        let font = FontId::new(14.0, family.clone());
        for lang in Lang::ALL {
            for string in strings(lang) {
                for character in string.chars() {
                    let found = ctx.fonts_mut(|fonts| fonts.has_glyph(&font, character));
                    assert!(found, "{character:?} of {string:?} ({lang:?}) is missing from {family:?}");
                }
            }
        }
    }
}
