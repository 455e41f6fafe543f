//! The options that say how to round, shared by the commands on numbers.

use std::io;

use crate::format::{Draws, NanPolicy, Policy, Rounding, Tininess};

/// How to round.
#[derive(clap::Args, Debug, Clone)]
pub struct RoundingArgs {
    /// Rounding: rne rna rtz rup rdn rto (to odd) sr (stochastic, needs --seed)
    #[arg(long, value_name = "MODE", default_value = "rne", value_parser = Rounding::parse)]
    pub rounding: Rounding,
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
    /// Seed of stochastic rounding
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

impl RoundingArgs {
    /// The policies that these options ask for.
    ///
    /// # Errors
    /// `InvalidInput` for stochastic rounding without a seed.
    pub(crate) fn policies(&self) -> io::Result<Draws> {
        if matches!(self.rounding, Rounding::Sr { .. }) && self.seed.is_none() {
            return Err(bad_input("stochastic rounding (sr) needs --seed N"));
        }
        let Self { rounding, saturate, ftz, daz, tininess, nan, .. } = *self;
        let policy = Policy { rounding, saturate, ftz, daz, tininess, nan };
        Ok(Draws::new(policy, self.seed.unwrap_or(0)))
    }
}

/// An error of what was typed: exit code 1.
pub(crate) fn bad_input(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.into())
}
