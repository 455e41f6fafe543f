//! How a result differs from the right one.

use super::right::{Words, formats, right};
use crate::train::backend::Primitive;

/// What a difference amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// A NaN where a NaN is right, with other bits than the canonical one's: IEEE 754 leaves them open.
    OtherNan,
    /// Right once subnormal operands or results are taken for zeros.
    Flushed,
    /// Neither.
    Wrong,
}

/// How a result differs from the right one; what weighs most comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Departure {
    /// Another number, some codes away.
    Off,
    /// The other sign.
    Sign,
    /// Infinity where a number is right.
    ToInfinity,
    /// A number where infinity is right.
    FromInfinity,
    /// A NaN where a number or infinity is right.
    ToNan,
    /// A number or infinity where a NaN is right.
    FromNan,
    /// A subnormal operand was taken for zero.
    OperandFlushed,
    /// A subnormal result became zero.
    ResultFlushed,
    /// A NaN of the other sign.
    NanSign,
    /// A NaN with a payload of its own, mostly that of the operand.
    NanPayload,
    /// A NaN that was not made quiet.
    NanSignalling,
}

impl Departure {
    /// All of them, in the order of reports: what weighs most comes first.
    pub const ALL: [Self; 11] = [
        Self::Off,
        Self::Sign,
        Self::ToInfinity,
        Self::FromInfinity,
        Self::ToNan,
        Self::FromNan,
        Self::OperandFlushed,
        Self::ResultFlushed,
        Self::NanSign,
        Self::NanPayload,
        Self::NanSignalling,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NanSign => "nan-sign",
            Self::NanPayload => "nan-payload",
            Self::NanSignalling => "nan-signalling",
            Self::OperandFlushed => "operand-flushed",
            Self::ResultFlushed => "result-flushed",
            Self::Off => "off",
            Self::Sign => "sign",
            Self::ToInfinity => "to-infinity",
            Self::FromInfinity => "from-infinity",
            Self::ToNan => "to-nan",
            Self::FromNan => "from-nan",
        }
    }

    /// What it amounts to.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::NanSign | Self::NanPayload | Self::NanSignalling => Verdict::OtherNan,
            Self::OperandFlushed | Self::ResultFlushed => Verdict::Flushed,
            Self::Off | Self::Sign | Self::ToInfinity | Self::FromInfinity | Self::ToNan | Self::FromNan => {
                Verdict::Wrong
            }
        }
    }

    /// How `seen` differs from `right`, which is another code.
    pub(super) fn of(primitive: Primitive, operands: [u32; 3], right_bits: u32, seen: u32) -> Self {
        let (from, to) = formats(primitive);
        let (from, to) = (Words::of(from), Words::of(to));
        match (to.is_nan(right_bits), to.is_nan(seen)) {
            (true, true) if seen & to.quiet == 0 => return Self::NanSignalling,
            (true, true) if to.magnitude & (right_bits ^ seen) == 0 => return Self::NanSign,
            (true, true) => return Self::NanPayload,
            (false, true) => return Self::ToNan,
            (true | false, false) => {}
        }
        // Sums of what was flushed may be zeros of either sign.
        let is_zero_for = |bits: u32| to.is_zero(to.flushed(bits)) && to.is_zero(seen);
        if to.is_subnormal(right_bits) && is_zero_for(right_bits) {
            return Self::ResultFlushed;
        }
        if operands.iter().any(|&bits| from.is_subnormal(bits)) {
            let poor = right(primitive, operands.map(|bits| from.flushed(bits)));
            if seen == poor || seen == to.flushed(poor) || is_zero_for(poor) {
                return Self::OperandFlushed;
            }
        }
        if to.is_nan(right_bits) {
            Self::FromNan
        } else if !to.same_sign(right_bits, seen) {
            Self::Sign
        } else if to.is_infinite(seen) {
            Self::ToInfinity
        } else if to.is_infinite(right_bits) {
            Self::FromInfinity
        } else {
            Self::Off
        }
    }
}

/// One result that was not right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// How it differs.
    pub departure: Departure,
    /// Bits of the operands; an operation does not use more than it has.
    pub operands: [u32; 3],
    /// The right bits.
    pub right: u32,
    /// What the device gave.
    pub seen: u32,
}

impl Example {
    /// How many codes lie between the two, for [`Departure::Off`]; 0 for the others.
    #[must_use]
    pub fn distance(&self) -> u64 {
        // Of one sign and finite, so that codes count.
        if self.departure == Departure::Off { u64::from(self.right.abs_diff(self.seen)) } else { 0 }
    }

    /// Whether what was seen is nearer to zero.
    #[must_use]
    pub const fn is_toward_zero(&self) -> bool {
        self.seen < self.right
    }
}
