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
    /// How pixels become inputs; `None`: pixel / 255.
    pub normalise: Option<Normalisation>,
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

/// Inputs are (pixel / 255 − mean) / deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Normalisation {
    /// Mean of the inputs.
    pub mean: f32,
    /// Standard deviation of the inputs.
    pub deviation: f32,
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
    /// Uniform in ±1/√`fan_in`, weights and biases: the default of `torch.nn.Linear`.
    TorchLinear,
    /// He: uniform in ±√(6/`fan_in`), biases zero.
    HeUniform,
}

/// The optimizer and its constants.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Optimizer {
    /// Stochastic gradient descent with momentum (0 for none).
    Sgd {
        /// What the velocity, and so the step, is multiplied by.
        learning_rate: f32,
        /// Share of the velocity that is kept.
        momentum: f32,
    },
    /// Adam with bias correction.
    Adam {
        /// About how far a weight moves in a step.
        learning_rate: f32,
        /// Share of the first moment that is kept.
        beta1: f32,
        /// Share of the second moment that is kept.
        beta2: f32,
        /// Added to the denominator.
        epsilon: f32,
    },
}

impl Optimizer {
    /// Whether the constants make sense.
    fn validate(self) -> Result<(), String> {
        let (learning_rate, decays, epsilon) = match self {
            Self::Sgd { learning_rate, momentum } => (learning_rate, [momentum, 0.0], 0.0),
            Self::Adam { learning_rate, beta1, beta2, epsilon } => (learning_rate, [beta1, beta2], epsilon),
        };
        if !(learning_rate.is_finite() && learning_rate > 0.0) {
            return Err(format!("learning rate {learning_rate}; use a positive finite number such as 0.01"));
        }
        if let Some(decay) = decays.iter().find(|decay| !(0.0..1.0).contains(*decay)) {
            return Err(format!("momentum or beta {decay}; use 0 up to, but not including, 1"));
        }
        if !(epsilon.is_finite() && epsilon >= 0.0) {
            return Err(format!("epsilon {epsilon}; use a small number such as 1e-8"));
        }
        Ok(())
    }
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
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own, in files and in the window")]
pub struct PrecisionPolicy {
    /// `fp32`, `tf32`, `fp16-naive`, `amp`, `paper`, `bf16`, or a name of the user's.
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
    /// Whether products may round FP32 operands to TF32 (10 fraction bits) before they multiply, as Tensor Cores do.
    #[serde(default)]
    pub tf32: bool,
    /// How casts round.
    pub rounding: CastRounding,
    /// Whether casts flush subnormal results to zero.
    pub flush_subnormals: bool,
}

impl PrecisionPolicy {
    /// Whether the roles can be combined. FP16 sums are exact per addition only for FP16 operands.
    fn validate(&self) -> Result<(), String> {
        let operands = [self.weights, self.activations, self.gradients];
        if self.accumulate == Accumulate::Fp16 && operands.iter().any(|&kept| kept != Storage::Fp16) {
            return Err("FP16 accumulation needs FP16 weights, activations and gradients; use accumulate fp32".into());
        }
        Ok(())
    }
}

/// How the loss is scaled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum ScalerConfig {
    /// Not at all: S = 1, steps with non-finite gradients are still taken.
    None,
    /// By a constant; a step with non-finite gradients is skipped.
    Static {
        /// S, a power of two if only exponents are to change.
        scale: f32,
    },
    /// `torch.amp.GradScaler`'s rules. A growth interval of 0 never grows.
    Dynamic {
        /// S of the first step.
        init_scale: f32,
        /// What S is multiplied by after `growth_interval` clean steps.
        growth_factor: f64,
        /// What S is multiplied by after an overflow.
        backoff_factor: f64,
        /// Clean steps in a row before S grows.
        growth_interval: u32,
    },
    /// DeepSpeed's dynamic scaler: factor 2, `hysteresis − 1` overflows are forgiven, growth after `window` clean steps.
    DeepSpeed {
        /// S of the first step.
        init_scale: f32,
        /// Clean steps before S doubles.
        window: u32,
        /// The overflow at which S is halved; those before it are forgiven.
        hysteresis: u32,
        /// Whether a clean step forgives everything before it.
        consecutive: bool,
        /// S is never halved below this.
        min_scale: f32,
    },
}

impl RunConfig {
    /// What the network gets for each value of a pixel.
    #[must_use]
    pub fn pixel_values(&self) -> [f32; 256] {
        std::array::from_fn(|pixel| {
            let level = pixel as f32 / 255.0;
            self.normalise.map_or(level, |by| (level - by.mean) / by.deviation)
        })
    }

    /// Whether everything fits together.
    ///
    /// # Errors
    /// One line saying which field is wrong and what to do.
    pub fn validate(&self) -> Result<(), String> {
        let fail = |field: &str, why: String| Err(format!("{field}: {why}"));
        let widths = &self.model.widths;
        if widths.len() < 2 || widths.len() > 16 {
            return fail("model.widths", format!("{} numbers; give 2 to 16, input first", widths.len()));
        }
        if let Some(width) = widths.iter().find(|&&width| width == 0 || width > 65_536) {
            return fail("model.widths", format!("a layer of {width}; use 1 to 65536"));
        }
        if self.batch == 0 || self.batch > 65_536 {
            return fail("batch", format!("{} images; use 1 to 65536", self.batch));
        }
        if self.steps == 0 {
            return fail("steps", "0; a run needs at least one".into());
        }
        if let Some(images) = self.train_images.filter(|&images| images < self.batch) {
            return fail(
                "train_images",
                format!("{images} are fewer than a batch of {}; use more or a smaller batch", self.batch),
            );
        }
        if let Some(by) =
            self.normalise.filter(|by| !(by.mean.is_finite() && by.deviation.is_finite() && by.deviation > 0.0))
        {
            return fail(
                "normalise",
                format!("mean {} and deviation {}; the deviation must be positive", by.mean, by.deviation),
            );
        }
        if !(self.loss_weight.is_finite() && self.loss_weight > 0.0) {
            return fail("loss_weight", format!("{}; use a positive finite number, usually 1", self.loss_weight));
        }
        if let Some(norm) = self.clip_norm.filter(|norm| !(norm.is_finite() && *norm > 0.0)) {
            return fail("clip_norm", format!("{norm}; use a positive finite number, or leave it out"));
        }
        self.optimizer.validate().map_err(|why| format!("optimizer: {why}"))?;
        self.precision.validate().map_err(|why| format!("precision: {why}"))?;
        super::scaler::LossScaler::new(&self.scaler).map(|_| ()).map_err(|why| format!("scaler: {why}"))
    }
}

impl ScalerConfig {
    /// `torch.amp.GradScaler`'s defaults: from 2^16, ×2 after 2000 clean steps, ×0.5 after an overflow.
    #[must_use]
    pub const fn dynamic() -> Self {
        Self::Dynamic { init_scale: 65536.0, growth_factor: 2.0, backoff_factor: 0.5, growth_interval: 2000 }
    }

    /// DeepSpeed's defaults: from 2^16, window 1000, hysteresis 2, minimum 1.
    #[must_use]
    pub const fn deepspeed() -> Self {
        Self::DeepSpeed { init_scale: 65536.0, window: 1000, hysteresis: 2, consecutive: false, min_scale: 1.0 }
    }
}

/// What is looked at and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeConfig {
    /// Every this many steps; 0 means never.
    pub every: u64,
    /// Which tensors.
    pub scope: ProbeScope,
    /// Whether an FP32 twin (same weights, same batch) is run on probed steps.
    pub twin: bool,
}

/// Which tensors are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProbeScope {
    /// Activation and weight gradients.
    Gradients,
    /// Also weights, activations and updates.
    #[default]
    All,
}

/// Where a lane runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendKind {
    /// The best there is.
    #[default]
    Auto,
    /// This processor.
    Cpu,
    /// A graphics processor with Vulkan, Metal or Direct3D 12.
    Wgpu,
    /// An NVIDIA graphics processor, with its own libraries.
    Cuda,
}

impl BackendKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Cpu, Self::Wgpu, Self::Cuda];

    /// The name, as a command line and a recorded run say it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Wgpu => "wgpu",
            Self::Cuda => "cuda",
        }
    }
}
