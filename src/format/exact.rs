//! Exact real numbers: every value is computed without error here, and rounded once elsewhere.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// The size to which sums, products and powers may grow, in bits of numerator or denominator.
///
/// It leaves room for every exponent of every format (16 exponent bits reach 2^±65600) and keeps each operation in
/// the range of milliseconds, so that no expression can take the program down.
pub const MAX_BITS: u64 = 1 << 17;

/// How far the power-of-two part may go, which is only a number and costs nothing.
const MAX_EXPONENT: i64 = 1 << 40;

/// An operation grew beyond [`MAX_BITS`], or divided by zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExactError {
    /// The exact result has more than [`MAX_BITS`] bits.
    TooLarge,
    /// Division by zero.
    DivisionByZero,
    /// An exponent that is not a whole number.
    FractionalPower,
    /// The square root of a negative number.
    NegativeRoot,
}

impl std::fmt::Display for ExactError {
    /// What is wrong, to stand behind the name of what was computed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "is too large to be computed exactly",
            Self::DivisionByZero => "divides by zero",
            Self::FractionalPower => "has a power that is not a whole number",
            Self::NegativeRoot => "has the square root of a negative number",
        })
    }
}

/// A real number, exactly: ± numerator / denominator × 2^exponent, with a sign on zero.
///
/// `tail` marks a magnitude known only as a prefix: the true one lies strictly between this and the next multiple of
/// 2^exponent / denominator. Only text longer than any format can tell apart gets one (see `literal`).
#[derive(Debug, Clone)]
pub struct Exact {
    negative: bool,
    numerator: BigUint,
    denominator: BigUint,
    exponent: i64,
    tail: bool,
}

/// The leading 128 bits of a magnitude and whether anything follows: all that a rounding ever looks at.
///
/// The value is ± significand / 2^127 × 2^exponent, plus less than one unit of the last of the 128 bits if `sticky`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix {
    /// The sign, meaningful for zero too.
    pub negative: bool,
    /// Topmost bit set, or 0 for zero.
    pub significand: u128,
    /// Floor of log2 of the magnitude; 0 for zero.
    pub exponent: i64,
    /// Whether the true magnitude is larger than the 128 bits say.
    pub sticky: bool,
}

impl Exact {
    /// Zero with a sign.
    #[must_use]
    pub fn zero(negative: bool) -> Self {
        Self::dyadic(negative, BigUint::zero(), 0)
    }

    /// ± numerator × 2^exponent.
    #[must_use]
    pub fn dyadic(negative: bool, numerator: BigUint, exponent: i64) -> Self {
        let twos = numerator.trailing_zeros().unwrap_or(0);
        let exponent = if numerator.is_zero() { 0 } else { exponent + twos as i64 };
        Self { negative, numerator: numerator >> twos, denominator: BigUint::one(), exponent, tail: false }
    }

    /// 2^exponent.
    #[must_use]
    pub fn power_of_two(exponent: i64) -> Self {
        Self::dyadic(false, BigUint::one(), exponent)
    }

    /// ± digits × 10^power of ten. The caller bounds `power_of_ten` (a million or so).
    pub(crate) fn decimal(negative: bool, digits: BigUint, power_of_ten: i64) -> Self {
        let power = power_of_ten.unsigned_abs() as u32;
        // 5^27 is the largest power in a machine word.
        let five = if power <= 27 { BigUint::from(5u64.pow(power)) } else { BigUint::from(5u8).pow(power) };
        if power_of_ten >= 0 {
            return Self::dyadic(negative, digits * five, power_of_ten);
        }
        Self { denominator: five, ..Self::dyadic(negative, digits, power_of_ten) }
    }

    /// The same number, known only to be a prefix of the true magnitude.
    #[must_use]
    pub(crate) fn with_tail(self, tail: bool) -> Self {
        Self { tail, ..self }
    }

    /// Whether the sign is minus, on zero too.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the value is ±0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero() && !self.tail
    }

    /// Whether the true value is longer than what is kept (the sign of the difference is known, its digits are not).
    #[must_use]
    pub const fn is_prefix(&self) -> bool {
        self.tail
    }

    /// Odd numerator and exponent of a number that is a whole multiple of a power of two; `None` for 1/3 and prefixes.
    #[must_use]
    pub fn as_dyadic(&self) -> Option<(&BigUint, i64)> {
        (self.denominator.is_one() && !self.tail).then_some((&self.numerator, self.exponent))
    }

    /// The magnitude as a fraction in lowest terms; `None` where it would pass [`MAX_BITS`] bits, or is a prefix.
    #[must_use]
    pub fn to_fraction(&self) -> Option<(BigUint, BigUint)> {
        if self.tail || self.exponent.unsigned_abs() > MAX_BITS {
            return None;
        }
        let shift = self.exponent.unsigned_abs();
        let (up, down) = if self.exponent >= 0 { (shift, 0) } else { (0, shift) };
        let (top, bottom) = (&self.numerator << up, &self.denominator << down);
        let divisor = top.gcd(&bottom);
        Some((top / &divisor, bottom / divisor))
    }

    /// −x.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    /// |x|.
    #[must_use]
    pub fn magnitude(self) -> Self {
        Self { negative: false, ..self }
    }

    /// x + y. A sum that is zero is +0, unless both are −0.
    ///
    /// # Errors
    /// [`ExactError::TooLarge`].
    pub fn add(&self, other: &Self) -> Result<Self, ExactError> {
        if other.is_zero() && !(self.is_zero() && self.negative != other.negative) {
            return Ok(self.clone());
        }
        if self.is_zero() && !other.is_zero() {
            return Ok(other.clone());
        }
        let exponent = self.exponent.min(other.exponent);
        let scaled = |x: &Self, by: &BigUint| {
            let shift = (x.exponent - exponent) as u64;
            (shift <= MAX_BITS).then(|| (&x.numerator * by) << shift).ok_or(ExactError::TooLarge)
        };
        // A common denominator costs a multiplication only where the two differ.
        let (left, right, denominator) = if self.denominator == other.denominator {
            let one = BigUint::one();
            (scaled(self, &one)?, scaled(other, &one)?, self.denominator.clone())
        } else {
            let denominator = &self.denominator * &other.denominator;
            (scaled(self, &other.denominator)?, scaled(other, &self.denominator)?, denominator)
        };
        let (negative, numerator) = match (self.negative == other.negative, left.cmp(&right)) {
            (true, _) => (self.negative, left + right),
            (false, Ordering::Equal) => (false, BigUint::zero()),
            (false, Ordering::Greater) => (self.negative, left - right),
            (false, Ordering::Less) => (other.negative, right - left),
        };
        Self { negative, numerator, denominator, exponent, tail: self.tail || other.tail }.checked()
    }

    /// x − y.
    ///
    /// # Errors
    /// [`ExactError::TooLarge`].
    pub fn sub(&self, other: &Self) -> Result<Self, ExactError> {
        self.add(&other.clone().negated())
    }

    /// x · y.
    ///
    /// # Errors
    /// [`ExactError::TooLarge`].
    pub fn mul(&self, other: &Self) -> Result<Self, ExactError> {
        Self {
            negative: self.negative != other.negative,
            numerator: &self.numerator * &other.numerator,
            denominator: &self.denominator * &other.denominator,
            exponent: self.exponent + other.exponent,
            tail: self.tail || other.tail,
        }
        .checked()
    }

    /// x / y.
    ///
    /// # Errors
    /// [`ExactError::DivisionByZero`], [`ExactError::TooLarge`].
    pub fn div(&self, other: &Self) -> Result<Self, ExactError> {
        if other.numerator.is_zero() {
            return Err(ExactError::DivisionByZero);
        }
        // Numerators are odd, so the denominator stays odd: twos live in the exponent only.
        Self {
            negative: self.negative != other.negative,
            numerator: &self.numerator * &other.denominator,
            denominator: &self.denominator * &other.numerator,
            exponent: self.exponent - other.exponent,
            tail: self.tail || other.tail,
        }
        .checked()
    }

    /// x to the power of a whole number; 0^0 is 1.
    ///
    /// # Errors
    /// All of [`ExactError`].
    pub fn pow(&self, power: &Self) -> Result<Self, ExactError> {
        let power = power.to_integer()?;
        let count = power.unsigned_abs();
        let bits = self.numerator.bits().max(self.denominator.bits());
        // A numerator of 1 stays 1 however high the power.
        let grown = if bits <= 1 { 1 } else { bits.saturating_mul(count) };
        let exponent = i128::from(self.exponent) * i128::from(power);
        if grown > MAX_BITS || exponent.unsigned_abs() > MAX_EXPONENT as u128 {
            return Err(ExactError::TooLarge);
        }
        let raise = |x: &BigUint| if bits <= 1 && count > 0 { x.clone() } else { x.pow(count as u32) };
        let (mut numerator, mut denominator) = (raise(&self.numerator), raise(&self.denominator));
        if power < 0 {
            if numerator.is_zero() {
                return Err(ExactError::DivisionByZero);
            }
            std::mem::swap(&mut numerator, &mut denominator);
        }
        let negative = self.negative && power % 2 != 0;
        Self { negative, numerator, denominator, exponent: exponent as i64, tail: self.tail }.checked()
    }

    pub(super) fn to_integer(&self) -> Result<i64, ExactError> {
        let (quotient, rest) = self.numerator.div_rem(&self.denominator);
        if !rest.is_zero() || self.tail {
            return Err(ExactError::FractionalPower);
        }
        if quotient.is_zero() {
            return Ok(0);
        }
        if self.exponent < 0 {
            return Err(ExactError::FractionalPower);
        }
        if quotient.bits() as i64 + self.exponent > 50 {
            return Err(ExactError::TooLarge);
        }
        let whole = i64::try_from(quotient << self.exponent as u64).map_err(|_| ExactError::TooLarge)?;
        Ok(if self.negative { -whole } else { whole })
    }

    /// Restores the form everything relies on (odd or zero numerator, odd denominator, 1 wherever it divides).
    fn checked(self) -> Result<Self, ExactError> {
        let large = self.numerator.bits() > MAX_BITS || self.denominator.bits() > MAX_BITS;
        if large || self.exponent.abs() > MAX_EXPONENT {
            return Err(ExactError::TooLarge);
        }
        let whole = if self.denominator.is_one() { None } else { Some(self.numerator.div_rem(&self.denominator)) };
        let (numerator, denominator) = match whole {
            Some((quotient, rest)) if rest.is_zero() => (quotient, BigUint::one()),
            _ => (self.numerator, self.denominator),
        };
        Ok(Self { tail: self.tail, denominator, ..Self::dyadic(self.negative, numerator, self.exponent) })
    }

    /// The leading 128 bits: exactly what decides any rounding to at most 64 bits.
    #[must_use]
    pub fn prefix(&self) -> Prefix {
        if self.numerator.is_zero() {
            // A prefix of zero digits is some tiny number of unknown size; `literal` never makes one.
            return Prefix { negative: self.negative, significand: 0, exponent: 0, sticky: self.tail };
        }
        if let Some(prefix) = self.short_prefix() {
            return prefix;
        }
        let (top, scale, mut sticky) = if self.denominator.is_one() {
            (self.numerator.clone(), self.exponent, self.tail)
        } else {
            // Enough quotient bits that at least 128 are left whatever the operands are.
            let shift = (self.denominator.bits() + 129).saturating_sub(self.numerator.bits());
            let (quotient, rest) = (&self.numerator << shift).div_rem(&self.denominator);
            (quotient, self.exponent - shift as i64, self.tail || !rest.is_zero())
        };
        let bits = top.bits();
        let exponent = scale + bits as i64 - 1;
        let dropped = bits.saturating_sub(128);
        sticky |= top.trailing_zeros().is_some_and(|zeros| zeros < dropped);
        let kept = top >> dropped;
        let low = kept.iter_u64_digits().rev().fold(0u128, |sum, digit| (sum << 64) | u128::from(digit));
        Prefix { negative: self.negative, significand: low << low.leading_zeros(), exponent, sticky }
    }

    /// The same in machine words, where numerator and denominator are one each.
    fn short_prefix(&self) -> Option<Prefix> {
        let word = |x: &BigUint| if x.bits() <= 64 { x.iter_u64_digits().next() } else { None };
        let (numerator, denominator) = (u128::from(word(&self.numerator)?), u128::from(word(&self.denominator)?));
        // Long division, 64 bits a digit. Where the whole part is 0, the first digit behind it is not.
        let whole = numerator / denominator;
        let mut rest = numerator % denominator;
        let mut digit = || {
            let scaled = rest << 64;
            rest = scaled % denominator;
            scaled / denominator
        };
        let (high, exponent) = if whole == 0 { ((digit() << 64) | digit(), -1) } else { ((whole << 64) | digit(), 63) };
        let next = digit();
        let shift = high.leading_zeros();
        let significand = if shift == 0 { high } else { (high << shift) | (next >> (64 - shift)) };
        let cut_off = if shift == 0 { next } else { next << shift & u128::from(u64::MAX) };
        let sticky = self.tail || rest != 0 || cut_off != 0;
        Some(Prefix {
            negative: self.negative,
            significand,
            exponent: self.exponent + exponent - i64::from(shift),
            sticky,
        })
    }

    /// Order of the values; −0 equals +0. Numbers longer than is kept compare by what is kept, then as larger.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        let sign = |x: &Self| if x.is_zero() { 0 } else { 1 - 2 * i8::from(x.negative) };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign != Ordering::Equal || self.is_zero() {
            return by_sign;
        }
        let by_magnitude = self.compare_magnitude(other);
        if self.negative { by_magnitude.reverse() } else { by_magnitude }
    }

    /// Order of the magnitudes.
    #[must_use]
    pub fn compare_magnitude(&self, other: &Self) -> Ordering {
        let (a, b) = (self.prefix(), other.prefix());
        let key = |p: &Prefix| (p.significand != 0, p.exponent, p.significand);
        key(&a).cmp(&key(&b)).then_with(|| {
            // Same leading 128 bits: compare in full, on a common scale.
            let exponent = self.exponent.min(other.exponent);
            let left = (&self.numerator * &other.denominator) << (self.exponent - exponent) as u64;
            let right = (&other.numerator * &self.denominator) << (other.exponent - exponent) as u64;
            left.cmp(&right).then(self.tail.cmp(&other.tail))
        })
    }

    /// The nearest `f64` by cutting off: for drawing, never for deciding. Beyond its range it is ±∞ or ±0.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        let prefix = self.prefix();
        if prefix.significand == 0 {
            return if self.negative { -0.0 } else { 0.0 };
        }
        let fraction = (prefix.significand >> 75) as f64 / (1u64 << 52) as f64;
        // In two steps, so that subnormals are reached without an intermediate zero.
        let exponent = prefix.exponent.clamp(-2200, 2200) as i32;
        let magnitude = fraction * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        if self.negative { -magnitude } else { magnitude }
    }
}

impl PartialEq for Exact {
    /// Equal values; −0 equals +0.
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}
