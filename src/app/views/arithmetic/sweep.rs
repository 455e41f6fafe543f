//! A function over a range of inputs: computed in a format, operation by operation, beside its exact value.

use egui::{Id, Ui};

use super::examples_ui;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::shown;
use crate::app::widgets::error_chart::{Bar, ErrorChart};
use crate::app::widgets::format_field::format_field;
use crate::app::widgets::policy_bar::policy_bar;
use crate::app::widgets::value_field::{ValueField, error_line};
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::format::{Format, Group, Sample, Sweep, Swept, Value};
use crate::i18n::Lang;
use crate::i18n::sweep::{self as words, Sweep as Text};
use crate::link::{How, Link, SweepLink};

/// Functions worth a look, as links.
const EXAMPLES: [(&str, &str); 6] = [
    ("(x + 1) − 1", "sweep \"(x + 1) - 1\" format=fp16 from=2^-14 to=1"),
    ("√(x + 1) − √x", "sweep \"sqrt(x + 1) - sqrt(x)\" format=fp16 from=1 to=60000"),
    ("1 / (√(x + 1) + √x)", "sweep \"1 / (sqrt(x + 1) + sqrt(x))\" format=fp16 from=1 to=60000"),
    ("√x²", "sweep \"sqrt(x)^2\" format=fp16 from=0 to=65504"),
    ("x·x − 1", "sweep \"x * x - 1\" format=bf16 from=0.5 to=2"),
    ("1 / x · x", "sweep \"1 / x * x\" format=fp16 from=-65504 to=65504"),
];

/// Inputs computed in one frame.
const AT_ONCE: u64 = 512;

/// The pane.
#[derive(Debug)]
pub(super) struct SweepPane {
    link: SweepLink,
    error: Option<String>,
    /// What is being computed, and what was found so far.
    sweep: Option<Sweep>,
    swept: Swept,
    bars: Vec<Bar>,
}

impl Default for SweepPane {
    fn default() -> Self {
        if let Ok(Link::Sweep(link)) = Link::parse(EXAMPLES[0].1) {
            return Self::of(link);
        }
        // A test reads every example.
        let [function, from, to] = ["x", SweepLink::USUAL.0, SweepLink::USUAL.1].map(str::to_owned);
        Self::of(SweepLink { function, format: Format::FP16, from, to, how: How::default() })
    }
}

impl SweepPane {
    /// The pane as a link says.
    pub(super) fn of(link: SweepLink) -> Self {
        let mut pane = Self { link, error: None, sweep: None, swept: Swept::default(), bars: Vec::new() };
        pane.derive();
        pane
    }

    pub(super) const fn link(&self) -> &SweepLink {
        &self.link
    }

    /// What was swept last stays while something is being typed that is no function or no range yet.
    fn derive(&mut self) {
        match self.link.plan() {
            Ok(sweep) => {
                (self.sweep, self.swept, self.error) = (Some(sweep), Swept::default(), None);
                self.bars.clear();
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// Computes some more inputs; returns whether any are left.
    fn go_on(&mut self) -> bool {
        let Some(sweep) = &self.sweep else { return false };
        let end = (self.swept.inputs + AT_ONCE).min(sweep.inputs());
        for at in self.swept.inputs..end {
            self.swept.add(sweep, sweep.sample(at));
        }
        // The last bar may have grown.
        self.bars.pop();
        let name = |code| shown(&sweep.format.shortest(code));
        let bar = |group: &Group| Bar { ends: (name(group.first), name(group.last)), ulps: group.largest };
        self.bars.extend(self.swept.groups[self.bars.len()..].iter().map(bar));
        self.swept.inputs < sweep.inputs()
    }

    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, lang: Lang) {
        card::tight(ui, |ui| self.input_ui(ui, lang));
        if self.go_on() {
            ui.ctx().request_repaint();
        }
        let Some(sweep) = &self.sweep else { return };
        ui.add_space(4.0);
        card::tight(ui, |ui| found_ui(ui, sweep, &self.swept, lang));
        ui.add_space(4.0);
        card::tight(ui, |ui| self.chart_ui(ui, sweep, lang));
    }

    fn input_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let mut changed = false;
        ui.horizontal_wrapped(|ui| {
            let fields = [
                (Text::Function, &mut self.link.function, 260.0),
                (Text::From, &mut self.link.from, 84.0),
                (Text::To, &mut self.link.to, 84.0),
            ];
            for (at, (name, text, width)) in fields.into_iter().enumerate() {
                card::weak(ui, name.text(lang));
                let field =
                    ValueField { size: 1.1, ..ValueField::new(Id::unique(("sweep", at)), name.text(lang), width) };
                changed |= field.show(ui, text).changed();
            }
            card::weak(ui, Text::In.text(lang));
            if let Some(format) = format_field(ui, Text::SweptFormat.text(lang), lang, self.link.format) {
                (self.link.format, changed) = (format, true);
            }
        });
        if let Some(error) = &self.error {
            error_line(ui, error);
        }
        if let Some(how) = policy_bar(ui, "sweep pane", lang, self.link.how) {
            (self.link.how, changed) = (how, true);
        }
        let names = EXAMPLES.map(|(name, _)| name);
        let example = examples_ui(ui, lang, &names).and_then(|name| EXAMPLES.iter().find(|row| row.0 == name));
        if let Some(Ok(Link::Sweep(link))) = example.map(|(_, line)| Link::parse(line)) {
            (self.link, changed) = (link, true);
        }
        if changed {
            self.derive();
        }
    }

    fn chart_ui(&self, ui: &mut Ui, sweep: &Sweep, lang: Lang) {
        card::titled(ui, Text::ChartTitle.text(lang), Text::ChartHint.text(lang));
        let spoken = format!("{}. {}", Text::ChartTitle.text(lang), verdict(sweep, &self.swept, lang));
        let chart = ErrorChart {
            bars: &self.bars,
            room: sweep.inputs().min(Swept::GROUPS) as usize,
            height: ui.available_height().max(180.0),
            axis: Text::Axis.text(lang),
            says: &|ulps| match ulps {
                _ if ulps.is_nan() => Text::Undefined.text(lang).to_owned(),
                _ if ulps.is_infinite() => Text::NoNumber.text(lang).to_owned(),
                _ => words::up_to(lang, &Value::from(ulps).to_significant(4)),
            },
            spoken: &spoken,
        };
        chart.show(ui);
    }
}

/// Counts, and the worst input in large type.
fn found_ui(ui: &mut Ui, sweep: &Sweep, swept: &Swept, lang: Lang) {
    let (inputs, numbers) = (sweep.inputs(), sweep.numbers());
    let so_far = words::so_far(lang, swept.inputs, inputs, numbers);
    card::titled(ui, Text::Found.text(lang), &so_far);
    let ok = swept.worst.as_ref().is_none_or(|(_, error)| error.to_f64() <= 0.5) && swept.no_number.0 == 0;
    let color = theme::ink(ui, if ok { Role::Advised } else { Role::Lost });
    power::label(ui, &verdict(sweep, swept, lang), &theme::title(), color);
    let mean = swept.mean().map(|mean| Value::from(mean).to_significant(4)).unwrap_or_default();
    let counts = words::counts(lang, swept.exact, swept.rounded_once, &mean);
    power::label(ui, &counts, &egui::TextStyle::Body, Tokens::of(ui).text);
    if let (count, Some(first)) = &swept.no_number {
        let (x, value, exact) = told(sweep.format, first);
        let text = words::no_numbers(lang, *count, &x, &value, &exact);
        power::label(ui, &text, &theme::strong(), theme::ink(ui, Role::Overflow));
    }
    if swept.undefined > 0 {
        card::weak(ui, &words::undefined(lang, swept.undefined));
    }
}

/// The largest error and where it is.
fn verdict(sweep: &Sweep, swept: &Swept, lang: Lang) -> String {
    let Some((worst, error)) = &swept.worst else { return Text::NothingYet.text(lang).to_owned() };
    let (x, value, exact) = told(sweep.format, worst);
    let bits = format!("{:.1}", (1.0 + error.to_f64()).log2());
    words::largest(lang, &error.to_significant(6).unwrap_or_default(), &bits, &x, &value, &exact)
}

/// Input, computed value and exact value.
fn told(format: Format, sample: &Sample) -> (String, String, String) {
    let exact = sample.exact.as_ref().and_then(|exact| exact.to_significant(8)).unwrap_or_default();
    (shown(&format.shortest(sample.x)), shown(&format.shortest(sample.computed)), exact)
}
