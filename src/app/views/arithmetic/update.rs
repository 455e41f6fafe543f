//! A weight and a small update: what becomes of w + u in a narrow format, in a master copy, and with stochastic rounding.

use egui::{Id, Rect, RichText, TextStyle, Ui, pos2, vec2};
use egui_plot::PlotPoint;

use super::examples_ui;
use crate::app::theme::{self, Tokens};
use crate::app::views::number::derived::named;
use crate::app::widgets::curve::{Chart, Curve};
use crate::app::widgets::format_field::format_list;
use crate::app::widgets::lane_label::lane_label;
use crate::app::widgets::term::{explained, explained_word};
use crate::app::widgets::value_field::{ValueField, error_line};
use crate::app::widgets::{card, power};
use crate::export::{outside, refused, standing, ways};
use crate::figure::Role;
use crate::format::{Exact, Format, ParseError, Value, parse_value};
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text, Standing};
use crate::i18n::glossary::Term;
use crate::link::{How, Link, UpdateLink};

/// Updates worth a look, as links.
const EXAMPLES: [(&str, &str); 5] = [
    ("1 + 2^-11", "update 1 2^-11 format=fp16 master=fp32 steps=256"),
    ("1 + 2^-11 + 2^-20", "update 1 \"2^-11 + 2^-20\" format=fp16 master=fp32 steps=256"),
    ("0.5 + 1e-4", "update 0.5 1e-4 format=fp16 master=fp32 steps=1000"),
    ("1 − 2^-9 (BF16)", "update 1 -(2^-9) format=bf16 master=fp32 steps=64"),
    ("1 + 2^-24 (FP32)", "update 1 2^-24 format=fp32 master=fp64 steps=256"),
];

/// What the pane says, computed once per input.
#[derive(Debug)]
struct Told {
    /// Weight and update as the format holds them.
    weight: String,
    update: String,
    lost: bool,
    narrow: String,
    master: String,
    half_gap: String,
    standing: Standing,
    /// What each way comes to, in a few words.
    says: [Text; 3],
    magnitude: String,
    ratio: Option<(String, String)>,
    /// Probability of the farther neighbour, and both neighbours.
    chance: Option<(f64, String, String)>,
    /// Where each way ends.
    ends: [String; 3],
    curves: [Vec<PlotPoint>; 3],
}

/// The pane.
#[derive(Debug)]
pub(super) struct UpdatePane {
    link: UpdateLink,
    errors: [Option<ParseError>; 2],
    /// Nothing before weight and update could be read for the first time.
    told: Option<Told>,
}

impl Default for UpdatePane {
    fn default() -> Self {
        let [weight, update] = ["1", "2^-11"].map(str::to_owned);
        let (format, master) = (Format::FP16, Format::FP32);
        Self::of(UpdateLink { weight, update, format, master, steps: 256, how: How::default() })
    }
}

impl UpdatePane {
    /// The pane as a link says.
    pub(super) fn of(link: UpdateLink) -> Self {
        let mut pane = Self { link, errors: [None, None], told: None };
        pane.derive();
        pane
    }

    pub(super) const fn link(&self) -> &UpdateLink {
        &self.link
    }

    /// What could be computed last stays while a number is being typed.
    fn derive(&mut self) {
        let parsed = [&self.link.weight, &self.link.update].map(|text| parse_value(text));
        self.errors = parsed.each_ref().map(|parsed| parsed.as_ref().err().cloned());
        if let [Ok(weight), Ok(update)] = parsed {
            self.told = Some(tell(&self.link, &weight.value(), &update.value()));
        }
    }

    /// Lays out the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, lang: Lang) {
        card::tight(ui, |ui| self.input_ui(ui, lang));
        let Some(told) = &self.told else { return };
        ui.add_space(6.0);
        card::while_typed(ui, self.errors.iter().any(Option::is_some), |ui| {
            self.ways_ui(ui, told, lang);
            ui.add_space(6.0);
            card::tight(ui, |ui| self.tests_ui(ui, told, lang));
            ui.add_space(4.0);
            card::tight(ui, |ui| self.chart_ui(ui, told, lang));
        });
    }

    fn input_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let mut changed = false;
        let errors = self.errors.each_ref().map(|error| error.as_ref().map(|error| refused(error, lang)));
        ui.horizontal_wrapped(|ui| {
            let fields = [("w", Text::Weight, &mut self.link.weight), ("u", Text::Update, &mut self.link.update)];
            for (at, (letter, name, text)) in fields.into_iter().enumerate() {
                card::weak(ui, &format!("{letter} ({})", name.text(lang)));
                let error = errors[at].as_deref();
                let field = ValueField {
                    size: 1.15,
                    error,
                    ..ValueField::new(Id::unique(("update", at)), name.text(lang), 130.0)
                };
                changed |= field.show(ui, text).changed();
            }
            card::weak(ui, Text::KeptIn.text(lang));
            if let Some(format) = format_list(ui, Text::WeightFormat.text(lang), lang, self.link.format) {
                (self.link.format, changed) = (format, true);
            }
            let copy = Text::Master.text(lang);
            let master = card::weak(ui, copy);
            explained_word(ui, master, lang, &[Term::Master], copy);
            if let Some(format) = format_list(ui, Text::MasterFormat.text(lang), lang, self.link.master) {
                (self.link.master, changed) = (format, true);
            }
            card::weak(ui, Text::Additions.text(lang));
            let steps = egui::DragValue::new(&mut self.link.steps).range(1..=UpdateLink::MOST_STEPS);
            changed |= ui.add(steps).on_hover_text(Text::AdditionsHint.text(lang)).changed();
            if card::small_button(ui, Text::DrawAgain.text(lang)).on_hover_text(Text::SeedHint.text(lang)).clicked() {
                self.link.how.seed = self.link.how.seed.wrapping_add(1);
                changed = true;
            }
        });
        for error in errors.iter().flatten() {
            error_line(ui, error);
        }
        let names = EXAMPLES.map(|(name, _)| name);
        let example = examples_ui(ui, lang, &names).and_then(|name| EXAMPLES.iter().find(|row| row.0 == name));
        if let Some(Ok(Link::Update(link))) = example.map(|(_, line)| Link::parse(line)) {
            (self.link, changed) = (link, true);
        }
        if changed {
            self.derive();
        }
    }

    /// Three cards side by side: narrow, master, stochastic.
    fn ways_ui(&self, ui: &mut Ui, told: &Told, lang: Lang) {
        let (format, master) = (self.link.format.label(), self.link.master.label());
        let chance = told.chance.as_ref().map_or_else(
            || Text::NoChance.text(lang).to_owned(),
            |(away, near, far)| words::chances(&percent(lang, 1.0 - away), near, &percent(lang, *away), far),
        );
        let ways = [
            (words::nearest_in(lang, &format), &told.narrow, Term::Rne),
            (words::master_in(lang, &master), &told.master, Term::Master),
            (words::stochastic_in(lang, &format), &chance, Term::Sr),
        ];
        let unit = TextStyle::Body.resolve(ui.style()).size;
        let width = (ui.available_width() - 2.0 * theme::GAP) / 3.0;
        let top = ui.available_rect_before_wrap().left_top();
        let height = unit * 6.6;
        for (at, ((name, value, term), says)) in ways.into_iter().zip(told.says).enumerate() {
            let role = match says {
                Text::Lost => Role::Lost,
                Text::NothingAdded => Role::Normal,
                Text::StaysInfinite | Text::BecomesInfinite | Text::IsNotANumber => Role::Overflow,
                _ => Role::Advised,
            };
            let left = top.x + at as f32 * (width + theme::GAP);
            let place = Rect::from_min_size(pos2(left, top.y), vec2(width, height));
            card::card_in(ui, place, |ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                let name = card::weak(ui, &name);
                explained(ui, name, lang, &[term]);
                let text = RichText::new(value).text_style(theme::title()).color(Tokens::of(ui).text);
                ui.add(egui::Label::new(text).wrap());
                let says = RichText::new(says.text(lang)).text_style(theme::small_strong()).color(theme::ink(ui, role));
                ui.add(egui::Label::new(says).wrap());
            });
        }
        ui.advance_cursor_after_rect(Rect::from_min_size(top, vec2(ui.available_width(), height)));
    }

    /// The exact test, and the rule of thumb beside it.
    fn tests_ui(&self, ui: &mut Ui, told: &Told, lang: Lang) {
        let color = Tokens::of(ui).text;
        card::titled(ui, Text::TestTitle.text(lang), &words::held(lang, &told.weight, &told.update));
        let exact = words::half_gap(lang, told.standing, &told.magnitude, &told.half_gap, told.lost);
        power::label(ui, &exact, &theme::strong(), color);
        if let (None, Some((ratio, log))) = (outside(told.standing), &told.ratio) {
            let precision = self.link.format.precision();
            power::label(ui, &words::ratio(lang, ratio, log, precision), &TextStyle::Body, color);
        }
    }

    fn chart_ui(&self, ui: &mut Ui, told: &Told, lang: Lang) {
        let (format, master) = (self.link.format.label(), self.link.master.label());
        let names =
            [words::nearest_in(lang, &format), words::master_in(lang, &master), words::stochastic_in(lang, &format)];
        card::titled(ui, &words::after_steps(lang, self.link.steps), &words::additions(lang, &told.update));
        ui.horizontal_wrapped(|ui| {
            for (at, (name, end)) in names.iter().zip(&told.ends).enumerate() {
                lane_label(ui, at, &format!("{name}: {end}"));
            }
        });
        let all = || told.curves.iter().flatten().map(|point| point.y).filter(|value| value.is_finite());
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let room = ((high - low) * 0.08).max(high.abs() * 1e-9);
        let curves = names.iter().zip(&told.curves).enumerate().map(|(at, (name, points))| {
            let (color, style) = theme::lane(ui, at);
            Curve { name, points, color, style, width: 2.0 }
        });
        let curves: Vec<_> = curves.collect();
        let spoken: Vec<String> = names.iter().zip(&told.ends).map(|(name, end)| format!("{name}: {end}")).collect();
        let chart = Chart {
            id: "repeated update",
            spoken: format!("{}. {}", words::after_steps(lang, self.link.steps), spoken.join(", ")),
            height: ui.available_height().max(150.0),
            steps: (0.0, f64::from(self.link.steps)),
            values: (low < high).then_some((low - room, high + room)),
            format: &|value| format!("{value:.4}"),
            step_word: Text::StepNumber.text(lang),
            curves,
            marks: Vec::new(),
            cursor: None,
        };
        chart.show(ui);
    }
}

fn tell(link: &UpdateLink, weight: &Value, update: &Value) -> Told {
    let updates = link.plan().run(weight, update);
    let (format, master) = (link.format, link.master);
    let point = |format: Format, (at, bits): (usize, &u64)| {
        let value = format.decode(*bits).finite().map_or(f64::NAN, Exact::to_f64);
        PlotPoint::new(at as f64, value)
    };
    let once = &updates.once;
    let chance = once.chance.as_ref().filter(|chance| chance.toward_zero != chance.away_from_zero);
    let ratio = once.ratio.as_ref().filter(|ratio| !ratio.is_zero()).and_then(|ratio| {
        let log = ratio.to_f64().log2();
        Some((ratio.to_significant(7)?, format!("{log:.3}")))
    });
    let runs = &updates.ways;
    Told {
        weight: named(format, updates.weight),
        update: named(format, updates.update),
        lost: once.lost,
        standing: standing(&updates),
        says: ways(&updates),
        narrow: named(format, once.sum.rounded.bits),
        master: named(master, updates.master.sum.rounded.bits),
        half_gap: once.half_gap.as_ref().and_then(|gap| gap.to_significant(6)).unwrap_or_default(),
        magnitude: updates.magnitude().and_then(|u| u.to_significant(6)).unwrap_or_default(),
        ratio,
        chance: chance.map(|chance| {
            (chance.away.to_f64(), named(format, chance.toward_zero), named(format, chance.away_from_zero))
        }),
        ends: runs
            .each_ref()
            .map(|(format, codes)| codes.last().map_or_else(String::new, |bits| named(*format, *bits))),
        curves: runs
            .each_ref()
            .map(|(format, codes)| codes.iter().enumerate().map(|pair| point(*format, pair)).collect()),
    }
}
