//! The flat layout in which a device counts, and how it becomes a histogram.
//!
//! 32-bit words. The head: 0 zeros, 1 NaN, 2 +∞, 3 −∞, 4 the largest complement of a finite non-zero magnitude's bits (so 0
//! is none, and the smallest magnitude wins), 5 the largest such bits, 6 values that are zero here but not in the twin's
//! tensor, 7 unused. Then one row of nine significand classes for each binary exponent of FP32, −149 first.

use super::ExponentHistogram;
use super::significand::{CLASSES, Row};

/// Words before the rows.
const HEAD: usize = 8;
/// Exponent of the first row: the smallest FP32 subnormal.
const FIRST: i32 = -149;
/// One row for each binary exponent of FP32.
const ROWS: usize = 277;

impl ExponentHistogram {
    /// Words of the flat layout.
    pub const COUNTER_WORDS: usize = HEAD + ROWS * CLASSES;

    /// The histogram of counters in the flat layout, and how many values are zero here but not in the twin's tensor. Fewer
    /// words than [`Self::COUNTER_WORDS`] count as zeros.
    #[must_use]
    pub fn from_counters(words: &[u32]) -> (Self, u64) {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let count = |at: usize| u64::from(word(at));
        let mut histogram =
            Self { zeros: count(0), nan: count(1), pos_inf: count(2), neg_inf: count(3), ..Self::default() };
        let row = |at: usize| -> Row { std::array::from_fn(|class| count(HEAD + at * CLASSES + class)) };
        let occupied = |at: &usize| row(*at).iter().any(|&count| count > 0);
        let first = (0..ROWS).find(occupied);
        if let (Some(first), Some(last)) = (first, (0..ROWS).rev().find(occupied)) {
            let exponent = |at: usize| FIRST + at as i32;
            histogram.make_room(exponent(first)..=exponent(last));
            for at in first..=last {
                histogram.add_row(exponent(at), &row(at));
            }
            let magnitude = |bits: u32| f64::from(f32::from_bits(bits));
            histogram.note_magnitudes(magnitude(!word(4)), magnitude(word(5)));
        }
        (histogram, count(6))
    }
}
