//! The two roundings that are asked for by the billion, in machine words: conversions and square roots, to nearest even.
//! Both give what the exact way gives under the default policy; tests and `docs/measurements/walks.md` compare them.

use super::operation::Operation;
use super::policy::Policy;
use super::spec::{Format, Specials};

/// A value cut at the last bit of a format: whole ULPs, half of one, and whether anything is below.
#[derive(Clone, Copy)]
struct Pieces {
    kept: u64,
    half: bool,
    rest: bool,
}

impl Pieces {
    /// The nearest whole number of ULPs, ties to even.
    const fn rounded(self) -> u64 {
        self.kept + (self.half && (self.rest || self.kept & 1 == 1)) as u64
    }
}

impl Format {
    /// The code of the number of `to` that is nearest to a code of this format: the bits of
    /// [`convert`](Self::convert) under the default policy, in a few nanoseconds where both are IEEE kinds of up to 32 bits.
    ///
    /// ```
    /// use halfscope::format::Format;
    ///
    /// assert_eq!(Format::FP32.nearest(0x477f_efff, Format::FP16), 0x7bff); // 65519.996
    /// assert_eq!(Format::FP32.nearest(0x477f_f000, Format::FP16), 0x7c00); // 65520
    /// ```
    #[must_use]
    pub fn nearest(self, bits: u64, to: Self) -> u64 {
        // Within a format nothing is rounded, and a NaN is not made quiet.
        if self == to || !(self.is_plain() && to.is_plain()) {
            return self.convert(bits, to, &Policy::default()).bits;
        }
        let magnitude = bits & self.magnitude_mask();
        let sign = if bits & self.sign_bit() == 0 { 0 } else { to.sign_bit() };
        let infinity = self.max_finite_code() + 1;
        if magnitude >= infinity {
            let quiet = if magnitude > infinity { 1 << (to.fraction_bits() - 1) } else { 0 };
            return sign | (to.max_finite_code() + 1) | quiet;
        }
        if magnitude == 0 {
            return sign;
        }
        let (significand, lsb) = self.split(magnitude);
        let top = lsb + significand.ilog2() as i32;
        let new_lsb = (top - to.fraction_bits() as i32).max(to.min_lsb_exponent());
        let drop = new_lsb - lsb;
        let kept = if drop <= 0 { significand << -drop } else { cut(significand, drop as u32).rounded() };
        sign | to.assembled(kept, new_lsb)
    }

    /// The code of the number of this format that is nearest to the root of one of its codes: the bits of
    /// [`apply`](Self::apply) under the default policy, in a few nanoseconds for FP32, FP16 and BF16.
    #[must_use]
    pub fn nearest_root(self, bits: u64) -> u64 {
        // Where the bias is larger than the fraction is wide, no root is subnormal.
        if !self.is_plain() || self.bias() <= self.fraction_bits() as i32 {
            // one operand, as a root takes: there is an outcome
            let outcome = self.apply(Operation::Sqrt, &[bits], &Policy::default());
            return outcome.map_or(0, |outcome| outcome.rounded.bits);
        }
        let magnitude = bits & self.magnitude_mask();
        let infinity = self.max_finite_code() + 1;
        let quiet = infinity | 1 << (self.fraction_bits() - 1);
        if magnitude > infinity {
            return quiet | bits & self.sign_bit();
        }
        if magnitude == 0 || bits == infinity {
            return bits;
        }
        if bits & self.sign_bit() != 0 {
            return quiet;
        }
        // Shifted until its root has one bit more than the format keeps, and its exponent is even.
        let (significand, lsb) = self.split(magnitude);
        let wanted = (2 * self.precision() + 1) as i32;
        let shift = wanted - significand.ilog2() as i32;
        let shift = shift - ((lsb - shift) & 1);
        let scaled = significand << shift;
        let root = scaled.isqrt();
        let pieces = Pieces { kept: root >> 1, half: root & 1 == 1, rest: root * root != scaled };
        self.assembled(pieces.rounded(), (lsb - shift) / 2 + 1)
    }

    /// Whether the short cuts hold: an IEEE kind with all its zeros and subnormals, of up to 32 bits.
    const fn is_plain(self) -> bool {
        matches!(self.specials(), Specials::Ieee)
            && self.has_negative_zero()
            && self.has_subnormals()
            && self.fraction_bits() > 0
            && self.width() <= 32
    }

    /// Significand and exponent of its last bit of a finite magnitude.
    const fn split(self, magnitude: u64) -> (u64, i32) {
        let (field, fraction) = (self.exponent_field(magnitude), self.fraction_field(magnitude));
        if field == 0 {
            (fraction, self.min_lsb_exponent())
        } else {
            (fraction | 1 << self.fraction_bits(), self.min_lsb_exponent() + field as i32 - 1)
        }
    }

    /// The code of `kept` · 2^`lsb`, or infinity's. A significand that rounding carried to the next power of two is one of
    /// the next binade by itself: codes count on.
    fn assembled(self, kept: u64, lsb: i32) -> u64 {
        let binades = (lsb - self.min_lsb_exponent()) as u64;
        ((binades << self.fraction_bits()) + kept).min(self.max_finite_code() + 1)
    }
}

/// Cuts the last bits off.
const fn cut(significand: u64, drop: u32) -> Pieces {
    if drop > 63 {
        return Pieces { kept: 0, half: false, rest: significand != 0 };
    }
    let below = significand & ((1 << drop) - 1);
    let half = 1 << (drop - 1);
    Pieces { kept: significand >> drop, half: below & half != 0, rest: below & (half - 1) != 0 }
}
