//! Walks over every code of the formats that are small enough.

use halfscope::format::{Class, Exact, Format, NanPolicy, Policy, Rounding, Status, Value, parse_value};

fn small_formats() -> Vec<Format> {
    let custom = ["e3m4", "e4m3-ieee", "e4m3b11-fn", "e1m2-finite", "e2m2-fnuz", "e6m2", "e4m0-finite", "e3m0-fn"];
    Format::presets()
        .filter(|format| format.width() <= 8)
        .chain(custom.iter().map(|name| Format::parse(name).unwrap()))
        .collect()
}

fn codes(format: Format) -> impl Iterator<Item = u64> {
    0..=format.mask()
}

fn finite(format: Format, bits: u64) -> Option<Exact> {
    format.decode(bits).finite().cloned()
}

/// Every way to write a code reads back as the same code.
fn prints_read_back(format: Format, bits: u64) {
    let read = |text: &str| parse_value(text).unwrap().round(format, &Policy::default());
    let hex = format!("{}:{}", format.name(), format.hex(bits));
    assert_eq!(read(&hex).bits, bits, "{hex}");
    if format.class(bits) == Class::Nan {
        assert_eq!(format.shortest(bits), "nan");
        return;
    }
    for text in [format.shortest(bits), format.exact_decimal(bits), format.hex_float(bits)] {
        let back = read(&text);
        assert_eq!(format.hex(back.bits), format.hex(bits), "{text} of {hex}");
        assert!(!back.status.contains(Status::OVERFLOW), "{text} of {hex}");
    }
    let exact = read(&format.exact_decimal(bits));
    assert_eq!(exact.status, Status::NONE, "{hex}");
}

#[test]
fn every_fp16_code_prints_and_reads_back() {
    for bits in codes(Format::FP16) {
        prints_read_back(Format::FP16, bits);
    }
}

#[test]
fn every_code_of_every_small_format_prints_and_reads_back() {
    for format in small_formats() {
        for bits in codes(format) {
            prints_read_back(format, bits);
        }
    }
}

#[test]
fn every_bf16_and_arm_code_prints_and_reads_back() {
    for bits in codes(Format::BF16).step_by(7) {
        prints_read_back(Format::BF16, bits);
        prints_read_back(Format::FP16_ARM, bits);
    }
}

/// Neighbours by search: the next larger value among all codes.
#[test]
fn next_up_and_down_are_the_neighbours() {
    for format in small_formats() {
        let mut all: Vec<_> =
            codes(format).filter_map(|bits| finite(format, bits).map(|exact| (bits, exact))).collect();
        all.sort_by(|a, b| a.1.compare(&b.1));
        for (bits, exact) in &all {
            let above = all.iter().find(|(_, other)| other.compare(exact).is_gt());
            let below = all.iter().rev().find(|(_, other)| other.compare(exact).is_lt());
            let beyond = |negative: bool| match format.infinity_code() {
                Some(code) => Value::Infinite { negative: negative && code != 0 },
                None => Value::Finite(exact.clone()),
            };
            let up = above.map_or_else(|| beyond(false), |(_, exact)| Value::Finite(exact.clone()));
            let down = below.map_or_else(|| beyond(true), |(_, exact)| Value::Finite(exact.clone()));
            assert_eq!(format.decode(format.next_up(*bits)), up, "{} {bits:#x}", format.name());
            assert_eq!(format.decode(format.next_down(*bits)), down, "{} {bits:#x}", format.name());
        }
    }
}

/// Rounding by search among all codes, for every code, every midpoint and points on both sides of them.
#[test]
fn small_formats_round_as_a_search_does() {
    for format in small_formats() {
        let codes: Vec<_> = (0..=format.max_finite_code()).collect();
        let values: Vec<_> = codes.iter().map(|bits| finite(format, *bits).unwrap()).collect();
        for (at, pair) in values.windows(2).enumerate() {
            let half = Exact::power_of_two(-1);
            let midpoint = pair[0].add(&pair[1]).unwrap().mul(&half).unwrap();
            let hair = Exact::power_of_two(-400);
            let points = [
                (pair[0].clone(), [0, 0, 0, 0]),
                (midpoint.sub(&hair).unwrap(), [0, 0, 0, 1]),
                // Nearest even by the code's last bit; with one significand bit a tie is decided by size instead.
                (midpoint.clone(), [usize::from(ties_up(format, codes[at])), 1, 0, 1]),
                (midpoint.add(&hair).unwrap(), [1, 1, 0, 1]),
            ];
            for (x, expected) in points {
                let modes = [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup];
                for (mode, step) in modes.into_iter().zip(expected) {
                    let rounded = format.round(&Value::Finite(x.clone()), &Policy::with_rounding(mode));
                    assert_eq!(rounded.bits, codes[at + step], "{} {mode:?} between {:#x}", format.name(), codes[at]);
                    let exact = x.compare(&values[at]).is_eq();
                    assert_eq!(rounded.status.contains(Status::INEXACT), !exact, "{}", format.name());
                }
                if format.is_signed() {
                    let minus =
                        format.round(&Value::Finite(x.clone().negated()), &Policy::with_rounding(Rounding::Rdn));
                    let plus = format.round(&Value::Finite(x), &Policy::with_rounding(Rounding::Rup));
                    let zero = plus.bits == 0;
                    let sign = if zero && !format.has_negative_zero() { 0 } else { format.sign_bit() };
                    assert_eq!(minus.bits, plus.bits | sign, "{}: directions mirror", format.name());
                }
            }
        }
    }
}

fn ties_up(format: Format, below: u64) -> bool {
    let (significand, _) = format.significand(below);
    significand % 2 == 1
}

/// The hot path of storage: `half` must agree with the exact core on what it is used for.
fn half_agrees(bits: u32) {
    let stored = half::f16::from_f32(f32::from_bits(bits)).to_bits();
    let policy = Policy { nan: NanPolicy::Payload, ..Policy::default() };
    let exact = Format::FP32.convert(u64::from(bits), Format::FP16, &policy);
    assert_eq!(u64::from(stored), exact.bits, "{bits:#010x}");
}

#[test]
fn fp32_to_fp16_storage_is_right_on_a_sample() {
    for bits in (0..=u32::MAX).step_by(20_011) {
        half_agrees(bits);
    }
    // Around every FP16 code and midpoint: the FP32 numbers in between have 13 bits more.
    for upper in (0x3280_0000u32..=0x4780_0000).step_by(0x1000) {
        for bits in upper - 1..=upper + 1 {
            half_agrees(bits);
            half_agrees(bits | 0x8000_0000);
        }
    }
}

#[test]
#[ignore = "walks all 2^32 inputs: minutes"]
fn fp32_to_fp16_storage_is_right_everywhere() {
    let workers: Vec<_> = (0..2u32)
        .map(|worker| {
            std::thread::Builder::new()
                .name(format!("walk-{worker}"))
                .spawn(move || (worker..=u32::MAX - 1 + worker).step_by(2).for_each(half_agrees))
                .unwrap()
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
}

#[test]
fn fp16_to_fp32_storage_is_right_everywhere() {
    for bits in 0..=u16::MAX {
        let policy = Policy { nan: NanPolicy::Payload, ..Policy::default() };
        let exact = Format::FP16.convert(u64::from(bits), Format::FP32, &policy);
        assert_eq!(u64::from(half::f16::from_bits(bits).to_f32().to_bits()), exact.bits, "{bits:#06x}");
    }
}

/// Away from zero as often as the discarded part of an ULP says.
#[test]
fn stochastic_rounding_has_the_exact_probability() {
    let up = |text: &str, format: Format, random: u64| {
        let policy = Policy::with_rounding(Rounding::Sr { random });
        parse_value(text).unwrap().round(format, &policy).bits
    };
    // Half of the smallest subnormal: one draw in two (milankl/StochasticRounding.jl#62 reports "never").
    assert_eq!(up("2^-25", Format::FP16, (1 << 63) - 1), 1);
    assert_eq!(up("2^-25", Format::FP16, 1 << 63), 0);
    // A quarter and three quarters of an ULP above 1.
    for (text, share) in [("1+2^-12", 1 << 62), ("1+3*2^-12", 3 << 62)] {
        assert_eq!(up(text, Format::FP16, share - 1), 0x3c01, "{text}");
        assert_eq!(up(text, Format::FP16, share), 0x3c00, "{text}");
    }
    // Exact values never move.
    for random in [0, u64::MAX] {
        assert_eq!(up("1", Format::FP16, random), 0x3c00);
    }
    // A draw decides at the top of the range, too: 65520 is half way to what would be 65536.
    assert_eq!(up("65520", Format::FP16, 0), 0x7c00);
    assert_eq!(up("65520", Format::FP16, u64::MAX), 0x7bff);
}

/// Rounding to odd with two more bits and then to nearest equals rounding once: the property it exists for.
#[test]
fn rounding_to_odd_first_is_harmless() {
    let wide = Format::parse("e8m12").unwrap();
    let mut random = super::Random(5);
    for _ in 0..20_000 {
        let bits = 0x3200_0000 + random.below(0x1700_0000);
        let x = Value::from(f32::from_bits(bits as u32));
        let odd = wide.round(&x, &Policy::with_rounding(Rounding::Rto)).bits;
        let twice = wide.convert(odd, Format::FP16, &Policy::default()).bits;
        assert_eq!(twice, Format::FP16.round(&x, &Policy::default()).bits, "{bits:#x}");
    }
}
