//! What may be typed, what is refused and how it is said, and how numbers are laid out.

use halfscope::format::{Class, Exact, Format, Literal, Policy, Value, parse_value};
use proptest::prelude::*;

fn fp64(text: &str) -> f64 {
    f64::from_bits(parse_value(text).unwrap().round(Format::FP64, &Policy::default()).bits)
}

#[test]
fn everything_that_may_be_typed() {
    for (text, value) in [
        ("+1", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e-8", 1e-8),
        ("  1.5\r", 1.5),
        ("0x1.8p3", 12.0),
        ("-0X1.8P+3", -12.0),
        ("0x.8p0", 0.5),
        ("2^-24", 2f64.powi(-24)),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("65504+16", 65520.0),
        ("3*(2^-26)", 3.0 * 2f64.powi(-26)),
        ("1/4-1/8", 0.125),
        ("1 / 4 - 1 / 8", 0.125),
        ("- 3", -3.0),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("\u{2212}5", -5.0),
        ("１２．５", 12.5),
        ("２＾－２", 0.25),
        ("3×2", 6.0),
        ("0^0", 1.0),
        ("(2/3)^-1", 1.5),
        ("10^22/10^21", 10.0),
        ("f16:0x3c00", 1.0),
        ("fp16:0b0111101111111111", 65504.0),
        ("fp16:0x1", 2f64.powi(-24)),
        ("FP16: 0x0001", 2f64.powi(-24)),
        ("tf32:0x1fc00", 1.0),
        ("inf", f64::INFINITY),
        ("-Infinity", f64::NEG_INFINITY),
        ("∞", f64::INFINITY),
        ("-∞", f64::NEG_INFINITY),
    ] {
        assert_eq!(fp64(text), value, "{text}");
    }
    assert!(fp64("nan").is_nan() && fp64("nan").is_sign_positive());
    assert!(fp64("-NaN").is_nan() && fp64("-NaN").is_sign_negative());
    for zero in ["-0", "-0.000", "-0x0p0", "-0e5", "-(0)"] {
        assert!(fp64(zero) == 0.0 && fp64(zero).is_sign_negative(), "{zero}");
    }
    assert!(fp64("1-1").is_sign_positive());
}

#[test]
fn refusals_are_one_line_with_a_hint() {
    for (text, hint) in [
        ("", "empty"),
        ("   ", "empty"),
        ("0,5", "comma"),
        ("1,000", "comma"),
        ("1_000", "underscore"),
        ("1e", "digits after the e"),
        ("1e+", "digits after the e"),
        ("0x", "no digits"),
        ("0x7bff", "fp16:0x7bff or 0x7bffp0?"),
        ("-0x7bff", "fp16:0x7bff or 0x7bffp0?"),
        ("0x1p", "digits after the p"),
        ("abc", "not a number"),
        (".", "not a number"),
        ("-", "ends where a number is missing"),
        ("1+", "ends where a number is missing"),
        ("1 2", "unexpected \"2\" after 1"),
        ("1.2.3", "unexpected"),
        ("(1", "without its \")\""),
        ("1)", "without its \"(\""),
        ("1/0", "divides by zero"),
        ("0^-1", "divides by zero"),
        ("2^0.5", "not a whole number"),
        ("9^9^9", "too large"),
        ("2^100000000000000", "too large"),
        ("2^1000000+1", "too large"),
        ("fp16:0x17bff", "wider than the 16 bits"),
        ("fp16:0x00001", "wider than the 16 bits"),
        ("fp16:0b11111111111111111", "wider than the 16 bits"),
        ("e2m1:0x10", "wider than the 4 bits"),
        ("fp16:7bff", "0x… or fp16:0b…"),
        ("fp16:0xzz", "hexadecimal"),
        ("fp16:", "0x… or fp16:0b…"),
        ("fp17:0x1", "unknown format"),
        ("fp16:0x3c00+1", "hexadecimal"),
        ("1e5\u{0}", "unexpected"),
        ("½", "not a number"),
    ] {
        let error = parse_value(text).unwrap_err().to_string();
        assert!(error.contains(hint) && !error.contains('\n'), "{text:?}: {error}");
    }
}

#[test]
fn hostile_text_is_answered_at_once() {
    let million = "7".repeat(1_000_000);
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let signs = format!("{}1", "-".repeat(4_000));
    let powers = "2^".repeat(1_500) + "1";
    let start = std::time::Instant::now();
    assert_eq!(fp64(&million), f64::INFINITY);
    assert_eq!(fp64(&format!("0.{million}")), 7.0 / 9.0);
    assert_eq!(fp64(&format!("{million}e-1000000")), 7.0 / 9.0);
    assert_eq!(fp64(&format!("0.{}1", "0".repeat(1_000_000))), 0.0);
    assert_eq!(fp64(&format!("0x{}p-4000000", "8".repeat(1_000_000))), 8.0 / 15.0);
    for text in [&deep, &signs, &powers, &format!("{million}+1"), &format!("1{}", "+1/3".repeat(1_000))] {
        let _ = parse_value(text);
    }
    for text in [deep, signs, powers] {
        assert!(parse_value(&text).is_err());
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// The digits kept are enough: a 1 far behind a tie still decides it.
#[test]
fn digits_far_behind_a_tie_decide_it() {
    let tie = Exact::power_of_two(-25).to_decimal().unwrap().replace("e-8", "");
    for zeros in [0, 10, 45_900, 46_100, 200_000] {
        let above = format!("{tie}{}1e-8", "0".repeat(zeros));
        assert_eq!(parse_value(&above).unwrap().round(Format::FP16, &Policy::default()).bits, 1, "{zeros}");
        let on_it = format!("{tie}{}e-8", "0".repeat(zeros));
        assert_eq!(parse_value(&on_it).unwrap().round(Format::FP16, &Policy::default()).bits, 0, "{zeros}");
    }
    // The widest custom format has the longest midpoints; one more digit behind it still counts.
    let wide = Format::parse("e16m47b65535").unwrap();
    let value = |bits: u64| wide.decode(bits).finite().unwrap().clone();
    let bits = wide.min_normal_code() - 2;
    let midpoint = value(bits).add(&value(bits + 1)).unwrap().mul(&Exact::power_of_two(-1)).unwrap();
    let text = midpoint.to_decimal().unwrap();
    assert!(text.len() > 45_000);
    let (digits, exponent) = text.split_once('e').unwrap();
    for (tail, expected) in [("", bits), ("1", bits + 1), ("00000000000000000000000000000000001", bits + 1)] {
        let typed = parse_value(&format!("{digits}{tail}e{exponent}")).unwrap();
        assert_eq!(typed.round(wide, &Policy::default()).bits, expected);
    }
}

#[test]
fn numbers_are_laid_out_as_agreed() {
    let decimal = |text: &str| parse_value(text).unwrap().value().finite().unwrap().to_decimal().unwrap();
    for (text, expected) in [
        ("0", "0"),
        ("-0", "-0"),
        ("65504", "65504"),
        ("0.5", "0.5"),
        ("1e-6", "0.000001"),
        ("9.5e-7", "9.5e-7"),
        ("-2^-24", "-5.9604644775390625e-8"),
        ("1e20", "100000000000000000000"),
        ("1e21", "1e21"),
        ("1.25e21", "1.25e21"),
        ("123.25", "123.25"),
        ("3/8", "0.375"),
        ("2^70", "1.180591620717411303424e21"),
    ] {
        assert_eq!(decimal(text), expected, "{text}");
    }
    assert_eq!(parse_value("1/3").unwrap().value().finite().unwrap().to_decimal(), None);
    for (format, bits, shortest, hex, power) in [
        (Format::FP16, 0x7bff, "65500", "0x1.ffcp15", "(1 + 1023/1024) × 2^15"),
        (Format::FP16, 0x03ff, "6.1e-5", "0x1.ff8p-15", "1023/1024 × 2^-14"),
        (Format::FP16, 0x0001, "6e-8", "0x1p-24", "1/1024 × 2^-14"),
        (Format::FP16, 0x2e66, "0.1", "0x1.998p-4", "(1 + 614/1024) × 2^-4"),
        (Format::FP16, 0xc000, "-2", "-0x1p1", "-2^1"),
        (Format::FP16, 0x8000, "-0", "-0x0p0", "-0"),
        (Format::FP16, 0xfc00, "-inf", "-inf", "-inf"),
        (Format::E8M0, 0x80, "2", "0x1p1", "2^1"),
        (Format::E2M3, 0x1f, "7.5", "0x1.ep2", "(1 + 7/8) × 2^2"),
        (Format::FP32, 0x4e95_a830, "1255413800", "0x1.2b506p30", "(1 + 1419312/8388608) × 2^30"),
    ] {
        assert_eq!(layout(&format.shortest(bits)), layout(shortest), "{}", format.hex(bits));
        assert_eq!(format.hex_float(bits), hex);
        assert_eq!(format.power_form(bits), power);
    }
}

/// 6.1e-5 and 0.000061 are the same shortest digits.
fn layout(text: &str) -> String {
    parse_value(text).unwrap().value().finite().map_or_else(|| text.to_owned(), |exact| exact.to_decimal().unwrap())
}

#[test]
fn few_significant_digits_are_rounded() {
    let digits =
        |text: &str, count| parse_value(text).unwrap().value().finite().unwrap().to_significant(count).unwrap();
    assert_eq!(digits("2/3", 4), "0.6667");
    assert_eq!(digits("999.96", 4), "1000");
    assert_eq!(digits("-1/3", 3), "-0.333");
    assert_eq!(digits("65519.9999", 6), "65520");
    assert_eq!(digits("1.4999", 1), "1");
    assert_eq!(digits("2^-24", 3), "5.96e-8");
    assert_eq!(parse_value("1e999999999").unwrap().value().finite().unwrap().to_significant(3), None);
}

#[test]
fn limits_are_the_known_ones() {
    let decimals = |format: Format| {
        let limits = format.limits();
        [limits.max_finite, limits.overflow_threshold, limits.min_normal, limits.epsilon, limits.exact_integers]
            .map(|exact| exact.to_significant(9).unwrap())
    };
    assert_eq!(decimals(Format::FP16), ["65504", "65520", "0.0000610351563", "0.0009765625", "2048"]);
    assert_eq!(decimals(Format::E4M3), ["448", "464", "0.015625", "0.125", "16"]);
    assert_eq!(decimals(Format::E2M1)[..2], ["6", "7"]);
    assert_eq!(Format::FP16.limits().min_subnormal.unwrap(), Exact::power_of_two(-24));
    assert_eq!(Format::E8M0.limits().min_subnormal, None);
}

prop_compose! {
    fn any_format()(exponent in 1u32..=16, fraction in 0u32..=62, bias in proptest::option::of(0u32..=65_535), kind in 0usize..8)
        -> Option<Format> {
        let suffix =
            ["-ieee", "-fn", "-finite", "-fnuz", "-ieee-uz", "-fn-nosub", "-finite-nosub", "-ieee-uz-nosub"][kind];
        let bias = bias.map_or_else(String::new, |bias| format!("b{bias}"));
        Format::parse(&format!("e{exponent}m{fraction}{bias}{suffix}")).ok()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the format, every print of a code reads back as the code.
    #[test]
    fn parse_after_print_is_the_identity(format in any_format(), code in any::<u64>()) {
        prop_assume!(format.is_some());
        let format = format.unwrap();
        prop_assert_eq!(Format::parse(&format.name()), Ok(format));
        let bits = code & format.mask();
        let named = parse_value(&format!("{}:{}", format.name(), format.hex(bits))).unwrap();
        prop_assert_eq!(&named, &Literal::Bits { format, bits });
        // Without subnormals field 0 has many codes of zero, and one of them is printed.
        let spare = format.class(bits) == Class::Zero && bits & format.magnitude_mask() != 0;
        prop_assume!(!spare && !matches!(format.class(bits), Class::Nan));
        for text in [format.hex_float(bits), format.exact_decimal(bits), format.shortest(bits)] {
            let back = parse_value(&text).unwrap().round(format, &Policy::default());
            prop_assert_eq!(format.hex(back.bits), format.hex(bits), "{}", text);
        }
    }

    /// Nothing that can be typed panics, and what is refused is refused in one line.
    #[test]
    fn any_text_is_answered(text in "[-+*/^().0-9a-fpxinm: ,_]{0,24}") {
        match parse_value(&text) {
            Ok(literal) => for format in Format::presets() {
                let bits = literal.round(format, &Policy::default()).bits;
                prop_assert_eq!(bits & !format.mask(), 0);
                let _ = (format.shortest(bits), format.power_form(bits), literal.value());
            },
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    /// Rounding keeps order: what is larger does not come out smaller.
    #[test]
    fn rounding_is_monotonic(a in any::<f64>(), b in any::<f64>(), mode in 0usize..6) {
        prop_assume!(a.is_finite() && b.is_finite());
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        let policy = Policy { saturate: true, ..Policy::with_rounding(halfscope::format::Rounding::DETERMINISTIC[mode]) };
        for format in [Format::FP16, Format::BF16, Format::E4M3, Format::E2M1, Format::FP32] {
            let [x, y] = [low, high].map(|x| format.decode(format.round(&Value::from(x), &policy).bits));
            let (Value::Finite(x), Value::Finite(y)) = (x, y) else { panic!("saturated") };
            prop_assert!(!x.compare(&y).is_gt());
        }
    }
}
