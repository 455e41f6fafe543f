//! What becomes of every value at a scale.

use super::significand::{CLASSES, first_overflowing, first_rounding_to_normal};
use super::{Bin, ClassCounts, ExponentHistogram, Rule, Target};

/// What a cast makes of a finite non-zero value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Lost,
    RoundsUp,
    Subnormal,
    Normal,
    Overflow,
}

/// What a cast to `target` makes of a magnitude with this exponent and significand class, rounding to nearest even.
pub(super) fn fate(target: Target, rule: Rule, exponent: i64, class: usize) -> Fate {
    let smallest = i64::from(target.min_subnormal_exponent());
    let normal = i64::from(target.min_normal_exponent());
    let top = i64::from(target.max_exponent());
    if exponent < smallest {
        // Half the smallest subnormal itself is a tie, and zero is even.
        let rounds_up = rule == Rule::Ieee && exponent == smallest - 1 && class > 0;
        return if rounds_up { Fate::RoundsUp } else { Fate::Lost };
    }
    if exponent > top || exponent == top && class >= first_overflowing(target) {
        Fate::Overflow
    } else if exponent >= normal || exponent == normal - 1 && class >= first_rounding_to_normal(target) {
        Fate::Normal
    } else {
        Fate::Subnormal
    }
}

impl ClassCounts {
    /// Counts values of one fate.
    pub(super) fn add(&mut self, fate: Fate, count: u64) {
        let counter = match fate {
            Fate::Lost => &mut self.lost,
            Fate::RoundsUp => &mut self.rounds_up,
            Fate::Subnormal => &mut self.subnormal,
            Fate::Normal => &mut self.normal,
            Fate::Overflow => &mut self.overflow,
        };
        *counter = counter.saturating_add(count);
    }

    /// All values.
    #[must_use]
    pub fn total(&self) -> u64 {
        [self.zero, self.nan, self.pos_inf, self.neg_inf].iter().fold(self.nonzero(), |a, b| a.saturating_add(*b))
    }

    /// Values that were finite and not zero before the cast: NaN and the infinities are not among them.
    #[must_use]
    pub fn nonzero(&self) -> u64 {
        let counts = [self.lost, self.rounds_up, self.subnormal, self.normal, self.overflow];
        counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The share (0 to 1) of the finite non-zero values that became zero; `None` if there are none.
    #[must_use]
    pub fn lost_of_nonzero(&self) -> Option<f64> {
        share(self.lost, self.nonzero())
    }

    /// The share (0 to 1) of all values that were not zero and became zero; `None` of nothing.
    #[must_use]
    pub fn lost_of_all(&self) -> Option<f64> {
        share(self.lost, self.total())
    }

    /// The share (0 to 1) of all values that were zero before the cast: not underflow; `None` of nothing.
    #[must_use]
    pub fn zero_of_all(&self) -> Option<f64> {
        share(self.zero, self.total())
    }

    /// The share (0 to 1) of the finite non-zero values that overflow; `None` if there are none.
    #[must_use]
    pub fn overflow_of_nonzero(&self) -> Option<f64> {
        share(self.overflow, self.nonzero())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl ExponentHistogram {
    /// What a cast to `target` makes of the values times 2^`scale_exponent`: exact for every scale exponent, since a power
    /// of two moves exponents and keeps significands. The nine counts sum to [`Self::total`].
    #[must_use]
    pub fn classes(&self, target: Target, scale_exponent: i32, rule: Rule) -> ClassCounts {
        let mut all = ClassCounts {
            zero: self.zeros,
            nan: self.nan,
            pos_inf: self.pos_inf,
            neg_inf: self.neg_inf,
            ..ClassCounts::default()
        };
        for (exponent, row) in self.occupied() {
            count_row(&mut all, target, i64::from(exponent) + i64::from(scale_exponent), rule, row);
        }
        all
    }

    /// The bars at a scale: one [`Bin`] per exponent that occurs, ascending by the exponent of |x|·2^`scale_exponent`.
    #[must_use]
    pub fn bins(&self, target: Target, scale_exponent: i32, rule: Rule) -> Vec<Bin> {
        let bin = |(exponent, row): (i32, &[u64; CLASSES])| {
            let scaled = i64::from(exponent) + i64::from(scale_exponent);
            let mut classes = ClassCounts::default();
            count_row(&mut classes, target, scaled, rule, row);
            Bin { exponent: exponent.saturating_add(scale_exponent), classes }
        };
        self.occupied().map(bin).collect()
    }
}

fn count_row(counts: &mut ClassCounts, target: Target, exponent: i64, rule: Rule, row: &[u64; CLASSES]) {
    for (class, count) in row.iter().enumerate() {
        counts.add(fate(target, rule, exponent, class), *count);
    }
}
