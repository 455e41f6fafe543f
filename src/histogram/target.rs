//! Limits of the target formats, derived from four integers each.

use super::{Rule, Target};
use crate::format::Format;

/// What defines a target's finite magnitudes.
struct Shape {
    fraction_bits: u32,
    min_normal_exponent: i32,
    max_exponent: i32,
    /// Fraction field of the largest finite value: all ones, but for E4M3, whose last code is its NaN.
    top_fraction: u32,
}

impl Target {
    /// All targets, in the order in which the interface lists them.
    pub const ALL: [Self; 4] = [Self::Fp16, Self::Bf16, Self::E5m2, Self::E4m3];

    const fn shape(self) -> Shape {
        let (fraction_bits, min_normal_exponent, max_exponent, top_fraction) = match self {
            Self::Fp16 => (10, -14, 15, 0x3ff),
            Self::Bf16 => (7, -126, 127, 0x7f),
            Self::E5m2 => (2, -14, 15, 0b11),
            Self::E4m3 => (3, -6, 8, 0b110),
        };
        Shape { fraction_bits, min_normal_exponent, max_exponent, top_fraction }
    }

    /// The name on the command line and in files: `fp16`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::E5m2 => "e5m2",
            Self::E4m3 => "e4m3",
        }
    }

    /// The name on screen: `FP16`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Fp16 => "FP16",
            Self::Bf16 => "BF16",
            Self::E5m2 => "E5M2",
            Self::E4m3 => "E4M3",
        }
    }

    /// The target with this name, in any case; the synonyms of the command line (`half`, `float16`, …) included.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "fp16" | "f16" | "float16" | "half" | "binary16" => Some(Self::Fp16),
            "bf16" | "bfloat16" => Some(Self::Bf16),
            "e5m2" => Some(Self::E5m2),
            "e4m3" | "e4m3fn" => Some(Self::E4m3),
            _ => None,
        }
    }

    /// The format itself, for everything else there is to know about it.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Self::Fp16 => Format::FP16,
            Self::Bf16 => Format::BF16,
            Self::E5m2 => Format::E5M2,
            Self::E4m3 => Format::E4M3,
        }
    }

    /// Stored fraction bits: 10 for FP16.
    #[must_use]
    pub const fn fraction_bits(self) -> u32 {
        self.shape().fraction_bits
    }

    /// Exponent of the smallest subnormal: −24 for FP16.
    #[must_use]
    pub const fn min_subnormal_exponent(self) -> i32 {
        self.min_normal_exponent() - self.fraction_bits() as i32
    }

    /// Exponent of the smallest normal: −14 for FP16.
    #[must_use]
    pub const fn min_normal_exponent(self) -> i32 {
        self.shape().min_normal_exponent
    }

    /// Exponent of the largest finite value: 15 for FP16.
    #[must_use]
    pub const fn max_exponent(self) -> i32 {
        self.shape().max_exponent
    }

    /// The largest finite value: 65504 for FP16, 448 for E4M3.
    #[must_use]
    pub fn max_finite(self) -> f64 {
        let ulp = power_of_two(self.max_exponent() - self.fraction_bits() as i32);
        f64::from((1 << self.fraction_bits()) + self.shape().top_fraction) * ulp
    }

    /// The midpoint above the largest finite value: 65520 for FP16, 464 for E4M3. See [`Target::overflows`].
    #[must_use]
    pub fn overflow_border(self) -> f64 {
        let half_ulp = power_of_two(self.max_exponent() - self.fraction_bits() as i32 - 1);
        self.max_finite() + half_ulp
    }

    /// Whether a magnitude is too large. By IEEE's rule: it rounds (to nearest, ties to even) to more than the largest
    /// finite value, so the border itself overflows where the largest fraction is odd (FP16: from 65520 on) and does
    /// not where it is even (E4M3: 464 rounds to 448). By the paper's rule: it is not below the largest finite value.
    #[must_use]
    pub fn overflows(self, magnitude: f64, rule: Rule) -> bool {
        match rule {
            Rule::Paper => magnitude >= self.max_finite(),
            Rule::Ieee if self.border_rounds_down() => magnitude > self.overflow_border(),
            Rule::Ieee => magnitude >= self.overflow_border(),
        }
    }

    /// Whether a value exactly on the overflow border stays finite.
    pub(super) const fn border_rounds_down(self) -> bool {
        self.shape().top_fraction.is_multiple_of(2)
    }
}

/// 2^k for k from −1022 to 1023, exact on every platform (`exp2` of the C library promises less).
pub(super) const fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}
