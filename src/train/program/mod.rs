//! The static graph of one training step: tensors, and ops as data.
//!
//! [`Program::of`] turns a [`RunConfig`] into a list of [`Instruction`]s in four passes, one file each:
//!
//! 1. `forward`: the network, op by op, all in FP32.
//! 2. `autocast`: the precision policy puts explicit [`Op::Cast`]s in, each with a written reason ([`CastInfo`]).
//! 3. `differentiate`: walks the forward ops backwards; the casts of gradients follow from the forward casts.
//! 4. `update`: unscaling and the found-inf check, clipping, the optimizer, the loss scaler.
//!
//! `buffers` then gives tensors that never live at the same time the same memory. Nothing here knows a processor:
//! a [`Backend`](super::backend::Backend) takes the list and runs it, and the session and the views name tensors and
//! probes by what stands here.
//!
//! ```
//! use halfscope::train::RunConfig;
//! use halfscope::train::program::Program;
//!
//! let lanes = RunConfig::preset("underflow").expect("a preset");
//! let (fp32, paper) = (Program::of(&lanes[0])?, Program::of(&lanes[1])?);
//! assert!(fp32.casts.is_empty());
//! let cast = paper.casts.iter().find(|cast| cast.tensor == "fc1.weight.grad").expect("a cast");
//! assert_eq!((cast.from.as_str(), cast.to.as_str()), ("fp32", "fp16"));
//! # Ok::<(), String>(())
//! ```

mod autocast;
mod buffers;
mod builder;
mod differentiate;
mod forward;
mod update;

use std::collections::BTreeMap;

pub use buffers::{Layout, Slot};

use builder::Builder;

use super::config::{Accumulate, CastRounding, Optimizer, PrecisionPolicy, ProbeScope, RunConfig, Storage};
use super::report::{CastInfo, ProbeInfo, Role};
use super::rng::Rng;
use super::scaler::LossScaler;

/// Index of a tensor in [`Program::tensors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorId(pub usize);

/// A two-dimensional, row-major tensor of the program.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorSpec {
    /// Unique name, such as `fc1.weight.grad`.
    pub name: String,
    /// The layer it belongs to, such as `fc1`; empty for none.
    pub layer: String,
    /// What it is for.
    pub role: Role,
    /// Rows: the batch for activations, the outputs of the layer for weights, 1 for biases.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// How its values are kept.
    pub storage: Storage,
    /// How long its values are kept.
    pub life: Life,
}

impl TensorSpec {
    /// How many values it has.
    #[must_use]
    pub const fn elements(&self) -> usize {
        self.rows * self.columns
    }
}

/// How long the values of a tensor are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Life {
    /// From its first write to its last read within a step; then its memory goes to others.
    Step,
    /// Like [`Life::Step`], but only on probed steps: the FP32 twin. Kept in memory of its own, counted apart.
    Probe,
    /// For the whole run; starts as said.
    Run(Initial),
}

/// What a tensor that lives for the whole run starts as.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Initial {
    /// All zeros.
    Zeros,
    /// Uniform in ±`bound`, from the random stream with this number of the run's seed.
    Uniform {
        /// Half the width of the interval.
        bound: f32,
        /// Number of the random stream: the same for the same parameter in every lane.
        stream: u64,
    },
}

/// When an instruction runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In every step.
    Always,
    /// Only in probed steps. Never changes what an [`When::Always`] instruction reads.
    Probed,
}

/// Which part of a step an instruction belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The FP32 twin's pass; runs first, on the weights that the step is going to use.
    Twin,
    /// From the images to the logits. This part alone is an evaluation.
    Forward,
    /// From the loss to the gradients of the weights.
    Backward,
    /// From the gradients to new weights and a new loss scale.
    Update,
}

/// One op at its place in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// What is done.
    pub op: Op,
    /// In which steps.
    pub when: When,
    /// In which part of the step.
    pub phase: Phase,
}

/// What can be done to tensors. Shapes are rows × columns. Operands may have any storage and are widened to FP32, which
/// is exact; arithmetic is FP32 unless said otherwise; `out` is rounded once to its own storage, which is FP32 for all but
/// [`Op::Cast`], [`Op::Relu`] and the optimizers.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the formula of each op names its fields")]
pub enum Op {
    /// `out = A·B` with `A = aᵀ` if `transpose_a` and `B = bᵀ` if `transpose_b`: (M×K)·(K×N) → M×N.
    /// With [`Accumulate::Fp16`] every partial sum, in order of k, is rounded to FP16.
    /// With `tf32`, FP32 operands are first rounded to nearest even to TF32 (10 fraction bits, FP32's exponents).
    MatMul {
        a: TensorId,
        b: TensorId,
        out: TensorId,
        transpose_a: bool,
        transpose_b: bool,
        accumulate: Accumulate,
        tf32: bool,
    },
    /// `out[r, c] = x[r, c] + bias[c]`: (R×C), (1×C) → R×C.
    BiasAdd { x: TensorId, bias: TensorId, out: TensorId },
    /// `out = max(x, 0)`; NaN stays NaN. Any shape; `out` has the storage of `x`.
    Relu { x: TensorId, out: TensorId },
    /// `out = grad where output > 0, else +0`: the gradient of [`Op::Relu`], from its `output`.
    ReluGrad { grad: TensorId, output: TensorId, out: TensorId },
    /// Mean cross-entropy of the labels under softmax of `logits` (R×C): writes the unweighted loss to the device's loss
    /// scalar and `grad = (softmax − onehot)·(f32(S·weight) / R)`, the gradient of the *scaled, weighted* loss.
    /// S is the device's loss scale, or 1 if `scaled` is false (the twin; it does not write the loss either).
    SoftmaxCrossEntropy { logits: TensorId, grad: TensorId, weight: f32, scaled: bool },
    /// `out[0, c] = Σ_r x[r, c]`, in order of r: R×C → 1×C, the gradient of a bias.
    SumRows { x: TensorId, out: TensorId, accumulate: Accumulate },
    /// `out = round(x)` to the storage of `out`; `flush` turns subnormal results into zeros of the same sign.
    Cast { x: TensorId, out: TensorId, rounding: CastRounding, flush: bool },
    /// Sets the device's found-inf flag if any value of the *scaled* gradient `x` is not finite, and writes
    /// `out = x·inverse` with the inverse 1/S (`x` itself where that is 1).
    Unscale { x: TensorId, out: TensorId },
    /// Multiplies all `grads` by `max_norm / (‖grads‖₂ + 1e-6)` where that is below 1 (torch's `clip_grad_norm_`).
    ClipNorm { grads: Vec<TensorId>, max_norm: f32 },
    /// `v = momentum·v + grad; update = −lr·v; weight += update`; nothing happens if found-inf is set.
    /// Without `velocity`, v is the gradient. `update` is only written in probed steps.
    Sgd { weight: TensorId, grad: TensorId, velocity: Option<TensorId>, update: Option<TensorId>, momentum: f32 },
    /// Adam with bias correction by the count of steps taken; nothing happens if found-inf is set.
    /// `update` is only written in probed steps.
    Adam { weight: TensorId, grad: TensorId, first: TensorId, second: TensorId, update: Option<TensorId>, adam: Adam },
    /// Ends a step: counts it as taken or skipped, and gives the loss scaler the found-inf flag, which is then cleared.
    ScalerUpdate,
    /// Takes the exponent histogram of `tensor` for [`Program::probes`]`[index]`, and with a `twin` counts the values that
    /// are zero in `tensor` but not in `twin`.
    Probe { index: usize, tensor: TensorId, twin: Option<TensorId> },
}

/// Adam's constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adam {
    /// Decay of the first moment. FP64: 1 − 0.9 is 0.1 only there.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the denominator, in the storage of the moments: in FP16, 1e-8 is zero.
    pub epsilon: f32,
}

/// The scalars that live on the device, as they are before the first step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scalars {
    /// The scale S, its reciprocal and the growth tracker; `None`: S = 1 and every step is taken.
    pub scaler: Option<LossScaler>,
    /// Learning rate of the optimizer ops.
    pub learning_rate: f32,
}

/// The static graph of one step of one lane.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// All tensors.
    pub tensors: Vec<TensorSpec>,
    /// What is done, in order.
    pub instructions: Vec<Instruction>,
    /// What the device's scalars start as.
    pub scalars: Scalars,
    /// Where [`Op::Probe`]s look.
    pub probes: Vec<ProbeInfo>,
    /// What was cast and why.
    pub casts: Vec<CastInfo>,
    /// Rows of a batch.
    pub batch: usize,
    /// The images of a batch go here, as FP32.
    pub images: TensorId,
    /// What the network answers.
    pub logits: TensorId,
    /// Seed of initial values and stochastic rounding.
    pub seed: u64,
}

impl Program {
    /// Builds the program of a lane.
    ///
    /// # Errors
    /// One line saying which field of the configuration is wrong and what to do.
    pub fn of(config: &RunConfig) -> Result<Self, String> {
        config.validate()?;
        let policy = &config.precision;
        let probed = config.probes.every > 0;
        let mut builder = Builder::new(policy.rounding, policy.flush_subnormals);
        let images = builder.tensor(TensorSpec {
            name: "images".into(),
            layer: String::new(),
            role: Role::Input,
            rows: config.batch,
            columns: config.model.widths[0],
            storage: Storage::Fp32,
            life: Life::Run(Initial::Zeros),
        });
        let parameters = forward::parameters(&mut builder, &config.model, policy);
        let twin = if probed && config.probes.twin && policy.is_reduced() {
            twin(&mut builder, config, images, &parameters)
        } else {
            BTreeMap::new()
        };

        builder.phase = Phase::Forward;
        let plain = forward::forward(&mut builder, "", images, &parameters);
        let all = probed && config.probes.scope == ProbeScope::All;
        let casted = autocast::autocast(&mut builder, &plain, policy, all);

        builder.phase = Phase::Backward;
        let scaler = LossScaler::new(&config.scaler)?;
        let (loss_weight, scaled) = (config.loss_weight, scaler.is_some());
        let wanted = differentiate::Backward { prefix: "", policy, loss_weight, scaled, probed, twin: &twin };
        let gradients = differentiate::differentiate(&mut builder, &casted, &parameters, wanted);
        update::update(&mut builder, config, &parameters, &gradients);

        let (Optimizer::Sgd { learning_rate, .. } | Optimizer::Adam { learning_rate, .. }) = config.optimizer;
        Ok(builder.finish(config, Scalars { scaler, learning_rate }, images, casted.logits))
    }

    /// What a tensor that lives for the whole run starts as, before rounding to its storage: the same in every lane of a
    /// seed. Empty for others.
    #[must_use]
    pub fn initial_values(&self, id: TensorId) -> Vec<f32> {
        let Some(spec) = self.tensors.get(id.0) else { return Vec::new() };
        match spec.life {
            Life::Step | Life::Probe => Vec::new(),
            Life::Run(Initial::Zeros) => vec![0.0; spec.elements()],
            Life::Run(Initial::Uniform { bound, stream }) => {
                let mut rng = Rng::stream(self.seed, stream);
                (0..spec.elements()).map(|_| bound * (2.0 * rng.unit() - 1.0)).collect()
            }
        }
    }

    /// Keeps a tensor for the whole run, so that it can be read between steps: for tests and debugging, since its memory is
    /// then not shared. Returns the tensor; `None` if there is none of this name.
    pub fn keep(&mut self, name: &str) -> Option<TensorId> {
        let id = self.find(name)?;
        let spec = &mut self.tensors[id.0];
        if !matches!(spec.life, Life::Run(_)) {
            spec.life = Life::Run(Initial::Zeros);
        }
        Some(id)
    }

    /// The layer that an op works for: that of what it writes, else of what it reads; empty where that is many or none.
    #[must_use]
    pub fn layer_of(&self, op: &Op) -> &str {
        if matches!(op, Op::ClipNorm { .. }) {
            return "";
        }
        let tensor = op.writes().into_iter().chain(op.reads()).next();
        tensor.and_then(|id| self.tensors.get(id.0)).map_or("", |tensor| &tensor.layer)
    }

    /// The tensor of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<TensorId> {
        self.tensors.iter().position(|tensor| tensor.name == name).map(TensorId)
    }
}

/// Writes the FP32 twin: forward and backward in FP32 over the weights that the step is going to use, at S = 1, in probed
/// steps only. Returns its gradients by name.
fn twin(
    builder: &mut Builder,
    config: &RunConfig,
    images: TensorId,
    parameters: &[TensorId],
) -> BTreeMap<String, TensorId> {
    const PREFIX: &str = "twin.";
    let policy = PrecisionPolicy::fp32();
    let when = std::mem::replace(&mut builder.when, When::Probed);
    builder.phase = Phase::Twin;
    let plain = forward::forward(builder, PREFIX, images, parameters);
    let casted = autocast::autocast(builder, &plain, &policy, false);
    let none = BTreeMap::new();
    let (loss_weight, policy) = (config.loss_weight, &policy);
    let wanted =
        differentiate::Backward { prefix: PREFIX, policy, loss_weight, scaled: false, probed: true, twin: &none };
    let gradients = differentiate::differentiate(builder, &casted, parameters, wanted);
    builder.when = when;
    gradients.by_name
}
