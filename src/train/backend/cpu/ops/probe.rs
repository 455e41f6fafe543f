//! The exponent histogram of a tensor, and what its twin has that it lost.

use super::super::view::{BLOCK, PIECE, Split, View, pieces};
use crate::histogram::ExponentHistogram;

/// Counts a tensor, and the values that are zero in it but not in its twin.
pub(in super::super) fn probe(tensor: View<'_>, twin: Option<View<'_>>) -> (ExponentHistogram, Option<u64>) {
    (histogram(tensor), twin.map(|twin| lost(tensor, twin)))
}

/// Counts on as many threads as pay for a table of their own; counts do not depend on how the values were divided.
fn histogram(tensor: View<'_>) -> ExponentHistogram {
    let length = tensor.extent().unwrap_or(0);
    counted(tensor, rayon::current_num_threads().min(length / (2 * BLOCK)))
}

/// Counts in this many parts at once.
fn counted(tensor: View<'_>, parts: usize) -> ExponentHistogram {
    let length = tensor.extent().unwrap_or(0);
    if parts > 1 {
        let first = parts / 2;
        let (left, right) = tensor.split(length / parts * first);
        let (mut counts, others) = rayon::join(|| counted(left, first), || counted(right, parts - first));
        counts.merge(&others);
        return counts;
    }
    if let View::F32(values) = tensor {
        return ExponentHistogram::of_f32(values);
    }
    let mut counts = ExponentHistogram::default();
    let mut wide = vec![0.0; BLOCK];
    for start in (0..length).step_by(BLOCK) {
        counts.add_f32(tensor.widened(start..(start + BLOCK).min(length), &mut wide));
    }
    counts
}

/// Values that are zero here but not there.
fn lost(here: View<'_>, there: View<'_>) -> u64 {
    let length = here.extent().unwrap_or(0);
    if length > BLOCK {
        let ((here, there), (more_here, more_there)) = (here, there).split(length / 2);
        let (some, more) = rayon::join(|| lost(here, there), || lost(more_here, more_there));
        return some + more;
    }
    pulp::Arch::new().dispatch(|| {
        let (mut scratch, mut other) = ([0.0; PIECE], [0.0; PIECE]);
        let count = |range: std::ops::Range<usize>| {
            let here = here.widened(range.clone(), &mut scratch);
            let there = there.widened(range, &mut other);
            here.iter().zip(there).map(|(&here, &there)| u32::from(here == 0.0 && there != 0.0)).sum::<u32>()
        };
        pieces(length).map(count).map(u64::from).sum()
    })
}
