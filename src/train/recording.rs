//! What a run has said so far, kept for the views; and the same on disk, one report a line.

use std::path::Path;

use super::report::{Evaluation, HistogramReport, LaneInfo, Outcome, Report, StepReport};

/// Everything a run reported, indexed for the views and the command line. Live runs and files fill it the same way.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// Which images.
    pub dataset: String,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// How it ended, once it has.
    pub outcome: Option<Outcome>,
    /// Goes up with every ingested report: a key for cached, derived series.
    pub generation: u64,
}

/// One lane of a recording.
#[derive(Debug, Clone)]
pub struct Lane {
    /// As it was compiled.
    pub info: LaneInfo,
    /// Scalars of all steps, oldest first.
    pub steps: Vec<StepReport>,
    /// Test accuracies, oldest first.
    pub evaluations: Vec<Evaluation>,
    /// Scales that somebody set: (step, scale).
    pub scale_sets: Vec<(u64, f32)>,
    /// Latest speed in steps a second.
    pub steps_per_second: Option<f64>,
    /// Histograms by probe index, each oldest first.
    pub histograms: Vec<Vec<HistogramReport>>,
}

impl Recording {
    /// Takes in one report. Reports out of order or of unknown lanes are ignored.
    pub fn ingest(&mut self, report: Report) {
        drop(report);
        self.generation += 1;
    }

    /// Reads a recorded run. A last line cut short (the program was killed) is left out.
    ///
    /// # Errors
    /// One line naming the file, the line and what to do.
    pub fn read(path: &Path) -> Result<Self, String> {
        let _ = path;
        todo!()
    }
}

/// f32 in JSON with NaN and infinities as text: JSON has no such numbers.
pub mod float_text {
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a number, or `"NaN"`, `"inf"`, `"-inf"`.
    ///
    /// # Errors
    /// Those of the serializer.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() { serializer.serialize_f32(*value) } else { serializer.serialize_str(&value.to_string()) }
    }

    /// Reads what [`serialize`] writes.
    ///
    /// # Errors
    /// Text that is no number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Number {
            Finite(f32),
            Text(String),
        }
        match Number::deserialize(deserializer)? {
            Number::Finite(value) => Ok(value),
            Number::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}
