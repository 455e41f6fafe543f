//! `halfscope inspect`: what a value becomes in each format, for people or as JSON, a line at a time.

mod block;
mod card;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::batch::Answers;
use super::rounding::RoundingArgs;
use crate::format::{BlockFormat, ByteOrder, Class, Format, Language, Literal, Rounded, Value, parse_value};

pub(super) use card::{shortened, why};

/// Arguments of `inspect`.
#[derive(clap::Args, Debug, Clone)]
pub struct InspectArgs {
    /// Values: 65519.9999, 0x1.8p3, 2^-24, 1/3, inf, nan; codes as bits fp16:0x7bff, as sign, exponent and fraction
    /// fp16:0:30:1023, as bytes in memory "fp16:le:ff 7b" or "fp16:be:7b ff"; a lone "-" reads one a line from standard
    /// input
    #[arg(value_name = "VALUE", required = true)]
    pub values: Vec<String>,
    /// Format to round to, again for more; all presets if none is given. Also custom ones: e6m9, e5m3b16-fn
    #[arg(long = "format", short = 'f', value_name = "FORMAT", value_parser = Format::parse)]
    pub formats: Vec<Format>,
    /// How to round
    #[command(flatten)]
    pub rounding: RoundingArgs,
    /// Take the values, as many as there are, as blocks of a block format: mxfp8-e4m3 mxfp8-e5m2 mxfp6-e3m2 mxfp6-e2m3
    /// mxfp4 nvfp4; a lone "-" then reads the values of one tensor a line
    #[arg(long, value_name = "BLOCK", value_parser = BlockFormat::parse, conflicts_with_all = ["formats", "literals"])]
    pub block: Option<BlockFormat>,
    /// Also say how to write the number in C, Rust, Python, WGSL and CUDA
    #[arg(long)]
    pub literals: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Marks `-2.5`, `-nan` and `-1/3` as values where a command takes numbers, so that the parser does not look for
/// options `-2`, `-n` or `-1`: it puts a space in front, which [`parse_value`] drops again.
///
/// clap's own setting for this also swallows every option that follows the first value.
#[must_use]
pub fn shield(args: Vec<OsString>) -> Vec<OsString> {
    const NUMERIC: [&str; 3] = ["inspect", "convert", "calc"];
    let mut numeric = false;
    let mark = |(at, arg): (usize, OsString)| {
        if !numeric {
            numeric = at > 0 && NUMERIC.iter().any(|name| arg == *name);
            return arg;
        }
        match arg.to_str().map(|text| text.strip_prefix('-').unwrap_or("").chars().next()) {
            // One dash and not an option: a digit, a point, a bracket, another sign, "inf", "nan", "∞", "x", "sqrt".
            Some(Some(next)) if next.is_ascii_digit() || "+.(in∞INxs\u{2212}".contains(next) => {
                let mut marked = OsString::from(" ");
                marked.push(arg);
                marked
            }
            _ => arg,
        }
    };
    args.into_iter().enumerate().map(mark).collect()
}

/// Prints every value in every chosen format to `out`, reading `input` where a value is a lone `-`.
///
/// Returns whether every value was understood.
///
/// # Errors
/// Whatever writing to `out` or reading `input` fails with; `InvalidInput` for stochastic rounding without a seed.
pub fn run(args: &InspectArgs, out: &mut dyn Write, input: &mut dyn BufRead) -> io::Result<bool> {
    let mut policies = args.rounding.policies()?;
    if let Some(format) = args.block {
        return block::run(format, args, policies, out, input);
    }
    let formats: Vec<Format> = if args.formats.is_empty() { Format::presets().collect() } else { args.formats.clone() };
    let formats: Vec<(Format, String)> = formats.into_iter().map(|format| (format, format.name())).collect();
    Answers::new(out, args.json).each(&args.values, input, |answers, text| {
        let literal = match parse_value(text) {
            Ok(literal) => literal,
            Err(error) => return answers.error(text, &error),
        };
        if !answers.is_json() {
            card::heading(answers.text()?, text, &literal)?;
        }
        for (format, name) in &formats {
            let policy = policies.draw();
            let rounded = literal.round(*format, &policy);
            if answers.is_json() {
                let mut inspection = Inspection::new(text, *format, name, &rounded);
                if args.literals {
                    inspection.literals = Some(literals(*format, rounded.bits));
                }
                answers.object(&inspection)?;
            } else {
                let out = answers.text()?;
                card::write(out, &literal, *format, &rounded, &policy)?;
                if args.literals {
                    card::literals(out, *format, rounded.bits)?;
                }
            }
        }
        Ok(())
    })
}

/// How each language writes a code.
fn literals(format: Format, bits: u64) -> BTreeMap<&'static str, Option<String>> {
    Language::ALL.into_iter().map(|language| (language.key(), format.source(bits, language))).collect()
}

/// The JSON object of one value in one format.
#[derive(Serialize, Debug)]
pub(super) struct Inspection<'a> {
    input: &'a str,
    format: &'a str,
    bits: String,
    class: &'static str,
    sign: u8,
    exponent_field: String,
    fraction_field: String,
    value: String,
    shortest: String,
    hex_float: String,
    flags: Vec<&'static str>,
    ulp: Option<String>,
    /// The bytes in memory: `00 3c`.
    bytes_le: String,
    bytes_be: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    literals: Option<BTreeMap<&'static str, Option<String>>>,
}

impl<'a> Inspection<'a> {
    /// `name` is the format's canonical one, which a batch asks for once.
    pub(super) fn new(input: &'a str, format: Format, name: &'a str, rounded: &Rounded) -> Self {
        let bits = rounded.bits;
        let field = |value: u64, width: u32| format!("0x{value:0digits$x}", digits = width.div_ceil(4).max(1) as usize);
        Self {
            input,
            format: name,
            bits: format.hex(bits),
            class: format.class(bits).name(),
            sign: u8::from(format.is_negative(bits)),
            exponent_field: field(format.exponent_field(bits), format.exponent_bits()),
            fraction_field: field(format.fraction_field(bits), format.fraction_bits()),
            value: format.exact_decimal(bits),
            shortest: format.shortest(bits),
            hex_float: format.hex_float(bits),
            flags: rounded.status.names().collect(),
            ulp: format.ulp_decimal(bits),
            bytes_le: format.bytes(bits, ByteOrder::Little),
            bytes_be: format.bytes(bits, ByteOrder::Big),
            literals: None,
        }
    }
}

/// The error of a finite result: result − typed value, and the same in ULP of the result.
pub(super) fn error_of(literal: &Literal, format: Format, bits: u64) -> Option<(String, String)> {
    if matches!(format.class(bits), Class::Infinite | Class::Nan) {
        return None;
    }
    let (Value::Finite(exact), Value::Finite(result)) = (literal.value(), format.decode(bits)) else {
        return None;
    };
    let error = result.sub(&exact).ok()?;
    let in_ulps = error.div(&format.ulp(bits)?).ok()?;
    Some((error.to_significant(6)?, in_ulps.to_significant(4)?))
}
