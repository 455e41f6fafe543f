//! The loop on the session's thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use super::lane::RunningLane;
use super::order::ImageOrder;
use super::outbox::{Gone, Outbox};
use super::{Command, Open, SessionOptions};
use crate::data::{Dataset, Split};
use crate::train::backend::StepInput;
use crate::train::config::RunConfig;
use crate::train::recording::FORMAT_VERSION;
use crate::train::report::{Evaluation, Outcome, Report, Started};

/// How often the speed is reported at most.
const SPEED_PERIOD: Duration = Duration::from_millis(250);

/// Why the loop ends early.
pub(super) enum End {
    Stopped,
    Failed {
        /// One line.
        why: String,
        /// The lane whose device or driver it was.
        device_of: Option<usize>,
    },
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
        Ok(Err(End::Failed { why, device_of })) => {
            if let Some(lane) = device_of {
                outbox.push(Report::DeviceFailed { lane });
            }
            Outcome::Failed(why)
        }
        Ok(Err(End::Gone)) => return,
        Err(_) => {
            Outcome::Failed("the trainer panicked, which is a bug of halfscope; please report how to repeat it".into())
        }
    };
    outbox.push(Report::Finished { step, outcome });
    outbox.send_all().ok();
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
    /// Whether steps are timed op by op now and then.
    profile: bool,
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
            let (info, lane) = RunningLane::compile(open, index, &config, options.threads)?;
            infos.push(info);
            lanes.push(lane);
        }
        outbox.push(Report::Started(Started { format: FORMAT_VERSION, dataset: data.name.clone(), lanes: infos }));
        for lane in &lanes {
            outbox.push(lane.memory());
        }
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
            profile: options.profile,
        })
    }

    fn train(&mut self) -> Result<(), End> {
        let mut result = self.take_all_steps();
        if matches!(result, Ok(()) | Err(End::Stopped)) {
            let last = self.settle().and_then(|()| self.evaluate(|lane, step| lane.evaluated_at < step));
            if last.is_err() {
                result = last;
            }
        } else if matches!(result, Err(End::Failed { .. })) {
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
        lane.plan.set_scale(scale).map_err(|why| lane.device_failed(step, &why))?;
        self.outbox.push(Report::ScaleSet { lane: index, step, scale });
        Ok(())
    }

    /// Hands the same batch to every lane and collects what is done.
    fn take_step(&mut self) -> Result<(), End> {
        let step = self.step + 1;
        self.load_batch(step);
        for lane in &mut self.lanes {
            let input = StepInput { images: &self.images, labels: &self.labels, probe: lane.probes(step) };
            if self.profile && lane.is_profiled(step) {
                lane.profile(step, &input, self.outbox)?;
            } else {
                lane.submit(step, &input, self.outbox)?;
            }
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
            let score = lane.plan.evaluate(&self.test_images, labels).map_err(|why| lane.device_failed(step, &why))?;
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
            let seconds = lane.busy.as_secs_f64();
            if seconds > 0.0 && lane.busy_steps > 0 {
                let steps_per_second = lane.busy_steps as f64 / seconds;
                (lane.busy, lane.busy_steps) = (Duration::ZERO, 0);
                self.outbox.push(Report::Speed { lane: lane.index, steps_per_second });
            }
            self.outbox.push(lane.memory());
        }
    }
}
