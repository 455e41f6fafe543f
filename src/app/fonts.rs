//! The fonts of the window: the same three faces that the figures embed, so that a screenshot, a figure and a bare
//! machine without a single Chinese font all show the same glyphs.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

/// The family of headings, numbers and whatever else must weigh more.
#[must_use]
pub fn semibold() -> FontFamily {
    FontFamily::Name("semibold".into())
}

type Face = (&'static str, &'static [u8]);

const REGULAR: Face = ("Halfscope Sans", include_bytes!("../../assets/fonts/HalfscopeSans-Regular.otf"));
const SEMIBOLD: Face = ("Halfscope Sans SemiBold", include_bytes!("../../assets/fonts/HalfscopeSans-SemiBold.otf"));
const CHINESE: Face = ("Halfscope Sans SC", include_bytes!("../../assets/fonts/HalfscopeSansSC-Regular.otf"));
const SYMBOLS: Face = ("Halfscope Symbols", include_bytes!("../../assets/fonts/HalfscopeSymbols-Regular.ttf"));

/// Our faces first, egui's own behind them.
#[must_use]
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    for (name, bytes) in [REGULAR, SEMIBOLD, CHINESE, SYMBOLS] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let family = |first: &str| {
        let ours = [first, REGULAR.0, CHINESE.0, SYMBOLS.0].into_iter().map(str::to_owned);
        let mut names: Vec<String> = ours.chain(fallback.iter().cloned()).collect();
        names.dedup();
        names
    };
    fonts.families.insert(FontFamily::Proportional, family(REGULAR.0));
    fonts.families.insert(semibold(), family(SEMIBOLD.0));
    if let Some(monospace) = fonts.families.get_mut(&FontFamily::Monospace) {
        monospace.extend([REGULAR.0, CHINESE.0, SYMBOLS.0].map(str::to_owned));
    }
    fonts
}
