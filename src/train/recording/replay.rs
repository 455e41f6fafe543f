//! A recording as the reports it came from: what saves a live run to a file after the fact.

use super::file::FORMAT_VERSION;
use super::{Lane, Recording};
use crate::train::report::{Report, Started};

impl Recording {
    /// Reports that make this recording again when they are ingested in order; speeds are left out, as in a file.
    /// Empty for a recording that has not started.
    #[must_use]
    pub fn reports(&self) -> Vec<Report> {
        if self.lanes.is_empty() {
            return Vec::new();
        }
        let lanes = self.lanes.iter().map(|lane| lane.info.clone()).collect();
        let mut reports =
            vec![Report::Started(Started { format: FORMAT_VERSION, dataset: self.dataset.clone(), lanes })];
        for (index, lane) in self.lanes.iter().enumerate() {
            lane.append_reports(index, &mut reports);
        }
        if let Some(outcome) = &self.outcome {
            let step = self.lanes.iter().filter_map(|lane| lane.steps.last()).map(|step| step.step).max();
            reports.push(Report::Finished { step: step.unwrap_or(0), outcome: outcome.clone() });
        }
        reports
    }

    /// The bytes of a run file: one report a line, as [`Recording::read_lines`] takes them.
    ///
    /// # Errors
    /// One line, should a report have no JSON.
    pub fn lines(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        for report in self.reports() {
            serde_json::to_writer(&mut bytes, &report).map_err(|error| format!("cannot save the run: {error}"))?;
            bytes.push(b'\n');
        }
        Ok(bytes)
    }
}

impl Lane {
    fn append_reports(&self, index: usize, reports: &mut Vec<Report>) {
        reports.push(Report::Steps(self.steps.clone()));
        reports.extend(self.scale_sets.iter().map(|&(step, scale)| Report::ScaleSet { lane: index, step, scale }));
        reports.extend(self.evaluations.iter().map(|&evaluation| Report::Evaluated(evaluation)));
        // one line a probed step, all probes of it together, as a session says them
        let mut histograms: Vec<_> = self.histograms.iter().flatten().collect();
        histograms.sort_by_key(|histogram| (histogram.step, histogram.probe));
        let steps = histograms.chunk_by(|a, b| a.step == b.step);
        reports.extend(steps.map(|step| Report::Histograms(step.iter().map(|&one| one.clone()).collect())));
    }
}
