//! Codes typed as fields and as bytes, against Rust's own bytes and against the layout of each format.

use halfscope::format::{ByteOrder, CodeField, Format, Literal, Policy, parse_value};

fn code(text: &str) -> (Format, u64) {
    match parse_value(text).unwrap_or_else(|error| panic!("{text}: {error}")) {
        Literal::Bits { format, bits } => (format, bits),
        Literal::Value(value) => panic!("{text} is no code but {value:?}"),
    }
}

#[test]
fn fields_are_whole_numbers() {
    for (text, bits) in [
        ("fp16:0:15:0", 0x3c00),
        ("fp16:1:0x1f:0", 0xfc00),
        ("FP16: 0 : 0b11110 : 0x3FF", 0x7bff),
        ("bf16:0:127:64", 0x3fc0),
        ("fp32:0:127:0", u64::from(1f32.to_bits())),
        ("fp64:1:1023:0x8000000000000", (-1.5f64).to_bits()),
        ("e8m0:0:127:0", 127),
        ("e2m1:1:3:1", 0xf),
    ] {
        assert_eq!(code(text).1, bits, "{text}");
    }
}

#[test]
fn bytes_are_those_of_memory() {
    for x in [1f32, -0.1, f32::MIN_POSITIVE, 3e38] {
        let [le, be] = [x.to_le_bytes(), x.to_be_bytes()].map(|bytes| bytes.map(|byte| format!("{byte:02x}")));
        assert_eq!(Format::FP32.bytes(u64::from(x.to_bits()), ByteOrder::Little), le.join(" "));
        assert_eq!(code(&format!("fp32:le:{}", le.join(" "))).1, u64::from(x.to_bits()));
        assert_eq!(code(&format!("f32:BE:{}", be.concat())).1, u64::from(x.to_bits()));
    }
    // The code of TF32 has 19 bits: three bytes. FP6 and FP4 have a byte each.
    assert_eq!(Format::TF32.bytes(0x1_fc00, ByteOrder::Little), "00 fc 01");
    assert_eq!(code("tf32:be:01fc00").1, 0x1_fc00);
    assert_eq!(code("e2m1:le:07").1, 7);
}

#[test]
fn what_is_written_reads_back() {
    for format in Format::presets() {
        for bits in [0, 1, 0x5a5a_5a5a_5a5a_5a5a & format.mask(), format.max_finite_code(), format.mask()] {
            let texts =
                ByteOrder::ALL.map(|order| format!("{}:{}:{}", format.name(), order.name(), format.bytes(bits, order)));
            for text in texts.into_iter().chain([format.fields_text(bits)]) {
                assert_eq!(code(&text), (format, bits), "{text}");
                // A code stays as it is in its own format, NaNs too.
                assert_eq!(parse_value(&text).unwrap().round(format, &Policy::default()).bits, bits, "{text}");
            }
        }
    }
    assert_eq!(Format::FP16.with_field(0xffff, CodeField::Exponent, "0"), Ok(0x83ff));
    assert_eq!(Format::FP16.with_field(0, CodeField::Sign, "1"), Ok(0x8000));
}

#[test]
fn wrong_parts_are_named() {
    for (text, said) in [
        ("fp16:0:32:0", "the exponent field of fp16 has 5 bits: 0 to 31, not 32"),
        ("fp16:2:0:0", "the sign of fp16 has 1 bit: 0 to 1"),
        ("fp16:0:0:1024", "0 to 1023"),
        ("fp16:0:0:99999999999999999999999", "0 to 1023"),
        ("e8m0:1:0:0", "0 bits: 0 to 0"),
        ("fp16:0:x:0", "\"x\" is not a whole number"),
        ("fp16:0:-1:0", "not a whole number"),
        ("fp16::0:0", "not a whole number"),
        ("fp16:le:3c", "fp16 has 2 bytes of two hexadecimal digits, such as 01 00"),
        ("fp16:le:00 3g", "2 bytes"),
        ("fp16:be:é00 ", "2 bytes"),
        ("e2m1:le:17", "wider than the 4 bits"),
        ("fp16:xe:00 3c", "fp16:SIGN:EXPONENT:FRACTION"),
        ("fp16:0:15", "fp16:le:01 00"),
        ("fp16:0:1:2:3", "bits are written"),
        ("fp16:", "bits are written"),
    ] {
        let error = parse_value(text).expect_err(text);
        assert!(error.contains(said) && !error.contains('\n'), "{text}: {error}");
    }
}
