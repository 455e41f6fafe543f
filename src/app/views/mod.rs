//! The views, and the one registry that lists them.
//!
//! A view reads the [`Model`] and queues wishes in [`Actions`]; it keeps only what is its own, such as which tensor is
//! looked at. To add one: a file here, a variant of [`ViewId`], a line in [`registry`]; navigation, shortcuts and the
//! test that walks all views follow.

mod arithmetic;
mod bits;
mod gradients;
mod hardware;
mod line;
mod number;
mod training;

use serde::{Deserialize, Serialize};

use super::action::Actions;
use super::command::UiCommand;
use super::model::Model;
use crate::i18n::app::App as Text;
use crate::link::Link;

/// Which view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewId {
    /// One number, every format.
    Bits,
    /// Where the numbers of formats lie.
    Line,
    /// Rounding, operations, chains, dot products, updates.
    Arithmetic,
    /// Lanes, curves, the loss scale over the steps.
    Training,
    /// The exponent histogram and the loss-scale slider.
    Gradients,
    /// What devices really do, beside the exact results.
    Hardware,
}

impl ViewId {
    /// Its name.
    #[must_use]
    pub const fn title(self) -> Text {
        match self {
            Self::Bits => Text::Bits,
            Self::Line => Text::NumberLine,
            Self::Arithmetic => Text::Arithmetic,
            Self::Training => Text::Training,
            Self::Gradients => Text::Gradients,
            Self::Hardware => Text::Hardware,
        }
    }

    /// What it shows, in half a sentence.
    #[must_use]
    pub const fn subtitle(self) -> Text {
        match self {
            Self::Bits => Text::BitsSubtitle,
            Self::Line => Text::NumberLineSubtitle,
            Self::Arithmetic => Text::ArithmeticSubtitle,
            Self::Training => Text::TrainingSubtitle,
            Self::Gradients => Text::GradientsSubtitle,
            Self::Hardware => Text::HardwareSubtitle,
        }
    }

    /// Whether it explores numbers or devices and knows nothing of runs.
    #[must_use]
    pub const fn is_explorer(self) -> bool {
        matches!(self, Self::Bits | Self::Line | Self::Arithmetic | Self::Hardware)
    }

    /// Where a link leads.
    #[must_use]
    pub const fn of(link: &Link) -> Self {
        match link {
            Link::Bits(_) => Self::Bits,
            Link::Line(_) => Self::Line,
            Link::Hardware(_) => Self::Hardware,
            Link::Round(_) | Link::Calc(_) | Link::Chain(_) | Link::Dot(_) | Link::Update(_) | Link::Sweep(_) => {
                Self::Arithmetic
            }
        }
    }
}

/// One view.
pub trait View {
    /// Which one it is.
    fn id(&self) -> ViewId;

    /// Lays it out in all the room that `ui` has. The window has painted the view's name above.
    fn ui(&mut self, ui: &mut egui::Ui, model: &Model, actions: &mut Actions);

    /// What stands at the right end of the line with the view's name: its buttons, first one rightmost.
    fn header_ui(&mut self, ui: &mut egui::Ui, model: &Model, actions: &mut Actions) {
        let _ = (ui, model, actions);
    }

    /// What it shows, as a line that leads back here; only an explorer has one.
    fn link(&self) -> Option<Link> {
        None
    }

    /// Shows what a link to it says.
    fn follow(&mut self, link: &Link) {
        let _ = link;
    }

    /// Does what a command means here that the window does not do itself, such as [`UiCommand::Export`].
    fn command(&mut self, command: UiCommand, model: &Model, actions: &mut Actions) {
        let _ = (command, model, actions);
    }
}

/// Every view, in the order of the navigation.
#[must_use]
pub fn registry() -> Vec<Box<dyn View>> {
    vec![
        Box::<bits::BitsView>::default(),
        Box::<line::LineView>::default(),
        Box::<arithmetic::ArithmeticView>::default(),
        Box::<training::TrainingView>::default(),
        Box::<gradients::GradientsView>::default(),
        Box::<hardware::HardwareView>::default(),
    ]
}
