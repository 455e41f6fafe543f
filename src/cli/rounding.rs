//! The options that say how to round, shared by the commands on numbers.

use std::io;

use crate::format::{Draws, NanPolicy, Policy, Rounding, Tininess};
use crate::link::How;

/// How to round.
#[derive(clap::Args, Debug, Clone)]
pub struct RoundingArgs {
    /// Rounding: rne rna rtz rup rdn rto (to odd) sr (stochastic, needs --seed)
    #[arg(long, value_name = "MODE", default_value = "rne", value_parser = Rounding::parse)]
    pub rounding: Rounding,
    /// What else is chosen
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Seed of stochastic rounding
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// How to round, but for the direction.
#[derive(clap::Args, Debug, Clone)]
pub struct PolicyArgs {
    /// Clamp overflow and infinities to the largest finite number
    #[arg(long)]
    pub saturate: bool,
    /// When a result counts as tiny for the underflow flag: after or before rounding
    #[arg(long, value_name = "WHEN", default_value = "after", value_parser = Tininess::parse)]
    pub tininess: Tininess,
    /// Flush subnormal results to zero
    #[arg(long)]
    pub ftz: bool,
    /// Take subnormal operands (codes of another format) as zero
    #[arg(long)]
    pub daz: bool,
    /// What a NaN keeps: quiet (its sign), payload (sign and payload) or canonical (nothing)
    #[arg(long, value_name = "POLICY", default_value = "quiet", value_parser = NanPolicy::parse)]
    pub nan: NanPolicy,
}

impl RoundingArgs {
    /// The policies that these options ask for.
    ///
    /// # Errors
    /// `InvalidInput` for stochastic rounding without a seed.
    pub(crate) fn policies(&self) -> io::Result<Draws> {
        Ok(self.how()?.draws())
    }

    /// The same as links say it.
    ///
    /// # Errors
    /// As [`policies`](Self::policies).
    pub(crate) fn how(&self) -> io::Result<How> {
        if matches!(self.rounding, Rounding::Sr { .. }) && self.seed.is_none() {
            return Err(bad_input("stochastic rounding (sr) needs --seed N"));
        }
        let policy = Policy { rounding: self.rounding, ..self.policy.policy() };
        Ok(How { policy, seed: self.seed.unwrap_or(0) })
    }
}

impl PolicyArgs {
    /// The policy, to nearest.
    pub(crate) const fn policy(&self) -> Policy {
        let Self { saturate, ftz, daz, tininess, nan } = *self;
        Policy { rounding: Rounding::Rne, saturate, ftz, daz, tininess, nan }
    }
}

/// An error of what was typed: exit code 1.
pub(crate) fn bad_input(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.into())
}
