//! What devices were asked and have answered so far: a sheet a device.

use crate::i18n::hardware::Hardware as Text;
use crate::observe::{Coverage, Observation, Primitive};

/// How far a device is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetState {
    /// A thread is opening it.
    Opening,
    /// It is doing operations.
    Running,
    /// It has done all.
    Done,
    /// It was stopped; what was seen so far stays.
    Stopped,
    /// It could not be opened or failed; one line says why.
    Failed(String),
}

/// What one device was asked and has answered so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Its name; empty until it is open.
    pub device: String,
    /// How much it is asked.
    pub coverage: Coverage,
    /// How many inputs that is, over all operations; 0 until it is open.
    pub planned: u64,
    /// An operation each, in the order of [`Primitive::ALL`]; the last one may still grow.
    pub observations: Vec<Observation>,
    /// How far it is.
    pub state: SheetState,
}

/// What the thread that asks a device has to say.
#[derive(Debug, Clone)]
pub enum Told {
    /// The device is open: its name, and how many inputs it will be asked.
    Opened(String, u64),
    /// What an operation was seen to do so far.
    Seen(Box<Observation>),
    /// All was asked (`true`), or it was stopped, or one line says why it failed.
    Ended(Result<bool, String>),
}

impl Sheet {
    /// Nothing was answered yet.
    #[must_use]
    pub const fn new(coverage: Coverage) -> Self {
        Self { device: String::new(), coverage, planned: 0, observations: Vec::new(), state: SheetState::Opening }
    }

    /// Takes in what the thread says.
    pub fn take_in(&mut self, told: Told) {
        match told {
            Told::Opened(device, planned) => {
                (self.device, self.planned, self.state) = (device, planned, SheetState::Running);
            }
            Told::Seen(seen) => match self.observations.last_mut().filter(|last| last.primitive == seen.primitive) {
                Some(last) => *last = *seen,
                None => self.observations.push(*seen),
            },
            Told::Ended(Ok(true)) => self.state = SheetState::Done,
            Told::Ended(Ok(false)) => self.state = SheetState::Stopped,
            Told::Ended(Err(line)) => self.state = SheetState::Failed(line),
        }
    }

    /// Whether a thread is at it.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        matches!(self.state, SheetState::Opening | SheetState::Running)
    }

    /// What was seen of an operation.
    #[must_use]
    pub fn of(&self, primitive: Primitive) -> Option<&Observation> {
        self.observations.iter().find(|seen| seen.primitive == primitive)
    }

    /// The share of its inputs that were asked, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let asked: u64 = self.observations.iter().map(|seen| seen.asked).sum();
        asked as f64 / self.planned.max(1) as f64
    }

    /// The state in a word or two.
    #[must_use]
    pub const fn text(&self) -> Text {
        match self.state {
            SheetState::Opening => Text::Opening,
            SheetState::Running => Text::Running,
            SheetState::Done => Text::Seen,
            SheetState::Stopped => Text::Stopped,
            SheetState::Failed(_) => Text::Failed,
        }
    }
}
