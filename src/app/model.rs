//! What views read: the state of the window and of the run, and nothing that paints.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::hardware::Sheet;
use super::setup::Setup;
use super::theme::Look;
use crate::data::Dataset;
use crate::format::{Format, Policy, Witness};
use crate::i18n::Lang;
use crate::i18n::app::App as Text;
use crate::observe::Place;
use crate::train::Recording;
use crate::train::devices::Devices;
use crate::train::report::Outcome;

/// The images to train on.
#[derive(Debug, Clone, Default)]
pub enum Data {
    /// A thread is unpacking them.
    #[default]
    Loading,
    /// There they are.
    Ready(Arc<Dataset>),
    /// They could not be read; one line says why.
    Failed(String),
}

/// What lanes can run on here.
#[derive(Debug, Clone, Default)]
pub enum DeviceSearch {
    /// Nobody asked yet.
    #[default]
    NotBegun,
    /// A thread is looking.
    Looking,
    /// This was found.
    Found(Arc<Devices>),
}

/// What the recording is: a run, or a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RunState {
    /// Nothing has run yet.
    #[default]
    Idle,
    /// A thread is setting a session up.
    Starting,
    /// A session is training.
    Running,
    /// A session waits for a command.
    Paused,
    /// The run has ended.
    Ended(Outcome),
    /// Read from a file.
    File(PathBuf),
}

impl RunState {
    /// Whether a session is there that takes commands.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// The state in a word.
    #[must_use]
    pub const fn text(&self) -> Option<Text> {
        match self {
            Self::Idle => None,
            Self::Starting => Some(Text::StateStarting),
            Self::Running => Some(Text::StateRunning),
            Self::Paused => Some(Text::StatePaused),
            Self::Ended(Outcome::Completed) => Some(Text::StateCompleted),
            Self::Ended(Outcome::Stopped) => Some(Text::StateStopped),
            Self::Ended(Outcome::Failed(_)) => Some(Text::StateFailed),
            Self::File(_) => Some(Text::StateFile),
        }
    }
}

/// One line that tells what just happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// It worked.
    Done(String),
    /// It did not; the line says what to do.
    Error(String),
}

/// What a thread of the window is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    /// Reading a recorded run.
    Opening,
    /// Writing a figure, or waiting for a dialog.
    Writing,
}

/// What to search a witness for: the formats of a chain and how it rounds.
pub type WitnessQuestion = (Vec<Format>, Policy);

/// The smallest number that a chain spoils, searched on a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct WitnessAnswer {
    /// What was asked.
    pub question: WitnessQuestion,
    /// What came of it, or one line that says why there is no answer; `None` while the thread searches.
    pub result: Option<Result<Witness, String>>,
}

/// Everything that views may read.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The language.
    pub lang: Lang,
    /// The theme.
    pub look: Look,
    /// The images.
    pub data: Data,
    /// What lanes can run on.
    pub devices: DeviceSearch,
    /// The next run.
    pub setup: Setup,
    /// What the recording is.
    pub run: RunState,
    /// Goes up with every run that is started and every file that is opened.
    pub run_number: u64,
    /// What was reported so far.
    pub recording: Recording,
    /// The lane whose device ended the run, if one did.
    pub failed_lane: Option<usize>,
    /// The latest news.
    pub notice: Option<Notice>,
    /// What the window's threads do.
    pub busy: Option<Busy>,
    /// The latest search for a number that a chain spoils.
    pub witness: Option<WitnessAnswer>,
    /// What devices were seen to do, each the last time that it was asked.
    pub sheets: BTreeMap<Place, Sheet>,
}

impl Model {
    /// What lanes can run on, once it is known.
    #[must_use]
    pub fn devices(&self) -> Option<&Devices> {
        match &self.devices {
            DeviceSearch::Found(devices) => Some(devices),
            DeviceSearch::NotBegun | DeviceSearch::Looking => None,
        }
    }

    /// Whether the run that has ended can be run again with the lane whose device failed on the processor.
    #[must_use]
    pub const fn can_run_on_processor(&self) -> bool {
        matches!(self.run, RunState::Ended(Outcome::Failed(_))) && self.failed_lane.is_some()
    }

    /// Whether a run can be started now.
    #[must_use]
    pub fn can_start(&self) -> bool {
        matches!(self.run, RunState::Idle) && matches!(self.data, Data::Ready(_)) && self.setup.check().is_ok()
    }

    /// Whether there is a histogram to look at.
    #[must_use]
    pub fn has_histograms(&self) -> bool {
        self.recording.lanes.iter().any(|lane| lane.histograms.iter().any(|probe| !probe.is_empty()))
    }

    /// Whether any device was seen to do anything.
    #[must_use]
    pub fn has_observations(&self) -> bool {
        self.sheets.values().any(|sheet| !sheet.observations.is_empty())
    }

    /// The last step that any lane has reported, and how many there will be.
    #[must_use]
    pub fn progress(&self) -> (u64, u64) {
        let step = self.recording.lanes.iter().filter_map(|lane| lane.steps.last()).map(|step| step.step).max();
        let steps = self.recording.lanes.iter().map(|lane| lane.info.config.steps).max();
        (step.unwrap_or(0), steps.unwrap_or(0))
    }
}
