//! The thread that steps all lanes in lockstep: commands in, reports out.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::config::RunConfig;
use super::report::Report;
use crate::data::Dataset;

/// What a session can be told. Everything takes effect at a step border.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Command {
    /// Wait after the current step.
    Pause,
    /// Go on after a pause.
    Resume,
    /// While paused: take this many steps, then wait again.
    Step(u64),
    /// Set a lane's loss scale. A dynamic scaler keeps its growth tracker.
    SetLossScale { lane: usize, scale: f32 },
    /// End the run; what was recorded stays.
    Stop,
}

/// A running training. Dropping it stops the thread and waits for it.
#[derive(Debug)]
pub struct Session {
    reports: Option<Receiver<Report>>,
}

impl Session {
    /// Validates the lanes, compiles them and starts the thread. `wake` is called after reports were sent.
    ///
    /// # Errors
    /// One line saying which field of which lane is wrong and what to do.
    pub fn start(lanes: Vec<RunConfig>, data: Arc<Dataset>, wake: impl Fn() + Send + 'static) -> Result<Self, String> {
        drop((lanes, data, wake));
        todo!()
    }

    /// Tells the session something; a session that has ended ignores it.
    ///
    /// # Errors
    /// A loss scale that is zero, negative or not finite is refused in one line.
    pub fn send(&self, command: Command) -> Result<(), String> {
        let _ = command;
        todo!()
    }

    /// The reports, oldest first. Never blocks.
    pub fn try_reports(&self) -> impl Iterator<Item = Report> + '_ {
        self.reports.iter().flat_map(Receiver::try_iter)
    }

    /// Waits for the next report; `None` when the session has ended and all was read.
    pub fn next_report(&self) -> Option<Report> {
        self.reports.as_ref()?.recv().ok()
    }
}
