//! `halfscope train`: lanes side by side, from a preset or a file.

mod lanes;
mod profile;

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indicatif::MultiProgress;
use serde::Serialize;

use super::failure::Failure;
use super::follow::{ended, follow};
use super::interrupt::Interrupt;
use super::scale::scale_text;
use super::table::{Align, Table, percent};
use crate::data::{Dataset, embedded, find};
use crate::export::{TOLERANCE, save};
use crate::histogram::{Advice, Rule, Target};
use crate::train::backend::choose_adapter;
use crate::train::recording::{Lane, RUN_FILE, Writer};
use crate::train::report::Outcome;
use crate::train::session::processors;
use crate::train::{Recording, Report, RunConfig, Session, SessionOptions};

/// Trains several lanes side by side on the same batches and says what precision did to each.
#[derive(Debug, Clone, Args)]
pub(crate) struct TrainArgs {
    /// A ready-made experiment: underflow, master-weights or mnist-mlp
    #[arg(long, default_value = "underflow", value_name = "NAME")]
    preset: String,
    /// A JSON file with one configuration or a list of them, as in the first line of a recorded run
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
    /// Precision policies to run side by side, each with a loss scale and a backend of its own if wanted:
    /// fp32,paper@1,paper@2^16,amp@dynamic,fp32:cpu,fp32:cuda
    #[arg(long, visible_alias = "policy", value_delimiter = ',', value_name = "POLICY[@SCALE][:BACKEND]")]
    lanes: Vec<String>,
    /// Loss scale of the lanes that have one: a number, 2^k or dynamic
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    scale: Option<String>,
    /// Where lanes run that do not say: auto (CUDA, else wgpu on a graphics processor, else the CPU), cpu, wgpu or cuda
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Which graphics processor wgpu uses, if there are several: a part of its name, as `doctor` prints it
    #[arg(long, value_name = "TEXT")]
    adapter: Option<String>,
    /// Steps to take
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Initial weights and order of the images
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads that compute; all processors if not said
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Folder with the four IDX files of the MNIST family, or the word `embedded`
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Take histograms every this many steps; 0 for never
    #[arg(long, value_name = "N")]
    probe_every: Option<u64>,
    /// Run an FP32 twin (same weights, same batch) in every lane on probed steps
    #[arg(long)]
    twin: bool,
    /// Write run.jsonl and summary.json to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Time every op on its device in a step now and then, and print where the time goes
    #[arg(long)]
    profile: bool,
    /// Print every report as one JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &TrainArgs) -> Result<(), Failure> {
    let lanes = lanes::lanes(args).map_err(Failure::Input)?;
    if args.adapter.is_some() {
        choose_adapter(args.adapter.as_deref()).map_err(Failure::Input)?;
    }
    let threads = args.threads.unwrap_or_else(processors);
    if threads == 0 {
        return Err(Failure::Input("--threads is 0; give at least 1".to_owned()));
    }
    let data = dataset(args.data.as_deref()).map_err(Failure::Input)?;
    let mut writer = args.out.as_deref().map(|out| writer(&lanes, &data, out)).transpose()?;
    let interrupt = Interrupt::install();
    let options = SessionOptions { threads, profile: args.profile, ..SessionOptions::default() };
    let session = Session::start_with(lanes, Arc::new(data), options, || {}).map_err(Failure::Input)?;
    let recording = follow(&session, &interrupt, (&MultiProgress::new(), "training"), |report| {
        if let Some(writer) = &mut writer {
            writer.write(report).map_err(Failure::Run)?;
        }
        if args.json { print_json(report) } else { Ok(()) }
    })?;
    let ended = ended(&recording);
    if let Some(path) = writer.map_or(Ok(None), Writer::finish).map_err(Failure::Run)? {
        super::say(&format!("recorded: {}", path.display()));
    }
    if let Some(out) = &args.out {
        let summary =
            serde_json::to_vec_pretty(&summary(&recording)).map_err(|error| Failure::Run(error.to_string()))?;
        save(&out.join("summary.json"), &summary).map_err(Failure::Run)?;
    }
    if !args.json && !recording.lanes.is_empty() {
        write!(stdout(), "{}", describe(&recording))?;
    }
    if args.profile {
        profile::print(&recording, args.json)?;
    }
    if ended == Err(Failure::Interrupted) {
        super::say(if args.out.is_some() { "stopped; what was recorded is whole" } else { "stopped" });
    }
    ended
}

fn writer(lanes: &[RunConfig], data: &Dataset, out: &Path) -> Result<Writer, Failure> {
    // what is wrong with the lanes is said before a folder appears
    crate::train::session::check(lanes, data).map_err(Failure::Input)?;
    std::fs::create_dir_all(out).map_err(|error| Failure::Run(format!("cannot create {}: {error}", out.display())))?;
    Writer::create(&out.join(RUN_FILE)).map_err(Failure::Run)
}

fn print_json(report: &Report) -> Result<(), Failure> {
    if !report.is_recorded() {
        return Ok(()); // not the same twice
    }
    let mut out = stdout().lock();
    serde_json::to_writer(&mut out, report).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// The data that `--data` names.
pub(crate) fn dataset(folder: Option<&Path>) -> Result<Dataset, String> {
    match folder {
        Some(word) if word == Path::new("embedded") && !word.is_dir() => Ok(embedded()),
        folder => find(folder),
    }
}

/// What `summary.json` holds. The same run gives the same bytes.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    halfscope: &'static str,
    dataset: &'a str,
    outcome: &'a Option<Outcome>,
    lanes: Vec<LaneSummary<'a>>,
    note: &'static str,
}

/// A lane in a summary.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LaneSummary<'a> {
    pub(crate) lane: &'a str,
    pub(crate) device: &'a str,
    pub(crate) steps: usize,
    /// 0 to 1.
    pub(crate) accuracy: Option<f64>,
    /// Percentage points above (+) or below (−) the FP32 lane.
    pub(crate) points_to_fp32: Option<f64>,
    pub(crate) skipped: u64,
    pub(crate) last_scale: Option<f32>,
    pub(crate) advised: Option<AdvisedBand>,
    pub(crate) config: &'a RunConfig,
}

/// Advised scales as exponents of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct AdvisedBand {
    pub(crate) low: i32,
    pub(crate) high: i32,
}

/// What is said beside every figure that took time.
pub(crate) const EMULATED: &str =
    "FP16 on a CPU is emulated and slower than FP32: its time says nothing about a GPU, its numbers are the same.";

fn summary(recording: &Recording) -> Summary<'_> {
    let lanes = (0..recording.lanes.len()).map(|lane| lane_summary(recording, lane)).collect();
    Summary {
        halfscope: env!("CARGO_PKG_VERSION"),
        dataset: &recording.dataset,
        outcome: &recording.outcome,
        lanes,
        note: EMULATED,
    }
}

/// A lane of a recording as a summary holds it.
pub(crate) fn lane_summary(recording: &Recording, index: usize) -> LaneSummary<'_> {
    let lane: &Lane = &recording.lanes[index];
    let advised = match recording.advice(index, Target::Fp16, Rule::Ieee, TOLERANCE) {
        Advice::Band { low, high } => Some(AdvisedBand { low, high }),
        Advice::Empty { .. } | Advice::NoData => None,
    };
    LaneSummary {
        lane: &lane.info.config.lane,
        device: &lane.info.device,
        steps: lane.steps.len(),
        accuracy: lane.accuracy(),
        points_to_fp32: recording.accuracy_gap(index),
        skipped: lane.skipped(),
        last_scale: lane.steps.last().map(|step| step.scale),
        advised,
        config: &lane.info.config,
    }
}

/// The lanes as a table, and what their gradients say.
fn describe(recording: &Recording) -> String {
    let mut text = format!("{}\n", recording.dataset);
    text.push_str(&lane_table(recording).to_string());
    for (index, lane) in recording.lanes.iter().enumerate() {
        let Some(worst) = recording.worst_weight_gradient(index, Target::Fp16, 0, Rule::Ieee) else { continue };
        let probe = &recording.lanes[worst.lane].info.probes[worst.probe];
        let lost = percent(Some(worst.lost));
        // writing to a String cannot fail
        let _ = writeln!(
            text,
            "{}: cast to FP16 at S = 1, {} loses {lost} of its non-zero values; {}",
            lane.info.config.lane,
            probe.tensor,
            advice_text(&recording.advice(index, Target::Fp16, Rule::Ieee, TOLERANCE))
        );
    }
    if recording.lanes.iter().any(Lane::is_emulated) {
        text.push_str(EMULATED);
        text.push('\n');
    }
    text
}

/// The lanes of a recording, one a row.
pub(crate) fn lane_table(recording: &Recording) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("lane", Left),
        ("steps", Right),
        ("accuracy", Right),
        ("points to FP32", Right),
        ("loss", Right),
        ("scale", Right),
        ("skipped", Right),
    ]);
    for (index, lane) in recording.lanes.iter().enumerate() {
        let dash = || "–".to_owned();
        let last = lane.steps.last();
        table.row([
            lane.info.config.lane.clone(),
            lane.steps.len().to_string(),
            percent(lane.accuracy()),
            recording.accuracy_gap(index).map_or_else(dash, |points| format!("{points:+.1}")),
            lane.evaluations.last().map_or_else(dash, |evaluation| format!("{:.4}", evaluation.loss)),
            last.map_or_else(dash, |step| scale_text(step.scale)),
            lane.skipped().to_string(),
        ]);
    }
    table
}

/// What the advised scales are, in words.
pub(crate) fn advice_text(advice: &Advice) -> String {
    match advice {
        Advice::Band { low, high } if low == high => format!("advised loss scale: 2^{low}"),
        Advice::Band { low, high } => format!("advised loss scales: 2^{low} to 2^{high}"),
        Advice::Empty { low, low_tensor, high, high_tensor } => {
            format!("no loss scale serves all: {low_tensor} needs 2^{low}, {high_tensor} overflows above 2^{high}")
        }
        Advice::NoData => "no advised loss scale: no gradient was seen".to_owned(),
    }
}
