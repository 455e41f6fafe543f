//! Exact operations that are more than one step on fractions: sums of any size, remainders, square roots.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;

use super::exact::{Exact, ExactError};

/// Bits of a square root that are computed: more than the 128 that a rounding looks at.
const ROOT_BITS: u64 = 140;
/// Two numbers this many binades apart: of the smaller one only its sign reaches the leading 128 bits of the sum.
const FAR_APART: i64 = 400;

impl Exact {
    /// x + y. Where they are too far apart to be written out, the smaller is kept as "a little more" or "a little
    /// less", which is all that a rounding sees of it.
    #[must_use]
    pub(super) fn plus(&self, other: &Self) -> Self {
        if let Ok(sum) = self.add(other) {
            return sum;
        }
        let (large, small) = if self.compare_magnitude(other).is_ge() { (self, other) } else { (other, self) };
        let Some((numerator, exponent)) = large.as_dyadic() else {
            return large.clone();
        };
        let scaled = numerator << FAR_APART as u64;
        let away = large.is_negative() == small.is_negative();
        let cut = if away { scaled } else { scaled - 1u8 };
        Self::dyadic(large.is_negative(), cut, exponent - FAR_APART).with_tail(true)
    }

    /// x − n·y with n the whole number nearest to x/y (ties to even) or x/y cut off. A zero has the sign of x. Both are
    /// whole multiples of powers of two, and y is not 0.
    #[must_use]
    pub(super) fn remainder(&self, other: &Self, nearest: bool) -> Self {
        let (Some((a, a_exponent)), Some((b, b_exponent))) = (self.as_dyadic(), other.as_dyadic()) else {
            return self.clone();
        };
        if a.is_zero() {
            return self.clone();
        }
        // On the scale of the smaller exponent both are whole numbers. Only the power of two may be large.
        let exponent = a_exponent.min(b_exponent);
        let gap = b_exponent - exponent;
        if gap > a.bits() as i64 + 1 {
            // |y| > 2|x|: n is 0.
            return self.clone();
        }
        let divisor = b << gap as u64;
        // Modulo 2y, so that what is left still tells whether n is odd.
        let twice = &divisor << 1u8;
        let shift = BigUint::from((a_exponent - exponent) as u64);
        let power = BigUint::from(2u8).modpow(&shift, &twice);
        let rest = (a * power).mod_floor(&twice);
        let (odd, rest) = if rest >= divisor { (true, rest - &divisor) } else { (false, rest) };
        let doubled = &rest << 1u8;
        let up = nearest && (doubled > divisor || (doubled == divisor && odd));
        let (negative, magnitude) = if up { (!self.is_negative(), divisor - rest) } else { (self.is_negative(), rest) };
        if magnitude.is_zero() { Self::zero(self.is_negative()) } else { Self::dyadic(negative, magnitude, exponent) }
    }

    /// √x of a positive whole multiple of a power of two: exact, or its leading bits marked as a prefix.
    #[must_use]
    pub(super) fn sqrt(&self) -> Self {
        let Some((numerator, exponent)) = self.as_dyadic() else {
            return self.clone();
        };
        // An even exponent, and enough bits under the root.
        let wanted = (2 * ROOT_BITS).saturating_sub(numerator.bits()) as i64;
        let shift = wanted + (exponent - wanted).rem_euclid(2);
        let scaled = numerator << shift as u64;
        let root = scaled.sqrt();
        let inexact = &root * &root != scaled;
        Self::dyadic(false, root, (exponent - shift) / 2).with_tail(inexact)
    }

    /// √x, exactly where it is a fraction, else cut off after so many bits.
    ///
    /// # Errors
    /// [`ExactError::NegativeRoot`], and [`ExactError::TooLarge`] for magnitudes that cannot be written out.
    pub(super) fn root(&self, bits: u64) -> Result<Self, ExactError> {
        if self.is_zero() {
            return Ok(self.clone());
        }
        if self.is_negative() {
            return Err(ExactError::NegativeRoot);
        }
        let (top, bottom) = self.to_fraction().ok_or(ExactError::TooLarge)?;
        // √(p/q) = √(p·q)/q, and an even power of two under the root comes out of it whole.
        let shift = (2 * bits).saturating_sub((&top * &bottom).bits()).next_multiple_of(2);
        let root = ((top * &bottom) << shift).sqrt();
        Self::dyadic(false, root, -(shift as i64 / 2)).div(&Self::dyadic(false, bottom, 0))
    }
}
