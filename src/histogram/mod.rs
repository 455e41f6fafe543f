//! Counts: exponent bins of a tensor, what a cast would lose at a given loss scale, the advised scale.
//!
//! Called by [`crate::train`] (a histogram per probe), by [`crate::figure`] and the window (bars at a scale) and by the
//! command line. One pass over the values fills an [`ExponentHistogram`]: per binary exponent nine counters, one per
//! class of the significand. Multiplying by a power of two moves a value to another exponent and leaves its significand
//! alone, so the counters say exactly what a cast does at *every* power-of-two scale, without the data.
//!
//! | file | job |
//! |---|---|
//! | `target` | limits of the target formats, derived from four integers |
//! | `significand` | the nine classes of a significand and their borders |
//! | `exponent_histogram` | the counters, their totals, merging |
//! | `count` | the pass over the values |
//! | `classes` | what becomes of each counter at a scale |
//! | `advice` | the band of loss scales worth using |
//! | `rescan` | any other scale, from the values |
//! | `serial` | the counters on disk |
//!
//! ```
//! use halfscope::histogram::{ExponentHistogram, Rule, Target};
//!
//! let gradients = ExponentHistogram::of_f32(&[0.0, 1e-8, 3e-8, 1e-6, 0.5]);
//! let unscaled = gradients.classes(Target::Fp16, 0, Rule::Ieee);
//! assert_eq!((unscaled.zero, unscaled.lost, unscaled.rounds_up), (1, 1, 1));
//! let scaled = gradients.classes(Target::Fp16, 10, Rule::Ieee); // S = 2^10
//! assert_eq!((scaled.lost, scaled.rounds_up, scaled.overflow), (0, 0, 0));
//! ```

mod advice;
mod classes;
mod count;
mod counters;
mod exponent_histogram;
mod rescan;
mod serial;
mod significand;
mod target;

pub use advice::advise;
pub use exponent_histogram::ExponentHistogram;
pub use rescan::rescan;

use serde::{Deserialize, Serialize};

/// The formats whose cast a histogram can predict without looking at the data again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// IEEE binary16.
    Fp16,
    /// bfloat16.
    Bf16,
    /// FP8 with five exponent bits, IEEE specials.
    E5m2,
    /// FP8 with four exponent bits, one NaN and no infinity (OCP "fn").
    E4m3,
}

/// By which rule a value below the smallest subnormal counts as lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Round to nearest even: lost when |x|·S is at most half the smallest subnormal.
    #[default]
    Ieee,
    /// The 2018 paper's rule of thumb: lost when |x|·S is below the smallest subnormal.
    Paper,
}

/// Whose values a histogram counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The lane's own tensors.
    Run,
    /// An FP32 forward and backward pass over the same weights and batch.
    Twin,
    /// A file from elsewhere.
    File,
}

/// On which side of the cast the values were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// What the cast got.
    BeforeCast,
    /// What the cast left.
    AfterCast,
}

/// Where every value of a tensor ended up after a cast, by its *rounded* result. The nine counts sum to all values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Was zero before the cast.
    pub zero: u64,
    /// Non-zero before, zero after.
    pub lost: u64,
    /// Below the smallest subnormal, rounded up to it.
    pub rounds_up: u64,
    /// Became a subnormal.
    pub subnormal: u64,
    /// Became a normal number.
    pub normal: u64,
    /// Finite before, not finite (or, where the format saturates, clamped) after.
    pub overflow: u64,
    /// Was NaN.
    pub nan: u64,
    /// Was +∞.
    pub pos_inf: u64,
    /// Was −∞.
    pub neg_inf: u64,
}

/// One bar of the picture: all finite non-zero values with `floor(log2(|x|·S))` equal to `exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// Floor of log2 of the scaled magnitude (of the value, not the exponent field).
    pub exponent: i32,
    /// The values of this bin by class; `zero`, `nan` and the infinities are 0 here.
    pub classes: ClassCounts,
}

/// The loss scales worth using, as exponents of two.
#[derive(Debug, Clone, PartialEq)]
pub enum Advice {
    /// 2^low … 2^high: at `low` no weight gradient loses more than the tolerance, up to `high` nothing overflows.
    Band {
        /// Exponent of the smallest advised scale.
        low: i32,
        /// Exponent of the largest advised scale.
        high: i32,
    },
    /// No scale does both; which tensor stands against which.
    Empty {
        /// Exponent of the smallest scale at which `low_tensor` loses no more than the tolerance.
        low: i32,
        /// The weight gradient that asks for so large a scale.
        low_tensor: String,
        /// Exponent of the largest scale at which `high_tensor` does not overflow; below `low`.
        high: i32,
        /// The tensor that overflows first.
        high_tensor: String,
    },
    /// Nothing finite and non-zero was counted yet.
    NoData,
}
