//! Lines about one value or operation: Bits, and three panes of Arithmetic.

use super::how::How;
use super::words::{Text, Words, formats, names};
use crate::format::{BlockFormat, Format, Operation};

/// One number in several formats, or values in a block.
#[derive(Debug, Clone, PartialEq)]
pub struct BitsLink {
    /// The value as typed; where a block is shown, values parted by spaces or commas.
    pub value: String,
    /// The formats, in order.
    pub formats: Vec<Format>,
    /// A block format instead of the formats.
    pub block: Option<BlockFormat>,
    /// How to round.
    pub how: How,
}

impl BitsLink {
    /// The most formats that are shown at once.
    pub const MOST: usize = 6;

    /// The formats that are shown where none are named.
    pub const USUAL: [Format; 4] = [Format::FP16, Format::BF16, Format::FP32, Format::FP64];

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let value = words.rest().join(" ");
        let shown = words.formats("formats", Self::USUAL.to_vec())?;
        if shown.len() > Self::MOST {
            return Err(format!("at most {} formats are shown, not {}", Self::MOST, shown.len()));
        }
        let block = words.take("block", None, |name| BlockFormat::parse(name).map(Some))?;
        Ok(Self { value, formats: shown, block, how: How::read(words)? })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("bits");
        text.word(&self.value);
        text.unless(self.formats == Self::USUAL, "formats", &names(&self.formats));
        if let Some(block) = self.block {
            text.field("block", &block.name());
        }
        self.how.write(text);
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["inspect".to_owned(), self.value.clone()];
        match self.block {
            Some(block) => words.extend(["--block".to_owned(), block.name()]),
            None => self.formats.iter().for_each(|format| words.extend(["--format".to_owned(), format.name()])),
        }
        words.extend(self.how.options());
        words
    }
}

/// How a value is rounded to a format.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundLink {
    /// The value as typed.
    pub value: String,
    /// The format.
    pub format: Format,
    /// How to round.
    pub how: How,
}

impl RoundLink {
    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let value = words.rest().join(" ");
        Ok(Self { value, format: words.take("format", Format::FP16, Format::parse)?, how: How::read(words)? })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("round");
        text.word(&self.value);
        text.field("format", &self.format.name());
        self.how.write(text);
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["inspect".to_owned(), self.value.clone(), "--format".to_owned(), self.format.name()];
        words.extend(self.how.options());
        words
    }
}

/// An operation.
#[derive(Debug, Clone, PartialEq)]
pub struct CalcLink {
    /// The operation.
    pub operation: Operation,
    /// The operands as typed; those that the operation does not take are kept, too.
    pub operands: [String; 3],
    /// Format of operands and result.
    pub format: Format,
    /// How to round.
    pub how: How,
}

impl CalcLink {
    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let operation = Operation::parse(&words.next().unwrap_or_default())?;
        let typed = words.rest();
        if typed.len() > 3 {
            return Err(format!(
                "an operation has at most 3 operands, not {}: put \" around one with spaces",
                typed.len()
            ));
        }
        let mut typed = typed.into_iter();
        let operands = std::array::from_fn(|_| typed.next().unwrap_or_default());
        let format = words.take("format", Format::FP16, Format::parse)?;
        Ok(Self { operation, operands, format, how: How::read(words)? })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("calc");
        text.word(self.operation.name());
        self.operands[..self.operation.operands()].iter().for_each(|operand| text.word(operand));
        text.field("format", &self.format.name());
        self.how.write(text);
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["calc".to_owned(), self.operation.name().to_owned()];
        words.extend(self.operands[..self.operation.operands()].iter().cloned());
        words.extend(["--format".to_owned(), self.format.name()]);
        words.extend(self.how.options());
        words
    }
}

/// Conversions one after another.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainLink {
    /// The value as typed.
    pub value: String,
    /// The formats to go through.
    pub via: Vec<Format>,
    /// How to round.
    pub how: How,
}

impl ChainLink {
    /// The most formats in a chain.
    pub const MOST: usize = 6;

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let value = words.rest().join(" ");
        let usual = vec![Format::FP64, Format::FP32, Format::FP16, Format::E4M3];
        let via = words.take("via", usual, Self::formats)?;
        Ok(Self { value, via, how: How::read(words)? })
    }

    /// Reads the formats of a chain, parted by commas.
    ///
    /// # Errors
    /// One line that says which is unknown, or that there are too many.
    pub fn formats(list: &str) -> Result<Vec<Format>, String> {
        let via = formats(list)?;
        if via.len() > Self::MOST {
            return Err(format!("a chain has at most {} formats here, not {}", Self::MOST, via.len()));
        }
        Ok(via)
    }

    /// The formats as [`formats`](Self::formats) reads them.
    #[must_use]
    pub fn via_text(&self) -> String {
        names(&self.via)
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("chain");
        text.word(&self.value);
        text.field("via", &self.via_text());
        self.how.write(text);
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["convert".to_owned(), self.value.clone(), "--via".to_owned(), self.via_text()];
        words.extend(self.how.options());
        words
    }
}
