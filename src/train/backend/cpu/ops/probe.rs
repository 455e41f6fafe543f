//! The exponent histogram of a tensor, and what its twin has that it lost.

use super::super::view::{BLOCK, PIECE, Split, View, pieces};
use crate::histogram::ExponentHistogram;

/// Counts a tensor, and the values that are zero in it but not in its twin.
pub(in super::super) fn probe(tensor: View<'_>, twin: Option<View<'_>>) -> (ExponentHistogram, Option<u64>) {
    (histogram(tensor), twin.map(|twin| lost(tensor, twin)))
}

/// Counts in halves on all threads; counts do not depend on their order.
fn histogram(tensor: View<'_>) -> ExponentHistogram {
    let length = tensor.extent().unwrap_or(0);
    if length > 2 * BLOCK {
        let (left, right) = tensor.split(length / 2);
        let (mut counts, others) = rayon::join(|| histogram(left), || histogram(right));
        counts.merge(&others);
        return counts;
    }
    match tensor {
        View::F32(values) => ExponentHistogram::of_f32(values),
        View::F16(bits) => ExponentHistogram::of_f16_bits(bits),
        View::Bf16(bits) => ExponentHistogram::of_bf16_bits(bits),
    }
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
