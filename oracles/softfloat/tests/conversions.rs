//! Conversions between binary16, binary32 and binary64 against Berkeley SoftFloat 3: codes and all five flags, in every
//! rounding mode it has (to odd included) and with both tininess rules, on millions of inputs around the edges.
//!
//! SoftFloat is built as for x86 SSE, whose NaNs keep sign and payload; so does halfscope's `NanPolicy::Payload`.

use halfscope::format::{Format, NanPolicy, Policy, Rounding, Status, Tininess};
use softfloat_sys as sf;

const MODES: [(Rounding, u8); 6] = [
    (Rounding::Rne, sf::softfloat_round_near_even),
    (Rounding::Rna, sf::softfloat_round_near_maxMag),
    (Rounding::Rtz, sf::softfloat_round_minMag),
    (Rounding::Rup, sf::softfloat_round_max),
    (Rounding::Rdn, sf::softfloat_round_min),
    (Rounding::Rto, sf::softfloat_round_odd),
];

const TININESS: [(Tininess, u8); 2] = [
    (Tininess::After, sf::softfloat_tininess_afterRounding),
    (Tininess::Before, sf::softfloat_tininess_beforeRounding),
];

/// Runs one SoftFloat operation under a mode and rule; its result and flags.
fn softfloat(mode: u8, tininess: u8, operation: impl FnOnce() -> u64) -> (u64, Status) {
    // SAFETY: the helpers write and read thread-local bytes of the library.
    unsafe {
        sf::softfloat_roundingMode_write_helper(mode);
        sf::softfloat_detectTininess_write_helper(tininess);
        sf::softfloat_exceptionFlags_write_helper(0);
    }
    let bits = operation();
    // SAFETY: as above.
    let raised = unsafe { sf::softfloat_exceptionFlags_read_helper() };
    let mut status = Status::NONE;
    for (flag, ours) in [
        (sf::softfloat_flag_invalid, Status::INVALID),
        (sf::softfloat_flag_infinite, Status::DIVIDE_BY_ZERO),
        (sf::softfloat_flag_overflow, Status::OVERFLOW),
        (sf::softfloat_flag_underflow, Status::UNDERFLOW),
        (sf::softfloat_flag_inexact, Status::INEXACT),
    ] {
        if raised & flag != 0 {
            status |= ours;
        }
    }
    (bits, status)
}

fn reference(from: Format, to: Format, bits: u64) -> u64 {
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
            let (theirs, status) = softfloat(mode, rule, || reference(from, to, bits));
            let what = || format!("{} {} to {} {policy:?}", from.name(), from.hex(bits), to.name());
            assert_eq!(to.hex(ours.bits), to.hex(theirs), "{}", what());
            assert_eq!(ours.status, status, "{}", what());
        }
    }
    (MODES.len() * TININESS.len()) as u64
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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

/// Zeros, infinities, quiet and signalling NaNs with payloads, the ends of the range.
fn edges(format: Format) -> Vec<u64> {
    let infinity = format.infinity_code().unwrap();
    let quiet = 1 << (format.fraction_bits() - 1);
    let magnitudes = [0, 1, format.min_normal_code() - 1, format.min_normal_code(), format.max_finite_code(), infinity];
    let nans = [1, 2, quiet - 1, quiet, quiet | 1, 2 * quiet - 1].map(|fraction| infinity | fraction);
    magnitudes.into_iter().chain(nans).flat_map(|code| [code, code | format.sign_bit()]).collect()
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
