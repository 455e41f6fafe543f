//! `out[0, c] = Σ_r x[r, c]`, in order of r.

use super::super::view::{View, round_to};
use super::matmul::add_to_odd;
use crate::train::config::{Accumulate, Storage};

/// Sums the rows of `x` into `out`, whose length is the number of columns. `wide` has room for a row.
pub(in super::super) fn sum_rows(x: View<'_>, rows: usize, out: &mut [f32], accumulate: Accumulate, wide: &mut [f32]) {
    let columns = out.len();
    out.fill(0.0);
    for row in 0..rows {
        let values = x.widened(row * columns..(row + 1) * columns, wide);
        match accumulate {
            Accumulate::Fp32 => pulp::Arch::new().dispatch(|| {
                for (sum, &value) in out.iter_mut().zip(values) {
                    *sum += value;
                }
            }),
            Accumulate::Fp16 => {
                for (sum, &value) in out.iter_mut().zip(values) {
                    *sum = add_to_odd(*sum, value);
                }
                round_to(Storage::Fp16, out);
            }
        }
    }
}
