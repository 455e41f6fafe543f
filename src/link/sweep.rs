//! Lines about a function over a range of inputs.

use super::how::How;
use super::words::{Text, Words};
use crate::format::{Expression, Format, Sweep, Value, parse_value};

/// A function over a range of inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepLink {
    /// The function of `x` as typed.
    pub function: String,
    /// Format of the inputs and of every operation.
    pub format: Format,
    /// The lowest input as typed.
    pub from: String,
    /// The highest input as typed.
    pub to: String,
    /// How to round.
    pub how: How,
}

impl SweepLink {
    /// The ends of the range where none are named.
    pub const USUAL: (&'static str, &'static str) = ("0", "1");

    /// What is to be computed.
    ///
    /// # Errors
    /// One line that says which part is wrong.
    pub fn plan(&self) -> Result<Sweep, String> {
        let function = Expression::parse(&self.function)?;
        let end = |text: &str| -> Result<Value, String> { Ok(parse_value(text)?.value()) };
        let mut sweep = Sweep::new(function, self.format, (&end(&self.from)?, &end(&self.to)?))?;
        (sweep.policy, sweep.seed) = (self.how.policy, self.how.seed);
        Ok(sweep)
    }

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let function = words.rest().join(" ");
        let text = |text: &str| Ok(text.to_owned());
        Ok(Self {
            function,
            format: words.take("format", Format::FP16, Format::parse)?,
            from: words.take("from", Self::USUAL.0.to_owned(), text)?,
            to: words.take("to", Self::USUAL.1.to_owned(), text)?,
            how: How::read(words)?,
        })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("sweep");
        text.word(&self.function);
        text.field("format", &self.format.name());
        text.field("from", &self.from);
        text.field("to", &self.to);
        self.how.write(text);
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["calc".to_owned(), "sweep".to_owned(), self.function.clone()];
        words.extend([("format", self.format.name()), ("from", self.from.clone()), ("to", self.to.clone())].map(
            // With "=", since a value may begin with a minus.
            |(name, value)| format!("--{name}={value}"),
        ));
        words.extend(self.how.options());
        words
    }
}
