//! From a histogram and a way to look at it to a figure.

use std::ops::RangeInclusive;

use crate::histogram::{Advice, ExponentHistogram, Rule, Source, Stage, Target};
use crate::i18n::Lang;

/// What a tensor is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TensorKind {
    /// Gradients of weights and biases.
    WeightGradient,
    /// Gradients of layer outputs.
    ActivationGradient,
    /// Weights and biases.
    Weight,
    /// Outputs of layers.
    Activation,
    /// What is added to the weights.
    Update,
    /// Anything else.
    #[default]
    Tensor,
}

/// A histogram and how it is looked at: everything a figure needs.
#[derive(Debug, Clone)]
pub struct GradientPicture<'a> {
    /// The counts.
    pub histogram: &'a ExponentHistogram,
    /// The tensor, such as `fc1.weight.grad`.
    pub tensor: &'a str,
    /// What the tensor is for.
    pub kind: TensorKind,
    /// Whose values they are.
    pub source: Source,
    /// Before or after the cast.
    pub stage: Stage,
    /// The lane, such as `paper · S=1`; empty if there is none.
    pub lane: &'a str,
    /// Which images or which file; empty if unknown.
    pub dataset: &'a str,
    /// The step; `None` for all steps together.
    pub step: Option<u64>,
    /// The loss scale the values carry; 1 for unscaled values.
    pub taken_at: f32,
    /// Zeros that are not zero in the FP32 twin, if a twin ran.
    pub lost_upstream: Option<u64>,
    /// Whether nothing before this tensor was rounded to a narrow format, as in an FP32 lane: its zeros then are zeros
    /// of the mathematics, not of a cast further up.
    pub unrounded: bool,
    /// The format of the cast.
    pub target: Target,
    /// The loss scale to show: 2^this on the *unscaled* values, whatever scale they carry.
    pub scale_exponent: i32,
    /// What counts as lost.
    pub rule: Rule,
    /// The advised scales, if they are to be named.
    pub advice: Option<&'a Advice>,
    /// The exponents of the x axis. Pinned: it does not follow the scale.
    pub range: RangeInclusive<i32>,
    /// Language of the words.
    pub lang: Lang,
}

impl<'a> GradientPicture<'a> {
    /// The cast of an unscaled tensor to `target` at S = 1, in English; set the other fields as needed.
    #[must_use]
    pub fn new(histogram: &'a ExponentHistogram, tensor: &'a str, target: Target) -> Self {
        Self {
            histogram,
            tensor,
            kind: TensorKind::Tensor,
            source: Source::Run,
            stage: Stage::BeforeCast,
            lane: "",
            dataset: "",
            step: None,
            taken_at: 1.0,
            lost_upstream: None,
            unrounded: false,
            target,
            scale_exponent: 0,
            rule: Rule::Ieee,
            advice: None,
            range: default_range(target),
            lang: Lang::En,
        }
    }
}

/// An x axis that shows all of a target's ranges, with room for what is lost: −44 to 19 for FP16.
#[must_use]
pub fn default_range(target: Target) -> RangeInclusive<i32> {
    target.min_subnormal_exponent() - 20..=target.max_exponent() + 4
}
