//! The demo's picture: the weight gradients that lose most, at S = 1 and at the advised scale.

use std::path::Path;

use super::super::failure::Failure;
use super::FP32;
use crate::export::{Look, advice, picture, save};
use crate::figure::{Style, Theme, sheet, sheet_csv, sheet_png};
use crate::histogram::{Rule, Target};
use crate::train::Recording;
use crate::train::recording::{ProbeFilter, StepChoice};
use crate::train::report::Role;

/// How many tensors the picture shows.
const ROWS: usize = 2;

/// Writes gradients.svg, gradients.png and gradients.csv and returns their names.
pub(super) fn write(recording: &Recording, exponent: i32, out: &Path) -> Result<Vec<String>, Failure> {
    let looks: Vec<[Look; 2]> =
        worst(recording).into_iter().map(|probe| [look(probe, 0), look(probe, exponent)]).collect();
    let Some([first, _]) = looks.first() else {
        return Err(Failure::Run("no gradient was seen in FP32; take more steps".to_owned()));
    };
    let advice = advice(recording, first);
    let row = |looks: &[Look; 2]| looks.iter().filter_map(|look| picture(recording, look, &advice)).collect();
    let rows: Vec<Vec<_>> = looks.iter().map(row).collect();
    let title = "What FP16 loses of the gradients without and with loss scaling";
    let subtitle = format!("{}, FP32 gradients of all probed steps, S = 1 and S = 2^{exponent}", recording.dataset);
    let style = Style::for_sheet(Theme::Light, rows.len() as u32, 2);
    let png = sheet_png(title, &subtitle, &rows, &style).map_err(Failure::Run)?;
    let files = [
        ("gradients.svg", sheet(title, &subtitle, &rows, &style).into_bytes()),
        ("gradients.png", png),
        ("gradients.csv", sheet_csv(title, &subtitle, &rows).into_bytes()),
    ];
    for (name, bytes) in &files {
        save(&out.join(name), bytes).map_err(Failure::Run)?;
    }
    Ok(files.iter().map(|(name, _)| (*name).to_owned()).collect())
}

/// FP32 weight gradients of all steps.
fn look(probe: usize, scale_exponent: i32) -> Look {
    Look { steps: StepChoice::All, scale_exponent, ..Look::at(FP32, probe) }
}

/// The probes of the weight gradients that lose most at S = 1, the worst first.
fn worst(recording: &Recording) -> Vec<usize> {
    let filter = ProbeFilter { role: Some(Role::WeightGradient), ..ProbeFilter::default() };
    let lost = |probe: usize| {
        let histogram = recording.merged(FP32, probe)?;
        Some((probe, histogram.classes(Target::Fp16, 0, Rule::Ieee).lost_of_nonzero()?))
    };
    let mut probes: Vec<(usize, f64)> = recording.probes(FP32, filter).filter_map(lost).collect();
    probes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    probes.into_iter().take(ROWS).map(|(probe, _)| probe).collect()
}
