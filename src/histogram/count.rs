//! The pass over the values.
//!
//! A value's row is its exponent field. Its column is, for nearly all values, simply the top four bits of its fraction: the
//! borders of the significand classes up to 1.875 lie on sixteenths. A vector comparison finds the blocks in which some
//! value needs more than that (it lies within 2^-7 of the next power of two, or exactly on a border that excludes it, or
//! is subnormal); those blocks, one in five of FP32 results, are counted by class in tables of their own.
//!
//! Everything but the increments is integer operations on many values at once, in loops that the compiler turns into vector
//! code for the widest instructions the processor has (chosen at run time). Increments go to several tables in turn, since
//! neighbouring values often share a counter and an increment must wait for the one before it. Zeros, NaN and the infinities
//! need no branch: they fall into the first and the last row, and only if those rows say so is the slice looked at again, for
//! the exponents of subnormals and the signs of infinities.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::ExponentHistogram;
use super::advice::exponent_of;
use super::significand::{CLASSES, CODE_FRACTION_BITS, Row, class_of_code, code_of_fraction};

/// Values that are looked at together: few enough that most blocks need no classes, and that the processor starts on the
/// next block's loads while it still increments counters for this one.
const BLOCK: usize = 32;
/// Values of a narrower format that are widened together.
const WIDENED: usize = 4096;
/// Rows are padded to a power of two, so that an index is a shift and an addition.
const COLUMNS_LOG2: u32 = 4;
/// One row per exponent field of FP32.
const TABLE: usize = 256 << COLUMNS_LOG2;
/// 32-bit counters by row and column.
type Table = [u32; TABLE];
/// How many tables take increments in turn.
const TABLES: usize = 4;
/// Values after which the 32-bit counters of the tables go to 64 bits, long before one can overflow.
const CHUNK: usize = 1 << 24;
/// Values from which several tables pay for being cleared and summed.
const SEVERAL_TABLES_FROM: usize = 1 << 13;
/// Values that one parallel task counts.
const TASK: usize = 1 << 20;

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
            if chunk.len() < SEVERAL_TABLES_FROM { self.add_small(chunk) } else { self.add_large(chunk) }
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
        let mut block = [0.0; WIDENED];
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

    fn add_small(&mut self, values: &[f32]) {
        let mut by_class = [[0; TABLE]];
        let magnitudes = Arch::new().dispatch(Count { values, by_class: &mut by_class, by_column: None });
        self.add_counts(values, &by_class[0], &[0; TABLE], magnitudes);
    }

    #[expect(
        clippy::large_stack_arrays,
        reason = "128 KiB of a thread's stack; on the heap they would be allocated per task"
    )]
    fn add_large(&mut self, values: &[f32]) {
        let (mut by_class, mut by_column) = ([[0; TABLE]; TABLES], [[0; TABLE]; TABLES]);
        let magnitudes =
            Arch::new().dispatch(Count { values, by_class: &mut by_class, by_column: Some(&mut by_column) });
        for tables in [&mut by_class, &mut by_column] {
            let [sum, others @ ..] = tables;
            for table in others {
                for (sum, count) in sum.iter_mut().zip(table) {
                    *sum += *count;
                }
            }
        }
        self.add_counts(values, &by_class[0], &by_column[0], magnitudes);
    }

    /// Adds the counts of `values`, of which `magnitudes` are the smallest and the largest finite non-zero one.
    fn add_counts(&mut self, values: &[f32], by_class: &Table, by_column: &Table, magnitudes: Option<(u32, u32)>) {
        let row = |field: usize| -> Row {
            let cells = field << COLUMNS_LOG2..(field + 1) << COLUMNS_LOG2;
            let mut row: Row = std::array::from_fn(|class| u64::from(by_class[cells.start + class]));
            for (column, count) in by_column[cells].iter().enumerate() {
                row[class_of_column(column)] += u64::from(*count);
            }
            row
        };
        // Only zeros have an exponent field of 0 and no class; a zero fraction is column 0 elsewhere too.
        self.zeros += u64::from(by_column[0]);
        self.zeros += u64::from(by_class[0]);
        if by_class[1..CLASSES].iter().any(|count| *count > 0) {
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

/// The class of every value of a column, given that its block needed no classes.
const fn class_of_column(column: usize) -> usize {
    match column {
        0..=11 => 1,
        12 => 2,
        13 => 3,
        _ => 4,
    }
}

/// The pass, as a function that is compiled once per instruction set.
struct Count<'a, const TABLES: usize> {
    values: &'a [f32],
    by_class: &'a mut [Table; TABLES],
    /// Without these, all blocks are counted by class.
    by_column: Option<&'a mut [Table; TABLES]>,
}

impl<const TABLES: usize> WithSimd for Count<'_, TABLES> {
    /// Bits of the smallest and the largest finite non-zero magnitude.
    type Output = Option<(u32, u32)>;

    #[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let (blocks, rest) = self.values.as_chunks::<BLOCK>();
        let mut extremes = Extremes { least: u32::MAX, greatest: 0 };
        match self.by_column {
            Some(by_column) => count_either_way(blocks, self.by_class, by_column, &mut extremes),
            None => {
                for block in blocks {
                    look_at(block, &mut extremes);
                    count_classes(block, self.by_class);
                }
            }
        }
        // What remains goes one by one, so that the block's length is a constant of the loops above.
        for value in rest {
            look_at(&[*value], &mut extremes);
            count_classes(&[*value], self.by_class);
        }
        (extremes.greatest > 0).then_some((extremes.least.wrapping_add(1), extremes.greatest))
    }
}

/// Counts each block by column, or by class where it must be. A function of its own, so that the compiler knows that the tables
/// lie apart from each other and from the values.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
fn count_either_way<const TABLES: usize>(
    blocks: &[[f32; BLOCK]],
    by_class: &mut [Table; TABLES],
    by_column: &mut [Table; TABLES],
    extremes: &mut Extremes,
) {
    let mut seen = *extremes;
    for block in blocks {
        if look_at(block, &mut seen) {
            count_classes(block, by_class);
        } else {
            count_columns(block, by_column);
        }
    }
    *extremes = seen;
}

/// Bits of the greatest finite magnitude so far, and of the least non-zero one less 1: zero then wraps around to the
/// largest integer and never is the least.
#[derive(Clone, Copy)]
struct Extremes {
    least: u32,
    greatest: u32,
}

/// Widens the extremes, and says whether the class of any value does not follow from its column.
#[inline(always)]
fn look_at<const VALUES: usize>(block: &[f32; VALUES], extremes: &mut Extremes) -> bool {
    // With the fraction at the top of the word: 2 − 2^-7, the one excluded border (1.8125), and the other (1, that is 0).
    const TOP: u32 = 0xfe00_0000;
    const TIE: u32 = 0xd000_0000;
    let mut any = 0;
    for value in block {
        let magnitude = value.to_bits() & MAGNITUDE_MASK;
        let less_one = magnitude.wrapping_sub(1);
        extremes.least = extremes.least.min(less_one);
        extremes.greatest = extremes.greatest.max(if magnitude < EXPONENT_MASK { magnitude } else { 0 });
        let fraction = value.to_bits() << 9;
        // A fraction of 0 wraps around to the largest integer.
        let border = u32::from(fraction.wrapping_sub(1) >= TOP - 1) | u32::from(fraction == TIE);
        let subnormal = u32::from(less_one < (1 << FRACTION_BITS) - 1);
        any |= (border & u32::from(magnitude != 0)) | subnormal;
    }
    any != 0
}

/// Counts by exponent field and the top four bits of the fraction.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
fn count_columns<const VALUES: usize, const TABLES: usize>(block: &[f32; VALUES], tables: &mut [[u32; TABLE]; TABLES]) {
    let (groups, rest) = block.as_chunks::<TABLES>();
    for group in groups {
        for (table, value) in tables.iter_mut().zip(group) {
            table[column_index(*value)] += 1;
        }
    }
    for (table, value) in tables.iter_mut().zip(rest) {
        table[column_index(*value)] += 1;
    }
}

/// The twelve bits after the sign.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
fn column_index(value: f32) -> usize {
    (value.to_bits() << 1 >> (1 + FRACTION_BITS - COLUMNS_LOG2)) as usize % TABLE
}

/// Counts by exponent field and class.
#[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
#[inline(always)]
fn count_classes<const VALUES: usize, const TABLES: usize>(block: &[f32; VALUES], tables: &mut [[u32; TABLE]; TABLES]) {
    let mut indices = [0_u16; VALUES];
    for (index, value) in indices.iter_mut().zip(block) {
        *index = table_index(value.to_bits() & MAGNITUDE_MASK);
    }
    let (groups, rest) = indices.as_chunks::<TABLES>();
    for group in groups {
        for (table, index) in tables.iter_mut().zip(group) {
            table[usize::from(*index) % TABLE] += 1;
        }
    }
    for (table, index) in tables.iter_mut().zip(rest) {
        table[usize::from(*index) % TABLE] += 1;
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
