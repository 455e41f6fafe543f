//! The options that say how to round, shared by the commands on numbers.

use std::io;

use crate::format::{NanPolicy, Policy, Rounding, Tininess};

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
    #[arg(long, value_name = "WHEN", default_value = "after", value_parser = tininess)]
    pub tininess: Tininess,
    /// Flush subnormal results to zero
    #[arg(long)]
    pub ftz: bool,
    /// Take subnormal operands (codes of another format) as zero
    #[arg(long)]
    pub daz: bool,
    /// What a NaN keeps: quiet (its sign), payload (sign and payload) or canonical (nothing)
    #[arg(long, value_name = "POLICY", default_value = "quiet", value_parser = nan_policy)]
    pub nan: NanPolicy,
    /// Seed of stochastic rounding
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

fn tininess(text: &str) -> Result<Tininess, String> {
    match text.to_ascii_lowercase().as_str() {
        "after" => Ok(Tininess::After),
        "before" => Ok(Tininess::Before),
        _ => Err("use after or before".to_owned()),
    }
}

fn nan_policy(text: &str) -> Result<NanPolicy, String> {
    match text.to_ascii_lowercase().as_str() {
        "quiet" => Ok(NanPolicy::Quiet),
        "payload" => Ok(NanPolicy::Payload),
        "canonical" => Ok(NanPolicy::Canonical),
        _ => Err("use quiet, payload or canonical".to_owned()),
    }
}

/// The policies of one run of a command, one a rounding.
#[derive(Debug, Clone)]
pub(crate) struct Policies {
    policy: Policy,
    /// State of the generator behind stochastic rounding.
    draws: u64,
}

impl RoundingArgs {
    /// The policies that these options ask for.
    ///
    /// # Errors
    /// `InvalidInput` for stochastic rounding without a seed.
    pub(crate) fn policies(&self) -> io::Result<Policies> {
        if matches!(self.rounding, Rounding::Sr { .. }) && self.seed.is_none() {
            return Err(bad_input("stochastic rounding (sr) needs --seed N"));
        }
        let Self { rounding, saturate, ftz, daz, tininess, nan, .. } = *self;
        let policy = Policy { rounding, saturate, ftz, daz, tininess, nan };
        Ok(Policies { policy, draws: self.seed.unwrap_or(0) })
    }
}

impl Policies {
    /// The policy of the next rounding: under stochastic rounding each draws its own 64 random bits (`SplitMix64`).
    pub(crate) const fn next(&mut self) -> Policy {
        let rounding = if let Rounding::Sr { .. } = self.policy.rounding {
            self.draws = self.draws.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.draws ^ (self.draws >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            Rounding::Sr { random: mixed ^ (mixed >> 31) }
        } else {
            self.policy.rounding
        };
        Policy { rounding, ..self.policy }
    }
}

/// An error of what was typed: exit code 1.
pub(crate) fn bad_input(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.into())
}
