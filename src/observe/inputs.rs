//! What devices are asked: every border where an operation can go wrong, and many values in between.

use crate::train::backend::Primitive;
use crate::train::rng::Rng;

/// Random pairs beside the borders.
const RANDOM: usize = 200_000;

/// Pairs of operand bits; the second is 0 for operations of one operand.
pub(super) fn of(primitive: Primitive) -> Vec<[u32; 2]> {
    match primitive {
        Primitive::Widen => (0..=u32::from(u16::MAX)).map(|bits| [bits, 0]).collect(),
        Primitive::Narrow => {
            let mut inputs: Vec<[u32; 2]> = narrowing().into_iter().map(|bits| [bits, 0]).collect();
            inputs.extend(random().map(|[bits, _]| [bits, 0]));
            inputs
        }
        Primitive::Add | Primitive::Mul | Primitive::Div => {
            let special = special();
            let mut inputs: Vec<[u32; 2]> =
                special.iter().flat_map(|&a| special.iter().map(move |&b| [a, b])).collect();
            inputs.extend(random());
            inputs.extend(near());
            inputs
        }
        Primitive::Sqrt => {
            let mut inputs: Vec<[u32; 2]> = special().into_iter().map(|bits| [bits, 0]).collect();
            inputs.extend(random().map(|[bits, _]| [bits & 0x7fff_ffff, 0]));
            inputs
        }
    }
}

/// Every FP16 number as FP32, every midpoint between two, and both neighbours of each in FP32.
fn narrowing() -> Vec<u32> {
    let mut inputs = Vec::new();
    // The FP32 bits of FP16 numbers lie 2^13 apart above 2^-14; steps of 2^-25 below are numbers and midpoints alike.
    for bits in (0x3880_0000..=0x4780_0000_u32).step_by(1 << 12) {
        inputs.extend([bits - 1, bits, bits + 1]);
    }
    for step in 0..=2048_u32 {
        let bits = (f64::from(step) * 2f64.powi(-25)) as f32;
        let bits = bits.to_bits();
        inputs.extend([bits.saturating_sub(1), bits, bits + 1]);
    }
    inputs.extend(special());
    let negative: Vec<u32> = inputs.iter().map(|bits| bits ^ 0x8000_0000).collect();
    inputs.extend(negative);
    inputs
}

/// Zeros, subnormals, the borders of the normal range, powers of two and their neighbours, infinities, NaNs; of both signs.
fn special() -> Vec<u32> {
    let mut inputs = vec![0, 1, 2, 3, 0x0040_0000, 0x007f_ffff, 0x0080_0000, 0x0080_0001, 0x7f7f_ffff, 0x7f80_0000];
    inputs.extend([0x7f80_0001, 0x7fc0_0000, 0x7fc1_2345, 0x7fff_ffff]);
    for field in (1..255_u32).step_by(6) {
        inputs.extend([field << 23, (field << 23) - 1, (field << 23) + 1, (field << 23) | 0x0055_5555]);
    }
    let negative: Vec<u32> = inputs.iter().map(|bits| bits ^ 0x8000_0000).collect();
    inputs.extend(negative);
    inputs
}

/// Any bits at all.
fn random() -> impl Iterator<Item = [u32; 2]> {
    let mut rng = Rng::stream(1, 0);
    (0..RANDOM).map(move |_| {
        let bits = rng.bits();
        [bits as u32, (bits >> 32) as u32]
    })
}

/// Pairs whose exponents are at most 32 apart: their sums and quotients round.
fn near() -> impl Iterator<Item = [u32; 2]> {
    let mut rng = Rng::stream(2, 0);
    (0..RANDOM).map(move |_| {
        let (bits, field) = (rng.bits(), 64 + rng.below(120) as u32);
        let other = field + rng.below(33) as u32 - 16;
        let with = |fraction: u32, field: u32| (fraction & 0x807f_ffff) | field << 23;
        [with(bits as u32, field), with((bits >> 32) as u32, other)]
    })
}
