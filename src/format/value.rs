//! What a code means.

use num_bigint::BigUint;

use super::exact::Exact;
use super::spec::{Format, Specials};

/// The meaning of a code.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, zero with its sign included.
    Finite(Exact),
    /// ±∞.
    Infinite {
        /// Whether it is −∞.
        negative: bool,
    },
    /// Not a number.
    Nan(Nan),
}

/// What a NaN carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nan {
    /// The sign bit.
    pub negative: bool,
    /// The fraction bits below the quiet bit, moved to the top of 64 bits, so that formats of different widths agree.
    pub payload: u64,
    /// Whether the quiet bit is clear.
    pub signalling: bool,
}

/// The class of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// ±0.
    Zero,
    /// Below the smallest normal number: fewer significant bits the smaller it is.
    Subnormal,
    /// Full precision.
    Normal,
    /// ±∞.
    Infinite,
    /// Not a number.
    Nan,
}

impl Class {
    /// The lower-case name: `subnormal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Subnormal => "subnormal",
            Self::Normal => "normal",
            Self::Infinite => "infinite",
            Self::Nan => "nan",
        }
    }
}

impl Value {
    /// Whether the sign is minus (−0 and NaNs with the sign bit set included).
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        match self {
            Self::Finite(exact) => exact.is_negative(),
            Self::Infinite { negative } | Self::Nan(Nan { negative, .. }) => *negative,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub const fn finite(&self) -> Option<&Exact> {
        match self {
            Self::Finite(exact) => Some(exact),
            _ => None,
        }
    }
}

impl From<f64> for Value {
    /// Exactly.
    fn from(x: f64) -> Self {
        Format::FP64.decode(x.to_bits())
    }
}

impl From<f32> for Value {
    /// Exactly.
    fn from(x: f32) -> Self {
        Format::FP32.decode(u64::from(x.to_bits()))
    }
}

impl Format {
    /// The class of a code. Bits above the format's width are ignored.
    #[must_use]
    pub const fn class(self, bits: u64) -> Class {
        let magnitude = bits & self.magnitude_mask();
        // Without −0 its code is a NaN.
        if self.is_signed() && !self.has_negative_zero() && bits & self.mask() == self.sign_bit() {
            return Class::Nan;
        }
        if magnitude > self.max_finite_code() {
            let infinite = self.has_infinity() && magnitude == self.max_finite_code() + 1;
            return if infinite { Class::Infinite } else { Class::Nan };
        }
        if magnitude >= self.min_normal_code() {
            Class::Normal
        } else if magnitude == 0 || self.skips_subnormals() {
            Class::Zero
        } else {
            Class::Subnormal
        }
    }

    /// What a code means. Bits above the format's width are ignored.
    #[must_use]
    pub fn decode(self, bits: u64) -> Value {
        let negative = self.is_negative(bits);
        match self.class(bits) {
            Class::Nan => Value::Nan(self.decode_nan(bits)),
            Class::Infinite => Value::Infinite { negative },
            Class::Zero => Value::Finite(Exact::zero(negative && self.has_negative_zero())),
            Class::Subnormal | Class::Normal => {
                let (significand, exponent) = self.significand(bits);
                Value::Finite(Exact::dyadic(negative, BigUint::from(significand), exponent))
            }
        }
    }

    /// Significand as a whole number, hidden bit included, and the exponent of its last bit, of a finite code:
    /// |value| = significand × 2^exponent.
    #[must_use]
    pub const fn significand(self, bits: u64) -> (u64, i64) {
        let fraction = self.fraction_field(bits);
        let field = self.exponent_field(bits);
        let lsb = self.min_lsb_exponent() as i64;
        if bits & self.magnitude_mask() < self.min_normal_code() {
            return (fraction, lsb);
        }
        // Where there is a zero, field 1 holds the smallest normals; in a scale it is field 0.
        (fraction | (1 << self.fraction_bits()), lsb + (field as i64 - self.has_zero() as i64))
    }

    /// Whether NaNs of this format have a quiet bit of their own.
    pub(super) const fn has_quiet_bit(self) -> bool {
        matches!(self.specials(), Specials::Ieee) && self.fraction_bits() >= 2
    }

    fn decode_nan(self, bits: u64) -> Nan {
        if !self.is_signed() || bits & self.magnitude_mask() == 0 {
            return Nan::default();
        }
        let negative = self.is_negative(bits);
        if !self.has_quiet_bit() {
            return Nan { negative, ..Nan::default() };
        }
        // Fraction to the top of the word; the quiet bit is then its topmost bit.
        let fraction = self.fraction_field(bits) << (64 - self.fraction_bits());
        Nan { negative, payload: fraction << 1, signalling: fraction >> 63 == 0 }
    }
}
