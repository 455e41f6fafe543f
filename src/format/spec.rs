//! What a format is: a handful of numbers from which every limit follows.

use super::error::ParseError;

/// What the topmost codes of a format mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Specials {
    /// IEEE 754: the topmost exponent holds ±∞ (fraction 0) and NaN (any other fraction).
    Ieee,
    /// One NaN per sign in the very topmost code, no infinity (OCP "FN", as in E4M3).
    NanOnly,
    /// No infinity and no NaN: every code is a number (OCP FP6 and FP4, Arm's alternative half).
    Finite,
    /// One NaN, in the code that would be −0; neither infinity nor −0 ("FNUZ").
    Fnuz,
    /// An unsigned power of two with one NaN at the top and neither zero nor subnormals (OCP MX scale, E8M0).
    Scale,
}

/// A binary floating-point format of at most 64 bits, as data.
///
/// Codes are `u64` with the format in the low [`width`](Self::width) bits: sign, exponent field, fraction field from
/// the top down. Apart from the sign, a larger code is a larger number in every format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
    bias: i32,
    specials: Specials,
    signed_zero: bool,
    subnormals: bool,
}

/// The widest exponent field a custom format may have. It bounds the exponents, and with them the digits that can
/// matter to any rounding (see `literal`).
pub(crate) const MAX_EXPONENT_BITS: u32 = 16;
/// The largest bias a custom format may have.
pub(crate) const MAX_BIAS: i32 = 65_535;

impl Format {
    /// IEEE binary64.
    pub const FP64: Self = Self::preset(11, 52, Specials::Ieee);
    /// IEEE binary32.
    pub const FP32: Self = Self::preset(8, 23, Specials::Ieee);
    /// NVIDIA's TF32: FP32's range, FP16's precision, 19 bits.
    pub const TF32: Self = Self::preset(8, 10, Specials::Ieee);
    /// IEEE binary16.
    pub const FP16: Self = Self::preset(5, 10, Specials::Ieee);
    /// bfloat16: the upper half of FP32.
    pub const BF16: Self = Self::preset(8, 7, Specials::Ieee);
    /// OCP FP8 E5M2.
    pub const E5M2: Self = Self::preset(5, 2, Specials::Ieee);
    /// OCP FP8 E4M3 (also called E4M3FN).
    pub const E4M3: Self = Self::preset(4, 3, Specials::NanOnly);
    /// FP8 E5M2 without infinity and −0, bias 16.
    pub const E5M2FNUZ: Self = Self::preset(5, 2, Specials::Fnuz);
    /// FP8 E4M3 without infinity and −0, bias 8.
    pub const E4M3FNUZ: Self = Self::preset(4, 3, Specials::Fnuz);
    /// OCP FP6 E3M2.
    pub const E3M2: Self = Self::preset(3, 2, Specials::Finite);
    /// OCP FP6 E2M3.
    pub const E2M3: Self = Self::preset(2, 3, Specials::Finite);
    /// OCP FP4 E2M1.
    pub const E2M1: Self = Self::preset(2, 1, Specials::Finite);
    /// OCP MX scale: a power of two.
    pub const E8M0: Self = Self::preset(8, 0, Specials::Scale);
    /// Arm's alternative half precision: no infinity or NaN, up to 131008.
    pub const FP16_ARM: Self = Self::preset(5, 10, Specials::Finite);

    const fn preset(exponent_bits: u32, fraction_bits: u32, specials: Specials) -> Self {
        let bias = Self::default_bias(exponent_bits, specials);
        Self { exponent_bits, fraction_bits, bias, specials, signed_zero: true, subnormals: true }
    }

    /// The bias a format has unless another is written: 2^(E−1) − 1, and 2^(E−1) for FNUZ.
    pub(crate) const fn default_bias(exponent_bits: u32, specials: Specials) -> i32 {
        let half = 1 << (exponent_bits - 1);
        if matches!(specials, Specials::Fnuz) { half } else { half - 1 }
    }

    /// A custom signed format.
    ///
    /// # Errors
    /// Which limit is passed: too wide, no exponent, no room for the special codes.
    pub fn custom(
        exponent_bits: u32,
        fraction_bits: u32,
        bias: Option<i32>,
        specials: Specials,
    ) -> Result<Self, ParseError> {
        if !(1..=MAX_EXPONENT_BITS).contains(&exponent_bits) {
            return Err(ParseError::ExponentBits { bits: exponent_bits, most: MAX_EXPONENT_BITS });
        }
        if fraction_bits > 63 || 1 + exponent_bits + fraction_bits > 64 {
            return Err(ParseError::FormatTooWide { exponent_bits, fraction_bits });
        }
        let (least_exponent, least_fraction) = match specials {
            Specials::Ieee => (2, 1),
            Specials::NanOnly | Specials::Finite | Specials::Fnuz => (1, u32::from(exponent_bits == 1)),
            Specials::Scale => return Err(ParseError::OnlyE8m0Scales),
        };
        if exponent_bits < least_exponent || fraction_bits < least_fraction {
            let name = |exponent, fraction| format!("e{exponent}m{fraction}");
            return Err(ParseError::NoRoomForNumbers {
                name: name(exponent_bits, fraction_bits),
                least: name(least_exponent, least_fraction),
            });
        }
        let bias = bias.unwrap_or(Self::default_bias(exponent_bits, specials));
        if !(0..=MAX_BIAS).contains(&bias) {
            return Err(ParseError::Bias { bias, most: MAX_BIAS });
        }
        Ok(Self { exponent_bits, fraction_bits, bias, specials, signed_zero: true, subnormals: true })
    }

    /// The same format without subnormals: exponent field 0 holds nothing but zero, whatever the fraction says.
    #[must_use]
    pub const fn without_subnormals(self) -> Self {
        // Where there are none anyway, the format stays the same one.
        Self { subnormals: self.subnormals && !self.has_subnormals(), ..self }
    }

    /// The same format with a single zero: the code of −0 is a NaN, as in FNUZ.
    ///
    /// # Errors
    /// Where that is no other format: E8M0 has no zero, FNUZ has one zero already, and a format without NaN
    /// that gets one there is FNUZ by name.
    pub fn without_negative_zero(self) -> Result<Self, ParseError> {
        match self.specials {
            Specials::Ieee | Specials::NanOnly => Ok(Self { signed_zero: false, ..self }),
            Specials::Fnuz => Err(ParseError::SingleZeroAlready),
            Specials::Finite => Err(ParseError::IsFnuz),
            Specials::Scale => Err(ParseError::E8m0HasNoZero),
        }
    }

    /// Width of the exponent field in bits.
    #[must_use]
    pub const fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// Width of the fraction field in bits (the hidden bit not counted).
    #[must_use]
    pub const fn fraction_bits(self) -> u32 {
        self.fraction_bits
    }

    /// Significand bits of a normal number: the fraction and the hidden bit.
    #[must_use]
    pub const fn precision(self) -> u32 {
        self.fraction_bits + 1
    }

    /// What is subtracted from the exponent field of a normal number.
    #[must_use]
    pub const fn bias(self) -> i32 {
        self.bias
    }

    /// What the topmost codes mean.
    #[must_use]
    pub const fn specials(self) -> Specials {
        self.specials
    }

    /// Whether there is a sign bit.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        !matches!(self.specials, Specials::Scale)
    }

    /// Whether −0 has a code of its own.
    #[must_use]
    pub const fn has_negative_zero(self) -> bool {
        self.signed_zero && !matches!(self.specials, Specials::Scale | Specials::Fnuz)
    }

    /// Whether zero has a code.
    #[must_use]
    pub const fn has_zero(self) -> bool {
        !matches!(self.specials, Specials::Scale)
    }

    /// Whether there are subnormal numbers.
    #[must_use]
    pub const fn has_subnormals(self) -> bool {
        self.subnormals && self.has_zero() && self.fraction_bits > 0
    }

    /// The same format with −0 and subnormals, as far as its special codes leave room for them.
    pub(crate) const fn with_everything(self) -> Self {
        Self { signed_zero: true, subnormals: true, ..self }
    }

    /// Whether subnormals are left out of a format that would have them.
    pub(crate) const fn skips_subnormals(self) -> bool {
        !self.subnormals
    }

    /// The code of the smallest positive number.
    #[must_use]
    pub const fn min_positive_code(self) -> u64 {
        if self.has_subnormals() { 1 } else { self.min_normal_code() }
    }

    /// Whether ±∞ have codes.
    #[must_use]
    pub const fn has_infinity(self) -> bool {
        matches!(self.specials, Specials::Ieee)
    }

    /// Whether NaN has a code.
    #[must_use]
    pub const fn has_nan(self) -> bool {
        !matches!(self.specials, Specials::Finite)
    }

    /// All bits of a code.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.exponent_bits + self.fraction_bits + self.is_signed() as u32
    }

    /// Hexadecimal digits of a code written at full width.
    #[must_use]
    pub const fn hex_digits(self) -> usize {
        self.width().div_ceil(4) as usize
    }

    /// A code in lower-case hexadecimal at full width: `0x7bff`.
    #[must_use]
    pub fn hex(self, bits: u64) -> String {
        format!("0x{:0digits$x}", bits & self.mask(), digits = self.hex_digits())
    }

    /// Ones in the bits of a code.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// Ones in everything but the sign.
    #[must_use]
    pub const fn magnitude_mask(self) -> u64 {
        u64::MAX >> (64 - self.exponent_bits - self.fraction_bits)
    }

    /// The sign bit, 0 where there is none.
    #[must_use]
    pub const fn sign_bit(self) -> u64 {
        self.mask() & !self.magnitude_mask()
    }

    /// Whether the sign bit of a code is set.
    #[must_use]
    pub const fn is_negative(self, bits: u64) -> bool {
        bits & self.sign_bit() != 0
    }

    /// The exponent field of a code, shifted down.
    #[must_use]
    pub const fn exponent_field(self, bits: u64) -> u64 {
        (bits & self.magnitude_mask()) >> self.fraction_bits
    }

    /// The fraction field of a code.
    #[must_use]
    pub const fn fraction_field(self, bits: u64) -> u64 {
        bits & ((1 << self.fraction_bits) - 1)
    }

    /// Exponent of the smallest normal number (−14 in FP16).
    #[must_use]
    pub const fn min_exponent(self) -> i32 {
        // A scale has no subnormals: its field 0 is an ordinary power of two.
        self.has_zero() as i32 - self.bias
    }

    /// Exponent of the least significant bit of every subnormal, and of the smallest normals (−24 in FP16).
    #[must_use]
    pub const fn min_lsb_exponent(self) -> i32 {
        self.min_exponent() - self.fraction_bits as i32
    }

    /// Exponent of the largest finite number (15 in FP16).
    #[must_use]
    pub const fn max_exponent(self) -> i32 {
        self.exponent_field(self.max_finite_code()) as i32 - self.bias
    }

    /// The code of the largest finite number (0x7bff in FP16).
    #[must_use]
    pub const fn max_finite_code(self) -> u64 {
        match self.specials {
            Specials::Ieee => self.magnitude_mask() - (1 << self.fraction_bits),
            Specials::NanOnly | Specials::Scale => self.magnitude_mask() - 1,
            Specials::Finite | Specials::Fnuz => self.magnitude_mask(),
        }
    }

    /// The code of the smallest positive normal number (0x0400 in FP16).
    #[must_use]
    pub const fn min_normal_code(self) -> u64 {
        (self.has_zero() as u64) << self.fraction_bits
    }

    /// The code of +∞, where there is one.
    #[must_use]
    pub const fn infinity_code(self) -> Option<u64> {
        if self.has_infinity() { Some(self.max_finite_code() + 1) } else { None }
    }

    /// The code of the canonical quiet NaN with sign 0, where there is a NaN (FNUZ: its only NaN, the sign bit).
    #[must_use]
    pub const fn nan_code(self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some((self.max_finite_code() + 1) | (1 << (self.fraction_bits - 1))),
            Specials::NanOnly | Specials::Scale => Some(self.magnitude_mask()),
            Specials::Fnuz => Some(self.sign_bit()),
            Specials::Finite => None,
        }
    }

    /// Exponent of epsilon, the distance from 1 to the next number: 2^−fraction bits.
    #[must_use]
    pub const fn epsilon_exponent(self) -> i32 {
        -(self.fraction_bits as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_from_the_fields() {
        for (format, min_normal, min_lsb, max, code) in [
            (Format::FP64, -1022, -1074, 1023, 0x7fef_ffff_ffff_ffff),
            (Format::FP32, -126, -149, 127, 0x7f7f_ffff),
            (Format::TF32, -126, -136, 127, 0x3_fbff),
            (Format::FP16, -14, -24, 15, 0x7bff),
            (Format::BF16, -126, -133, 127, 0x7f7f),
            (Format::E5M2, -14, -16, 15, 0x7b),
            (Format::E4M3, -6, -9, 8, 0x7e),
            (Format::E5M2FNUZ, -15, -17, 15, 0x7f),
            (Format::E4M3FNUZ, -7, -10, 7, 0x7f),
            (Format::E3M2, -2, -4, 4, 0x1f),
            (Format::E2M3, 0, -3, 2, 0x1f),
            (Format::E2M1, 0, -1, 2, 0x7),
            (Format::E8M0, -127, -127, 127, 0xfe),
            (Format::FP16_ARM, -14, -24, 16, 0x7fff),
        ] {
            assert_eq!(format.min_exponent(), min_normal, "{format:?}");
            assert_eq!(format.min_lsb_exponent(), min_lsb, "{format:?}");
            assert_eq!(format.max_exponent(), max, "{format:?}");
            assert_eq!(format.max_finite_code(), code, "{format:?}");
        }
    }
}
