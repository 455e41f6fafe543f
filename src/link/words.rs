//! Words and `key=value` fields of a line.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use crate::format::{Format, ParseError};

/// Longest line that is read; the longest that is written has 48 numbers.
const LONGEST: usize = 16_384;

/// A line in parts: words in order, fields by key.
#[derive(Debug, Default)]
pub(super) struct Words {
    words: VecDeque<String>,
    fields: BTreeMap<String, String>,
}

impl Words {
    /// Parts a line at its spaces, but for those between double quotes.
    pub(super) fn split(line: &str) -> Result<Self, String> {
        if line.len() > LONGEST {
            return Err(format!("a link has at most {LONGEST} characters, this one has {}", line.len()));
        }
        let mut parts = Self::default();
        let mut rest = line.trim();
        while !rest.is_empty() {
            let quoted_word = rest.starts_with('"');
            let mut inside = false;
            let end = rest.find(|c: char| {
                inside ^= c == '"';
                c.is_whitespace() && !inside
            });
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            if word.matches('"').count() % 2 == 1 {
                return Err("a link has a \" without its end".to_owned());
            }
            let plain = word.replace('"', "");
            match plain.split_once('=') {
                Some((key, value)) if !quoted_word => parts.field(key, value)?,
                _ => parts.words.push_back(plain),
            }
            rest = after.trim_start();
        }
        Ok(parts)
    }

    fn field(&mut self, key: &str, value: &str) -> Result<(), String> {
        match self.fields.insert(key.to_ascii_lowercase(), value.to_owned()) {
            None => Ok(()),
            Some(_) => Err(format!("a link says {key}= twice")),
        }
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<String> {
        self.words.pop_front()
    }

    /// All words that are left.
    pub(super) fn rest(&mut self) -> Vec<String> {
        std::mem::take(&mut self.words).into()
    }

    /// A field, read by `parse`; its default where the line does not have it.
    pub(super) fn take<T, E: fmt::Display>(
        &mut self,
        key: &str,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, String> {
        self.fields.remove(key).map_or(Ok(default), |value| parse(&value).map_err(|error| format!("{key}=: {error}")))
    }

    /// Whether a switch is on.
    pub(super) fn switch(&mut self, key: &str) -> Result<bool, String> {
        self.take(key, false, |value| match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err("use on or off".to_owned()),
        })
    }

    /// A whole number.
    pub(super) fn number<T: std::str::FromStr>(&mut self, key: &str, default: T) -> Result<T, String> {
        self.take(key, default, |value| value.parse().map_err(|_| format!("\"{value}\" is no number that fits")))
    }

    /// Formats parted by commas.
    pub(super) fn formats(&mut self, key: &str, default: Vec<Format>) -> Result<Vec<Format>, String> {
        self.take(key, default, formats)
    }

    /// Says which part of the line nobody asked for.
    pub(super) fn finish(mut self) -> Result<(), String> {
        if let Some(word) = self.next() {
            return Err(format!("\"{word}\" is one word too many for this link"));
        }
        match self.fields.pop_first() {
            Some((key, _)) => Err(format!("this link has no {key}=")),
            None => Ok(()),
        }
    }
}

/// Formats parted by commas.
pub(super) fn formats(list: &str) -> Result<Vec<Format>, ParseError> {
    list.split(',').map(Format::parse).collect()
}

/// The names of formats, parted by commas.
pub(super) fn names(formats: &[Format]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(",")
}

/// A line that grows.
#[derive(Debug, Default)]
pub(super) struct Text(String);

impl Text {
    /// Adds a word, in quotes where it needs them.
    pub(super) fn word(&mut self, word: &str) {
        let needs = word.is_empty() || word.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
        self.part(&if needs { quoted(word) } else { word.to_owned() });
    }

    /// Adds a field.
    pub(super) fn field(&mut self, key: &str, value: &str) {
        let needs = value.contains(|c: char| c.is_whitespace() || c == '"');
        let value = if needs { quoted(value) } else { value.to_owned() };
        self.part(&format!("{key}={value}"));
    }

    /// Adds a field unless it says what is meant anyway.
    pub(super) fn unless(&mut self, usual: bool, key: &str, value: &str) {
        if !usual {
            self.field(key, value);
        }
    }

    /// The line.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    fn part(&mut self, part: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0 += part;
    }
}

/// In quotes; those inside, which mean nothing in any value, are dropped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', ""))
}
