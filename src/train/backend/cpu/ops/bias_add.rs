//! `out[r, c] = x[r, c] + bias[c]`, in place or beside.

use super::super::view::View;

/// Adds a bias to every row of `out`, which holds x. `bias` has at most `wide.len()` values.
pub(in super::super) fn bias_add(out: &mut [f32], bias: View<'_>, columns: usize, wide: &mut [f32]) {
    let bias = bias.widened(0..columns, wide);
    pulp::Arch::new().dispatch(|| {
        for row in out.chunks_exact_mut(columns) {
            for (value, &bias) in row.iter_mut().zip(bias) {
                *value += bias;
            }
        }
    });
}
