//! Arithmetic of binary16, binary32 and binary64 against Berkeley SoftFloat 3: codes and all five flags of add, sub, mul,
//! div, rem, sqrt and fma, in every rounding mode it has and with both tininess rules, a million comparisons each.
//!
//! SoftFloat is built as for x86 SSE: NaN operands keep sign and payload, as under halfscope's `NanPolicy::Payload`. The
//! NaN of an invalid operation has its sign set there and clear here; IEEE 754 leaves it open.

mod reference;

use halfscope::format::{Class, Format, NanPolicy, Operation, Policy};
use reference::{MODES, TININESS, edges, next, softfloat};
use softfloat_sys as sf;

const FORMATS: [Format; 3] = [Format::FP16, Format::FP32, Format::FP64];
/// Comparisons of each operation in each format.
const COMPARISONS: usize = 1_000_000;

/// One call of SoftFloat's function of this name on codes of 16, 32 or 64 bits.
macro_rules! call {
    ($format:expr, $codes:expr, $half:ident $single:ident $double:ident ($($at:literal)+)) => {
        // SAFETY: pure functions of their operands and the thread-local mode.
        unsafe {
            match $format {
                Format::FP16 => u64::from(sf::$half($(sf::float16_t { v: $codes[$at] as u16 }),+).v),
                Format::FP32 => u64::from(sf::$single($(sf::float32_t { v: $codes[$at] as u32 }),+).v),
                _ => sf::$double($(sf::float64_t { v: $codes[$at] }),+).v,
            }
        }
    };
}

fn theirs(operation: Operation, format: Format, codes: &[u64]) -> u64 {
    match operation {
        Operation::Add => call!(format, codes, f16_add f32_add f64_add (0 1)),
        Operation::Sub => call!(format, codes, f16_sub f32_sub f64_sub (0 1)),
        Operation::Mul => call!(format, codes, f16_mul f32_mul f64_mul (0 1)),
        Operation::Div => call!(format, codes, f16_div f32_div f64_div (0 1)),
        Operation::Rem => call!(format, codes, f16_rem f32_rem f64_rem (0 1)),
        Operation::Sqrt => call!(format, codes, f16_sqrt f32_sqrt f64_sqrt (0)),
        Operation::Fma => call!(format, codes, f16_mulAdd f32_mulAdd f64_mulAdd (0 1 2)),
        other => panic!("SoftFloat has no {}", other.name()),
    }
}

/// Compares one operation in every mode under both rules; returns how many comparisons that was.
fn compare(operation: Operation, format: Format, codes: &[u64]) -> usize {
    for (rounding, mode) in MODES {
        for (tininess, rule) in TININESS {
            let policy = Policy { rounding, tininess, nan: NanPolicy::Payload, ..Policy::default() };
            let ours = format.apply(operation, codes, &policy).unwrap().rounded;
            let (bits, status) = softfloat(mode, rule, || theirs(operation, format, codes));
            let what = || {
                let codes: Vec<String> = codes.iter().map(|bits| format.hex(*bits)).collect();
                format!("{} {} {} {policy:?}", operation.name(), format.name(), codes.join(" "))
            };
            let no_operand_is_nan = codes.iter().all(|bits| format.class(*bits) != Class::Nan);
            let made_here = Some(ours.bits) == format.nan_code() && (no_operand_is_nan || operation == Operation::Fma);
            let mask = if made_here { format.magnitude_mask() } else { format.mask() };
            assert_eq!(format.hex(ours.bits & mask), format.hex(bits & mask), "{}", what());
            assert_eq!(ours.status, status, "{}", what());
        }
    }
    MODES.len() * TININESS.len()
}

/// A code that has something to do with another: a near neighbour, its opposite, the same binade, its reciprocal's.
fn related(format: Format, code: u64, state: &mut u64) -> u64 {
    let random = next(state);
    let fraction = random & ((1 << format.fraction_bits()) - 1);
    let sign = random & format.sign_bit();
    let field = format.exponent_field(code);
    let top = (1 << format.exponent_bits()) - 1;
    let at = |field: u64| field.min(top - 1) << format.fraction_bits() | fraction | sign;
    let code = match (random >> 8) % 8 {
        0 => code ^ format.sign_bit(),
        1 => code.wrapping_add(random >> 16 & 3) ^ format.sign_bit(),
        2 => at(field),
        3 => at(field.saturating_sub(u64::from(format.fraction_bits()) + (random >> 16) % 4)),
        4 => at((top - 1).saturating_sub(field)),
        5 => at((random >> 16) % 3),
        // Few significant bits, whose products and quotients are exact or ties.
        6 => at(field) & !(u64::MAX >> (64 - format.fraction_bits() + 3)),
        _ => random,
    };
    code & format.mask()
}

/// Such that the product or the quotient lies around the border of the normal range, subnormals included.
fn borderline(format: Format, a: u64, state: &mut u64) -> u64 {
    let random = next(state);
    let (bias, fraction_bits) = (i64::from(format.bias()), i64::from(format.fraction_bits()));
    // The exponent field that the result would have if the range had no end.
    let wanted = 2 - (random >> 32) as i64 % (fraction_bits + 5);
    let field = format.exponent_field(a) as i64;
    let other = if random >> 63 == 0 { wanted + bias - field } else { field + bias - wanted };
    let top = (1 << format.exponent_bits()) - 2;
    let fraction = random & ((1 << fraction_bits) - 1);
    (other.clamp(0, top) as u64) << fraction_bits | fraction | random & format.sign_bit()
}

fn walk(operation: Operation) {
    for format in FORMATS {
        let mut state = u64::from(format.width()) << 8 | operation.operands() as u64;
        let mut compared = 0;
        let edges = edges(format);
        match operation.operands() {
            1 => edges.iter().for_each(|a| compared += compare(operation, format, &[*a])),
            2 => {
                for a in &edges {
                    edges.iter().for_each(|b| compared += compare(operation, format, &[*a, *b]));
                }
            }
            _ => {
                // Every pair with every third edge.
                for (at, a) in edges.iter().enumerate() {
                    for b in &edges {
                        for c in edges.iter().skip(at % 3).step_by(3) {
                            compared += compare(operation, format, &[*a, *b, *c]);
                        }
                    }
                }
            }
        }
        while compared < COMPARISONS {
            let a = next(&mut state) & format.mask();
            let random = next(&mut state);
            let b = match random % 4 {
                0 => next(&mut state) & format.mask(),
                1 => borderline(format, a, &mut state),
                _ => related(format, a, &mut state),
            };
            let product = format.apply(Operation::Mul, &[a, b], &Policy::default()).unwrap().rounded.bits;
            let c = match random >> 8 & 3 {
                0 => next(&mut state) & format.mask(),
                1 => edges[(random >> 16) as usize % edges.len()],
                // Of a size with the product: cancellation and ties.
                _ => related(format, product, &mut state),
            };
            compared += compare(operation, format, &[a, b, c][..operation.operands()]);
        }
        assert!(compared >= COMPARISONS, "{compared} comparisons");
    }
}

#[test]
fn add() {
    walk(Operation::Add);
}

#[test]
fn sub() {
    walk(Operation::Sub);
}

#[test]
fn mul() {
    walk(Operation::Mul);
}

#[test]
fn div() {
    walk(Operation::Div);
}

#[test]
fn rem() {
    walk(Operation::Rem);
}

#[test]
fn sqrt() {
    walk(Operation::Sqrt);
}

#[test]
fn fma() {
    walk(Operation::Fma);
}
