//! A program with its buffers: runs the instructions one after another, each on all threads.

use std::sync::Arc;

use super::execute::{Watch, copy};
use super::memory::Memory;
use super::view::ViewMut;
use crate::train::backend::checks::{check, check_batch, check_kept, check_values, ends};
use crate::train::backend::times::by_op;
use crate::train::backend::{Plan, Score, StepInput, StepOutcome, Ticket};
use crate::train::config::Storage;
use crate::train::program::{Adam, Layout, Op, Phase, Program, TensorId};
use crate::train::report::OpTime;
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
            if let Op::MatMul { a, b, tf32, .. } = instruction.op {
                for (room, id) in narrow.iter_mut().zip([a, b]) {
                    let spec = &program.tensors[id.0];
                    let as_stored = spec.storage == Storage::Fp32 && !tf32;
                    *room = if as_stored { *room } else { spec.elements().max(*room) };
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

    /// Takes a step while `watch` looks on.
    fn step(&mut self, input: &StepInput<'_>, watch: &mut impl Watch) -> Result<Ticket, String> {
        check(&self.program, input.images, input.labels)?;
        check_batch(&self.program, input.labels)?;
        self.load(input.images, input.labels);
        self.scalars.found_inf = false;
        let scale = self.scalars.scale();
        let readings = self.run(input.probe, None, watch);
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
}

impl Plan for CpuPlan {
    fn write(&mut self, tensor: TensorId, values: &[f32]) -> Result<(), String> {
        check_values(&self.program, tensor, values)?;
        let mut taken = self.memory.take(tensor);
        taken.view_mut().store(0, values);
        self.memory.put(taken);
        Ok(())
    }

    fn read(&mut self, tensor: TensorId) -> Result<Vec<f32>, String> {
        check_kept(&self.program, tensor)?;
        let mut values = vec![0.0; self.program.tensors[tensor.0].elements()];
        copy(self.memory.view(tensor), &mut values);
        Ok(values)
    }

    fn submit(&mut self, input: &StepInput<'_>) -> Result<Ticket, String> {
        self.step(input, &mut ())
    }

    fn profile(&mut self, input: &StepInput<'_>) -> Result<(Ticket, Vec<OpTime>), String> {
        let mut seconds = Vec::new();
        let ticket = self.step(input, &mut seconds)?;
        Ok((ticket, by_op(&self.program, seconds)))
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
        check(&self.program, images, labels)?;
        let (pixels, classes) = ends(&self.program);
        let mut score = Score { correct: 0, loss_sum: 0.0 };
        let batch = self.program.batch;
        for (images, labels) in images.chunks(batch * pixels).zip(labels.chunks(batch)) {
            self.load(images, labels);
            self.run(false, Some(Phase::Forward), &mut ());
            let logits = self.memory.view(self.program.logits);
            for (row, &label) in labels.iter().enumerate() {
                let row = logits.widened(row * classes..(row + 1) * classes, &mut self.scratch.row);
                score.add(row, usize::from(label));
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

    fn memory(&self) -> crate::train::backend::Memory {
        crate::train::backend::Memory { used: self.layout.bytes(false) + self.layout.bytes(true), free: free_memory() }
    }
}

/// Bytes of this machine that programs may still take, where the system tells: Linux does.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| 1024 * kibibytes)
}
