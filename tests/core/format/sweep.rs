//! Functions over ranges of inputs, against binary64 arithmetic (exact where it is used) and against known identities.

use halfscope::format::{Draws, Exact, Expression, Format, Policy, Rounding, Sweep, SweepError, Swept, Value};

fn sweep(function: &str, format: Format, low: f64, high: f64) -> Sweep {
    let function = Expression::parse(function).unwrap();
    Sweep::new(function, format, (&Value::from(low), &Value::from(high))).unwrap()
}

fn swept(sweep: &Sweep) -> Swept {
    let mut swept = Swept::default();
    (0..sweep.inputs()).for_each(|at| swept.add(sweep, sweep.sample(at)));
    swept
}

fn exact(x: f64) -> Exact {
    Value::from(x).finite().unwrap().clone()
}

#[test]
fn functions_are_computed_step_by_step_and_exactly() {
    let half = |x: f64| Format::FP16.round(&Value::from(x), &Policy::default()).bits;
    let mut draws = Draws::new(Policy::default(), 0);
    for (text, x, in_half, exactly) in [
        ("x", 3.0, 3.0, 3.0),
        // 2049 has no code: the tie goes to 2048.
        ("(x + 1) - 1", 2048.0, 2047.0, 2048.0),
        ("x - 1 + 1", 2048.0, 2048.0, 2048.0),
        ("-x^2", 3.0, -9.0, -9.0),
        // 3^8 = 6561: from 4096 on FP16 counts in fours, and 2187 · 3 is rounded from 2188 · 3 = 6564.
        ("x^8", 3.0, 6564.0, 6561.0),
        ("X^-2", 4.0, 0.0625, 0.0625),
        ("x^0", 5.0, 1.0, 1.0),
        ("sqrt(x) * sqrt(x)", 9.0, 9.0, 9.0),
        ("2^-3 * x", 8.0, 1.0, 1.0),
        // The constant is rounded once: 2049 is 2048.
        ("x + 2049", 0.0, 2048.0, 2049.0),
        ("x / 4 - -1", 2.0, 1.5, 1.5),
    ] {
        let function = Expression::parse(text).unwrap();
        assert_eq!(function.in_format(Format::FP16, half(x), &mut draws), half(in_half), "{text} of {x}");
        assert_eq!(function.exactly(&exact(x)).unwrap(), exact(exactly), "{text} of {x}");
    }
    // An irrational root is right to far more than binary64 holds.
    let root = Expression::parse("sqrt(x)").unwrap().exactly(&exact(2.0)).unwrap();
    let square = root.mul(&root).unwrap().sub(&exact(2.0)).unwrap().magnitude();
    assert!(!square.is_zero() && square.compare(&Exact::power_of_two(-500)).is_lt());
    let third = Expression::parse("sqrt(x / 9)").unwrap().exactly(&exact(1.0)).unwrap();
    assert_eq!(third, exact(1.0).div(&exact(3.0)).unwrap());
}

#[test]
fn what_is_no_function_is_one_line() {
    for (text, said) in [
        ("1 + 1", "has no x"),
        ("", "ends where a number is missing"),
        ("x +", "ends where a number is missing"),
        ("x y", "unexpected \"y\""),
        ("2x", "unexpected \"x\""),
        ("sqrt x", "sqrt without its \"(\""),
        ("sqrt(x", "without its \")\""),
        ("x^x", "power that is not a whole number"),
        ("x^0.5", "power that is not a whole number"),
        ("x^65", "power of x above 64"),
        ("1/0 + x", "divides by zero"),
        ("9^9^9 * x", "too large"),
        ("y", "write x, sqrt(x)"),
        ("fp16:0x3c00 * x", "write x, sqrt(x)"),
    ] {
        let error = Expression::parse(text).expect_err(text);
        assert!(error.contains(said) && !error.contains('\n'), "{text}: {error}");
    }
    // A value is no function, and says so as before.
    assert!(halfscope::format::parse_value("x + 1").unwrap_err().contains("not a number"));
    assert!(halfscope::format::parse_value("sqrt(4)").unwrap_err().contains("not a number"));
}

/// (x + 1) − 1 in FP16 against binary64, in which both operations are exact for FP16 inputs below 1.
#[test]
fn every_input_is_as_far_off_as_binary64_says() {
    let sweep = sweep("(x + 1) - 1", Format::FP16, 0.0, 1.0);
    // The codes from 0 to that of 1.
    assert_eq!((sweep.numbers(), sweep.inputs()), (0x3c00 + 1, 0x3c00 + 1));
    let number = |bits: u64| Format::FP16.decode(bits).finite().unwrap().to_f64();
    let mut largest = 0f64;
    for at in 0..sweep.inputs() {
        let sample = sweep.sample(at);
        let x = number(sample.x);
        // Numbers from 1 to 2 are 2^-10 apart.
        let sum = ((x + 1.0) * 1024.0).round_ties_even() / 1024.0;
        assert_eq!(number(sample.computed), sum - 1.0, "{x}");
        let ulp = number(sample.x & 0x7c00).max(2f64.powi(-14)) / 1024.0;
        let error = (sum - 1.0 - x).abs() / ulp;
        largest = largest.max(error);
        assert_eq!(sample.error, SweepError::Ulps(exact(error)), "{x}");
    }
    let swept = swept(&sweep);
    assert_eq!(swept.worst.as_ref().map(|(_, error)| error.to_f64()), Some(largest));
    // What is below 2^-11 becomes 0: the last number of a binade has 2047 ULPs of its own to lose.
    assert_eq!(largest, 2047.0);
    assert_eq!((swept.inputs, swept.no_number.0, swept.undefined), (sweep.inputs(), 0, 0));
    assert_eq!(swept.groups.len() as u64, Swept::GROUPS);
    assert!(swept.groups.iter().any(|group| group.largest == 2047.0));
    assert_eq!((swept.groups[0].first, swept.groups[127].last), (0x0000, 0x3c00));
}

#[test]
fn one_operation_is_never_off_by_more_than_half_an_ulp() {
    for function in ["x / 3", "sqrt(x)", "x * x", "x - 2"] {
        let swept = swept(&sweep(function, Format::E5M2, 0.25, 16.0));
        assert_eq!(swept.rounded_once, swept.inputs, "{function}");
        assert!(swept.mean().unwrap() <= 0.5);
    }
    let mut directed = sweep("x / 3", Format::E4M3, 1.0, 4.0);
    directed.policy = Policy::with_rounding(Rounding::Rup);
    let swept = swept(&directed);
    assert!(swept.rounded_once < swept.inputs && swept.worst.unwrap().1.to_f64() < 1.0);
}

#[test]
fn infinities_and_what_has_no_value_are_counted_apart() {
    // x · x / x overflows on the way from 256 on: 65536 is beyond FP16.
    let overflowing = swept(&sweep("x * x / x", Format::FP16, 1.0, 65504.0));
    let first = overflowing.no_number.1.unwrap();
    let x = Format::FP16.decode(first.x).finite().unwrap().to_f64();
    assert!(x * x >= 65520.0 && (x - 0.125).powi(2) < 65520.0, "{x}");
    // Every FP16 number from there to 65504, eight binades without the few up to 255.96875.
    assert_eq!(overflowing.no_number.0, 0x7bff - first.x + 1);
    // Where the exact value is beyond the range too, infinity is right.
    let right = swept(&sweep("x * 4", Format::FP16, 60000.0, 65504.0));
    assert_eq!((right.no_number.0, right.exact), (0, right.inputs));
    let roots = swept(&sweep("1 / sqrt(x)", Format::E4M3, -1.0, 1.0));
    // The codes of E4M3 from 0 to 1 are 0 to 0x38: 56 numbers below zero, and zero, whose root cannot divide.
    assert_eq!((roots.inputs, roots.undefined), (113, 57));
}

#[test]
fn wide_formats_are_sampled_from_end_to_end() {
    let wide = sweep("x", Format::FP64, 1.0, 2.0);
    assert_eq!((wide.numbers(), wide.inputs()), ((1 << 52) + 1, Sweep::MOST));
    assert_eq!((wide.input(0), wide.input(Sweep::MOST - 1)), (1f64.to_bits(), 2f64.to_bits()));
    let steps: Vec<u64> = (1..Sweep::MOST).map(|at| wide.input(at) - wide.input(at - 1)).collect();
    let (least, most) = (steps.iter().min().unwrap(), steps.iter().max().unwrap());
    assert!(most - least <= 1, "{least} to {most}");
    let whole = sweep("x", Format::FP16, f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(whole.numbers(), 2 * 0x7bff + 1);
    let inputs: std::collections::BTreeSet<u64> = (0..whole.inputs()).map(|at| whole.input(at)).collect();
    assert_eq!(inputs.len() as u64, whole.numbers(), "each once, zero without a sign");
    assert!(!inputs.contains(&0x8000));
    // A scale has no zero; its powers of two from 2^-127 to 1 have the codes 0 to 127.
    let scale = sweep("x", Format::E8M0, 0.0, 1.0);
    assert_eq!((scale.numbers(), scale.input(0), scale.input(127)), (128, 0, 127));
    let function = Expression::parse("x").unwrap();
    let ends = (&Value::from(2.0), &Value::from(1.0));
    assert!(Sweep::new(function, Format::FP16, ends).unwrap_err().contains("no numbers from 2 to 1"));
}
