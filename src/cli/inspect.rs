//! `halfscope inspect`: what a value becomes in each format, for people or as JSON, a line at a time.

mod card;

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};

use serde::Serialize;

use crate::format::{Class, Format, Literal, NanPolicy, Policy, Rounded, Rounding, Tininess, Value, parse_value};

/// Longest line that is read. A longer one is an error object; its rest is skipped without being kept.
const MAX_LINE: u64 = 16 << 20;

/// Arguments of `inspect`.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(clap::Args, Debug, Clone)]
pub struct InspectArgs {
    /// Values: 65519.9999, 0x1.8p3, 2^-24, 1/3, fp16:0x7bff, inf, nan; a lone "-" reads one a line from standard input
    #[arg(value_name = "VALUE", required = true)]
    pub values: Vec<String>,
    /// Format to round to, again for more; all presets if none is given. Also custom ones: e6m9, e5m3b16-fn
    #[arg(long = "format", short = 'f', value_name = "FORMAT", value_parser = Format::parse)]
    pub formats: Vec<Format>,
    /// Rounding: rne rna rtz rup rdn rto (to odd) sr (stochastic, needs --seed)
    #[arg(long, value_name = "MODE", default_value = "rne", value_parser = Rounding::parse)]
    pub rounding: Rounding,
    /// Clamp overflow and infinities to the largest finite number
    #[arg(long)]
    pub saturate: bool,
    /// When a result counts as tiny for the underflow flag: after or before rounding
    #[arg(long, value_name = "WHEN", default_value = "after", value_parser = tininess)]
    pub tininess: Tininess,
    /// Flush subnormal results to zero
    #[arg(long)]
    pub ftz: bool,
    /// Take subnormal operands (codes of another format) as zero
    #[arg(long)]
    pub daz: bool,
    /// What a NaN keeps: quiet (its sign), payload (sign and payload) or canonical (nothing)
    #[arg(long, value_name = "POLICY", default_value = "quiet", value_parser = nan_policy)]
    pub nan: NanPolicy,
    /// Seed of stochastic rounding
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

fn tininess(text: &str) -> Result<Tininess, String> {
    match text.to_ascii_lowercase().as_str() {
        "after" => Ok(Tininess::After),
        "before" => Ok(Tininess::Before),
        _ => Err("use after or before".to_owned()),
    }
}

fn nan_policy(text: &str) -> Result<NanPolicy, String> {
    match text.to_ascii_lowercase().as_str() {
        "quiet" => Ok(NanPolicy::Quiet),
        "payload" => Ok(NanPolicy::Payload),
        "canonical" => Ok(NanPolicy::Canonical),
        _ => Err("use quiet, payload or canonical".to_owned()),
    }
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
            // One dash and not an option: a digit, a point, a bracket, another sign, "inf", "nan", "∞".
            Some(Some(next)) if next.is_ascii_digit() || "+.(in∞IN\u{2212}".contains(next) => {
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
    if matches!(args.rounding, Rounding::Sr { .. }) && args.seed.is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "stochastic rounding (sr) needs --seed N"));
    }
    let formats = if args.formats.is_empty() { Format::presets().collect() } else { args.formats.clone() };
    let mut printer = Printer { args, formats, out, draws: args.seed.unwrap_or(0), understood: true, first: true };
    for value in &args.values {
        if value.trim() == "-" {
            while let Some(line) = read_line(input)? {
                match line {
                    Ok(line) => printer.text(&line)?,
                    Err((line, error)) => printer.error(&line, &error)?,
                }
            }
        } else {
            printer.text(value)?;
        }
    }
    printer.out.flush()?;
    Ok(printer.understood)
}

/// A line, or what is wrong with it and as much of it as can be shown; `None` at the end.
type Line = Option<Result<String, (String, String)>>;

fn read_line(input: &mut dyn BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    if input.take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let complete = bytes.last() == Some(&b'\n');
    if !complete && bytes.len() as u64 == MAX_LINE && !input.fill_buf()?.is_empty() {
        skip_line(input)?;
        let shown = String::from_utf8_lossy(&bytes[..40]).into_owned();
        return Ok(Some(Err((format!("{shown}…"), format!("the line is longer than {} MiB", MAX_LINE >> 20)))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let shown = String::from_utf8_lossy(error.as_bytes()).trim().to_owned();
        (shown, "the line is not UTF-8 text".to_owned())
    })))
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|b| *b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

struct Printer<'a> {
    args: &'a InspectArgs,
    formats: Vec<Format>,
    out: &'a mut dyn Write,
    /// State of the generator behind stochastic rounding.
    draws: u64,
    understood: bool,
    first: bool,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) -> io::Result<()> {
        let text = text.trim();
        match parse_value(text) {
            Ok(literal) => self.value(text, &literal),
            Err(error) => self.error(text, &error),
        }
    }

    fn value(&mut self, text: &str, literal: &Literal) -> io::Result<()> {
        if !self.args.json {
            card::heading(self.out, text, literal, self.first)?;
        }
        self.first = false;
        for at in 0..self.formats.len() {
            let (format, policy) = (self.formats[at], self.policy());
            let rounded = literal.round(format, &policy);
            if self.args.json {
                serde_json::to_writer(&mut *self.out, &Inspection::new(text, format, &rounded))?;
                writeln!(self.out)?;
            } else {
                card::write(self.out, literal, format, &rounded, &policy)?;
            }
        }
        Ok(())
    }

    fn error(&mut self, text: &str, error: &str) -> io::Result<()> {
        #[derive(Serialize)]
        struct Refusal<'a> {
            input: &'a str,
            error: &'a str,
        }
        self.understood = false;
        if self.args.json {
            serde_json::to_writer(&mut *self.out, &Refusal { input: text, error })?;
            writeln!(self.out)
        } else {
            let gap = if std::mem::take(&mut self.first) { "" } else { "\n" };
            writeln!(self.out, "{gap}error: {error}")
        }
    }

    /// The policy of the next rounding: each draws its own 64 random bits (`SplitMix64`) from the seed.
    fn policy(&mut self) -> Policy {
        let rounding = if let Rounding::Sr { .. } = self.args.rounding {
            self.draws = self.draws.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.draws ^ (self.draws >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            Rounding::Sr { random: mixed ^ (mixed >> 31) }
        } else {
            self.args.rounding
        };
        let InspectArgs { saturate, ftz, daz, tininess, nan, .. } = *self.args;
        Policy { rounding, saturate, ftz, daz, tininess, nan }
    }
}

/// The JSON object of one value in one format.
#[derive(Serialize, Debug)]
pub(super) struct Inspection<'a> {
    input: &'a str,
    format: String,
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
}

impl<'a> Inspection<'a> {
    pub(super) fn new(input: &'a str, format: Format, rounded: &Rounded) -> Self {
        let bits = rounded.bits;
        let field = |value: u64, width: u32| format!("0x{value:0digits$x}", digits = width.div_ceil(4).max(1) as usize);
        Self {
            input,
            format: format.name(),
            bits: format.hex(bits),
            class: format.class(bits).name(),
            sign: u8::from(format.is_negative(bits)),
            exponent_field: field(format.exponent_field(bits), format.exponent_bits()),
            fraction_field: field(format.fraction_field(bits), format.fraction_bits()),
            value: format.exact_decimal(bits),
            shortest: format.shortest(bits),
            hex_float: format.hex_float(bits),
            flags: rounded.status.names().collect(),
            ulp: format.ulp(bits).and_then(|ulp| ulp.to_decimal()),
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
