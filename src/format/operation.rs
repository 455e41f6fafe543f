//! The operations of IEEE 754 that this room computes, by name.

/// An operation on one to three numbers of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// a + b.
    Add,
    /// a − b.
    Sub,
    /// a · b.
    Mul,
    /// a / b.
    Div,
    /// IEEE remainder: a − n·b with n the whole number nearest to a/b, ties to even.
    Rem,
    /// C's `fmod`: a − n·b with n = a/b cut off; it has the sign of a.
    Fmod,
    /// a · b + c, rounded once.
    Fma,
    /// √a.
    Sqrt,
    /// IEEE 754-2008 minNum: a quiet NaN gives way to a number, a signalling one makes the result NaN.
    MinNum,
    /// IEEE 754-2008 maxNum.
    MaxNum,
    /// IEEE 754-2019 minimum: a NaN makes the result NaN.
    Minimum,
    /// IEEE 754-2019 maximum.
    Maximum,
    /// IEEE 754-2019 minimumNumber: any NaN gives way to a number.
    MinimumNumber,
    /// IEEE 754-2019 maximumNumber.
    MaximumNumber,
}

/// Operation, name, number of operands.
const TABLE: [(Operation, &str, usize); 14] = [
    (Operation::Add, "add", 2),
    (Operation::Sub, "sub", 2),
    (Operation::Mul, "mul", 2),
    (Operation::Div, "div", 2),
    (Operation::Rem, "rem", 2),
    (Operation::Fmod, "fmod", 2),
    (Operation::Fma, "fma", 3),
    (Operation::Sqrt, "sqrt", 1),
    (Operation::MinNum, "minNum", 2),
    (Operation::MaxNum, "maxNum", 2),
    (Operation::Minimum, "minimum", 2),
    (Operation::Maximum, "maximum", 2),
    (Operation::MinimumNumber, "minimumNumber", 2),
    (Operation::MaximumNumber, "maximumNumber", 2),
];

impl Operation {
    /// Every operation, in the order in which lists show them.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(operation, ..)| *operation)
    }

    fn row(self) -> (&'static str, usize) {
        // The table has a row for every operation; a test walks it.
        TABLE.iter().find(|(operation, ..)| *operation == self).map_or(("", 0), |(_, name, count)| (*name, *count))
    }

    /// The name as IEEE 754 writes it: `fma`, `minimumNumber`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// How many operands it takes.
    #[must_use]
    pub fn operands(self) -> usize {
        self.row().1
    }

    /// Reads a name; case does not matter.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let name = name.trim();
        Self::all().find(|operation| operation.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<_> = Self::all().map(Self::name).collect();
            let shown: String = name.chars().take(40).collect();
            format!("unknown operation \"{shown}\": use {}", known.join(" "))
        })
    }

    /// Whether it is one of the six kinds of minimum and maximum.
    pub(super) const fn is_choice(self) -> bool {
        matches!(
            self,
            Self::MinNum | Self::MaxNum | Self::Minimum | Self::Maximum | Self::MinimumNumber | Self::MaximumNumber
        )
    }
}
