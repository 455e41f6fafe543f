//! The one rounding function. Parsing, converting and arithmetic all produce an exact value and come through here.

use super::exact::{Exact, Prefix};
use super::policy::{NanPolicy, Policy, Rounding, Tininess};
use super::spec::{Format, Specials};
use super::status::Status;
use super::value::{Class, Nan, Value};

/// A rounded result with its flags and how it came about.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub struct Rounded {
    /// The code in the target format.
    pub bits: u64,
    /// The exception flags raised.
    pub status: Status,
    /// How a finite non-zero value was rounded; `None` for zeros, infinities and NaNs, and where nothing was rounded.
    pub trace: Option<Trace>,
}

/// Which way a value went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Nowhere: the value has a code.
    Exact,
    /// To the neighbour nearer to zero.
    TowardZero,
    /// To the neighbour farther from zero.
    AwayFromZero,
}

/// Everything the decision was made from.
#[expect(clippy::struct_excessive_bools, reason = "the sign, guard, round and sticky bits are bits")]
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Sign of the value.
    pub negative: bool,
    /// The significand bits that fit, cut off, hidden bit included.
    pub kept: u64,
    /// Exponent of the last kept bit: |value| = (`kept` + discarded part) × 2^`lsb_exponent`.
    pub lsb_exponent: i64,
    /// The first discarded bit: worth half an ULP.
    pub guard: bool,
    /// The second discarded bit: worth a quarter of an ULP.
    pub round: bool,
    /// Whether any later bit is set.
    pub sticky: bool,
    /// What was decided.
    pub direction: Direction,
    /// Code of the neighbour nearer to zero (the value's own code if it is exact); `None` if the format has none.
    pub toward_zero: Option<u64>,
    /// Code of the neighbour farther from zero, ±∞ included; `None` if the format has none.
    pub away_from_zero: Option<u64>,
}

impl Trace {
    /// Whether the value lies exactly half way between its neighbours.
    #[must_use]
    pub const fn is_tie(&self) -> bool {
        self.guard && !self.round && !self.sticky
    }

    /// Half way between the two neighbours (at the top of the range: where nearest rounding begins to overflow).
    #[must_use]
    pub fn midpoint(&self) -> Exact {
        let doubled = num_bigint::BigUint::from(self.kept) * 2u8 + 1u8;
        Exact::dyadic(self.negative, doubled, self.lsb_exponent - 1)
    }

    /// The value of the lower of the two, as if the exponent had no end.
    #[must_use]
    pub fn toward_zero_value(&self) -> Exact {
        Exact::dyadic(self.negative, self.kept.into(), self.lsb_exponent)
    }

    /// The value of the farther neighbour, as if the exponent had no end.
    #[must_use]
    pub fn away_from_zero_value(&self) -> Exact {
        Exact::dyadic(self.negative, num_bigint::BigUint::from(self.kept) + 1u8, self.lsb_exponent)
    }
}

/// A magnitude cut at some bit: what is kept and what the discarded rest looks like.
#[expect(clippy::struct_excessive_bools, reason = "guard, round and sticky bits are bits")]
#[derive(Clone, Copy)]
struct Cut {
    kept: u64,
    guard: bool,
    round: bool,
    sticky: bool,
    /// The first 64 discarded bits, and whether any follow.
    discarded: u64,
    beyond: bool,
}

impl Cut {
    /// Cuts so that the last kept bit is worth 2^lsb.
    fn at(x: &Prefix, lsb: i64) -> Self {
        let bits = x.significand;
        // The last of the 128 bits is worth 2^(exponent − 127).
        let drop = lsb - (x.exponent - 127);
        debug_assert!(drop > 64, "a format keeps at most 63 of the 128 bits");
        let (kept, fraction, rest) = match drop {
            ..128 => {
                let below = bits << (128 - drop);
                ((bits >> drop) as u64, (below >> 64) as u64, below as u64 != 0)
            }
            128..192 => {
                let below = bits >> (drop - 128);
                let lost = below << (drop - 128) != bits;
                (0, (below >> 64) as u64, below as u64 != 0 || lost)
            }
            _ => (0, 0, bits != 0),
        };
        let beyond = rest || x.sticky;
        Self {
            kept,
            guard: fraction >> 63 != 0,
            round: fraction >> 62 & 1 != 0,
            sticky: fraction << 2 != 0 || beyond,
            discarded: fraction,
            beyond,
        }
    }

    const fn is_exact(self) -> bool {
        self.discarded == 0 && !self.beyond
    }

    fn rounds_away(self, rounding: Rounding, negative: bool) -> bool {
        let odd = self.kept & 1 == 1;
        match rounding {
            // With one significand bit both neighbours are odd, and IEEE 754-2019 §4.3.1 picks the larger.
            Rounding::Rne => self.guard && (self.round || self.sticky || odd),
            Rounding::Rna => self.guard,
            Rounding::Rtz => false,
            Rounding::Rup => !negative && !self.is_exact(),
            Rounding::Rdn => negative && !self.is_exact(),
            Rounding::Rto => !odd && !self.is_exact(),
            Rounding::Sr { random } => random < self.discarded || (random == self.discarded && self.beyond),
        }
    }
}

impl Format {
    /// Rounds any value to this format.
    pub fn round(self, value: &Value, policy: &Policy) -> Rounded {
        match value {
            Value::Finite(exact) => self.round_prefix(&exact.prefix(), policy),
            Value::Infinite { negative } => self.round_infinity(*negative, policy),
            Value::Nan(nan) => self.round_nan(*nan, policy),
        }
    }

    /// Reads a code of this format as an operand and rounds it to another.
    ///
    /// A code stays as it is in its own format: nothing is computed, so nothing is raised.
    pub fn convert(self, bits: u64, to: Self, policy: &Policy) -> Rounded {
        let bits = bits & self.mask();
        if self == to {
            return Rounded { bits, status: Status::NONE, trace: None };
        }
        if policy.daz && self.class(bits) == Class::Subnormal {
            return to.round(&Value::Finite(Exact::zero(self.is_negative(bits))), policy);
        }
        to.round(&self.decode(bits), policy)
    }

    /// Rounds the leading 128 bits of an exact magnitude.
    pub fn round_prefix(self, x: &Prefix, policy: &Policy) -> Rounded {
        if x.significand == 0 {
            return self.round_zero(x.negative);
        }
        if x.negative && !self.is_signed() {
            return plain(self.nan_code().unwrap_or(0), Status::INVALID);
        }
        let lsb = self.lsb_exponent_at(x.exponent);
        let cut = Cut::at(x, lsb);
        let away = cut.rounds_away(policy.rounding, x.negative);
        let code = self.magnitude_code(cut.kept + u64::from(away), lsb);
        let overflow = code.is_none_or(|code| code > self.max_finite_code());

        let mut status = if cut.is_exact() { Status::NONE } else { Status::INEXACT };
        let mut magnitude = code.unwrap_or(0);
        let mut negative = x.negative;
        if overflow {
            status |= Status::OVERFLOW | Status::INEXACT;
            (magnitude, negative) = self.overflowed(x.negative, policy);
        } else {
            let flushed = policy.ftz && magnitude != 0 && magnitude < self.min_normal_code();
            // A scale has nothing below its smallest power of two: what is smaller is clamped to it.
            if (!cut.is_exact() && self.is_tiny(x, policy)) || flushed {
                status |= Status::UNDERFLOW | Status::INEXACT;
            }
            if flushed {
                magnitude = 0;
            }
        }
        let trace = self.trace(x.negative, cut, lsb, away);
        Rounded { bits: self.signed_code(negative, magnitude), status, trace: Some(trace) }
    }

    /// Exponent of the last significand bit that a magnitude with this floor of log2 keeps.
    fn lsb_exponent_at(self, exponent: i64) -> i64 {
        let min = i64::from(self.min_exponent());
        if self.skips_subnormals() && exponent < min {
            // Nothing lies between zero and the smallest normal number.
            return min;
        }
        (exponent - i64::from(self.fraction_bits())).max(i64::from(self.min_lsb_exponent()))
    }

    /// The code of kept × 2^lsb without its sign; `None` if it is beyond all codes. A scale clamps 0 to its smallest.
    fn magnitude_code(self, kept: u64, lsb: i64) -> Option<u64> {
        if self.skips_subnormals() && kept >> self.fraction_bits() == 0 {
            // Zero, or one unit of the smallest normal number.
            return Some(kept << self.fraction_bits());
        }
        let steps = u64::try_from(lsb - i64::from(self.min_lsb_exponent())).ok()?;
        if steps >> self.exponent_bits() != 0 {
            return None;
        }
        // Each step of the exponent is one field up; the hidden bit of `kept` adds the one that normals start with.
        let code = (steps << self.fraction_bits()).checked_add(kept)?;
        Some(if self.has_zero() { code } else { code.saturating_sub(1) })
    }

    fn signed_code(self, negative: bool, magnitude: u64) -> u64 {
        // FNUZ has no −0: its code is the NaN.
        let signed = negative && (magnitude != 0 || self.has_negative_zero());
        if signed { magnitude | self.sign_bit() } else { magnitude }
    }

    fn is_tiny(self, x: &Prefix, policy: &Policy) -> bool {
        let min = i64::from(self.min_exponent());
        match policy.tininess {
            _ if x.exponent >= min => false,
            Tininess::Before => true,
            // Only from the binade just below can rounding reach the smallest normal number.
            Tininess::After if x.exponent < min - 1 => true,
            Tininess::After => {
                let cut = Cut::at(x, x.exponent - i64::from(self.fraction_bits()));
                let rounded = u128::from(cut.kept) + u128::from(cut.rounds_away(policy.rounding, x.negative));
                rounded >> self.precision() == 0
            }
        }
    }

    fn overflowed(self, negative: bool, policy: &Policy) -> (u64, bool) {
        let stays_finite = match policy.rounding {
            Rounding::Rtz | Rounding::Rto => true,
            Rounding::Rup => negative,
            Rounding::Rdn => !negative,
            Rounding::Rne | Rounding::Rna | Rounding::Sr { .. } => false,
        };
        if policy.saturate || stays_finite { (self.max_finite_code(), negative) } else { self.beyond(negative) }
    }

    /// What stands for everything beyond the largest finite number: ∞, else NaN, else that number itself.
    fn beyond(self, negative: bool) -> (u64, bool) {
        match self.specials() {
            Specials::Ieee => (self.max_finite_code() + 1, negative),
            Specials::NanOnly => (self.magnitude_mask(), negative),
            Specials::Scale => (self.magnitude_mask(), false),
            Specials::Fnuz => (self.sign_bit(), false),
            Specials::Finite => (self.max_finite_code(), negative),
        }
    }

    fn round_zero(self, negative: bool) -> Rounded {
        match (self.has_zero(), self.nan_code()) {
            (false, Some(nan)) => plain(nan, Status::INVALID),
            _ => plain(self.signed_code(negative, 0), Status::NONE),
        }
    }

    fn round_infinity(self, negative: bool, policy: &Policy) -> Rounded {
        if negative && !self.is_signed() {
            return plain(self.nan_code().unwrap_or(0), Status::INVALID);
        }
        let (magnitude, negative) =
            if policy.saturate { (self.max_finite_code(), negative) } else { self.beyond(negative) };
        let kept = self.has_infinity() && !policy.saturate;
        let status = if kept { Status::NONE } else { Status::OVERFLOW | Status::INEXACT };
        plain(self.signed_code(negative, magnitude), status)
    }

    fn round_nan(self, nan: Nan, policy: &Policy) -> Rounded {
        let status = if nan.signalling { Status::INVALID } else { Status::NONE };
        let Some(code) = self.nan_code() else {
            return plain(self.sign_bit(), Status::INVALID);
        };
        let one_nan = matches!(self.specials(), Specials::Fnuz | Specials::Scale);
        let signed = nan.negative && policy.nan != NanPolicy::Canonical && !one_nan;
        let sign = if signed { self.sign_bit() } else { 0 };
        let payload = if policy.nan == NanPolicy::Payload && self.has_quiet_bit() {
            nan.payload >> (64 - (self.fraction_bits() - 1))
        } else {
            0
        };
        plain(code | sign | payload, status)
    }

    fn trace(self, negative: bool, cut: Cut, lsb: i64, away: bool) -> Trace {
        let direction = match (cut.is_exact(), away) {
            (true, _) => Direction::Exact,
            (false, true) => Direction::AwayFromZero,
            (false, false) => Direction::TowardZero,
        };
        let neighbour = |kept: u64| {
            let code = self.magnitude_code(kept, lsb).filter(|code| *code <= self.max_finite_code());
            code.map(|code| self.signed_code(negative, code))
        };
        let below_all = cut.kept == 0 && !self.has_zero();
        let largest = self.signed_code(negative, self.max_finite_code());
        let infinity = self.infinity_code().map(|code| self.signed_code(negative, code));
        Trace {
            negative,
            kept: cut.kept,
            lsb_exponent: lsb,
            guard: cut.guard,
            round: cut.round,
            sticky: cut.sticky,
            direction,
            toward_zero: if below_all { None } else { neighbour(cut.kept).or(Some(largest)) },
            away_from_zero: if cut.is_exact() { neighbour(cut.kept) } else { neighbour(cut.kept + 1).or(infinity) },
        }
    }
}

const fn plain(bits: u64, status: Status) -> Rounded {
    Rounded { bits, status, trace: None }
}
