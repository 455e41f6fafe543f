//! The nine classes of a significand.
//!
//! Two places in a target's range depend on more of a value than its exponent: just below the smallest normal, where a
//! significand of at least 2 − 2^-M rounds up to a normal (M fraction bits), and at the top, where it overflows. A third
//! is the tie at half the smallest subnormal: exactly 1 is lost, anything above rounds up. The borders of FP16, BF16,
//! E5M2 and E4M3 together cut [1, 2) into nine classes:
//!
//! | class | significand | first border that needs it |
//! |---|---|---|
//! | 0 | = 1 | the tie of every target |
//! | 1 | above 1 | |
//! | 2 | from 1.75 | E5M2 rounds up to a normal |
//! | 3 | above 1.8125 | E4M3 overflows (448 + 16 is a tie to 448) |
//! | 4 | from 1.875 | E4M3 rounds up to a normal; E5M2 overflows |
//! | 5 | from 2 − 2^-7 | BF16 rounds up to a normal |
//! | 6 | from 2 − 2^-8 | BF16 overflows |
//! | 7 | from 2 − 2^-10 | FP16 rounds up to a normal |
//! | 8 | from 2 − 2^-11 | FP16 overflows |

use super::Target;

/// How many classes there are.
pub(super) const CLASSES: usize = 9;

/// The counters of one binary exponent, by class.
pub(super) type Row = [u64; CLASSES];

/// Bits of a fraction that the borders look at; everything below them counts only as "not zero".
pub(super) const CODE_FRACTION_BITS: u32 = 11;

/// The smallest code of classes 1 to 8. A code is the top eleven fraction bits, then a sticky bit.
pub(super) const FIRST_CODES: [u16; CLASSES - 1] = [
    1,
    0b110_0000_0000 << 1,
    0b110_1000_0000 << 1 | 1,
    0b111_0000_0000 << 1,
    0b111_1111_0000 << 1,
    0b111_1111_1000 << 1,
    0b111_1111_1110 << 1,
    0b111_1111_1111 << 1,
];

/// The class of a code.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
pub(super) fn class_of_code(code: u16) -> u16 {
    // A sum of comparisons rather than a search: the compiler makes vector code of it.
    let mut class = 0;
    for first in FIRST_CODES {
        class += u16::from(code as i16 >= first as i16);
    }
    class
}

/// The code of a fraction of `bits` bits.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
pub(super) fn code_of_fraction(fraction: u64, bits: u32) -> u16 {
    let below = bits - CODE_FRACTION_BITS;
    let sticky = fraction & ((1 << below) - 1) != 0;
    ((fraction >> below) << 1) as u16 | u16::from(sticky)
}

/// The first class that rounds up to the smallest normal from the binade below it.
pub(super) const fn first_rounding_to_normal(target: Target) -> usize {
    match target {
        Target::Fp16 => 7,
        Target::Bf16 => 5,
        Target::E5m2 => 2,
        Target::E4m3 => 4,
    }
}

/// The first class that overflows in the target's top binade.
pub(super) const fn first_overflowing(target: Target) -> usize {
    match target {
        Target::Fp16 => 8,
        Target::Bf16 => 6,
        Target::E5m2 => 4,
        Target::E4m3 => 3,
    }
}
