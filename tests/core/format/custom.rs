//! Formats of one's own: what may be left out, and that the name says all of it.

use halfscope::format::{Class, Exact, Format, Policy, Rounding, Status, Value, parse_value};

fn rounded(text: &str, format: &str, mode: Rounding) -> (String, Status) {
    let format = Format::parse(format).unwrap();
    let rounded = parse_value(text).unwrap().round(format, &Policy::with_rounding(mode));
    (format.hex(rounded.bits), rounded.status)
}

#[test]
fn what_is_left_out_is_in_the_name() {
    let names = "fp16-nosub e4m3-uz e5m2-uz e4m3b11-fn-uz-nosub e5m10-ieee-uz e2m1-nosub e4m3fnuz-nosub bf16-nosub";
    for name in names.split(' ') {
        let format = Format::parse(name).unwrap();
        assert_eq!(Format::parse(&format.name()), Ok(format), "{name}");
        assert!(!(format.has_subnormals() && name.contains("-nosub")), "{name}");
        assert!(!(format.has_negative_zero() && name.contains("uz")), "{name}");
    }
    assert_eq!(Format::parse("e4m0-finite-nosub"), Format::parse("e4m0-finite"), "there were none");
    assert_eq!(Format::parse("fp16-nosub-nosub"), Format::parse("fp16-nosub"));
    assert_eq!(Format::parse("FP16-NoSub-uz-nosub").unwrap().name(), "fp16-uz-nosub");
    for (name, part) in [("e4m3fnuz-uz", "already"), ("e2m1-uz", "-fnuz"), ("e8m0-uz", "no zero"), ("x-uz", "unknown")]
    {
        assert!(Format::parse(name).unwrap_err().to_string().contains(part), "{name}");
    }
}

/// Field 0 holds only zero; below the smallest normal number nearest rounding decides at half of it.
#[test]
fn without_subnormals_nothing_lies_below_the_smallest_normal() {
    let format = Format::parse("fp16-nosub").unwrap();
    assert_eq!(format.class(0x0001), Class::Zero);
    assert_eq!(format.decode(0x83ff), Value::Finite(Exact::zero(true)));
    assert_eq!((format.next_up(0), format.next_down(0)), (0x0400, 0x8400));
    assert_eq!((format.next_down(0x0400), format.next_up(0x8400)), (0, 0x8000));
    assert_eq!(format.ulp(0), Some(Exact::power_of_two(-14)));
    let tiny = Status::UNDERFLOW | Status::INEXACT;
    for (text, mode, bits, status) in [
        ("2^-15", Rounding::Rne, "0x0000", tiny),
        ("2^-15", Rounding::Rna, "0x0400", tiny),
        ("2^-15+2^-90", Rounding::Rne, "0x0400", tiny),
        ("2^-24", Rounding::Rne, "0x0000", tiny),
        ("2^-24", Rounding::Rup, "0x0400", tiny),
        ("-(2^-24)", Rounding::Rto, "0x8400", tiny),
        ("2^-14", Rounding::Rne, "0x0400", Status::NONE),
        ("2^-14-2^-26", Rounding::Rne, "0x0400", Status::INEXACT),
        ("2^-14-2^-26", Rounding::Rtz, "0x0000", tiny),
        ("65504", Rounding::Rne, "0x7bff", Status::NONE),
        ("2^-24", Rounding::Sr { random: (1 << 54) - 1 }, "0x0400", tiny),
        ("2^-24", Rounding::Sr { random: 1 << 54 }, "0x0000", tiny),
    ] {
        assert_eq!(rounded(text, "fp16-nosub", mode), (bits.to_owned(), status), "{text} {mode:?}");
    }
    // One digit is enough where the next numbers are 0 and 2^-14 + 2^-24.
    assert_eq!(format.shortest(0x0400), "0.00006");
    assert_eq!(format.power_form(0x0001), "0");
    assert_eq!(format.limits().min_subnormal, None);
}

#[test]
fn with_one_zero_the_code_of_minus_zero_is_a_nan() {
    let format = Format::parse("e5m2-uz").unwrap();
    assert_eq!(format.class(0x80), Class::Nan);
    assert_eq!(format.class(0x7c), Class::Infinite);
    assert_eq!(rounded("-0", "e5m2-uz", Rounding::Rne), ("0x00".to_owned(), Status::NONE));
    assert_eq!(rounded("-1e-9", "e5m2-uz", Rounding::Rne).0, "0x00");
    assert_eq!(rounded("nan", "e5m2-uz", Rounding::Rne).0, "0x7e");
    assert_eq!(format.next_up(0x81), 0x00);
    assert_eq!(format.next_down(0x00), 0x81);
}

/// Every code of small formats with something left out prints and reads back.
#[test]
fn they_print_and_read_back() {
    for name in ["e4m3-nosub", "e4m3-ieee-uz", "e3m2-nosub", "e5m2-uz-nosub", "e4m3fnuz-nosub", "e2m1-nosub"] {
        let format = Format::parse(name).unwrap();
        for bits in 0..=format.mask() {
            let read = |text: &str| parse_value(text).unwrap().round(format, &Policy::default()).bits;
            assert_eq!(read(&format!("{name}:{}", format.hex(bits))), bits, "{name}");
            // Field 0 without subnormals has many names for zero.
            let is_spare = format.class(bits) == Class::Zero && bits & format.magnitude_mask() != 0;
            if format.class(bits) == Class::Nan || is_spare {
                continue;
            }
            for text in [format.shortest(bits), format.exact_decimal(bits), format.hex_float(bits)] {
                assert_eq!(format.hex(read(&text)), format.hex(bits), "{name} {text}");
            }
        }
    }
}
