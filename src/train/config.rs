//! The whole experiment as one serializable value.

use serde::{Deserialize, Serialize};

/// One lane of an experiment: a preset, a lesson's set-up, a command line and a recorded run are all this struct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// The preset it came from, such as `underflow`.
    pub preset: String,
    /// What the lane is called on screen, such as `paper · S=1`.
    pub lane: String,
    /// The network.
    pub model: Model,
    /// Images of the training set that are used; `None` means all.
    pub train_images: Option<usize>,
    /// Images a step.
    pub batch: usize,
    /// Steps of the whole run.
    pub steps: u64,
    /// What the loss is multiplied by before anything else (an auxiliary loss, a mean over many pixels).
    pub loss_weight: f32,
    /// How weights are updated.
    pub optimizer: Optimizer,
    /// What is stored and summed in which format.
    pub precision: PrecisionPolicy,
    /// How the loss is scaled.
    pub scaler: ScalerConfig,
    /// Gradient-norm clipping threshold, applied after unscaling.
    pub clip_norm: Option<f32>,
    /// Initialisation and order of the images.
    pub seed: u64,
    /// Where it runs.
    pub backend: BackendKind,
    /// What is looked at and how often.
    pub probes: ProbeConfig,
    /// Test accuracy every this many steps (and at the end).
    pub evaluate_every: u64,
}

/// A fully connected network with ReLU between its layers and softmax cross-entropy at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// Widths, input first: `[784, 256, 128, 10]`.
    pub widths: Vec<usize>,
    /// How weights start.
    pub init: Init,
}

/// How weights and biases start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Init {
    /// Uniform in ±1/√fan_in, weights and biases: the default of `torch.nn.Linear`.
    TorchLinear,
    /// He: uniform in ±√(6/fan_in), biases zero.
    HeUniform,
}

/// The optimizer and its constants.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Optimizer {
    /// Stochastic gradient descent with momentum (0 for none).
    Sgd { learning_rate: f32, momentum: f32 },
    /// Adam with bias correction.
    Adam { learning_rate: f32, beta1: f32, beta2: f32, epsilon: f32 },
}

/// A storage format of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// IEEE binary32.
    Fp32,
    /// IEEE binary16.
    Fp16,
    /// bfloat16.
    Bf16,
}

/// What a product or a reduction is summed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accumulate {
    /// FP32: what Tensor Cores do by default.
    Fp32,
    /// FP16, rounded after every addition.
    Fp16,
}

/// How a cast rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CastRounding {
    /// To nearest, ties to even.
    NearestEven,
    /// Up or down at random, with the exact probability.
    Stochastic,
}

/// Storage format per role, accumulation, rounding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrecisionPolicy {
    /// `fp32`, `fp16-naive`, `amp`, `paper`, `bf16`, or a name of the user's.
    pub name: String,
    /// What the products read as weights.
    pub weights: Storage,
    /// Activations.
    pub activations: Storage,
    /// Activation and weight gradients.
    pub gradients: Storage,
    /// Momentum and Adam's moments.
    pub optimizer_state: Storage,
    /// Whether updates go to an FP32 copy of the weights.
    pub master_weights: bool,
    /// Whether a pass over the program chooses the format per op (torch.amp) rather than per role.
    pub autocast: bool,
    /// What products are summed in.
    pub accumulate: Accumulate,
    /// How casts round.
    pub rounding: CastRounding,
    /// Whether casts flush subnormal results to zero.
    pub flush_subnormals: bool,
}

/// How the loss is scaled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum ScalerConfig {
    /// Not at all: S = 1, steps with non-finite gradients are still taken.
    None,
    /// By a constant; a step with non-finite gradients is skipped.
    Static { scale: f32 },
    /// `torch.amp.GradScaler`'s rules.
    Dynamic { init_scale: f32, growth_factor: f64, backoff_factor: f64, growth_interval: u32 },
}

/// What is looked at and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeConfig {
    /// Every this many steps; 0 means never.
    pub every: u64,
    /// Whether an FP32 twin (same weights, same batch) is run on probed steps.
    pub twin: bool,
}

/// Where a lane runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendKind {
    /// The best there is.
    #[default]
    Auto,
    /// This processor.
    Cpu,
}
