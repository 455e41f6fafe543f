//! Turns a picture into a figure: all its words, numbers and places.

use super::picture::{GradientPicture, TensorKind};
use super::text::{count, percent, scale};
use super::{Axis, Band, Bar, Figure, Headline, LegendEntry, Remark, Role, Segment, Tick, ZeroBar};
use crate::histogram::{Advice, ClassCounts, Rule, Source, Stage, Target};
use crate::i18n::figure as words;
use crate::i18n::figure::Figure as Word;

/// The classes on the axis, from the bottom of a bar up.
const CLASSES: [(Role, Word); 5] = [
    (Role::Lost, Word::Lost),
    (Role::RoundsUp, Word::RoundsUp),
    (Role::Subnormal, Word::Subnormal),
    (Role::Normal, Word::Normal),
    (Role::Overflow, Word::Overflow),
];

/// The count of a class on the axis.
const fn class_count(classes: &ClassCounts, role: Role) -> u64 {
    match role {
        Role::Lost => classes.lost,
        Role::RoundsUp => classes.rounds_up,
        Role::Subnormal => classes.subnormal,
        Role::Normal => classes.normal,
        Role::Overflow => classes.overflow,
        _ => 0,
    }
}

impl GradientPicture<'_> {
    /// By which power of two the counted values have to be multiplied: the scale to show without the one they carry.
    #[must_use]
    pub fn shift(&self) -> i32 {
        self.scale_exponent.saturating_sub(self.taken_exponent())
    }

    /// The scale shown where it cannot be 2^`scale_exponent`, since the values carry a scale that is no power of two:
    /// counts can be moved by powers of two only.
    pub(super) fn shown_scale(&self) -> Option<f64> {
        let inexact = self.taken_is_usable() && !self.taken_is_power_of_two();
        inexact.then(|| f64::from(self.taken_at) * 2_f64.powi(self.shift()))
    }

    /// What a cast makes of the values at the scale shown.
    #[must_use]
    pub fn classes(&self) -> ClassCounts {
        self.histogram.classes(self.target, self.shift(), self.rule)
    }

    /// The figure.
    #[must_use]
    pub fn figure(&self) -> Figure {
        let classes = self.classes();
        let nonzero = classes.nonzero();
        let bars = self.bars(nonzero);
        let inside = |bar: &Bar| self.range.contains(&bar.exponent);
        let outside = |is_left: bool| -> u64 {
            let beyond = bars.iter().filter(|bar| !inside(bar) && (bar.exponent < *self.range.start()) == is_left);
            beyond.map(Bar::count).sum()
        };
        let (left, right) = (outside(true), outside(false));
        let off_axis = |values: u64, words: fn(crate::i18n::Lang, &str, i32) -> String, exponent: i32| {
            if values == 0 { String::new() } else { words(self.lang, &self.share(values, nonzero), exponent) }
        };
        let highest = bars.iter().map(Bar::height).fold(0.0, f64::max);
        Figure {
            lang: self.lang,
            title: self.title(),
            subtitle: self.subtitle(&classes),
            caption: self.caption(),
            scale: self.scale_in_words(nonzero),
            x: self.x_axis(),
            y: self.y_axis(highest),
            bands: self.bands(),
            ghost: self.ghost(nonzero),
            zeros: self.zeros(&classes),
            left: off_axis(left, words::below, *self.range.start()),
            right: off_axis(right, words::above, self.range.end() + 1),
            bars: bars.into_iter().filter(inside).collect(),
            legend: self.legend(&classes),
            headline: self.headline(&classes),
            advice: self.advice_in_words(),
            notes: self.notes(&classes),
            empty: self.empty(&classes),
        }
    }

    fn word(&self, word: Word) -> &'static str {
        word.text(self.lang)
    }

    fn share(&self, part: u64, whole: u64) -> String {
        if whole == 0 { "—".to_owned() } else { percent(part as f64 / whole as f64, self.lang) }
    }

    /// Whether `taken_at` is a scale at all.
    fn taken_is_usable(&self) -> bool {
        self.taken_at.is_finite() && self.taken_at > 0.0
    }

    /// `floor(log2)` of the scale the values carry.
    fn taken_exponent(&self) -> i32 {
        if !self.taken_is_usable() {
            return 0;
        }
        // A positive FP32 is a normal FP64, whose field is the exponent.
        (f64::from(self.taken_at).to_bits() >> 52) as i32 - 1023
    }

    fn title(&self) -> String {
        let stage = match self.stage {
            Stage::BeforeCast => words::before_cast,
            Stage::AfterCast => words::after_cast,
        };
        let kind = match self.kind {
            TensorKind::WeightGradient => Some(Word::WeightGradient),
            TensorKind::ActivationGradient => Some(Word::ActivationGradient),
            TensorKind::Weight => Some(Word::Weight),
            TensorKind::Activation => Some(Word::Activation),
            TensorKind::Update => Some(Word::Update),
            TensorKind::Tensor => None,
        };
        let tensor = if self.tensor.is_empty() { self.word(Word::Tensor) } else { self.tensor };
        let mut parts = vec![tensor.to_owned()];
        parts.extend(kind.map(|kind| self.word(kind).to_owned()));
        parts.push(stage(self.lang, self.target.label()));
        parts.join(" · ")
    }

    fn subtitle(&self, classes: &ClassCounts) -> String {
        let infinite = classes.pos_inf.saturating_add(classes.neg_inf);
        let zeros = self.share(classes.zero, classes.total());
        words::amounts(self.lang, &count(classes.total()), &zeros, &count(classes.nan), &count(infinite))
    }

    fn caption(&self) -> String {
        let source = match self.source {
            Source::Run => Word::SourceRun,
            Source::Twin => Word::SourceTwin,
            Source::File => Word::SourceFile,
        };
        let mut parts = vec![self.word(source).to_owned()];
        if !self.lane.is_empty() {
            parts.push(words::lane(self.lang, self.lane));
        }
        match self.step {
            Some(step) => parts.push(words::step(self.lang, step)),
            None if self.source != Source::File => parts.push(self.word(Word::AllSteps).to_owned()),
            None => {}
        }
        if self.taken_is_usable() && self.taken_at != 1.0 {
            parts.push(words::carries(self.lang, &self.taken_in_words()));
        }
        if !self.dataset.is_empty() {
            parts.push(self.dataset.to_owned());
        }
        parts.join(" · ")
    }

    fn taken_in_words(&self) -> String {
        if self.taken_is_power_of_two() { scale(self.taken_exponent()) } else { format!("S = {}", self.taken_at) }
    }

    fn taken_is_power_of_two(&self) -> bool {
        f64::from(self.taken_at).to_bits() << 12 == 0
    }

    /// The scale shown.
    fn shown(&self) -> String {
        self.shown_scale().map_or_else(|| scale(self.scale_exponent), |shown| format!("S = {shown}"))
    }

    /// The scale, the rule, and what the shares are shares of.
    fn scale_in_words(&self, nonzero: u64) -> String {
        let rule = self.word(match self.rule {
            Rule::Ieee => Word::RuleIeee,
            Rule::Paper => Word::RulePaper,
        });
        format!("{} · {rule} · {}", self.shown(), words::shares_of(self.lang, &count(nonzero)))
    }

    fn headline(&self, classes: &ClassCounts) -> Headline {
        let share = classes.lost_of_nonzero();
        let values = self.word(match self.kind {
            TensorKind::WeightGradient => Word::WeightGradients,
            TensorKind::ActivationGradient => Word::ActivationGradients,
            TensorKind::Weight => Word::Weights,
            TensorKind::Activation => Word::Activations,
            TensorKind::Update => Word::Updates,
            TensorKind::Tensor => Word::Values,
        });
        let sentence = words::headline(self.lang, values, self.target.label(), &self.shown());
        Headline {
            value: self.share(classes.lost, classes.nonzero()),
            label: self.word(Word::LostOfNonzero).to_owned(),
            sentence: if share.is_some() { sentence } else { String::new() },
            share,
        }
    }

    fn advice_in_words(&self) -> Option<Remark> {
        let remark = match self.advice? {
            Advice::NoData => Remark { role: Role::Zero, text: self.word(Word::NoAdvice).to_owned() },
            Advice::Band { low, high } => Remark { role: Role::Advised, text: words::advised(self.lang, *low, *high) },
            Advice::Empty { low, low_tensor, high, high_tensor } => {
                let text = words::advised_none(self.lang, (*low, low_tensor), (*high, high_tensor));
                Remark { role: Role::Overflow, text }
            }
        };
        Some(remark)
    }

    fn notes(&self, classes: &ClassCounts) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.taken_is_usable() {
            notes.push(self.word(Word::UnknownScale).to_owned());
        } else if !self.taken_is_power_of_two() {
            let shown = self.shown_scale().unwrap_or_default();
            notes.push(words::no_power_of_two(self.lang, &self.taken_at.to_string(), &shown.to_string()));
        }
        let upstream = self.lost_upstream.unwrap_or(0).min(classes.zero);
        if upstream > 0 {
            notes.push(words::lost_upstream(self.lang, &count(upstream)));
        } else if self.source == Source::Run && !self.unrounded {
            notes.push(
                self.word(match self.stage {
                    Stage::BeforeCast => Word::ThisCastOnly,
                    Stage::AfterCast => Word::AfterCast,
                })
                .to_owned(),
            );
        }
        notes
    }

    fn empty(&self, classes: &ClassCounts) -> String {
        if classes.nonzero() > 0 {
            return String::new();
        }
        let infinite = classes.pos_inf.saturating_add(classes.neg_inf);
        if classes.nan > 0 || infinite > 0 {
            words::nothing_finite(self.lang, &count(classes.nan), &count(infinite))
        } else if classes.zero > 0 {
            words::all_zero(self.lang, &count(classes.zero))
        } else {
            self.word(Word::NoValues).to_owned()
        }
    }

    fn bars(&self, nonzero: u64) -> Vec<Bar> {
        let bins = self.histogram.bins(self.target, self.shift(), self.rule);
        let bar = |bin: crate::histogram::Bin| {
            let segment = |role: Role| {
                let count = class_count(&bin.classes, role);
                Segment { role, count, height: count as f64 / nonzero as f64 }
            };
            let segments = CLASSES.iter().map(|(role, _)| segment(*role)).filter(|segment| segment.count > 0);
            Bar { exponent: bin.exponent, segments: segments.collect() }
        };
        bins.into_iter().map(bar).collect()
    }

    fn ghost(&self, nonzero: u64) -> Vec<(i32, f64)> {
        if self.scale_exponent == 0 {
            return Vec::new();
        }
        let bins = self.histogram.bins(self.target, 0_i32.saturating_sub(self.taken_exponent()), self.rule);
        let outline = bins.iter().map(|bin| (bin.exponent, bin.classes.nonzero() as f64 / nonzero as f64));
        outline.filter(|(exponent, _)| self.range.contains(exponent)).collect()
    }

    fn zeros(&self, classes: &ClassCounts) -> ZeroBar {
        let upstream = self.lost_upstream.unwrap_or(0).min(classes.zero);
        let part = |role: Role, count: u64| Segment { role, count, height: count as f64 / classes.total() as f64 };
        let segments = [part(Role::Zero, classes.zero - upstream), part(Role::Lost, upstream)];
        ZeroBar {
            label: "0".to_owned(),
            value: self.share(classes.zero, classes.total()),
            segments: segments.into_iter().filter(|segment| segment.count > 0).collect(),
        }
    }

    fn legend(&self, classes: &ClassCounts) -> Vec<LegendEntry> {
        let entry = |(role, word): &(Role, Word)| {
            let value = class_count(classes, *role);
            LegendEntry {
                role: *role,
                label: self.word(*word).to_owned(),
                value: self.share(value, classes.nonzero()),
                count: count(value),
            }
        };
        let zeros = LegendEntry {
            role: Role::Zero,
            label: self.word(Word::Zeros).to_owned(),
            value: self.share(classes.zero, classes.total()),
            count: count(classes.zero),
        };
        let shown = |(role, _): &&(Role, Word)| *role != Role::RoundsUp || self.rule == Rule::Ieee;
        std::iter::once(zeros).chain(CLASSES.iter().filter(shown).map(entry)).collect()
    }

    fn x_axis(&self) -> Axis {
        let (low, high) = (*self.range.start(), self.range.end().saturating_add(1));
        let span = i64::from(high) - i64::from(low);
        let step = [2, 4, 8, 16, 32, 64, 128, 256].into_iter().find(|step| span / step <= 10).unwrap_or(512) as i32;
        let first = low.div_euclid(step) * step;
        let ticks = (0..=12).map(|at| first.saturating_add(at * step)).filter(|at| (low..=high).contains(at));
        let tick = |at: i32| Tick { at: f64::from(at), label: format!("2^{at}") };
        Axis {
            label: self.word(Word::XAxis).to_owned(),
            range: (f64::from(low), f64::from(high)),
            ticks: ticks.map(tick).collect(),
        }
    }

    /// From 0 to a little above the highest bar, which no scale changes: the axis stays where it is.
    fn y_axis(&self, highest: f64) -> Axis {
        const STEPS: [f64; 14] = [1e-6, 1e-5, 1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25];
        if highest <= 0.0 {
            return Axis { label: self.word(Word::YAxis).to_owned(), range: (0.0, 1.0), ticks: Vec::new() };
        }
        let top = highest * 1.12;
        let step = STEPS.into_iter().find(|step| top / step <= 5.0).unwrap_or(0.25);
        let ticks = (0..=5).map(|at| f64::from(at) * step).filter(|at| *at <= top.min(1.0) * 1.000_001);
        let tick = |at: f64| Tick { at, label: percent(at, self.lang) };
        Axis { label: self.word(Word::YAxis).to_owned(), range: (0.0, top), ticks: ticks.map(tick).collect() }
    }

    fn bands(&self) -> Vec<Band> {
        let (low, high) = (f64::from(*self.range.start()), f64::from(self.range.end().saturating_add(1)));
        let smallest = f64::from(self.target.min_subnormal_exponent());
        let lost_until = if self.rule == Rule::Ieee { smallest - 1.0 } else { smallest };
        let borders = [
            f64::NEG_INFINITY,
            lost_until,
            smallest,
            f64::from(self.target.min_normal_exponent()),
            overflow_from(self.target),
            f64::INFINITY,
        ];
        let band = |(at, (role, word)): (usize, &(Role, Word))| {
            let x = (borders[at].clamp(low, high), borders[at + 1].clamp(low, high));
            Band { x, role: *role, label: self.word(*word).to_owned() }
        };
        CLASSES.iter().enumerate().map(band).filter(|band| band.x.0 < band.x.1).collect()
    }
}

/// Where overflow starts on the axis: log2 of the border, which lies a hair below a power of two (FP16: 65520).
fn overflow_from(target: Target) -> f64 {
    target.overflow_border().log2()
}
