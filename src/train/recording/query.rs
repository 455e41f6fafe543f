//! What the window and the command line ask a recording. Pure and fast; whoever asks every frame caches the answer by
//! [`Recording::generation`].

use std::str::FromStr;

use super::glob::matches;
use super::{Lane, Recording};
use crate::histogram::{ExponentHistogram, Rule, Source, Stage, Target};
use crate::train::devices::Nature;
use crate::train::report::{ProbeInfo, Role};

/// Which of the recorded steps of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepChoice {
    /// The last one.
    #[default]
    Latest,
    /// Exactly this one.
    Exact(u64),
    /// All that carry the loss scale of the last one, added up.
    All,
}

impl FromStr for StepChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "latest" => Ok(Self::Latest),
            "all" => Ok(Self::All),
            number => number
                .parse()
                .map(Self::Exact)
                .map_err(|_| format!("`{text}` is no step; give a number, `latest` or `all`")),
        }
    }
}

/// Which probes of a lane; `None` takes all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProbeFilter<'a> {
    /// A pattern such as `fc1.*`.
    pub tensor: Option<&'a str>,
    /// What the tensor is for.
    pub role: Option<Role>,
    /// Whose values.
    pub source: Option<Source>,
    /// Before or after the cast.
    pub stage: Option<Stage>,
}

impl ProbeFilter<'_> {
    /// Whether the probe is one of them.
    #[must_use]
    pub fn takes(&self, probe: &ProbeInfo) -> bool {
        self.tensor.is_none_or(|pattern| matches(pattern, &probe.tensor))
            && self.role.is_none_or(|role| role == probe.role)
            && self.source.is_none_or(|source| source == probe.source)
            && self.stage.is_none_or(|stage| stage == probe.stage)
    }
}

/// The counts of one probe at one step, or of several steps added up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection<'a> {
    /// The lane.
    pub lane: &'a Lane,
    /// What was looked at.
    pub probe: &'a ProbeInfo,
    /// The counts.
    pub histogram: &'a ExponentHistogram,
    /// The loss scale the values carry.
    pub scale: f32,
    /// First step in the counts.
    pub first_step: u64,
    /// Last step in the counts.
    pub last_step: u64,
    /// How many probed steps are in the counts.
    pub steps: u64,
    /// Probed steps that are not, because they carry another loss scale.
    pub left_out: u64,
    /// Values that are zero here but not in the FP32 twin: flushed upstream.
    pub lost_upstream: Option<u64>,
}

/// Consecutive steps at the same loss scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScaleSpan {
    /// The first step.
    pub first_step: u64,
    /// The last step.
    pub last_step: u64,
    /// The scale.
    pub scale: f32,
    /// Updates skipped among them.
    pub skipped: u64,
}

/// The power of two that takes values carrying the loss scale `taken_at` to the loss scale 2^`scale_exponent`.
///
/// `None` when `taken_at` is no power of two: a histogram cannot tell exactly then.
///
/// ```
/// use halfscope::train::recording::relative_exponent;
/// assert_eq!(relative_exponent(1024.0, 16), Some(6));
/// assert_eq!(relative_exponent(1000.0, 16), None);
/// ```
#[must_use]
pub fn relative_exponent(taken_at: f32, scale_exponent: i32) -> Option<i32> {
    if !taken_at.is_finite() || taken_at <= 0.0 {
        return None;
    }
    // f64 holds every f32, subnormal ones too, as a normal number
    let bits = f64::from(taken_at).to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    (bits << 12 == 0).then(|| scale_exponent.saturating_sub(exponent))
}

impl Recording {
    /// The index of a lane named by its index, its name, or a pattern that fits one lane only.
    ///
    /// # Errors
    /// One line with the names there are.
    pub fn find_lane(&self, text: &str) -> Result<usize, String> {
        if let Some(index) = text.parse().ok().filter(|&index: &usize| index < self.lanes.len()) {
            return Ok(index);
        }
        let name = |index: &usize| self.lanes[*index].info.config.lane.as_str();
        let all = || 0..self.lanes.len();
        if let Some(index) = all().find(|index| name(index).eq_ignore_ascii_case(text)) {
            return Ok(index);
        }
        let found: Vec<usize> = all().filter(|index| matches(text, name(index))).collect();
        match found[..] {
            [index] => Ok(index),
            [] => Err(format!("no lane `{text}` in this run; there are: {}", self.lane_names(all()))),
            _ => Err(format!("`{text}` fits several lanes: {}; name one", self.lane_names(found.into_iter()))),
        }
    }

    fn lane_names(&self, lanes: impl Iterator<Item = usize>) -> String {
        let names: Vec<String> =
            lanes.map(|index| format!("{index} = {}", self.lanes[index].info.config.lane)).collect();
        names.join(", ")
    }

    /// Indices of a lane's probes that a filter takes, in the program's order. Empty for an unknown lane.
    pub fn probes(&self, lane: usize, filter: ProbeFilter<'_>) -> impl Iterator<Item = usize> {
        let probes = self.lanes.get(lane).map_or(&[][..], |lane| &lane.info.probes[..]);
        probes.iter().enumerate().filter(move |(_, probe)| filter.takes(probe)).map(|(index, _)| index)
    }

    /// The counts of a probe. `None` for an unknown lane, probe or step, and before the first probed step.
    #[must_use]
    pub fn select(&self, lane: usize, probe: usize, steps: StepChoice) -> Option<Selection<'_>> {
        let lane = self.lanes.get(lane)?;
        let info = lane.info.probes.get(probe)?;
        let seen = lane.histograms.get(probe)?;
        let one = match steps {
            StepChoice::Latest => seen.last()?,
            StepChoice::Exact(step) => &seen[seen.binary_search_by_key(&step, |report| report.step).ok()?],
            StepChoice::All => {
                let sum = lane.sums.get(probe)?.last()?;
                return Some(Selection {
                    lane,
                    probe: info,
                    histogram: &sum.histogram,
                    scale: sum.scale,
                    first_step: sum.first_step,
                    last_step: sum.last_step,
                    steps: sum.steps,
                    left_out: seen.len() as u64 - sum.steps,
                    lost_upstream: sum.lost_upstream,
                });
            }
        };
        Some(Selection {
            lane,
            probe: info,
            histogram: &one.histogram,
            scale: one.scale,
            first_step: one.step,
            last_step: one.step,
            steps: 1,
            left_out: 0,
            lost_upstream: one.lost_upstream,
        })
    }

    /// The counts of a probe added up over the steps that carry the loss scale of the last one.
    #[must_use]
    pub fn merged(&self, lane: usize, probe: usize) -> Option<&ExponentHistogram> {
        self.select(lane, probe, StepChoice::All).map(|selection| selection.histogram)
    }

    /// The steps at which a probe was taken, oldest first.
    pub fn probed_steps(&self, lane: usize, probe: usize) -> impl Iterator<Item = u64> {
        let seen = self.lanes.get(lane).and_then(|lane| lane.histograms.get(probe));
        seen.into_iter().flatten().map(|report| report.step)
    }

    /// Lost share of the non-zero values, 0 to 1, by step, had the loss scale been 2^`scale_exponent`.
    ///
    /// Steps whose values carry a scale that is no power of two are left out, and steps without non-zero values.
    #[must_use]
    pub fn lost_series(
        &self,
        lane: usize,
        probe: usize,
        target: Target,
        scale_exponent: i32,
        rule: Rule,
    ) -> Vec<(u64, f64)> {
        let seen = self.lanes.get(lane).and_then(|lane| lane.histograms.get(probe));
        let share = |report: &super::HistogramReport| {
            let exponent = relative_exponent(report.scale, scale_exponent)?;
            let lost = report.histogram.classes(target, exponent, rule).lost_of_nonzero()?;
            Some((report.step, lost))
        };
        seen.into_iter().flatten().filter_map(share).collect()
    }

    /// Test accuracy of a lane minus that of the FP32 lane, in percentage points, at the last step at which both were
    /// evaluated.
    #[must_use]
    pub fn accuracy_gap(&self, lane: usize) -> Option<f64> {
        let reference = &self.lanes[self.fp32_lane()?].evaluations;
        let mut latest_first = self.lanes.get(lane)?.evaluations.iter().rev();
        latest_first.find_map(|evaluation| {
            let at = reference.binary_search_by_key(&evaluation.step, |other| other.step).ok()?;
            let (own, other) = (evaluation, &reference[at]);
            if own.images == other.images && own.images > 0 {
                // from whole images, so that one image in a thousand is 0.1 points and not 0.100…09
                return Some((own.correct as f64 - other.correct as f64) * 100.0 / own.images as f64);
            }
            Some((own.accuracy()? - other.accuracy()?) * 100.0)
        })
    }
}

impl Lane {
    /// Whether it keeps anything in 16 bits on what has no such units: its times then say nothing about a graphics processor.
    #[must_use]
    pub fn is_emulated(&self) -> bool {
        self.info.config.precision.is_reduced() && Nature::of(&self.info.device).is_emulated()
    }

    /// Latest speed in images a second.
    #[must_use]
    pub fn samples_per_second(&self) -> Option<f64> {
        self.steps_per_second.map(|steps| steps * self.info.config.batch as f64)
    }

    /// How many updates were skipped because a scaled gradient was not finite.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.steps.iter().filter(|step| step.skipped).count() as u64
    }

    /// The loss scale over the steps, as spans of equal scale, oldest first.
    #[must_use]
    pub fn scale_timeline(&self) -> Vec<ScaleSpan> {
        let mut spans: Vec<ScaleSpan> = Vec::new();
        for step in &self.steps {
            let skipped = u64::from(step.skipped);
            match spans.last_mut() {
                Some(span) if span.scale.to_bits() == step.scale.to_bits() => {
                    span.last_step = step.step;
                    span.skipped += skipped;
                }
                _ => spans.push(ScaleSpan { first_step: step.step, last_step: step.step, scale: step.scale, skipped }),
            }
        }
        spans
    }

    /// The last test accuracy, 0 to 1.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        self.evaluations.last().and_then(crate::train::report::Evaluation::accuracy)
    }
}
