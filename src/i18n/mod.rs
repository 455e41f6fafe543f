//! Every string of the interface, English and Chinese side by side.
//!
//! A room's strings are an enum in a file named after the room, with one exhaustive `match` per language pair, so a
//! missing translation does not compile. Sentences with numbers are functions.

pub mod app;
pub mod arithmetic;
pub mod bits;
pub mod figure;
pub mod formats;
pub mod glossary;
pub mod gradients;
pub mod hardware;
pub mod line;
pub mod refused;
mod strings;
pub mod sweep;
pub mod train;

use serde::{Deserialize, Serialize};

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese, 简体中文.
    ZhCn,
}

impl Lang {
    /// All languages, in the order in which the interface lists them.
    pub const ALL: [Self; 2] = [Self::En, Self::ZhCn];

    /// The string for this language out of an (English, Chinese) pair.
    #[must_use]
    pub const fn pick<T: Copy>(self, en: T, zh: T) -> T {
        match self {
            Self::En => en,
            Self::ZhCn => zh,
        }
    }

    /// The BCP 47 tag: `en` or `zh-CN`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        self.pick("en", "zh-CN")
    }

    /// A number of per cent with its sign: after a space in English, as in the SI, without one in Chinese.
    #[must_use]
    pub fn percent(self, number: &str) -> String {
        format!("{number}{}", self.pick(" %", "%"))
    }
}
