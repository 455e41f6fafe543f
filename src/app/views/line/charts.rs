//! Numbers per binade, and ULP and relative error against magnitude.

use egui::Ui;

use crate::app::widgets::binade_chart::{BinadeChart, Steps};
use crate::app::widgets::card;
use crate::app::widgets::lane_label::lane_label;
use crate::app::widgets::power;
use crate::format::{Binade, Format};
use crate::i18n::Lang;
use crate::i18n::line::{self as words, Line as Text};

/// How many numbers lie in each binade.
pub(super) fn density_ui(ui: &mut Ui, lang: Lang, formats: &[Format]) {
    card::titled(ui, Text::DensityTitle.text(lang), Text::DensityHint.text(lang));
    legend_ui(ui, formats);
    let steps = steps(formats, |binade| {
        let count = (binade.count as f64).log2();
        (count, count)
    });
    let spoken: Vec<String> = formats.iter().map(|format| in_words(*format, lang)).collect();
    let height = ui.available_height().max(300.0);
    let tell = |exponent| told(formats, exponent, |binade| words::count(lang, binade.count));
    let spoken = spoken.join(". ");
    BinadeChart { formats: &steps, height, axis: Text::DensityAxis.text(lang), spoken: &spoken, tell: &tell }.show(ui);
}

/// ULP, and half an ULP against the value.
pub(super) fn error_ui(ui: &mut Ui, lang: Lang, formats: &[Format]) {
    let height = (ui.available_height() - 110.0).max(300.0) / 2.0;
    let spoken: Vec<String> = formats.iter().map(|format| error_in_words(*format, lang)).collect();
    let spoken = spoken.join(". ");
    card::titled(ui, Text::UlpTitle.text(lang), Text::UlpHint.text(lang));
    legend_ui(ui, formats);
    let ulps = steps(formats, |binade| (f64::from(binade.ulp_exponent), f64::from(binade.ulp_exponent)));
    let tell = |exponent| told(formats, exponent, |binade| format!("ULP {}", power::of_two(binade.ulp_exponent)));
    BinadeChart { formats: &ulps, height, axis: Text::UlpAxis.text(lang), spoken: &spoken, tell: &tell }.show(ui);
    card::titled(ui, Text::RelativeTitle.text(lang), Text::RelativeHint.text(lang));
    // Half an ULP over the value is largest at the beginning of a binade.
    let relative = steps(formats, |binade| {
        let begin = f64::from(binade.ulp_exponent - 1 - binade.exponent);
        (begin, begin)
    });
    let tell = |exponent| {
        told(formats, exponent, |binade| format!("≤ {}", power::of_two(binade.ulp_exponent - 1 - binade.exponent)))
    };
    BinadeChart { formats: &relative, height, axis: Text::RelativeAxis.text(lang), spoken: &spoken, tell: &tell }
        .show(ui);
}

/// What is said of one binade: its ends, and a line a format that has numbers there.
fn told(formats: &[Format], exponent: i32, say: impl Fn(&Binade) -> String) -> String {
    let end = |exponent: i32| match exponent {
        0..=16 => (1_u32 << exponent).to_string(),
        _ => power::of_two(exponent),
    };
    let mut lines = vec![format!("[{}, {})", end(exponent), end(exponent + 1))];
    for format in formats {
        let binade = format.binades().find(|binade| binade.exponent == exponent);
        lines.push(format!("{}: {}", format.label(), binade.map_or_else(|| "–".to_owned(), |binade| say(&binade))));
    }
    lines.join("\n")
}

fn steps(formats: &[Format], value: impl Fn(&Binade) -> (f64, f64)) -> Vec<Steps> {
    let one = |format: &Format| {
        let binades = format.binades().map(|binade| {
            let (begin, end) = value(&binade);
            (binade.exponent, begin, end)
        });
        Steps { name: format.label(), binades: binades.collect() }
    };
    formats.iter().map(one).collect()
}

/// The formats with the marks of their lines.
pub(super) fn legend_ui(ui: &mut Ui, formats: &[Format]) {
    ui.horizontal_wrapped(|ui| {
        for (at, format) in formats.iter().enumerate() {
            lane_label(ui, at, &format.label());
        }
    });
}

fn in_words(format: Format, lang: Lang) -> String {
    let most = format.binades().map(|binade| binade.count).max().unwrap_or(0);
    words::density_in_words(lang, &format.label(), most, format.min_exponent(), format.max_exponent())
}

fn error_in_words(format: Format, lang: Lang) -> String {
    words::error_in_words(lang, &format.label(), -(format.precision() as i32), format.min_exponent())
}
