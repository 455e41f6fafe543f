//! The pass over the values: exponents, totals, extremes, parts.

use halfscope::histogram::{ExponentHistogram, Rule, Target};
use proptest::prelude::*;

/// Counts by exponent, found with decimal-free arithmetic on the value: halve or double until it lies in [1, 2).
fn exponent(value: f64) -> i32 {
    let (mut x, mut e) = (value.abs(), 0);
    while x >= 2.0 {
        (x, e) = (x / 2.0, e + 1);
    }
    while x < 1.0 {
        (x, e) = (x * 2.0, e - 1);
    }
    e
}

#[test]
fn exponents_are_of_the_value_not_of_the_field() {
    // 3·2^-24 has the exponent field 0 in FP16 and lies in [2^-23, 2^-22).
    let histogram = ExponentHistogram::of_f16_bits(&[0x0003, 0x8001]);
    assert_eq!((histogram.count_at(-23), histogram.count_at(-24)), (1, 1));
    let smallest = f32::from_bits(1);
    assert_eq!(ExponentHistogram::of_f32(&[smallest]).exponents(), Some(-149..=-149));
    for bits in (0..0x80_0000_u32).step_by(4099).chain([1, 2, 3, 0x40_0000, 0x7f_ffff, 0x80_0000]) {
        let value = f32::from_bits(bits);
        if value != 0.0 {
            let histogram = ExponentHistogram::of_f32(&[-value]);
            assert_eq!(histogram.count_at(exponent(f64::from(value))), 1, "{bits:#x}");
            assert_eq!((histogram.amin(), histogram.amax()), (Some(f64::from(value)), Some(f64::from(value))));
        }
    }
}

#[test]
fn special_values_are_counted_apart() {
    let values = [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 1.5];
    for histogram in [
        ExponentHistogram::of_f32(&values),
        ExponentHistogram::of_f64(&values.map(f64::from)),
        ExponentHistogram::of_f16_bits(&[0, 0x8000, 0x7e00, 0xfe01, 0x7c00, 0xfc00, 0xfc00, 0x3e00]),
        ExponentHistogram::of_bf16_bits(&[0, 0x8000, 0x7fc0, 0xff81, 0x7f80, 0xff80, 0xff80, 0x3fc0]),
    ] {
        assert_eq!((histogram.zeros(), histogram.nan(), histogram.pos_inf(), histogram.neg_inf()), (2, 2, 1, 2));
        assert_eq!((histogram.nonzero_finite(), histogram.total()), (1, 8));
        assert_eq!((histogram.amin(), histogram.amax(), histogram.exponents()), (Some(1.5), Some(1.5), Some(0..=0)));
        let counts = histogram.classes(Target::Fp16, 0, Rule::Ieee);
        assert_eq!((counts.zero, counts.nan, counts.pos_inf, counts.neg_inf, counts.normal), (2, 2, 1, 2, 1));
        assert_eq!((counts.total(), counts.nonzero()), (8, 1));
    }
    let nothing = ExponentHistogram::of_f32(&[f32::NAN, 0.0]);
    assert_eq!((nothing.amin(), nothing.amax(), nothing.exponents()), (None, None, None));
    assert_eq!(nothing.classes(Target::Fp16, 3, Rule::Ieee).lost_of_nonzero(), None);
}

#[test]
fn every_fp16_and_bf16_pattern_equals_its_fp32_value() {
    let patterns: Vec<u16> = (0..=u16::MAX).collect();
    let fp16 = ExponentHistogram::of_f16_bits(&patterns);
    assert_eq!((fp16.zeros(), fp16.nan(), fp16.pos_inf(), fp16.neg_inf()), (2, 2046, 1, 1));
    assert_eq!((fp16.amin(), fp16.amax()), (Some(2f64.powi(-24)), Some(65504.0)));
    for exponent in -14..=15 {
        assert_eq!(fp16.count_at(exponent), 2048, "1024 fractions of each sign at {exponent}");
    }
    for exponent in -24..-14 {
        assert_eq!(fp16.count_at(exponent), 2 << (exponent + 24), "subnormals at {exponent}");
    }
    let bf16 = ExponentHistogram::of_bf16_bits(&patterns);
    let widened: Vec<f32> = patterns.iter().map(|bits| f32::from_bits(u32::from(*bits) << 16)).collect();
    assert_eq!(bf16, ExponentHistogram::of_f32(&widened));
    assert_eq!((bf16.zeros(), bf16.nan(), bf16.total()), (2, 254, 65536));
}

/// Values as they come in training: a bell of exponents, many exact zeros.
fn gradients(count: usize, zeros_of_ten: u32) -> Vec<f32> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let value = |bits: u32, spread: u32| f32::from_bits(((105 + spread % 24) << 23) | bits & 0x807f_ffff);
    (0..count).map(|_| if next() % 10 < zeros_of_ten { 0.0 } else { value(next() << 9 | next(), next()) }).collect()
}

#[test]
fn parts_threads_and_sizes_do_not_change_the_counts() {
    for size in [0, 1, 9, 10, 640, 1023, 1024, 1025, 8191, 8192, 8195, 300_001] {
        let mut values = gradients(size, 4);
        for (at, value) in values.iter_mut().enumerate().filter(|(at, _)| at % 997 == 5) {
            *value = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-42, -3e-45][at % 5];
        }
        let whole = ExponentHistogram::of_f32(&values);
        assert_eq!(whole.total(), size as u64);
        assert_eq!(whole, ExponentHistogram::of_f32_parallel(&values));
        assert_eq!(whole, ExponentHistogram::of_f64(&values.iter().map(|x| f64::from(*x)).collect::<Vec<_>>()));
        let mut grown = ExponentHistogram::default();
        for part in values.chunks(4097) {
            grown.add_f32(part);
        }
        assert_eq!(whole, grown);
        values.reverse();
        assert_eq!(whole, ExponentHistogram::of_f32(&values));
    }
}

fn histogram() -> impl Strategy<Value = ExponentHistogram> {
    let wide = proptest::collection::vec(any::<u32>(), 0..40);
    wide.prop_map(|bits| ExponentHistogram::of_f32(&bits.into_iter().map(f32::from_bits).collect::<Vec<_>>()))
}

fn merged(a: &ExponentHistogram, b: &ExponentHistogram) -> ExponentHistogram {
    let mut sum = a.clone();
    sum.merge(b);
    sum
}

proptest! {
    #[test]
    fn merging_is_associative_and_commutative(a in histogram(), b in histogram(), c in histogram()) {
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
        prop_assert_eq!(merged(&a, &ExponentHistogram::default()), a);
    }

    #[test]
    fn every_exponent_counts_its_values(bits in proptest::collection::vec(any::<u64>(), 0..40)) {
        let values: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
        let histogram = ExponentHistogram::of_f64(&values);
        let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite() && *x != 0.0).collect();
        prop_assert_eq!(histogram.nonzero_finite(), finite.len() as u64);
        for value in &finite {
            let same = finite.iter().filter(|other| exponent(**other) == exponent(*value)).count();
            prop_assert_eq!(histogram.count_at(exponent(*value)), same as u64);
        }
        let magnitudes = finite.iter().map(|x| x.abs());
        prop_assert_eq!(histogram.amax(), magnitudes.clone().reduce(f64::max));
        prop_assert_eq!(histogram.amin(), magnitudes.reduce(f64::min));
    }
}

#[test]
fn counts_from_a_file_saturate_when_merged() {
    let text = r#"{"zeros":18446744073709551615}"#;
    let mut full: ExponentHistogram = serde_json::from_str(text).unwrap();
    full.merge(&ExponentHistogram::of_f32(&[0.0, 1.0]));
    assert_eq!((full.zeros(), full.total()), (u64::MAX, u64::MAX));
}
