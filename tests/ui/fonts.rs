//! Every character of every string, in both languages, has a glyph in the embedded fonts.

use egui::{FontDefinitions, FontFamily, FontId};
use halfscope::app::fonts;
use halfscope::i18n::Lang;
use halfscope::i18n::{
    app, arithmetic, bits, figure, formats, glossary, gradients, hardware, line, refused, sweep, train,
};

/// Every string of the window's tables, and sentences with numbers.
fn strings(lang: Lang) -> Vec<String> {
    let app = app::App::ALL.iter().map(|text| text.text(lang));
    let gradients_ = gradients::Gradients::ALL.iter().map(|text| text.text(lang));
    let train_ = train::Train::ALL.iter().map(|text| text.text(lang));
    let mut all: Vec<String> = app.chain(gradients_).chain(train_).map(str::to_owned).collect();
    all.extend(bits::Bits::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(arithmetic::Arithmetic::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(formats::Happened::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(formats::Mistaken::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(glossary::Term::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(refused::Refused::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(line::Line::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(hardware::Hardware::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.push(hardware::off(lang, 1, true) + &hardware::off(lang, 2, false));
    all.push(hardware::so_many("1,234", hardware::Hardware::Off.text(lang)));
    all.push(hardware::observing(lang, "√a", "37 %"));
    all.push(hardware::row(lang, "a × b + c, FP32 → BF16", "F16C", ["1", "2", "3", "4", "5"]));
    all.extend(sweep::Sweep::ALL.iter().map(|text| text.text(lang).to_owned()));
    all.extend(sweep_sentences(lang));
    all.extend(arithmetic_sentences(lang));
    all.extend(explorer_sentences(lang));
    all.push(app::link_copied(lang, "bits 1"));
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
    all.extend(["underflow", "master-weights", "mnist-mlp"].map(|preset| train::preset_name(lang, preset)));
    all.push(train::device(lang, "CPU (x86_64), 2 threads"));
    all.push(train::dataset(lang, "Fashion-MNIST, embedded subset (6000 + 1000)"));
    all
}

fn explorer_sentences(lang: Lang) -> Vec<String> {
    vec![
        line::remove(lang, "FP16"),
        line::count(lang, 2),
        line::window(lang, "1", "2"),
        line::nearest_to(lang, "1"),
        line::neighbours(lang, "1", "2"),
        line::code(lang, "0x01", "1", "1/8 × 2^-6"),
        line::density_in_words(lang, "FP16", 1024, -14, 15),
        line::error_in_words(lang, "FP16", -11, -14),
        bits::copy_of(lang, "FP16"),
        bits::block(lang, 1, "mxfp4"),
        bits::bits_per_value(lang, "4.25", 32),
        bits::largest_of(lang, "448"),
        bits::fields_of_code(lang, "FP16"),
        bits::bytes_of(lang, 2),
        "×≈∞·".to_owned(),
    ]
}

fn sweep_sentences(lang: Lang) -> Vec<String> {
    vec![
        sweep::so_far(lang, 1, 2, 2),
        sweep::so_far(lang, 2, 2, 2),
        sweep::so_far(lang, 2, 2, 3),
        sweep::largest(lang, "1", "1.0", "2", "3", "4"),
        sweep::counts(lang, 1, 2, "0.25"),
        sweep::no_numbers(lang, 1, "2", "∞", "3"),
        sweep::undefined(lang, 1),
        sweep::up_to(lang, "1"),
    ]
}

fn arithmetic_sentences(lang: Lang) -> Vec<String> {
    let mut all = vec![
        arithmetic::fields_of(lang, true, 5, 10),
        arithmetic::cut(lang, "1.0", [1, 0, 1], "→"),
        arithmetic::error_ulp(lang, "+0.5"),
        arithmetic::chances("1 %", "2", "3 %", "4"),
        arithmetic::operand(lang, "a"),
        arithmetic::exact_of(lang, "√a ÷ b × c − d"),
        arithmetic::rounded_to(lang, "FP16"),
        arithmetic::result_lands(lang, "1", "2"),
        arithmetic::chain_differs(lang, "1", "2"),
        arithmetic::chain_agrees(lang, "∞"),
        arithmetic::none_below(lang, "1"),
        arithmetic::element(lang, "A", 1, 2),
        arithmetic::wrong_cell(lang, "A", "x"),
        arithmetic::nearest_in(lang, "FP16"),
        arithmetic::master_in(lang, "FP32"),
        arithmetic::stochastic_in(lang, "FP16"),
        arithmetic::held(lang, "1", "2"),
        arithmetic::ratio(lang, "2048", "11.000", 11),
        arithmetic::after_steps(lang, 9),
        arithmetic::additions(lang, "1"),
        "▲≠=→·".to_owned(),
    ];
    for side in arithmetic::Standing::ALL {
        all.extend([true, false].map(|lost| arithmetic::half_gap(lang, side, "1", "2", lost)));
    }
    all.extend([true, false].map(|same| arithmetic::dot_result(lang, "1", "2", "3", same)));
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
