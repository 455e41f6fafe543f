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
        Self { version: 1, lang: Lang::En, look: Look::Dark, zoom: 1.0, view: ViewId::Gradients }
    }
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
