//! Numbers that take longer than a frame should: kept, and brought up to date when the recording or the choice changes.

use std::time::{Duration, Instant};

use super::choice::Choice;
use super::export::look;
use crate::app::model::Model;
use crate::app::widgets::curve::Series;
use crate::export;
use crate::histogram::{Advice, Rule, Target};
use crate::train::Recording;
use crate::train::recording::relative_exponent;

/// While a run goes on, advice is worked out at most this often.
const ADVICE_INTERVAL: Duration = Duration::from_millis(300);

/// The most points that a curve paints.
const MOST_POINTS: usize = 1600;

/// The lost share over the steps at the chosen scale and at S = 1. Points are added as steps come; the whole is
/// counted anew only when something else was chosen.
#[derive(Debug, Default)]
pub(super) struct LostCurve {
    key: Option<(usize, usize, Target, Rule, i32)>,
    seen: usize,
    /// At the chosen scale.
    pub at_scale: Series,
    /// At S = 1.
    pub at_one: Series,
}

impl LostCurve {
    /// Takes in what is new of the chosen probe.
    pub(super) fn update(&mut self, recording: &Recording, choice: &Choice, probe: usize) {
        let Some(reports) = recording.lanes.get(choice.lane).and_then(|lane| lane.histograms.get(probe)) else {
            return;
        };
        let key = (choice.lane, probe, choice.target, choice.rule, choice.scale_exponent);
        if self.key != Some(key) || reports.len() < self.seen {
            *self = Self { key: Some(key), ..Self::default() };
        }
        for report in &reports[self.seen..] {
            let share = |exponent: i32| {
                let exponent = relative_exponent(report.scale, exponent)?;
                report.histogram.classes(choice.target, exponent, choice.rule).lost_of_nonzero()
            };
            self.at_scale.push(report.step, share(choice.scale_exponent).unwrap_or(f64::NAN));
            self.at_one.push(report.step, share(0).unwrap_or(f64::NAN));
        }
        self.seen = reports.len();
        self.at_scale.refresh(MOST_POINTS);
        self.at_one.refresh(MOST_POINTS);
    }
}

/// The advised scales of the chosen lane.
#[derive(Debug)]
pub(super) struct KeptAdvice {
    key: Option<(usize, Target, Rule, Option<u64>)>,
    generation: u64,
    taken: Instant,
    /// The advice as of the last update.
    pub advice: Advice,
    /// What the worst weight gradient loses at the lowest advised scale, all steps together.
    pub lost_at_low: Option<f64>,
}

impl Default for KeptAdvice {
    fn default() -> Self {
        Self { key: None, generation: 0, taken: Instant::now(), advice: Advice::NoData, lost_at_low: None }
    }
}

impl KeptAdvice {
    /// Brings the advice up to date, if it is due.
    pub(super) fn update(&mut self, model: &Model, choice: &Choice, probe: usize) {
        let recording = &model.recording;
        let key = Some((choice.lane, choice.target, choice.rule, choice.step));
        let aged = self.generation != recording.generation
            && (!model.run.is_live() || self.advice == Advice::NoData || self.taken.elapsed() >= ADVICE_INTERVAL);
        if self.key != key || aged {
            self.advice = export::advice(recording, &look(choice, probe, model.lang));
            self.lost_at_low = match self.advice {
                Advice::Band { low, .. } => recording
                    .worst_weight_gradient(choice.lane, choice.target, low, choice.rule)
                    .map(|worst| worst.lost),
                _ => None,
            };
            (self.key, self.generation, self.taken) = (key, recording.generation, Instant::now());
        }
    }
}
