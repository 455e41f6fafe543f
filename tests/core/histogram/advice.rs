//! The advised band.

use halfscope::histogram::{Advice, ExponentHistogram, Rule, Target, advise};

fn of(values: &[f32]) -> ExponentHistogram {
    ExponentHistogram::of_f32(values)
}

#[test]
fn the_band_is_as_wide_as_it_can_be() {
    // By the 2018 paper's rule S·max|g| stays below 65504: for 0.0123 that is 2^22 (S·amax = 51590).
    let gradients = of(&[0.0123, 1e-9, 1e-4]);
    let pair = [("g", &gradients)];
    for rule in [Rule::Ieee, Rule::Paper] {
        let Advice::Band { low, high } = advise(&pair, &pair, Target::Fp16, rule, 0.0) else { panic!() };
        assert_eq!(high, 22);
        assert_eq!(gradients.classes(Target::Fp16, low, rule).lost, 0);
        assert_eq!(gradients.classes(Target::Fp16, low - 1, rule).lost, 1);
        assert_eq!(gradients.classes(Target::Fp16, high, rule).overflow, 0);
        assert_eq!(gradients.classes(Target::Fp16, high + 1, rule).overflow, 1);
    }
}

#[test]
fn both_ends_are_tight_for_every_target_and_tolerance() {
    for target in Target::ALL {
        for (seed, tolerance) in [(1_u32, 0.0), (2, 0.005), (3, 0.1), (4, 0.3)] {
            let small: Vec<f32> = (0..400_u32)
                .map(|i| f32::from_bits((90 << 23) + i.wrapping_mul(seed.wrapping_mul(2_654_435_761)) % (9 << 23)))
                .collect();
            let large = of(&[1e-3, 0.7e-2]);
            let small = of(&small);
            let advice = advise(&[("s", &small)], &[("l", &large)], target, Rule::Ieee, tolerance);
            let (Advice::Band { low, high } | Advice::Empty { low, high, .. }) = advice else { panic!() };
            assert_eq!(matches!(advice, Advice::Band { .. }), low <= high);
            let lost = |k| small.classes(target, k, Rule::Ieee).lost_of_nonzero().unwrap();
            assert!(lost(low) <= tolerance && lost(low - 1) > tolerance, "{target:?}: low {low}");
            let overflow = |k| large.classes(target, k, Rule::Ieee).overflow;
            assert!(overflow(high) == 0 && overflow(high + 1) > 0, "{target:?}: high {high}");
        }
    }
}

#[test]
fn the_exact_overflow_borders() {
    let high = |amax: f32, target, rule| {
        let histogram = of(&[amax]);
        let pair = [("g", &histogram)];
        let (Advice::Band { high, .. } | Advice::Empty { high, .. }) = advise(&pair, &[], target, rule, 0.0) else {
            panic!()
        };
        high
    };
    assert_eq!(high(65519.996, Target::Fp16, Rule::Ieee), 0);
    assert_eq!(high(65520.0, Target::Fp16, Rule::Ieee), -1);
    assert_eq!(high(65504.0, Target::Fp16, Rule::Paper), -1);
    assert_eq!(high(65503.996, Target::Fp16, Rule::Paper), 0);
    assert_eq!(high(464.0, Target::E4m3, Rule::Ieee), 0);
    assert_eq!(high(464.000_03, Target::E4m3, Rule::Ieee), -1);
    assert_eq!(high(61440.0, Target::E5m2, Rule::Ieee), -1);
    assert_eq!(high(f32::from_bits(1), Target::Fp16, Rule::Ieee), 149 + 15);
}

#[test]
fn an_empty_band_names_both_sides() {
    let (wide, fine) = (of(&[1e-12, 1e-12, 1.0]), of(&[1e-3]));
    let advice = advise(&[("fc1", &fine), ("fc2", &wide)], &[("out", &of(&[3e4]))], Target::Fp16, Rule::Ieee, 0.005);
    let Advice::Empty { low, low_tensor, high, high_tensor } = advice else { panic!("{advice:?}") };
    assert_eq!((low_tensor.as_str(), high_tensor.as_str()), ("fc2", "out"));
    assert!(low > high && high == 1, "{low} {high}");
}

#[test]
fn nothing_to_advise_from_is_said() {
    let zeros = of(&[0.0, f32::NAN, f32::INFINITY]);
    assert_eq!(advise(&[], &[], Target::Fp16, Rule::Ieee, 0.005), Advice::NoData);
    assert_eq!(advise(&[("g", &zeros)], &[("a", &of(&[1.0]))], Target::Fp16, Rule::Ieee, 0.005), Advice::NoData);
    // Everything may be lost: then the lower end is where everything is.
    assert!(matches!(advise(&[("g", &of(&[1.0]))], &[], Target::Fp16, Rule::Ieee, 1.0), Advice::Band { .. }));
}
