//! How many numbers a format has, and where: in a window, in a binade.

use std::cmp::Ordering;

use super::exact::Exact;
use super::policy::{Policy, Rounding};
use super::spec::Format;
use super::value::Value;

/// The numbers of a format that lie in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The code of the smallest.
    pub first: u64,
    /// How many there are, ±0 counted once.
    pub count: u64,
}

/// The positive numbers of a format from 2^exponent to the next power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binade {
    /// The power of two that it begins with.
    pub exponent: i32,
    /// How many numbers it has.
    pub count: u64,
    /// Exponent of the distance between them.
    pub ulp_exponent: i32,
    /// Whether they are subnormal.
    pub subnormal: bool,
}

impl Format {
    /// The finite numbers from `low` to `high`, both included; `None` if there is none. Bounds are taken as they are,
    /// infinities as the ends of the range.
    ///
    /// ```
    /// use halfscope::format::Format;
    ///
    /// // As many as in any other binade.
    /// assert_eq!(Format::FP16.numbers_between(1.0, 1.9999).map(|stretch| stretch.count), Some(1024));
    /// ```
    #[must_use]
    pub fn numbers_between(self, low: f64, high: f64) -> Option<Stretch> {
        if low.is_nan() || high.is_nan() || low > high {
            return None;
        }
        self.numbers_from(&Value::from(low), &Value::from(high))
    }

    /// The same between two exact bounds.
    #[must_use]
    pub fn numbers_from(self, low: &Value, high: &Value) -> Option<Stretch> {
        // A scale has neither zero nor sign: its smallest number is the first after them.
        let before = |value: &Value| value.is_negative() || value.finite().is_some_and(Exact::is_zero);
        let least = self.decode(self.min_positive_code());
        let low = if !self.is_signed() && before(low) { &least } else { low };
        if !self.is_signed() && before(high) {
            return None;
        }
        let within = |rounding| Policy { saturate: true, ..Policy::with_rounding(rounding) };
        let first = self.round(low, &within(Rounding::Rup)).bits;
        let last = self.round(high, &within(Rounding::Rdn)).bits;
        // A window beyond the range rounds back into it.
        let order = |bits: u64, bound: &Value| match (self.decode(bits), bound) {
            (Value::Finite(number), Value::Finite(bound)) => Some(number.compare(bound)),
            (Value::Finite(_), Value::Infinite { negative }) => {
                Some(if *negative { Ordering::Greater } else { Ordering::Less })
            }
            _ => None,
        };
        if order(first, low).is_none_or(Ordering::is_lt) || order(last, high).is_none_or(Ordering::is_gt) {
            return None;
        }
        let count = self.rank(last) - self.rank(first) + 1;
        u64::try_from(count).ok().filter(|count| *count > 0).map(|count| Stretch { first, count })
    }

    /// The number that stands `steps` after the one of this code; `None` beyond the range.
    #[must_use]
    pub fn number_after(self, bits: u64, steps: u64) -> Option<u64> {
        let rank = self.rank(bits) + i128::from(steps);
        let skipped = if self.has_zero() { self.min_positive_code() - 1 } else { 0 };
        let magnitude = u64::try_from(rank.unsigned_abs()).ok()?;
        let magnitude = if magnitude == 0 { 0 } else { magnitude.checked_add(skipped)? };
        let sign = if rank < 0 { self.sign_bit() } else { 0 };
        (magnitude <= self.max_finite_code()).then_some(magnitude | sign)
    }

    /// How many numbers lie between zero and this one, with its sign.
    fn rank(self, bits: u64) -> i128 {
        let magnitude = bits & self.magnitude_mask();
        let skipped = if self.has_zero() { self.min_positive_code() - 1 } else { 0 };
        let rank = i128::from(magnitude.saturating_sub(skipped));
        if self.is_negative(bits) { -rank } else { rank }
    }

    /// The binades of the positive numbers, the smallest first.
    pub fn binades(self) -> impl Iterator<Item = Binade> {
        let (lowest, highest) = (self.min_positive_exponent(), self.max_exponent());
        (lowest..=highest).map(move |exponent| self.binade(exponent))
    }

    /// Exponent of the smallest positive number.
    fn min_positive_exponent(self) -> i32 {
        if self.has_subnormals() { self.min_lsb_exponent() } else { self.min_exponent() }
    }

    fn binade(self, exponent: i32) -> Binade {
        let subnormal = exponent < self.min_exponent();
        let ulp_exponent = if subnormal { self.min_lsb_exponent() } else { exponent - self.fraction_bits() as i32 };
        let whole = 1_u64 << (exponent - ulp_exponent);
        let count = if exponent == self.max_exponent() {
            // The topmost may have lost codes to infinity and NaN.
            self.fraction_field(self.max_finite_code()) + 1
        } else {
            whole
        };
        Binade { exponent, count, ulp_exponent, subnormal }
    }

    /// The number nearest to `x`; ±∞ become the largest.
    #[must_use]
    pub fn nearest_number(self, x: f64) -> u64 {
        let policy = Policy { saturate: true, ..Policy::default() };
        self.round(&Value::from(x), &policy).bits
    }

    /// The largest finite number as an `f64`, infinite where it is beyond.
    #[must_use]
    pub fn reach(self) -> f64 {
        Exact::to_f64(&self.limits().max_finite)
    }
}
