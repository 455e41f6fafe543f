//! What views ask for. Views only read the model; everything they want done is queued here and run between frames.

use std::path::PathBuf;

use super::command::UiCommand;
use super::export::ExportRequest;

use super::model::WitnessQuestion;
use super::setup::{DataChoice, Setup};
use super::theme::Look;
use super::views::ViewId;
use crate::i18n::Lang;
use crate::link::Link;
use crate::observe::{Coverage, Place};
use crate::train::Command;

/// One wish of a view.
#[derive(Debug, Clone)]
pub enum Action {
    /// Bring a view to the front.
    Show(ViewId),
    /// Change the language.
    SetLang(Lang),
    /// Change the theme.
    SetLook(Look),
    /// Set the zoom; 1 is 100 %.
    SetZoom(f32),
    /// Replace the set-up of the next run.
    Configure(Setup),
    /// Load other images.
    LoadData(DataChoice),
    /// Look for what lanes can run on.
    FindDevices,
    /// Start the run that is set up.
    Start,
    /// Start the run again with the lane whose device failed on the processor.
    RunOnProcessor,
    /// Tell the running session something.
    Send(Command),
    /// Drop the run and go back to the set-up.
    NewRun,
    /// Ask for a recorded run with the system's dialog.
    AskOpen,
    /// Open a recorded run.
    Open(PathBuf),
    /// Ask where to write with the system's dialog, then write; the path is what the dialog proposes.
    AskExport(Box<ExportRequest>, PathBuf),
    /// Write a figure.
    Export(Box<ExportRequest>, PathBuf),
    /// Say that something went wrong, in one line.
    Fail(String),
    /// Show what a link says.
    Follow(Box<Link>),
    /// Copy the line of what is shown.
    CopyLink(Box<Link>),
    /// Search the smallest number that these formats, one after another, turn into something else than directly.
    FindWitness(WitnessQuestion),
    /// Let a device do every operation, on a thread.
    Observe(Place, Coverage),
    /// Stop that.
    StopObserving(Place),
    /// Close the notice.
    Dismiss,
    /// Do what a command means in the view that is in front.
    Command(UiCommand),
}

/// The queue of wishes of one frame.
#[derive(Debug, Default)]
pub struct Actions {
    queue: Vec<Action>,
}

impl Actions {
    /// Adds a wish.
    pub fn push(&mut self, action: Action) {
        self.queue.push(action);
    }

    /// Adds wishes.
    pub fn extend(&mut self, actions: impl IntoIterator<Item = Action>) {
        self.queue.extend(actions);
    }

    /// Empties the queue, oldest first.
    #[must_use]
    pub fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.queue)
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}
