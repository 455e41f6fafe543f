//! Lines about a weight and its update.

use super::how::How;
use super::words::{Text, Words};
use crate::format::Format;

/// A weight and its update.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateLink {
    /// The weight as typed.
    pub weight: String,
    /// The update as typed.
    pub update: String,
    /// The narrow format that the weight is kept in.
    pub format: Format,
    /// The format of the master copy.
    pub master: Format,
    /// How often the update is added.
    pub steps: u32,
    /// How to round.
    pub how: How,
}

impl UpdateLink {
    /// The most additions.
    pub const MOST_STEPS: u32 = 4096;

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let [weight, update] = [(); 2].map(|()| words.next().unwrap_or_default());
        let steps: u32 = words.number("steps", 256)?;
        Ok(Self {
            weight,
            update,
            format: words.take("format", Format::FP16, Format::parse)?,
            master: words.take("master", Format::FP32, Format::parse)?,
            steps: steps.clamp(1, Self::MOST_STEPS),
            how: How::read(words)?,
        })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("update");
        text.word(&self.weight);
        text.word(&self.update);
        text.field("format", &self.format.name());
        text.field("master", &self.master.name());
        text.field("steps", &self.steps.to_string());
        self.how.write(text);
    }

    /// The addition itself.
    pub(super) fn command(&self) -> Vec<String> {
        let mut words =
            ["calc", "add", &self.weight, &self.update, "--format", &self.format.name()].map(str::to_owned).to_vec();
        words.extend(self.how.options());
        words
    }
}
