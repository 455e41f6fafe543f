//! One lane with its plan on a device: steps in, reports out.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use super::Open;
use super::outbox::Outbox;
use super::trainer::End;
use crate::train::backend::{Memory, Plan, StepInput, StepOutcome, Ticket};
use crate::train::config::{BackendKind, RunConfig};
use crate::train::program::Program;
use crate::train::report::{HistogramReport, LaneInfo, ProfileReport, Report, StepReport};

/// Steps of a lane that a device may still be working on while the next one is handed over.
const MAX_IN_FLIGHT: usize = 2;

/// How often a step is timed op by op at most, where that is asked for: a timed step makes a device wait.
const PROFILE_PERIOD: Duration = Duration::from_millis(500);
/// The fewest steps from one timed step to the next.
const PROFILE_STEPS: u64 = 16;

/// A lane with its buffers on a device.
pub(super) struct RunningLane {
    pub(super) index: usize,
    pub(super) config: RunConfig,
    pub(super) plan: Box<dyn Plan>,
    /// By probe: whether its values carry the loss scale.
    scaled: Vec<bool>,
    in_flight: VecDeque<(u64, Ticket)>,
    /// Time spent on this lane and steps taken since its speed was last reported.
    pub(super) busy: Duration,
    pub(super) busy_steps: u64,
    pub(super) evaluated_at: u64,
    /// The step that was last timed op by op, and when.
    profiled: Option<(u64, Instant)>,
}

/// Which lane has a device that can fail: the processor is the one that is left then.
fn on_device(index: usize, config: &RunConfig) -> Option<usize> {
    (config.backend != BackendKind::Cpu).then_some(index)
}

impl RunningLane {
    /// Opens the lane's backend and compiles its program.
    pub(super) fn compile(
        open: &Open,
        index: usize,
        config: &RunConfig,
        threads: usize,
    ) -> Result<(LaneInfo, Self), End> {
        let wrong = |why: String| format!("lane `{}`: {why}", config.lane);
        let failed = |why: String| End::Failed { why: wrong(why), device_of: on_device(index, config) };
        let program = Program::of(config).map_err(|why| End::Failed { why: wrong(why), device_of: None })?;
        let program = Arc::new(program);
        let backend = open(config.backend, threads.max(1)).map_err(failed)?;
        let plan = backend.compile(Arc::clone(&program)).map_err(failed)?;
        let info = LaneInfo {
            config: config.clone(),
            device: backend.device(),
            buffer_bytes: plan.buffer_bytes(),
            probes: program.probes.clone(),
            casts: program.casts.clone(),
        };
        let lane = Self {
            index,
            config: config.clone(),
            plan,
            scaled: program.probes.iter().map(|probe| probe.scaled).collect(),
            in_flight: VecDeque::new(),
            busy: Duration::ZERO,
            busy_steps: 0,
            evaluated_at: 0,
            profiled: None,
        };
        Ok((info, lane))
    }

    /// What its buffers take and what is free.
    pub(super) fn memory(&self) -> Report {
        let Memory { used, free } = self.plan.memory();
        Report::Memory { lane: self.index, used, free }
    }

    /// Hands a step over and reports what is done.
    pub(super) fn submit(&mut self, step: u64, input: &StepInput<'_>, outbox: &mut Outbox) -> Result<(), End> {
        let begun = Instant::now();
        let ticket = self.plan.submit(input).map_err(|why| self.device_failed(step, &why))?;
        self.in_flight.push_back((step, ticket));
        self.collect(MAX_IN_FLIGHT, outbox)?;
        self.busy += begun.elapsed();
        self.busy_steps += 1;
        Ok(())
    }

    /// Takes a step op by op and reports their times. The step does not count for the speed.
    pub(super) fn profile(&mut self, step: u64, input: &StepInput<'_>, outbox: &mut Outbox) -> Result<(), End> {
        let begun = Instant::now();
        self.collect(0, outbox)?;
        self.busy += begun.elapsed();
        let (ticket, ops) = self.plan.profile(input).map_err(|why| self.device_failed(step, &why))?;
        self.in_flight.push_back((step, ticket));
        self.profiled = Some((step, Instant::now()));
        outbox.push(Report::Profile(ProfileReport { lane: self.index, steps: 1, ops }));
        self.collect(0, outbox)
    }

    /// Whether a step is timed op by op: now and then one without probes, and never the first, which warms up; the last one
    /// whatever it is, if none was.
    pub(super) fn is_profiled(&self, step: u64) -> bool {
        match self.profiled {
            None if step == self.config.steps => true,
            None => step > 1 && self.is_typical(step),
            Some((last, at)) => step >= last + PROFILE_STEPS && at.elapsed() >= PROFILE_PERIOD && self.is_typical(step),
        }
    }

    const fn is_typical(&self, step: u64) -> bool {
        !self.probes(step) || self.config.probes.every == 1
    }

    /// Whether the probes are read in this step: the first one, and every multiple of the cadence.
    pub(super) const fn probes(&self, step: u64) -> bool {
        let every = self.config.probes.every;
        every > 0 && (step == 1 || step.is_multiple_of(every))
    }

    fn failed(&self, step: u64, why: &str) -> End {
        End::Failed { why: format!("lane `{}`, step {step}: {why}", self.config.lane), device_of: None }
    }

    /// The same, where it was the device or its driver.
    pub(super) fn device_failed(&self, step: u64, why: &str) -> End {
        match self.failed(step, why) {
            End::Failed { why, .. } => End::Failed { why, device_of: on_device(self.index, &self.config) },
            end => end,
        }
    }

    /// Reports the steps that are done, waiting until at most `leave` are in flight.
    pub(super) fn collect(&mut self, leave: usize, outbox: &mut Outbox) -> Result<(), End> {
        let mut polls = 0_u32;
        while let Some(&(step, ticket)) = self.in_flight.front() {
            match self.plan.poll(ticket).map_err(|why| self.device_failed(step, &why))? {
                Some(outcome) => {
                    self.in_flight.pop_front();
                    self.report(step, outcome, outbox)?;
                    polls = 0;
                }
                None if self.in_flight.len() <= leave => break,
                None => wait_a_little(&mut polls),
            }
        }
        Ok(())
    }

    fn report(&self, step: u64, outcome: StepOutcome, outbox: &mut Outbox) -> Result<(), End> {
        let StepOutcome { loss, scale, growth_tracker, skipped, readings } = outcome;
        outbox.push_step(StepReport { lane: self.index, step, loss, scale, growth_tracker, skipped });
        if readings.is_empty() {
            return Ok(());
        }
        let mut histograms = Vec::with_capacity(readings.len());
        for reading in readings {
            let Some(&scaled) = self.scaled.get(reading.probe) else {
                return Err(self.failed(step, "the backend reports a probe that the program does not have"));
            };
            histograms.push(HistogramReport {
                lane: self.index,
                step,
                probe: reading.probe,
                scale: if scaled { scale } else { 1.0 },
                lost_upstream: reading.lost_upstream,
                histogram: reading.histogram,
            });
        }
        outbox.push(Report::Histograms(histograms));
        Ok(())
    }
}

/// A device is mostly done within microseconds or after milliseconds: yield first, then sleep.
fn wait_a_little(polls: &mut u32) {
    *polls += 1;
    if *polls < 64 {
        yield_now();
    } else {
        sleep(Duration::from_micros(100));
    }
}
