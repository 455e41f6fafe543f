//! How to round: everything about a conversion that is a choice.

/// The rounding direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rounding {
    /// To nearest, ties to the even significand.
    #[default]
    Rne,
    /// To nearest, ties away from zero.
    Rna,
    /// Toward zero: cut off.
    Rtz,
    /// Toward +∞.
    Rup,
    /// Toward −∞.
    Rdn,
    /// To odd: an inexact result gets an odd significand, so that rounding again later cannot go wrong.
    Rto,
    /// Stochastic: away from zero with a probability equal to the discarded part of an ULP.
    Sr {
        /// 64 uniform random bits from the caller. The probability is exact to 2^−64 of an ULP, and exactly right
        /// wherever the discarded part has no more than 64 bits.
        random: u64,
    },
}

impl Rounding {
    /// The six deterministic modes, in the order in which lists show them.
    pub const DETERMINISTIC: [Self; 6] = [Self::Rne, Self::Rna, Self::Rtz, Self::Rup, Self::Rdn, Self::Rto];

    /// The short name: `rne`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rne => "rne",
            Self::Rna => "rna",
            Self::Rtz => "rtz",
            Self::Rup => "rup",
            Self::Rdn => "rdn",
            Self::Rto => "rto",
            Self::Sr { .. } => "sr",
        }
    }

    /// Reads a short name; `sr` comes back with its random bits 0, for the caller to fill in.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let name = name.trim().to_ascii_lowercase();
        Self::DETERMINISTIC
            .into_iter()
            .chain([Self::Sr { random: 0 }])
            .find(|mode| mode.name() == name)
            .ok_or_else(|| format!("unknown rounding \"{name}\": use rne rna rtz rup rdn rto sr"))
    }
}

/// When a result counts as tiny, which decides the underflow flag. IEEE 754 leaves the choice open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tininess {
    /// After rounding with an unbounded exponent (x86, RISC-V).
    #[default]
    After,
    /// Before rounding (Arm).
    Before,
}

impl Tininess {
    /// Both, in the order in which lists show them.
    pub const ALL: [Self; 2] = [Self::After, Self::Before];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::Before => "before",
        }
    }

    /// Reads a name; case does not matter.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|tininess| tininess.name().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| "use after or before".to_owned())
    }
}

/// What becomes of the sign and payload of a NaN. IEEE 754 leaves this open, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NanPolicy {
    /// A quiet NaN with the operand's sign and no payload.
    #[default]
    Quiet,
    /// Quiet, sign and the topmost payload bits kept (x86).
    Payload,
    /// Always the canonical NaN, sign 0 (RISC-V).
    Canonical,
}

impl NanPolicy {
    /// All, in the order in which lists show them.
    pub const ALL: [Self; 3] = [Self::Quiet, Self::Payload, Self::Canonical];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Payload => "payload",
            Self::Canonical => "canonical",
        }
    }

    /// Reads a name; case does not matter.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|policy| policy.name().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| "use quiet, payload or canonical".to_owned())
    }
}

/// Everything about a rounding that is a choice. [`Policy::default`] is IEEE 754's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Policy {
    /// The direction.
    pub rounding: Rounding,
    /// Overflow and infinities become the largest finite number instead of ∞ or NaN.
    pub saturate: bool,
    /// Subnormal results become zero ("flush to zero"), with underflow and inexact.
    pub ftz: bool,
    /// Subnormal operands count as zero ("denormals are zero"); silent, as on hardware.
    pub daz: bool,
    /// When a result is tiny.
    pub tininess: Tininess,
    /// What becomes of a NaN.
    pub nan: NanPolicy,
}

impl Policy {
    /// The default policy with another rounding direction.
    #[must_use]
    pub fn with_rounding(rounding: Rounding) -> Self {
        Self { rounding, ..Self::default() }
    }
}
