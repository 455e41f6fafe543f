//! Single operations as a device's own instructions do them, for comparison with the exact results.

/// One operation of the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Primitive {
    /// FP32 to FP16 by the device's own conversion; the result in the low half of a word.
    Narrow,
    /// FP16 (in the low half of a word) to FP32.
    Widen,
    /// FP32 to BF16; the result in the low half of a word.
    NarrowBf16,
    /// a + b in FP32.
    Add,
    /// a · b in FP32.
    Mul,
    /// a / b in FP32.
    Div,
    /// √a in FP32.
    Sqrt,
    /// a · b + c in FP32, rounded once.
    Fma,
}

/// How an operation is done where a device has no instruction for it that a program of this kind reaches: in integers,
/// by the same steps as everywhere.
pub const IN_INTEGERS: &str = "integers";

/// Operation, number in the kernels, name, formula, operands.
const TABLE: [(Primitive, u32, &str, &str, usize); 8] = [
    (Primitive::Narrow, 0, "fp32-to-fp16", "FP32 → FP16", 1),
    (Primitive::Widen, 1, "fp16-to-fp32", "FP16 → FP32", 1),
    (Primitive::NarrowBf16, 6, "fp32-to-bf16", "FP32 → BF16", 1),
    (Primitive::Add, 2, "add", "a + b", 2),
    (Primitive::Mul, 3, "mul", "a × b", 2),
    (Primitive::Div, 4, "div", "a / b", 2),
    (Primitive::Sqrt, 5, "sqrt", "√a", 1),
    (Primitive::Fma, 7, "fma", "a × b + c", 3),
];

impl Primitive {
    /// All of them, in the order of reports.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Narrow; TABLE.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = TABLE[at].0;
            at += 1;
        }
        all
    };

    fn row(self) -> &'static (Self, u32, &'static str, &'static str, usize) {
        // the table has a row for each; a test walks it
        TABLE.iter().find(|row| row.0 == self).unwrap_or(&TABLE[0])
    }

    /// Its number in the kernels.
    #[cfg(any(feature = "wgpu", feature = "cuda"))]
    pub(super) fn code(self) -> u32 {
        self.row().1
    }

    /// The name, as reports and links say it: one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// The operation as a formula.
    #[must_use]
    pub fn formula(self) -> &'static str {
        self.row().3
    }

    /// How many operands it takes, 1 to 3.
    #[must_use]
    pub fn operands(self) -> usize {
        self.row().4
    }

    /// Reads a name; case does not matter.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|primitive| primitive.name().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            format!("no operation \"{shown}\": use {}", Self::ALL.map(Self::name).join(" "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_row_and_a_number_of_its_own() {
        for (at, primitive) in Primitive::ALL.into_iter().enumerate() {
            assert_eq!(primitive.row().0, primitive);
            assert_eq!(Primitive::parse(primitive.name()), Ok(primitive));
            assert!((1..=3).contains(&primitive.operands()));
            assert!(TABLE[..at].iter().all(|row| row.1 != TABLE[at].1));
        }
        assert!(Primitive::parse("sqr").unwrap_err().contains("fp32-to-bf16"));
    }
}
