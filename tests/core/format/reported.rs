//! Reports about printing, limits and text that other programs got, as data: what is right here, and where it was said.

use halfscope::format::{Format, Policy, Rounding, Value, parse_value};

fn code(text: &str, format: &str, policy: &Policy) -> u64 {
    parse_value(text).unwrap().round(Format::parse(format).unwrap(), policy).bits
}

/// Format, code, exponent of two: a subnormal number is fraction · 2^(1 − bias − fraction bits), without hidden bit.
/// rarsm/rars#100, bartaz/ieee754-visualization#6, ClickHouse#73836, dotnet/runtime#46515, apache/tvm#20315.
#[test]
fn subnormals_have_no_hidden_bit() {
    for (format, bits, text) in [
        ("fp32", 1, "2^-149"),
        ("fp32", 0x40_0000, "2^-127"),
        ("fp16", 1, "2^-24"),
        ("fp16", 0x0200, "2^-15"),
        ("e5m2", 1, "2^-16"),
        ("e5m2", 3, "3*2^-16"),
        ("bf16", 1, "2^-133"),
        ("fp64", 1, "2^-1074"),
    ] {
        let format = Format::parse(format).unwrap();
        assert_eq!(format.decode(bits), parse_value(text).unwrap().value(), "{text}");
    }
    assert_eq!(Format::FP16.power_form(0x0200), "512/1024 × 2^-14");
}

/// Microsoft/DirectXMath#16, Ryujinx#462: exponent 31 is infinity and NaN in IEEE's half, and numbers in Arm's other one.
#[test]
fn the_two_halves_differ_in_the_top_binade() {
    let [ieee, arm] = ["fp16", "fp16-arm"].map(|name| Format::parse(name).unwrap());
    assert_eq!((ieee.exact_decimal(0x7c00), arm.exact_decimal(0x7c00)), ("inf".to_owned(), "65536".to_owned()));
    assert_eq!((ieee.exact_decimal(0x7fff), arm.exact_decimal(0x7fff)), ("nan".to_owned(), "131008".to_owned()));
}

/// NVIDIA/cutlass#1289, #2254, intel/intel-xpu-backend-for-triton#3729: 1 + 2^-11 to TF32 by direction.
#[test]
fn tf32_by_direction() {
    let to = |mode| code("1+2^-11", "tf32", &Policy::with_rounding(mode));
    assert_eq!([Rounding::Rne, Rounding::Rna, Rounding::Rtz].map(to), [0x1_fc00, 0x1_fc01, 0x1_fc00]);
}

/// numpy/numpy#12613, #28679, #18608, #25568, JuliaLang/julia#9072, rust-lang/rust#39428: the digits are right, since
/// they are the shortest that read back.
#[test]
fn shortest_digits_are_no_wrong_digits() {
    for (format, text, shortest, exact) in [
        ("fp16", "65504", "65500", "65504"),
        ("fp16", "17568", "17570", "17568"),
        ("fp16", "-32767", "-32770", "-32768"),
        ("fp32", "1255413760", "1255413800", "1255413760"),
    ] {
        let bits = code(text, format, &Policy::default());
        let format = Format::parse(format).unwrap();
        assert_eq!((format.shortest(bits), format.exact_decimal(bits)), (shortest.to_owned(), exact.to_owned()));
    }
}

/// starkat99/half-rs#112: one digit behind the point of π in FP16, which is 3.140625.
#[test]
fn a_number_of_digits_is_kept() {
    let pi = Format::FP16.decode(code("3.14159265358979", "fp16", &Policy::default()));
    let Value::Finite(pi) = pi else { panic!("a number") };
    let digits = [1, 2, 3, 7].map(|count| pi.to_significant(count).unwrap());
    assert_eq!(digits, ["3", "3.1", "3.14", "3.140625"]);
}

/// gpuweb#3421, llvm/llvm-project#224911, jax-ml/jax#24081: 1/32768 is a subnormal FP16 number, or 0 where those are flushed.
#[test]
fn one_over_32768_is_subnormal_or_flushed() {
    assert_eq!(code("1/32768", "fp16", &Policy::default()), 0x0200);
    assert_eq!(code("1/32768", "fp16", &Policy { ftz: true, ..Policy::default() }), 0);
}

/// pytorch/pytorch#179111: the smallest positive E4M3 number is 2^-9; finfo's tiny is the smallest normal one.
#[test]
fn the_smallest_number_is_not_the_smallest_normal_one() {
    let limits = Format::E4M3.limits();
    let power = |exponent| halfscope::format::Exact::power_of_two(exponent);
    assert_eq!((limits.min_subnormal, limits.min_normal), (Some(power(-9)), power(-6)));
}

/// Where a format ends before its whole numbers do, they are all there.
#[test]
fn whole_numbers_are_whole() {
    for (format, last) in
        [("e2m3", "7"), ("e2m1", "4"), ("e3m2", "8"), ("fp16", "2048"), ("e4m3", "16"), ("e3m7b7", "0")]
    {
        let limits = Format::parse(format).unwrap().limits();
        assert_eq!(limits.exact_integers.to_decimal().as_deref(), Some(last), "{format}");
    }
}

/// ocornut/imgui#332, #648, #1301, emilk/egui#2370, BornAgain#444: what number fields lose.
#[test]
fn what_number_fields_lose() {
    assert_eq!(code("inf", "fp16", &Policy::default()), 0x7c00);
    assert_eq!(code("1e-8", "fp32", &Policy::default()), 0x322b_cc77);
    assert_eq!(code("0.1234567891", "fp64", &Policy::default()), 0.123_456_789_1_f64.to_bits());
    assert!(parse_value("0,5").unwrap_err().to_string().contains("comma"));
}
