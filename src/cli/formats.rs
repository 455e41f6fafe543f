//! `halfscope table`: all numbers of a small format, or the limits of every format.

use std::io::{self, Write};

use serde::Serialize;

use super::rounding::bad_input;
use super::table::{Align, Table};
use crate::export::mistaken;
use crate::format::{Exact, Format, Mistake, Specials};
use crate::i18n::Lang;

/// Widest format whose numbers are listed.
const WIDEST: u32 = 8;

/// Arguments of `table`.
#[derive(clap::Args, Debug, Clone)]
pub struct TableArgs {
    /// List all numbers of this format of up to 8 bits, again for more; with --limits its limits, whatever its width
    #[arg(long = "format", short = 'f', value_name = "FORMAT", value_parser = Format::parse)]
    pub formats: Vec<Format>,
    /// The limits instead of the numbers; without --format those of every preset
    #[arg(long)]
    pub limits: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// One number in JSON.
#[derive(Serialize)]
struct Row<'a> {
    format: &'a str,
    bits: String,
    class: &'static str,
    sign: u8,
    value: String,
    shortest: String,
    hex_float: String,
}

/// The limits of a format in JSON; numbers as exact decimals.
#[derive(Serialize)]
struct LimitsRow<'a> {
    format: &'a str,
    width: u32,
    exponent_bits: u32,
    fraction_bits: u32,
    bias: i32,
    specials: &'static str,
    max_bits: String,
    max: String,
    overflow_threshold: String,
    min_normal: String,
    min_subnormal: Option<String>,
    epsilon: String,
    exact_integers: String,
    infinity: bool,
    nan: bool,
    negative_zero: bool,
    mistakes: Vec<&'static str>,
}

/// Prints the tables.
///
/// # Errors
/// Whatever writing to `out` fails with; `InvalidInput` for a format too wide to be listed.
pub fn run(args: &TableArgs, out: &mut dyn Write) -> io::Result<bool> {
    let mut out = io::BufWriter::new(out);
    if args.limits || args.formats.is_empty() {
        let formats = if args.formats.is_empty() { Format::presets().collect() } else { args.formats.clone() };
        write_limits(&mut out, &formats, args.json)?;
    } else {
        if let Some(wide) = args.formats.iter().find(|format| format.width() > WIDEST) {
            let (name, width) = (wide.name(), wide.width());
            return Err(bad_input(format!(
                "{name} has {width} bits; formats of up to {WIDEST} are listed, and --limits takes any"
            )));
        }
        for (at, format) in args.formats.iter().enumerate() {
            if at > 0 && !args.json {
                writeln!(out)?;
            }
            write_numbers(&mut out, *format, args.json)?;
        }
    }
    out.flush()?;
    Ok(true)
}

fn write_numbers(out: &mut dyn Write, format: Format, json: bool) -> io::Result<()> {
    let name = format.name();
    let rows = (0..=format.mask()).map(|bits| Row {
        format: &name,
        bits: format.hex(bits),
        class: format.class(bits).name(),
        sign: u8::from(format.is_negative(bits)),
        value: format.exact_decimal(bits),
        shortest: format.shortest(bits),
        hex_float: format.hex_float(bits),
    });
    if json {
        return rows.into_iter().try_for_each(|row| write_object(out, &row));
    }
    writeln!(out, "{}, {} codes", format.label(), format.mask() + 1)?;
    let mut table =
        Table::new([("code", Align::Left), ("bits", Align::Left), ("value", Align::Right), ("class", Align::Left)]);
    for (bits, row) in rows.enumerate() {
        let binary = format!("{bits:0width$b}", width = format.width() as usize);
        table.row([row.bits, binary, row.value, row.class.to_owned()]);
    }
    write!(out, "{table}")
}

fn write_limits(out: &mut dyn Write, formats: &[Format], json: bool) -> io::Result<()> {
    let about = |exact: &Exact| exact.to_significant(9).unwrap_or_default();
    let mut table = Table::new([
        ("format", Align::Left),
        ("bits", Align::Right),
        ("largest", Align::Right),
        ("overflows at", Align::Right),
        ("min normal", Align::Right),
        ("min subnormal", Align::Right),
        ("epsilon", Align::Right),
        ("whole to", Align::Right),
        ("special codes", Align::Left),
    ]);
    for format in formats {
        let limits = format.limits();
        if json {
            let name = format.name();
            write_object(out, &limits_row(*format, &name))?;
            continue;
        }
        table.row([
            format.label(),
            format.width().to_string(),
            about(&limits.max_finite),
            about(&limits.overflow_threshold),
            about(&limits.min_normal),
            limits.min_subnormal.as_ref().map_or_else(|| "none".to_owned(), about),
            about(&limits.epsilon),
            about(&limits.exact_integers),
            specials(*format).to_owned(),
        ]);
    }
    if json {
        return Ok(());
    }
    write!(out, "{table}")?;
    let said: Vec<_> = formats.iter().flat_map(|format| format.mistakes()).collect();
    if !said.is_empty() {
        writeln!(out, "\nOften mistaken:")?;
    }
    said.iter().try_for_each(|what| writeln!(out, "  {}", right(**what)))
}

fn limits_row(format: Format, name: &str) -> LimitsRow<'_> {
    let limits = format.limits();
    let decimal = |exact: &Exact| exact.to_decimal().unwrap_or_default();
    LimitsRow {
        format: name,
        width: format.width(),
        exponent_bits: format.exponent_bits(),
        fraction_bits: format.fraction_bits(),
        bias: format.bias(),
        specials: specials(format),
        max_bits: format.hex(format.max_finite_code()),
        max: decimal(&limits.max_finite),
        overflow_threshold: decimal(&limits.overflow_threshold),
        min_normal: decimal(&limits.min_normal),
        min_subnormal: limits.min_subnormal.as_ref().map(decimal),
        epsilon: decimal(&limits.epsilon),
        exact_integers: decimal(&limits.exact_integers),
        infinity: format.has_infinity(),
        nan: format.has_nan(),
        negative_zero: format.has_negative_zero(),
        mistakes: format.mistakes().iter().map(|what| right(*what)).collect(),
    }
}

fn specials(format: Format) -> &'static str {
    match format.specials() {
        Specials::Ieee => "infinity, NaN",
        Specials::NanOnly => "NaN, no infinity",
        Specials::Finite => "none",
        Specials::Fnuz => "one NaN, one zero",
        Specials::Scale => "one NaN, no zero",
    }
}

/// What is right instead.
const fn right(mistake: Mistake) -> &'static str {
    mistaken(mistake).text(Lang::En)
}

fn write_object(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}
