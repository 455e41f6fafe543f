//! Adam with bias correction (Kingma and Ba 2015), in the order of operations of torch's `_single_tensor_adam`.

use std::ops::Range;

use super::super::view::{PIECE, Split, View, ViewMut, for_blocks, pieces, round_to};
use super::sgd::apply;
use crate::train::program::Adam;

/// What one step needs to know beside the tensors.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct AdamStep {
    pub constants: Adam,
    pub learning_rate: f32,
    /// β1^t and β2^t of this step, t from 1.
    pub powers: [f64; 2],
}

/// Weight, gradient, first moment, second moment, update.
type Work<'a> = ((ViewMut<'a>, View<'a>), ((ViewMut<'a>, ViewMut<'a>), Option<ViewMut<'a>>));

/// Takes one step. Moments and weight are rounded to their storage; so is the denominator, to that of the moments: with FP16
/// moments ε = 1e-8 is zero and 0/0 a NaN, as in a model that was turned to FP16 as a whole.
pub(in super::super) fn adam(work: Work<'_>, step: AdamStep) {
    for_blocks(work, &|((mut weight, grad), ((mut first, mut second), mut update)): Work<'_>| {
        pulp::Arch::new().dispatch(|| {
            let mut pieces_of = Pieces::default();
            for range in pieces(grad.extent().unwrap_or(0)) {
                pieces_of.moments(range.clone(), grad, &mut first, &mut second, step);
                let delta = pieces_of.delta(range.clone(), &first, &second, step);
                if let Some(update) = &mut update {
                    update.store(range.start, delta);
                }
                apply(&mut weight, range, &pieces_of.delta, &mut pieces_of.grad, &mut pieces_of.wide);
            }
        });
    });
}

/// Scratch for one piece.
struct Pieces {
    grad: [f32; PIECE],
    wide: [f32; PIECE],
    delta: [f32; PIECE],
    denominator: [f32; PIECE],
}

impl Default for Pieces {
    fn default() -> Self {
        Self { grad: [0.0; PIECE], wide: [0.0; PIECE], delta: [0.0; PIECE], denominator: [0.0; PIECE] }
    }
}

impl Pieces {
    /// `m = β1·m + (1 − β1)·g; v = β2·v + (1 − β2)·g²`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled into each SIMD width of its caller")]
    fn moments(
        &mut self,
        range: Range<usize>,
        grad: View<'_>,
        first: &mut ViewMut<'_>,
        second: &mut ViewMut<'_>,
        step: AdamStep,
    ) {
        let Adam { beta1, beta2, .. } = step.constants;
        let (rest1, rest2) = ((1.0 - beta1) as f32, (1.0 - beta2) as f32);
        let (beta1, beta2) = (beta1 as f32, beta2 as f32);
        let grads = grad.widened(range.clone(), &mut self.grad);
        let next = &mut self.denominator[..range.len()];
        let before = first.view().widened(range.clone(), &mut self.wide);
        for ((next, &before), &grad) in next.iter_mut().zip(before).zip(grads) {
            *next = beta1 * before + rest1 * grad;
        }
        first.store(range.start, next);
        let before = second.view().widened(range.clone(), &mut self.wide);
        for ((next, &before), &grad) in next.iter_mut().zip(before).zip(grads) {
            *next = beta2 * before + rest2 * grad * grad;
        }
        second.store(range.start, next);
    }

    /// `update = −lr/(1 − β1^t) · m / (√v / √(1 − β2^t) + ε)`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled into each SIMD width of its caller")]
    fn delta(&mut self, range: Range<usize>, first: &ViewMut<'_>, second: &ViewMut<'_>, step: AdamStep) -> &[f32] {
        let [power1, power2] = step.powers;
        let step_size = (f64::from(step.learning_rate) / (1.0 - power1)) as f32;
        let correction = (1.0 - power2).sqrt() as f32;
        let storage = second.storage();
        let denominator = &mut self.denominator[..range.len()];
        let squares = second.view().widened(range.clone(), &mut self.wide);
        for (denominator, &square) in denominator.iter_mut().zip(squares) {
            *denominator = square.sqrt() / correction;
        }
        round_to(storage, denominator);
        for denominator in &mut *denominator {
            *denominator += step.constants.epsilon;
        }
        round_to(storage, denominator);
        let moments = first.view().widened(range.clone(), &mut self.wide);
        let delta = &mut self.delta[..range.len()];
        for ((delta, &moment), &denominator) in delta.iter_mut().zip(moments).zip(&*denominator) {
            *delta = -step_size * (moment / denominator);
        }
        delta
    }
}
