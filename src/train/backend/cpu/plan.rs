//! A program with its buffers: runs the instructions one after another, each on all threads.

use std::sync::Arc;

use super::execute::copy;
use super::memory::Memory;
use super::ops;
use super::view::ViewMut;
use crate::train::backend::{Plan, Score, StepInput, StepOutcome, Ticket};
use crate::train::config::Storage;
use crate::train::program::{Adam, Layout, Life, Op, Phase, Program, TensorId};
use crate::train::scaler::LossScaler;

/// The scalars of the device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scalars {
    pub(super) scaler: Option<LossScaler>,
    pub(super) learning_rate: f32,
    pub(super) found_inf: bool,
    /// Steps taken and skipped.
    pub(super) steps: u64,
    /// β1^t and β2^t for the steps taken so far.
    pub(super) powers: [f64; 2],
    pub(super) loss: f32,
}

impl Scalars {
    pub(super) fn scale(&self) -> f32 {
        self.scaler.map_or(1.0, |scaler| scaler.scale())
    }
}

/// Room that ops need beside tensors, allocated once.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) operands: [Vec<f32>; 2],
    pub(super) row: Vec<f32>,
    pub(super) losses: Vec<f64>,
    pub(super) labels: Vec<u8>,
}

/// A program that was compiled for the processor.
#[derive(Debug)]
pub(super) struct CpuPlan {
    pub(super) program: Arc<Program>,
    pub(super) pool: Arc<rayon::ThreadPool>,
    layout: Layout,
    pub(super) memory: Memory,
    pub(super) scalars: Scalars,
    pub(super) adam: Option<Adam>,
    pub(super) scratch: Scratch,
    submitted: u64,
    finished: Vec<(Ticket, StepOutcome)>,
}

impl CpuPlan {
    /// Allocates the buffers and writes the initial weights.
    pub(super) fn new(program: Arc<Program>, pool: Arc<rayon::ThreadPool>) -> Result<Self, String> {
        let layout = Layout::of(&program);
        let memory = Memory::new(&program, &layout);
        let (mut narrow, mut columns, mut adam) = ([0, 0], 1, None);
        for instruction in &program.instructions {
            if let Op::MatMul { a, b, .. } = instruction.op {
                for (room, id) in narrow.iter_mut().zip([a, b]) {
                    let spec = &program.tensors[id.0];
                    *room = if spec.storage == Storage::Fp32 { *room } else { spec.elements().max(*room) };
                }
            }
            if let Op::Adam { adam: constants, .. } = instruction.op {
                adam = Some(constants);
            }
        }
        for spec in &program.tensors {
            columns = columns.max(spec.columns);
        }
        let scratch = Scratch {
            operands: narrow.map(|elements| vec![0.0; elements]),
            row: vec![0.0; columns],
            losses: vec![0.0; program.batch],
            labels: vec![0; program.batch],
        };
        let scalars = Scalars {
            scaler: program.scalars.scaler,
            learning_rate: program.scalars.learning_rate,
            found_inf: false,
            steps: 0,
            powers: [1.0; 2],
            loss: 0.0,
        };
        let mut plan =
            Self { program, pool, layout, memory, scalars, adam, scratch, submitted: 0, finished: Vec::new() };
        for index in 0..plan.program.tensors.len() {
            let values = plan.program.initial_values(TensorId(index));
            if !values.is_empty() {
                plan.write(TensorId(index), &values)?;
            }
        }
        Ok(plan)
    }

    /// A tensor that may be read and written between steps.
    fn kept(&self, id: TensorId) -> Result<(), String> {
        let Some(spec) = self.program.tensors.get(id.0) else {
            return Err(format!("tensor {} of {}: no such tensor", id.0, self.program.tensors.len()));
        };
        match spec.life {
            Life::Run(_) => Ok(()),
            Life::Step | Life::Probe => Err(format!(
                "{} is recycled within a step; keep it with Program::keep, or look at it with a probe",
                spec.name
            )),
        }
    }

    /// Copies a batch to the device.
    fn load(&mut self, images: &[f32], labels: &[u8]) {
        let room = self.program.batch;
        let mut taken = self.memory.take(self.program.images);
        if let ViewMut::F32(to) = taken.view_mut() {
            to[..images.len()].copy_from_slice(images);
            to[images.len()..].fill(0.0);
        }
        self.memory.put(taken);
        self.scratch.labels[..labels.len().min(room)].copy_from_slice(labels);
    }

    /// Pixels of an image and classes of the network.
    fn ends(&self) -> (usize, usize) {
        let columns = |id: TensorId| self.program.tensors[id.0].columns;
        (columns(self.program.images), columns(self.program.logits))
    }

    /// Whether images and labels go together.
    fn check(&self, images: &[f32], labels: &[u8]) -> Result<(), String> {
        let (pixels, classes) = self.ends();
        if images.len() != labels.len() * pixels {
            let (values, count) = (images.len(), labels.len());
            return Err(format!("{values} pixels for {count} labels; the network takes {pixels} pixels an image"));
        }
        match labels.iter().find(|&&label| usize::from(label) >= classes) {
            Some(label) => {
                Err(format!("label {label}, but the network has {classes} classes; give its last layer more outputs"))
            }
            None => Ok(()),
        }
    }
}

impl Plan for CpuPlan {
    fn write(&mut self, tensor: TensorId, values: &[f32]) -> Result<(), String> {
        self.kept(tensor)?;
        let spec = &self.program.tensors[tensor.0];
        if values.len() != spec.elements() {
            return Err(format!("{} values for {}, which has {}", values.len(), spec.name, spec.elements()));
        }
        let mut taken = self.memory.take(tensor);
        taken.view_mut().store(0, values);
        self.memory.put(taken);
        Ok(())
    }

    fn read(&mut self, tensor: TensorId) -> Result<Vec<f32>, String> {
        self.kept(tensor)?;
        let mut values = vec![0.0; self.program.tensors[tensor.0].elements()];
        copy(self.memory.view(tensor), &mut values);
        Ok(values)
    }

    fn submit(&mut self, input: &StepInput<'_>) -> Result<Ticket, String> {
        self.check(input.images, input.labels)?;
        if input.labels.len() != self.program.batch {
            let (count, batch) = (input.labels.len(), self.program.batch);
            return Err(format!("{count} images in a batch; the program was compiled for {batch}"));
        }
        self.load(input.images, input.labels);
        self.scalars.found_inf = false;
        let scale = self.scalars.scale();
        let readings = self.run(input.probe, None);
        let outcome = StepOutcome {
            loss: self.scalars.loss,
            scale,
            growth_tracker: self.scalars.scaler.map_or(0, |scaler| scaler.growth_tracker()),
            skipped: self.scalars.found_inf,
            readings,
        };
        self.submitted += 1;
        let ticket = Ticket(self.submitted);
        self.finished.push((ticket, outcome));
        Ok(ticket)
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<StepOutcome>, String> {
        match self.finished.iter().position(|(done, _)| *done == ticket) {
            Some(index) => Ok(Some(self.finished.remove(index).1)),
            None => Err(format!("step {} was never submitted, or its outcome was already taken", ticket.0)),
        }
    }

    fn set_scale(&mut self, scale: f32) -> Result<(), String> {
        let Some(scaler) = self.scalars.scaler else {
            return Err("this lane has no loss scaler; start it with a static or dynamic one".into());
        };
        self.scalars.scaler = Some(scaler.with_scale(scale)?);
        Ok(())
    }

    fn evaluate(&mut self, images: &[f32], labels: &[u8]) -> Result<Score, String> {
        self.check(images, labels)?;
        let (pixels, classes) = self.ends();
        let mut score = Score { correct: 0, loss_sum: 0.0 };
        let batch = self.program.batch;
        for (images, labels) in images.chunks(batch * pixels).zip(labels.chunks(batch)) {
            self.load(images, labels);
            self.run(false, Some(Phase::Forward));
            let logits = self.memory.view(self.program.logits);
            for (row, &label) in labels.iter().enumerate() {
                let row = logits.widened(row * classes..(row + 1) * classes, &mut self.scratch.row);
                score.loss_sum += ops::cross_entropy_of_row(row, usize::from(label));
                score.correct += u64::from(largest(row) == Some(usize::from(label)));
            }
        }
        Ok(score)
    }

    fn buffer_bytes(&self) -> u64 {
        self.layout.bytes(false)
    }

    fn probe_bytes(&self) -> u64 {
        self.layout.bytes(true)
    }
}

/// Index of the largest value, the first of equals; `None` if any is NaN.
fn largest(row: &[f32]) -> Option<usize> {
    if row.iter().any(|value| value.is_nan()) {
        return None;
    }
    let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter().position(|&value| value == largest)
}
