//! Ops to launches: the only place that knows both.

use super::device::Buffer;
use super::kernel::Kernel;
use super::launch::{KernelLaunch, Launch, Operand, Product, THREADS, WORDS, storage_code};
use crate::histogram::ExponentHistogram;
use crate::train::config::{Accumulate, CastRounding, ScalerConfig};
use crate::train::program::{Op, Phase, Program, TensorId, When};

/// Blocks that share the sum of squares of one gradient.
const NORM_BLOCKS: u32 = 32;
/// Words of results before the counters of the probes: loss, scale, growth tracker, found-inf.
pub(super) const RESULT_HEAD: usize = 8;

/// Words of the results of a step.
pub(super) fn result_words(program: &Program) -> usize {
    RESULT_HEAD + program.probes.len() * ExponentHistogram::COUNTER_WORDS
}

/// Bytes of room for partial sums of squares, in FP64, of the largest clipping.
pub(super) fn partials_bytes(program: &Program) -> u64 {
    let grads = |op: &Op| if let Op::ClipNorm { grads, .. } = op { grads.len() } else { 0 };
    let most = program.instructions.iter().map(|instruction| grads(&instruction.op)).max();
    8 * u64::from(NORM_BLOCKS) * most.unwrap_or(0).max(1) as u64
}

/// Where a plan's things lie, as the lowering needs to know them.
#[derive(Debug)]
pub(super) struct Places<'a> {
    pub program: &'a Program,
    /// By tensor.
    pub tensors: Vec<Operand>,
    pub scalars: Buffer,
    pub results: Buffer,
    pub labels: Buffer,
    /// Cross-entropy of each row, FP64 or FP32.
    pub losses: Buffer,
    /// Partial sums of squares.
    pub partials: Buffer,
    /// Adam's corrections, and the last index into them.
    pub corrections: Option<(Buffer, u32)>,
    /// Room for a product in FP16.
    pub scratch: Option<Buffer>,
    /// Blocks that keep the device busy.
    pub blocks: u32,
}

/// A list, and for each launch the index of the instruction it belongs to.
#[derive(Debug, Default)]
pub(super) struct List {
    pub launches: Vec<Launch>,
    pub owners: Vec<Option<usize>>,
}

impl List {
    /// Says whose the launches are that have none yet.
    fn own(&mut self, owner: Option<usize>) {
        self.owners.resize(self.launches.len(), owner);
    }
}

/// The list of a step, with or without its probes.
pub(super) fn step(places: &Places<'_>, probed: bool) -> List {
    let words = result_words(places.program);
    let cleared = if probed { words } else { RESULT_HEAD };
    let begin = Draft::new(Kernel::BeginStep, vec![Some(places.results), Some(places.scalars)]);
    let mut list = List::default();
    list.launches.push(begin.words_from(2, &[cleared as u32]).over(cleared, places.blocks));
    list.own(None);
    instructions(places, probed, None, &mut list);
    list.launches.push(Draft::new(Kernel::EndStep, vec![Some(places.results), Some(places.scalars)]).once());
    list.own(None);
    list
}

/// The list of an evaluation: from the images to the logits.
pub(super) fn forward(places: &Places<'_>) -> List {
    let mut list = List::default();
    instructions(places, false, Some(Phase::Forward), &mut list);
    list
}

fn instructions(places: &Places<'_>, probed: bool, only: Option<Phase>, list: &mut List) {
    // Counts what always runs, so that probes do not move the random bits of stochastic casts.
    let mut place = 0;
    for (index, instruction) in places.program.instructions.iter().enumerate() {
        let always = instruction.when == When::Always;
        if only.is_none_or(|phase| instruction.phase == phase) && (probed || always) {
            places.op(place, &instruction.op, probed, &mut list.launches);
            list.own(Some(index));
        }
        place += u64::from(always);
    }
}

/// A launch that is being filled in.
struct Draft(KernelLaunch);

impl Draft {
    /// A launch on buffers.
    const fn new(kernel: Kernel, buffers: Vec<Option<Buffer>>) -> Self {
        Self(KernelLaunch { kernel, buffers, words: [0; WORDS], blocks: 1 })
    }

    /// Sets argument words from `at` on.
    fn words_from(mut self, at: usize, words: &[u32]) -> Self {
        self.0.words[at..at + words.len()].copy_from_slice(words);
        self
    }

    /// One thread an element, on at most so many blocks.
    fn over(mut self, elements: usize, blocks: u32) -> Launch {
        self.0.words[0] = elements as u32;
        self.0.blocks = (elements as u32).div_ceil(THREADS).clamp(1, blocks);
        Launch::Kernel(self.0)
    }

    /// One block.
    fn once(mut self) -> Launch {
        self.0.blocks = 1;
        Launch::Kernel(self.0)
    }
}

const fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

impl Places<'_> {
    fn tensor(&self, id: TensorId) -> Operand {
        self.tensors[id.0]
    }

    fn elements(&self, id: TensorId) -> usize {
        self.program.tensors[id.0].elements()
    }

    fn shape(&self, id: TensorId) -> [u32; 2] {
        let spec = &self.program.tensors[id.0];
        [spec.rows as u32, spec.columns as u32]
    }

    /// A launch on tensors, then other buffers.
    fn on(&self, kernel: Kernel, tensors: &[Option<TensorId>], others: &[Buffer]) -> Draft {
        let operands = tensors.iter().map(|id| id.map(|id| self.tensor(id)));
        let storages = operands
            .clone()
            .enumerate()
            .map(|(at, operand)| operand.map_or(0, |operand| storage_code(operand.storage) << (4 * at)));
        let storages = storages.sum();
        let buffers = operands.map(|operand| operand.map(|operand| operand.buffer));
        let buffers = buffers.chain(others.iter().map(|&buffer| Some(buffer))).collect();
        Draft::new(kernel, buffers).words_from(1, &[storages])
    }

    fn op(&self, place: u64, op: &Op, probed: bool, launches: &mut Vec<Launch>) {
        match *op {
            Op::MatMul { a, b, out, transpose_a, transpose_b, accumulate, tf32 } => {
                let ([rows, columns], [_, n]) = (self.shape(a), self.shape(out));
                let [m, k] = if transpose_a { [columns, rows] } else { [rows, columns] };
                launches.push(Launch::Product(Product {
                    a: self.tensor(a),
                    b: self.tensor(b),
                    out: self.tensor(out).buffer,
                    shape: [m, k, n].map(|size| size as usize),
                    transpose_a,
                    transpose_b,
                    accumulate,
                    tf32,
                    scratch: self.scratch.filter(|_| accumulate == Accumulate::Fp16),
                    blocks: self.blocks,
                }));
            }
            Op::BiasAdd { x, bias, out } => {
                let draft = self.on(Kernel::BiasAdd, &[Some(x), Some(bias), Some(out)], &[]);
                launches.push(draft.words_from(2, &self.shape(out)[1..]).over(self.elements(out), self.blocks));
            }
            Op::Relu { x, out } => {
                let draft = self.on(Kernel::Relu, &[Some(x), Some(out)], &[]);
                launches.push(draft.over(self.elements(out), self.blocks));
            }
            Op::ReluGrad { grad, output, out } => {
                let draft = self.on(Kernel::ReluGrad, &[Some(grad), Some(output), Some(out)], &[]);
                launches.push(draft.over(self.elements(out), self.blocks));
            }
            Op::SoftmaxCrossEntropy { logits, grad, weight, scaled } => {
                self.loss(logits, grad, weight, scaled, launches);
            }
            Op::SumRows { x, out, accumulate } => {
                let [rows, columns] = self.shape(x);
                let draft = self.on(Kernel::SumRows, &[Some(x), Some(out)], &[]);
                let draft = draft.words_from(2, &[rows, columns, (accumulate == Accumulate::Fp16).into()]);
                launches.push(draft.over(columns as usize, self.blocks));
            }
            Op::Cast { x, out, rounding, flush } => {
                let [seed_low, seed_high] = halves(self.program.seed);
                let [place_low, place_high] = halves(place);
                let at_random = u32::from(rounding == CastRounding::Stochastic);
                let words = [at_random, flush.into(), seed_low, seed_high, place_low, place_high];
                let draft = self.on(Kernel::Cast, &[Some(x), Some(out)], &[self.scalars]).words_from(2, &words);
                launches.push(draft.over(self.elements(out), self.blocks));
            }
            Op::Unscale { x, out } => {
                let draft = self.on(Kernel::Unscale, &[Some(x), Some(out)], &[self.scalars]);
                launches.push(draft.over(self.elements(out), self.blocks));
            }
            Op::ClipNorm { ref grads, max_norm } => self.clip(grads, max_norm, launches),
            Op::Sgd { .. } | Op::Adam { .. } => launches.extend(self.optimizer(op, probed)),
            Op::ScalerUpdate => {
                let draft = Draft::new(Kernel::ScalerUpdate, vec![Some(self.scalars)]);
                launches.push(draft.words_from(2, &self.scaler_rules()).once());
            }
            Op::Probe { index, tensor, twin } => {
                let first = RESULT_HEAD + index * ExponentHistogram::COUNTER_WORDS;
                let draft = self.on(Kernel::Probe, &[Some(tensor), twin], &[self.results]);
                let draft = draft.words_from(2, &[first as u32, twin.is_some().into()]);
                launches.push(draft.over(self.elements(tensor), self.blocks));
            }
        }
    }

    fn loss(&self, logits: TensorId, grad: TensorId, weight: f32, scaled: bool, launches: &mut Vec<Launch>) {
        let [rows, classes] = self.shape(logits);
        let (x, grad) = (self.tensor(logits), self.tensor(grad));
        let buffers = [x.buffer, self.labels, grad.buffer, self.losses, self.scalars].map(Some).to_vec();
        let draft = Draft::new(Kernel::SoftmaxCrossEntropy, buffers);
        let words = [storage_code(x.storage), rows, classes, weight.to_bits(), scaled.into()];
        launches.push(draft.words_from(1, &words).over(rows as usize, self.blocks));
        let draft = Draft::new(Kernel::MeanLoss, vec![Some(self.losses), Some(self.scalars)]);
        launches.push(draft.words_from(2, &[rows]).once());
    }

    fn clip(&self, grads: &[TensorId], max_norm: f32, launches: &mut Vec<Launch>) {
        let mut first = 0;
        for &grad in grads {
            let draft = self.on(Kernel::SumSquares, &[Some(grad)], &[self.partials]);
            launches.push(draft.words_from(2, &[first]).over(self.elements(grad), NORM_BLOCKS));
            if let Some(Launch::Kernel(launch)) = launches.last() {
                first += launch.blocks;
            }
        }
        let draft = Draft::new(Kernel::ClipFactor, vec![Some(self.partials), Some(self.scalars)]);
        launches.push(draft.words_from(2, &[first, max_norm.to_bits()]).once());
        for &grad in grads {
            let draft = self.on(Kernel::ClipNorm, &[Some(grad)], &[self.scalars]);
            launches.push(draft.over(self.elements(grad), self.blocks));
        }
    }

    fn optimizer(&self, op: &Op, probed: bool) -> Option<Launch> {
        let learning_rate = self.program.scalars.learning_rate;
        let kept = |update: Option<TensorId>| update.filter(|_| probed);
        match *op {
            Op::Sgd { weight, grad, velocity, update, momentum } => {
                let update = kept(update);
                let mut draft = self.on(Kernel::Sgd, &[Some(weight), Some(grad), None, velocity, update], &[]);
                draft.0.buffers[2] = Some(self.scalars);
                let flags = [velocity.is_some().into(), update.is_some().into()];
                let draft = draft.words_from(2, &flags);
                let draft = draft.words_from(4, &[momentum.to_bits(), learning_rate.to_bits()]);
                Some(draft.over(self.elements(weight), self.blocks))
            }
            Op::Adam { weight, grad, first, second, update, adam } => {
                let (corrections, last) = self.corrections?;
                let update = kept(update);
                let tensors = [Some(weight), Some(grad), None, Some(first), Some(second), update];
                let mut draft = self.on(Kernel::Adam, &tensors, &[corrections]);
                draft.0.buffers[2] = Some(self.scalars);
                let betas = [adam.beta1, 1.0 - adam.beta1, adam.beta2, 1.0 - adam.beta2];
                let [beta1, rest1, beta2, rest2] = betas.map(|factor| (factor as f32).to_bits());
                let words = [update.is_some().into(), beta1, rest1, beta2, rest2, adam.epsilon.to_bits(), last];
                Some(draft.words_from(2, &words).over(self.elements(weight), self.blocks))
            }
            _ => None,
        }
    }

    /// The argument words of the scaler's kernel, from word 2 on.
    fn scaler_rules(&self) -> [u32; 9] {
        let Some(scaler) = self.program.scalars.scaler else { return [0; 9] };
        let factors = |growth: f64, backoff: f64| {
            let ([a, b], [c, d]) = (halves(growth.to_bits()), halves(backoff.to_bits()));
            [a, b, c, d]
        };
        let (kind, [a, b, c, d], interval, floor, hysteresis, consecutive) = match scaler.rules() {
            ScalerConfig::None | ScalerConfig::Static { .. } => return [0; 9],
            ScalerConfig::Dynamic { growth_factor, backoff_factor, growth_interval, .. } => {
                (1, factors(growth_factor, backoff_factor), growth_interval, scaler.floor(), 0, false)
            }
            ScalerConfig::DeepSpeed { window, hysteresis, consecutive, min_scale, .. } => {
                (2, factors(2.0, 0.5), window.max(1), min_scale, hysteresis.max(1), consecutive)
            }
        };
        [kind, a, b, c, d, interval, floor.to_bits(), hysteresis, consecutive.into()]
    }
}
