//! Text in columns.

use std::fmt;

use crate::i18n::Lang;
pub(crate) use crate::i18n::app::grouped;

/// How a column is lined up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of equally many cells, lined up when printed.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with its head.
    pub(crate) fn new<const N: usize>(head: [(&str, Align); N]) -> Self {
        let row = head.iter().map(|(text, _)| (*text).to_owned()).collect();
        Self { align: head.iter().map(|(_, align)| *align).collect(), rows: vec![row] }
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.align.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, &width), align) in row.iter().zip(&widths).zip(&self.align) {
                let padded = match align {
                    Align::Left => format!("{cell:<width$}  "),
                    Align::Right => format!("{cell:>width$}  "),
                };
                line.push_str(&padded);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A share as a percentage with two digits after the point, or a dash.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| Lang::En.percent(&format!("{:.2}", share * 100.0)))
}
