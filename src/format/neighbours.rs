//! Steps along the number line and the limits of a format.

use super::exact::Exact;
use super::spec::Format;
use super::value::Class;

/// The landmarks of a format, all derived from its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// The largest finite number.
    pub max_finite: Exact,
    /// From here on nearest-even rounding leaves the range: half an ULP above the largest finite number. Where that
    /// number is even (E4M3's 448) the tie itself still rounds to it.
    pub overflow_threshold: Exact,
    /// The smallest positive normal number.
    pub min_normal: Exact,
    /// The smallest positive subnormal number, if there are any.
    pub min_subnormal: Option<Exact>,
    /// Distance from 1 to the next larger number.
    pub epsilon: Exact,
    /// Every whole number up to here has a code.
    pub exact_integers: Exact,
}

impl Format {
    /// The landmarks of this format.
    #[must_use]
    pub fn limits(self) -> Limits {
        let (largest, lsb) = self.significand(self.max_finite_code());
        let max_finite = Exact::dyadic(false, largest.into(), lsb);
        let consecutive = Exact::power_of_two(i64::from(self.precision()));
        let exact_integers = if consecutive.compare(&max_finite).is_gt() {
            // All of them; the largest is the largest number without its fraction.
            let whole = if lsb < 0 { largest >> lsb.unsigned_abs().min(63) } else { largest };
            Exact::dyadic(false, whole.into(), lsb.max(0))
        } else {
            consecutive
        };
        Limits {
            overflow_threshold: Exact::dyadic(false, num_bigint::BigUint::from(largest) * 2u8 + 1u8, lsb - 1),
            min_normal: Exact::power_of_two(self.min_exponent().into()),
            min_subnormal: self.has_subnormals().then(|| Exact::power_of_two(self.min_lsb_exponent().into())),
            epsilon: Exact::power_of_two(self.epsilon_exponent().into()),
            exact_integers,
            max_finite,
        }
    }

    /// The least number greater than this one (IEEE 754 nextUp): NaN and +∞ stay, −0 counts as 0. The largest finite
    /// number of a format without infinity stays, too.
    #[must_use]
    pub const fn next_up(self, bits: u64) -> u64 {
        self.step(bits, false)
    }

    /// The greatest number less than this one (IEEE 754 nextDown).
    #[must_use]
    pub const fn next_down(self, bits: u64) -> u64 {
        self.step(bits, true)
    }

    const fn step(self, bits: u64, down: bool) -> u64 {
        let bits = bits & self.mask();
        if matches!(self.class(bits), Class::Nan) {
            return bits;
        }
        let magnitude = bits & self.magnitude_mask();
        let least = self.min_positive_code();
        if matches!(self.class(bits), Class::Zero) {
            return if down { self.sign_bit() | least } else { least };
        }
        let negative = self.is_negative(bits);
        let sign = bits & self.sign_bit();
        if negative == down {
            // Away from zero, as far as there are codes.
            let end = self.max_finite_code() + self.has_infinity() as u64;
            return if magnitude >= end { bits } else { bits + 1 };
        }
        match (magnitude == least, self.has_zero()) {
            (true, false) => bits,
            (true, true) if self.has_negative_zero() => sign,
            (true, true) => 0,
            (false, _) => sign | (magnitude - 1),
        }
    }

    /// Unit in the last place: the distance to the next number away from zero, as if the range had no end; `None` for
    /// infinities and NaNs. For 0 it is the smallest positive number.
    #[must_use]
    pub fn ulp(self, bits: u64) -> Option<Exact> {
        self.ulp_exponent(bits).map(|exponent| Exact::power_of_two(exponent.into()))
    }

    /// The same as a power of two.
    #[must_use]
    pub const fn ulp_exponent(self, bits: u64) -> Option<i32> {
        match self.class(bits) {
            Class::Infinite | Class::Nan => None,
            Class::Zero if self.skips_subnormals() => Some(self.min_exponent()),
            Class::Zero | Class::Subnormal | Class::Normal => Some(self.significand(bits).1 as i32),
        }
    }
}
