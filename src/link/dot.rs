//! Lines about D = A·B + C of 4×4 matrices.

use super::how::How;
use super::words::{Text, Words};
use crate::format::{Accumulation, DotPlan, Format, Order, Policy};

/// A 4×4 matrix as typed, row by row.
pub type Matrix = [[String; 4]; 4];

/// D = A·B + C.
#[derive(Debug, Clone, PartialEq)]
pub struct DotLink {
    /// A.
    pub a: Matrix,
    /// B.
    pub b: Matrix,
    /// C.
    pub c: Matrix,
    /// The element of D that is looked at, row and column from 0.
    pub cell: (usize, usize),
    /// Format of A and B.
    pub input: Format,
    /// How the products are added.
    pub accumulation: Accumulation,
    /// In which order.
    pub order: Order,
    /// Format of C and D.
    pub output: Format,
    /// How to round.
    pub how: How,
}

/// Orders and their names.
const ORDERS: [(Order, &str); 4] = [
    (Order::Forward, "forward"),
    (Order::Backward, "backward"),
    (Order::Ascending, "ascending"),
    (Order::Descending, "descending"),
];

impl Default for DotLink {
    /// Zeros, added in FP32.
    fn default() -> Self {
        let zeros = || std::array::from_fn(|_| std::array::from_fn(|_| "0".to_owned()));
        Self {
            a: zeros(),
            b: zeros(),
            c: zeros(),
            cell: (0, 0),
            input: Format::FP16,
            accumulation: Accumulation::Sequential(Format::FP32),
            order: Order::Forward,
            output: Format::FP32,
            how: How::default(),
        }
    }
}

impl DotLink {
    /// The orders, in the order in which lists show them.
    pub const ORDERS: [Order; 4] = [ORDERS[0].0, ORDERS[1].0, ORDERS[2].0, ORDERS[3].0];

    /// What is to be computed; the policy is the first that the choices give.
    #[must_use]
    pub fn plan(&self) -> DotPlan {
        let policy: Policy = self.how.draws().draw();
        let Self { input, accumulation, order, output, .. } = *self;
        DotPlan { input, accumulation, order, output, policy }
    }

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let usual = Self::default();
        Ok(Self {
            a: words.take("a", usual.a, matrix)?,
            b: words.take("b", usual.b, matrix)?,
            c: words.take("c", usual.c, matrix)?,
            cell: words.take("cell", usual.cell, cell)?,
            input: words.take("input", usual.input, Format::parse)?,
            accumulation: words.take("sum", usual.accumulation, accumulation)?,
            order: words.take("order", usual.order, order)?,
            output: words.take("output", usual.output, Format::parse)?,
            how: How::read(words)?,
        })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("dot");
        for (key, matrix) in [("a", &self.a), ("b", &self.b), ("c", &self.c)] {
            let rows: Vec<String> = matrix.iter().map(|row| row.join(",")).collect();
            text.field(key, &rows.join(";"));
        }
        text.field("cell", &format!("{},{}", self.cell.0 + 1, self.cell.1 + 1));
        text.field("input", &self.input.name());
        text.field("sum", &accumulation_name(self.accumulation));
        text.field("order", order_name(self.order));
        text.field("output", &self.output.name());
        self.how.write(text);
    }
}

/// Rows parted by `;`, their numbers by `,`.
fn matrix(text: &str) -> Result<Matrix, String> {
    let row = |row: &str| -> Option<[String; 4]> {
        let cells: Vec<String> = row.split(',').map(|cell| cell.trim().to_owned()).collect();
        cells.try_into().ok()
    };
    let rows: Option<Vec<[String; 4]>> = text.split(';').map(row).collect();
    rows.and_then(|rows| rows.try_into().ok()).ok_or_else(|| "write four rows of four: 1,2,3,4;1,2,3,4;…".to_owned())
}

fn cell(text: &str) -> Result<(usize, usize), String> {
    let place = |text: &str| text.trim().parse().ok().filter(|at| (1..=4).contains(at)).map(|at: usize| at - 1);
    let parts = text.split_once(',').and_then(|(row, column)| Some((place(row)?, place(column)?)));
    parts.ok_or_else(|| "write row and column from 1 to 4: 2,3".to_owned())
}

fn order(text: &str) -> Result<Order, String> {
    let found = ORDERS.iter().find(|(_, name)| *name == text).map(|(order, _)| *order);
    found.ok_or_else(|| format!("use {}", ORDERS.map(|(_, name)| name).join(" ")))
}

fn order_name(order: Order) -> &'static str {
    ORDERS.iter().find(|(known, _)| *known == order).map_or("", |(_, name)| name)
}

/// `sequential:fp32`, `kahan:fp16`, `fused:fp32:4`, `blocks:fp16:fp32:2`.
fn accumulation(text: &str) -> Result<Accumulation, String> {
    let count = |text: &str| {
        text.parse()
            .ok()
            .filter(|count| (1..=4).contains(count))
            .ok_or_else(|| "a block has 1 to 4 products".to_owned())
    };
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        ["sequential", format] => Ok(Accumulation::Sequential(Format::parse(format)?)),
        ["kahan", format] => Ok(Accumulation::Kahan(Format::parse(format)?)),
        ["fused", format, width] => Ok(Accumulation::Fused { format: Format::parse(format)?, width: count(width)? }),
        ["blocks", inner, outer, length] => Ok(Accumulation::Blocks {
            inner: Format::parse(inner)?,
            outer: Format::parse(outer)?,
            length: count(length)?,
        }),
        _ => Err("use sequential:fp32 kahan:fp16 fused:fp32:4 or blocks:fp16:fp32:2".to_owned()),
    }
}

fn accumulation_name(accumulation: Accumulation) -> String {
    match accumulation {
        Accumulation::Sequential(format) => format!("sequential:{}", format.name()),
        Accumulation::Kahan(format) => format!("kahan:{}", format.name()),
        Accumulation::Fused { format, width } => format!("fused:{}:{width}", format.name()),
        Accumulation::Blocks { inner, outer, length } => format!("blocks:{}:{}:{length}", inner.name(), outer.name()),
    }
}
