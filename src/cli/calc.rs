//! `halfscope calc`: one operation in a format, with the exact result beside the rounded one; dot products and updates
//! step by step.

mod dot;
mod sweep;
mod update;

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::batch::Answers;
use super::inspect::{Inspection, shortened, why};
use super::rounding::{RoundingArgs, bad_input};
use crate::format::{Draws, Format, Operation, Policy, Rounded, Status, Value, parse_value};

/// Arguments of `calc`.
#[derive(clap::Args, Debug, Clone)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct CalcArgs {
    /// What takes more than one operation
    #[command(subcommand)]
    pub steps: Option<StepByStep>,
    /// Operation (add sub mul div rem fmod fma sqrt minNum maxNum minimum maximum minimumNumber maximumNumber decode
    /// next-up next-down ulp), then its operands; a lone "-" in place of the operands, or of all, reads lines
    #[arg(value_name = "OP A B C", required = true, num_args = 1..)]
    pub words: Vec<String>,
    /// Format of operands and result
    #[arg(long, short = 'f', value_name = "FORMAT", required = true, value_parser = Format::parse)]
    pub format: Option<Format>,
    /// How to round
    #[command(flatten)]
    pub rounding: RoundingArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// What takes more than one operation.
#[derive(clap::Subcommand, Debug, Clone)]
pub enum StepByStep {
    /// A dot product, or D = A·B + C of 4×4 matrices, rounding by rounding
    Dot(dot::DotArgs),
    /// A weight and its update: whether w + u is w again, and what becomes of it in many steps
    Update(update::UpdateArgs),
    /// A function of x over a range of inputs, every operation rounded, beside its exact value: where the error is
    Sweep(sweep::SweepArgs),
}

/// What `calc` can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Arithmetic(Operation),
    Decode,
    NextUp,
    NextDown,
    Ulp,
}

/// Operations of one operand that say something about a code.
const STEPS: [(Op, &str); 4] =
    [(Op::Decode, "decode"), (Op::NextUp, "next-up"), (Op::NextDown, "next-down"), (Op::Ulp, "ulp")];

impl Op {
    fn parse(name: &str) -> Result<Self, String> {
        if let Some((op, _)) = STEPS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)) {
            return Ok(*op);
        }
        let unknown = |error| format!("{error} {}", STEPS.map(|(_, name)| name).join(" "));
        Operation::parse(name).map(Self::Arithmetic).map_err(unknown)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Arithmetic(operation) => operation.name(),
            _ => STEPS.iter().find(|(op, _)| *op == self).map_or("", |(_, name)| name),
        }
    }

    fn operands(self) -> usize {
        if let Self::Arithmetic(operation) = self { operation.operands() } else { 1 }
    }
}

/// What an operation came to, before it is printed.
struct Computed {
    /// The operands as typed, and as codes with the flags of their own conversion.
    operands: Vec<(String, Rounded)>,
    result: Option<Rounded>,
    /// How the result was rounded.
    policy: Policy,
    exact: String,
    error_ulp: Option<String>,
}

/// The JSON object of one operation.
#[derive(Serialize)]
struct Calculation<'a> {
    op: &'static str,
    operands: Vec<Inspection<'a>>,
    format: &'a str,
    rounding: &'static str,
    bits: Option<String>,
    value: Option<String>,
    shortest: Option<String>,
    exact: Option<&'a str>,
    error_ulp: Option<&'a str>,
    flags: Vec<&'static str>,
}

/// Prints what was asked for; operations are read from `input`, one a line, where a word is a lone `-`.
///
/// Returns whether every line was understood.
///
/// # Errors
/// Whatever writing to `out` or reading `input` fails with; `InvalidInput` for what cannot be computed at all.
pub fn run(args: &CalcArgs, out: &mut dyn Write, input: &mut dyn BufRead) -> io::Result<bool> {
    match (&args.steps, args.format) {
        (Some(StepByStep::Dot(args)), _) => dot::run(args, out),
        (Some(StepByStep::Update(args)), _) => update::run(args, out),
        (Some(StepByStep::Sweep(args)), _) => sweep::run(args, out),
        (None, Some(format)) => operations(args, format, out, input),
        (None, None) => Err(bad_input("an operation needs --format")),
    }
}

/// Prints the result of an operation, or of one a line of `input` where a word is a lone `-`.
///
/// Returns whether every line was understood.
///
/// # Errors
/// Whatever writing to `out` or reading `input` fails with; `InvalidInput` for stochastic rounding without a seed.
fn operations(args: &CalcArgs, format: Format, out: &mut dyn Write, input: &mut dyn BufRead) -> io::Result<bool> {
    let mut policies = args.rounding.policies()?;
    let name = format.name();
    // `calc add -` reads operands, `calc -` whole lines, and without a dash the words are one line.
    let (fixed, reads) = match args.words.as_slice() {
        [dash] if dash.trim() == "-" => (Vec::new(), true),
        [op, dash] if dash.trim() == "-" => (vec![op.clone()], true),
        words => (words.to_vec(), false),
    };
    let inputs = [if reads { "-".to_owned() } else { String::new() }];
    Answers::new(out, args.json).each(&inputs, input, |answers, line| {
        let words: Vec<String> = fixed.iter().cloned().chain(split(line)).collect();
        let typed = words.join(" ");
        let computed = match words.split_first() {
            None => Err("empty: write an operation and its operands, such as add 0.1 0.2".to_owned()),
            Some((op, operands)) => Op::parse(op.trim())
                .and_then(|op| compute(op, operands, format, &mut policies).map(|computed| (op, computed))),
        };
        match computed {
            Err(error) => answers.error(if reads { line } else { typed.trim() }, &error),
            Ok((op, computed)) if answers.is_json() => {
                answers.object(&object(op, &computed, format, &name, args.rounding.rounding.name()))
            }
            Ok((op, computed)) => write_text(answers.text()?, op, &computed, format),
        }
    })
}

/// The words of a line: parted by `;` or tabs where there are any, so that expressions may have spaces; else by spaces.
fn split(line: &str) -> Vec<String> {
    let parts: Vec<&str> = if line.contains([';', '\t']) {
        // The operation may be parted from its first operand by a space.
        let (head, rest) = line.split_once([';', '\t']).unwrap_or((line, ""));
        let (op, first) = match head.trim().split_once(' ') {
            Some((op, first)) if Op::parse(op).is_ok() => (op, Some(first)),
            _ => (head, None),
        };
        std::iter::once(op).chain(first).chain(rest.split([';', '\t'])).collect()
    } else {
        line.split_whitespace().collect()
    };
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Every operand and the result are rounded under a policy of their own: each draws anew under stochastic rounding.
fn compute(op: Op, words: &[String], format: Format, policies: &mut Draws) -> Result<Computed, String> {
    if words.len() != op.operands() {
        let plural = if op.operands() == 1 { "" } else { "s" };
        return Err(format!("{} takes {} operand{plural}, not {}", op.name(), op.operands(), words.len()));
    }
    let operand = |word: &String| {
        parse_value(word).map(|literal| (word.trim().to_owned(), literal.round(format, &policies.draw())))
    };
    let operands: Vec<_> = words.iter().map(operand).collect::<Result<_, _>>()?;
    let codes: Vec<u64> = operands.iter().map(|(_, rounded)| rounded.bits).collect();
    let plain = |bits: u64| Rounded { bits, status: Status::NONE, trace: None };
    let code = codes[0];
    let policy = policies.draw();
    let (result, exact, error_ulp) = match op {
        Op::Arithmetic(operation) => {
            let outcome = format.apply(operation, &codes, &policy)?;
            let error = outcome.error_ulp().and_then(|error| error.to_significant(6));
            let exact = outcome.exact.text();
            (Some(outcome.rounded), exact, error)
        }
        Op::Decode => (Some(plain(code)), format.exact_decimal(code), Some("0".to_owned())),
        Op::NextUp => stepped(format, format.next_up(code)),
        Op::NextDown => stepped(format, format.next_down(code)),
        Op::Ulp => match format.ulp(code) {
            Some(ulp) => {
                let text = format.ulp_decimal(code).unwrap_or_default();
                (Some(format.round(&Value::Finite(ulp), &policy)), text, Some("0".to_owned()))
            }
            None => (None, String::new(), None),
        },
    };
    Ok(Computed { operands, result, policy, exact, error_ulp })
}

fn stepped(format: Format, bits: u64) -> (Option<Rounded>, String, Option<String>) {
    let rounded = Rounded { bits, status: Status::NONE, trace: None };
    (Some(rounded), format.exact_decimal(bits), Some("0".to_owned()))
}

fn object<'a>(
    op: Op,
    computed: &'a Computed,
    format: Format,
    name: &'a str,
    rounding: &'static str,
) -> Calculation<'a> {
    let bits = computed.result.as_ref().map(|result| result.bits);
    // The ULP itself is the value, also where the format has no code for it.
    let value = if op == Op::Ulp { Some(computed.exact.clone()) } else { bits.map(|bits| format.exact_decimal(bits)) };
    Calculation {
        op: op.name(),
        operands: computed.operands.iter().map(|(text, code)| Inspection::new(text, format, name, code)).collect(),
        format: name,
        rounding,
        bits: bits.map(|bits| format.hex(bits)),
        value: value.filter(|text| !text.is_empty()),
        shortest: bits.map(|bits| format.shortest(bits)),
        exact: Some(computed.exact.as_str()).filter(|text| !text.is_empty()),
        error_ulp: computed.error_ulp.as_deref(),
        flags: computed.result.as_ref().map_or_else(Vec::new, |result| result.status.names().collect()),
    }
}

fn write_text(out: &mut dyn Write, op: Op, computed: &Computed, format: Format) -> io::Result<()> {
    writeln!(out, "{} in {}", op.name(), format.label())?;
    let mut row = |name: &str, text: &str| writeln!(out, "  {name:<8} {text}");
    let flags = |status: Status| {
        let names: Vec<_> = status.names().collect();
        if names.is_empty() { String::new() } else { format!("  ({})", names.join(", ")) }
    };
    for ((text, code), name) in computed.operands.iter().zip(["a", "b", "c"]) {
        let value = shortened(&format.exact_decimal(code.bits));
        row(name, &format!("{}  {value}{}{}", format.hex(code.bits), typed(text, &value), flags(code.status)))?;
    }
    row("exact", &if computed.exact.is_empty() { "none".to_owned() } else { shortened(&computed.exact) })?;
    let Some(result) = &computed.result else {
        return Ok(());
    };
    let value = shortened(&format.exact_decimal(result.bits));
    row("result", &format!("{}  {value}  (shortest {})", format.hex(result.bits), format.shortest(result.bits)))?;
    if let Some(error) = computed.error_ulp.as_ref().filter(|error| *error != "0") {
        row("error", &format!("{error} ulp"))?;
    }
    let names: Vec<_> = result.status.names().collect();
    row("flags", &if names.is_empty() { "none".to_owned() } else { names.join(", ") })?;
    if result.trace.is_some() {
        row("why", &why(format, result, &computed.policy))?;
    }
    Ok(())
}

/// What was typed, where it is not the number itself.
fn typed(text: &str, value: &str) -> String {
    if text == value { String::new() } else { format!("  from {}", shortened(text)) }
}
