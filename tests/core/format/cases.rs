//! Inputs that other programs got wrong (or right, and were blamed for), with what IEEE 754 and OCP's FP8 say.
//!
//! Every row names the public report it comes from. The expected codes and flags were computed with exact rationals.

use halfscope::format::{Format, NanPolicy, Policy, Rounding, Tininess, Value, parse_value};

/// Typed value, format, rounding and options, code, flags, where it was reported.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const ROUNDINGS: &[Row] = &[
    ("1025.49995", "fp16", "rne", "0x6401", "inexact", "halide/Halide#903"),
    ("1.00048828125000022204", "fp16", "rne", "0x3c01", "inexact", "boa-dev/boa#5237"),
    ("2.980232238769532e-8", "fp16", "rne", "0x0001", "underflow,inexact", "petamoriken/float16#952; VoidStarKat/half-rs#145; boa#5000"),
    ("0.499994", "fp16", "rne", "0x3800", "inexact", "petamoriken/float16#1046"),
    ("1.9999999902343750", "fp16", "rne", "0x4000", "inexact", "h5py/h5py#819"),
    ("65519", "fp16", "rne", "0x7bff", "inexact", "ekmett/half#26; tt-metal#57215"),
    ("65520", "fp16", "rne", "0x7c00", "overflow,inexact", "ekmett/half#26; tt-metal#57215"),
    ("32760", "fp16", "rne", "0x7800", "inexact", "RobTillaart/float16#10"),
    ("32767", "fp16", "rne", "0x7800", "inexact", "RobTillaart/float16#10"),
    ("5.8", "fp32", "rne", "0x40b9999a", "inexact", "canbula/ieee754#5"),
    ("-0.5687", "fp32", "rne", "0xbf119653", "inexact", "canbula/ieee754#1"),
    ("1.1755301539980510070448986385130987351758e-38", "fp32", "rne", "0x008000ff", "inexact", "kolemannix/ffc.h#26"),
    ("1.1754942e-38", "fp32", "rne", "0x007fffff", "underflow,inexact", "Z3Prover/z3#2851"),
    ("0x8a4.d047p-140", "fp32", "rne", "0x001149a1", "underflow,inexact", "google/double-conversion#304"),
    ("0x100000100000008p0", "fp32", "rne", "0x5b800001", "inexact", "google/double-conversion#304"),
    ("0x1p1000", "fp64", "rne", "0x7e70000000000000", "", "google/double-conversion#303"),
    ("0x2p-1075", "fp64", "rne", "0x0000000000000001", "", "google/double-conversion#303"),
    ("0xcc5f893a94ec6.a8ap-1074", "fp64", "rne", "0x000cc5f893a94ec7", "underflow,inexact", "google/double-conversion#316"),
    ("0x0.00000100000000001p-126", "fp32", "rne", "0x00000001", "underflow,inexact", "swiftlang/swift#86462"),
    ("2^-14-2^-25-2^-65", "fp16", "rne", "0x03ff", "underflow,inexact", "VoidStarKat/half-rs#116 / CPython test_struct"),
    ("137405399039*2^-26", "fp16", "rne", "0x67ff", "inexact", "VoidStarKat/half-rs#116 / CPython test_struct"),
    ("1+2^-11+2^-22", "fp16", "rne", "0x3c01", "inexact", "VoidStarKat/half-rs#151"),
    ("1+2^-11+2^-40", "fp16", "rne", "0x3c01", "inexact", "tinygrad#18071"),
    ("63343.99805", "fp16", "rne", "0x7bbb", "inexact", "JuliaLang/julia#40315"),
    ("fp32:0x33000000", "fp16", "rne", "0x0000", "underflow,inexact", "ahrefs/ocannl#981; JuliaLang/julia#32441"),
    ("fp32:0x33000001", "fp16", "rne", "0x0001", "underflow,inexact", "ahrefs/ocannl#981; JuliaLang/julia#32441"),
    ("fp32:0x33400000", "fp16", "rne", "0x0001", "underflow,inexact", "ahrefs/ocannl#981; JuliaLang/julia#32441"),
    ("fp32:0x337fffff", "fp16", "rne", "0x0001", "underflow,inexact", "ahrefs/ocannl#981; JuliaLang/julia#32441"),
    ("fp32:0x33800000", "fp16", "rne", "0x0001", "", "ahrefs/ocannl#981; JuliaLang/julia#32441"),
    ("fp32:0x2f7fffff", "fp16", "rne", "0x0000", "underflow,inexact", "lance-format/lance-spark#787"),
    ("fp32:0x34200000", "fp16", "rne", "0x0002", "underflow,inexact", "numpy/numpy#22704"),
    ("fp32:0x34600000", "fp16", "rne", "0x0004", "underflow,inexact", "numpy/numpy#22704"),
    ("1543*2^-25", "fp16", "rne", "0x0304", "underflow,inexact", "JuliaLang/julia#49698"),
    ("16777213*2^-150", "fp32", "rne", "0x007ffffe", "underflow,inexact", "JuliaLang/julia#49698"),
    ("16842753", "bf16", "rne", "0x4b81", "inexact", "arch-hdl-lang/arch-com#629"),
    ("16973823", "bf16", "rne", "0x4b81", "inexact", "jax-ml/ml_dtypes#401"),
    ("16842753", "bf16", "rne", "0x4b81", "inexact", "dotnet/runtime#112474"),
    ("1+2^-8+2^-40", "bf16", "rne", "0x3f81", "inexact", "jax-ml/ml_dtypes#401"),
    ("fp32:0x3e89ccd5", "bf16", "rne", "0x3e8a", "inexact", "stillwater-sc/universal#1133"),
    ("fp32:0x39586fff", "fp16", "rtz", "0x0ac3", "inexact", "ROCm/legacy-rocm-build#1846"),
    ("fp32:0x39587000", "fp16", "rtz", "0x0ac3", "inexact", "ROCm/legacy-rocm-build#1846"),
    ("6.6461399789245764e+35", "bf16", "rtz", "0x7aff", "inexact", "graphcore-research/gfloat#49"),
    ("fp64:0x0000000019873cc2", "fp32", "rne", "0x00000000", "underflow,inexact", "rust-lang/rust#113407"),
    ("448", "e4m3", "rne", "0x7e", "", "jax-ml/ml_dtypes#260,#400,#147"),
    ("464", "e4m3", "rne", "0x7e", "inexact", "jax-ml/ml_dtypes#260,#400,#147"),
    ("464.0001", "e4m3", "rne", "0x7f", "overflow,inexact", "jax-ml/ml_dtypes#260,#400,#147"),
    ("465", "e4m3", "rne", "0x7f", "overflow,inexact", "jax-ml/ml_dtypes#260,#400,#147"),
    ("465", "e4m3", "rne --saturate", "0x7e", "overflow,inexact", "stillwater-sc/universal#1302"),
    ("4.25", "e4m3", "rne", "0x48", "inexact", "jax-ml/ml_dtypes#221"),
    ("58000", "e5m2", "rne", "0x7b", "inexact", "stillwater-sc/universal#1351"),
    ("61439", "e5m2", "rne", "0x7b", "inexact", "arithmetic"),
    ("61440", "e5m2", "rne", "0x7c", "overflow,inexact", "arithmetic"),
    ("9", "e5m2", "rne", "0x48", "inexact", "triton-lang/triton#5925"),
    ("1.31640625", "e4m3", "rne", "0x3b", "inexact", "MurrellGroup/Microfloats.jl#25"),
    ("-431.99999999999994", "e4m3", "rne", "0xfd", "inexact", "jax-ml/ml_dtypes#401"),
    ("bf16:0x5bf8", "e4m3", "rtz", "0x7e", "overflow,inexact", "riscv-isa-sim#2284"),
    ("bf16:0x5bf8", "e4m3", "rne", "0x7f", "overflow,inexact", "riscv-isa-sim#2284"),
    ("-0.0000001", "e4m3fnuz", "rne", "0x00", "underflow,inexact", "microsoft/onnxruntime#18473; onnx/onnx#5764; openxla/xla#17487"),
    ("-0.0000001", "e4m3", "rne", "0x80", "underflow,inexact", "microsoft/onnxruntime#18473; onnx/onnx#5764; openxla/xla#17487"),
    ("0.25", "e2m1", "rne", "0x0", "underflow,inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("0.25000006", "e2m1", "rne", "0x1", "underflow,inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("1.25", "e2m1", "rne", "0x2", "inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("2.5", "e2m1", "rne", "0x4", "inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("5", "e2m1", "rne", "0x6", "inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("0.75", "e2m1", "rne", "0x2", "underflow,inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("1.75", "e2m1", "rne", "0x4", "inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("3.5", "e2m1", "rne", "0x6", "inexact", "ROCm/aiter#3992,#974,#2247; tt-metal#51971"),
    ("fp32:0x7f800001", "bf16", "rne", "0x7fc0", "invalid", "dotnet/runtime#130583; gorse#1240; universal#1303"),
    ("fp16:0x8000", "fp32", "rne", "0x80000000", "", "generic -0; float-toy#5"),
    ("2^-14-2^-27", "fp16", "rne --tininess after", "0x0400", "inexact", "IEEE 754-2019 7.5"),
    ("2^-14-2^-27", "fp16", "rne --tininess before", "0x0400", "underflow,inexact", "IEEE 754-2019 7.5"),
];

/// Operation, code, format, result, where it was reported.
#[rustfmt::skip]
const STEPS: &[(&str, &str, &str, &str, &str)] = &[
    ("decode", "e4m3:0x01", "e4m3", "1*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x02", "e4m3", "2*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x03", "e4m3", "3*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x04", "e4m3", "4*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x05", "e4m3", "5*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x06", "e4m3", "6*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x07", "e4m3", "7*2^-9", "1bit-MONSTER#300"),
    ("decode", "e4m3:0x7e", "e4m3", "448", "peeterjoot/floatexplorer"),
    ("decode", "e5m2:0x7d", "e5m2", "nan", "EricLBuehler/float8#8"),
    ("decode", "e5m2:0x7e", "e5m2", "nan", "EricLBuehler/float8#8"),
    ("decode", "e5m2:0x7f", "e5m2", "nan", "EricLBuehler/float8#8"),
    ("decode", "e5m2:0xfd", "e5m2", "nan", "EricLBuehler/float8#8"),
    ("decode", "e5m2:0xfe", "e5m2", "nan", "EricLBuehler/float8#8"),
    ("decode", "e5m2:0xff", "e5m2", "nan", "EricLBuehler/float8#8"),
    ("decode", "e4m3fnuz:0x80", "e4m3fnuz", "nan", "triton-lang/triton#10745,#10778"),
    ("next-up", "fp16:0x8000", "fp16", "0x0001", "huonw/ieee754#1; C nextafter(-0,+0)=+0 numpy#31472"),
    ("next-down", "fp16:0x7c00", "fp16", "0x7bff", "numpy/numpy#15977"),
    ("next-up", "inf", "fp64", "inf", "JuliaLang/julia#16206"),
    ("ulp", "fp16:0x7bff", "fp16", "32", "np.spacing(float16(65504))"),
    ("ulp", "fp32:0x00000001", "fp32", "2^-149", "intel/rohd-hcl#206"),
    ("ulp", "fp32:0x007fffff", "fp32", "2^-149", "intel/rohd-hcl#206"),
    ("decode", "fp32:0x00000001", "fp32", "2^-149", "rarsm/rars#100; bartaz#6; h-schmidt 2015 note"),
];

/// Format, value, and code and flags per direction.
type Directions = (&'static str, &'static str, [(&'static str, &'static str); 6]);

/// What each direction makes of a value: format, value, then code and flags for rne rna rtz rup rdn rto.
/// Flags by their first letters: o overflow, u underflow, x inexact.
#[rustfmt::skip]
const DIRECTIONS: &[Directions] = &[
    ("fp16", "65519", [("0x7bff", "x"), ("0x7bff", "x"), ("0x7bff", "x"), ("0x7c00", "ox"), ("0x7bff", "x"), ("0x7bff", "x")]),
    ("fp16", "65520", [("0x7c00", "ox"), ("0x7c00", "ox"), ("0x7bff", "x"), ("0x7c00", "ox"), ("0x7bff", "x"), ("0x7bff", "x")]),
    ("fp16", "-65520", [("0xfc00", "ox"), ("0xfc00", "ox"), ("0xfbff", "x"), ("0xfbff", "x"), ("0xfc00", "ox"), ("0xfbff", "x")]),
    ("fp16", "1e30", [("0x7c00", "ox"), ("0x7c00", "ox"), ("0x7bff", "ox"), ("0x7c00", "ox"), ("0x7bff", "ox"), ("0x7bff", "ox")]),
    ("fp16", "-1e30", [("0xfc00", "ox"), ("0xfc00", "ox"), ("0xfbff", "ox"), ("0xfbff", "ox"), ("0xfc00", "ox"), ("0xfbff", "ox")]),
    ("fp16", "2^-25", [("0x0000", "ux"), ("0x0001", "ux"), ("0x0000", "ux"), ("0x0001", "ux"), ("0x0000", "ux"), ("0x0001", "ux")]),
    ("fp16", "-(2^-25)", [("0x8000", "ux"), ("0x8001", "ux"), ("0x8000", "ux"), ("0x8000", "ux"), ("0x8001", "ux"), ("0x8001", "ux")]),
    ("fp16", "2^-26", [("0x0000", "ux"), ("0x0000", "ux"), ("0x0000", "ux"), ("0x0001", "ux"), ("0x0000", "ux"), ("0x0001", "ux")]),
    ("fp16", "3*2^-26", [("0x0001", "ux"), ("0x0001", "ux"), ("0x0000", "ux"), ("0x0001", "ux"), ("0x0000", "ux"), ("0x0001", "ux")]),
    ("fp16", "1+2^-11", [("0x3c00", "x"), ("0x3c01", "x"), ("0x3c00", "x"), ("0x3c01", "x"), ("0x3c00", "x"), ("0x3c01", "x")]),
    ("fp16", "1+3*2^-11", [("0x3c02", "x"), ("0x3c02", "x"), ("0x3c01", "x"), ("0x3c02", "x"), ("0x3c01", "x"), ("0x3c01", "x")]),
    ("fp16", "-1-2^-11", [("0xbc00", "x"), ("0xbc01", "x"), ("0xbc00", "x"), ("0xbc00", "x"), ("0xbc01", "x"), ("0xbc01", "x")]),
    ("fp16", "2^-14-2^-25", [("0x0400", "ux"), ("0x0400", "ux"), ("0x03ff", "ux"), ("0x0400", "ux"), ("0x03ff", "ux"), ("0x03ff", "ux")]),
    ("fp16", "2^-14-2^-26", [("0x0400", "x"), ("0x0400", "x"), ("0x03ff", "ux"), ("0x0400", "x"), ("0x03ff", "ux"), ("0x03ff", "ux")]),
    ("bf16", "1+2^-8", [("0x3f80", "x"), ("0x3f81", "x"), ("0x3f80", "x"), ("0x3f81", "x"), ("0x3f80", "x"), ("0x3f81", "x")]),
    ("bf16", "1+3*2^-8", [("0x3f82", "x"), ("0x3f82", "x"), ("0x3f81", "x"), ("0x3f82", "x"), ("0x3f81", "x"), ("0x3f81", "x")]),
    ("bf16", "-1-2^-8", [("0xbf80", "x"), ("0xbf81", "x"), ("0xbf80", "x"), ("0xbf80", "x"), ("0xbf81", "x"), ("0xbf81", "x")]),
    ("e4m3", "449", [("0x7e", "x"), ("0x7e", "x"), ("0x7e", "x"), ("0x7f", "ox"), ("0x7e", "x"), ("0x7e", "ox")]),
    ("e4m3", "464", [("0x7e", "x"), ("0x7f", "ox"), ("0x7e", "x"), ("0x7f", "ox"), ("0x7e", "x"), ("0x7e", "ox")]),
    ("e4m3", "465", [("0x7f", "ox"), ("0x7f", "ox"), ("0x7e", "x"), ("0x7f", "ox"), ("0x7e", "x"), ("0x7e", "ox")]),
    ("e4m3", "2^-10", [("0x00", "ux"), ("0x01", "ux"), ("0x00", "ux"), ("0x01", "ux"), ("0x00", "ux"), ("0x01", "ux")]),
    ("e4m3", "3*2^-11", [("0x01", "ux"), ("0x01", "ux"), ("0x00", "ux"), ("0x01", "ux"), ("0x00", "ux"), ("0x01", "ux")]),
];

fn policy(options: &str) -> Policy {
    let mut words = options.split(' ');
    let rounding = Rounding::parse(words.next().unwrap()).unwrap();
    let mut policy = Policy::with_rounding(rounding);
    for word in words {
        match word {
            "--saturate" => policy.saturate = true,
            "--tininess" | "--nan" => {}
            "after" => policy.tininess = Tininess::After,
            "before" => policy.tininess = Tininess::Before,
            "--ftz" => policy.ftz = true,
            "--daz" => policy.daz = true,
            "payload" => policy.nan = NanPolicy::Payload,
            "canonical" => policy.nan = NanPolicy::Canonical,
            other => panic!("unknown option {other}"),
        }
    }
    policy
}

/// Code and flags of a typed value.
fn rounded(text: &str, format: &str, options: &str) -> (String, String) {
    let format = Format::parse(format).unwrap();
    let rounded = parse_value(text).unwrap().round(format, &policy(options));
    (format.hex(rounded.bits), rounded.status.names().collect::<Vec<_>>().join(","))
}

fn check(rows: &[Row]) {
    for (text, format, options, bits, flags, source) in rows {
        assert_eq!(
            rounded(text, format, options),
            ((*bits).to_owned(), (*flags).to_owned()),
            "{text} to {format} {options}: {source}"
        );
    }
}

#[test]
fn reported_roundings() {
    check(ROUNDINGS);
}

#[test]
fn reported_decodings_and_steps() {
    for (operation, text, format, expected, source) in STEPS {
        let format = Format::parse(format).unwrap();
        let code = parse_value(text).unwrap().round(format, &Policy::default()).bits;
        let expected_value = |text: &str| parse_value(text).unwrap().value();
        match *operation {
            "decode" if *expected == "nan" => assert!(matches!(format.decode(code), Value::Nan(_)), "{text}: {source}"),
            "decode" => assert_eq!(format.decode(code), expected_value(expected), "{text}: {source}"),
            "ulp" => assert_eq!(Value::Finite(format.ulp(code).unwrap()), expected_value(expected), "{text}: {source}"),
            "next-up" if *expected == "inf" => assert_eq!(Some(format.next_up(code)), format.infinity_code(), "{text}"),
            "next-up" => assert_eq!(format.hex(format.next_up(code)), *expected, "{text}: {source}"),
            "next-down" => assert_eq!(format.hex(format.next_down(code)), *expected, "{text}: {source}"),
            other => panic!("unknown operation {other}"),
        }
    }
}

#[test]
fn every_direction() {
    let short =
        |flags: &str| flags.replace("overflow", "o").replace("underflow", "u").replace("inexact", "x").replace(',', "");
    for (format, text, expected) in DIRECTIONS {
        for (mode, (bits, flags)) in Rounding::DETERMINISTIC.into_iter().zip(expected) {
            let (got, raised) = rounded(text, format, mode.name());
            assert_eq!((got.as_str(), short(&raised).as_str()), (*bits, *flags), "{text} to {format} {}", mode.name());
        }
    }
}

/// What the OCP and vendor formats make of values they have no code for, and the choices of a policy.
#[rustfmt::skip]
const POLICIES: &[Row] = &[
    ("nan", "e2m1", "rne", "0x8", "invalid", "no NaN in FP4"),
    ("-nan", "e3m2", "rne", "0x20", "invalid", "no NaN in FP6"),
    ("1000", "e3m2", "rne", "0x1f", "overflow,inexact", "no infinity in FP6"),
    ("-1000", "e2m3", "rup", "0x3f", "overflow,inexact", "no infinity in FP6"),
    ("7", "e2m1", "rne", "0x7", "overflow,inexact", "6 is the largest FP4 number; 7 ties to 8"),
    ("6.9", "e2m1", "rne", "0x7", "inexact", "below the tie at 7"),
    ("-0", "e4m3fnuz", "rne", "0x00", "", "no -0 in FNUZ"),
    ("-nan", "e4m3fnuz", "rne", "0x80", "", "one NaN in FNUZ"),
    ("1000", "e4m3fnuz", "rne", "0x80", "overflow,inexact", "no infinity in FNUZ"),
    ("1000", "e5m2fnuz", "rne --saturate", "0x68", "inexact", "nearer to 1024 than to 896"),
    ("1e9", "e5m2fnuz", "rne --saturate", "0x7f", "overflow,inexact", "clamped to 57344"),
    ("-nan", "e4m3", "rne", "0xff", "", "a NaN of each sign in E4M3"),
    ("inf", "e4m3", "rne", "0x7f", "overflow,inexact", "no infinity in E4M3"),
    ("-inf", "e4m3", "rne --saturate", "0xfe", "overflow,inexact", "OCP OFP8 saturating mode"),
    ("inf", "e5m2", "rne --saturate", "0x7b", "overflow,inexact", "OCP OFP8 saturating mode"),
    ("inf", "e5m2", "rne", "0x7c", "", "infinity is exact"),
    ("1.5", "e8m0", "rne", "0x80", "inexact", "onnx/onnx#7784: a tie goes up"),
    ("3", "e8m0", "rne", "0x81", "inexact", "onnx/onnx#7784"),
    ("1.4999", "e8m0", "rne", "0x7f", "inexact", "below the tie"),
    ("1.125", "e8m0", "rup", "0x80", "inexact", "onnx/onnx#7784"),
    ("1.25", "e8m0", "rup", "0x80", "inexact", "onnx/onnx#7784"),
    ("5", "e8m0", "rup", "0x82", "inexact", "onnx/onnx#7784"),
    ("0", "e8m0", "rne", "0xff", "invalid", "no zero in E8M0"),
    ("-1", "e8m0", "rne", "0xff", "invalid", "no sign in E8M0"),
    ("2^-128", "e8m0", "rne", "0x00", "underflow,inexact", "graphcore-research/gfloat#62"),
    ("2^-140", "e8m0", "rtz", "0x00", "underflow,inexact", "graphcore-research/gfloat#62"),
    ("2^-127", "e8m0", "rne", "0x00", "", "the smallest"),
    ("2^128", "e8m0", "rne", "0xff", "overflow,inexact", "beyond 2^127"),
    ("131008", "fp16-arm", "rne", "0x7fff", "", "Arm's alternative half"),
    ("140000", "fp16-arm", "rne", "0x7fff", "overflow,inexact", "Arm's alternative half"),
    ("65536", "fp16-arm", "rne", "0x7c00", "", "Arm's alternative half"),
    ("fp16:0x7d01", "fp32", "rne --nan payload", "0x7fe02000", "invalid", "x86 keeps the payload and quiets"),
    ("fp16:0x7d01", "fp32", "rne", "0x7fc00000", "invalid", "sign kept, payload dropped"),
    ("fp16:0xfd01", "fp32", "rne", "0xffc00000", "invalid", "sign kept, payload dropped"),
    ("fp16:0xfd01", "fp32", "rne --nan canonical", "0x7fc00000", "invalid", "RISC-V"),
    ("fp32:0xffc02001", "fp16", "rne --nan payload", "0xfe01", "", "the top payload bits survive"),
    ("fp16:0x7d01", "fp16", "rne", "0x7d01", "", "nothing is computed in its own format"),
    ("-nan", "fp16", "rne", "0xfe00", "", "the sign is typed"),
    ("fp16:0x0001", "fp32", "rne --daz", "0x00000000", "", "a subnormal operand counts as zero"),
    ("fp16:0x83ff", "fp32", "rne --daz", "0x80000000", "", "with its sign"),
    ("fp16:0x0400", "fp32", "rne --daz", "0x38800000", "", "the smallest normal does not"),
    ("fp32:0x33800000", "fp16", "rne --ftz", "0x0000", "underflow,inexact", "2^-24 is subnormal"),
    ("-(2^-15)", "fp16", "rne --ftz", "0x8000", "underflow,inexact", "an exact subnormal is flushed, too"),
    ("2^-14-2^-26", "fp16", "rne --ftz", "0x0400", "inexact", "rounds to a normal"),
    ("1+2^-11", "tf32", "rna", "0x1fc01", "inexact", "NVIDIA/cutlass#2254: the modes differ on a tie"),
    ("1+2^-11", "tf32", "rne", "0x1fc00", "inexact", "NVIDIA/cutlass#2254"),
    ("1e-999999999", "fp32", "rup", "0x00000001", "underflow,inexact", "tiny, not zero"),
    ("-1e999999999999999999999", "fp64", "rup", "0xffefffffffffffff", "overflow,inexact", "huge, held"),
    ("0x1p-9999999999999999999", "fp32", "rto", "0x00000001", "underflow,inexact", "tiny, not zero"),
    ("0e999999999", "fp16", "rne", "0x0000", "", "zero times anything"),
    ("2.9802322387695312500000000000000000000000000000000000000000000000000000000000000000001e-8", "fp16", "rne", "0x0001", "underflow,inexact", "just above the tie"),
    ("1/3", "fp32", "rne", "0x3eaaaaab", "inexact", "a rational"),
    ("-1/3", "fp16", "rdn", "0xb556", "inexact", "a rational"),
    ("65504+16", "fp16", "rne", "0x7c00", "overflow,inexact", "the tie at the top"),
];

#[test]
fn policies_and_special_codes() {
    check(POLICIES);
}
