//! `halfscope convert`: a value through several formats, each link beside the direct conversion.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::batch::Answers;
use super::inspect::{Inspection, shortened};
use super::rounding::{RoundingArgs, bad_input};
use super::table::{Align, Table};
use crate::export::happened;
use crate::format::{Chain, Format, Link, Literal, Policy, Rounded, Value, Witness, parse_value, smallest_witness};
use crate::i18n::Lang;

/// Arguments of `convert`.
#[derive(clap::Args, Debug, Clone)]
pub struct ConvertArgs {
    /// Values, as `inspect` takes them; a lone "-" reads one a line from standard input
    #[arg(value_name = "VALUE", required_unless_present = "witness")]
    pub values: Vec<String>,
    /// The formats to go through, in order: fp32,fp16,e4m3
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', required = true, value_parser = Format::parse)]
    pub via: Vec<Format>,
    /// Search the smallest positive number that the chain turns into something else than the direct conversion does;
    /// the first format is where it is searched
    #[arg(long)]
    pub witness: bool,
    /// How to round
    #[command(flatten)]
    pub rounding: RoundingArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// A link in JSON: what `inspect` says of its code, and what happened.
#[derive(Serialize)]
struct LinkObject<'a> {
    #[serde(flatten)]
    inspection: Inspection<'a>,
    events: Vec<&'static str>,
}

/// The JSON object of one value.
#[derive(Serialize)]
struct Conversion<'a> {
    input: &'a str,
    rounding: &'static str,
    links: Vec<LinkObject<'a>>,
    /// The value in the last format, rounded once.
    direct: Inspection<'a>,
    differs: bool,
}

/// The JSON object of a search.
#[derive(Serialize)]
struct Search<'a> {
    via: &'a [String],
    rounding: &'static str,
    /// The whole conversion of the witness; null if there is none.
    witness: Option<Conversion<'a>>,
    /// The code of the last format up to which was searched; null where nothing was left out.
    searched_below: Option<String>,
}

/// Prints every value's way through the formats, reading `input` where a value is a lone `-`; or the smallest witness.
///
/// Returns whether every value was understood.
///
/// # Errors
/// Whatever writing to `out` or reading `input` fails with; `InvalidInput` for options that make no sense together.
pub fn run(args: &ConvertArgs, out: &mut dyn Write, input: &mut dyn BufRead) -> io::Result<bool> {
    let mut policies = args.rounding.policies()?;
    let names: Vec<String> = args.via.iter().map(|format| format.name()).collect();
    let rounding = args.rounding.rounding.name();
    if args.witness {
        if !args.values.is_empty() {
            return Err(bad_input("--witness finds the value: give none"));
        }
        let found = smallest_witness(&args.via, &policies.draw()).map_err(bad_input)?;
        let answers = Answers::new(out, args.json);
        return answers.each(&[String::new()], input, |answers, _| {
            write_witness(answers, found, &args.via, &names, &policies.draw(), rounding)
        });
    }
    Answers::new(out, args.json).each(&args.values, input, |answers, text| {
        let literal = match parse_value(text) {
            Ok(literal) => literal,
            Err(error) => return answers.error(text, &error.to_string()),
        };
        let chain = Chain::of(&literal, &args.via, &policies.draw());
        if answers.is_json() {
            let object = conversion(text, &chain, &names, rounding);
            return object.map_or(Ok(()), |object| answers.object(&object));
        }
        write_text(answers.text()?, text, &literal, &chain)
    })
}

fn conversion<'a>(text: &'a str, chain: &Chain, names: &'a [String], rounding: &'static str) -> Option<Conversion<'a>> {
    let last = chain.links.last()?;
    let links = chain.links.iter().zip(names).map(|(link, name)| LinkObject {
        inspection: Inspection::new(text, link.format, name, &link.rounded),
        events: link.events.iter().map(|event| event.name()).collect(),
    });
    Some(Conversion {
        input: text,
        rounding,
        links: links.collect(),
        direct: Inspection::new(text, last.format, names.last()?, &last.direct),
        differs: chain.differs(),
    })
}

fn write_witness(
    answers: &mut Answers<'_>,
    found: Witness,
    formats: &[Format],
    names: &[String],
    policy: &Policy,
    rounding: &'static str,
) -> io::Result<()> {
    let literal = match (found, formats.first()) {
        (Witness::Found(bits), Some(&format)) => Some(Literal::Bits { format, bits }),
        _ => None,
    };
    let code = |bits: u64| formats.last().map(|format| format!("{}:{}", format.name(), format.hex(bits)));
    let searched_below = if let Witness::NoneBelow(bits) = found { code(bits) } else { None };
    let Some(literal) = literal else {
        if answers.is_json() {
            return answers.object(&Search { via: names, rounding, witness: None, searched_below });
        }
        let how_far = searched_below.map_or_else(String::new, |code| format!(" below {code}; beyond was not searched"));
        return writeln!(answers.text()?, "no positive number differs{how_far}");
    };
    let chain = Chain::of(&literal, formats, policy);
    let text = match &literal {
        Literal::Bits { format, bits } => format!("{}:{}", format.name(), format.hex(*bits)),
        Literal::Value(_) => String::new(),
    };
    if answers.is_json() {
        let witness = conversion(&text, &chain, names, rounding);
        return answers.object(&Search { via: names, rounding, witness, searched_below: None });
    }
    write_text(answers.text()?, &text, &literal, &chain)
}

fn write_text(out: &mut dyn Write, text: &str, literal: &Literal, chain: &Chain) -> io::Result<()> {
    let meaning = match (literal, literal.value()) {
        (Literal::Bits { .. }, Value::Finite(exact)) => {
            format!("  = {}", shortened(&exact.to_decimal().unwrap_or_default()))
        }
        _ => String::new(),
    };
    writeln!(out, "{}{meaning}", shortened(text))?;
    let mut table = Table::new(["  ", "code", "value", "flags", "what happened"].map(|name| (name, Align::Left)));
    for link in &chain.links {
        table.row(row(&link.format.label(), link.format, &link.rounded, &events(link)));
    }
    if let Some(last) = chain.links.last() {
        table.row(row("directly", last.format, &last.direct, ""));
    }
    write!(out, "{table}")?;
    let end = if chain.differs() { "the chain ends elsewhere" } else { "the chain ends where the direct way does" };
    writeln!(out, "{end}")
}

fn row(name: &str, format: Format, rounded: &Rounded, what: &str) -> [String; 5] {
    let flags: Vec<_> = rounded.status.names().collect();
    let value = format.value_text(rounded.bits, Format::VALUE_WIDTH);
    [format!("  {name}"), format.hex(rounded.bits), value, flags.join(", "), what.to_owned()]
}

fn events(link: &Link) -> String {
    link.events.iter().map(|event| happened(*event).text(Lang::En)).collect::<Vec<_>>().join("; ")
}
