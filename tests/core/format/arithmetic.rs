//! Arithmetic: reported cases, the special values of IEEE 754-2019, and laws on every pair of small formats.

use halfscope::format::{Class, Exact, ExactResult, Format, NanPolicy, Operation, Outcome, Policy, Rounding, Status};
use halfscope::format::{Tininess, Value, parse_value};

fn apply(operation: &str, operands: &str, format: &str, policy: &Policy) -> Outcome {
    let format = Format::parse(format).unwrap();
    let codes: Vec<u64> =
        operands.split(';').map(|text| parse_value(text).unwrap().round(format, &Policy::default()).bits).collect();
    format.apply(Operation::parse(operation).unwrap(), &codes, policy).unwrap()
}

fn flags(status: Status) -> String {
    status.names().collect::<Vec<_>>().join(",")
}

/// Operation, operands, format, code, flags, where it was reported.
#[rustfmt::skip]
const REPORTED: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("div", "fp16:0x090a;fp16:0xd780", "fp16", "0x8016", "underflow,inexact", "KhronosGroup/OpenCL-CTS#1996"),
    ("fma", "fp16:0x0001;fp16:0x3bf7;0", "fp16", "0x0001", "underflow,inexact", "rust-lang/libm#419 (MPFR path gave 0)"),
    ("fma", "fp32:0x97000800;fp32:0x1cfff001;fp32:0x00010002", "fp32", "0x00010001", "underflow,inexact", "rust-lang/compiler-builtins#1262"),
    ("fma", "4097;4097;2^-30", "fp32", "0x4b801001", "inexact", "triton-lang/triton#11611"),
    ("fma", ".9474001;4.639901e-7;-.24325085", "fp32", "0xbe7916a3", "inexact", "JuliaMath/openlibm#357"),
    ("add", "fp16:0x0001;fp16:0x0801", "fp16", "0x0802", "inexact", "artyom-beilis/float16#5"),
    ("mul", "fp32:0x00800000;fp32:0x3f7fffff", "fp32", "0x00800000", "underflow,inexact", "openhwgroup/cvfpu#94; berkeley-softfloat-3#8"),
];

#[test]
fn reported_operations() {
    for (operation, operands, format, bits, raised, source) in REPORTED {
        let outcome = apply(operation, operands, format, &Policy::default());
        assert_eq!(outcome.format.hex(outcome.rounded.bits), *bits, "{operation} {operands}: {source}");
        assert_eq!(flags(outcome.rounded.status), *raised, "{operation} {operands}: {source}");
    }
}

/// IEEE 754-2019 chapters 5, 6, 7 and 9.6, in FP16.
#[rustfmt::skip]
const SPECIAL: &[(&str, &str, &str, &str)] = &[
    ("add", "inf;-inf", "0x7e00", "invalid"), ("sub", "inf;inf", "0x7e00", "invalid"), ("add", "inf;1", "0x7c00", ""),
    ("mul", "0;inf", "0x7e00", "invalid"), ("mul", "-inf;2", "0xfc00", ""), ("mul", "-0;5", "0x8000", ""),
    ("div", "0;0", "0x7e00", "invalid"), ("div", "inf;-inf", "0x7e00", "invalid"), ("div", "1;-0", "0xfc00", "divide-by-zero"),
    ("div", "inf;0", "0x7c00", ""), ("div", "-1;inf", "0x8000", ""),
    ("rem", "inf;1", "0x7e00", "invalid"), ("rem", "1;0", "0x7e00", "invalid"), ("rem", "5;inf", "0x4500", ""), ("rem", "-4;2", "0x8000", ""),
    ("rem", "5;3", "0xbc00", ""), ("fmod", "5;3", "0x4000", ""), ("rem", "3;2", "0xbc00", ""), ("rem", "1;2", "0x3c00", ""), ("fmod", "-5;3", "0xc000", ""),
    ("rem", "65504;2^-24", "0x0000", ""), ("rem", "3;-2", "0xbc00", ""),
    ("sqrt", "-0", "0x8000", ""), ("sqrt", "-1", "0x7e00", "invalid"), ("sqrt", "inf", "0x7c00", ""), ("sqrt", "4", "0x4000", ""), ("sqrt", "2", "0x3da8", "inexact"),
    ("fma", "0;inf;nan", "0x7e00", "invalid"), ("fma", "inf;1;-inf", "0x7e00", "invalid"), ("fma", "2;3;inf", "0x7c00", ""), ("fma", "-0;1;-0", "0x8000", ""), ("fma", "-0;1;0", "0x0000", ""),
    ("minNum", "1;nan", "0x3c00", ""), ("minimum", "1;nan", "0x7e00", ""), ("minimumNumber", "1;nan", "0x3c00", ""),
    ("maxNum", "nan;-inf", "0xfc00", ""), ("maximum", "nan;-inf", "0x7e00", ""), ("maximumNumber", "nan;-inf", "0xfc00", ""),
    ("minNum", "1;fp16:0x7d00", "0x7e00", "invalid"), ("minimum", "1;fp16:0x7d00", "0x7e00", "invalid"), ("minimumNumber", "1;fp16:0x7d00", "0x3c00", "invalid"),
    ("minNum", "nan;nan", "0x7e00", ""), ("maximumNumber", "nan;nan", "0x7e00", ""),
    ("minimum", "0;-0", "0x8000", ""), ("maximum", "-0;0", "0x0000", ""), ("minimumNumber", "0;-0", "0x8000", ""), ("maxNum", "-0;0", "0x0000", ""),
    ("add", "fp16:0x7d00;1", "0x7e00", "invalid"), ("add", "nan;1", "0x7e00", ""),
    ("add", "65504;16", "0x7c00", "overflow,inexact"), ("add", "1;-1", "0x0000", ""), ("add", "-0;-0", "0x8000", ""), ("sub", "-0;0", "0x8000", ""),
];

#[test]
fn special_values() {
    for (operation, operands, bits, raised) in SPECIAL {
        let outcome = apply(operation, operands, "fp16", &Policy::default());
        let got = (outcome.format.hex(outcome.rounded.bits), flags(outcome.rounded.status));
        assert_eq!(got, ((*bits).to_owned(), (*raised).to_owned()), "{operation} {operands}");
    }
    let down = Policy::with_rounding(Rounding::Rdn);
    assert_eq!(apply("add", "1;-1", "fp16", &down).rounded.bits, 0x8000, "a sum of opposites rounded down");
    assert_eq!(apply("fma", "1;1;-1", "fp16", &down).rounded.bits, 0x8000);
}

#[test]
fn policies_reach_arithmetic() {
    let daz = Policy { daz: true, ..Policy::default() };
    assert_eq!(apply("add", "fp16:0x0001;fp16:0x8002", "fp16", &daz).rounded.bits, 0);
    let ftz = Policy { ftz: true, ..Policy::default() };
    let flushed = apply("mul", "2^-14;0.5", "fp16", &ftz).rounded;
    assert_eq!((flushed.bits, flags(flushed.status)), (0, "underflow,inexact".to_owned()));
    let payload = Policy { nan: NanPolicy::Payload, ..Policy::default() };
    assert_eq!(apply("add", "1;fp16:0xfd01", "fp16", &payload).rounded.bits, 0xff01);
    assert_eq!(apply("mul", "fp16:0x7e02;fp16:0xfe03", "fp16", &payload).rounded.bits, 0x7e02, "the first NaN");
    let saturate = Policy { saturate: true, ..Policy::default() };
    assert_eq!(apply("mul", "60000;2", "fp16", &saturate).rounded.bits, 0x7bff);
    let before = Policy { tininess: Tininess::Before, ..Policy::default() };
    // (2^-14)(1 − 2^-11) rounds up to the smallest normal number: tiny only before rounding.
    let text = "fp16:0x0400;fp16:0x3bff";
    assert_eq!(flags(apply("mul", text, "fp16", &before).rounded.status), "underflow,inexact");
}

/// Where a format has no code for the result.
#[test]
fn formats_without_infinity_or_nan() {
    for (operation, operands, format, bits, raised) in [
        ("div", "1;0", "e4m3", "0x7f", "divide-by-zero"),
        ("div", "1;0", "e2m1", "0x7", "divide-by-zero"),
        ("div", "-1;0", "e4m3fnuz", "0x80", "divide-by-zero"),
        ("div", "0;0", "e2m1", "0x8", "invalid"),
        ("sqrt", "-1", "e4m3fnuz", "0x80", "invalid"),
        ("mul", "448;2", "e4m3", "0x7f", "overflow,inexact"),
        ("sub", "1;1", "e4m3fnuz", "0x00", ""),
        ("mul", "2;4", "e8m0", "0x82", ""),
        ("sub", "2;2", "e8m0", "0xff", "invalid"),
    ] {
        let outcome = apply(operation, operands, format, &Policy::default());
        let got = (outcome.format.hex(outcome.rounded.bits), flags(outcome.rounded.status));
        assert_eq!(got, (bits.to_owned(), raised.to_owned()), "{operation} {operands} {format}");
    }
}

#[test]
fn the_exact_result_is_beside_the_rounded_one() {
    let third = apply("div", "1;3", "fp16", &Policy::default());
    let ExactResult::Value(Value::Finite(exact)) = &third.exact else { panic!("a fraction") };
    assert_eq!(exact.to_fraction_text().as_deref(), Some("1/3"));
    assert_eq!(third.error_ulp().unwrap().to_significant(4).as_deref(), Some("-0.3333"));
    let root = apply("sqrt", "2", "fp16", &Policy::default());
    let ExactResult::Root { of, .. } = &root.exact else { panic!("irrational") };
    assert_eq!(of, &Exact::power_of_two(1));
    let sum = apply("add", "0.1;0.2", "fp16", &Policy::default());
    // Why 0.1 + 0.2 is not 0.3 in FP16: 0.3 is 0x34cd.
    assert_eq!(
        (sum.rounded.bits, parse_value("0.3").unwrap().round(Format::FP16, &Policy::default()).bits),
        (0x34cc, 0x34cd)
    );
}

#[test]
fn names_and_counts() {
    for operation in Operation::all() {
        assert_eq!(Operation::parse(&operation.name().to_ascii_uppercase()), Ok(operation));
        assert!((1..=3).contains(&operation.operands()));
    }
    assert_eq!(Operation::all().count(), 14);
    assert!(Operation::parse("plus").unwrap_err().contains("add sub mul"));
    assert!(Format::FP16.apply(Operation::Fma, &[0, 0], &Policy::default()).unwrap_err().contains("3 operands"));
}

/// Every pair of E4M3, E5M2, E4M3FNUZ and E2M1: against FP64, in which sums, products and remainders of these are exact.
#[test]
fn every_pair_of_small_formats() {
    for format in [Format::E4M3, Format::E5M2, Format::E4M3FNUZ, Format::E2M1, Format::E3M2] {
        let value = |bits: u64| format.decode(bits).finite().map(Exact::to_f64);
        for a in 0..=format.mask() {
            for b in 0..=format.mask() {
                let (Some(x), Some(y)) = (value(a), value(b)) else { continue };
                let round = |exact: f64| format.round(&Value::from(exact), &Policy::default());
                for (operation, exact) in [
                    (Operation::Add, x + y),
                    (Operation::Sub, x - y),
                    (Operation::Mul, x * y),
                    (Operation::Fmod, x % y),
                ] {
                    if exact.is_nan() {
                        continue;
                    }
                    let ours = format.apply(operation, &[a, b], &Policy::default()).unwrap();
                    let expected = round(exact);
                    assert_eq!(
                        (ours.rounded.bits, ours.rounded.status),
                        (expected.bits, expected.status),
                        "{} {x} {y} in {}",
                        operation.name(),
                        format.name()
                    );
                }
                // A quotient is right if it is the code whose midpoints surround it: checked by multiplying back.
                if y != 0.0 {
                    let quotient = format.apply(Operation::Div, &[a, b], &Policy::default()).unwrap();
                    let direct = parse_value(&format!("({x})/({y})")).unwrap().round(format, &Policy::default());
                    if format.class(quotient.rounded.bits) != Class::Zero {
                        assert_eq!(quotient.rounded.bits, direct.bits, "{x} / {y} in {}", format.name());
                    }
                }
            }
        }
    }
}

/// Exponents so far apart that the sum cannot be written out still round right.
#[test]
fn the_widest_exponents() {
    let format = Format::parse("e16m47").unwrap();
    let large = format.max_finite_code();
    let negative = |bits: u64| bits | format.sign_bit();
    let sum =
        |a: u64, b: u64, mode| format.apply(Operation::Add, &[a, b], &Policy::with_rounding(mode)).unwrap().rounded;
    assert_eq!(sum(large, 1, Rounding::Rne).bits, large);
    assert_eq!(sum(large, negative(1), Rounding::Rtz).bits, large - 1);
    assert_eq!(sum(1, negative(large), Rounding::Rup).bits, negative(large - 1));
    assert_eq!(sum(large, 1, Rounding::Rup).bits, format.infinity_code().unwrap());
    assert_eq!(sum(large, 1, Rounding::Rtz).status, Status::INEXACT);
    let rem = format.apply(Operation::Rem, &[large, 3], &Policy::default()).unwrap().rounded;
    assert_eq!(rem.status, Status::NONE);
    assert!(rem.bits & format.magnitude_mask() <= 1, "{}", format.hex(rem.bits));
}

#[test]
fn a_result_that_is_no_number_says_why() {
    use halfscope::format::Reason;
    for (operation, a, b, reason) in [
        (Operation::Div, "0", "0", Reason::Undefined),
        (Operation::Div, "1", "0", Reason::DividedByZero),
        (Operation::Div, "-1", "0", Reason::DividedByZero),
        (Operation::Sub, "inf", "inf", Reason::Undefined),
        (Operation::Add, "inf", "1", Reason::Special),
        (Operation::Add, "1", "1", Reason::Exact),
    ] {
        let policy = Policy::default();
        let codes = [a, b].map(|text| halfscope::format::parse_value(text).unwrap().round(Format::FP16, &policy).bits);
        let outcome = Format::FP16.apply(operation, &codes, &policy).unwrap();
        assert_eq!(outcome.reason(&policy), reason, "{a} {} {b}", operation.name());
    }
}
