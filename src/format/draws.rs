//! A policy for one rounding after another, with the random bits that stochastic rounding needs.

use super::policy::{Policy, Rounding};

/// Policies from a seed: under stochastic rounding each has its own 64 random bits (`SplitMix64`), else all are alike.
///
/// ```
/// use halfscope::format::{Draws, Policy, Rounding};
///
/// let mut draws = Draws::new(Policy::with_rounding(Rounding::Sr { random: 0 }), 1);
/// assert_ne!(draws.draw(), draws.draw());
/// let mut draws = Draws::new(Policy::default(), 1);
/// assert_eq!(draws.draw(), draws.draw());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    policy: Policy,
    state: u64,
}

impl Draws {
    /// The policies that follow from a seed.
    #[must_use]
    pub const fn new(policy: Policy, seed: u64) -> Self {
        Self { policy, state: seed }
    }

    /// The policy of the next rounding.
    pub const fn draw(&mut self) -> Policy {
        let rounding = if let Rounding::Sr { .. } = self.policy.rounding {
            self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            Rounding::Sr { random: mixed ^ (mixed >> 31) }
        } else {
            self.policy.rounding
        };
        Policy { rounding, ..self.policy }
    }
}
