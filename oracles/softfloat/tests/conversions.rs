//! Conversions between binary16, binary32 and binary64 against Berkeley SoftFloat 3: codes and all five flags, in every
//! rounding mode it has (to odd included) and with both tininess rules, on millions of inputs around the edges.
//!
//! SoftFloat is built as for x86 SSE, whose NaNs keep sign and payload; so does halfscope's `NanPolicy::Payload`.

mod reference;

use halfscope::format::{Format, NanPolicy, Policy};
use reference::{MODES, TININESS, edges, next, softfloat};
use softfloat_sys as sf;

fn converted(from: Format, to: Format, bits: u64) -> u64 {
    // SAFETY: pure functions of their operand and the thread-local mode.
    unsafe {
        match (from, to) {
            (Format::FP64, Format::FP16) => u64::from(sf::f64_to_f16(sf::float64_t { v: bits }).v),
            (Format::FP64, Format::FP32) => u64::from(sf::f64_to_f32(sf::float64_t { v: bits }).v),
            (Format::FP32, Format::FP16) => u64::from(sf::f32_to_f16(sf::float32_t { v: bits as u32 }).v),
            (Format::FP32, Format::FP64) => sf::f32_to_f64(sf::float32_t { v: bits as u32 }).v,
            (Format::FP16, Format::FP32) => u64::from(sf::f16_to_f32(sf::float16_t { v: bits as u16 }).v),
            (Format::FP16, Format::FP64) => sf::f16_to_f64(sf::float16_t { v: bits as u16 }).v,
            _ => panic!("SoftFloat has no such conversion"),
        }
    }
}

/// Compares one conversion in every mode under both rules; returns how many comparisons that was.
fn compare(from: Format, to: Format, bits: u64) -> u64 {
    let bits = bits & from.mask();
    for (rounding, mode) in MODES {
        for (tininess, rule) in TININESS {
            let policy = Policy { rounding, tininess, nan: NanPolicy::Payload, ..Policy::default() };
            let ours = from.convert(bits, to, &policy);
            let (theirs, status) = softfloat(mode, rule, || converted(from, to, bits));
            let what = || format!("{} {} to {} {policy:?}", from.name(), from.hex(bits), to.name());
            assert_eq!(to.hex(ours.bits), to.hex(theirs), "{}", what());
            assert_eq!(ours.status, status, "{}", what());
        }
    }
    (MODES.len() * TININESS.len()) as u64
}

/// Codes of the wide format around every kind of border of the narrow one.
fn around(wide: Format, narrow: Format, count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut inputs = Vec::new();
    let exact = Policy::default();
    let extra = wide.fraction_bits() - narrow.fraction_bits();
    for turn in 0..count {
        let random = next(&mut state);
        // A narrow code, then the midpoint above it, then a few wide codes to either side of both.
        let code = next(&mut state) & narrow.mask();
        let code = match turn % 8 {
            0 => narrow.max_finite_code() - (random & 3),
            1 => narrow.min_normal_code().wrapping_sub(random & 3) & narrow.mask(),
            2 => random & 7,
            _ => code,
        };
        let centre = narrow.convert(code, wide, &exact).bits;
        let half = 1u64 << (extra - 1);
        let near = (random >> 8) % 7;
        inputs.extend([centre.wrapping_add(near).wrapping_sub(3), (centre + half).wrapping_add(near).wrapping_sub(3)]);
        // Far below the narrow format's range, where only the sticky bit is left, and anything at all.
        let low = narrow.convert(1, wide, &exact).bits.wrapping_sub((random >> 16) % (4 << wide.fraction_bits()));
        inputs.extend([low, low | wide.sign_bit(), centre ^ wide.sign_bit(), random]);
    }
    inputs
}

#[test]
fn narrowing() {
    let mut compared = 0;
    for (wide, narrow, count) in [
        (Format::FP64, Format::FP16, 40_000),
        (Format::FP64, Format::FP32, 40_000),
        (Format::FP32, Format::FP16, 40_000),
    ] {
        for bits in edges(wide).into_iter().chain(around(wide, narrow, count, u64::from(narrow.width()))) {
            compared += compare(wide, narrow, bits);
        }
    }
    assert!(compared > 8_000_000, "{compared} comparisons");
}

#[test]
fn widening_fp16_is_exhaustive() {
    for bits in 0..=u64::from(u16::MAX) {
        compare(Format::FP16, Format::FP32, bits);
        compare(Format::FP16, Format::FP64, bits);
    }
}

#[test]
fn widening_fp32() {
    let mut state = 3;
    for _ in 0..100_000 {
        compare(Format::FP32, Format::FP64, next(&mut state));
    }
    for bits in edges(Format::FP32) {
        compare(Format::FP32, Format::FP64, bits);
    }
}
