//! `halfscope demo`: the main job with no window. For every seed an FP32 lane first, then FP16 without and with the loss
//! scale that the FP32 gradients ask for; the histograms as a picture, the figures as a summary.

mod sheet;
mod summary;

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use clap::Args;
use indicatif::MultiProgress;

use super::failure::Failure;
use super::follow::{ended, follow};
use super::interrupt::Interrupt;
use super::scale::scale_text;
use super::table::{Align, Table, percent};
use super::train::{EMULATED, advice_text};
use crate::data::{Dataset, embedded};
use crate::export::{TOLERANCE, save};
use crate::histogram::{Advice, Rule, Target};
use crate::train::config::ScalerConfig;
use crate::train::presets::Preset;
use crate::train::recording::{Writer, advised_exponent};
use crate::train::report::{Outcome, Started};
use crate::train::session::processors;
use crate::train::{Recording, Report, RunConfig, Session, SessionOptions};
use summary::{SeedResult, Summary};

/// The experiment of the demo.
const PRESET: &str = "underflow";

/// Indices of the lanes in the demo's recordings.
const FP32: usize = 0;
const UNSCALED: usize = 1;
const SCALED: usize = 2;

/// Trains FP32, FP16 and loss-scaled FP16 on the embedded images and writes histograms and a summary.
#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// Seeds, one run each
    #[arg(long, value_delimiter = ',', default_value = "0,1,2", value_name = "N,…")]
    seeds: Vec<u64>,
    /// Folder for gradients.svg, .png, .csv, summary.json and the recorded runs
    #[arg(long, default_value = "halfscope-demo", value_name = "DIR")]
    out: PathBuf,
    /// Steps of every run; fewer than the preset's show less
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
}

impl Default for DemoArgs {
    fn default() -> Self {
        Self { seeds: vec![0, 1, 2], out: PathBuf::from("halfscope-demo"), steps: None }
    }
}

/// Runs the command.
pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    if args.seeds.is_empty() {
        return Err(Failure::Input("--seeds is empty; give at least one, such as 0".to_owned()));
    }
    if let Some(seed) =
        args.seeds.iter().enumerate().find_map(|(at, seed)| args.seeds[..at].contains(seed).then_some(seed))
    {
        return Err(Failure::Input(format!("--seeds names {seed} twice; name every seed once")));
    }
    let begun = Instant::now();
    fs::create_dir_all(&args.out).map_err(|error| {
        Failure::Run(format!("cannot create {}: {error}; choose another folder with --out", args.out.display()))
    })?;
    let interrupt = Interrupt::install();
    let data = Arc::new(embedded());
    super::say(&format!("halfscope demo: preset `{PRESET}` on {}, {} threads", data.name, processors()));
    let mut results = Vec::new();
    let mut pictured = None;
    for (&seed, run) in args.seeds.iter().zip(record_all(args, &data, &interrupt)) {
        let (recording, advice) = run?;
        results.push(SeedResult::of(&recording, seed, &advice)?);
        pictured.get_or_insert((recording, advice));
    }
    let Some((recording, advice)) = pictured else { return Ok(()) };
    let exponent = advised_exponent(&advice).unwrap_or(0);
    let mut files = sheet::write(&recording, exponent, &args.out)?;
    files.extend(args.seeds.iter().map(|&seed| run_file(seed)));
    let summary = Summary::of(&recording, results, &files);
    let json = serde_json::to_vec_pretty(&summary).map_err(|error| Failure::Run(error.to_string()))?;
    save(&args.out.join("summary.json"), &json).map_err(Failure::Run)?;
    write!(stdout(), "{}", describe(&summary, &advice))?;
    super::say(&format!("written to {}: {}, summary.json", args.out.display(), files.join(", ")));
    super::say(&format!("took {:.0} s. {EMULATED}", begun.elapsed().as_secs_f64()));
    Ok(())
}

/// What a seed's run comes to.
type Recorded = Result<(Recording, Advice), Failure>;

/// Runs all seeds, as many at a time as there are processors, and returns them in order. Seeds do not wait for each
/// other, so that sharing them out wastes less than sharing out every product; the bits do not depend on it. After the
/// first failure no further seed is begun.
fn record_all(args: &DemoArgs, data: &Arc<Dataset>, interrupt: &Interrupt) -> Vec<Recorded> {
    let workers = processors().min(args.seeds.len());
    let (next, bars) = (AtomicUsize::new(0), MultiProgress::new());
    let done: Mutex<Vec<(usize, Recorded)>> = Mutex::default();
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = args.seeds.get(index) else { return };
            let threads = (processors() / workers).max(1);
            let run = SeedRun { seed, steps: args.steps, data, interrupt, out: &args.out, threads, bars: &bars };
            let recorded = run.record();
            if recorded.is_err() {
                next.store(args.seeds.len(), Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, recorded));
        }
    };
    thread::scope(|scope| {
        for worker in 1..workers {
            // where a thread cannot be had, the others do its share
            thread::Builder::new().name(format!("demo-{worker}")).spawn_scoped(scope, work).ok();
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // failures first: the caller stops at the first one, and later seeds may be missing then
    done.sort_by_key(|(index, recorded)| (recorded.is_ok(), *index));
    done.into_iter().map(|(_, recorded)| recorded).collect()
}

fn run_file(seed: u64) -> String {
    format!("run-seed-{seed}.jsonl")
}

/// The three lanes of one seed.
struct SeedRun<'a> {
    seed: u64,
    steps: Option<u64>,
    data: &'a Arc<Dataset>,
    interrupt: &'a Interrupt,
    out: &'a Path,
    threads: usize,
    bars: &'a MultiProgress,
}

impl SeedRun<'_> {
    /// Runs FP32, takes the advised scale from its gradients, then runs FP16 without and with it. All three end up in one
    /// recording, since they share seed and batches.
    fn record(&self) -> Result<(Recording, Advice), Failure> {
        let (fp32, paper) = self.configs()?;
        let first = self.train(vec![fp32], &format!("seed {} · fp32", self.seed))?;
        let advice = replay(&first).advice(FP32, Target::Fp16, Rule::Ieee, TOLERANCE);
        let Some(exponent) = advised_exponent(&advice) else {
            return Err(Failure::Run("no gradient was seen in FP32; take more steps".to_owned()));
        };
        let scaled = 2_f32.powi(exponent);
        let lanes = [1.0, scaled].map(|scale| with_scale(&paper, scale)).to_vec();
        let label = format!("seed {} · FP16, S=1 and {}", self.seed, scale_text(scaled));
        let second = self.train(lanes, &label)?;
        let reports = side_by_side(first, second);
        let path = self.out.join(run_file(self.seed));
        let mut writer = Writer::create(&path).map_err(Failure::Run)?;
        for report in &reports {
            writer.write(report).map_err(Failure::Run)?;
        }
        writer.finish().map_err(Failure::Run)?;
        Ok((replay(&reports), advice))
    }

    fn configs(&self) -> Result<(RunConfig, RunConfig), Failure> {
        let preset = Preset::find(PRESET).map(Preset::runs).unwrap_or_default();
        let find = |policy: &str| {
            let mut config = preset.iter().find(|config| config.precision.name == policy)?.clone();
            config.seed = self.seed;
            config.steps = self.steps.unwrap_or(config.steps);
            Some(config)
        };
        find("fp32")
            .zip(find("paper"))
            .ok_or_else(|| Failure::Run(format!("preset `{PRESET}` has no lanes fp32 and paper")))
    }

    /// Runs lanes to their end and returns all they reported. What was recorded before Ctrl-C is written, then the demo ends.
    fn train(&self, lanes: Vec<RunConfig>, label: &str) -> Result<Vec<Report>, Failure> {
        super::say_unless_bar(label);
        let options = SessionOptions { threads: self.threads, ..SessionOptions::default() };
        let session = Session::start_with(lanes, Arc::clone(self.data), options, || {}).map_err(Failure::Run)?;
        let mut reports = Vec::new();
        let recording = follow(&session, self.interrupt, (self.bars, label), |report| {
            reports.push(report.clone());
            Ok(())
        })?;
        if let Err(failure) = ended(&recording) {
            self.keep(&reports)?;
            return Err(failure);
        }
        Ok(reports)
    }

    fn keep(&self, reports: &[Report]) -> Result<(), Failure> {
        let path = self.out.join(format!("stopped-{}", run_file(self.seed)));
        let mut writer = Writer::create(&path).map_err(Failure::Run)?;
        for report in reports {
            writer.write(report).map_err(Failure::Run)?;
        }
        writer.finish().map_err(Failure::Run)?;
        super::say(&format!("stopped; what this run recorded is in {}", path.display()));
        Ok(())
    }
}

fn with_scale(paper: &RunConfig, scale: f32) -> RunConfig {
    let mut config = paper.clone();
    config.scaler = ScalerConfig::Static { scale };
    config.lane = RunConfig::lane_name(&config.precision, &config.scaler);
    config
}

fn replay(reports: &[Report]) -> Recording {
    let mut recording = Recording::default();
    for report in reports {
        recording.ingest(report.clone());
    }
    recording
}

/// The reports of two sessions as those of one: the second one's lanes come after the first one's.
fn side_by_side(first: Vec<Report>, second: Vec<Report>) -> Vec<Report> {
    let mut started: Option<Started> = None;
    let mut between = Vec::new();
    let mut finished = Report::Finished { step: 0, outcome: Outcome::Completed };
    for (by, reports) in [(0, first), (1, second)] {
        for report in reports {
            match report {
                Report::Started(mut other) => match &mut started {
                    Some(started) => started.lanes.append(&mut other.lanes),
                    None => started = Some(other),
                },
                Report::Finished { .. } => finished = report,
                other => between.push(move_lanes(other, by)),
            }
        }
    }
    started.map(Report::Started).into_iter().chain(between).chain([finished]).collect()
}

/// The report with its lanes' indices moved up.
fn move_lanes(mut report: Report, by: usize) -> Report {
    match &mut report {
        Report::Steps(steps) => steps.iter_mut().for_each(|step| step.lane += by),
        Report::Histograms(histograms) => histograms.iter_mut().for_each(|histogram| histogram.lane += by),
        Report::Evaluated(evaluation) => evaluation.lane += by,
        Report::Profile(profile) => profile.lane += by,
        Report::ScaleSet { lane, .. }
        | Report::Speed { lane, .. }
        | Report::Memory { lane, .. }
        | Report::DeviceFailed { lane } => *lane += by,
        Report::Started(_) | Report::Paused { .. } | Report::Resumed { .. } | Report::Finished { .. } => {}
    }
    report
}

/// The results as a table, and what they mean.
fn describe(summary: &Summary<'_>, advice: &Advice) -> String {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("seed", Right),
        ("FP32", Right),
        ("FP16, S=1", Right),
        ("FP16, scaled", Right),
        ("at S", Right),
        ("worst weight gradient", Left),
        ("lost at S=1", Right),
        ("lost at S", Right),
    ]);
    for seed in &summary.seeds {
        table.row([
            seed.seed.to_string(),
            percent(seed.fp32.accuracy),
            percent(seed.unscaled.accuracy),
            percent(seed.scaled.accuracy),
            scale_text(seed.advised_scale as f32),
            seed.worst.tensor.clone(),
            percent(Some(seed.worst.lost_unscaled)),
            percent(Some(seed.worst.lost_advised)),
        ]);
    }
    let spread = &summary.spread;
    format!(
        "{table}\nTest accuracy on {} images, in percentage points to FP32: {} without loss scaling, {} with it.\n\
         Lost: share of the non-zero FP32 gradients of all probed steps that a cast to FP16 turns into zero. The largest\n\
         share of any weight gradient falls from {} at S=1 to {} at the advised scale.\n\
         First seed: {}.\n",
        summary.test_images,
        spread.points_unscaled.points(),
        spread.points_scaled.points(),
        spread.lost_unscaled.shares(),
        spread.lost_advised.shares(),
        advice_text(advice),
    )
}
