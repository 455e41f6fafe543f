//! `halfscope calc sweep`: a function over a range of inputs, in a format and exactly, and where the error is.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::batch::Answers;
use crate::cli::rounding::{RoundingArgs, bad_input};
use crate::cli::table::{Align, Table, grouped};
use crate::format::{Exact, Format, Group, Sample, Sweep, SweepError, Swept};
use crate::link::SweepLink;

/// Rows of the table for people.
const ROWS: usize = 16;

/// Arguments of `calc sweep`.
#[derive(clap::Args, Debug, Clone)]
pub struct SweepArgs {
    /// A function of x: "(x + 1) - 1", "sqrt(x + 1) - sqrt(x)", "1 / x * x"; + - * / ^ sqrt and brackets
    #[arg(value_name = "FUNCTION")]
    pub function: String,
    /// The lowest input
    #[arg(long, value_name = "VALUE", default_value = SweepLink::USUAL.0)]
    pub from: String,
    /// The highest input
    #[arg(long, value_name = "VALUE", default_value = SweepLink::USUAL.1)]
    pub to: String,
    /// Format of the inputs and of every operation
    #[arg(long, short = 'f', value_name = "FORMAT", default_value = "fp16", value_parser = Format::parse)]
    pub format: Format,
    /// Print every input, not a summary: all numbers of the range, or 65,536 evenly spread over them
    #[arg(long)]
    pub every: bool,
    /// How to round
    #[command(flatten)]
    pub rounding: RoundingArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// One input in JSON.
#[derive(Serialize)]
struct SampleObject {
    x: String,
    x_bits: String,
    bits: String,
    value: String,
    exact: Option<String>,
    /// Null where an infinity or NaN takes part.
    error_ulp: Option<String>,
}

/// A group of inputs in JSON.
#[derive(Serialize)]
struct GroupObject {
    from: String,
    to: String,
    /// Null where an infinity or NaN stands for a number.
    largest_ulp: Option<f64>,
}

/// The JSON object of a whole sweep.
#[derive(Serialize)]
struct SweepObject<'a> {
    op: &'static str,
    function: &'a str,
    format: String,
    rounding: &'static str,
    /// Numbers of the range, and how many of them were computed.
    numbers: u64,
    inputs: u64,
    exact: u64,
    within_half_ulp: u64,
    no_number: u64,
    undefined: u64,
    mean_ulp: Option<f64>,
    worst: Option<SampleObject>,
    first_no_number: Option<SampleObject>,
    groups: Vec<GroupObject>,
}

/// Prints the sweep.
///
/// # Errors
/// Whatever writing fails with; `InvalidInput` for what is no function or no range.
pub(super) fn run(args: &SweepArgs, out: &mut dyn Write) -> io::Result<bool> {
    let (function, from, to) = (args.function.trim(), args.from.trim(), args.to.trim());
    let [typed, low, high] = [function, from, to].map(str::to_owned);
    let link = SweepLink { function: typed, format: args.format, from: low, to: high, how: args.rounding.how()? };
    let sweep = link.plan().map_err(bad_input)?;
    Answers::new(out, args.json).each(&[String::new()], &mut io::empty(), |answers, _| {
        if args.every {
            return every(answers, &sweep);
        }
        let mut swept = Swept::default();
        (0..sweep.inputs()).for_each(|at| swept.add(&sweep, sweep.sample(at)));
        if answers.is_json() {
            return answers.object(&object(args, function, &sweep, &swept));
        }
        let out = answers.text()?;
        let which = if sweep.inputs() == sweep.numbers() {
            format!("all {} numbers", grouped(sweep.numbers()))
        } else {
            format!("{} of {} numbers, evenly spread", grouped(sweep.inputs()), grouped(sweep.numbers()))
        };
        writeln!(out, "{function} in {}, every operation rounded, from {from} to {to}: {which}", args.format.label())?;
        summary(out, &sweep, &swept)
    })
}

fn every(answers: &mut Answers<'_>, sweep: &Sweep) -> io::Result<()> {
    if answers.is_json() {
        return (0..sweep.inputs()).try_for_each(|at| answers.object(&sample(sweep.format, &sweep.sample(at))));
    }
    let out = answers.text()?;
    writeln!(out, "x\tvalue\terror ulp")?;
    (0..sweep.inputs()).try_for_each(|at| {
        let object = sample(sweep.format, &sweep.sample(at));
        writeln!(out, "{}\t{}\t{}", object.x, object.value, object.error_ulp.unwrap_or_default())
    })
}

fn sample(format: Format, sample: &Sample) -> SampleObject {
    SampleObject {
        x: format.exact_decimal(sample.x),
        x_bits: format.hex(sample.x),
        bits: format.hex(sample.computed),
        value: format.exact_decimal(sample.computed),
        exact: sample.exact.as_ref().and_then(|exact| exact.to_significant(17)),
        error_ulp: match &sample.error {
            SweepError::Ulps(error) => error.to_significant(6),
            SweepError::NoNumber | SweepError::Undefined => None,
        },
    }
}

fn summary(out: &mut dyn Write, sweep: &Sweep, swept: &Swept) -> io::Result<()> {
    let format = sweep.format;
    let mut row = |name: &str, text: String| writeln!(out, "  {name:<13} {text}");
    row("exact", grouped(swept.exact))?;
    row("within ½ ulp", format!("{}, as good as one rounding", grouped(swept.rounded_once)))?;
    if let Some(mean) = swept.mean() {
        row("mean error", format!("{} ulp", digits(mean)))?;
    }
    if let Some((worst, error)) = &swept.worst {
        let ulps = error.to_significant(6).unwrap_or_default();
        let bits = (1.0 + error.to_f64()).log2();
        row("largest error", format!("{ulps} ulp, {bits:.1} bits, {}", told(format, worst)))?;
    }
    if let (count, Some(first)) = &swept.no_number {
        row("no number", format!("{}, first {}", grouped(*count), told(format, first)))?;
    }
    if swept.undefined > 0 {
        row("undefined", format!("{}: no exact value to compare with", grouped(swept.undefined)))?;
    }
    let mut table = Table::new(["  from", "to", "largest error"].map(|name| (name, Align::Left)));
    let name = |bits| format.value_text(bits, Format::VALUE_WIDTH);
    for groups in swept.groups.chunks(swept.groups.len().div_ceil(ROWS).max(1)) {
        let (Some(first), Some(last)) = (groups.first(), groups.last()) else { continue };
        let largest = groups.iter().map(|group| group.largest).fold(f64::NAN, f64::max);
        let error = match largest {
            _ if largest.is_nan() => "undefined".to_owned(),
            _ if largest.is_infinite() => "no number".to_owned(),
            _ => format!("{} ulp", digits(largest)),
        };
        table.row([format!("  {}", name(first.first)), name(last.last), error]);
    }
    write!(out, "{table}")
}

/// Four significant digits.
fn digits(number: f64) -> String {
    crate::format::Value::from(number).to_significant(4)
}

fn told(format: Format, sample: &Sample) -> String {
    let exact = sample.exact.as_ref().and_then(|exact: &Exact| exact.to_significant(9)).unwrap_or_default();
    let [x, value] = [sample.x, sample.computed].map(|bits| format.value_text(bits, Format::VALUE_WIDTH));
    format!("at x = {x} ({}): {value} instead of {exact}", format.hex(sample.x))
}

fn object<'a>(args: &SweepArgs, function: &'a str, sweep: &Sweep, swept: &Swept) -> SweepObject<'a> {
    let format = sweep.format;
    let group = |group: &Group| GroupObject {
        from: format.exact_decimal(group.first),
        to: format.exact_decimal(group.last),
        largest_ulp: Some(group.largest).filter(|error| error.is_finite()),
    };
    SweepObject {
        op: "sweep",
        function,
        format: format.name(),
        rounding: args.rounding.rounding.name(),
        numbers: sweep.numbers(),
        inputs: swept.inputs,
        exact: swept.exact,
        within_half_ulp: swept.rounded_once,
        no_number: swept.no_number.0,
        undefined: swept.undefined,
        mean_ulp: swept.mean(),
        worst: swept.worst.as_ref().map(|(worst, _)| sample(format, worst)),
        first_no_number: swept.no_number.1.as_ref().map(|first| sample(format, first)),
        groups: swept.groups.iter().map(group).collect(),
    }
}
