//! Precision policies by name, and ready-made experiments: both as tables.

use super::config::{
    Accumulate, BackendKind, CastRounding, Init, Model, Normalisation, Optimizer, PrecisionPolicy, ProbeConfig,
    ProbeScope, RunConfig, ScalerConfig, Storage,
};

/// A named policy: what [`PrecisionPolicy::named`] makes of a name.
struct PolicyRow {
    name: &'static str,
    weights: Storage,
    activations: Storage,
    gradients: Storage,
    optimizer_state: Storage,
    master_weights: bool,
    autocast: bool,
}

const FP32: Storage = Storage::Fp32;
const FP16: Storage = Storage::Fp16;
const BF16: Storage = Storage::Bf16;

/// Columns: weights as products read them, activations, gradients, optimizer state, FP32 master copy, autocast.
const POLICIES: [PolicyRow; 7] = [
    row("fp32", [FP32, FP32, FP32, FP32], false, false),
    row("tf32", [FP32, FP32, FP32, FP32], false, false),
    row("fp16-naive", [FP16, FP16, FP16, FP16], false, false),
    row("amp", [FP16, FP16, FP16, FP32], true, true),
    row("paper", [FP16, FP16, FP16, FP32], true, false),
    row("paper-no-master", [FP16, FP16, FP16, FP32], false, false),
    row("bf16", [BF16, BF16, BF16, FP32], true, false),
];

const fn row(name: &'static str, formats: [Storage; 4], master_weights: bool, autocast: bool) -> PolicyRow {
    let [weights, activations, gradients, optimizer_state] = formats;
    PolicyRow { name, weights, activations, gradients, optimizer_state, master_weights, autocast }
}

impl PrecisionPolicy {
    /// The names that [`PrecisionPolicy::named`] knows.
    pub const NAMES: [&'static str; POLICIES.len()] = {
        let mut names = [""; POLICIES.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = POLICIES[index].name;
            index += 1;
        }
        names
    };

    /// The policy of this name, upper or lower case: FP32 accumulation, rounding to nearest even, subnormals kept.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        POLICIES.iter().find(|row| row.name.eq_ignore_ascii_case(name)).map(Self::of)
    }

    /// Everything in FP32.
    #[must_use]
    pub fn fp32() -> Self {
        Self::of(&POLICIES[0])
    }

    fn of(row: &PolicyRow) -> Self {
        Self {
            name: row.name.into(),
            weights: row.weights,
            activations: row.activations,
            gradients: row.gradients,
            optimizer_state: row.optimizer_state,
            master_weights: row.master_weights,
            autocast: row.autocast,
            accumulate: Accumulate::Fp32,
            tf32: row.name == "tf32",
            rounding: CastRounding::NearestEven,
            flush_subnormals: false,
        }
    }

    /// The scaler that goes with the policy where none is asked for: dynamic for `amp` and `paper`, else none.
    #[must_use]
    pub fn usual_scaler(&self) -> ScalerConfig {
        match self.name.as_str() {
            "amp" | "paper" | "paper-no-master" => ScalerConfig::dynamic(),
            _ => ScalerConfig::None,
        }
    }

    /// Whether any tensor is kept in fewer than 32 bits.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        [self.weights, self.activations, self.gradients, self.optimizer_state].iter().any(|&kept| kept != Storage::Fp32)
    }
}

/// A ready-made experiment: one network on one data set, and the lanes that make its point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// Widths of the network, input first.
    pub widths: &'static [usize],
    /// Images of the training set that are used.
    pub train_images: Option<usize>,
    /// Images a step.
    pub batch: usize,
    /// Steps of the whole run.
    pub steps: u64,
    /// What the loss is multiplied by.
    pub loss_weight: f32,
    /// How weights are updated.
    pub optimizer: Optimizer,
    /// How pixels become inputs; `None`: pixel / 255.
    pub normalise: Option<Normalisation>,
    /// Test accuracy every this many steps.
    pub evaluate_every: u64,
    /// The lanes it starts with: policy and scaler.
    pub lanes: &'static [(&'static str, ScalerConfig)],
}

/// A dynamic scaler as `torch.amp.GradScaler` starts.
const DYNAMIC: ScalerConfig = ScalerConfig::dynamic();

/// A constant scale.
const fn fixed(scale: f32) -> ScalerConfig {
    ScalerConfig::Static { scale }
}

/// The ready-made experiments.
///
/// - `underflow`: a small loss weight (an auxiliary loss, a mean over many pixels) that FP32 does not notice, since Adam
///   does not depend on the scale of its gradients, pushes FP16 gradients below 2^-25.
/// - `master-weights`: updates so small that FP16 weights often cannot take them.
/// - `mnist-mlp`: the plain network of many tutorials, where all policies learn alike.
pub const PRESETS: [Preset; 3] = [
    Preset {
        name: "underflow",
        widths: &[784, 256, 128, 10],
        train_images: Some(6000),
        batch: 512,
        steps: 400,
        loss_weight: 1e-4,
        optimizer: Optimizer::Adam { learning_rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 },
        normalise: None,
        evaluate_every: 50,
        lanes: &[("fp32", ScalerConfig::None), ("paper", fixed(1.0)), ("paper", fixed(65536.0))],
    },
    Preset {
        name: "master-weights",
        widths: &[784, 128, 10],
        train_images: None,
        batch: 64,
        steps: 3000,
        loss_weight: 1.0,
        optimizer: Optimizer::Sgd { learning_rate: 1e-4, momentum: 0.9 },
        normalise: None,
        evaluate_every: 250,
        lanes: &[("fp32", ScalerConfig::None), ("paper", fixed(1024.0)), ("paper-no-master", fixed(1024.0))],
    },
    Preset {
        name: "mnist-mlp",
        widths: &[784, 256, 10],
        train_images: None,
        batch: 64,
        steps: 1000,
        loss_weight: 1.0,
        optimizer: Optimizer::Sgd { learning_rate: 0.01, momentum: 0.0 },
        normalise: Some(Normalisation { mean: 0.1307, deviation: 0.3081 }),
        evaluate_every: 100,
        lanes: &[("fp32", ScalerConfig::None), ("paper", DYNAMIC), ("amp", DYNAMIC)],
    },
];

impl Preset {
    /// The preset of this name, upper or lower case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name))
    }

    /// The lanes it starts with.
    #[must_use]
    pub fn runs(&self) -> Vec<RunConfig> {
        let policy = |name: &str| PrecisionPolicy::named(name);
        self.lanes.iter().filter_map(|&(name, scaler)| Some(self.run(policy(name)?, scaler))).collect()
    }

    /// The experiment as one lane with another policy and scaler; seed 0, probed every 8th step, with a twin where the
    /// policy stores anything in fewer than 32 bits.
    #[must_use]
    pub fn run(&self, precision: PrecisionPolicy, scaler: ScalerConfig) -> RunConfig {
        let twin = precision.is_reduced();
        RunConfig {
            preset: self.name.into(),
            lane: RunConfig::lane_name(&precision, &scaler),
            model: Model { widths: self.widths.to_vec(), init: Init::TorchLinear },
            train_images: self.train_images,
            normalise: self.normalise,
            batch: self.batch,
            steps: self.steps,
            loss_weight: self.loss_weight,
            optimizer: self.optimizer,
            precision,
            scaler,
            clip_norm: None,
            seed: 0,
            backend: BackendKind::Auto,
            probes: ProbeConfig { every: 8, scope: ProbeScope::All, twin },
            evaluate_every: self.evaluate_every,
        }
    }
}

impl RunConfig {
    /// The lanes that the preset of this name starts with.
    #[must_use]
    pub fn preset(name: &str) -> Option<Vec<Self>> {
        Preset::find(name).map(Preset::runs)
    }

    /// The lane on a backend of its own, which its name tells; `Auto` leaves the name.
    #[must_use]
    pub fn placed(mut self, backend: BackendKind) -> Self {
        if backend != BackendKind::Auto {
            self.lane = format!("{} ({})", self.lane, backend.name());
        }
        self.backend = backend;
        self
    }

    /// What a lane with this policy and scaler is called on screen, such as `paper · S=1024`.
    #[must_use]
    pub fn lane_name(precision: &PrecisionPolicy, scaler: &ScalerConfig) -> String {
        let policy = &precision.name;
        match scaler {
            ScalerConfig::None => policy.clone(),
            ScalerConfig::Static { scale } => format!("{policy} · S={scale}"),
            ScalerConfig::Dynamic { .. } => format!("{policy} · dynamic"),
            ScalerConfig::DeepSpeed { .. } => format!("{policy} · DeepSpeed"),
        }
    }
}
