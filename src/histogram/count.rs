//! The pass over the values.
//!
//! A value's row is its exponent field, its column the class of its fraction. Both come from integer operations on the
//! bits, a block of values at a time, in a loop that the compiler turns into vector code for the widest instructions
//! the processor has (chosen at run time); only the increments are one by one. They go to several tables in turn, since
//! neighbouring values often share a counter and an increment must wait for the one before it. Zeros, subnormals, NaN
//! and the infinities need no branch: they fall into the first and the last row, and only if those rows say so is the
//! slice looked at again, for the exponents of subnormals and the signs of infinities.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::ExponentHistogram;
use super::advice::exponent_of;
use super::significand::{CLASSES, CODE_FRACTION_BITS, Row, class_of_code, code_of_fraction};

/// Values whose indices are computed together: the indices stay in the first-level cache.
const BLOCK: usize = 1024;
/// Rows are padded to a power of two, so that an index is a shift and an addition.
const COLUMNS_LOG2: u32 = 4;
/// One row per exponent field of FP32.
const TABLE: usize = 256 << COLUMNS_LOG2;
/// Values after which the 32-bit counters of the tables go to 64 bits, long before one can overflow.
const CHUNK: usize = 1 << 24;
/// Values from which several tables pay for being cleared and summed.
const SEVERAL_TABLES_FROM: usize = 1 << 13;
/// Values that one parallel task counts.
const TASK: usize = 1 << 18;

const EXPONENT_MASK: u32 = 0x7f80_0000;
const MAGNITUDE_MASK: u32 = 0x7fff_ffff;
const FRACTION_BITS: u32 = 23;
const BIAS: i32 = 127;

impl ExponentHistogram {
    /// Counts FP32 values on this thread.
    #[must_use]
    pub fn of_f32(values: &[f32]) -> Self {
        let mut histogram = Self::default();
        histogram.add_f32(values);
        histogram
    }

    /// Counts FP32 values on all threads of the current pool. The same counts as [`Self::of_f32`].
    #[must_use]
    pub fn of_f32_parallel(values: &[f32]) -> Self {
        let merge = |mut a: Self, b: Self| {
            a.merge(&b);
            a
        };
        values.par_chunks(TASK).map(Self::of_f32).reduce(Self::default, merge)
    }

    /// Counts further FP32 values.
    pub fn add_f32(&mut self, values: &[f32]) {
        for chunk in values.chunks(CHUNK) {
            if chunk.len() < SEVERAL_TABLES_FROM { self.add_chunk::<1>(chunk) } else { self.add_chunk::<4>(chunk) }
        }
    }

    /// Counts the values of FP16 bit patterns.
    #[must_use]
    pub fn of_f16_bits(bits: &[u16]) -> Self {
        Self::of_widened(bits, |bits| half::f16::from_bits(bits).to_f32())
    }

    /// Counts the values of BF16 bit patterns.
    #[must_use]
    pub fn of_bf16_bits(bits: &[u16]) -> Self {
        Self::of_widened(bits, |bits| f32::from_bits(u32::from(bits) << 16))
    }

    /// Widening to FP32 is exact, so narrow formats share its pass.
    fn of_widened(bits: &[u16], widen: impl Fn(u16) -> f32) -> Self {
        let mut histogram = Self::default();
        let mut block = [0.0; 4 * BLOCK];
        for part in bits.chunks(block.len()) {
            for (value, bits) in block.iter_mut().zip(part) {
                *value = widen(*bits);
            }
            histogram.add_f32(&block[..part.len()]);
        }
        histogram
    }

    /// Counts FP64 values: exponents and classes of the values as they are, not of their FP32 roundings.
    #[must_use]
    pub fn of_f64(values: &[f64]) -> Self {
        let mut histogram = Self::default();
        for value in values {
            match value.classify() {
                std::num::FpCategory::Nan => histogram.nan += 1,
                std::num::FpCategory::Infinite if *value > 0.0 => histogram.pos_inf += 1,
                std::num::FpCategory::Infinite => histogram.neg_inf += 1,
                std::num::FpCategory::Zero => histogram.zeros += 1,
                std::num::FpCategory::Normal | std::num::FpCategory::Subnormal => histogram.add_one(value.abs()),
            }
        }
        histogram
    }

    /// Counts one positive finite value, exactly.
    fn add_one(&mut self, magnitude: f64) {
        let exponent = exponent_of(magnitude);
        let fraction = (magnitude.to_bits() << 12) >> 12;
        // A subnormal's leading one is inside its fraction field: shift it out at the top.
        let shift = if exponent < -1022 { (-1022 - exponent) as u32 } else { 0 };
        let fraction = ((fraction << shift) << 12) >> 12;
        let mut row = [0; CLASSES];
        row[usize::from(class_of_code(code_of_fraction(fraction, 52)))] = 1;
        self.make_room(exponent..=exponent);
        self.add_row(exponent, &row);
        self.note_magnitudes(magnitude, magnitude);
    }

    fn add_chunk<const TABLES: usize>(&mut self, values: &[f32]) {
        let mut tables = [[0_u32; TABLE]; TABLES];
        let magnitudes = Arch::new().dispatch(Count { values, tables: &mut tables });
        let [first, others @ ..] = &mut tables[..] else { return };
        for table in others {
            for (sum, count) in first.iter_mut().zip(table) {
                *sum += *count;
            }
        }
        let row =
            |field: usize| -> Row { std::array::from_fn(|class| u64::from(first[(field << COLUMNS_LOG2) + class])) };
        self.zeros += row(0)[0];
        if row(0)[1..].iter().any(|count| *count > 0) {
            let subnormal = values.iter().map(|value| value.to_bits() & MAGNITUDE_MASK);
            for bits in subnormal.filter(|bits| (1..1 << FRACTION_BITS).contains(bits)) {
                self.add_one(f64::from(f32::from_bits(bits)));
            }
        }
        let infinite = row(255)[0];
        self.nan += row(255)[1..].iter().sum::<u64>();
        if infinite > 0 {
            let negative = values.iter().filter(|value| **value == f32::NEG_INFINITY).count() as u64;
            self.neg_inf += negative;
            self.pos_inf += infinite - negative;
        }
        let Some((amin, amax)) = magnitudes else { return };
        self.note_magnitudes(f64::from(f32::from_bits(amin)), f64::from(f32::from_bits(amax)));
        let (low, high) = ((amin >> FRACTION_BITS).max(1) as usize, (amax >> FRACTION_BITS) as usize);
        if low <= high {
            // No row outside the extremes has a count; amin's own may, where amin is subnormal, start above `low`.
            let low = (low..=high).find(|field| row(*field) != [0; CLASSES]).unwrap_or(high);
            self.make_room(low as i32 - BIAS..=high as i32 - BIAS);
            for field in low..=high {
                self.add_row(field as i32 - BIAS, &row(field));
            }
        }
    }
}

/// The pass, as a function that is compiled once per instruction set.
struct Count<'a, const TABLES: usize> {
    values: &'a [f32],
    tables: &'a mut [[u32; TABLE]; TABLES],
}

impl<const TABLES: usize> WithSimd for Count<'_, TABLES> {
    /// Bits of the smallest and the largest finite non-zero magnitude.
    type Output = Option<(u32, u32)>;

    #[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let mut indices = [0_u16; BLOCK];
        let (mut least, mut greatest) = (u32::MAX, 0);
        for block in self.values.chunks(BLOCK) {
            for (index, value) in indices.iter_mut().zip(block) {
                let magnitude = value.to_bits() & MAGNITUDE_MASK;
                // Zero wraps around to the largest integer, so it never is the least.
                least = least.min(magnitude.wrapping_sub(1));
                greatest = greatest.max(if magnitude < EXPONENT_MASK { magnitude } else { 0 });
                *index = table_index(magnitude);
            }
            let (groups, rest) = indices[..block.len()].as_chunks::<TABLES>();
            for group in groups {
                for (table, index) in self.tables.iter_mut().zip(group) {
                    table[usize::from(*index) % TABLE] += 1;
                }
            }
            for (table, index) in self.tables.iter_mut().zip(rest) {
                table[usize::from(*index) % TABLE] += 1;
            }
        }
        (greatest > 0).then_some((least.wrapping_add(1), greatest))
    }
}

/// Where a magnitude is counted: row by exponent field, column by class.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
fn table_index(magnitude: u32) -> u16 {
    let below = FRACTION_BITS - CODE_FRACTION_BITS;
    let sticky = u32::from(magnitude & ((1 << below) - 1) != 0);
    let code = ((magnitude >> below << 1) as u16 & ((2 << CODE_FRACTION_BITS) - 1)) | sticky as u16;
    ((magnitude >> FRACTION_BITS) as u16) << COLUMNS_LOG2 | class_of_code(code)
}
