//! The band of loss scales worth using.

use super::exponent_histogram::EXPONENTS;
use super::target::power_of_two;
use super::{Advice, ExponentHistogram, Rule, Target};

/// The advised loss scales as powers of two: from the smallest at which every one of `weight_gradients` loses at most
/// `tolerance` (a share, 0 to 1) of its finite non-zero values, to the largest at which nothing in `all` or in
/// `weight_gradients` overflows. The histograms are of unscaled values; the names are what the answer calls the tensors.
///
/// By [`Rule::Ieee`] a magnitude overflows where it rounds to more than the largest finite value (FP16: from 65520 on),
/// by [`Rule::Paper`] where it is not below that value (65504).
#[must_use]
pub fn advise(
    weight_gradients: &[(&str, &ExponentHistogram)],
    all: &[(&str, &ExponentHistogram)],
    target: Target,
    rule: Rule,
    tolerance: f64,
) -> Advice {
    let low = weight_gradients.iter().filter(|(_, histogram)| histogram.amax().is_some());
    let low = low.map(|(name, histogram)| (lowest_scale(histogram, target, rule, tolerance), *name));
    // The first of equals is named, so that the answer does not depend on anything but the order given.
    let low = low.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let high = weight_gradients.iter().chain(all);
    let high = high.filter_map(|(name, histogram)| Some((highest_scale(histogram.amax()?, target, rule), *name)));
    let high = high.reduce(|best, next| if next.0 < best.0 { next } else { best });
    match (low, high) {
        (Some((low, _)), Some((high, _))) if low <= high => Advice::Band { low, high },
        (Some((low, low_tensor)), Some((high, high_tensor))) => {
            Advice::Empty { low, low_tensor: low_tensor.to_owned(), high, high_tensor: high_tensor.to_owned() }
        }
        _ => Advice::NoData,
    }
}

/// The smallest k with at most `tolerance` of the finite non-zero values lost at 2^k.
fn lowest_scale(histogram: &ExponentHistogram, target: Target, rule: Rule, tolerance: f64) -> i32 {
    let lost = |k: i32| histogram.classes(target, k, rule).lost_of_nonzero().unwrap_or(0.0);
    // At `all_lost` everything is below the smallest subnormal, at `none_lost` nothing is; the share falls in between.
    let mut all_lost = target.min_subnormal_exponent() - 2 - EXPONENTS.end();
    let mut none_lost = target.min_subnormal_exponent() - EXPONENTS.start();
    if lost(all_lost) <= tolerance {
        return all_lost;
    }
    while none_lost - all_lost > 1 {
        let middle = i32::midpoint(all_lost, none_lost);
        if lost(middle) <= tolerance {
            none_lost = middle;
        } else {
            all_lost = middle;
        }
    }
    none_lost
}

/// The largest k at which amax·2^k does not overflow.
fn highest_scale(amax: f64, target: Target, rule: Rule) -> i32 {
    // Compare amax with the border divided by 2^k: dividing a target's limit by a power of two is exact, scaling amax
    // could overflow FP64.
    let exponent = exponent_of(amax);
    let significand = scaled(amax, -exponent);
    let fits = |k: i32| {
        let e = exponent + k;
        e < target.max_exponent() || e == target.max_exponent() && !target.overflows(scaled(significand, e), rule)
    };
    let k = target.max_exponent() - exponent;
    if fits(k) { k } else { k - 1 }
}

/// `floor(log2(x))` of a positive finite x.
pub(super) fn exponent_of(x: f64) -> i32 {
    let bits = x.to_bits();
    let field = (bits >> 52) as i32 & 0x7ff;
    if field > 0 { field - 1023 } else { 63 - bits.leading_zeros() as i32 - 1074 }
}

/// x·2^k, exact unless the result leaves FP64's range.
fn scaled(x: f64, k: i32) -> f64 {
    let half = k / 2;
    x * power_of_two(half) * power_of_two(k - half)
}
