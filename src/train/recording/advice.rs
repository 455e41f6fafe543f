//! What the FP32 gradients of a run say about loss scales: the twin's where one ran, else those of an FP32 lane.
//!
//! An FP16 lane's own gradients are never asked: what it flushed upstream arrives in them as zeros, so they under-report
//! what a larger scale would save.

use std::borrow::Cow;

use super::{Lane, ProbeFilter, Recording};
use crate::histogram::{Advice, ExponentHistogram, Rule, Source, Stage, Target, advise};
use crate::train::config::{RunConfig, Storage};
use crate::train::report::{ProbeInfo, Role};

/// The weight gradient that loses most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorstTensor {
    /// Index of the lane whose FP32 gradients tell.
    pub lane: usize,
    /// Index of its probe.
    pub probe: usize,
    /// Lost share of the non-zero values, 0 to 1, all steps added up.
    pub lost: f64,
}

/// The one scale out of an advised band that a run should use, as an exponent of two: the middle, rounded down, so that
/// gradients may shrink and grow by about as much. Where no scale serves all, the largest that does not overflow.
#[must_use]
pub fn advised_exponent(advice: &Advice) -> Option<i32> {
    match *advice {
        Advice::Band { low, high } => Some(low + (high - low) / 2),
        Advice::Empty { high, .. } => Some(high),
        Advice::NoData => None,
    }
}

/// Whether a lane computes and stores in FP32 alone, so that its gradients show what a cast would lose.
#[must_use]
pub fn is_fp32(config: &RunConfig) -> bool {
    let precision = &config.precision;
    let storages = [precision.weights, precision.activations, precision.gradients];
    !precision.autocast && storages.iter().all(|&storage| storage == Storage::Fp32)
}

/// A sum of FP32 gradients and where it comes from.
struct Fp32Histogram<'a> {
    lane: usize,
    probe: usize,
    info: &'a ProbeInfo,
    histogram: Cow<'a, ExponentHistogram>,
}

impl Recording {
    /// Where the FP32 gradients for a lane's what-if come from: its twin, or itself if it is FP32, or the first FP32
    /// lane. Never an FP16 lane's own gradients: what it flushed upstream arrives there as zeros.
    #[must_use]
    pub fn fp32_source(&self, lane: usize) -> Option<(usize, Source)> {
        let twin = ProbeFilter { source: Some(Source::Twin), ..ProbeFilter::default() };
        if self.probes(lane, twin).next().is_some() {
            return Some((lane, Source::Twin));
        }
        let own = self.lanes.get(lane).filter(|lane| is_fp32(&lane.info.config));
        if own.is_some() {
            return Some((lane, Source::Run));
        }
        self.fp32_lane().map(|lane| (lane, Source::Run))
    }

    /// The first lane that runs in FP32.
    #[must_use]
    pub fn fp32_lane(&self) -> Option<usize> {
        self.lanes.iter().position(|lane| is_fp32(&lane.info.config))
    }

    /// The FP32 histograms behind a lane's what-if, added up over the steps up to `until`. Only unscaled ones, so that
    /// 2^k is the loss scale itself.
    fn fp32_histograms(&self, lane: usize, until: u64) -> Vec<Fp32Histogram<'_>> {
        let Some((from, source)) = self.fp32_source(lane) else { return Vec::new() };
        let filter = ProbeFilter { source: Some(source), stage: Some(Stage::BeforeCast), ..ProbeFilter::default() };
        let lane = &self.lanes[from];
        let histogram = |probe: usize| {
            let histogram = lane.unscaled_until(probe, until)?;
            Some(Fp32Histogram { lane: from, probe, info: &lane.info.probes[probe], histogram })
        };
        self.probes(from, filter).filter_map(histogram).collect()
    }

    /// The FP32 probe (lane, probe) of the same tensor as a lane's probe: what its cast would have seen with nothing
    /// lost upstream.
    #[must_use]
    pub fn fp32_probe(&self, lane: usize, probe: usize) -> Option<(usize, usize)> {
        let tensor = self.lanes.get(lane)?.info.probes.get(probe)?.tensor.as_str();
        let same = |info: &ProbeInfo| info.tensor == tensor;
        let (from, source) = self.fp32_source(lane)?;
        let filter = ProbeFilter { source: Some(source), stage: Some(Stage::BeforeCast), ..ProbeFilter::default() };
        self.probes(from, filter).find(|&index| same(&self.lanes[from].info.probes[index])).map(|index| (from, index))
    }

    /// The loss scales that are advised for a lane: from the FP32 gradients of all steps seen. The lost share is
    /// judged on weight gradients, overflow on all gradients, activation gradients too.
    #[must_use]
    pub fn advice(&self, lane: usize, target: Target, rule: Rule, tolerance: f64) -> Advice {
        self.advice_until(lane, u64::MAX, target, rule, tolerance)
    }

    /// [`Recording::advice`] from the steps up to `until`: what was known then.
    #[must_use]
    pub fn advice_until(&self, lane: usize, until: u64, target: Target, rule: Rule, tolerance: f64) -> Advice {
        let histograms = self.fp32_histograms(lane, until);
        let named = |roles: &[Role]| -> Vec<(&str, &ExponentHistogram)> {
            let of_role = histograms.iter().filter(|found| roles.contains(&found.info.role));
            of_role.map(|found| (found.info.tensor.as_str(), &*found.histogram)).collect()
        };
        let weights = named(&[Role::WeightGradient]);
        let all = named(&[Role::WeightGradient, Role::ActivationGradient]);
        advise(&weights, &all, target, rule, tolerance)
    }

    /// The weight gradient that loses the largest share of its non-zero values at the loss scale 2^`scale_exponent`,
    /// judged on the FP32 gradients of all steps.
    #[must_use]
    pub fn worst_weight_gradient(
        &self,
        lane: usize,
        target: Target,
        scale_exponent: i32,
        rule: Rule,
    ) -> Option<WorstTensor> {
        let histograms = self.fp32_histograms(lane, u64::MAX);
        let gradients = histograms.iter().filter(|found| found.info.role == Role::WeightGradient);
        let lost = gradients.filter_map(|found| {
            let lost = found.histogram.classes(target, scale_exponent, rule).lost_of_nonzero()?;
            Some(WorstTensor { lane: found.lane, probe: found.probe, lost })
        });
        // the first of equals, so that the answer does not depend on the number of lanes
        lost.reduce(|worst, next| if next.lost > worst.lost { next } else { worst })
    }
}

impl Lane {
    /// The counts of a probe added up over the steps up to `until`; `None` if there are none or they carry a scale.
    fn unscaled_until(&self, probe: usize, until: u64) -> Option<Cow<'_, ExponentHistogram>> {
        let sum = self.sums.get(probe)?.last().filter(|sum| sum.scale == 1.0)?;
        if sum.last_step <= until {
            return Some(Cow::Borrowed(&sum.histogram));
        }
        let mut seen = self.histograms[probe].iter().filter(|report| report.step <= until && report.scale == 1.0);
        let mut merged = seen.next()?.histogram.clone();
        for report in seen {
            merged.merge(&report.histogram);
        }
        Some(Cow::Owned(merged))
    }
}
