//! The next run, as it is being set up: a preset, its lanes, a seed, a number of steps.

use crate::train::PrecisionPolicy;
use crate::train::config::{RunConfig, ScalerConfig};
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
    /// Whether it takes part.
    pub on: bool,
}

impl LaneSetup {
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
        let own =
            preset.lanes.iter().map(|(policy, scaler)| LaneSetup { policy, scaling: Scaling::of(scaler), on: true });
        let others = PrecisionPolicy::NAMES.into_iter().filter(|name| preset.lanes.iter().all(|(own, _)| own != name));
        let others = others.map(|policy| {
            let usual = PrecisionPolicy::named(policy).map(|policy| Scaling::of(&policy.usual_scaler()));
            LaneSetup { policy, scaling: usual.unwrap_or(Scaling::None), on: false }
        });
        Self { preset, lanes: own.chain(others).collect(), seed: 0, steps: preset.steps, data: DataChoice::Embedded }
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
        for run in &runs {
            run.validate().map_err(|line| format!("{}: {line}", run.lane))?;
        }
        Ok(runs)
    }

    fn run(&self, lane: &LaneSetup) -> Option<RunConfig> {
        let mut run = self.preset.run(PrecisionPolicy::named(lane.policy)?, lane.scaling.config());
        run.seed = self.seed;
        run.steps = self.steps;
        run.evaluate_every = run.evaluate_every.min((self.steps / 8).max(1));
        Some(run)
    }

    /// Whether it could be started.
    ///
    /// # Errors
    /// As [`Setup::lanes`].
    pub fn check(&self) -> Result<(), String> {
        self.lanes().map(drop)
    }
}
