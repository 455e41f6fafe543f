//! The five IEEE 754 exception flags.

use std::ops::{BitOr, BitOrAssign};

/// A set of exception flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Status(u8);

impl Status {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// The operation has no useful result (a signalling NaN, a NaN or zero where the format has none).
    pub const INVALID: Self = Self(1);
    /// An exact infinity from finite operands.
    pub const DIVIDE_BY_ZERO: Self = Self(2);
    /// Rounded with an unbounded exponent, the result would be larger than the largest finite number.
    pub const OVERFLOW: Self = Self(4);
    /// Tiny and inexact.
    pub const UNDERFLOW: Self = Self(8);
    /// The result is not the exact value.
    pub const INEXACT: Self = Self(16);

    const ORDER: [(Self, &str); 5] = [
        (Self::INVALID, "invalid"),
        (Self::DIVIDE_BY_ZERO, "divide-by-zero"),
        (Self::OVERFLOW, "overflow"),
        (Self::UNDERFLOW, "underflow"),
        (Self::INEXACT, "inexact"),
    ];

    /// Whether every flag of `other` is raised.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no flag is raised.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the raised flags, in the order invalid, divide-by-zero, overflow, underflow, inexact.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::ORDER.into_iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, name)| name)
    }
}

impl BitOr for Status {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Status {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl std::fmt::Debug for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
