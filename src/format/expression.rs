//! Exact expressions: `2^-24`, `1/3`, `3*(2^-26)`.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/") signed)*
//! signed  = ("+" | "-") signed | power
//! power   = atom ("^" signed)?            right-associative, and tighter than a sign: -2^2 = -4
//! atom    = number | "(" sum ")"
//! ```

use super::error::ParseError;
use super::exact::{Exact, ExactError};
use super::literal::{scan, short, unexpected};

/// Longest expression, in bytes. With [`super::exact::MAX_BITS`] it bounds the work.
const MAX_LENGTH: usize = 4_096;
/// Deepest nesting of brackets, signs and powers; each level is a few stack frames.
const MAX_DEPTH: u32 = 100;

/// The exact value of an expression.
///
/// # Errors
/// What was unexpected and where, a division by zero, or a result that is too large to be kept exactly.
pub(super) fn evaluate(text: &str) -> Result<Exact, ParseError> {
    if text.len() > MAX_LENGTH {
        return Err(ParseError::ExpressionTooLong { text: short(text), most: MAX_LENGTH });
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some(')') => Err(ParseError::BracketNotOpened { text: short(text) }),
        Some(_) => Err(unexpected(&text[..parser.at], &text[parser.at..])),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Takes the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let next = self.peek().filter(|c| wanted.contains(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn sum(&mut self) -> Result<Exact, ParseError> {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let right = self.product()?;
            value = if operator == '+' { value.add(&right) } else { value.sub(&right) }.map_err(|e| self.error(e))?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Exact, ParseError> {
        let mut value = self.signed()?;
        while let Some(operator) = self.take(&['*', '/']) {
            let right = self.signed()?;
            value = if operator == '*' { value.mul(&right) } else { value.div(&right) }.map_err(|e| self.error(e))?;
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<Exact, ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ParseError::NestedTooDeep { text: short(self.text), most: MAX_DEPTH });
        }
        let value = match self.take(&['+', '-']) {
            Some('-') => self.signed()?.negated(),
            Some(_) => self.signed()?,
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<Exact, ParseError> {
        let base = self.atom()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        let power = self.signed()?;
        base.pow(&power).map_err(|e| self.error(e))
    }

    fn atom(&mut self) -> Result<Exact, ParseError> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return match self.take(&[')']) {
                Some(_) => Ok(value),
                None => Err(ParseError::BracketNotClosed { text: short(self.text) }),
            };
        }
        let Some(next) = self.peek() else {
            return Err(ParseError::OperandMissing { text: short(self.text) });
        };
        let rest = &self.text[self.at..];
        if !(next.is_ascii_digit() || next == '.') {
            return Err(ParseError::NotANumber { text: short(rest) });
        }
        let scanned = scan(rest)?;
        if !scanned.is_short() {
            return Err(self.error(ExactError::TooLarge));
        }
        self.at += scanned.length;
        Ok(scanned.to_exact())
    }

    fn error(&self, error: ExactError) -> ParseError {
        let text = short(self.text);
        match error {
            ExactError::TooLarge => ParseError::TooLarge { text },
            ExactError::DivisionByZero => ParseError::DivisionByZero { text },
            ExactError::FractionalPower => ParseError::FractionalPower { text },
        }
    }
}
