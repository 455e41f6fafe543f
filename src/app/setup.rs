//! The next run, as it is being set up: a preset, its lanes, a seed, a number of steps.

use crate::train::PrecisionPolicy;
use crate::train::config::{BackendKind, RunConfig, ScalerConfig};
use crate::train::devices::Devices;
use crate::train::presets::{PRESETS, Preset};

/// Which images to train on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataChoice {
    /// The embedded subset.
    #[default]
    Embedded,
    /// The full set that the system has installed.
    Installed,
}

/// How a lane scales its loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// Not at all.
    None,
    /// By 2^this.
    Static(i32),
    /// By `torch.amp.GradScaler`'s rules.
    Dynamic,
}

impl Scaling {
    /// The powers of two that can be chosen.
    pub const EXPONENTS: std::ops::RangeInclusive<i32> = -8..=24;

    fn config(self) -> ScalerConfig {
        match self {
            Self::None => ScalerConfig::None,
            Self::Static(exponent) => ScalerConfig::Static { scale: (exponent as f32).exp2() },
            Self::Dynamic => ScalerConfig::dynamic(),
        }
    }

    fn of(config: &ScalerConfig) -> Self {
        match config {
            ScalerConfig::None => Self::None,
            ScalerConfig::Static { scale } => Self::Static(scale.log2().round() as i32),
            _ => Self::Dynamic,
        }
    }
}

/// One lane that can be switched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneSetup {
    /// A name of [`PrecisionPolicy::NAMES`].
    pub policy: &'static str,
    /// How it scales the loss.
    pub scaling: Scaling,
    /// Where it runs.
    pub backend: BackendKind,
    /// Whether it takes part.
    pub on: bool,
    /// Whether it was added beside another of the same policy, and can go again.
    pub added: bool,
}

impl LaneSetup {
    const fn new(policy: &'static str, scaling: Scaling, on: bool) -> Self {
        Self { policy, scaling, backend: BackendKind::Auto, on, added: false }
    }

    /// What it is called, whatever it runs on.
    #[must_use]
    pub fn name(&self) -> String {
        let policy = PrecisionPolicy::named(self.policy);
        policy.map_or_else(String::new, |policy| RunConfig::lane_name(&policy, &self.scaling.config()))
    }

    /// Whether both come to the same run.
    fn is_same(&self, other: &Self) -> bool {
        (self.policy, self.scaling, self.backend) == (other.policy, other.scaling, other.backend)
    }

    /// Whether any of its tensors are kept in fewer than 32 bits; loss scaling makes sense only then.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        PrecisionPolicy::named(self.policy).is_some_and(|policy| policy.is_reduced())
    }
}

/// The whole set-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The preset.
    pub preset: &'static Preset,
    /// Its lanes first, then the other policies, switched off.
    pub lanes: Vec<LaneSetup>,
    /// Initialisation and order of the images.
    pub seed: u64,
    /// Steps of the run.
    pub steps: u64,
    /// Which images.
    pub data: DataChoice,
    /// Which graphics processor wgpu uses, by its name; `None`: the fastest.
    pub adapter: Option<String>,
}

impl Default for Setup {
    /// The first preset, `underflow`: one click on “Start” shows the whole story.
    fn default() -> Self {
        Self::of(&PRESETS[0])
    }
}

impl Setup {
    /// Most lanes that run at once: each has a colour and a line style of its own.
    pub const MAX_LANES: usize = 6;

    /// A preset as it comes.
    #[must_use]
    pub fn of(preset: &'static Preset) -> Self {
        let own = preset.lanes.iter().map(|(policy, scaler)| LaneSetup::new(policy, Scaling::of(scaler), true));
        let others = PrecisionPolicy::NAMES.into_iter().filter(|name| preset.lanes.iter().all(|(own, _)| own != name));
        let others = others.map(|policy| {
            let usual = PrecisionPolicy::named(policy).map(|policy| Scaling::of(&policy.usual_scaler()));
            LaneSetup::new(policy, usual.unwrap_or(Scaling::None), false)
        });
        let lanes = own.chain(others).collect();
        Self { preset, lanes, seed: 0, steps: preset.steps, data: DataChoice::Embedded, adapter: None }
    }

    /// The lanes to run.
    ///
    /// # Errors
    /// One line saying what is missing or wrong.
    pub fn lanes(&self) -> Result<Vec<RunConfig>, String> {
        let chosen = self.lanes.iter().filter(|lane| lane.on);
        let runs: Vec<RunConfig> = chosen.filter_map(|lane| self.run(lane)).collect();
        if runs.is_empty() {
            return Err("no lane is switched on; choose at least one".to_owned());
        }
        if runs.len() > Self::MAX_LANES {
            return Err(format!("{} lanes are switched on; choose at most {}", runs.len(), Self::MAX_LANES));
        }
        for (index, run) in runs.iter().enumerate() {
            if runs[..index].iter().any(|before| before.lane == run.lane) {
                return Err(format!("two lanes are {}; give one another backend or loss scale", run.lane));
            }
            run.validate().map_err(|line| format!("{}: {line}", run.lane))?;
        }
        Ok(runs)
    }

    fn run(&self, lane: &LaneSetup) -> Option<RunConfig> {
        let mut run = self.preset.run(PrecisionPolicy::named(lane.policy)?, lane.scaling.config());
        run.seed = self.seed;
        run.steps = self.steps;
        run.evaluate_every = run.evaluate_every.min((self.steps / 8).max(1));
        Some(run.placed(lane.backend))
    }

    /// Adds a lane like this one behind it, on the first backend on which there is none like it yet.
    pub fn add_beside(&mut self, index: usize, devices: Option<&Devices>) {
        let Some(lane) = self.lanes.get(index) else { return };
        let with = |backend| LaneSetup { backend, on: true, added: true, ..lane.clone() };
        let usable = |kind: BackendKind| devices.is_none_or(|devices| !devices.is_missing(kind));
        let mut candidates = [BackendKind::Cpu, BackendKind::Cuda, BackendKind::Wgpu, BackendKind::Auto]
            .into_iter()
            .filter(|&kind| usable(kind))
            .map(with);
        let fresh = candidates.find(|new| !self.lanes.iter().any(|lane| lane.is_same(new)));
        let new = fresh.unwrap_or_else(|| with(lane.backend));
        self.lanes.insert(index + 1, new);
    }

    /// Puts a lane of the run, by its index there, on the processor. One that already runs there like it is not run twice.
    pub fn put_on_processor(&mut self, lane: usize) {
        let Some(index) = self.lanes.iter().enumerate().filter(|(_, lane)| lane.on).map(|(index, _)| index).nth(lane)
        else {
            return;
        };
        self.lanes[index].backend = BackendKind::Cpu;
        let twice = |(other, lane): (usize, &LaneSetup)| other != index && lane.on && lane.is_same(&self.lanes[index]);
        if self.lanes.iter().enumerate().any(twice) {
            self.lanes[index].on = false;
        }
    }

    /// Whether it could be started.
    ///
    /// # Errors
    /// As [`Setup::lanes`].
    pub fn check(&self) -> Result<(), String> {
        self.lanes().map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(setup: &Setup) -> Vec<String> {
        setup.lanes().map(|lanes| lanes.into_iter().map(|lane| lane.lane).collect()).unwrap_or_default()
    }

    #[test]
    fn a_lane_beside_another_runs_elsewhere_and_is_told_apart_by_its_name() {
        let mut setup = Setup::default();
        setup.add_beside(0, None);
        setup.add_beside(0, None);
        assert_eq!(names(&setup)[..3], ["fp32", "fp32 (cuda)", "fp32 (cpu)"]);
        let same = LaneSetup { added: true, ..setup.lanes[0].clone() };
        setup.lanes.insert(1, same);
        assert!(setup.check().is_err_and(|line| line.contains("two lanes are fp32")));
    }

    #[test]
    fn a_lane_is_put_on_the_processor_and_never_runs_there_twice() {
        let mut setup = Setup::default();
        setup.lanes[0].on = false;
        setup.put_on_processor(0);
        assert_eq!(names(&setup), ["paper · S=1 (cpu)", "paper · S=65536"]);
        setup.lanes[2].scaling = setup.lanes[1].scaling;
        setup.put_on_processor(1);
        assert_eq!(names(&setup), ["paper · S=1 (cpu)"]);
    }
}
