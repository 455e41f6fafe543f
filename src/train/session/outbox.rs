//! The way out of the trainer: reports are batched, wait in bounded memory, and none is lost.

use std::collections::VecDeque;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use crate::train::report::{HistogramReport, Report, StepReport};

/// Reports that the channel itself holds.
pub(super) const SLOTS: usize = 16;

/// How often reports leave at most: a reader that looks at the screen's rate sees no difference.
const PERIOD: Duration = Duration::from_millis(10);

/// The reader is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gone;

/// Reports on their way to the reader.
pub(super) struct Outbox {
    sender: SyncSender<Report>,
    wake: Box<dyn Fn() + Send>,
    waiting: VecDeque<Report>,
    waiting_bytes: usize,
    limit_bytes: usize,
    last_sent: Instant,
}

impl Outbox {
    pub(super) fn new(sender: SyncSender<Report>, wake: Box<dyn Fn() + Send>, limit_bytes: usize) -> Self {
        Self { sender, wake, waiting: VecDeque::new(), waiting_bytes: 0, limit_bytes, last_sent: Instant::now() }
    }

    /// Puts a report behind the others.
    pub(super) fn push(&mut self, report: Report) {
        self.waiting_bytes += bytes(&report);
        self.waiting.push_back(report);
    }

    /// Puts the scalars of a step behind the others, into the last report if that holds scalars too.
    pub(super) fn push_step(&mut self, step: StepReport) {
        if let Some(Report::Steps(steps)) = self.waiting.back_mut() {
            steps.push(step);
            self.waiting_bytes += size_of::<StepReport>();
        } else {
            self.push(Report::Steps(vec![step]));
        }
    }

    /// Sends what the channel takes if it is time to; waits for the reader only if too much waits here.
    pub(super) fn send_due(&mut self) -> Result<(), Gone> {
        if self.waiting_bytes > self.limit_bytes {
            return self.send_all();
        }
        if self.waiting.is_empty() || self.last_sent.elapsed() < PERIOD {
            return Ok(());
        }
        self.last_sent = Instant::now();
        let mut sent = false;
        while let Some(report) = self.waiting.pop_front() {
            let size = bytes(&report);
            match self.sender.try_send(report) {
                Ok(()) => {
                    self.waiting_bytes -= size;
                    sent = true;
                }
                Err(TrySendError::Full(report)) => {
                    self.waiting.push_front(report);
                    break;
                }
                Err(TrySendError::Disconnected(_)) => return Err(Gone),
            }
        }
        if sent {
            (self.wake)();
        }
        Ok(())
    }

    /// Sends everything, however long the reader takes.
    pub(super) fn send_all(&mut self) -> Result<(), Gone> {
        self.last_sent = Instant::now();
        while let Some(report) = self.waiting.pop_front() {
            match self.sender.try_send(report) {
                Ok(()) => {}
                Err(TrySendError::Full(report)) => {
                    // wake first: a reader that sleeps would never make room
                    (self.wake)();
                    self.sender.send(report).map_err(|_| Gone)?;
                }
                Err(TrySendError::Disconnected(_)) => return Err(Gone),
            }
        }
        self.waiting_bytes = 0;
        (self.wake)();
        Ok(())
    }
}

/// About how much memory a report takes.
fn bytes(report: &Report) -> usize {
    let content = match report {
        Report::Steps(steps) => steps.len() * size_of::<StepReport>(),
        Report::Histograms(histograms) => histograms.iter().map(histogram_bytes).sum(),
        _ => 0,
    };
    size_of::<Report>() + content
}

fn histogram_bytes(report: &HistogramReport) -> usize {
    // a row of nine counters per exponent of the span
    let span =
        report.histogram.exponents().map_or(0, |exponents| exponents.end().abs_diff(*exponents.start()) as usize + 1);
    size_of::<HistogramReport>() + span * 9 * size_of::<u64>()
}
