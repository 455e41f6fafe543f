//! Scales all gradients down to a largest common norm, as torch's `clip_grad_norm_` does.

use super::super::view::{PIECE, View, ViewMut, for_blocks, pieces};

/// Sum of squares in FP64, in pieces of a fixed size, in order.
pub(in super::super) fn sum_of_squares(x: View<'_>, elements: usize) -> f64 {
    let mut scratch = [0.0; PIECE];
    let mut sum = 0.0;
    for range in pieces(elements) {
        let values = x.widened(range, &mut scratch);
        sum += pulp::Arch::new().dispatch(|| {
            let mut lanes = [0.0_f64; 8];
            for group in values.chunks(8) {
                for (lane, &value) in lanes.iter_mut().zip(group) {
                    *lane += f64::from(value) * f64::from(value);
                }
            }
            lanes.iter().sum::<f64>()
        });
    }
    sum
}

/// The factor for gradients of this total sum of squares: `max_norm / (norm + 1e-6)`, at most 1. NaN if the norm is.
pub(in super::super) fn factor(sum_of_squares: f64, max_norm: f32) -> f32 {
    let norm = sum_of_squares.sqrt() as f32;
    let factor = max_norm / (norm + 1e-6);
    if factor > 1.0 { 1.0 } else { factor }
}

/// Multiplies a gradient by a factor, rounding to its storage.
pub(in super::super) fn clip_norm(grad: ViewMut<'_>, factor: f32) {
    for_blocks(grad, &|mut grad: ViewMut<'_>| {
        let length = super::super::view::Split::extent(&grad).unwrap_or(0);
        let (mut scratch, mut clipped) = ([0.0; PIECE], [0.0; PIECE]);
        for range in pieces(length) {
            let clipped = &mut clipped[..range.len()];
            clipped.copy_from_slice(grad.view().widened(range.clone(), &mut scratch));
            for value in &mut *clipped {
                *value *= factor;
            }
            grad.store(range.start, clipped);
        }
    });
}
