//! The thread that steps all lanes in lockstep: commands in, reports out.
//!
//! The window and the command line start a [`Session`] and read its [`Report`]s; nothing else of the trainer is seen
//! outside. All lanes take the same steps over the same batches (`order`), one after the other on the same threads, so
//! that what differs between them is precision alone. A command takes effect at a step border.
//!
//! | file | job |
//! |---|---|
//! | `agree` | what all lanes must have in common, and what the data must have |
//! | `lane` | one lane with its plan on a device |
//! | `order` | which images make up which batch |
//! | `trainer` | the loop on the thread |
//! | `outbox` | the way out: batched, bounded, never losing a step |
//!
//! ```no_run
//! use std::sync::Arc;
//! use halfscope::data;
//! use halfscope::train::{Report, RunConfig, Session};
//!
//! let lanes = RunConfig::preset("underflow").ok_or("no such preset")?;
//! let session = Session::start(lanes, Arc::new(data::embedded()), || {})?;
//! while let Some(report) = session.next_report() {
//!     if let Report::Evaluated(evaluation) = report {
//!         assert!(evaluation.images > 0);
//!     }
//! }
//! # Ok::<(), String>(())
//! ```

mod agree;
mod lane;
mod order;
mod outbox;
mod trainer;

pub use agree::check;
pub use order::ImageOrder;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::backend::{self, Backend};
use super::config::{BackendKind, RunConfig, ScalerConfig};
use super::report::Report;
use crate::data::Dataset;
use outbox::Outbox;

/// What a session can be told. Everything takes effect at a step border.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Command {
    /// Wait after the current step.
    Pause,
    /// Go on after a pause.
    Resume,
    /// Take this many steps, then wait (again). Several in a pause add up.
    Step(u64),
    /// Set a lane's loss scale. A dynamic scaler keeps its growth tracker.
    SetLossScale {
        /// Index of the lane.
        lane: usize,
        /// Positive and finite.
        scale: f32,
    },
    /// End the run; what was recorded stays.
    Stop,
}

/// How a session runs, as opposed to what it computes: none of it changes a bit of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionOptions {
    /// Threads that compute; at least 1.
    pub threads: usize,
    /// Bytes of reports that may wait for a reader that sleeps; then the trainer waits too.
    pub pending_bytes: usize,
    /// Whether it starts with a pause.
    pub paused: bool,
    /// Whether a step is timed op by op now and then.
    pub profile: bool,
}

impl Default for SessionOptions {
    /// For the window: one processor is left to it; 64 MiB of waiting reports.
    fn default() -> Self {
        Self { threads: processors().saturating_sub(1).max(1), pending_bytes: 64 << 20, paused: false, profile: false }
    }
}

/// Processors that this program may use; at least 1.
#[must_use]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How a session gets its backends: [`backend::open`], or a scripted one in tests.
pub type Open = dyn Fn(BackendKind, usize) -> Result<Box<dyn Backend>, String> + Send;

/// The usual way to get backends.
#[must_use]
pub fn opener() -> Box<Open> {
    Box::new(backend::open)
}

/// A running training. Dropping it stops the thread and waits for it.
pub struct Session {
    controls: Controls,
    reports: Option<Receiver<Report>>,
    thread: Option<JoinHandle<()>>,
}

/// Tells a session something from elsewhere, such as the handler of Ctrl-C.
#[derive(Debug, Clone)]
pub struct Controls {
    commands: Sender<Command>,
    /// By lane: its name, and whether it has a loss scale to set.
    lanes: Arc<[(String, bool)]>,
}

impl Controls {
    /// Tells the session something; a session that has ended ignores it.
    ///
    /// # Errors
    /// A loss scale that is zero, negative or not finite, and a lane that has none, are refused in one line.
    pub fn send(&self, command: Command) -> Result<(), String> {
        if let Command::SetLossScale { lane, scale } = command {
            match self.lanes.get(lane) {
                None => return Err(format!("lane {lane} is unknown: this run has {}", self.lanes.len())),
                Some((name, false)) => {
                    return Err(format!("lane `{name}` runs without loss scaling; start it with a scaler"));
                }
                Some(_) if !(scale.is_finite() && scale > 0.0) => {
                    return Err(format!("a loss scale of {scale} is refused; give a finite number above 0"));
                }
                Some(_) => {}
            }
        }
        // an error means that the thread has ended: nothing left to tell
        self.commands.send(command).ok();
        Ok(())
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("lanes", &self.controls.lanes)
            .field("ended", &self.ended())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Validates the lanes, then starts the thread, which compiles and runs them. `wake` is called after reports were
    /// sent, from that thread.
    ///
    /// # Errors
    /// One line saying which field of which lane is wrong and what to do. What goes wrong later comes as a report.
    pub fn start(lanes: Vec<RunConfig>, data: Arc<Dataset>, wake: impl Fn() + Send + 'static) -> Result<Self, String> {
        Self::start_with(lanes, data, SessionOptions::default(), wake)
    }

    /// [`Session::start`] with options.
    ///
    /// # Errors
    /// As [`Session::start`].
    pub fn start_with(
        lanes: Vec<RunConfig>,
        data: Arc<Dataset>,
        options: SessionOptions,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, String> {
        Self::start_on(opener(), lanes, data, options, wake)
    }

    /// [`Session::start_with`] on backends of one's own.
    ///
    /// # Errors
    /// As [`Session::start`].
    pub fn start_on(
        open: Box<Open>,
        lanes: Vec<RunConfig>,
        data: Arc<Dataset>,
        options: SessionOptions,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, String> {
        agree::check(&lanes, &data)?;
        let scaled = |lane: &RunConfig| lane.scaler != ScalerConfig::None;
        let names = lanes.iter().map(|lane| (lane.lane.clone(), scaled(lane))).collect();
        let (commands, inbox) = channel();
        let (sender, reports) = sync_channel(outbox::SLOTS);
        let outbox = Outbox::new(sender, Box::new(wake), options.pending_bytes);
        let run = move || trainer::run(&open, lanes, &data, options, inbox, outbox);
        let thread = Builder::new().name("trainer".into()).spawn(run).map_err(|error| {
            format!("cannot start the training thread: {error}; close other programs and try again")
        })?;
        Ok(Self { controls: Controls { commands, lanes: names }, reports: Some(reports), thread: Some(thread) })
    }

    /// Tells the session something; a session that has ended ignores it.
    ///
    /// # Errors
    /// As [`Controls::send`].
    pub fn send(&self, command: Command) -> Result<(), String> {
        self.controls.send(command)
    }

    /// A way to [`Session::send`] from another thread.
    #[must_use]
    pub fn controls(&self) -> Controls {
        self.controls.clone()
    }

    /// The reports, oldest first. Never blocks.
    pub fn try_reports(&self) -> impl Iterator<Item = Report> + '_ {
        self.reports.iter().flat_map(Receiver::try_iter)
    }

    /// Waits for the next report; `None` when the session has ended and all was read.
    #[must_use]
    pub fn next_report(&self) -> Option<Report> {
        self.reports.as_ref()?.recv().ok()
    }

    /// Whether the thread has ended. Reports may still be waiting to be read.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // the order matters: Stop reaches a trainer that waits in a pause, the closed channel one that waits to deliver
        self.controls.commands.send(Command::Stop).ok();
        self.reports = None;
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}
