//! The fonts of the window: the same three faces that the figures embed, so that a screenshot, a figure and a bare
//! machine without a single Chinese font all show the same glyphs.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily, FontTweak};

use crate::figure::FACES;

/// The family of headings, numbers and whatever else must weigh more.
#[must_use]
pub fn semibold() -> FontFamily {
    FontFamily::Name("semibold".into())
}

/// What the faces of [`FACES`] are called here, in their order.
const NAMES: [&str; FACES.len()] = ["sans", "sans semibold", "sans chinese", "symbols"];

/// How far Chinese characters move, in font sizes, to stand on the line of the Latin letters beside them.
const HAN_OFFSET: f32 = -0.08;

/// Our faces first, egui's own behind them.
#[must_use]
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    for (name, face) in NAMES.into_iter().zip(&FACES) {
        let tweak =
            FontTweak { y_offset_factor: if name == NAMES[2] { HAN_OFFSET } else { 0.0 }, ..FontTweak::default() };
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(face.bytes).tweak(tweak)));
    }
    let [regular, semibold_name, chinese, symbols] = NAMES;
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let family = |first: &str| {
        let ours = [first, regular, chinese, symbols].into_iter().map(str::to_owned);
        let mut names: Vec<String> = ours.chain(fallback.iter().cloned()).collect();
        names.dedup();
        names
    };
    fonts.families.insert(FontFamily::Proportional, family(regular));
    fonts.families.insert(semibold(), family(semibold_name));
    if let Some(monospace) = fonts.families.get_mut(&FontFamily::Monospace) {
        monospace.extend([regular, chinese, symbols].map(str::to_owned));
    }
    fonts
}
