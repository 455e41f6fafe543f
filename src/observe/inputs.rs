//! What devices are asked: every border where an operation can go wrong and many values in between, or everything there is.

use super::Coverage;
use crate::train::backend::Primitive;
use crate::train::rng::Rng;

/// Random rows beside the borders.
const RANDOM: usize = 200_000;

/// Every FP32 code.
const ALL: u64 = 1 << 32;

/// The rows of operands of an operation, in order; columns that it has no operand for stay empty.
#[derive(Debug)]
pub(super) struct Inputs {
    operands: usize,
    at: u64,
    total: u64,
    /// Empty where the rows are all codes, one after another.
    listed: Vec<[u32; 3]>,
}

impl Inputs {
    /// What is asked of an operation.
    pub(super) fn of(primitive: Primitive, coverage: Coverage) -> Self {
        let operands = primitive.operands();
        if coverage == Coverage::All && operands == 1 && primitive != Primitive::Widen {
            return Self { operands, at: 0, total: ALL, listed: Vec::new() };
        }
        let listed = chosen(primitive);
        Self { operands, at: 0, total: listed.len() as u64, listed }
    }

    /// How many rows there are altogether.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// The next rows, as columns; `None` at the end.
    pub(super) fn take(&mut self, most: u64) -> Option<[Vec<u32>; 3]> {
        let end = self.total.min(self.at + most);
        if self.at == end {
            return None;
        }
        let columns = if self.listed.is_empty() {
            [(self.at..end).map(|bits| bits as u32).collect(), Vec::new(), Vec::new()]
        } else {
            let rows = &self.listed[self.at as usize..end as usize];
            let column =
                |at: usize| if at < self.operands { rows.iter().map(|row| row[at]).collect() } else { Vec::new() };
            [column(0), column(1), column(2)]
        };
        self.at = end;
        Some(columns)
    }
}

/// Every border, and values in between.
fn chosen(primitive: Primitive) -> Vec<[u32; 3]> {
    let singles = |bits: Vec<u32>| bits.into_iter().map(|bits| [bits, 0, 0]).collect::<Vec<_>>();
    let more = || random(1).map(|[a, ..]| [a, 0, 0]);
    match primitive {
        Primitive::Widen => singles((0..=u32::from(u16::MAX)).collect()),
        Primitive::Narrow => singles(narrowing()).into_iter().chain(more()).collect(),
        Primitive::NarrowBf16 => singles(narrowing_bf16()).into_iter().chain(more()).collect(),
        Primitive::Sqrt => {
            singles(special()).into_iter().chain(more().map(|[a, ..]| [a & 0x7fff_ffff, 0, 0])).collect()
        }
        Primitive::Add | Primitive::Mul | Primitive::Div => {
            let special = special();
            let pairs = special.iter().flat_map(|&a| special.iter().map(move |&b| [a, b, 0]));
            pairs.chain(random(1).map(|[a, b, _]| [a, b, 0])).chain(near(2)).collect()
        }
        Primitive::Fma => {
            let few = &few();
            let triples = few.iter().flat_map(|&a| few.iter().flat_map(move |&b| few.iter().map(move |&c| [a, b, c])));
            triples.chain(random(1)).chain(cancelling()).collect()
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
    of_both_signs(inputs)
}

/// Every BF16 number as FP32, every midpoint between two, and both neighbours of each in FP32; NaNs among them.
fn narrowing_bf16() -> Vec<u32> {
    let mut inputs: Vec<u32> = (1..0x1_0000_u32).flat_map(|step| (step << 15) - 1..=(step << 15) + 1).collect();
    inputs.extend(special());
    of_both_signs(inputs)
}

/// Zeros, subnormals, the borders of the normal range, powers of two and their neighbours, infinities, NaNs; of both signs.
fn special() -> Vec<u32> {
    let mut inputs = vec![0, 1, 2, 3, 0x0040_0000, 0x007f_ffff, 0x0080_0000, 0x0080_0001, 0x7f7f_ffff, 0x7f80_0000];
    inputs.extend([0x7f80_0001, 0x7fc0_0000, 0x7fc1_2345, 0x7fff_ffff]);
    for field in (1..255_u32).step_by(6) {
        inputs.extend([field << 23, (field << 23) - 1, (field << 23) + 1, (field << 23) | 0x0055_5555]);
    }
    of_both_signs(inputs)
}

/// The same for operations of three operands, where every row is a triple: zero, subnormals, the normal range's ends, 1 and
/// its neighbour, infinity, NaNs.
fn few() -> Vec<u32> {
    let inputs = [
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x0155_5555,
        0x2000_0000,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x5f80_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc1_2345,
    ];
    of_both_signs(inputs.to_vec())
}

fn of_both_signs(mut inputs: Vec<u32>) -> Vec<u32> {
    let negative: Vec<u32> = inputs.iter().map(|bits| bits ^ 0x8000_0000).collect();
    inputs.extend(negative);
    inputs
}

/// Any bits at all.
fn random(stream: u64) -> impl Iterator<Item = [u32; 3]> {
    let mut rng = Rng::stream(stream, 0);
    (0..RANDOM).map(move |_| {
        let (bits, more) = (rng.bits(), rng.bits());
        [bits as u32, (bits >> 32) as u32, more as u32]
    })
}

/// Pairs whose exponents are at most 32 apart: their sums and quotients round.
fn near(stream: u64) -> impl Iterator<Item = [u32; 3]> {
    let mut rng = Rng::stream(stream, 0);
    (0..RANDOM).map(move |_| {
        let (bits, field) = (rng.bits(), 64 + rng.below(120) as u32);
        let other = field + rng.below(33) as u32 - 16;
        let with = |fraction: u32, field: u32| (fraction & 0x807f_ffff) | field << 23;
        [with(bits as u32, field), with((bits >> 32) as u32, other), 0]
    })
}

/// Products and addends of about their size and the other sign: what is left is the product's own rounding error, which a
/// device loses that rounds the product first.
fn cancelling() -> impl Iterator<Item = [u32; 3]> {
    near(3).enumerate().map(|(at, [a, b, _])| {
        let product = -(f32::from_bits(a) * f32::from_bits(b));
        [a, b, product.to_bits().wrapping_add((at % 3) as u32)]
    })
}
