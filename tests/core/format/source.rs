//! Literals of programming languages.

use halfscope::format::{Format, Language, parse_value};

/// Format, code, then C, Rust, Python, WGSL, CUDA; an empty text where the language has none.
#[rustfmt::skip]
const LITERALS: &[(&str, u64, [&str; 5])] = &[
    ("fp64", 0x3fb9_9999_9999_999a, ["0.1", "0.1_f64", "0.1", "", "0.1"]),
    ("fp32", 0x3dcc_cccd, ["0.1f", "0.1_f32", "numpy.float32(0.1)", "0.1f", "0.1f"]),
    ("fp32", 0x3f80_0000, ["1.0f", "1.0_f32", "numpy.float32(1.0)", "1.0f", "1.0f"]),
    ("fp32", 0xff80_0000, ["-INFINITY", "f32::NEG_INFINITY", "numpy.float32(float(\"-inf\"))", "", "__uint_as_float(0xff800000u)"]),
    ("fp32", 0x7fc0_0000, ["NAN", "f32::from_bits(0x7fc00000)", "numpy.float32(float(\"nan\"))", "", "__uint_as_float(0x7fc00000u)"]),
    ("fp16", 0x2e66, ["0.1f16", "half::f16::from_bits(0x2e66)", "numpy.float16(0.1)", "0.1h", "__ushort_as_half(0x2e66)"]),
    ("fp16", 0x0001, ["6e-8f16", "half::f16::from_bits(0x0001)", "numpy.float16(6e-8)", "6e-8h", "__ushort_as_half(0x0001)"]),
    ("bf16", 0x3dcd, ["0x3dcdu", "half::bf16::from_bits(0x3dcd)", "ml_dtypes.bfloat16(0.1)", "0x3dcdu", "__ushort_as_bfloat16(0x3dcd)"]),
    ("e4m3", 0x7e, ["0x7eu", "0x7e_u8", "ml_dtypes.float8_e4m3fn(448.0)", "0x7eu", "0x7eu"]),
    ("tf32", 0x1fc00, ["0x1fc00u", "0x1fc00_u32", "0x1fc00", "0x1fc00u", "0x1fc00u"]),
];

#[test]
fn every_language() {
    for (name, bits, expected) in LITERALS {
        let format = Format::parse(name).unwrap();
        let got = Language::ALL.map(|language| format.source(*bits, language).unwrap_or_default());
        assert_eq!(got.each_ref().map(String::as_str), *expected, "{name} {bits:#x}");
    }
}

/// What C and CUDA compilers and Python read is the number itself, through FP64 and FP32 too.
#[test]
fn python_reads_every_fp16_number_back() {
    for bits in (0..=0xffff_u64).filter(|bits| Format::FP16.decode(*bits).finite().is_some()) {
        let text = Format::FP16.source(bits, Language::Python).unwrap();
        let inside = text.trim_start_matches("numpy.float16(").trim_end_matches(')');
        let double: f64 = inside.parse().unwrap();
        let policy = halfscope::format::Policy::default();
        assert_eq!(Format::FP64.convert(double.to_bits(), Format::FP16, &policy).bits, bits, "{text}");
        assert_eq!(parse_value(inside).unwrap().round(Format::FP16, &policy).bits, bits, "{text}");
    }
}
