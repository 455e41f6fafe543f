//! `halfscope histogram`: the counts of a recorded run, as a table, a text chart or a picture.

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::scale::{parse_exponent, power_text};
use super::table::{Align, Table, grouped, percent};
use super::train::advice_text;
use crate::export::{FileKind, Look, advice, draw, json, picture, save};
use crate::figure::{GradientPicture, Style, Theme};
use crate::histogram::{Bin, ClassCounts, Rule, Source, Stage, Target};
use crate::i18n::Lang;
use crate::train::Recording;
use crate::train::recording::{ProbeFilter, StepChoice, relative_exponent};
use crate::train::report::Role;

/// Shows what a cast would do to the tensors of a recorded run at any power-of-two loss scale.
#[derive(Debug, Clone, Args)]
pub(crate) struct HistogramArgs {
    /// A recorded run: the file, or the folder that holds run.jsonl
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Lane: index, name or pattern; the FP32 lane if there is one, else the first
    #[arg(long, value_name = "LANE")]
    lane: Option<String>,
    /// Tensors, such as fc1.weight.grad or `fc1.*`; all gradients if not said
    #[arg(long, value_name = "GLOB")]
    tensor: Option<String>,
    /// Step: a number, latest or all (added up)
    #[arg(long, default_value = "latest", value_name = "STEP")]
    step: String,
    /// Whose values: run (the lane's own) or twin (FP32, same weights and batch); twin where there is one
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// Before or after the cast
    #[arg(long, default_value = "before", value_name = "STAGE")]
    stage: String,
    /// Format of the cast: fp16, bf16, e5m2 or e4m3
    #[arg(long, default_value = "fp16", value_name = "FORMAT")]
    target: String,
    /// Loss scale on unscaled values: a power of two, as 2^k or as a number; the one that the values carry if not said
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    scale: Option<String>,
    /// What counts as lost: ieee (rounds to zero) or paper (below the smallest subnormal)
    #[arg(long, default_value = "ieee", value_name = "RULE")]
    rule: String,
    /// Write a picture to this file: .svg, .png, .csv or .json
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Colours of the picture: light or dark
    #[arg(long, default_value = "light", value_name = "THEME")]
    theme: String,
    /// Language of the picture: en or zh-CN
    #[arg(long, default_value = "en", value_name = "LANG")]
    lang: String,
    /// Size of the picture in pixels
    #[arg(long, default_value = "1280x720", value_name = "WxH")]
    size: String,
    /// Print one JSON object a tensor
    #[arg(long)]
    json: bool,
}

/// The arguments, understood.
struct Question {
    lane: usize,
    probes: Vec<usize>,
    steps: StepChoice,
    target: Target,
    /// `None`: the scale that the values carry.
    scale_exponent: Option<i32>,
    rule: Rule,
    lang: Lang,
    style: Style,
}

/// Runs the command.
pub(crate) fn run(args: &HistogramArgs) -> Result<(), Failure> {
    let kind = args.out.as_deref().map(FileKind::of).transpose().map_err(Failure::Input)?;
    let recording = Recording::read(&args.run).map_err(Failure::Input)?;
    let question = understand(args, &recording).map_err(Failure::Input)?;
    let looks: Vec<Look> = question.probes.iter().map(|&probe| question.look(&recording, probe)).collect();
    if let (Some(kind), Some(path)) = (kind, &args.out) {
        let [look] = &looks[..] else { return Err(Failure::Input(several(&recording, &question))) };
        let advice = advice(&recording, look);
        let picture = picture(&recording, look, &advice).ok_or_else(|| Failure::Input(unseen(&recording, look)))?;
        save(path, &draw(&picture, kind, &question.style).map_err(Failure::Input)?).map_err(Failure::Run)?;
        super::say(&format!("written: {}", path.display()));
        return Ok(());
    }
    let mut out = stdout().lock();
    let mut table = overview_head();
    for look in &looks {
        let advice = advice(&recording, look);
        let picture = picture(&recording, look, &advice).ok_or_else(|| Failure::Input(unseen(&recording, look)))?;
        if args.json {
            writeln!(out, "{}", json(&picture))?;
        } else if looks.len() == 1 {
            write!(out, "{}", chart(&picture))?;
        } else {
            overview_row(&mut table, &picture);
        }
    }
    if looks.len() > 1 && !args.json {
        let lane = &recording.lanes[question.lane].info.config.lane;
        writeln!(out, "{lane} · {} · {}", recording.dataset, steps_text(looks[0].steps))?;
        write!(out, "{table}")?;
        let advice = advice(&recording, &looks[0]);
        writeln!(out, "shares are of the non-zero values, zeros of all; {}", advice_text(&advice))?;
    }
    Ok(())
}

impl Question {
    fn look(&self, recording: &Recording, probe: usize) -> Look {
        let carried = recording.select(self.lane, probe, self.steps).and_then(|selection| {
            // the exponent e with 2^e = the carried scale, where there is one
            relative_exponent(selection.scale, 0).map(|exponent| -exponent)
        });
        let look = Look::at(self.lane, probe);
        Look {
            steps: self.steps,
            target: self.target,
            scale_exponent: self.scale_exponent.or(carried).unwrap_or(0),
            rule: self.rule,
            lang: self.lang,
            ..look
        }
    }
}

fn understand(args: &HistogramArgs, recording: &Recording) -> Result<Question, String> {
    let lane = match &args.lane {
        Some(name) => recording.find_lane(name)?,
        None => recording.fp32_lane().unwrap_or(0),
    };
    let target = Target::from_name(&args.target).ok_or_else(|| {
        format!("no target `{}`; there are: {}", args.target, Target::ALL.map(Target::name).join(", "))
    })?;
    let style = Style { theme: choice(&args.theme, "theme", &THEMES)?, ..size(&args.size)? };
    Ok(Question {
        lane,
        probes: probes(args, recording, lane)?,
        steps: args.step.parse()?,
        target,
        scale_exponent: args.scale.as_deref().map(parse_exponent).transpose()?,
        rule: choice(&args.rule, "rule", &[("ieee", Rule::Ieee), ("paper", Rule::Paper)])?,
        lang: choice(&args.lang, "language", &LANGUAGES)?,
        style,
    })
}

/// Names of the languages on the command line.
pub(crate) const LANGUAGES: [(&str, Lang); 3] = [("en", Lang::En), ("zh-CN", Lang::ZhCn), ("zh", Lang::ZhCn)];

const THEMES: [(&str, Theme); 2] = [("light", Theme::Light), ("dark", Theme::Dark)];

/// The value that a word stands for.
///
/// # Errors
/// One line with the words there are.
pub(crate) fn choice<T: Copy>(word: &str, what: &str, choices: &[(&str, T)]) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        format!("no {what} `{word}`; there are: {}", names.join(", "))
    })
}

fn size(text: &str) -> Result<Style, String> {
    let wrong = || format!("`{text}` is no size; give pixels such as 1280x720, each from 320 to 8192");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| text.parse().ok().filter(|side| (320..=8192).contains(side)).ok_or_else(wrong);
    Ok(Style { width: side(width)?, height: side(height)?, ..Style::default() })
}

fn probes(args: &HistogramArgs, recording: &Recording, lane: usize) -> Result<Vec<usize>, String> {
    let source =
        args.source.as_deref().map(|word| choice(word, "source", &[("run", Source::Run), ("twin", Source::Twin)]));
    let stage = choice(&args.stage, "stage", &[("before", Stage::BeforeCast), ("after", Stage::AfterCast)])?;
    let filter =
        ProbeFilter { tensor: args.tensor.as_deref(), source: source.transpose()?, stage: Some(stage), role: None };
    let infos = &recording.lanes[lane].info.probes;
    let mut found: Vec<usize> = recording.probes(lane, filter).collect();
    if args.tensor.is_none() {
        found.retain(|&probe| matches!(infos[probe].role, Role::WeightGradient | Role::ActivationGradient));
    }
    if args.source.is_none() && found.iter().any(|&probe| infos[probe].source == Source::Twin) {
        // the run's own gradients under-report: what was flushed upstream arrives in them as zeros
        found.retain(|&probe| infos[probe].source == Source::Twin);
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let mut names: Vec<&str> = infos.iter().map(|probe| probe.tensor.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let lane = &recording.lanes[lane].info.config.lane;
    let wanted = args.tensor.as_deref().unwrap_or("*.grad");
    Err(format!(
        "lane `{lane}` has no histogram of `{wanted}` from this source and stage; it has: {}",
        names.join(", ")
    ))
}

fn several(recording: &Recording, question: &Question) -> String {
    let infos = &recording.lanes[question.lane].info.probes;
    let names: Vec<&str> = question.probes.iter().map(|&probe| infos[probe].tensor.as_str()).collect();
    format!("a picture shows one tensor; name one with --tensor (and --source): {}", names.join(", "))
}

fn unseen(recording: &Recording, look: &Look) -> String {
    let mut steps = recording.probed_steps(look.lane, look.probe);
    match (steps.next(), steps.last()) {
        (None, _) => "no histogram was recorded; run `halfscope train` with --probe-every 8".to_owned(),
        (Some(first), None) => format!("only step {first} was probed; take --step {first}"),
        (Some(first), Some(last)) => {
            format!("{} was not probed; probed steps go from {first} to {last}", steps_text(look.steps))
        }
    }
}

fn steps_text(steps: StepChoice) -> String {
    match steps {
        StepChoice::Latest => "latest step".to_owned(),
        StepChoice::Exact(step) => format!("step {step}"),
        StepChoice::All => "all probed steps".to_owned(),
    }
}

fn overview_head() -> Table {
    use Align::{Left, Right};
    Table::new([
        ("tensor", Left),
        ("source", Left),
        ("S", Right),
        ("values", Right),
        ("zero", Right),
        ("lost", Right),
        ("rounds up", Right),
        ("subnormal", Right),
        ("normal", Right),
        ("overflow", Right),
        ("NaN, Inf", Right),
    ])
}

fn overview_row(table: &mut Table, picture: &GradientPicture<'_>) {
    let counts = picture.classes();
    let nonzero = counts.nonzero();
    let share = |count: u64| percent((nonzero > 0).then(|| count as f64 / nonzero as f64));
    table.row([
        picture.tensor.to_owned(),
        source_text(picture.source).to_owned(),
        shown_scale(picture),
        grouped(counts.total()),
        percent(counts.zero_of_all()),
        share(counts.lost),
        share(counts.rounds_up),
        share(counts.subnormal),
        share(counts.normal),
        share(counts.overflow),
        grouped(counts.nan.saturating_add(counts.pos_inf).saturating_add(counts.neg_inf)),
    ]);
}

const fn source_text(source: Source) -> &'static str {
    match source {
        Source::Run => "run",
        Source::Twin => "FP32 twin",
        Source::File => "file",
    }
}

/// The scale that the classes of a picture are told for. Values that carry a scale which is no power of two can only be
/// told at its multiples by powers of two.
fn shown_scale(picture: &GradientPicture<'_>) -> String {
    match relative_exponent(picture.taken_at, picture.scale_exponent) {
        Some(_) => power_text(picture.scale_exponent),
        None => (f64::from(picture.taken_at) * 2_f64.powi(picture.shift())).to_string(),
    }
}

/// One tensor in words and bars.
fn chart(picture: &GradientPicture<'_>) -> String {
    let (counts, scale) = (picture.classes(), shown_scale(picture));
    let mut text = String::new();
    let stage = if picture.stage == Stage::BeforeCast { "before the cast" } else { "after the cast" };
    let step = picture.step.map_or_else(|| "all probed steps".to_owned(), |step| format!("step {step}"));
    let rule = if picture.rule == Rule::Ieee { "IEEE rule" } else { "paper rule" };
    // writing to a String cannot fail
    let _ = writeln!(text, "{} · {} · {step} · {}, {stage}", picture.tensor, picture.lane, source_text(picture.source));
    let _ = writeln!(text, "{}", picture.dataset);
    let _ = writeln!(
        text,
        "cast to {} at S = {scale} ({rule}), {} values\n",
        picture.target.label(),
        grouped(counts.total())
    );
    text.push_str(&class_table(&counts).to_string());
    if let Some(upstream) = picture.lost_upstream {
        let _ = writeln!(text, "of the zeros, {} are not zero in the FP32 twin: lost upstream", grouped(upstream));
    }
    let bins = picture.histogram.bins(picture.target, picture.shift(), picture.rule);
    text.push('\n');
    text.push_str(&bars(&bins));
    if let Some(advice) = picture.advice {
        let _ = writeln!(text, "\n{}", advice_text(advice));
    }
    text
}

fn class_table(counts: &ClassCounts) -> Table {
    use Align::{Left, Right};
    let (total, nonzero) = (counts.total(), counts.nonzero());
    let mut table = Table::new([("class", Left), ("values", Right), ("of non-zero", Right), ("of all", Right)]);
    let share = |count: u64, whole: u64| percent((whole > 0).then(|| count as f64 / whole as f64));
    let finite = [
        ("lost (to 0)", counts.lost),
        ("rounds up", counts.rounds_up),
        ("subnormal", counts.subnormal),
        ("normal", counts.normal),
        ("overflow", counts.overflow),
    ];
    for (name, count) in finite {
        table.row([name.to_owned(), grouped(count), share(count, nonzero), share(count, total)]);
    }
    for (name, count) in
        [("zero", counts.zero), ("NaN", counts.nan), ("+Inf", counts.pos_inf), ("-Inf", counts.neg_inf)]
    {
        table.row([name.to_owned(), grouped(count), "–".to_owned(), share(count, total)]);
    }
    table
}

/// Widest bar of the text chart, in characters.
const BAR: u64 = 40;

/// One bar an exponent; the letter says the class that most of its values fall in.
fn bars(bins: &[Bin]) -> String {
    let highest = bins.iter().map(|bin| bin.classes.total()).max().unwrap_or(0);
    if highest == 0 {
        return "no finite non-zero values\n".to_owned();
    }
    let mut text = "|x|·S in   values, by class: l lost, u rounds up, s subnormal, n normal, O overflow\n".to_owned();
    for bin in bins {
        let classes = &bin.classes;
        let parts = [
            ('l', classes.lost),
            ('u', classes.rounds_up),
            ('s', classes.subnormal),
            ('n', classes.normal),
            ('O', classes.overflow),
        ];
        let mut bar = String::new();
        let mut below = 0_u64;
        let place = |count: u64| (u128::from(count) * u128::from(BAR) / u128::from(highest)) as usize;
        for (letter, count) in parts {
            let (from, to) = (place(below), place(below.saturating_add(count)));
            bar.extend(std::iter::repeat_n(letter, to - from));
            below = below.saturating_add(count);
        }
        if bar.is_empty() {
            bar.push('.'); // some, but less than a letter
        }
        let _ = writeln!(text, "2^{:<5}  {bar} {}", bin.exponent, grouped(classes.total()));
    }
    text
}
