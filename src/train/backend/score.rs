//! The answers of an evaluation, counted alike by all backends.

use super::Score;
use super::cpu::{exp, ln};

impl Score {
    /// Counts one image.
    pub(super) fn add(&mut self, logits: &[f32], label: usize) {
        self.loss_sum += cross_entropy(logits, label);
        self.correct += u64::from(largest(logits) == Some(label));
    }
}

/// The largest logit and Σ e^(logit − largest). A NaN or +∞ among the logits makes the sum NaN, as in torch.
pub(super) fn largest_and_sum(row: &[f32]) -> (f64, f64) {
    let largest = f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum = row.iter().map(|&logit| exp(f64::from(logit) - largest)).sum();
    (largest, sum)
}

/// The cross-entropy of one image in nats.
fn cross_entropy(row: &[f32], label: usize) -> f64 {
    let (largest, sum) = largest_and_sum(row);
    ln(sum) + largest - f64::from(row[label])
}

/// Index of the largest value, the first of equals; `None` if any is NaN.
fn largest(row: &[f32]) -> Option<usize> {
    if row.iter().any(|value| value.is_nan()) {
        return None;
    }
    let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter().position(|&value| value == largest)
}
