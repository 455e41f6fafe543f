//! What a session says: plain data, the same for the window, the command line and a recorded run.

use serde::{Deserialize, Serialize};

use super::config::RunConfig;
use crate::histogram::{ExponentHistogram, Source, Stage};

/// One message of a session. A recorded run is a file with one of these a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// The first report: what is about to run.
    Started(Started),
    /// Scalars of one or more steps, oldest first.
    Steps(Vec<StepReport>),
    /// Histograms of one probed step of one lane.
    Histograms(Vec<HistogramReport>),
    /// Accuracy on the test images.
    Evaluated(Evaluation),
    /// Somebody set the loss scale; it holds from this step on.
    ScaleSet {
        /// Index of the lane.
        lane: usize,
        /// The first step at this scale.
        step: u64,
        /// The scale.
        scale: f32,
    },
    /// How fast it goes; never recorded, since it is not the same twice.
    Speed {
        /// Index of the lane.
        lane: usize,
        /// As if the lane ran alone.
        steps_per_second: f64,
    },
    /// Bytes on a lane's device; never recorded.
    Memory {
        /// Index of the lane.
        lane: usize,
        /// In the lane's buffers, those of probes and the twin included.
        used: u64,
        /// Free on the device; `None` where it does not say.
        free: Option<u64>,
    },
    /// How long the ops of one step took; never recorded.
    Profile(ProfileReport),
    /// A lane's device or its driver gave up; how the run ends is said next. Never recorded.
    DeviceFailed {
        /// Index of the lane.
        lane: usize,
    },
    /// The session waits for a command.
    Paused {
        /// The last step taken.
        step: u64,
    },
    /// The session goes on.
    Resumed {
        /// The last step taken.
        step: u64,
    },
    /// The last report.
    Finished {
        /// The last step taken by all lanes.
        step: u64,
        /// How it ended.
        outcome: Outcome,
    },
}

impl Report {
    /// Whether it belongs into a recorded run. What depends on the machine and the moment does not: the same run gives the
    /// same bytes.
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        !matches!(self, Self::Speed { .. } | Self::Memory { .. } | Self::Profile(_) | Self::DeviceFailed { .. })
    }
}

/// How long the ops of a lane take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileReport {
    /// Index of the lane.
    pub lane: usize,
    /// Steps that were timed.
    pub steps: u64,
    /// Seconds of all these steps together, slowest first.
    pub ops: Vec<OpTime>,
}

/// How long all ops of one name and layer take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpTime {
    /// What is done, such as `matmul`.
    pub op: String,
    /// In which layer, such as `fc1`; empty for none.
    pub layer: String,
    /// How long it took.
    pub seconds: f64,
}

/// What is about to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// Version of the report layout.
    pub format: u32,
    /// Which images, such as `Fashion-MNIST, embedded subset (6000 + 1000)`.
    pub dataset: String,
    /// The lanes, in the order of their indices.
    pub lanes: Vec<LaneInfo>,
}

/// A lane as it was compiled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaneInfo {
    /// Its whole configuration.
    pub config: RunConfig,
    /// What it runs on, in words.
    pub device: String,
    /// Bytes of its planned buffers.
    pub buffer_bytes: u64,
    /// What is looked at; histograms name a probe by its index here.
    pub probes: Vec<ProbeInfo>,
    /// Every cast of the program, with its reason.
    pub casts: Vec<CastInfo>,
}

/// What a tensor is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Weights and biases.
    Weight,
    /// Outputs of layers.
    Activation,
    /// Gradients of weights and biases.
    WeightGradient,
    /// Gradients of layer outputs.
    ActivationGradient,
    /// What is added to the weights.
    Update,
    /// Images and labels.
    Input,
    /// Momentum and moments.
    OptimizerState,
    /// The loss, scales, flags.
    Scalar,
}

/// A place in the program where a histogram is taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeInfo {
    /// The tensor, such as `fc1.weight.grad`.
    pub tensor: String,
    /// The layer, such as `fc1`.
    pub layer: String,
    /// What the tensor is for.
    pub role: Role,
    /// Before or after the cast to the lane's storage format.
    pub stage: Stage,
    /// The run's own values or the FP32 twin's.
    pub source: Source,
    /// How many values it has.
    pub elements: u64,
    /// Whether the values carry the loss scale (twin and FP32 gradients do not).
    pub scaled: bool,
}

/// A cast that a pass put into the program, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CastInfo {
    /// The tensor that is cast.
    pub tensor: String,
    /// Storage before, in lower case.
    pub from: String,
    /// Storage after.
    pub to: String,
    /// The rule that asked for it.
    pub why: String,
}

/// The scalars of one step of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Index of the lane.
    pub lane: usize,
    /// From 1.
    pub step: u64,
    /// The unscaled, unweighted training loss of the batch: mean cross-entropy in nats. May be NaN.
    #[serde(with = "super::recording::float_text")]
    pub loss: f32,
    /// The loss scale this step was taken at.
    pub scale: f32,
    /// The growth tracker after the step.
    pub growth_tracker: u32,
    /// Whether the update was skipped because a scaled gradient was not finite.
    pub skipped: bool,
}

/// One histogram of one probed step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistogramReport {
    /// Index of the lane.
    pub lane: usize,
    /// The step, from 1.
    pub step: u64,
    /// Index into the lane's probes.
    pub probe: usize,
    /// The loss scale the values carry: the step's for scaled tensors, else 1.
    pub scale: f32,
    /// Values that are zero here but not in the twin's tensor, where a twin ran: flushed upstream.
    pub lost_upstream: Option<u64>,
    /// The counts.
    pub histogram: ExponentHistogram,
}

/// Accuracy on the test images.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Index of the lane.
    pub lane: usize,
    /// After this many steps.
    pub step: u64,
    /// Correct answers.
    pub correct: u64,
    /// Images asked.
    pub images: u64,
    /// Mean cross-entropy in nats. May be NaN.
    #[serde(with = "super::recording::float_text")]
    pub loss: f32,
}

impl Evaluation {
    /// Share of correct answers, 0 to 1; `None` when no image was asked.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.images > 0).then(|| self.correct as f64 / self.images as f64)
    }
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All steps were taken.
    Completed,
    /// Somebody stopped it.
    Stopped,
    /// It could not go on; one line says why and what to do.
    Failed(String),
}
