//! What is right: the exact result, rounded once to nearest even.

use crate::format::{Format, Operation, Policy};
use crate::train::backend::Primitive;

/// Formats of operands and result.
#[must_use]
pub const fn formats(primitive: Primitive) -> (Format, Format) {
    match primitive {
        Primitive::Narrow => (Format::FP32, Format::FP16),
        Primitive::Widen => (Format::FP16, Format::FP32),
        Primitive::NarrowBf16 => (Format::FP32, Format::BF16),
        Primitive::Add | Primitive::Mul | Primitive::Div | Primitive::Sqrt | Primitive::Fma => {
            (Format::FP32, Format::FP32)
        }
    }
}

/// The exact result, rounded once to nearest even. A NaN is the quiet one of the operand's sign, without payload.
pub(super) fn right(primitive: Primitive, operands: [u32; 3]) -> u32 {
    let [a, ..] = operands.map(u64::from);
    let operation = match primitive {
        Primitive::Narrow | Primitive::Widen | Primitive::NarrowBf16 => {
            let (from, to) = formats(primitive);
            return from.nearest(a, to) as u32;
        }
        Primitive::Sqrt => return Format::FP32.nearest_root(a) as u32,
        Primitive::Add => Operation::Add,
        Primitive::Mul => Operation::Mul,
        Primitive::Div => Operation::Div,
        Primitive::Fma => Operation::Fma,
    };
    let operands = operands.map(u64::from);
    let outcome = Format::FP32.apply(operation, &operands[..operation.operands()], &Policy::default());
    // the number of operands is the operation's own
    outcome.map_or(0, |outcome| outcome.rounded.bits as u32)
}

/// A format's codes as the words that devices work on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    /// Everything but the sign.
    pub(super) magnitude: u32,
    /// Infinity.
    pub(super) infinity: u32,
    /// The smallest normal number.
    pub(super) normal: u32,
    /// The bit that quiet NaNs have.
    pub(super) quiet: u32,
}

impl Words {
    /// Of an IEEE kind of at most 32 bits.
    pub(super) const fn of(format: Format) -> Self {
        Self {
            magnitude: format.magnitude_mask() as u32,
            infinity: format.max_finite_code() as u32 + 1,
            normal: format.min_normal_code() as u32,
            quiet: 1 << (format.fraction_bits() - 1),
        }
    }

    pub(super) const fn is_nan(self, bits: u32) -> bool {
        bits & self.magnitude > self.infinity
    }

    pub(super) const fn is_infinite(self, bits: u32) -> bool {
        bits & self.magnitude == self.infinity
    }

    pub(super) const fn is_zero(self, bits: u32) -> bool {
        bits & self.magnitude == 0
    }

    pub(super) const fn is_subnormal(self, bits: u32) -> bool {
        !self.is_zero(bits) && bits & self.magnitude < self.normal
    }

    pub(super) const fn same_sign(self, a: u32, b: u32) -> bool {
        (a ^ b) & !self.magnitude == 0
    }

    /// A subnormal turned into the zero of its sign.
    pub(super) const fn flushed(self, bits: u32) -> u32 {
        if self.is_subnormal(bits) { bits & !self.magnitude } else { bits }
    }
}
