//! The counters of a tensor, their totals, merging.

use std::ops::RangeInclusive;

use super::significand::{CLASSES, Row};

/// The exponent histogram of a tensor: how many values have which binary exponent, and what the cast needs to know of
/// their significands.
///
/// Exponents are of the *value*: `floor(log2|x|)`, so subnormals sit where they belong. Only the span of exponents that
/// occurs is stored, from −1074 (the smallest subnormal of FP64) to 1023. Zeros, NaN and the infinities are counted apart.
/// Two histograms of the same values in any order, in any number of parts, are equal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExponentHistogram {
    pub(super) zeros: u64,
    pub(super) nan: u64,
    pub(super) pos_inf: u64,
    pub(super) neg_inf: u64,
    /// Smallest and largest finite non-zero magnitude.
    pub(super) magnitudes: Option<(f64, f64)>,
    /// Exponent of the first row; 0 when there is none.
    pub(super) first: i32,
    /// Counters by exponent; neither the first nor the last row is empty.
    pub(super) rows: Vec<Row>,
}

/// Exponents a finite FP64 value can have.
pub(super) const EXPONENTS: RangeInclusive<i32> = -1074..=1023;

impl ExponentHistogram {
    /// How many values were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        [self.zeros, self.nan, self.pos_inf, self.neg_inf]
            .iter()
            .fold(self.nonzero_finite(), |a, b| a.saturating_add(*b))
    }

    /// Exact zeros, of either sign.
    #[must_use]
    pub const fn zeros(&self) -> u64 {
        self.zeros
    }

    /// NaNs.
    #[must_use]
    pub const fn nan(&self) -> u64 {
        self.nan
    }

    /// Values that are +∞.
    #[must_use]
    pub const fn pos_inf(&self) -> u64 {
        self.pos_inf
    }

    /// Values that are −∞.
    #[must_use]
    pub const fn neg_inf(&self) -> u64 {
        self.neg_inf
    }

    /// Finite values other than zero.
    #[must_use]
    pub fn nonzero_finite(&self) -> u64 {
        self.rows.iter().flatten().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The largest finite magnitude, if any value is finite and not zero. Exact.
    #[must_use]
    pub fn amax(&self) -> Option<f64> {
        self.magnitudes.map(|(_, amax)| amax)
    }

    /// The smallest non-zero magnitude, if any value is finite and not zero. Exact.
    #[must_use]
    pub fn amin(&self) -> Option<f64> {
        self.magnitudes.map(|(amin, _)| amin)
    }

    /// The smallest and the largest binary exponent that occur.
    #[must_use]
    pub fn exponents(&self) -> Option<RangeInclusive<i32>> {
        let last = self.first + self.rows.len() as i32 - 1;
        (!self.rows.is_empty()).then_some(self.first..=last)
    }

    /// How many values have this binary exponent.
    #[must_use]
    pub fn count_at(&self, exponent: i32) -> u64 {
        let row =
            exponent.checked_sub(self.first).and_then(|at| usize::try_from(at).ok()).and_then(|at| self.rows.get(at));
        row.map_or(0, |row| row.iter().fold(0, |sum, count| sum.saturating_add(*count)))
    }

    /// The non-empty rows with their exponents, ascending.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (i32, &Row)> + '_ {
        let rows = self.rows.iter().enumerate();
        rows.map(|(at, row)| (self.first + at as i32, row)).filter(|(_, row)| row.iter().any(|count| *count > 0))
    }

    /// Adds the counts of another histogram: of another shard, step or rank. Order and grouping do not matter.
    pub fn merge(&mut self, other: &Self) {
        let pairs = [
            (&mut self.zeros, other.zeros),
            (&mut self.nan, other.nan),
            (&mut self.pos_inf, other.pos_inf),
            (&mut self.neg_inf, other.neg_inf),
        ];
        for (mine, theirs) in pairs {
            *mine = mine.saturating_add(theirs);
        }
        if let Some((amin, amax)) = other.magnitudes {
            self.note_magnitudes(amin, amax);
        }
        if let Some(range) = other.exponents() {
            self.make_room(range);
            for (exponent, row) in other.occupied() {
                self.add_row(exponent, row);
            }
        }
    }

    /// Widens the smallest and largest magnitude.
    pub(super) fn note_magnitudes(&mut self, amin: f64, amax: f64) {
        let (low, high) = self.magnitudes.unwrap_or((amin, amax));
        self.magnitudes = Some((low.min(amin), high.max(amax)));
    }

    /// Makes the stored span cover a range of exponents. The caller fills both ends.
    pub(super) fn make_room(&mut self, range: RangeInclusive<i32>) {
        let (low, high) = (*range.start(), *range.end());
        if self.rows.is_empty() {
            self.first = low;
        }
        if low < self.first {
            let missing = (self.first - low) as usize;
            self.rows.splice(0..0, std::iter::repeat_n([0; CLASSES], missing));
            self.first = low;
        }
        let needed = (high - self.first + 1) as usize;
        if needed > self.rows.len() {
            self.rows.resize(needed, [0; CLASSES]);
        }
    }

    /// Adds to the counters of an exponent inside the stored span.
    pub(super) fn add_row(&mut self, exponent: i32, row: &Row) {
        for (mine, theirs) in self.rows[(exponent - self.first) as usize].iter_mut().zip(row) {
            *mine = mine.saturating_add(*theirs);
        }
    }
}
