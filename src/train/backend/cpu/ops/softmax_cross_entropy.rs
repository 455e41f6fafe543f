//! Softmax, mean cross-entropy and the gradient of the logits, in FP64 inside and rounded once.

use rayon::prelude::*;

use super::super::math::{exp, ln};
use crate::train::backend::score::largest_and_sum;

/// Rows that one task works on.
const ROWS: usize = 64;

/// What is written beside the gradient: the loss of every row.
#[derive(Debug)]
pub(in super::super) struct LossRows<'a> {
    pub losses: &'a mut [f64],
    pub labels: &'a [u8],
    pub classes: usize,
}

/// Turns the logits in `grad` into `(softmax − onehot)·factor` and returns the mean loss in nats, before any weight or
/// scale. Rows are summed in order, whoever computed them.
pub(in super::super) fn softmax_cross_entropy(grad: &mut [f32], rows: LossRows<'_>, factor: f32) -> f32 {
    let LossRows { losses, labels, classes } = rows;
    let blocks = grad.par_chunks_mut(ROWS * classes).zip(losses.par_chunks_mut(ROWS)).zip(labels.par_chunks(ROWS));
    blocks.for_each(|((grad, losses), labels)| {
        for ((row, loss), &label) in grad.chunks_exact_mut(classes).zip(losses).zip(labels) {
            *loss = gradient_of_row(row, usize::from(label), factor);
        }
    });
    (losses.iter().sum::<f64>() / losses.len() as f64) as f32
}

/// One row: returns its loss.
fn gradient_of_row(row: &mut [f32], label: usize, factor: f32) -> f64 {
    let (largest, sum) = largest_and_sum(row);
    let loss = ln(sum) + largest - f64::from(row[label]);
    for (class, value) in row.iter_mut().enumerate() {
        let probability = (exp(f64::from(*value) - largest) / sum) as f32;
        let target = if class == label { 1.0 } else { 0.0 };
        *value = (probability - target) * factor;
    }
    loss
}
