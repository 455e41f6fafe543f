//! The short cuts for conversions and roots against the exact way and `rustc_apfloat`, and the walks over all 2^32 inputs.

use halfscope::format::{Format, NanPolicy, Operation, Policy};
use rustc_apfloat::ieee::{BFloat, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::Random;

fn exact(from: Format, bits: u64, to: Format) -> u64 {
    from.convert(bits, to, &Policy::default()).bits
}

fn exact_root(format: Format, bits: u64) -> u64 {
    format.apply(Operation::Sqrt, &[bits], &Policy::default()).unwrap().rounded.bits
}

/// FP32 codes around every number and midpoint of a narrower format, and drawn ones.
fn telling() -> impl Iterator<Item = u64> {
    let mut random = Random(21);
    let drawn: Vec<u64> = (0..100_000).map(|_| random.next() >> 32).collect();
    let borders = (0..=0xff_ffff_u64).step_by(16).map(|upper| upper << 8);
    let around = borders.flat_map(|bits| [bits.saturating_sub(1), bits, bits + 1]);
    around.chain(drawn).chain([0xffff_ffff])
}

#[test]
fn conversions_agree_with_the_exact_way() {
    for bits in telling() {
        for to in [Format::FP16, Format::BF16, Format::TF32, Format::E5M2] {
            let (ours, wanted) = (Format::FP32.nearest(bits, to), exact(Format::FP32, bits, to));
            assert_eq!(to.hex(ours), to.hex(wanted), "{bits:#010x} to {}", to.name());
        }
    }
    for bits in 0..=0xffff_u64 {
        for from in [Format::FP16, Format::BF16, Format::FP16_ARM] {
            for to in [Format::FP32, Format::BF16, Format::FP16, Format::E4M3, Format::FP64] {
                assert_eq!(
                    from.nearest(bits, to),
                    exact(from, bits, to),
                    "{bits:#06x} {} to {}",
                    from.name(),
                    to.name()
                );
            }
        }
    }
}

#[test]
fn roots_agree_with_the_exact_way() {
    let wide = Format::parse("e3m12").unwrap(); // where roots may be subnormal
    for bits in 0..=0xffff_u64 {
        for format in [Format::FP16, Format::BF16, wide] {
            assert_eq!(format.nearest_root(bits), exact_root(format, bits), "{bits:#06x} in {}", format.name());
        }
    }
    for bits in telling().step_by(3) {
        assert_eq!(Format::FP32.nearest_root(bits), exact_root(Format::FP32, bits), "{bits:#010x}");
    }
}

/// An FP32 code converted by `rustc_apfloat`, a port of LLVM's software floating point.
fn by_apfloat<F: Float>(bits: u32) -> u64
where
    Single: FloatConvert<F>,
{
    let mut inexact = false;
    Single::from_bits(u128::from(bits)).convert(&mut inexact).value.to_bits() as u64
}

/// The exact way against `apfloat`, NaNs with their payloads, and the short cut against the exact way but for NaNs.
fn agrees<F: Float>(bits: u32, to: Format)
where
    Single: FloatConvert<F>,
{
    let policy = Policy { nan: NanPolicy::Payload, ..Policy::default() };
    let exact = Format::FP32.convert(u64::from(bits), to, &policy).bits;
    assert_eq!(exact, by_apfloat::<F>(bits), "{bits:#010x} to {}", to.name());
    let is_nan = bits & 0x7fff_ffff > 0x7f80_0000;
    assert!(is_nan || Format::FP32.nearest(u64::from(bits), to) == exact, "{bits:#010x} to {}", to.name());
}

#[test]
fn conversions_agree_with_apfloat_on_a_sample() {
    for bits in (0..=u32::MAX).step_by(9973) {
        agrees::<BFloat>(bits, Format::BF16);
        agrees::<Half>(bits, Format::FP16);
    }
}

/// All FP32 codes on two threads.
fn walk(check: fn(u32)) {
    let walker = |worker: u32| {
        let thread = std::thread::Builder::new().name(format!("walk-{worker}"));
        thread.spawn(move || (worker..=u32::MAX - 1 + worker).step_by(2).for_each(check)).unwrap()
    };
    for worker in [walker(0), walker(1)] {
        worker.join().unwrap();
    }
}

#[test]
#[ignore = "walks all 2^32 inputs: minutes"]
fn fp32_to_bf16_is_right_everywhere() {
    walk(|bits| agrees::<BFloat>(bits, Format::BF16));
}

#[test]
#[ignore = "walks all 2^32 inputs: minutes"]
fn fp32_to_fp16_is_right_everywhere() {
    walk(|bits| agrees::<Half>(bits, Format::FP16));
}

/// The root by its definition, apart from the crate: no other code's square is nearer. In 128-bit integers.
fn is_root(bits: u32, root: u32) -> bool {
    let parts = |bits: u32| {
        let (field, fraction) = (bits >> 23, bits & 0x7f_ffff);
        if field == 0 { (u128::from(fraction), -149) } else { (u128::from(fraction | 0x80_0000), field as i32 - 150) }
    };
    let ((x, x_lsb), (r, r_lsb)) = (parts(bits), parts(root));
    // (2r − 1)² < 4x·2^(x_lsb − 2·r_lsb) < (2r + 1)²; roots are never exactly half way.
    let shift = x_lsb - 2 * r_lsb + 2;
    let (low, high) = ((2 * r - 1).pow(2), (2 * r + 1).pow(2));
    if shift >= 0 { low < x << shift && x << shift < high } else { low << -shift < x && x < high << -shift }
}

#[test]
#[ignore = "walks all 2^31 positive inputs: minutes"]
fn fp32_roots_are_right_everywhere() {
    walk(|bits| {
        let root = Format::FP32.nearest_root(u64::from(bits)) as u32;
        let positive = bits != 0 && bits < 0x7f80_0000;
        assert!(!positive || is_root(bits, root), "{bits:#010x}: {root:#010x}");
    });
}

#[test]
fn fp32_roots_are_right_on_a_sample() {
    for bits in (1..0x7f80_0000_u32).step_by(1009) {
        let root = Format::FP32.nearest_root(u64::from(bits)) as u32;
        assert!(is_root(bits, root) && !is_root(bits, root + 1) && !is_root(bits, root - 1), "{bits:#010x}");
    }
}
