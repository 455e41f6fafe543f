//! Single operations by the processor's own instructions.

use half::f16;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};
use pulp::{Arch, WithSimd};

use crate::train::backend::Primitive;
use crate::train::backend::primitive::IN_INTEGERS;
use crate::train::backend::storage::bf16_bits;

/// What every processor of this kind has.
const BASELINE: &str = if cfg!(target_arch = "x86_64") {
    "SSE2"
} else if cfg!(target_arch = "aarch64") {
    "NEON"
} else {
    "scalar"
};

/// The instruction set that does an operation, found at run time.
pub(super) fn instruction(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Narrow | Primitive::Widen => conversion().unwrap_or(IN_INTEGERS),
        Primitive::NarrowBf16 => IN_INTEGERS,
        Primitive::Add | Primitive::Mul | Primitive::Div | Primitive::Sqrt => BASELINE,
        Primitive::Fma if cfg!(not(target_arch = "x86_64")) => BASELINE,
        Primitive::Fma if matches!(Arch::new(), Arch::Scalar) => "C library",
        Primitive::Fma => "FMA",
    }
}

/// The instruction set that `half` converts with, by the same question that it asks; `None`: it converts in integers.
pub(super) fn conversion() -> Option<&'static str> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return is_x86_feature_detected!("f16c").then_some("F16C");
    #[cfg(target_arch = "aarch64")]
    return std::arch::is_aarch64_feature_detected!("fp16").then_some("FEAT_FP16");
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    None
}

/// Does one operation on every row of words.
pub(super) fn observe(primitive: Primitive, [a, b, c]: [&[u32]; 3]) -> Vec<u32> {
    let each = |operation: fn(f32) -> f32| a.iter().map(|&a| operation(f32::from_bits(a)).to_bits()).collect();
    let pairs = |operation: fn(f32, f32) -> f32| {
        a.iter().zip(b).map(|(&a, &b)| operation(f32::from_bits(a), f32::from_bits(b)).to_bits()).collect()
    };
    match primitive {
        Primitive::Narrow => {
            let wide: Vec<f32> = a.iter().map(|&bits| f32::from_bits(bits)).collect();
            let mut narrow = vec![f16::ZERO; wide.len()];
            narrow.convert_from_f32_slice(&wide);
            narrow.iter().map(|half| u32::from(half.to_bits())).collect()
        }
        Primitive::Widen => {
            let narrow: Vec<u16> = a.iter().map(|&bits| bits as u16).collect();
            let mut wide = vec![0.0_f32; narrow.len()];
            narrow.reinterpret_cast::<f16>().convert_to_f32_slice(&mut wide);
            wide.iter().map(|value| value.to_bits()).collect()
        }
        Primitive::NarrowBf16 => a.iter().map(|&bits| u32::from(bf16_bits(f32::from_bits(bits)))).collect(),
        Primitive::Add => pairs(|a, b| a + b),
        Primitive::Mul => pairs(|a, b| a * b),
        Primitive::Div => pairs(|a, b| a / b),
        Primitive::Sqrt => each(f32::sqrt),
        Primitive::Fma => Arch::new().dispatch(Fused { operands: [a, b, c] }),
    }
}

/// Fused multiply-adds, compiled for what the processor has: without its instruction the C library would do them.
struct Fused<'a> {
    operands: [&'a [u32]; 3],
}

impl WithSimd for Fused<'_> {
    type Output = Vec<u32>;

    #[expect(clippy::inline_always, reason = "the whole loop must be compiled for the instruction set that was chosen")]
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Vec<u32> {
        let [a, b, c] = self.operands;
        let rows = a.iter().zip(b).zip(c);
        rows.map(|((&a, &b), &c)| f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)).to_bits()).collect()
    }
}
