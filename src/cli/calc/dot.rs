//! `halfscope calc dot`: a dot product, or one element of D = A·B + C after another, rounding by rounding.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::batch::Answers;
use crate::cli::rounding::{RoundingArgs, bad_input};
use crate::cli::table::{Align, Table};
use crate::export::{accumulated, ordered};
use crate::format::{Accumulation, Dot, DotPlan, DotStep, Draws, Format, Literal, Order, Rounded, Value, parse_values};
use crate::i18n::Lang;
use crate::i18n::arithmetic::{Arithmetic as Text, dot_result, element};
use crate::link::DotLink;

/// Digits of the numbers between.
const DIGITS: u32 = 9;

/// Arguments of `calc dot`.
#[derive(clap::Args, Debug, Clone)]
pub struct DotArgs {
    /// The first factors, parted by commas; or a 4×4 matrix, its rows parted by ";"
    #[arg(long, value_name = "LIST")]
    pub a: String,
    /// The second factors, as many; or a matrix
    #[arg(long, value_name = "LIST")]
    pub b: String,
    /// What the sum starts from, 0 if left out; or a matrix
    #[arg(long, value_name = "VALUE")]
    pub c: Option<String>,
    /// The element of D whose steps are shown: row and column from 1; with --json no others are printed
    #[arg(long, value_name = "ROW,COLUMN")]
    pub cell: Option<String>,
    /// Format of the factors
    #[arg(long, value_name = "FORMAT", default_value = "fp16", value_parser = Format::parse)]
    pub input: Format,
    /// How the products are added: sequential:fp32, kahan:fp16 (Kahan's correction), fused:fp32:4 (so many at once,
    /// exactly), blocks:fp16:fp32:2 (blocks of so many in the first format, their totals in the second)
    #[arg(long, value_name = "HOW", default_value = "sequential:fp32", value_parser = Accumulation::parse)]
    pub sum: Accumulation,
    /// In which order: forward, backward, ascending or descending by magnitude
    #[arg(long, value_name = "ORDER", default_value = "forward", value_parser = Order::parse)]
    pub order: Order,
    /// Format of c and the result
    #[arg(long, value_name = "FORMAT", default_value = "fp32", value_parser = Format::parse)]
    pub output: Format,
    /// How to round
    #[command(flatten)]
    pub rounding: RoundingArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// One dot product with what it was computed from.
struct Computed {
    /// Row and column, from 0, of an element of a matrix.
    cell: Option<(usize, usize)>,
    a: Vec<u64>,
    b: Vec<u64>,
    c: u64,
    dot: Dot,
}

/// The JSON object of one dot product.
#[derive(Serialize)]
struct DotObject<'a> {
    op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<(usize, usize)>,
    input: String,
    sum: String,
    order: &'static str,
    output: String,
    rounding: &'a str,
    a: Vec<String>,
    b: Vec<String>,
    c: String,
    products: Vec<String>,
    steps: Vec<StepObject>,
    bits: String,
    value: String,
    shortest: String,
    exact: Option<String>,
    /// The exact sum rounded once.
    best: String,
    best_value: String,
    same: bool,
    flags: Vec<&'static str>,
}

/// One rounding in JSON.
#[derive(Serialize)]
struct StepObject {
    /// From 1; none where the total of a block was added.
    products: Vec<usize>,
    before: String,
    added: String,
    format: String,
    bits: String,
    value: String,
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correction: Option<String>,
    flags: Vec<&'static str>,
}

/// Prints the dot products.
///
/// # Errors
/// Whatever writing fails with; `InvalidInput` for what is no list, no matrix, or too large to be computed exactly.
pub(super) fn run(args: &DotArgs, out: &mut dyn Write) -> io::Result<bool> {
    let computed = compute(args)?;
    let matrix = computed.len() > 1;
    let chosen = args.cell.as_deref().map(DotLink::read_cell).transpose().map_err(|error| option("cell", &error))?;
    if chosen.is_some() && !matrix {
        return Err(bad_input("--cell chooses an element of D: give matrices, such as --a '1,2,3,4;5,6,7,8;…'"));
    }
    Answers::new(out, args.json).each(&[String::new()], &mut io::empty(), |answers, _| {
        if answers.is_json() {
            let asked = computed.iter().filter(|one| chosen.is_none() || one.cell == chosen);
            return asked.into_iter().try_for_each(|one| answers.object(&object(args, one)));
        }
        let out = answers.text()?;
        heading(out, args, matrix)?;
        if matrix {
            write!(out, "{}", results(&computed, args.output))?;
        }
        let shown = computed.iter().find(|one| one.cell == chosen).or_else(|| computed.first());
        shown.map_or(Ok(()), |one| write_steps(out, args, one))
    })
}

fn option(name: &str, error: &str) -> io::Error {
    bad_input(format!("--{name}: {error}"))
}

/// Reads the numbers and adds them up: sixteen elements of matrices, or one dot product.
fn compute(args: &DotArgs) -> io::Result<Vec<Computed>> {
    let how = args.rounding.how()?;
    let DotArgs { input, sum: accumulation, order, output, .. } = *args;
    let too_large = |error| bad_input(format!("the sum {error}"));
    if [&args.a, &args.b].iter().any(|text| text.contains(';')) {
        let matrix = |name: &str, text: &str| DotLink::read_matrix(text).map_err(|error| option(name, &error));
        let usual = DotLink::default();
        let link = DotLink {
            a: matrix("a", &args.a)?,
            b: matrix("b", &args.b)?,
            c: args.c.as_ref().map_or(Ok(usual.c.clone()), |text| matrix("c", text))?,
            input,
            accumulation,
            order,
            output,
            how,
            ..usual
        };
        let (plan, [a, b, c]) = link.plan().map_err(|wrong| bad_input(wrong.to_string()))?;
        let dots = plan.matrix(&a, &b, &c).map_err(too_large)?;
        let element = |(at, dot): (usize, Dot)| {
            let (row, column) = (at / 4, at % 4);
            let b = b.iter().map(|cells| cells[column]).collect();
            Computed { cell: Some((row, column)), a: a[row].to_vec(), b, c: c[row][column], dot }
        };
        return Ok(dots.into_iter().enumerate().map(element).collect());
    }
    let mut draws = how.draws();
    let a = codes("a", &args.a, input, &mut draws)?;
    let b = codes("b", &args.b, input, &mut draws)?;
    let c = codes("c", args.c.as_deref().unwrap_or("0"), output, &mut draws)?;
    if a.len() != b.len() {
        return Err(bad_input(format!("--a has {} factors and --b {}: give as many", a.len(), b.len())));
    }
    let [c] = c[..] else { return Err(bad_input(format!("--c is one value, not {}", c.len()))) };
    let dot = DotPlan { input, accumulation, order, output, draws }.dot(&a, &b, c).map_err(too_large)?;
    Ok(vec![Computed { cell: None, a, b, c, dot }])
}

/// Each number of a list rounded by a policy of its own.
fn codes(name: &str, text: &str, format: Format, draws: &mut Draws) -> io::Result<Vec<u64>> {
    let values = parse_values(text).map_err(|error| option(name, &error.to_string()))?;
    Ok(values.iter().map(|literal: &Literal| literal.round(format, &draws.draw()).bits).collect())
}

fn heading(out: &mut dyn Write, args: &DotArgs, matrix: bool) -> io::Result<()> {
    let what = if matrix { "D = A·B + C" } else { "c + a·b" };
    let (how, order) = (accumulated(args.sum).text(Lang::En), ordered(args.order).text(Lang::En));
    let formats = format!("{} to {}", args.input.label(), args.output.label());
    writeln!(out, "{what}, {formats}: products added {how} ({}), order {order}", args.sum.name())
}

/// D, row by row; what one rounding of the exact sum would give otherwise is marked.
fn results(computed: &[Computed], output: Format) -> Table {
    let mut table = Table::new(["  D", "", "", ""].map(|name| (name, Align::Right)));
    let text = |one: &Computed| {
        let mark = if one.dot.result.bits == one.dot.best.bits { "" } else { " ≠" };
        format!("  {}{mark}", output.value_text(one.dot.result.bits, Format::VALUE_WIDTH))
    };
    for row in computed.chunks_exact(4) {
        table.row([0, 1, 2, 3].map(|column| text(&row[column])));
    }
    table
}

fn write_steps(out: &mut dyn Write, args: &DotArgs, one: &Computed) -> io::Result<()> {
    let dot = &one.dot;
    if let Some((row, column)) = one.cell {
        writeln!(out, "{}", element(Lang::En, "D", row + 1, column + 1))?;
    }
    let heads = [Text::Products, Text::Before, Text::Added, Text::After, Text::LostHere, Text::Flags];
    let [products, before, added, after, lost, flags] = heads.map(|head| (head.text(Lang::En), Align::Left));
    let mut table = Table::new([("  ", Align::Right), products, before, added, after, lost, flags]);
    for (at, step) in dot.steps.iter().enumerate() {
        table.row([
            format!("  {}", at + 1),
            products_text(step),
            step.before.to_significant(DIGITS),
            format!("+ {}", step.added.to_significant(DIGITS)),
            format!("{} {}", step.format.value_text(step.after.bits, Format::VALUE_WIDTH), step.format.label()),
            step.error().and_then(|error| error.to_significant(6)).unwrap_or_default(),
            flags_of(&step.after).join(", "),
        ]);
    }
    write!(out, "{table}")?;
    let name = |rounded: &Rounded| args.output.value_text(rounded.bits, Format::VALUE_WIDTH);
    let exact = dot.exact.as_ref().map_or_else(|| "none".to_owned(), |exact| super::shortened(&exact.number_text()));
    let same = dot.result.bits == dot.best.bits;
    let says = dot_result(Lang::En, &name(&dot.result), &exact, &name(&dot.best), same);
    writeln!(out, "result {} {says}", args.output.hex(dot.result.bits))
}

fn products_text(step: &DotStep) -> String {
    if step.products.is_empty() {
        return Text::BlockTotal.text(Lang::En).to_owned();
    }
    step.products.iter().map(|at| format!("a{0}·b{0}", at + 1)).collect::<Vec<_>>().join(" + ")
}

fn flags_of(rounded: &Rounded) -> Vec<&'static str> {
    rounded.status.names().collect()
}

fn object<'a>(args: &'a DotArgs, one: &Computed) -> DotObject<'a> {
    let (dot, output) = (&one.dot, args.output);
    let hex = |codes: &[u64]| codes.iter().map(|code| args.input.hex(*code)).collect();
    DotObject {
        op: "dot",
        cell: one.cell.map(|(row, column)| (row + 1, column + 1)),
        input: args.input.name(),
        sum: args.sum.name(),
        order: args.order.name(),
        output: output.name(),
        rounding: args.rounding.rounding.name(),
        a: hex(&one.a),
        b: hex(&one.b),
        c: output.hex(one.c),
        products: dot.products.iter().map(Value::text).collect(),
        steps: dot.steps.iter().map(step_object).collect(),
        bits: output.hex(dot.result.bits),
        value: output.exact_decimal(dot.result.bits),
        shortest: output.shortest(dot.result.bits),
        exact: dot.exact.as_ref().map(crate::format::Exact::number_text),
        best: output.hex(dot.best.bits),
        best_value: output.exact_decimal(dot.best.bits),
        same: dot.result.bits == dot.best.bits,
        flags: flags_of(&dot.result),
    }
}

fn step_object(step: &DotStep) -> StepObject {
    StepObject {
        products: step.products.iter().map(|at| at + 1).collect(),
        before: step.before.text(),
        added: step.added.text(),
        format: step.format.name(),
        bits: step.format.hex(step.after.bits),
        value: step.format.exact_decimal(step.after.bits),
        error: step.error().map(|error| error.number_text()),
        correction: step.correction.as_ref().map(Value::text),
        flags: flags_of(&step.after),
    }
}
