//! `halfscope calc update`: a weight and its update, in a narrow format, in a master copy, and by chance.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::batch::Answers;
use crate::cli::rounding::{PolicyArgs, bad_input};
use crate::cli::table::{Align, Table};
use crate::export::{outside, standing, ways};
use crate::format::{Chance, Exact, Format, Policy, Rounding, Updates, parse_value};
use crate::i18n::Lang;
use crate::i18n::app::percent;
use crate::i18n::arithmetic::{self as words, Arithmetic as Text};
use crate::link::{How, UpdateLink};

/// Arguments of `calc update`.
#[derive(clap::Args, Debug, Clone)]
pub struct UpdateArgs {
    /// The weight
    #[arg(value_name = "WEIGHT")]
    pub weight: String,
    /// What is added to it
    #[arg(value_name = "UPDATE")]
    pub update: String,
    /// The narrow format that the weight is kept in
    #[arg(long, short = 'f', value_name = "FORMAT", default_value = "fp16", value_parser = Format::parse)]
    pub format: Format,
    /// Format of the master copy
    #[arg(long, value_name = "FORMAT", default_value = "fp32", value_parser = Format::parse)]
    pub master: Format,
    /// How often the update is added
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub steps: u32,
    /// How to round, beside to nearest and by chance
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Seed of the way by chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A code with what it stands for, in JSON.
#[derive(Serialize)]
struct Code {
    bits: String,
    value: String,
}

impl Code {
    fn new(format: Format, bits: u64) -> Self {
        Self { bits: format.hex(bits), value: format.exact_decimal(bits) }
    }
}

/// What stochastic rounding chooses from, in JSON.
#[derive(Serialize)]
struct ChanceObject {
    toward_zero: Code,
    away_from_zero: Code,
    /// Probability of the second.
    away: String,
}

/// One of the three ways, in JSON.
#[derive(Serialize)]
struct Way {
    #[serde(rename = "way")]
    name: &'static str,
    format: String,
    /// After one addition.
    once: Code,
    /// After all.
    end: Code,
}

/// The JSON object.
#[derive(Serialize)]
struct UpdateObject<'a> {
    op: &'static str,
    inputs: [&'a str; 2],
    format: String,
    master: String,
    steps: u32,
    seed: u64,
    weight: Code,
    update: Code,
    lost: bool,
    half_gap: Option<String>,
    ratio: Option<String>,
    chance: Option<ChanceObject>,
    ways: Vec<Way>,
    flags: Vec<&'static str>,
}

/// Names of the three ways in JSON.
const WAYS: [&str; 3] = ["nearest", "master", "stochastic"];

/// Prints what becomes of the weight.
///
/// # Errors
/// Whatever writing fails with; `InvalidInput` for what is no value.
pub(super) fn run(args: &UpdateArgs, out: &mut dyn Write) -> io::Result<bool> {
    let value = |text: &str| parse_value(text).map(|literal| literal.value()).map_err(bad_input);
    let (weight, update) = (value(&args.weight)?, value(&args.update)?);
    let link = link(args);
    let updates = link.plan().run(&weight, &update);
    Answers::new(out, args.json).each(&[String::new()], &mut io::empty(), |answers, _| {
        if answers.is_json() {
            answers.object(&object(&link, &updates))
        } else {
            text(answers.text()?, &link, &updates)
        }
    })
}

fn link(args: &UpdateArgs) -> UpdateLink {
    let UpdateArgs { format, master, steps, seed, .. } = *args;
    let policy = Policy { rounding: Rounding::Rne, ..args.policy.policy() };
    let [weight, update] = [&args.weight, &args.update].map(|text| text.trim().to_owned());
    UpdateLink { weight, update, format, master, steps, how: How { policy, seed } }
}

fn text(out: &mut dyn Write, link: &UpdateLink, updates: &Updates) -> io::Result<()> {
    let (format, once) = (link.format, &updates.once);
    let value = |format: Format, bits: u64| format.value_text(bits, Format::VALUE_WIDTH);
    let (w, u) = (value(format, updates.weight), value(format, updates.update));
    writeln!(out, "w = {}, u = {}: {}", link.weight, link.update, words::held(Lang::En, &w, &u))?;
    let digits = |exact: Option<&Exact>| exact.and_then(|exact| exact.to_significant(6));
    let (standing, outside) = (standing(updates), outside(standing(updates)));
    let [u, gap] =
        [digits(updates.magnitude().as_ref()), digits(once.half_gap.as_ref())].map(Option::unwrap_or_default);
    writeln!(out, "  {}", words::half_gap(Lang::En, standing, &u, &gap, once.lost))?;
    if let (None, Some(ratio)) = (outside, once.ratio.as_ref().filter(|ratio| !ratio.is_zero())) {
        let log = format!("{:.3}", ratio.to_f64().log2());
        let ratio = ratio.to_significant(7).unwrap_or_default();
        writeln!(out, "  {}", words::ratio(Lang::En, &ratio, &log, format.precision()))?;
    }
    let chances = choice(once.chance.as_ref()).map(|chance| {
        let away = chance.away.to_f64();
        let [near, far] = [1.0 - away, away].map(|share| percent(Lang::En, share));
        words::chances(&near, &value(format, chance.toward_zero), &far, &value(format, chance.away_from_zero))
    });
    let mut says = ways(updates).map(|says| says.text(Lang::En).to_owned());
    if outside.is_none() {
        says[2] = chances.unwrap_or_else(|| Text::NoChance.text(Lang::En).to_owned());
    }
    let [narrow, master] = [format.label(), link.master.label()];
    let names = [
        words::nearest_in(Lang::En, &narrow),
        words::master_in(Lang::En, &master),
        words::stochastic_in(Lang::En, &narrow),
    ];
    let after = format!("after {}", link.steps);
    let mut table = Table::new(["  ", "w + u", "", &after].map(|name| (name, Align::Left)));
    for ((name, says), (format, codes)) in names.iter().zip(says).zip(&updates.ways) {
        let code = |at: Option<&u64>| at.map_or_else(String::new, |bits| value(*format, *bits));
        table.row([format!("  {name}"), code(codes.get(1)), says, code(codes.last())]);
    }
    write!(out, "{table}")
}

/// Where chance has something to choose.
fn choice(chance: Option<&Chance>) -> Option<&Chance> {
    chance.filter(|chance| chance.toward_zero != chance.away_from_zero)
}

fn object<'a>(link: &'a UpdateLink, updates: &Updates) -> UpdateObject<'a> {
    let (format, once) = (link.format, &updates.once);
    let way = |(name, (format, codes)): (&'static str, &(Format, Vec<u64>))| {
        let code = |at: Option<&u64>| Code::new(*format, at.copied().unwrap_or_default());
        Way { name, format: format.name(), once: code(codes.get(1)), end: code(codes.last()) }
    };
    UpdateObject {
        op: "update",
        inputs: [&link.weight, &link.update],
        format: format.name(),
        master: link.master.name(),
        steps: link.steps,
        seed: link.how.seed,
        weight: Code::new(format, updates.weight),
        update: Code::new(format, updates.update),
        lost: once.lost,
        half_gap: once.half_gap.as_ref().map(Exact::number_text),
        ratio: once.ratio.as_ref().map(Exact::number_text),
        chance: once.chance.as_ref().map(|chance| ChanceObject {
            toward_zero: Code::new(format, chance.toward_zero),
            away_from_zero: Code::new(format, chance.away_from_zero),
            away: chance.away.number_text(),
        }),
        ways: WAYS.into_iter().zip(&updates.ways).map(way).collect(),
        flags: once.sum.rounded.status.names().collect(),
    }
}
