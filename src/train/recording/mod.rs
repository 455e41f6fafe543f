//! What a run has said so far, kept for the views; and the same on disk, one report a line.
//!
//! The window and the command line both look at a run through a [`Recording`]: a live session fills it report by
//! report ([`Recording::ingest`]), a file fills it the same way ([`Recording::read`]). The questions they ask
//! (which tensor loses most, which loss scale is advised, how far is a lane behind FP32) are methods here, so that
//! both faces give the same answers.
//!
//! ```
//! use halfscope::train::Recording;
//! use halfscope::train::report::{Outcome, Report};
//!
//! let mut recording = Recording::default();
//! recording.ingest(Report::Paused { step: 7 });
//! assert!(recording.paused);
//! recording.ingest(Report::Finished { step: 7, outcome: Outcome::Stopped });
//! assert_eq!(recording.outcome, Some(Outcome::Stopped));
//! ```

mod advice;
mod file;
mod glob;
mod query;
mod replay;
mod times;

pub use advice::{WorstTensor, advised_exponent, is_fp32};
pub use file::{FORMAT_VERSION, RUN_FILE, Writer, part_path};
pub use glob::matches as glob_matches;
pub use query::{ProbeFilter, ScaleSpan, Selection, StepChoice, relative_exponent};
pub use times::OpTimes;

use super::backend::Memory;
use super::report::{Evaluation, HistogramReport, LaneInfo, Outcome, Report, StepReport};
use crate::histogram::ExponentHistogram;

/// Everything a run reported, indexed for the views and the command line. Live runs and files fill it the same way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recording {
    /// Which images.
    pub dataset: String,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// Whether the session waits for a command.
    pub paused: bool,
    /// How it ended, once it has. `None` in a recording from a file: the program was killed while it ran.
    pub outcome: Option<Outcome>,
    /// Goes up with every ingested report: a key for cached, derived series.
    pub generation: u64,
}

/// One lane of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// As it was compiled.
    pub info: LaneInfo,
    /// Scalars of all steps, oldest first.
    pub steps: Vec<StepReport>,
    /// Test accuracies, oldest first.
    pub evaluations: Vec<Evaluation>,
    /// Scales that somebody set: (first step it holds for, scale).
    pub scale_sets: Vec<(u64, f32)>,
    /// Latest speed in steps a second, as if the lane ran alone.
    pub steps_per_second: Option<f64>,
    /// Bytes in its buffers and free on its device, in a live run.
    pub memory: Option<Memory>,
    /// How long its ops take, in a live run that was profiled.
    pub times: OpTimes,
    /// Histograms by probe index, each oldest first.
    pub histograms: Vec<Vec<HistogramReport>>,
    /// The same, added up over the steps; by probe index, one sum per carried loss scale, latest scale last.
    pub sums: Vec<Vec<Sum>>,
}

/// Histograms of one probe added up over the steps that carried the same loss scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// The counts of all these steps.
    pub histogram: ExponentHistogram,
    /// The loss scale the values carry.
    pub scale: f32,
    /// How many probed steps are in it.
    pub steps: u64,
    /// The first and the last of them.
    pub first_step: u64,
    /// See `first_step`.
    pub last_step: u64,
    /// Values flushed upstream, where a twin told.
    pub lost_upstream: Option<u64>,
}

impl Lane {
    /// A lane that has not taken a step yet.
    #[must_use]
    pub fn new(info: LaneInfo) -> Self {
        let probes = info.probes.len();
        Self {
            info,
            steps: Vec::new(),
            evaluations: Vec::new(),
            scale_sets: Vec::new(),
            steps_per_second: None,
            memory: None,
            times: OpTimes::default(),
            histograms: vec![Vec::new(); probes],
            sums: vec![Vec::new(); probes],
        }
    }

    fn ingest_histogram(&mut self, report: HistogramReport) {
        let sums = &mut self.sums[report.probe];
        let position = sums.iter().position(|sum| sum.scale.to_bits() == report.scale.to_bits());
        if let Some(position) = position {
            // the scale of the latest report is last: the one that readers want first
            let mut sum = sums.remove(position);
            sum.histogram.merge(&report.histogram);
            sum.steps += 1;
            sum.last_step = report.step;
            sum.lost_upstream = match (sum.lost_upstream, report.lost_upstream) {
                (Some(a), Some(b)) => Some(a.saturating_add(b)),
                _ => None,
            };
            sums.push(sum);
        } else {
            sums.push(Sum {
                histogram: report.histogram.clone(),
                scale: report.scale,
                steps: 1,
                first_step: report.step,
                last_step: report.step,
                lost_upstream: report.lost_upstream,
            });
        }
        self.histograms[report.probe].push(report);
    }
}

impl Recording {
    /// Takes in one report. Reports out of order, of unknown lanes or of unknown probes are ignored: see
    /// [`Recording::check`] for what that means.
    pub fn ingest(&mut self, report: Report) {
        self.generation += 1;
        if self.check(&report).is_err() {
            return;
        }
        match report {
            Report::Started(started) => {
                self.dataset = started.dataset;
                self.lanes = started.lanes.into_iter().map(Lane::new).collect();
            }
            Report::Steps(steps) => {
                for step in steps {
                    self.lanes[step.lane].steps.push(step);
                }
            }
            Report::Histograms(histograms) => {
                for histogram in histograms {
                    self.lanes[histogram.lane].ingest_histogram(histogram);
                }
            }
            Report::Evaluated(evaluation) => self.lanes[evaluation.lane].evaluations.push(evaluation),
            Report::ScaleSet { lane, step, scale } => self.lanes[lane].scale_sets.push((step, scale)),
            Report::Speed { lane, steps_per_second } => self.lanes[lane].steps_per_second = Some(steps_per_second),
            Report::Memory { lane, used, free } => self.lanes[lane].memory = Some(Memory { used, free }),
            Report::Profile(profile) => self.lanes[profile.lane].times.add(profile),
            Report::DeviceFailed { .. } => {}
            Report::Paused { .. } => self.paused = true,
            Report::Resumed { .. } => self.paused = false,
            Report::Finished { outcome, .. } => {
                self.paused = false;
                self.outcome = Some(outcome);
            }
        }
    }

    /// Whether a report fits what was recorded so far: a run starts once, names its own lanes and probes, and goes
    /// forward.
    ///
    /// # Errors
    /// What does not fit, in one line.
    pub fn check(&self, report: &Report) -> Result<(), String> {
        match report {
            Report::Started(_) if self.lanes.is_empty() => Ok(()),
            Report::Started(_) => Err("the run starts a second time".to_owned()),
            Report::Steps(steps) => self.check_steps(steps),
            Report::Histograms(histograms) => self.check_histograms(histograms),
            Report::Evaluated(evaluation) => {
                let lane = self.known_lane(evaluation.lane)?;
                forward(lane.evaluations.last().map(|last| last.step), evaluation.step)
            }
            Report::ScaleSet { lane, step, .. } => {
                let lane = self.known_lane(*lane)?;
                // two settings before the same step are fine: the later one holds
                forward(lane.scale_sets.last().map(|last| last.0.saturating_sub(1)), *step)
            }
            Report::Speed { lane, .. } | Report::Memory { lane, .. } => self.known_lane(*lane).map(|_| ()),
            Report::Profile(profile) => self.known_lane(profile.lane).map(|_| ()),
            Report::DeviceFailed { .. } | Report::Paused { .. } | Report::Resumed { .. } | Report::Finished { .. } => {
                Ok(())
            }
        }
    }

    fn check_steps(&self, steps: &[StepReport]) -> Result<(), String> {
        let mut last: Vec<Option<u64>> =
            self.lanes.iter().map(|lane| lane.steps.last().map(|step| step.step)).collect();
        for step in steps {
            self.known_lane(step.lane)?;
            forward(last[step.lane], step.step)?;
            last[step.lane] = Some(step.step);
        }
        Ok(())
    }

    fn check_histograms(&self, histograms: &[HistogramReport]) -> Result<(), String> {
        for (index, report) in histograms.iter().enumerate() {
            let lane = self.known_lane(report.lane)?;
            let Some(seen) = lane.histograms.get(report.probe) else {
                return Err(format!("probe {} of lane {} is unknown", report.probe, report.lane));
            };
            let here = histograms[..index].iter().rev();
            let before = here.filter(|other| (other.lane, other.probe) == (report.lane, report.probe));
            let last = before.map(|other| other.step).next().or_else(|| seen.last().map(|other| other.step));
            forward(last, report.step)?;
        }
        Ok(())
    }

    fn known_lane(&self, lane: usize) -> Result<&Lane, String> {
        self.lanes.get(lane).ok_or_else(|| format!("lane {lane} is unknown: the run has {}", self.lanes.len()))
    }
}

fn forward(last: Option<u64>, step: u64) -> Result<(), String> {
    match last {
        Some(last) if step <= last => Err(format!("step {step} comes after step {last}")),
        _ => Ok(()),
    }
}

/// f32 in JSON with NaN and infinities as text: JSON has no such numbers.
pub mod float_text {
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a number, or `"NaN"`, `"inf"`, `"-inf"`.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() { serializer.serialize_f32(*value) } else { serializer.serialize_str(&value.to_string()) }
    }

    /// Reads what [`serialize`] writes.
    ///
    /// # Errors
    /// Text that is no number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Number {
            Finite(f32),
            Text(String),
        }
        match Number::deserialize(deserializer)? {
            Number::Finite(value) => Ok(value),
            Number::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}
