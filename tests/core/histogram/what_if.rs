//! The counts at any scale equal those of values that are scaled and cast one by one.

use halfscope::histogram::{ClassCounts, ExponentHistogram, Rule, Target, rescan};
use proptest::prelude::*;
use rustc_apfloat::Float;

use super::cast::{class_of, quad};

/// Significands at which something changes for one of the targets, and some between.
const SIGNIFICANDS: [f64; 14] = [
    1.0,
    1.25,
    1.5,
    1.75,
    1.8125,
    1.84,
    1.875,
    2.0 - 1.0 / 64.0,
    2.0 - 1.0 / 128.0,
    2.0 - 1.0 / 256.0,
    2.0 - 1.0 / 512.0,
    2.0 - 1.0 / 1024.0,
    2.0 - 1.0 / 2048.0,
    2.0 - 1.0 / 4096.0,
];

/// FP32 values on every border of every binade, one ULP beside it, and both signs.
fn adversarial() -> Vec<f32> {
    let mut values = Vec::new();
    for exponent in -149..=127 {
        for significand in SIGNIFICANDS {
            let value = (significand * 2f64.powi(exponent)) as f32;
            for neighbour in [value.next_down(), value, -value.next_up()] {
                if neighbour != 0.0 && neighbour.is_finite() {
                    values.push(neighbour);
                }
            }
        }
    }
    values
}

fn random_bits(count: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from_bits((state >> 32) as u32)
    };
    (0..count).map(|_| next()).filter(|value| value.is_finite() && *value != 0.0).collect()
}

fn sum(counts: impl IntoIterator<Item = ClassCounts>) -> ClassCounts {
    counts.into_iter().fold(ClassCounts::default(), |a, b| ClassCounts {
        zero: a.zero + b.zero,
        lost: a.lost + b.lost,
        rounds_up: a.rounds_up + b.rounds_up,
        subnormal: a.subnormal + b.subnormal,
        normal: a.normal + b.normal,
        overflow: a.overflow + b.overflow,
        nan: a.nan + b.nan,
        pos_inf: a.pos_inf + b.pos_inf,
        neg_inf: a.neg_inf + b.neg_inf,
    })
}

/// Every scale where something of the target's range meets something of the values, in steps that keep the test short.
fn scales(target: Target) -> Vec<i32> {
    let mut scales: Vec<i32> = (-40..=40).collect();
    scales.extend([-300, -277, -150, -127, -126, -64, 64, 102, 103, 126, 127, 149, 150, 277, 300]);
    if target == Target::Bf16 {
        scales.extend((-20..=20).map(|k| k * 7));
    }
    scales
}

#[test]
fn classes_of_single_values_equal_their_cast() {
    let mut values = adversarial();
    values.extend(random_bits(500));
    assert!(values.len() > 10_000);
    for value in values {
        let histogram = ExponentHistogram::of_f32(&[value]);
        let exact = quad(f64::from(value));
        for target in Target::ALL {
            // Every fifth scale for each value, a different fifth for its neighbours: short, and no scale is left out.
            for k in scales(target).into_iter().filter(|k| (value.to_bits() as i32 / 7 + k) % 5 == 0) {
                for rule in [Rule::Ieee, Rule::Paper] {
                    let expected = class_of(exact.scalbn(k), target, rule);
                    assert_eq!(
                        histogram.classes(target, k, rule),
                        expected,
                        "{value:e} ({:#010x}) times 2^{k} to {} by {rule:?}",
                        value.to_bits(),
                        target.name()
                    );
                }
            }
        }
    }
}

#[test]
fn classes_of_all_values_together_equal_their_casts_at_every_scale() {
    let mut values: Vec<f32> = adversarial().into_iter().step_by(7).collect();
    values.extend(random_bits(400));
    let histogram = ExponentHistogram::of_f32(&values);
    for target in Target::ALL {
        for k in -40..=40 {
            for rule in [Rule::Ieee, Rule::Paper] {
                let casts = sum(values.iter().map(|value| class_of(quad(f64::from(*value)).scalbn(k), target, rule)));
                let classes = histogram.classes(target, k, rule);
                assert_eq!(classes, casts, "2^{k} to {} by {rule:?}", target.name());
                assert_eq!(classes.total(), values.len() as u64);
                let bins = histogram.bins(target, k, rule);
                assert!(bins.is_sorted_by_key(|bin| bin.exponent));
                assert_eq!(sum(bins.iter().map(|bin| bin.classes)), casts, "the bars hold the same");
                // rescan multiplies and casts value by value: at powers of two it has to say the same.
                assert_eq!(rescan(&values, target, 2f64.powi(k), rule), casts, "rescan at 2^{k} to {}", target.name());
            }
        }
    }
}

#[test]
fn ties_and_borders_of_every_target() {
    // (value, target, class): worked out by hand from the formats' definitions.
    type Count = fn(&ClassCounts) -> u64;
    let table: [(f64, Target, Count); 16] = [
        (2f64.powi(-25), Target::Fp16, |c| c.lost),
        (2f64.powi(-25) * 1.000_000_2, Target::Fp16, |c| c.rounds_up),
        (2f64.powi(-24), Target::Fp16, |c| c.subnormal),
        (2f64.powi(-14) * (1.0 - 2f64.powi(-11)), Target::Fp16, |c| c.normal),
        (2f64.powi(-14) * (1.0 - 2f64.powi(-11) - 2f64.powi(-24)), Target::Fp16, |c| c.subnormal),
        (65504.0, Target::Fp16, |c| c.normal),
        (65519.996, Target::Fp16, |c| c.normal),
        (65520.0, Target::Fp16, |c| c.overflow),
        (464.0, Target::E4m3, |c| c.normal),
        (464.000_03, Target::E4m3, |c| c.overflow),
        (448.0, Target::E4m3, |c| c.normal),
        (2f64.powi(-10), Target::E4m3, |c| c.lost),
        (61440.0, Target::E5m2, |c| c.overflow),
        (61439.996, Target::E5m2, |c| c.normal),
        (2f64.powi(-134), Target::Bf16, |c| c.lost),
        (f64::from(f32::MAX), Target::Bf16, |c| c.overflow),
    ];
    for (value, target, class) in table {
        let counts = ExponentHistogram::of_f32(&[value as f32]).classes(target, 0, Rule::Ieee);
        assert_eq!(class(&counts), 1, "{value:e} to {}: {counts:?}", target.name());
        assert_eq!(ExponentHistogram::of_f64(&[value]).classes(target, 0, Rule::Ieee), counts);
    }
}

#[test]
fn fp64_values_keep_what_fp32_would_round_away() {
    // One FP64 ULP above the tie at 2^-25 rounds up; as FP32 it would be the tie itself and be lost.
    let above = 2f64.powi(-25).next_up();
    assert_eq!(ExponentHistogram::of_f64(&[above]).classes(Target::Fp16, 0, Rule::Ieee).rounds_up, 1);
    let mut values = Vec::new();
    for exponent in (-1074..=-1000).chain(-160..=-100).chain(-40..=40).chain(1000..=1023) {
        for significand in SIGNIFICANDS {
            let value = significand * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            values.extend([value.next_down(), value, -value.next_up()]);
        }
    }
    for value in values.into_iter().filter(|value| *value != 0.0 && value.is_finite()) {
        let histogram = ExponentHistogram::of_f64(&[value]);
        for target in Target::ALL {
            for k in [-1030, -40, -25, -10, 0, 1, 15, 24, 120, 900, 1050] {
                let expected = class_of(quad(value).scalbn(k), target, Rule::Ieee);
                assert_eq!(
                    histogram.classes(target, k, Rule::Ieee),
                    expected,
                    "{value:e} times 2^{k} to {}",
                    target.name()
                );
            }
        }
    }
}

#[test]
fn extreme_scales_do_not_wrap_around() {
    let histogram = ExponentHistogram::of_f32(&[1.0, f32::MIN_POSITIVE, f32::MAX]);
    for target in Target::ALL {
        assert_eq!(histogram.classes(target, i32::MAX, Rule::Ieee).overflow, 3);
        assert_eq!(histogram.classes(target, i32::MIN, Rule::Ieee).lost, 3);
        assert_eq!(histogram.bins(target, i32::MAX, Rule::Ieee).len(), 3);
    }
}

#[test]
fn rescan_takes_any_scale() {
    let mut values: Vec<f32> = adversarial().into_iter().step_by(11).collect();
    values.extend(random_bits(300));
    for scale in [1000.0, 1.5, 0.1, -3.0, 65504.0 / 3.0, 1e-30, 1e300, f64::MIN_POSITIVE, 2f64.powi(-1060)] {
        for target in Target::ALL {
            let product = |value: f32| (quad(f64::from(value)) * quad(scale)).value;
            let casts = sum(values.iter().map(|value| class_of(product(*value), target, Rule::Ieee)));
            assert_eq!(rescan(&values, target, scale, Rule::Ieee), casts, "{scale:e} to {}", target.name());
        }
    }
}

#[test]
fn rescan_of_special_values_and_scales() {
    let values = [0.0, -0.0, 1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let plain = rescan(&values, Target::Fp16, 3.0, Rule::Ieee);
    assert_eq!((plain.zero, plain.normal, plain.nan, plain.pos_inf, plain.neg_inf), (2, 1, 1, 1, 1));
    assert_eq!(rescan(&values, Target::Fp16, 0.0, Rule::Ieee).lost, 1);
    let infinite = rescan(&values, Target::Fp16, f64::INFINITY, Rule::Ieee);
    assert_eq!((infinite.overflow, infinite.nan), (1, 3));
    assert_eq!(rescan(&values, Target::Fp16, f64::NAN, Rule::Ieee).nan, 6);
}

proptest! {
    #[test]
    fn random_values_at_random_scales(
        bits in proptest::collection::vec(any::<u32>(), 1..60), k in -200..200, target in 0..4_usize,
    ) {
        let target = Target::ALL[target];
        let values: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
        let counts = ExponentHistogram::of_f32(&values).classes(target, k, Rule::Ieee);
        let finite = values.iter().filter(|value| value.is_finite() && **value != 0.0);
        let casts = sum(finite.map(|value| class_of(quad(f64::from(*value)).scalbn(k), target, Rule::Ieee)));
        prop_assert_eq!(counts.total(), values.len() as u64);
        prop_assert_eq!(
            (counts.lost, counts.rounds_up, counts.subnormal, counts.normal, counts.overflow),
            (casts.lost, casts.rounds_up, casts.subnormal, casts.normal, casts.overflow)
        );
    }
}
