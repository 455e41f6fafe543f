//! Lines about a weight and its update.

use super::how::How;
use super::words::{Text, Words};
use crate::format::{Format, UpdatePlan};

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

    /// What is to be computed.
    #[must_use]
    pub const fn plan(&self) -> UpdatePlan {
        let (format, master, steps, how) = (self.format, self.master, self.steps, self.how);
        UpdatePlan { format, master, steps, policy: how.policy, seed: how.seed }
    }

    pub(super) fn command(&self) -> Vec<String> {
        let (format, master, steps) = (self.format.name(), self.master.name(), self.steps.to_string());
        let words = ["calc", "update", &self.weight, &self.update, "--format", &format, "--master", &master];
        let mut words: Vec<String> = words.into_iter().chain(["--steps", &steps]).map(str::to_owned).collect();
        // One of the three ways is by chance, whatever direction is chosen elsewhere.
        words.extend(self.how.options_beside_direction(true));
        words
    }
}
