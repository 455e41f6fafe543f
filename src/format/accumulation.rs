//! In which order, in which format and how many at once the products of a dot product are added.

use super::spec::Format;

/// In which order the products are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// As given.
    Forward,
    /// From the last to the first.
    Backward,
    /// The smallest magnitude first.
    Ascending,
    /// The largest magnitude first.
    Descending,
}

/// How the products are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accumulation {
    /// One after the other to an accumulator of a format, rounded each time.
    Sequential(Format),
    /// The same with Kahan's correction: what each addition lost is taken off the next product.
    Kahan(Format),
    /// So many products at once are added exactly to the accumulator, then rounded: how a Tensor Core's adder is modelled.
    Fused {
        /// Format of the accumulator.
        format: Format,
        /// Products per rounding.
        width: usize,
    },
    /// Blocks of so many products in a narrow accumulator, the totals of the blocks in a wide one.
    Blocks {
        /// Format of a block's accumulator.
        inner: Format,
        /// Format of the sum of the blocks.
        outer: Format,
        /// Products in a block.
        length: usize,
    },
}

/// Orders and their names.
const ORDERS: [(Order, &str); 4] = [
    (Order::Forward, "forward"),
    (Order::Backward, "backward"),
    (Order::Ascending, "ascending"),
    (Order::Descending, "descending"),
];

impl Order {
    /// All, in the order in which lists show them.
    pub const ALL: [Self; 4] = [ORDERS[0].0, ORDERS[1].0, ORDERS[2].0, ORDERS[3].0];

    /// The name on the command line and in links.
    #[must_use]
    pub fn name(self) -> &'static str {
        ORDERS.iter().find(|(known, _)| *known == self).map_or("", |(_, name)| name)
    }

    /// Reads a name; case does not matter.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = ORDERS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name.trim()));
        found.map(|(order, _)| *order).ok_or_else(|| format!("use {}", ORDERS.map(|(_, name)| name).join(" ")))
    }
}

impl Accumulation {
    /// The text that [`parse`](Self::parse) reads back: `sequential:fp32`, `blocks:fp16:fp32:2`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Sequential(format) => format!("sequential:{}", format.name()),
            Self::Kahan(format) => format!("kahan:{}", format.name()),
            Self::Fused { format, width } => format!("fused:{}:{width}", format.name()),
            Self::Blocks { inner, outer, length } => format!("blocks:{}:{}:{length}", inner.name(), outer.name()),
        }
    }

    /// How many products are added at once or make a block.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Sequential(_) | Self::Kahan(_) => 1,
            Self::Fused { width, .. } => width,
            Self::Blocks { length, .. } => length,
        }
    }

    /// Reads `sequential:fp32`, `kahan:fp16`, `fused:fp32:4` or `blocks:fp16:fp32:2`.
    ///
    /// # Errors
    /// One line with the forms there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let count = |text: &str| {
            let count = text.trim().parse().ok().filter(|count: &usize| *count > 0);
            count.ok_or_else(|| format!("\"{}\" is no number of products", super::literal::short(text)))
        };
        let lower = text.trim().to_ascii_lowercase();
        let parts: Vec<&str> = lower.split(':').collect();
        match parts.as_slice() {
            ["sequential", format] => Ok(Self::Sequential(Format::parse(format)?)),
            ["kahan", format] => Ok(Self::Kahan(Format::parse(format)?)),
            ["fused", format, width] => Ok(Self::Fused { format: Format::parse(format)?, width: count(width)? }),
            ["blocks", inner, outer, length] => {
                Ok(Self::Blocks { inner: Format::parse(inner)?, outer: Format::parse(outer)?, length: count(length)? })
            }
            _ => Err("use sequential:fp32 kahan:fp16 fused:fp32:4 or blocks:fp16:fp32:2".to_owned()),
        }
    }
}
