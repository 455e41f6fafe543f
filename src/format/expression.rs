//! Exact expressions: `2^-24`, `1/3`, `3*(2^-26)`.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/") signed)*
//! signed  = ("+" | "-") signed | power
//! power   = atom ("^" signed)?            right-associative, and tighter than a sign: -2^2 = -4
//! atom    = number | "(" sum ")"
//! ```

use super::exact::{Exact, ExactError};
use super::literal::{scan, short, unexpected};

/// Longest expression, in bytes. With [`super::exact::MAX_BITS`] it bounds the work.
const MAX_LENGTH: usize = 4_096;
/// Deepest nesting of brackets, signs and powers; each level is a few stack frames.
const MAX_DEPTH: u32 = 100;

/// The exact value of an expression.
///
/// # Errors
/// One line: what was unexpected and where, a division by zero, or a result that is too large to be kept exactly.
pub(super) fn evaluate(text: &str) -> Result<Exact, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("\"{}\" is longer than the {MAX_LENGTH} characters an expression may have", short(text)));
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some(')') => Err(format!("\"{}\" has a \")\" without its \"(\"", short(text))),
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

    fn sum(&mut self) -> Result<Exact, String> {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let right = self.product()?;
            value = if operator == '+' { value.add(&right) } else { value.sub(&right) }.map_err(|e| self.error(e))?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Exact, String> {
        let mut value = self.signed()?;
        while let Some(operator) = self.take(&['*', '/']) {
            let right = self.signed()?;
            value = if operator == '*' { value.mul(&right) } else { value.div(&right) }.map_err(|e| self.error(e))?;
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<Exact, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("\"{}\" is nested more than {MAX_DEPTH} deep", short(self.text)));
        }
        let value = match self.take(&['+', '-']) {
            Some('-') => self.signed()?.negated(),
            Some(_) => self.signed()?,
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<Exact, String> {
        let base = self.atom()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        let power = self.signed()?;
        base.pow(&power).map_err(|e| self.error(e))
    }

    fn atom(&mut self) -> Result<Exact, String> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return match self.take(&[')']) {
                Some(_) => Ok(value),
                None => Err(format!("\"{}\" has a \"(\" without its \")\"", short(self.text))),
            };
        }
        let Some(next) = self.peek() else {
            return Err(format!("\"{}\" ends where a number is missing", short(self.text)));
        };
        let rest = &self.text[self.at..];
        if !(next.is_ascii_digit() || next == '.') {
            return Err(format!("\"{}\" is not a number: write 0.5, 1e-8, 2^-24, 1/3 or fp16:0x7bff", short(rest)));
        }
        let scanned = scan(rest)?;
        if !scanned.is_short() {
            return Err(self.error(ExactError::TooLarge));
        }
        self.at += scanned.length;
        Ok(scanned.to_exact())
    }

    fn error(&self, error: ExactError) -> String {
        let text = short(self.text);
        match error {
            ExactError::TooLarge => format!("\"{text}\" is too large to be computed exactly"),
            ExactError::DivisionByZero => format!("\"{text}\" divides by zero"),
            ExactError::FractionalPower => format!("\"{text}\" has a power that is not a whole number"),
        }
    }
}
