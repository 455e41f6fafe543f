//! How to round, as fields of a line and as options of a command.

use super::words::{Text, Words};
use crate::format::{Draws, NanPolicy, Policy, Rounding, Tininess};

/// Everything about a rounding that is chosen, and the seed of stochastic rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct How {
    /// The choices. Random bits in it mean nothing: they come from the seed.
    pub policy: Policy,
    /// The seed.
    pub seed: u64,
}

impl How {
    /// The policies of the roundings to come; the same ones for the same choices, in the window and on the command line.
    #[must_use]
    pub const fn draws(&self) -> Draws {
        Draws::new(self.policy, self.seed)
    }

    /// Whether rounding is stochastic.
    #[must_use]
    pub const fn is_stochastic(&self) -> bool {
        matches!(self.policy.rounding, Rounding::Sr { .. })
    }

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let policy = Policy {
            rounding: words.take("rounding", Rounding::Rne, Rounding::parse)?,
            saturate: words.switch("saturate")?,
            ftz: words.switch("ftz")?,
            daz: words.switch("daz")?,
            tininess: words.take("tininess", Tininess::After, Tininess::parse)?,
            nan: words.take("nan", NanPolicy::Quiet, NanPolicy::parse)?,
        };
        Ok(Self { policy, seed: words.number("seed", 0)? })
    }

    pub(super) fn write(&self, text: &mut Text) {
        let policy = &self.policy;
        text.unless(policy.rounding == Rounding::Rne, "rounding", policy.rounding.name());
        for (on, key) in [(policy.saturate, "saturate"), (policy.ftz, "ftz"), (policy.daz, "daz")] {
            text.unless(!on, key, "on");
        }
        text.unless(policy.tininess == Tininess::After, "tininess", policy.tininess.name());
        text.unless(policy.nan == NanPolicy::Quiet, "nan", policy.nan.name());
        text.unless(self.seed == 0, "seed", &self.seed.to_string());
    }

    /// The options of the command line.
    pub(super) fn options(&self) -> Vec<String> {
        let rounding = self.policy.rounding;
        let direction = if rounding == Rounding::Rne { Vec::new() } else { option("rounding", rounding.name()) };
        direction.into_iter().chain(self.options_beside_direction(self.is_stochastic())).collect()
    }

    /// The same without the direction, for what goes in several; the seed is one of them where chance has a part.
    pub(super) fn options_beside_direction(&self, by_chance: bool) -> Vec<String> {
        let policy = &self.policy;
        let words = [
            (policy.saturate, option("saturate", "")),
            (policy.ftz, option("ftz", "")),
            (policy.daz, option("daz", "")),
            (policy.tininess != Tininess::After, option("tininess", policy.tininess.name())),
            (policy.nan != NanPolicy::Quiet, option("nan", policy.nan.name())),
            (by_chance, option("seed", &self.seed.to_string())),
        ];
        words.into_iter().filter(|(needed, _)| *needed).flat_map(|(_, words)| words).collect()
    }
}

/// An option, with its value where it has one.
fn option(name: &str, value: &str) -> Vec<String> {
    [format!("--{name}"), value.to_owned()].into_iter().filter(|word| !word.is_empty()).collect()
}
