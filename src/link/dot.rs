//! Lines about D = A·B + C of 4×4 matrices.

use super::how::How;
use super::words::{Text, Words};
use crate::format::{Accumulation, DotPlan, Draws, Format, Order, parse_value};

/// A 4×4 matrix as typed, row by row.
pub type Matrix = [[String; 4]; 4];

/// A 4×4 matrix of codes, row by row.
pub type Codes = [[u64; 4]; 4];

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
    /// What is to be computed, with the policies that follow those of the operands, and the codes of A, B and C.
    ///
    /// # Errors
    /// One line that names the first element that is no value.
    pub fn plan(&self) -> Result<(DotPlan, [Codes; 3]), String> {
        let Self { input, accumulation, order, output, .. } = *self;
        let mut draws = self.how.draws();
        let codes = [
            codes("A", &self.a, input, &mut draws)?,
            codes("B", &self.b, input, &mut draws)?,
            codes("C", &self.c, output, &mut draws)?,
        ];
        Ok((DotPlan { input, accumulation, order, output, draws }, codes))
    }

    /// Reads a 4×4 matrix: rows parted by `;`, their numbers by `,`.
    ///
    /// # Errors
    /// One line with the form.
    pub fn read_matrix(text: &str) -> Result<Matrix, String> {
        let row = |row: &str| -> Option<[String; 4]> {
            let cells: Vec<String> = row.split(',').map(|cell| cell.trim().to_owned()).collect();
            cells.try_into().ok()
        };
        let rows: Option<Vec<[String; 4]>> = text.split(';').map(row).collect();
        let matrix = rows.and_then(|rows| rows.try_into().ok());
        matrix.ok_or_else(|| "write four rows of four: 1,2,3,4;1,2,3,4;…".to_owned())
    }

    /// Reads row and column of an element from 1 to 4, `2,3`, as places from 0.
    ///
    /// # Errors
    /// One line with the form.
    pub fn read_cell(text: &str) -> Result<(usize, usize), String> {
        let place = |text: &str| text.trim().parse().ok().filter(|at| (1..=4).contains(at)).map(|at: usize| at - 1);
        let parts = text.split_once(',').and_then(|(row, column)| Some((place(row)?, place(column)?)));
        parts.ok_or_else(|| "write row and column from 1 to 4: 2,3".to_owned())
    }

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let usual = Self::default();
        Ok(Self {
            a: words.take("a", usual.a, Self::read_matrix)?,
            b: words.take("b", usual.b, Self::read_matrix)?,
            c: words.take("c", usual.c, Self::read_matrix)?,
            cell: words.take("cell", usual.cell, Self::read_cell)?,
            input: words.take("input", usual.input, Format::parse)?,
            accumulation: words.take("sum", usual.accumulation, accumulation)?,
            order: words.take("order", usual.order, Order::parse)?,
            output: words.take("output", usual.output, Format::parse)?,
            how: How::read(words)?,
        })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("dot");
        for (key, matrix) in [("a", &self.a), ("b", &self.b), ("c", &self.c)] {
            text.field(key, &matrix_text(matrix));
        }
        text.field("cell", &self.cell_text());
        text.field("input", &self.input.name());
        text.field("sum", &self.accumulation.name());
        text.field("order", self.order.name());
        text.field("output", &self.output.name());
        self.how.write(text);
    }

    fn cell_text(&self) -> String {
        format!("{},{}", self.cell.0 + 1, self.cell.1 + 1)
    }

    pub(super) fn command(&self) -> Vec<String> {
        let options = [
            ("a", matrix_text(&self.a)),
            ("b", matrix_text(&self.b)),
            ("c", matrix_text(&self.c)),
            ("cell", self.cell_text()),
            ("input", self.input.name()),
            ("sum", self.accumulation.name()),
            ("order", self.order.name().to_owned()),
            ("output", self.output.name()),
        ];
        let mut words = vec!["calc".to_owned(), "dot".to_owned()];
        // With "=", since a matrix may begin with a minus.
        words.extend(options.map(|(name, value)| format!("--{name}={value}")));
        words.extend(self.how.options());
        words
    }
}

fn matrix_text(matrix: &Matrix) -> String {
    matrix.each_ref().map(|row| row.join(",")).join(";")
}

/// Each number rounded by a policy of its own.
fn codes(name: &str, matrix: &Matrix, format: Format, draws: &mut Draws) -> Result<Codes, String> {
    let mut codes = [[0; 4]; 4];
    for (row, cells) in matrix.iter().enumerate() {
        for (column, text) in cells.iter().enumerate() {
            let literal = parse_value(text);
            let literal = literal.map_err(|error| format!("{name}{}{}: {error}", row + 1, column + 1))?;
            codes[row][column] = literal.round(format, &draws.draw()).bits;
        }
    }
    Ok(codes)
}

/// As the format room reads it, but for the few products that a 4×4 matrix has.
fn accumulation(text: &str) -> Result<Accumulation, String> {
    let read = Accumulation::parse(text)?;
    if read.count() > 4 { Err("a block has 1 to 4 products".to_owned()) } else { Ok(read) }
}
