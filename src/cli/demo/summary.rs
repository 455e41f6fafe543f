//! What `summary.json` of the demo holds: everything computed from the recordings, nothing that differs between two runs.

use serde::Serialize;

use super::super::failure::Failure;
use super::super::table::percent;
use super::super::train::{EMULATED, LaneSummary, lane_summary};
use super::{FP32, SCALED, UNSCALED};
use crate::histogram::{Advice, Rule, Target};
use crate::train::recording::advised_exponent;
use crate::train::report::Role;
use crate::train::{Recording, RunConfig};

/// The whole file.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    halfscope: &'static str,
    preset: &'static str,
    dataset: &'a str,
    device: &'a str,
    pub(super) test_images: u64,
    note: &'static str,
    pub(super) seeds: Vec<SeedResult>,
    pub(super) spread: SpreadOfSeeds,
    /// Of the first seed: FP32, FP16 without and with loss scaling.
    configs: [&'a RunConfig; 3],
    files: &'a [String],
}

/// One seed.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SeedResult {
    pub(super) seed: u64,
    /// Advised loss scales as exponents of two, from the FP32 gradients; `low` above `high` where none serves all.
    advised_low: i32,
    advised_high: i32,
    /// The one that the scaled lane ran at.
    pub(super) advised_exponent: i32,
    pub(super) advised_scale: f64,
    pub(super) fp32: LaneResult,
    pub(super) unscaled: LaneResult,
    pub(super) scaled: LaneResult,
    pub(super) worst: WorstResult,
    /// Largest lost share of a weight gradient in a single probed step.
    worst_step: WorstStep,
}

/// One lane.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LaneResult {
    lane: String,
    /// 0 to 1.
    pub(super) accuracy: Option<f64>,
    /// Percentage points above (+) or below (−) FP32.
    points_to_fp32: Option<f64>,
    skipped: u64,
}

/// The weight gradient that loses most, judged on the FP32 gradients of all probed steps. Shares of the non-zero, 0 to 1.
#[derive(Debug, Clone, Serialize)]
pub(super) struct WorstResult {
    /// At S = 1.
    pub(super) tensor: String,
    pub(super) lost_unscaled: f64,
    /// At the advised scale the worst one may be another.
    tensor_advised: String,
    pub(super) lost_advised: f64,
}

/// Largest lost share of any weight gradient in any single probed step, at S = 1 and at the advised scale.
#[derive(Debug, Clone, Serialize)]
struct WorstStep {
    lost_unscaled: f64,
    lost_advised: f64,
}

/// Smallest, mean and largest over the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Spread {
    min: f64,
    mean: f64,
    max: f64,
}

/// Spreads over the seeds.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SpreadOfSeeds {
    accuracy_fp32: Spread,
    accuracy_unscaled: Spread,
    accuracy_scaled: Spread,
    pub(super) points_unscaled: Spread,
    pub(super) points_scaled: Spread,
    pub(super) lost_unscaled: Spread,
    pub(super) lost_advised: Spread,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let fold = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        Self { min: fold(f64::min), mean, max: fold(f64::max) }
    }

    /// Percentage points as text: `-64.0 to -44.7`.
    pub(super) fn points(&self) -> String {
        range(&format!("{:+.1}", self.min), &format!("{:+.1}", self.max))
    }

    /// Shares as text: `48.19 % to 48.82 %`.
    pub(super) fn shares(&self) -> String {
        range(&percent(Some(self.min)), &percent(Some(self.max)))
    }
}

fn range(low: &str, high: &str) -> String {
    if low == high { low.to_owned() } else { format!("{low} to {high}") }
}

impl LaneResult {
    fn of(summary: &LaneSummary<'_>) -> Self {
        Self {
            lane: summary.lane.to_owned(),
            accuracy: summary.accuracy,
            points_to_fp32: summary.points_to_fp32,
            skipped: summary.skipped,
        }
    }
}

impl SeedResult {
    /// The figures of one seed's recording.
    pub(super) fn of(recording: &Recording, seed: u64, advice: &Advice) -> Result<Self, Failure> {
        let (advised_low, advised_high) = match *advice {
            Advice::Band { low, high } | Advice::Empty { low, high, .. } => (low, high),
            Advice::NoData => return Err(no_gradients()),
        };
        let exponent = advised_exponent(advice).ok_or_else(no_gradients)?;
        let worst = |exponent: i32| {
            let worst =
                recording.worst_weight_gradient(FP32, Target::Fp16, exponent, Rule::Ieee).ok_or_else(no_gradients)?;
            Ok::<_, Failure>((recording.lanes[worst.lane].info.probes[worst.probe].tensor.clone(), worst.lost))
        };
        let (tensor, lost_unscaled) = worst(0)?;
        let (tensor_advised, lost_advised) = worst(exponent)?;
        let lane = |index| LaneResult::of(&lane_summary(recording, index));
        Ok(Self {
            seed,
            advised_low,
            advised_high,
            advised_exponent: exponent,
            advised_scale: 2_f64.powi(exponent),
            fp32: lane(FP32),
            unscaled: lane(UNSCALED),
            scaled: lane(SCALED),
            worst: WorstResult { tensor, lost_unscaled, tensor_advised, lost_advised },
            worst_step: WorstStep {
                lost_unscaled: worst_step(recording, 0),
                lost_advised: worst_step(recording, exponent),
            },
        })
    }
}

fn no_gradients() -> Failure {
    Failure::Run("no gradient was seen in FP32; take more steps".to_owned())
}

fn worst_step(recording: &Recording, exponent: i32) -> f64 {
    let probes = recording.lanes[FP32].info.probes.iter().enumerate();
    let gradients = probes.filter(|(_, probe)| probe.role == Role::WeightGradient && !probe.scaled);
    let series =
        gradients.flat_map(|(probe, _)| recording.lost_series(FP32, probe, Target::Fp16, exponent, Rule::Ieee));
    series.map(|(_, lost)| lost).fold(0.0, f64::max)
}

impl<'a> Summary<'a> {
    /// The summary; `recording` is the first seed's.
    pub(super) fn of(recording: &'a Recording, seeds: Vec<SeedResult>, files: &'a [String]) -> Self {
        let accuracy =
            |lane: fn(&SeedResult) -> &LaneResult| Spread::of(seeds.iter().filter_map(|seed| lane(seed).accuracy));
        let points = |lane: fn(&SeedResult) -> &LaneResult| {
            Spread::of(seeds.iter().filter_map(|seed| lane(seed).points_to_fp32))
        };
        let spread = SpreadOfSeeds {
            accuracy_fp32: accuracy(|seed| &seed.fp32),
            accuracy_unscaled: accuracy(|seed| &seed.unscaled),
            accuracy_scaled: accuracy(|seed| &seed.scaled),
            points_unscaled: points(|seed| &seed.unscaled),
            points_scaled: points(|seed| &seed.scaled),
            lost_unscaled: Spread::of(seeds.iter().map(|seed| seed.worst.lost_unscaled)),
            lost_advised: Spread::of(seeds.iter().map(|seed| seed.worst.lost_advised)),
        };
        let config = |lane: usize| &recording.lanes[lane].info.config;
        Self {
            halfscope: env!("CARGO_PKG_VERSION"),
            preset: super::PRESET,
            dataset: &recording.dataset,
            device: &recording.lanes[FP32].info.device,
            test_images: recording.lanes[FP32].evaluations.last().map_or(0, |evaluation| evaluation.images),
            note: EMULATED,
            seeds,
            spread,
            configs: [config(FP32), config(UNSCALED), config(SCALED)],
            files,
        }
    }
}
