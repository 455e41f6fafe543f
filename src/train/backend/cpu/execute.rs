//! The instructions of a plan, one after another.

use std::sync::Arc;
use std::time::Instant;

use super::memory::{Memory, Taken};
use super::ops::{self, AdamStep, Casting, LossRows, Product};
use super::plan::{CpuPlan, Scratch};
use super::view::{PIECE, View, ViewMut, for_blocks, pieces};
use crate::train::backend::ProbeReading;
use crate::train::config::CastRounding;
use crate::train::program::{Op, Phase, TensorId, When};
use crate::train::rng::step_key;

/// Looks on while instructions are done.
pub(super) trait Watch: Send {
    /// Does the instruction of this index.
    fn see(&mut self, index: usize, instruction: impl FnOnce());
}

/// Looks away.
impl Watch for () {
    fn see(&mut self, _: usize, instruction: impl FnOnce()) {
        instruction();
    }
}

/// Takes the time, in seconds.
impl Watch for Vec<(Option<usize>, f64)> {
    fn see(&mut self, index: usize, instruction: impl FnOnce()) {
        let begun = Instant::now();
        instruction();
        self.push((Some(index), begun.elapsed().as_secs_f64()));
    }
}

impl CpuPlan {
    /// Runs the instructions of a step or, with `only`, of one phase; `watch` sees each being done by its index.
    pub(super) fn run(&mut self, probe: bool, only: Option<Phase>, watch: &mut impl Watch) -> Vec<ProbeReading> {
        let program = Arc::clone(&self.program);
        let pool = Arc::clone(&self.pool);
        let mut readings = Vec::new();
        pool.install(|| {
            // Counts what always runs, so that probes do not move the random bits of stochastic casts.
            let mut place = 0;
            for (index, instruction) in program.instructions.iter().enumerate() {
                let always = instruction.when == When::Always;
                if only.is_none_or(|phase| instruction.phase == phase) && (probe || always) {
                    watch.see(index, || self.execute(place, &instruction.op, probe, &mut readings));
                }
                place += u64::from(always);
            }
        });
        readings
    }

    /// Writes `out` from a closure that gets its FP32 values and reads other tensors.
    fn write_f32(&mut self, out: TensorId, write: impl FnOnce(&mut [f32], &Memory, &mut Scratch)) {
        let mut taken = self.memory.take(out);
        if let ViewMut::F32(values) = taken.view_mut() {
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

    fn execute(&mut self, place: u64, op: &Op, probe: bool, readings: &mut Vec<ProbeReading>) {
        match *op {
            Op::MatMul { a, b, out, transpose_a, transpose_b, accumulate, tf32 } => {
                self.write_f32(out, |out, memory, scratch| {
                    let (a_shape, b_shape) = (memory.shape(a), memory.shape(b));
                    let (a, b) = (memory.view(a), memory.view(b));
                    let product = Product { a, b, a_shape, b_shape, transpose_a, transpose_b, accumulate, tf32 };
                    ops::matmul(product, out, &mut scratch.operands);
                });
            }
            Op::BiasAdd { x, bias, out } => {
                self.fill(x, out);
                let columns = self.memory.shape(out).1;
                self.write_f32(out, |out, memory, scratch| {
                    ops::bias_add(out, memory.view(bias), columns, &mut scratch.row);
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
            Op::Cast { x, out, rounding, flush } => self.cast(place, x, out, rounding, flush),
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

    fn cast(&mut self, place: u64, x: TensorId, out: TensorId, rounding: CastRounding, flush: bool) {
        let key = step_key(self.program.seed, self.scalars.steps, place);
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
        let delta = update.as_mut().map(Taken::view_mut);
        let values = (weight.view_mut(), self.memory.view(grad));
        let learning_rate = self.scalars.learning_rate;
        match (op, &mut states) {
            (Op::Sgd { momentum, .. }, [velocity, _]) => {
                let velocity = velocity.as_mut().map(Taken::view_mut);
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
}

/// Copies a tensor widened, on all threads.
pub(super) fn copy(x: View<'_>, out: &mut [f32]) {
    for_blocks((out, x), &|(out, x): (&mut [f32], View<'_>)| {
        let mut scratch = [0.0; PIECE];
        for range in pieces(out.len()) {
            let values = x.widened(range.clone(), &mut scratch);
            out[range].copy_from_slice(values);
        }
    });
}

/// Copies a tensor as stored.
fn copy_bits(x: View<'_>, out: &mut ViewMut<'_>) {
    match (x, out) {
        (View::F32(x), ViewMut::F32(out)) => out.copy_from_slice(x),
        (View::F16(x), ViewMut::F16(out)) | (View::Bf16(x), ViewMut::Bf16(out)) => out.copy_from_slice(x),
        _ => {}
    }
}
