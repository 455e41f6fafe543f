//! Any scale, from the values.

use super::classes::fate;
use super::significand::{class_of_code, code_of_fraction};
use super::{ClassCounts, Rule, Target};

/// What a cast to `target` makes of the values times any scale: the exact product, rounded once to nearest even. A model:
/// a framework that multiplies in FP32 rounds twice. For powers of two [`super::ExponentHistogram::classes`] says the
/// same without the values.
///
/// The sign of the scale does not matter. A scale of 0 loses every finite non-zero value, an infinite one overflows them
/// and makes NaN of the zeros, and a NaN makes NaN of all.
#[must_use]
pub fn rescan(values: &[f32], target: Target, scale: f64, rule: Rule) -> ClassCounts {
    let mut counts = ClassCounts::default();
    for value in values {
        if value.is_nan() || scale.is_nan() || *value == 0.0 && scale.is_infinite() {
            counts.nan += 1;
        } else if value.is_infinite() {
            if value.is_sign_positive() { counts.pos_inf += 1 } else { counts.neg_inf += 1 }
        } else if *value == 0.0 {
            counts.zero += 1;
        } else if scale == 0.0 {
            counts.lost += 1;
        } else if scale.is_infinite() {
            counts.overflow += 1;
        } else {
            let (exponent, class) = product(f64::from(*value), scale);
            counts.add(fate(target, rule, exponent, class), 1);
        }
    }
    counts
}

/// Exponent and significand class of the exact product of two finite non-zero values.
fn product(a: f64, b: f64) -> (i64, usize) {
    let ((m, e), (n, f)) = (integer_and_exponent(a), integer_and_exponent(b));
    // Two integers below 2^53: the product is below 2^106 and exact.
    let product = u128::from(m) * u128::from(n);
    let length = 128 - product.leading_zeros();
    let exponent = e + f + i64::from(length) - 1;
    // The leading one leaves at the top, 127 fraction bits stay; the low half of them only matters as "not zero".
    let fraction = product.checked_shl(129 - length).unwrap_or(0);
    let sticky = fraction as u64 != 0;
    let code = code_of_fraction((fraction >> 64) as u64, u64::BITS) | u16::from(sticky);
    (exponent, usize::from(class_of_code(code)))
}

/// |x| = integer · 2^exponent.
fn integer_and_exponent(x: f64) -> (u64, i64) {
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52) as i64 & 0x7ff {
        0 => (fraction, -1074),
        field => (fraction | 1 << 52, field - 1075),
    }
}
