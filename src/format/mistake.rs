//! What is often said about a format and is wrong, as data: the faces put it into words.

use super::spec::Format;

/// A common mistake about a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// "FP16 goes to ±32768": its largest number is 65504.
    Fp16Range,
    /// "Below 2^−24 FP16 is zero": nearest-even rounding makes zero of |x| ≤ 2^−25 only.
    Fp16Underflow,
    /// "BF16 has FP32's precision": it has FP32's range and 8 significant bits.
    Bf16Precision,
    /// "E4M3 goes to 240": that is the IEEE-like reading; OCP's E4M3 goes to 448.
    E4m3Range,
    /// "0x7e is NaN in E4M3": only the topmost code of each sign is.
    E4m3Nan,
    /// "`tiny` is the smallest number": it is the smallest normal one.
    TinyIsNormal,
    /// "0x80 is −0 in FNUZ": it is the only NaN.
    FnuzZero,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Fp16Range,
        Self::Fp16Underflow,
        Self::Bf16Precision,
        Self::E4m3Range,
        Self::E4m3Nan,
        Self::TinyIsNormal,
        Self::FnuzZero,
    ];
}

impl Format {
    /// What is often mistaken about this format.
    #[must_use]
    pub const fn mistakes(self) -> &'static [Mistake] {
        match self {
            Self::FP16 => &[Mistake::Fp16Range, Mistake::Fp16Underflow],
            Self::BF16 => &[Mistake::Bf16Precision],
            Self::E4M3 => &[Mistake::E4m3Range, Mistake::E4m3Nan, Mistake::TinyIsNormal],
            Self::E4M3FNUZ => &[Mistake::FnuzZero],
            _ => &[],
        }
    }
}
