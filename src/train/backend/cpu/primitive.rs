//! Single operations by the processor's own instructions.

use half::f16;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};

use crate::train::backend::Primitive;

/// Does one operation on every pair of words.
pub(super) fn observe(primitive: Primitive, a: &[u32], b: &[u32]) -> Vec<u32> {
    let pairs = || a.iter().zip(b).map(|(&a, &b)| (f32::from_bits(a), f32::from_bits(b)));
    let of = |values: Vec<f32>| values.iter().map(|value| value.to_bits()).collect();
    match primitive {
        // The slice conversions use F16C or NEON's instructions where there are any.
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
            of(wide)
        }
        Primitive::Add => of(pairs().map(|(a, b)| a + b).collect()),
        Primitive::Mul => of(pairs().map(|(a, b)| a * b).collect()),
        Primitive::Div => of(pairs().map(|(a, b)| a / b).collect()),
        Primitive::Sqrt => of(pairs().map(|(a, _)| a.sqrt()).collect()),
    }
}
