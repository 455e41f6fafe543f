//! What is kept from one start to the next: how the window looks, and nothing else.

use serde::{Deserialize, Serialize};

use super::theme::Look;
use super::views::ViewId;
use crate::i18n::Lang;

/// The saved part of the window's state. Position and size are saved by eframe itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    /// Layout of this struct.
    pub version: u32,
    /// The language.
    pub lang: Lang,
    /// The theme.
    pub look: Look,
    /// The zoom; 1 is 100 %.
    pub zoom: f32,
    /// The view in front.
    pub view: ViewId,
}

impl Default for Saved {
    fn default() -> Self {
        Self { version: 1, lang: system_language(), look: Look::Dark, zoom: 1.0, view: ViewId::Gradients }
    }
}

/// The language that the system's environment asks for, for the first start.
fn system_language() -> Lang {
    let asked = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    language_of(asked.into_iter().find(|value| !value.is_empty()).as_deref().unwrap_or_default())
}

/// Chinese for `zh`, `zh_CN.UTF-8` and the like, English for everything else.
fn language_of(locale: &str) -> Lang {
    let word = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
    if word.eq_ignore_ascii_case("zh") { Lang::ZhCn } else { Lang::En }
}

impl Saved {
    /// Under which key eframe's storage keeps it.
    pub const KEY: &'static str = "halfscope";

    /// The smallest and the largest zoom that is offered.
    pub const ZOOM: std::ops::RangeInclusive<f32> = 0.5..=3.0;

    /// The same with every value in its range: a file from another version or a broken one does no harm.
    #[must_use]
    pub fn sane(mut self) -> Self {
        if !Self::ZOOM.contains(&self.zoom) {
            self.zoom = 1.0;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_start_speaks_the_systems_language() {
        for (locale, lang) in [
            ("zh_CN.UTF-8", Lang::ZhCn),
            ("zh-Hans", Lang::ZhCn),
            ("ZH", Lang::ZhCn),
            ("en_US.UTF-8", Lang::En),
            ("C", Lang::En),
            ("", Lang::En),
            ("zha", Lang::En),
        ] {
            assert_eq!(language_of(locale), lang, "{locale}");
        }
    }

    #[test]
    fn a_zoom_out_of_range_is_put_right() {
        for zoom in [0.0, -1.0, f32::NAN, f32::INFINITY, 99.0] {
            assert_eq!(Saved { zoom, ..Saved::default() }.sane().zoom, 1.0, "{zoom}");
        }
        assert_eq!(Saved { zoom: 1.5, ..Saved::default() }.sane().zoom, 1.5);
    }
}
