//! Why a value was rounded as it was, as data: the faces put it into words.

use super::arithmetic::{ExactResult, Outcome};
use super::policy::{Policy, Rounding};
use super::round::{Direction, Rounded, Trace};
use super::spec::Format;
use super::status::Status;
use super::value::{Class, Value};

/// The one fact that decided a rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The value has a code of its own.
    Exact,
    /// An infinity or a NaN: nothing to round.
    Special,
    /// An operation that no number is the result of.
    Undefined,
    /// An exact infinity from finite operands.
    DividedByZero,
    /// A signalling NaN made quiet.
    Quieted,
    /// An infinity, a NaN, a zero or a negative number that this format has no code for.
    NotInFormat,
    /// Below the midpoint: the neighbour nearer to zero is closer.
    BelowMidpoint,
    /// Above the midpoint: the neighbour farther from zero is closer.
    AboveMidpoint,
    /// Exactly half way: the neighbour with the even significand.
    TieToEven,
    /// Exactly half way: the neighbour farther from zero.
    TieAway,
    /// Cut off toward zero.
    CutOff,
    /// Up, toward +∞.
    TowardPositive,
    /// Down, toward −∞.
    TowardNegative,
    /// To the neighbour with the odd significand.
    ToOdd,
    /// By chance, in proportion to the distances.
    Chance,
    /// Beyond the largest finite number, and what stands for that.
    Overflow(Class),
    /// Below the smallest number of a format without zero.
    Clamped,
    /// A subnormal result flushed to zero.
    Flushed,
}

/// Where between a value's two neighbours the result changes from one to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Border {
    /// Half way.
    Midpoint,
    /// Nowhere: all that lies between them goes to the neighbour nearer to zero.
    AllTowardZero,
    /// Nowhere: all that lies between them goes to the neighbour farther from zero.
    AllAway,
    /// Nowhere: each goes to both, as likely as it is near.
    Chance,
}

impl Trace {
    /// Which part of the gap goes to which neighbour under a rounding direction.
    #[must_use]
    pub const fn border(&self, rounding: Rounding) -> Border {
        match rounding {
            Rounding::Rne | Rounding::Rna => Border::Midpoint,
            Rounding::Rtz => Border::AllTowardZero,
            Rounding::Rup if self.negative => Border::AllTowardZero,
            Rounding::Rdn if !self.negative => Border::AllTowardZero,
            Rounding::Rto if self.kept & 1 == 1 => Border::AllTowardZero,
            Rounding::Rup | Rounding::Rdn | Rounding::Rto => Border::AllAway,
            Rounding::Sr { .. } => Border::Chance,
        }
    }
}

impl Outcome {
    /// Which fact decided an operation under `policy`.
    #[must_use]
    pub fn reason(&self, policy: &Policy) -> Reason {
        let status = self.rounded.status;
        match self.exact {
            ExactResult::Value(Value::Nan(_)) if status.contains(Status::INVALID) => Reason::Undefined,
            ExactResult::Value(Value::Infinite { .. }) if status.contains(Status::DIVIDE_BY_ZERO) => {
                Reason::DividedByZero
            }
            _ => self.format.reason(&self.rounded, policy),
        }
    }
}

impl Format {
    /// Which fact decided a rounding to this format under `policy`.
    #[must_use]
    pub fn reason(self, rounded: &Rounded, policy: &Policy) -> Reason {
        let Some(trace) = &rounded.trace else {
            // Where NaN and zero both have codes, only a signalling NaN ends as an invalid NaN.
            let is_nan = self.class(rounded.bits) == Class::Nan && self.has_zero();
            return match rounded.status {
                // What was given as a code of this very format has no trace: there was nothing to look at.
                Status::NONE if !matches!(self.class(rounded.bits), Class::Infinite | Class::Nan) => Reason::Exact,
                Status::NONE => Reason::Special,
                Status::INVALID if is_nan => Reason::Quieted,
                _ => Reason::NotInFormat,
            };
        };
        if rounded.status.contains(Status::OVERFLOW) {
            return Reason::Overflow(self.class(rounded.bits));
        }
        let chosen = match trace.direction {
            Direction::AwayFromZero => trace.away_from_zero,
            Direction::Exact | Direction::TowardZero => trace.toward_zero,
        };
        if chosen != Some(rounded.bits) {
            return if self.has_zero() { Reason::Flushed } else { Reason::Clamped };
        }
        if trace.direction == Direction::Exact {
            return Reason::Exact;
        }
        let away = trace.direction == Direction::AwayFromZero;
        match policy.rounding {
            Rounding::Rtz => Reason::CutOff,
            Rounding::Rup => Reason::TowardPositive,
            Rounding::Rdn => Reason::TowardNegative,
            Rounding::Rto => Reason::ToOdd,
            Rounding::Sr { .. } => Reason::Chance,
            // With a single significand bit both neighbours are odd, and a tie goes to the larger.
            Rounding::Rne if trace.is_tie() && !(self.fraction_bits() == 0 && trace.kept == 1) => Reason::TieToEven,
            Rounding::Rne | Rounding::Rna if trace.is_tie() => Reason::TieAway,
            Rounding::Rne | Rounding::Rna if away => Reason::AboveMidpoint,
            Rounding::Rne | Rounding::Rna => Reason::BelowMidpoint,
        }
    }
}
