//! The quick ways in machine words against the exact ones beside them.

use halfscope::format::{Class, Format, Policy, parse_value};

use super::Random;

/// The leading bits of a quotient of two words, and of the same number with both made long.
#[test]
fn short_and_long_divisions_agree() {
    let mut random = Random(17);
    let factor = "1000000000000000000000000000057";
    for turn in 0..20_000 {
        let [a, b] = [0; 2].map(|_| (random.next() >> random.below(64)).max(1));
        let [a, b] = if turn % 5 == 0 { [u64::MAX - a % 3, u64::MAX - b % 3] } else { [a, b] };
        let prefix = |text: &str| parse_value(text).unwrap().value().finite().unwrap().prefix();
        assert_eq!(prefix(&format!("{a}/{b}")), prefix(&format!("({a}*{factor})/({b}*{factor})")), "{a}/{b}");
    }
}

/// All digits, limb by limb and by big numbers.
#[test]
fn limbs_and_big_numbers_print_the_same() {
    let mut random = Random(23);
    for format in [Format::FP64, Format::FP32, Format::BF16, Format::FP16, Format::E8M0] {
        for _ in 0..3_000 {
            let bits = random.next() & format.mask();
            if let Some(exact) = format.decode(bits).finite() {
                assert_eq!(Some(format.exact_decimal(bits)), exact.to_decimal(), "{} {bits:#x}", format.name());
                let ulp = format.ulp(bits).and_then(|ulp| ulp.to_decimal());
                assert_eq!(format.ulp_decimal(bits), ulp, "{} {bits:#x}", format.name());
            }
        }
    }
}

/// Shortest digits by comparing in FP64, and by reading back exactly: eleven exponent bits are too many for the first way,
/// and the normal numbers are the same.
#[test]
fn both_ways_find_the_same_shortest_digits() {
    for (narrow, wide, step) in
        [("fp16", "e11m10", 1), ("bf16", "e11m7", 3), ("e4m3", "e11m3", 1), ("e5m2", "e11m2", 1)]
    {
        let [narrow, wide] = [narrow, wide].map(|name| Format::parse(name).unwrap());
        for bits in (narrow.min_normal_code()..narrow.max_finite_code()).step_by(step) {
            let renamed = narrow.convert(bits, wide, &Policy::default()).bits;
            assert_eq!(wide.class(renamed), Class::Normal);
            assert_eq!(narrow.shortest(bits), wide.shortest(renamed), "{} {bits:#x}", narrow.name());
        }
    }
}
