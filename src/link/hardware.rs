//! Lines about what a device really does.

use super::words::{Text, Words};
use crate::observe::{BackendKind, Coverage, Place, Primitive};

/// A device, an operation of it, and an example of a result that is not right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HardwareLink {
    /// The device.
    pub place: Place,
    /// The operation whose examples are looked at; `None` for the first.
    pub operation: Option<Primitive>,
    /// How much it is asked.
    pub coverage: Coverage,
    /// Which example, from 1.
    pub example: usize,
}

impl Default for HardwareLink {
    fn default() -> Self {
        Self { place: Place::CPU, operation: None, coverage: Coverage::Chosen, example: 1 }
    }
}

impl HardwareLink {
    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let kind = words.take("device", BackendKind::Cpu, |name| {
            let found = Place::KINDS.into_iter().find(|kind| kind.name() == name);
            found.ok_or_else(|| format!("use {}", Place::KINDS.map(BackendKind::name).join(" ")))
        })?;
        let adapter = words.take("adapter", None, |name| match kind {
            BackendKind::Wgpu => Ok(Some(name.to_owned())),
            _ => Err("only device=wgpu has adapters".to_owned()),
        })?;
        let operation = words.take("operation", None, |name| Primitive::parse(name).map(Some))?;
        let coverage = words.take("inputs", Coverage::Chosen, Coverage::parse)?;
        let example: usize = words.number("example", 1)?;
        Ok(Self { place: Place { kind, adapter }, operation, coverage, example: example.max(1) })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("hardware");
        text.field("device", self.place.kind.name());
        if let Some(adapter) = &self.place.adapter {
            text.field("adapter", adapter);
        }
        if let Some(operation) = self.operation {
            text.field("operation", operation.name());
        }
        text.unless(self.coverage == Coverage::Chosen, "inputs", self.coverage.name());
        text.unless(self.example == 1, "example", &self.example.to_string());
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["hardware".to_owned(), "--backend".to_owned(), self.place.kind.name().to_owned()];
        if let Some(adapter) = &self.place.adapter {
            words.extend(["--adapter".to_owned(), adapter.clone()]);
        }
        if let Some(operation) = self.operation {
            words.extend(["--operation", operation.name(), "--examples"].map(str::to_owned));
        }
        if self.coverage == Coverage::All {
            words.push("--exhaustive".to_owned());
        }
        words
    }
}
