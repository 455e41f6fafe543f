//! `out = max(x, 0)` and its gradient.

use super::super::view::{PIECE, View, ViewMut, for_blocks, pieces};

/// Clears what is not above zero in `out`, which holds x; NaN stays NaN.
pub(in super::super) fn relu(out: ViewMut<'_>) {
    for_blocks(out, &|block: ViewMut<'_>| {
        pulp::Arch::new().dispatch(|| match block {
            ViewMut::F32(values) => {
                for value in values {
                    *value = if *value <= 0.0 { 0.0 } else { *value };
                }
            }
            ViewMut::F16(bits) => clear_negative(bits, 0x7c00),
            ViewMut::Bf16(bits) => clear_negative(bits, 0x7f80),
        });
    });
}

/// Zeroes what has its sign bit set and is no NaN; `infinity` is the format's.
#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled into each SIMD width of its caller")]
fn clear_negative(bits: &mut [u16], infinity: u16) {
    for value in bits {
        let keep = *value & 0x8000 == 0 || *value & 0x7fff > infinity;
        *value = if keep { *value } else { 0 };
    }
}

/// Clears the gradient in `out`, which holds it, where the `output` of the `ReLU` is not above zero.
pub(in super::super) fn relu_grad(out: &mut [f32], output: View<'_>) {
    for_blocks((out, output), &|(out, output): (&mut [f32], View<'_>)| {
        pulp::Arch::new().dispatch(|| {
            let mut scratch = [0.0; PIECE];
            for range in pieces(out.len()) {
                let output = output.widened(range.clone(), &mut scratch);
                for (grad, &output) in out[range].iter_mut().zip(output) {
                    *grad = if output <= 0.0 { 0.0 } else { *grad };
                }
            }
        });
    });
}
