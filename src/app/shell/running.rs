//! The run: starting it, following it, ending it, starting it again elsewhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::Context;

use super::App;
use crate::app::model::{Data, DeviceSearch, Notice, RunState};
use crate::app::threads::Done;
use crate::train::devices::{Devices, choose_adapter};
use crate::train::report::{Outcome, Report};
use crate::train::{Command, Recording, Session, SessionOptions};

/// Longest time that one frame takes in reports.
const DRAIN_BUDGET: Duration = Duration::from_millis(3);

/// Least time between two frames that a training run asks for.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

impl App {
    /// Looks for devices on a thread, once.
    pub(super) fn find_devices(&mut self) {
        if !matches!(self.model.devices, DeviceSearch::NotBegun) {
            return;
        }
        self.model.devices = DeviceSearch::Looking;
        if let Err(line) = self.threads.spawn("devices", || Done::Devices(Devices::find())) {
            self.model.notice = Some(Notice::Error(line));
        }
    }

    pub(super) fn session_started(&mut self, session: Session) {
        self.session = Some(session);
        self.model.recording = Recording::default();
        self.model.failed_lane = None;
        self.model.run = RunState::Running;
        self.model.run_number += 1;
    }

    pub(super) fn drain_reports(&mut self, ctx: &Context) {
        let Some(session) = &self.session else { return };
        let begun = Instant::now();
        let mut ended = false;
        for report in session.try_reports() {
            match &report {
                Report::Paused { .. } => self.model.run = RunState::Paused,
                Report::Resumed { .. } => self.model.run = RunState::Running,
                Report::DeviceFailed { lane } => self.model.failed_lane = Some(*lane),
                Report::Finished { outcome, .. } => {
                    if let Outcome::Failed(line) = outcome {
                        self.model.notice = Some(Notice::Error(line.clone()));
                    }
                    self.model.run = RunState::Ended(outcome.clone());
                    ended = true;
                }
                _ => {}
            }
            self.model.recording.ingest(report);
            if begun.elapsed() >= DRAIN_BUDGET {
                ctx.request_repaint();
                break;
            }
        }
        if ended {
            self.retire_session();
        }
    }

    pub(super) fn start(&mut self, ctx: &Context) {
        let Data::Ready(data) = &self.model.data else { return };
        let lanes = match self.model.setup.lanes() {
            Ok(lanes) if self.model.run == RunState::Idle => lanes,
            Ok(_) => return,
            Err(line) => {
                self.model.notice = Some(Notice::Error(line));
                return;
            }
        };
        let (data, waker) = (Arc::clone(data), ctx.clone());
        let wake = move || waker.request_repaint_after(REPORT_INTERVAL);
        let (adapter, backends) = (self.model.setup.adapter.clone(), self.backends);
        let job = move || {
            let options = SessionOptions { profile: true, ..SessionOptions::default() };
            let chosen = choose_adapter(adapter.as_deref());
            Done::Started(chosen.and_then(|()| Session::start_on(backends(), lanes, data, options, wake)))
        };
        match self.threads.spawn("start", job) {
            Ok(()) => (self.model.run, self.model.notice) = (RunState::Starting, None),
            Err(line) => self.model.notice = Some(Notice::Error(line)),
        }
    }

    pub(super) fn send(&mut self, command: Command) {
        let Some(session) = &self.session else { return };
        if let Err(line) = session.send(command) {
            self.model.notice = Some(Notice::Error(line));
        }
    }

    pub(super) fn new_run(&mut self) {
        self.retire_session();
        self.model.recording = Recording::default();
        self.model.run = RunState::Idle;
        self.model.failed_lane = None;
        self.model.notice = None;
    }

    /// The same set-up once more, with the lane whose device failed on the processor.
    pub(super) fn run_on_processor(&mut self, ctx: &Context) {
        let Some(lane) = self.model.failed_lane.filter(|_| self.model.can_run_on_processor()) else { return };
        self.model.setup.put_on_processor(lane);
        self.new_run();
        self.start(ctx);
    }

    /// Stops and joins the session's thread without making a frame wait for it.
    pub(super) fn retire_session(&mut self) {
        let Some(session) = self.session.take() else { return };
        let retire = move || {
            drop(session);
            Done::Retired
        };
        if let Err(line) = self.threads.spawn("retire", retire) {
            self.model.notice = Some(Notice::Error(line));
        }
    }
}
