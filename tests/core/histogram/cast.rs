//! A cast written apart from the crate, in two ways that must agree: with `rustc_apfloat`, and with integers.

use halfscope::histogram::{ClassCounts, Rule, Target};
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Quad};
use rustc_apfloat::{Float, FloatConvert};

/// What a magnitude becomes: `None` when it is not finite any more, else an integer multiple of the smallest subnormal.
fn by_apfloat(value: Quad, target: Target) -> Option<f64> {
    fn through<F: Float + FloatConvert<Double>>(value: Quad) -> Option<f64>
    where
        Quad: FloatConvert<F>,
    {
        let mut inexact = false;
        let cast: F = value.convert(&mut inexact).value;
        let wide: Double = cast.convert(&mut inexact).value;
        cast.is_finite().then(|| f64::from_bits(wide.to_bits() as u64))
    }
    match target {
        Target::Fp16 => through::<Half>(value),
        Target::Bf16 => through::<BFloat>(value),
        Target::E5m2 => through::<Float8E5M2>(value),
        Target::E4m3 => through::<Float8E4M3FN>(value),
    }
}

/// Fraction bits, exponent of the smallest normal, largest finite value: typed in here, from the formats' specifications
/// (IEEE 754-2019 table 3.5; OCP 8-bit floating point specification 1.0, table 1).
fn limits(target: Target) -> (i32, i32, f64) {
    match target {
        Target::Fp16 => (10, -14, 65504.0),
        Target::Bf16 => (7, -126, 3.389_531_389_251_535_5e38),
        Target::E5m2 => (2, -14, 57344.0),
        Target::E4m3 => (3, -6, 448.0),
    }
}

/// The same cast of `mantissa · 2^exponent` in integers: divide by the spacing, round half to even.
fn by_integers(mantissa: u128, exponent: i32, target: Target) -> Option<f64> {
    let (fraction_bits, min_normal, max) = limits(target);
    let top = exponent + 127 - mantissa.leading_zeros() as i32;
    let spacing = top.max(min_normal) - fraction_bits;
    let drop = spacing - exponent;
    let steps = if drop <= 0 {
        mantissa << -drop
    } else if drop > 127 {
        0
    } else {
        let (kept, rest, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1_u128 << (drop - 1));
        kept + u128::from(rest > half || rest == half && kept % 2 == 1)
    };
    let result = steps as f64 * 2f64.powi(spacing / 2) * 2f64.powi(spacing - spacing / 2);
    (result <= max).then_some(result)
}

/// The class of a finite non-zero `value · 2^k`, by casting it.
pub(super) fn class_of(value: Quad, target: Target, rule: Rule) -> ClassCounts {
    let magnitude = if value.is_negative() { -value } else { value };
    let cast = by_apfloat(magnitude, target);
    let bits = magnitude.to_bits();
    let field = (bits >> 112) as i32;
    assert!(field > 0, "the test's own values stay normal in binary128");
    let mantissa = bits & ((1 << 112) - 1) | 1 << 112;
    let trailing = mantissa.trailing_zeros();
    let integers = by_integers(mantissa >> trailing, field - 16383 - 112 + trailing as i32, target);
    assert_eq!(cast, integers, "the two casts disagree on {magnitude} to {}", target.name());
    let (fraction_bits, min_normal, _) = limits(target);
    let below_smallest = magnitude < Quad::from_u128(1).value.scalbn(min_normal - fraction_bits);
    let mut counts = ClassCounts::default();
    let counter = match cast {
        None => &mut counts.overflow,
        _ if below_smallest && rule == Rule::Paper => &mut counts.lost,
        Some(0.0) => &mut counts.lost,
        Some(_) if below_smallest => &mut counts.rounds_up,
        Some(result) if result < 2f64.powi(min_normal) => &mut counts.subnormal,
        Some(_) => &mut counts.normal,
    };
    *counter = 1;
    counts
}

/// An FP64 value, exactly.
pub(super) fn quad(value: f64) -> Quad {
    let mut inexact = false;
    let wide: Quad = Double::from_bits(u128::from(value.to_bits())).convert(&mut inexact).value;
    assert!(!inexact);
    wide
}
