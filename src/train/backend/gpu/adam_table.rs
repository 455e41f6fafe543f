//! Adam's bias corrections by the number of steps taken.
//!
//! They are FP64 formulas, which many graphics processors cannot compute; and how many steps were taken only the device
//! knows. So the host computes them all, in the same operations as on the processor, up to where they do not change any more.

use crate::train::program::Adam;

/// Longest table, 16 MiB. Reached only with β2 above 0.99998; from its end on the corrections stay what they are there.
const LONGEST: usize = 1 << 21;

/// For each number of steps taken so far: the step size lr / (1 − β1^t) and √(1 − β2^t), with t one more.
pub(super) fn corrections(adam: Adam, learning_rate: f32) -> Vec<[f32; 2]> {
    let (mut power1, mut power2) = (1.0_f64, 1.0_f64);
    let mut table = Vec::new();
    while table.len() < LONGEST {
        power1 *= adam.beta1;
        power2 *= adam.beta2;
        let step_size = (f64::from(learning_rate) / (1.0 - power1)) as f32;
        table.push([step_size, (1.0 - power2).sqrt() as f32]);
        // 1 − β^t is 1 from here on.
        if power1.max(power2) < f64::EPSILON / 4.0 {
            break;
        }
    }
    table
}
