//! `out = A·B`: faer's product in FP32, or a sum that is rounded to FP16 after every addition.

use std::num::NonZeroUsize;

use faer::linalg::matmul::matmul as faer_matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::super::view::{View, round_to};
use crate::train::config::Accumulate;

/// One product: (M×K)·(K×N), operands row-major as stored, then transposed if asked for.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Product<'a> {
    pub a: View<'a>,
    pub b: View<'a>,
    pub a_shape: (usize, usize),
    pub b_shape: (usize, usize),
    pub transpose_a: bool,
    pub transpose_b: bool,
    pub accumulate: Accumulate,
    pub tf32: bool,
}

/// Writes the product to `out` (M×N). `scratch` has room for both operands in FP32.
pub(in super::super) fn matmul(product: Product<'_>, out: &mut [f32], scratch: &mut [Vec<f32>; 2]) {
    let [scratch_a, scratch_b] = scratch;
    let a = widen(product.a, product.a_shape, product.tf32, scratch_a);
    let b = widen(product.b, product.b_shape, product.tf32, scratch_b);
    let oriented = |values, shape: (usize, usize), transpose| {
        let matrix = MatRef::from_row_major_slice(values, shape.0, shape.1);
        if transpose { matrix.transpose() } else { matrix }
    };
    let a = oriented(a, product.a_shape, product.transpose_a);
    let b = oriented(b, product.b_shape, product.transpose_b);
    match product.accumulate {
        Accumulate::Fp32 => {
            let out = MatMut::from_row_major_slice_mut(out, a.nrows(), b.ncols());
            let par = NonZeroUsize::new(rayon::current_num_threads()).map_or(Par::Seq, Par::Rayon);
            faer_matmul(out, Accum::Replace, a, b, 1.0, par);
        }
        Accumulate::Fp16 => {
            let columns = b.ncols();
            out.par_chunks_mut(columns).enumerate().for_each(|(row, out)| sum_in_fp16(a.row(row).transpose(), b, out));
        }
    }
}

/// One row of the product: `out[n] = Σ_k a[k]·b[k, n]` in order of k, each partial sum rounded to FP16 once.
fn sum_in_fp16(a: faer::ColRef<'_, f32>, b: MatRef<'_, f32>, out: &mut [f32]) {
    out.fill(0.0);
    for (k, &factor) in a.iter().enumerate() {
        let row = b.row(k);
        for (sum, &value) in out.iter_mut().zip(row.iter()) {
            *sum = add_to_odd(*sum, factor * value);
        }
        round_to(crate::train::config::Storage::Fp16, out);
    }
}

/// `x + y` in FP32, rounded to odd: rounding the result to FP16 then gives the FP16 nearest to the exact sum. (Rounding
/// twice to nearest would not: the first rounding can land on a tie of the second.)
#[inline]
pub(super) fn add_to_odd(x: f32, y: f32) -> f32 {
    let sum = x + y;
    let back = sum - x;
    let error = (x - (sum - back)) + (y - back); // exact (Knuth's two-sum)
    let bits = sum.to_bits();
    let toward_error = if (error > 0.0) == (sum > 0.0) { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    let fix = error != 0.0 && error.is_finite() && bits & 1 == 0;
    f32::from_bits(if fix { toward_error } else { bits })
}

/// The nearest TF32, ties to even: FP32 without its last 13 fraction bits. NaN stays NaN.
#[inline]
fn tf32(value: f32) -> f32 {
    let bits = value.to_bits();
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return value;
    }
    f32::from_bits((bits + 0xfff + ((bits >> 13) & 1)) & !0x1fff)
}

/// An operand as FP32: itself, or widened (or rounded to TF32) into `scratch` by all threads.
fn widen<'a>(view: View<'a>, shape: (usize, usize), round: bool, scratch: &'a mut [f32]) -> &'a [f32] {
    let elements = shape.0 * shape.1;
    if let View::F32(values) = view {
        if !round {
            return values;
        }
        let target = &mut scratch[..elements];
        super::super::view::for_blocks((view, &mut *target), &|(view, target): (View<'_>, &mut [f32])| {
            if let View::F32(values) = view {
                for (target, &value) in target.iter_mut().zip(values) {
                    *target = tf32(value);
                }
            }
        });
        return target;
    }
    let target = &mut scratch[..elements];
    super::super::view::for_blocks((view, &mut *target), &|(view, target): (View<'_>, &mut [f32])| {
        view.widened(0..target.len(), target);
    });
    target
}
