//! Following a session from its first report to its last.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::failure::Failure;
use super::interrupt::Interrupt;
use crate::i18n::Lang;
use crate::train::report::Outcome;
use crate::train::{Recording, Report, Session};

/// Reads all reports of a session: each goes to `each` and into the recording. A bar among `bars`, on a terminal, shows
/// how far it is.
///
/// # Errors
/// What `each` says. A run that failed is no error here: see [`ended`].
pub(crate) fn follow(
    session: &Session,
    interrupt: &Interrupt,
    (bars, label): (&MultiProgress, &str),
    mut each: impl FnMut(&Report) -> Result<(), Failure>,
) -> Result<Recording, Failure> {
    interrupt.watch(session.controls());
    let bar = bar(bars, label);
    let mut recording = Recording::default();
    while let Some(report) = session.next_report() {
        each(&report)?;
        recording.ingest(report);
        show(&bar, &recording);
    }
    bar.finish_and_clear();
    Ok(recording)
}

/// Whether the run of a recording came to its end.
///
/// # Errors
/// [`Failure::Run`] with its reason if it failed, [`Failure::Interrupted`] if it was stopped.
pub(crate) fn ended(recording: &Recording) -> Result<(), Failure> {
    match &recording.outcome {
        Some(Outcome::Completed) => Ok(()),
        Some(Outcome::Stopped) => Err(Failure::Interrupted),
        Some(Outcome::Failed(why)) => Err(Failure::Run(why.clone())),
        None => Err(Failure::Run("the training ended without saying why; please report how to repeat it".to_owned())),
    }
}

/// A bar on standard error; hidden by itself where that is no terminal.
fn bar(bars: &MultiProgress, label: &str) -> ProgressBar {
    let bar = bars.add(ProgressBar::new(0));
    if let Ok(style) = ProgressStyle::with_template("{prefix:28} {bar:30} {pos:>5}/{len} steps  {msg}") {
        bar.set_style(style);
    }
    bar.set_prefix(label.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(bar: &ProgressBar, recording: &Recording) {
    let Some(first) = recording.lanes.first() else { return };
    bar.set_length(first.info.config.steps);
    bar.set_position(recording.lanes.iter().map(|lane| lane.steps.len() as u64).min().unwrap_or(0));
    let accuracy = |lane: &crate::train::recording::Lane| {
        lane.accuracy().map(|share| Lang::En.percent(&format!("{:.1}", share * 100.0)))
    };
    let accuracies: Vec<String> = recording.lanes.iter().filter_map(accuracy).collect();
    bar.set_message(accuracies.join(" · "));
}
