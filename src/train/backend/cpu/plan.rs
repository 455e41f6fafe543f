//! A program with its buffers: runs the instructions one after another, each on all threads.

use std::sync::Arc;

use super::memory::Memory;
use super::ops::{self, AdamStep, Casting, LossRows, Product};
use super::view::{PIECE, View};
use crate::train::backend::{Plan, ProbeReading, Score, StepInput, StepOutcome, Ticket};
use crate::train::config::{CastRounding, Storage};
use crate::train::program::{Adam, Layout, Life, Op, Phase, Program, TensorId, When};
use crate::train::rng::step_key;
use crate::train::scaler::LossScaler;

/// The scalars of the device.
#[derive(Debug, Clone, Copy)]
struct Scalars {
    scaler: Option<LossScaler>,
    learning_rate: f32,
    found_inf: bool,
    /// Steps taken and skipped.
    steps: u64,
    /// β1^t and β2^t for the steps taken so far.
    powers: [f64; 2],
    loss: f32,
}

impl Scalars {
    fn scale(&self) -> f32 {
        self.scaler.map_or(1.0, |scaler| scaler.scale())
    }
}

/// Room that ops need beside tensors, allocated once.
#[derive(Debug)]
struct Scratch {
    operands: [Vec<f32>; 2],
    row: Vec<f32>,
    losses: Vec<f64>,
    labels: Vec<u8>,
}

/// A program that was compiled for the processor.
#[derive(Debug)]
pub(super) struct CpuPlan {
    program: Arc<Program>,
    pool: Arc<rayon::ThreadPool>,
    layout: Layout,
    memory: Memory,
    scalars: Scalars,
    adam: Option<Adam>,
    scratch: Scratch,
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

    /// Runs the instructions of a step or, with `only`, of one phase.
    fn run(&mut self, probe: bool, only: Option<Phase>) -> Vec<ProbeReading> {
        let program = Arc::clone(&self.program);
        let pool = Arc::clone(&self.pool);
        let mut readings = Vec::new();
        pool.install(|| {
            for (index, instruction) in program.instructions.iter().enumerate() {
                let wanted = only.is_none_or(|phase| instruction.phase == phase);
                if wanted && (probe || instruction.when == When::Always) {
                    self.execute(index as u64, &instruction.op, probe, &mut readings);
                }
            }
        });
        readings
    }

    /// Writes `out` from a closure that gets its FP32 values and reads other tensors.
    fn write_f32(&mut self, out: TensorId, write: impl FnOnce(&mut [f32], &Memory, &mut Scratch)) {
        let mut taken = self.memory.take(out);
        if let super::view::ViewMut::F32(values) = taken.view_mut() {
            write(values, &self.memory, &mut self.scratch);
        }
        self.memory.put(taken);
    }

    /// Copies `x` widened into the FP32 tensor `out`, unless they share their memory.
    fn fill(&mut self, x: TensorId, out: TensorId) {
        if self.memory.shared(x, out) {
            return;
        }
        self.write_f32(out, |out, memory, _| copy(memory.view(x), out));
    }

    fn execute(&mut self, index: u64, op: &Op, probe: bool, readings: &mut Vec<ProbeReading>) {
        match *op {
            Op::MatMul { a, b, out, transpose_a, transpose_b, accumulate } => {
                self.write_f32(out, |out, memory, scratch| {
                    let (a_shape, b_shape) = (memory.shape(a), memory.shape(b));
                    let (a, b) = (memory.view(a), memory.view(b));
                    let product = Product { a, b, a_shape, b_shape, transpose_a, transpose_b, accumulate };
                    ops::matmul(product, out, &mut scratch.operands);
                });
            }
            Op::BiasAdd { x, bias, out } => {
                self.fill(x, out);
                let columns = self.memory.shape(out).1;
                self.write_f32(out, |out, memory, scratch| {
                    ops::bias_add(out, memory.view(bias), columns, &mut scratch.row)
                });
            }
            Op::Relu { x, out } => {
                let mut taken = self.memory.take(out);
                if !self.memory.shared(x, out) {
                    copy_bits(self.memory.view(x), &mut taken.view_mut());
                }
                ops::relu(taken.view_mut());
                self.memory.put(taken);
            }
            Op::ReluGrad { grad, output, out } => {
                self.fill(grad, out);
                self.write_f32(out, |out, memory, _| ops::relu_grad(out, memory.view(output)));
            }
            Op::SoftmaxCrossEntropy { logits, grad, weight, scaled } => self.loss(logits, grad, weight, scaled),
            Op::SumRows { x, out, accumulate } => {
                let rows = self.memory.shape(x).0;
                self.write_f32(out, |out, memory, scratch| {
                    ops::sum_rows(memory.view(x), rows, out, accumulate, &mut scratch.row);
                });
            }
            Op::Cast { x, out, rounding, flush } => self.cast(index, x, out, rounding, flush),
            Op::Unscale { x, out } => {
                let inverse = self.scalars.scaler.map_or(1.0, |scaler| scaler.inverse());
                let in_place = self.memory.shared(x, out);
                let mut found = false;
                self.write_f32(out, |out, memory, _| {
                    found = ops::unscale((!in_place).then(|| memory.view(x)), out, inverse);
                });
                self.scalars.found_inf |= found;
            }
            Op::ClipNorm { ref grads, max_norm } => self.clip(grads, max_norm),
            Op::Sgd { .. } | Op::Adam { .. } => self.optimizer(op, probe),
            Op::ScalerUpdate => self.end_step(),
            Op::Probe { index, tensor, twin } => {
                let twin = twin.map(|twin| self.memory.view(twin));
                let (histogram, lost_upstream) = ops::probe(self.memory.view(tensor), twin);
                readings.push(ProbeReading { probe: index, histogram, lost_upstream });
            }
        }
    }

    fn loss(&mut self, logits: TensorId, grad: TensorId, weight: f32, scaled: bool) {
        let (rows, classes) = self.memory.shape(logits);
        let seed = if scaled { self.scalars.scale() * weight } else { weight };
        let factor = seed / rows as f32;
        self.fill(logits, grad);
        let mut loss = 0.0;
        self.write_f32(grad, |grad, _, scratch| {
            let rows = LossRows { losses: &mut scratch.losses, labels: &scratch.labels, classes };
            loss = ops::softmax_cross_entropy(grad, rows, factor);
        });
        // Only the run's own pass reports its loss; the twin's comes first in the step and is overwritten.
        self.scalars.loss = loss;
    }

    fn cast(&mut self, index: u64, x: TensorId, out: TensorId, rounding: CastRounding, flush: bool) {
        let key = step_key(self.program.seed, self.scalars.steps, index);
        let mut taken = self.memory.take(out);
        ops::cast(self.memory.view(x), taken.view_mut(), Casting { rounding, flush, key });
        self.memory.put(taken);
    }

    fn clip(&mut self, grads: &[TensorId], max_norm: f32) {
        let squares = |id: &TensorId| {
            let (rows, columns) = self.memory.shape(*id);
            ops::sum_of_squares(self.memory.view(*id), rows * columns)
        };
        let factor = ops::clip_factor(grads.iter().map(squares).sum(), max_norm);
        if factor == 1.0 {
            return;
        }
        for &grad in grads {
            let mut taken = self.memory.take(grad);
            ops::clip_norm(taken.view_mut(), factor);
            self.memory.put(taken);
        }
    }

    /// Takes the optimizer's step, unless a gradient was not finite.
    fn optimizer(&mut self, op: &Op, probe: bool) {
        let (weight, grad, states, update) = match *op {
            Op::Sgd { weight, grad, velocity, update, .. } => (weight, grad, [velocity, None], update),
            Op::Adam { weight, grad, first, second, update, .. } => (weight, grad, [Some(first), Some(second)], update),
            _ => return,
        };
        let update = update.filter(|_| probe);
        if self.scalars.found_inf {
            // A skipped step moves nothing: its update is zero.
            if let Some(update) = update {
                self.write_f32(update, |update, _, _| update.fill(0.0));
            }
            return;
        }
        let mut weight = self.memory.take(weight);
        let mut states = states.map(|id| id.map(|id| self.memory.take(id)));
        let mut update = update.map(|id| self.memory.take(id));
        let delta = update.as_mut().map(super::memory::Taken::view_mut);
        let values = (weight.view_mut(), self.memory.view(grad));
        let learning_rate = self.scalars.learning_rate;
        match (op, &mut states) {
            (Op::Sgd { momentum, .. }, [velocity, _]) => {
                let velocity = velocity.as_mut().map(super::memory::Taken::view_mut);
                ops::sgd((values, (velocity, delta)), learning_rate, *momentum);
            }
            (Op::Adam { adam, .. }, [Some(first), Some(second)]) => {
                let [power1, power2] = self.scalars.powers;
                let powers = [power1 * adam.beta1, power2 * adam.beta2];
                let step = AdamStep { constants: *adam, learning_rate, powers };
                ops::adam((values, ((first.view_mut(), second.view_mut()), delta)), step);
            }
            _ => {}
        }
        self.memory.put(weight);
        for taken in states.into_iter().flatten().chain(update) {
            self.memory.put(taken);
        }
    }

    /// Counts the step and moves the scaler on. The found-inf flag stays readable until the next step begins.
    fn end_step(&mut self) {
        let scalars = &mut self.scalars;
        if !scalars.found_inf
            && let Some(adam) = self.adam
        {
            let [power1, power2] = scalars.powers;
            scalars.powers = [power1 * adam.beta1, power2 * adam.beta2];
        }
        scalars.scaler = scalars.scaler.map(|scaler| scaler.next(scalars.found_inf));
        scalars.steps += 1;
    }

    /// Copies a batch to the device.
    fn load(&mut self, images: &[f32], labels: &[u8]) {
        let room = self.program.batch;
        let mut taken = self.memory.take(self.program.images);
        if let super::view::ViewMut::F32(to) = taken.view_mut() {
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

/// Copies a tensor widened, on all threads.
fn copy(x: View<'_>, out: &mut [f32]) {
    super::view::for_blocks((out, x), &|(out, x): (&mut [f32], View<'_>)| {
        let mut scratch = [0.0; PIECE];
        for range in super::view::pieces(out.len()) {
            let values = x.widened(range.clone(), &mut scratch);
            out[range].copy_from_slice(values);
        }
    });
}

/// Copies a tensor as stored.
fn copy_bits(x: View<'_>, out: &mut super::view::ViewMut<'_>) {
    use super::view::ViewMut;
    match (x, out) {
        (View::F32(x), ViewMut::F32(out)) => out.copy_from_slice(x),
        (View::F16(x), ViewMut::F16(out)) | (View::Bf16(x), ViewMut::Bf16(out)) => out.copy_from_slice(x),
        _ => {}
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
