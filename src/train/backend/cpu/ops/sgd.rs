//! `v = momentum·v + grad; update = −lr·v; weight += update`.

use super::super::view::{PIECE, Split, View, ViewMut, for_blocks, pieces};

/// What one block of an SGD step works on: weight, gradient, velocity, update.
type Work<'a> = ((ViewMut<'a>, View<'a>), (Option<ViewMut<'a>>, Option<ViewMut<'a>>));

/// Takes one step. Velocity and weight are rounded to their storage, the update is not.
pub(in super::super) fn sgd(work: Work<'_>, learning_rate: f32, momentum: f32) {
    for_blocks(work, &|((mut weight, grad), (mut velocity, mut update)): Work<'_>| {
        pulp::Arch::new().dispatch(|| {
            let (mut wide_grad, mut wide_weight, mut wide_velocity) = ([0.0; PIECE], [0.0; PIECE], [0.0; PIECE]);
            let (mut delta, mut moved) = ([0.0; PIECE], [0.0; PIECE]);
            for range in pieces(grad.extent().unwrap_or(0)) {
                let delta = &mut delta[..range.len()];
                let grads = grad.widened(range.clone(), &mut wide_grad);
                if let Some(velocity) = &mut velocity {
                    let before = velocity.view().widened(range.clone(), &mut wide_velocity);
                    for ((delta, &before), &grad) in delta.iter_mut().zip(before).zip(grads) {
                        *delta = momentum * before + grad;
                    }
                    velocity.store(range.start, delta);
                    delta.copy_from_slice(velocity.view().widened(range.clone(), &mut wide_velocity));
                } else {
                    delta.copy_from_slice(grads);
                }
                for delta in &mut *delta {
                    *delta *= -learning_rate;
                }
                if let Some(update) = &mut update {
                    update.store(range.start, delta);
                }
                apply(&mut weight, range, delta, &mut wide_weight, &mut moved);
            }
        });
    });
}

/// `weight += delta`, rounded to the weight's storage. The two scratch pieces hold the weight before and after.
#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled into each SIMD width of its caller")]
pub(super) fn apply(
    weight: &mut ViewMut<'_>,
    range: std::ops::Range<usize>,
    delta: &[f32],
    before: &mut [f32],
    after: &mut [f32],
) {
    if let ViewMut::F32(weights) = weight {
        for (weight, &delta) in weights[range].iter_mut().zip(delta) {
            *weight += delta;
        }
        return;
    }
    let after = &mut after[..range.len()];
    let before = weight.view().widened(range.clone(), before);
    for ((after, &before), &delta) in after.iter_mut().zip(before).zip(delta) {
        *after = before + delta;
    }
    weight.store(range.start, after);
}
