//! Checks a scaled gradient for values that are not finite, and multiplies it by 1/S.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::view::{PIECE, View, for_blocks, pieces};

/// Multiplies `out` by `inverse` (not at all if that is 1) and returns whether any value was not finite *before*. `out` is
/// filled from `x` first, unless it holds the gradient already.
pub(in super::super) fn unscale(x: Option<View<'_>>, out: &mut [f32], inverse: f32) -> bool {
    let found = AtomicBool::new(false);
    for_blocks((out, x), &|(out, x): (&mut [f32], Option<View<'_>>)| {
        let bad = pulp::Arch::new().dispatch(|| {
            let mut scratch = [0.0; PIECE];
            let mut bad = false;
            for range in pieces(out.len()) {
                let out = &mut out[range.clone()];
                if let Some(x) = x {
                    out.copy_from_slice(x.widened(range, &mut scratch));
                }
                // All exponent bits set means infinity or NaN: an integer test, which no compiler may assume away.
                let worst = out.iter().fold(0, |worst: u32, value| worst.max(value.to_bits() & 0x7f80_0000));
                bad |= worst == 0x7f80_0000;
                if inverse != 1.0 {
                    for value in out {
                        *value *= inverse;
                    }
                }
            }
            bad
        });
        if bad {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}
