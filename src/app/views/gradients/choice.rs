//! What the Gradients view looks at: which lane and tensor, and how.

use crate::app::model::Model;
use crate::histogram::{Rule, Source, Stage, Target};
use crate::train::Recording;
use crate::train::config::ScalerConfig;
use crate::train::recording::Lane;
use crate::train::report::{ProbeInfo, Role};

/// Which tensors are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// Gradients of weights and biases.
    Weights,
    /// Gradients of the layers' outputs.
    Activations,
    /// Everything.
    All,
}

impl Group {
    fn takes(self, role: Role) -> bool {
        match self {
            Self::Weights => role == Role::WeightGradient,
            Self::Activations => role == Role::ActivationGradient,
            Self::All => true,
        }
    }
}

/// What is looked at, and how.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub lane: usize,
    /// Empty until the first histograms are there.
    pub tensor: String,
    pub source: Source,
    pub stage: Stage,
    pub group: Group,
    pub target: Target,
    pub rule: Rule,
    /// The what-if loss scale, 2^this.
    pub scale_exponent: i32,
    /// `None` follows the latest probed step.
    pub step: Option<u64>,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            lane: 0,
            tensor: String::new(),
            source: Source::Twin,
            stage: Stage::BeforeCast,
            group: Group::Weights,
            target: Target::Fp16,
            rule: Rule::Ieee,
            scale_exponent: 0,
            step: None,
        }
    }
}

impl Choice {
    /// A choice for a recording that was just begun or opened: the first lane whose scale can be turned, its scale,
    /// and the FP32 gradients.
    pub(super) fn for_recording(recording: &Recording, before: &Self) -> Self {
        let scaled = |lane: &Lane| lane.info.config.scaler != ScalerConfig::None;
        let lane = recording.lanes.iter().position(scaled).unwrap_or(0);
        let mut choice = Self { target: before.target, rule: before.rule, ..Self::default() };
        choice.take_lane(recording, lane);
        choice
    }

    /// Looks at another lane: with its own scale, and with what it has.
    pub(super) fn take_lane(&mut self, recording: &Recording, lane: usize) {
        self.lane = lane;
        let scale = recording.lanes.get(lane).and_then(|lane| lane.steps.last()).map_or(1.0, |step| step.scale);
        let first = recording.lanes.get(lane).map(|lane| initial_scale(&lane.info.config.scaler));
        let scale = first.filter(|_| recording.lanes[lane].steps.is_empty()).unwrap_or(scale);
        self.scale_exponent = scale.log2().round().clamp(-8.0, 24.0) as i32;
        self.repair(recording);
    }

    /// Puts source, stage and tensor on something that the lane has.
    pub(super) fn repair(&mut self, recording: &Recording) {
        let Some(lane) = recording.lanes.get(self.lane) else { return };
        let probes = &lane.info.probes;
        if !probes.iter().any(|probe| probe.source == self.source) {
            self.source = probes.first().map_or(self.source, |probe| probe.source);
        }
        if !probes.iter().any(|probe| probe.source == self.source && probe.stage == self.stage) {
            self.stage = Stage::BeforeCast;
        }
        let listed = self.listed(lane);
        // The largest tensor says most; in a network of any size it is a weight, not a bias.
        let largest = listed.iter().rev().max_by_key(|(_, probe)| probe.elements);
        if !listed.iter().any(|(_, probe)| probe.tensor == self.tensor)
            && let Some((_, probe)) = largest
        {
            self.tensor.clone_from(&probe.tensor);
        }
    }

    /// The probes in the list: layer by layer as the network runs, and in a layer the largest tensor first.
    pub(super) fn listed<'l>(&self, lane: &'l Lane) -> Vec<(usize, &'l ProbeInfo)> {
        let takes = |probe: &ProbeInfo| {
            self.group.takes(probe.role) && probe.source == self.source && probe.stage == self.stage
        };
        let probes = lane.info.probes.iter().enumerate();
        let mut listed: Vec<_> = probes.filter(|(_, probe)| takes(probe)).collect();
        listed.sort_by(|(_, a), (_, b)| (&a.layer, b.elements).cmp(&(&b.layer, a.elements)));
        listed
    }

    /// The probe that is looked at.
    pub(super) fn probe(&self, recording: &Recording) -> Option<usize> {
        let lane = recording.lanes.get(self.lane)?;
        self.listed(lane).into_iter().find(|(_, probe)| probe.tensor == self.tensor).map(|(index, _)| index)
    }

    /// The sources that the lane has, in a fixed order.
    pub(super) fn sources(&self, recording: &Recording) -> Vec<Source> {
        let probes = recording.lanes.get(self.lane).map_or(&[][..], |lane| &lane.info.probes[..]);
        let has = |source: &Source| probes.iter().any(|probe| probe.source == *source);
        [Source::Run, Source::Twin, Source::File].into_iter().filter(has).collect()
    }

    /// The stages that the lane has for the source.
    pub(super) fn stages(&self, recording: &Recording) -> Vec<Stage> {
        let probes = recording.lanes.get(self.lane).map_or(&[][..], |lane| &lane.info.probes[..]);
        let has = |stage: &Stage| probes.iter().any(|probe| probe.source == self.source && probe.stage == *stage);
        [Stage::BeforeCast, Stage::AfterCast].into_iter().filter(has).collect()
    }

    /// The loss scale that the lane runs at now, if it scales at all.
    pub(super) fn scale_in_run(&self, model: &Model) -> Option<f32> {
        let lane = model.recording.lanes.get(self.lane)?;
        if lane.info.config.scaler == ScalerConfig::None {
            return None;
        }
        let set = lane.scale_sets.last();
        match (lane.steps.last(), set) {
            (Some(step), Some(&(from, scale))) if from > step.step => Some(scale),
            (Some(step), _) => Some(step.scale),
            (None, Some(&(_, scale))) => Some(scale),
            (None, None) => Some(initial_scale(&lane.info.config.scaler)),
        }
    }
}

fn initial_scale(scaler: &ScalerConfig) -> f32 {
    match *scaler {
        ScalerConfig::None => 1.0,
        ScalerConfig::Static { scale } => scale,
        ScalerConfig::Dynamic { init_scale, .. } | ScalerConfig::DeepSpeed { init_scale, .. } => init_scale,
    }
}
