//! From a recorded run to a picture file: the one place that decides which counts a picture shows.
//!
//! The window paints [`picture`]; its export button and `halfscope histogram --out` both write [`render`]'s bytes. So
//! the same step of the same run gives the same file, whoever asks. Files appear whole or not at all ([`save`]). What the
//! format core found is put into words here too ([`happened`], [`mistaken`], [`refused`]), and so is what devices were seen
//! to do ([`observed`], [`departed`]), so that both faces say the same.
//!
//! ```no_run
//! use std::path::Path;
//! use halfscope::export::{FileKind, Look, render, save};
//! use halfscope::figure::Style;
//! use halfscope::train::Recording;
//!
//! let run = Recording::read(Path::new("halfscope-demo/run-seed-0.jsonl"))?;
//! let look = Look { scale_exponent: 16, ..Look::at(0, 0) };
//! let svg = render(&run, &look, FileKind::Svg, &Style::default())?;
//! save(Path::new("gradients.svg"), &svg)?;
//! # Ok::<(), String>(())
//! ```

mod json;
mod observed;
mod save;
mod words;

pub use json::json;
pub use observed::observed;
pub use save::save;
pub use words::{accumulated, departed, happened, how_far, mistaken, ordered, outside, refused, standing, ways};

use std::ops::RangeInclusive;
use std::path::Path;

use crate::figure::{self, GradientPicture, Style, TensorKind};
use crate::histogram::{Advice, Rule, Source, Target};
use crate::i18n::Lang;
use crate::train::Recording;
use crate::train::recording::{StepChoice, is_fp32};
use crate::train::report::Role;

/// The share of non-zero values that a weight gradient may lose at an advised scale.
pub const TOLERANCE: f64 = 0.005;

/// Which counts of a run are looked at, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Index of the lane.
    pub lane: usize,
    /// Index of its probe.
    pub probe: usize,
    /// Which steps.
    pub steps: StepChoice,
    /// The format of the cast.
    pub target: Target,
    /// The loss scale, as an exponent of two, on unscaled values.
    pub scale_exponent: i32,
    /// What counts as lost.
    pub rule: Rule,
    /// What the advised scales tolerate, see [`TOLERANCE`].
    pub tolerance: f64,
    /// The exponents of the x axis; `None` for those that go with the target.
    pub range: Option<RangeInclusive<i32>>,
    /// Language of the words.
    pub lang: Lang,
}

impl Look {
    /// The latest step of a probe, cast to FP16 at S = 1.
    #[must_use]
    pub const fn at(lane: usize, probe: usize) -> Self {
        Self {
            lane,
            probe,
            steps: StepChoice::Latest,
            target: Target::Fp16,
            scale_exponent: 0,
            rule: Rule::Ieee,
            tolerance: TOLERANCE,
            range: None,
            lang: Lang::En,
        }
    }
}

/// The advised scales as they were known at the last step that is looked at, so that a picture of step n does not
/// depend on how far the run went on after it.
#[must_use]
pub fn advice(recording: &Recording, look: &Look) -> Advice {
    let until = match look.steps {
        StepChoice::Exact(step) => step,
        StepChoice::Latest | StepChoice::All => {
            recording.select(look.lane, look.probe, look.steps).map_or(u64::MAX, |selection| selection.last_step)
        }
    };
    recording.advice_until(look.lane, until, look.target, look.rule, look.tolerance)
}

/// The picture of what is looked at; `advice` is what [`advice`] says. `None` if that was not recorded.
#[must_use]
pub fn picture<'a>(recording: &'a Recording, look: &Look, advice: &'a Advice) -> Option<GradientPicture<'a>> {
    let selection = recording.select(look.lane, look.probe, look.steps)?;
    let mut picture = GradientPicture::new(selection.histogram, &selection.probe.tensor, look.target);
    picture.kind = kind(selection.probe.role);
    picture.source = selection.probe.source;
    picture.stage = selection.probe.stage;
    picture.lane = &selection.lane.info.config.lane;
    picture.dataset = &recording.dataset;
    picture.step = (look.steps != StepChoice::All).then_some(selection.last_step);
    picture.taken_at = selection.scale;
    picture.lost_upstream = selection.lost_upstream;
    picture.unrounded = selection.probe.source == Source::Twin || is_fp32(&selection.lane.info.config);
    picture.scale_exponent = look.scale_exponent;
    picture.rule = look.rule;
    picture.advice = Some(advice);
    picture.lang = look.lang;
    if let Some(range) = &look.range {
        picture.range = range.clone();
    }
    Some(picture)
}

/// What the figure calls a tensor of this role.
#[must_use]
pub const fn kind(role: Role) -> TensorKind {
    match role {
        Role::WeightGradient => TensorKind::WeightGradient,
        Role::ActivationGradient => TensorKind::ActivationGradient,
        Role::Weight => TensorKind::Weight,
        Role::Activation => TensorKind::Activation,
        Role::Update => TensorKind::Update,
        Role::Input | Role::OptimizerState | Role::Scalar => TensorKind::Tensor,
    }
}

/// What a picture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Vector graphics, text as text.
    Svg,
    /// Pixels, drawn from the SVG.
    Png,
    /// Every bin as a row.
    Csv,
    /// Counts, shares and bins as one object.
    Json,
}

impl FileKind {
    /// All kinds, the preferred one first.
    pub const ALL: [Self; 4] = [Self::Svg, Self::Png, Self::Csv, Self::Json];

    /// The ending of the file's name, without its dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// The kind that a file name asks for by its ending.
    ///
    /// # Errors
    /// One line with the endings there are.
    pub fn of(path: &Path) -> Result<Self, String> {
        let ending = path.extension().unwrap_or_default();
        let kind = Self::ALL.into_iter().find(|kind| ending.eq_ignore_ascii_case(kind.ending()));
        kind.ok_or_else(|| format!("{}: name a file that ends in .svg, .png, .csv or .json", path.display()))
    }
}

/// The bytes of the file that shows what is looked at.
///
/// # Errors
/// One line: nothing was recorded there, or the picture cannot be drawn at this size.
pub fn render(recording: &Recording, look: &Look, kind: FileKind, style: &Style) -> Result<Vec<u8>, String> {
    let advice = advice(recording, look);
    let picture = picture(recording, look, &advice)
        .ok_or_else(|| "nothing was recorded of this tensor at this step; choose another step".to_owned())?;
    draw(&picture, kind, style)
}

/// The bytes of the file that holds a picture.
///
/// # Errors
/// One line: the picture cannot be drawn at this size.
pub fn draw(picture: &GradientPicture<'_>, kind: FileKind, style: &Style) -> Result<Vec<u8>, String> {
    match kind {
        FileKind::Svg => Ok(figure::svg(&picture.figure(), style).into_bytes()),
        FileKind::Png => figure::png(&picture.figure(), style),
        FileKind::Csv => Ok(figure::csv(picture).into_bytes()),
        FileKind::Json => Ok(format!("{}\n", json(picture)).into_bytes()),
    }
}
