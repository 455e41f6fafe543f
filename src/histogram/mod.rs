//! Counts: exponent bins of a tensor, what a cast would lose at a given loss scale, the advised scale.

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

/// The exponent histogram of a tensor.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ExponentHistogram {
    placeholder: u64,
}

/// The loss scales worth using, as exponents of two.
#[derive(Debug, Clone, PartialEq)]
pub enum Advice {
    /// 2^low … 2^high: at `low` no weight gradient loses more than the tolerance, up to `high` nothing overflows.
    Band { low: i32, high: i32 },
    /// No scale does both; which tensor stands against which.
    Empty { low: i32, low_tensor: String, high: i32, high_tensor: String },
    /// Nothing finite and non-zero was counted yet.
    NoData,
}
