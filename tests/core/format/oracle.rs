//! Against `rustc_apfloat`, a port of LLVM's software floating point: codes and flags of decimal strings.

use halfscope::format::{Class, Exact, Format, Policy, Rounding, Status, Value, parse_value};
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, Round};

use super::Random;

const MODES: [(Rounding, Round); 5] = [
    (Rounding::Rne, Round::NearestTiesToEven),
    (Rounding::Rna, Round::NearestTiesToAway),
    (Rounding::Rtz, Round::TowardZero),
    (Rounding::Rup, Round::TowardPositive),
    (Rounding::Rdn, Round::TowardNegative),
];

fn agree<F: Float>(format: Format, text: &str, (mode, round): (Rounding, Round)) {
    let value = parse_value(text).unwrap();
    let ours = value.round(format, &Policy::with_rounding(mode));
    let name = format.name();
    let exact = format.decode(ours.bits) == value.value();
    assert_eq!(ours.status.contains(Status::INEXACT), !exact, "{text} to {name} {mode:?}");
    // apfloat 0.2.3 takes a long decimal that is exactly representable for inexact, and in the directed modes returns
    // its neighbour. That ours is the value itself has just been shown without it.
    if !exact {
        let theirs = F::from_str_r(text, round).unwrap().value.to_bits() as u64;
        assert_eq!(format.hex(ours.bits), format.hex(theirs), "{text} to {name} {mode:?}");
    }
}

/// The midpoint of every pair of neighbours, and one more and one less in its last digit (behind the point), in every
/// direction.
fn midpoints<F: Float>(format: Format) {
    let half = Exact::power_of_two(-1);
    let value = |bits: u64| format.decode(bits).finite().unwrap().clone();
    for (count, bits) in (0..format.max_finite_code()).enumerate() {
        let midpoint = value(bits).add(&value(bits + 1)).unwrap().mul(&half).unwrap();
        let text = midpoint.to_decimal().unwrap();
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len() as i64);
        let place = (exponent.parse::<i64>().unwrap() - behind).min(-1);
        let hair = parse_value(&format!("1e{place}")).unwrap().value().finite().unwrap().clone();
        for point in [midpoint.sub(&hair).unwrap(), midpoint.clone(), midpoint.add(&hair).unwrap()] {
            let text = if count % 2 == 1 { point.negated() } else { point }.to_decimal().unwrap();
            agree::<F>(format, &text, MODES[0]);
            agree::<F>(format, &text, MODES[1 + count % 4]);
        }
    }
}

#[test]
fn midpoints_of_fp16() {
    midpoints::<Half>(Format::FP16);
}

#[test]
fn midpoints_of_bf16() {
    midpoints::<BFloat>(Format::BF16);
}

#[test]
fn midpoints_of_fp8() {
    midpoints::<Float8E5M2>(Format::E5M2);
    midpoints::<Float8E4M3FN>(Format::E4M3);
}

/// Decimal strings of all lengths and sizes, and neighbours' midpoints with digits far behind.
fn random_strings<F: Float>(format: Format, seed: u64, count: usize) {
    let mut random = Random(seed);
    let span = i64::from(format.max_exponent()) * 31 / 100;
    for turn in 0..count {
        let mode = MODES[turn % MODES.len()];
        let sign = if random.below(2) == 0 { "" } else { "-" };
        let digits: String = (0..=random.below(40)).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
        let point = random.below(digits.len() as u64 + 1) as usize;
        let exponent = random.below(2 * span as u64 + 20) as i64 - span - 10;
        let text = format!("{sign}{}.{}e{exponent}", &digits[..point], &digits[point..]);
        agree::<F>(format, &text, mode);

        let bits = random.below(format.max_finite_code());
        let [low, high] = [bits, bits + 1].map(|bits| format.decode(bits).finite().unwrap().clone());
        let midpoint = low.add(&high).unwrap().mul(&Exact::power_of_two(-1)).unwrap();
        let offset = Exact::power_of_two(low.prefix().exponent - 40 - random.below(60) as i64);
        for point in [midpoint.add(&offset).unwrap(), midpoint.sub(&offset).unwrap(), midpoint] {
            agree::<F>(format, &format!("{sign}{}", point.to_decimal().unwrap()), mode);
        }
    }
}

#[test]
fn random_strings_to_fp32() {
    random_strings::<Single>(Format::FP32, 32, 6_000);
}

#[test]
fn random_strings_to_fp64() {
    random_strings::<Double>(Format::FP64, 64, 1_500);
}

/// The standard library's own parser, another independent one.
#[test]
fn decimal_strings_agree_with_the_standard_library() {
    let mut random = Random(7);
    for _ in 0..20_000 {
        let text = format!("{}e{}", random.next(), random.below(700) as i64 - 360);
        let value = parse_value(&text).unwrap();
        assert_eq!(
            value.round(Format::FP64, &Policy::default()).bits,
            text.parse::<f64>().unwrap().to_bits(),
            "{text}"
        );
        let single = value.round(Format::FP32, &Policy::default()).bits;
        assert_eq!(single, u64::from(text.parse::<f32>().unwrap().to_bits()), "{text}");
    }
}

#[test]
fn shortest_digits_are_those_of_the_standard_library() {
    // Digits and power of ten, whatever the layout.
    fn digits(text: &str) -> (String, i64) {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let first = all.find(|c: char| ('1'..='9').contains(&c)).unwrap_or(0);
        let power = exponent.parse::<i64>().unwrap() + whole.len() as i64 - first as i64;
        (all[first..].trim_end_matches('0').to_owned(), power)
    }
    let mut random = Random(11);
    // FP64's own digits are the library's. A format with its numbers and another name for them goes the general way.
    let renamed = Format::parse("e11m52b1022").unwrap();
    for _ in 0..20_000 {
        let double = f64::from_bits(random.next() & (u64::MAX >> 1));
        let code = renamed.round(&Value::from(double), &Policy::default());
        if code.status.is_empty() && renamed.class(code.bits) == Class::Normal {
            assert_eq!(renamed.shortest(code.bits), Format::FP64.shortest(double.to_bits()), "{double:e}");
        }
    }
    for _ in 0..20_000 {
        let single = f32::from_bits(random.next() as u32 & 0x7fff_ffff);
        if single.is_finite() {
            let ours = Format::FP32.shortest(u64::from(single.to_bits()));
            assert_eq!(digits(&ours), digits(&format!("{single:e}")), "{single:e}");
        }
    }
    let edges = [f64::MIN_POSITIVE, f64::MAX, 5e-324, 2.225_073_858_507_201e-308, 9_007_199_254_740_992.0, 1e23, 0.1];
    let powers =
        (-1074..1024).map(|e| Format::FP64.round(&Value::Finite(Exact::power_of_two(e)), &Policy::default()).bits);
    let drawn = (0..4_000).map(|_| random.next() >> 1);
    for bits in edges.into_iter().map(f64::to_bits).chain(powers).chain(drawn) {
        let double = f64::from_bits(bits);
        if double.is_finite() {
            assert_eq!(digits(&Format::FP64.shortest(bits)), digits(&format!("{double:e}")), "{double:e}");
        }
    }
}
