//! What formats and options are called.

use halfscope::format::{Format, Rounding, Specials};

#[test]
fn aliases_mean_the_same_format() {
    for (format, names) in [
        (Format::FP64, "fp64 f64 float64 double binary64 FP64 Double e11m52"),
        (Format::FP32, "fp32 f32 float32 float single binary32 Float32 e8m23"),
        (Format::FP16, "fp16 f16 float16 half binary16 Half e5m10"),
        (Format::BF16, "bf16 bfloat16 BF16 e8m7"),
        (Format::TF32, "tf32 e8m10"),
        (Format::E4M3, "e4m3 e4m3fn E4M3FN e4m3-fn e4m3b7-fn"),
        (Format::E5M2, "e5m2 e5m2-ieee"),
        (Format::FP16_ARM, "fp16-arm e5m10-finite"),
        (Format::E2M1, "e2m1 e2m1-finite"),
        (Format::E4M3FNUZ, "e4m3fnuz e4m3-fnuz"),
    ] {
        for name in names.split(' ') {
            assert_eq!(Format::parse(name), Ok(format), "{name}");
        }
    }
    assert_eq!(Format::parse("e8m0").unwrap().specials(), Specials::Scale, "presets win");
}

#[test]
fn names_read_back() {
    let custom = "e4m3-ieee e5m3b16-fn e3m4 e6m9 e2m3-ieee e8m0-finite e16m47 e1m2-finite e4m3b9 e5m2b20-fnuz";
    for name in custom.split(' ') {
        assert_eq!(Format::parse(name).unwrap().name(), name);
    }
    for format in Format::presets() {
        assert_eq!(Format::parse(&format.name()), Ok(format));
    }
}

#[test]
fn refused_names_say_why() {
    for (name, part) in [
        ("fp17", "unknown format"),
        ("", "unknown format"),
        ("e5", "unknown format"),
        ("e5m+2", "unknown format"),
        ("e99999999999m2", "unknown format"),
        ("e0m5", "exponent bits"),
        ("e17m5", "exponent bits"),
        ("e11m53", "more than 64 bits"),
        ("e1m2", "no room"),
        ("e4m0", "no room"),
        ("e5m10b70000", "bias"),
    ] {
        let error = Format::parse(name).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{name}: {error}");
    }
    assert!(Rounding::parse("nearest").unwrap_err().contains("rne rna rtz rup rdn rto sr"));
    assert_eq!(Rounding::parse(" RUP "), Ok(Rounding::Rup));
}
