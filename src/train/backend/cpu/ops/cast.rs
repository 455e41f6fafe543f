//! `out = round(x)` to a storage format: to nearest even or at random, subnormals kept or flushed.

use std::ops::Range;

use super::super::view::{PIECE, View, ViewMut, for_blocks, pieces};
use crate::train::config::{CastRounding, Storage};
use crate::train::rng::element_bits;

/// How one cast of one step rounds.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Casting {
    pub rounding: CastRounding,
    pub flush: bool,
    /// Seeds the random bits of this cast in this step.
    pub key: u64,
}

/// Casts `x` into `out`, which has as many values.
pub(in super::super) fn cast(x: View<'_>, out: ViewMut<'_>, casting: Casting) {
    let indices = 0..x_len(x);
    for_blocks(((out, x), indices), &|((mut out, x), indices): ((ViewMut<'_>, View<'_>), Range<usize>)| {
        block(x, &mut out, indices.start, casting);
    });
}

fn x_len(x: View<'_>) -> usize {
    super::super::view::Split::extent(&x).unwrap_or(0)
}

/// Casts one block that starts at element `first` of the tensor.
fn block(x: View<'_>, out: &mut ViewMut<'_>, first: usize, casting: Casting) {
    let mut scratch = [0.0; PIECE];
    for range in pieces(x_len(x)) {
        let values = x.widened(range.clone(), &mut scratch);
        match (casting.rounding, out.storage()) {
            (CastRounding::NearestEven, _) | (_, Storage::Fp32) => out.store(range.start, values),
            (CastRounding::Stochastic, storage) => {
                let random = |index: usize| element_bits(casting.key, (first + range.start + index) as u64);
                if let ViewMut::F16(to) | ViewMut::Bf16(to) = out {
                    let to = &mut to[range.clone()];
                    for (index, (to, &value)) in to.iter_mut().zip(values).enumerate() {
                        *to = stochastic(value, storage, random(index));
                    }
                }
            }
        }
        if casting.flush {
            flush(out, range);
        }
    }
}

/// Turns subnormals into zeros of the same sign.
fn flush(out: &mut ViewMut<'_>, range: Range<usize>) {
    match out {
        ViewMut::F32(values) => {
            for value in &mut values[range] {
                *value = if value.is_subnormal() { 0.0_f32.copysign(*value) } else { *value };
            }
        }
        ViewMut::F16(bits) => clear(&mut bits[range], 0x7c00),
        ViewMut::Bf16(bits) => clear(&mut bits[range], 0x7f80),
    }
}

/// Clears the fraction where the exponent field is zero.
fn clear(bits: &mut [u16], exponent_field: u16) {
    for value in bits {
        *value = if *value & exponent_field == 0 { *value & 0x8000 } else { *value };
    }
}

/// Rounds up with the probability of the discarded part (in steps of 2^-32), else down, in magnitude. Overflow gives
/// infinity when rounding up past the largest finite value; from the next power of two on always.
fn stochastic(value: f32, storage: Storage, random: u32) -> u16 {
    let (fraction_bits, min_exponent, infinity) = match storage {
        Storage::Bf16 => (7, -126, 0x7f80_u32),
        Storage::Fp16 | Storage::Fp32 => (10, -14, 0x7c00),
    };
    let bits = value.to_bits();
    let (sign, magnitude) = ((bits >> 16) & 0x8000, bits & 0x7fff_ffff);
    if magnitude > 0x7f80_0000 {
        return (sign | infinity | 1 << (fraction_bits - 1)) as u16;
    }
    let field = (magnitude >> 23).max(1) as i32;
    let hidden = if magnitude >> 23 == 0 { 0 } else { 1 << 23 };
    let significand = u64::from(magnitude & 0x7f_ffff) | hidden;
    let exponent = field - 127;
    // The result counts steps of 2^(max(exponent, min_exponent) − fraction_bits), which are also its bit patterns.
    let steps_of = exponent.max(min_exponent);
    let drop = (23 - fraction_bits + (steps_of - exponent)).min(63) as u32;
    let kept = significand >> drop;
    let rest = significand - (kept << drop);
    let threshold = if drop <= 32 { rest << (32 - drop) } else { rest >> (drop - 32) };
    let up = u64::from(u64::from(random) < threshold);
    let base = ((steps_of - min_exponent) as u64) << fraction_bits;
    (sign | ((base + kept + up) as u32).min(infinity)) as u16
}
