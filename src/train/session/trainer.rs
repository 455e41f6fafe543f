//! The loop on the session's thread.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use super::order::ImageOrder;
use super::outbox::{Gone, Outbox};
use super::{Command, Open, SessionOptions};
use crate::data::{Dataset, Split};
use crate::train::backend::{Plan, StepInput, StepOutcome, Ticket};
use crate::train::config::RunConfig;
use crate::train::program::Program;
use crate::train::recording::FORMAT_VERSION;
use crate::train::report::{Evaluation, HistogramReport, LaneInfo, Outcome, Report, Started, StepReport};

/// Steps of a lane that a device may still be working on while the next one is handed over.
const MAX_IN_FLIGHT: usize = 2;

/// How often the speed is reported at most.
const SPEED_PERIOD: Duration = Duration::from_millis(250);

/// Why the loop ends early.
enum End {
    Stopped,
    Failed(String),
    /// Nobody reads the reports any more.
    Gone,
}

impl From<Gone> for End {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// Runs a session from its first report to its last. A panic below is a report too: whoever reads must learn of it.
pub(super) fn run(
    open: &Open,
    lanes: Vec<RunConfig>,
    data: &Dataset,
    options: SessionOptions,
    commands: Receiver<Command>,
    mut outbox: Outbox,
) {
    let mut step = 0;
    let train = || -> Result<(), End> {
        let mut trainer = Trainer::start(open, lanes, data, options, commands, &mut outbox)?;
        let result = trainer.train();
        step = trainer.step;
        result
    };
    let outcome = match catch_unwind(AssertUnwindSafe(train)) {
        Ok(Ok(())) => Outcome::Completed,
        Ok(Err(End::Stopped)) => Outcome::Stopped,
        Ok(Err(End::Failed(why))) => Outcome::Failed(why),
        Ok(Err(End::Gone)) => return,
        Err(_) => {
            Outcome::Failed("the trainer panicked, which is a bug of halfscope; please report how to repeat it".into())
        }
    };
    outbox.push(Report::Finished { step, outcome });
    outbox.send_all().ok();
}

/// A lane with its buffers on a device.
struct RunningLane {
    index: usize,
    config: RunConfig,
    plan: Box<dyn Plan>,
    /// By probe: whether its values carry the loss scale.
    scaled: Vec<bool>,
    in_flight: VecDeque<(u64, Ticket)>,
    /// Time spent on this lane and steps taken since its speed was last reported.
    busy: Duration,
    busy_steps: u64,
    evaluated_at: u64,
}

struct Trainer<'a> {
    lanes: Vec<RunningLane>,
    data: &'a Dataset,
    order: ImageOrder,
    /// By byte: the input that the network sees for a pixel.
    inputs: [f32; 256],
    images: Vec<f32>,
    labels: Vec<u8>,
    test_images: Vec<f32>,
    commands: Receiver<Command>,
    outbox: &'a mut Outbox,
    step: u64,
    steps: u64,
    /// Steps until the next pause; `None` runs on.
    allowed: Option<u64>,
    paused: bool,
    speed_reported: Instant,
}

impl<'a> Trainer<'a> {
    /// Opens backends and compiles all lanes. The lanes agree with each other and the data.
    fn start(
        open: &Open,
        configs: Vec<RunConfig>,
        data: &'a Dataset,
        options: SessionOptions,
        commands: Receiver<Command>,
        outbox: &'a mut Outbox,
    ) -> Result<Self, End> {
        let first = &configs[0];
        let images = first.train_images.unwrap_or(data.train.len());
        let order = ImageOrder::new(first.seed, images, first.batch);
        let (steps, inputs) = (first.steps, first.pixel_values());
        let mut lanes = Vec::new();
        let mut infos = Vec::new();
        for (index, config) in configs.into_iter().enumerate() {
            let failed = |why: String| End::Failed(format!("lane `{}`: {why}", config.lane));
            let (info, lane) = compile(open, index, &config, options.threads).map_err(failed)?;
            infos.push(info);
            lanes.push(lane);
        }
        outbox.push(Report::Started(Started { format: FORMAT_VERSION, dataset: data.name.clone(), lanes: infos }));
        outbox.send_all()?;
        let test_images = data.test.images.iter().map(|&pixel| inputs[usize::from(pixel)]).collect();
        Ok(Self {
            lanes,
            data,
            order,
            inputs,
            images: Vec::new(),
            labels: Vec::new(),
            test_images,
            commands,
            outbox,
            step: 0,
            steps,
            allowed: options.paused.then_some(0),
            paused: false,
            speed_reported: Instant::now(),
        })
    }

    fn train(&mut self) -> Result<(), End> {
        let mut result = self.take_all_steps();
        if matches!(result, Ok(()) | Err(End::Stopped)) {
            let last = self.settle().and_then(|()| self.evaluate(|lane, step| lane.evaluated_at < step));
            if last.is_err() {
                result = last;
            }
        } else if matches!(result, Err(End::Failed(_))) {
            // what the other lanes have finished is kept; nothing is waited for, since a device may be lost
            for lane in &mut self.lanes {
                lane.collect(usize::MAX, self.outbox).ok();
            }
        }
        result
    }

    fn take_all_steps(&mut self) -> Result<(), End> {
        while self.step < self.steps {
            self.obey()?;
            self.take_step()?;
            self.report_speed();
            self.outbox.send_due()?;
        }
        Ok(())
    }

    /// Carries out the commands that have arrived, and waits for more where a step is not allowed.
    fn obey(&mut self) -> Result<(), End> {
        loop {
            let command = if self.allowed == Some(0) {
                self.wait()?
            } else {
                match self.commands.try_recv() {
                    Ok(command) => command,
                    Err(TryRecvError::Empty) => {
                        self.resume();
                        return Ok(());
                    }
                    Err(TryRecvError::Disconnected) => return Err(End::Gone),
                }
            };
            match command {
                Command::Pause => self.allowed = Some(0),
                Command::Resume => self.allowed = None,
                Command::Step(more) => self.allowed = Some(self.allowed.unwrap_or(0).saturating_add(more)),
                Command::SetLossScale { lane, scale } => self.set_scale(lane, scale)?,
                Command::Stop => return Err(End::Stopped),
            }
        }
    }

    /// Waits in a pause, with everything said before.
    fn wait(&mut self) -> Result<Command, End> {
        if !self.paused {
            self.settle()?;
            self.paused = true;
            self.outbox.push(Report::Paused { step: self.step });
        }
        self.outbox.send_all()?;
        self.commands.recv().map_err(|_| End::Gone)
    }

    fn resume(&mut self) {
        if self.paused {
            self.paused = false;
            self.outbox.push(Report::Resumed { step: self.step });
        }
    }

    fn set_scale(&mut self, index: usize, scale: f32) -> Result<(), End> {
        self.settle()?;
        let step = self.step + 1;
        let lane = &mut self.lanes[index];
        lane.plan.set_scale(scale).map_err(|why| lane.failed(step, &why))?;
        self.outbox.push(Report::ScaleSet { lane: index, step, scale });
        Ok(())
    }

    /// Hands the same batch to every lane and collects what is done.
    fn take_step(&mut self) -> Result<(), End> {
        let step = self.step + 1;
        self.load_batch(step);
        for lane in &mut self.lanes {
            let begun = Instant::now();
            let input = StepInput { images: &self.images, labels: &self.labels, probe: lane.probes(step) };
            let ticket = lane.plan.submit(&input).map_err(|why| lane.failed(step, &why))?;
            lane.in_flight.push_back((step, ticket));
            lane.collect(MAX_IN_FLIGHT, self.outbox)?;
            lane.busy += begun.elapsed();
            lane.busy_steps += 1;
        }
        self.step = step;
        if let Some(allowed) = &mut self.allowed {
            *allowed -= 1;
        }
        self.evaluate(|lane, step| lane.config.evaluate_every > 0 && step.is_multiple_of(lane.config.evaluate_every))
    }

    fn load_batch(&mut self, step: u64) {
        self.images.clear();
        self.labels.clear();
        let train: &Split = &self.data.train;
        for &index in self.order.batch(step) {
            let pixels = train.image(index as usize).iter();
            self.images.extend(pixels.map(|&pixel| self.inputs[usize::from(pixel)]));
            self.labels.push(train.labels[index as usize]);
        }
    }

    /// Waits until no step is in flight.
    fn settle(&mut self) -> Result<(), End> {
        for lane in &mut self.lanes {
            lane.collect(0, self.outbox)?;
        }
        Ok(())
    }

    fn evaluate(&mut self, due: impl Fn(&RunningLane, u64) -> bool) -> Result<(), End> {
        let step = self.step;
        let labels = &self.data.test.labels;
        for lane in &mut self.lanes {
            if !due(lane, step) {
                continue;
            }
            lane.collect(0, self.outbox)?;
            let score = lane.plan.evaluate(&self.test_images, labels).map_err(|why| lane.failed(step, &why))?;
            lane.evaluated_at = step;
            let images = labels.len() as u64;
            let loss = (score.loss_sum / images as f64) as f32;
            self.outbox.push(Report::Evaluated(Evaluation {
                lane: lane.index,
                step,
                correct: score.correct,
                images,
                loss,
            }));
        }
        Ok(())
    }

    fn report_speed(&mut self) {
        if self.speed_reported.elapsed() < SPEED_PERIOD {
            return;
        }
        self.speed_reported = Instant::now();
        for lane in &mut self.lanes {
            let seconds = std::mem::take(&mut lane.busy).as_secs_f64();
            let steps = std::mem::take(&mut lane.busy_steps);
            if seconds > 0.0 {
                let steps_per_second = steps as f64 / seconds;
                self.outbox.push(Report::Speed { lane: lane.index, steps_per_second });
            }
        }
    }
}

fn compile(open: &Open, index: usize, config: &RunConfig, threads: usize) -> Result<(LaneInfo, RunningLane), String> {
    let backend = open(config.backend, threads.max(1))?;
    let program = Arc::new(Program::of(config)?);
    let plan = backend.compile(Arc::clone(&program))?;
    let info = LaneInfo {
        config: config.clone(),
        device: backend.device(),
        buffer_bytes: plan.buffer_bytes(),
        probes: program.probes.clone(),
        casts: program.casts.clone(),
    };
    let lane = RunningLane {
        index,
        config: config.clone(),
        plan,
        scaled: program.probes.iter().map(|probe| probe.scaled).collect(),
        in_flight: VecDeque::new(),
        busy: Duration::ZERO,
        busy_steps: 0,
        evaluated_at: 0,
    };
    Ok((info, lane))
}

impl RunningLane {
    /// Whether the probes are read in this step: the first one, and every multiple of the cadence.
    const fn probes(&self, step: u64) -> bool {
        let every = self.config.probes.every;
        every > 0 && (step == 1 || step.is_multiple_of(every))
    }

    fn failed(&self, step: u64, why: &str) -> End {
        End::Failed(format!("lane `{}`, step {step}: {why}", self.config.lane))
    }

    /// Reports the steps that are done, waiting until at most `leave` are in flight.
    fn collect(&mut self, leave: usize, outbox: &mut Outbox) -> Result<(), End> {
        let mut polls = 0_u32;
        while let Some(&(step, ticket)) = self.in_flight.front() {
            match self.plan.poll(ticket).map_err(|why| self.failed(step, &why))? {
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
