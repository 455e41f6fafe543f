//! `halfscope inspect --block`: values as blocks, a shared scale and elements.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::InspectArgs;
use crate::cli::batch::Answers;
use crate::cli::table::{Align, Table};
use crate::format::{Block, BlockFormat, Draws, Element, Exact, Format};
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text};

/// Digits of the numbers in a table.
const DIGITS: u32 = 6;

/// The JSON object of one block.
#[derive(Serialize)]
struct BlockObject<'a> {
    input: &'a str,
    block: String,
    /// Which block of the values, from 1.
    number: usize,
    largest: String,
    tensor_scale: String,
    scale_format: String,
    scale: String,
    scale_value: String,
    element_format: String,
    elements: Vec<ElementObject>,
}

/// One element in JSON.
#[derive(Serialize)]
struct ElementObject {
    /// The value as given.
    value: String,
    bits: String,
    /// What the code stands for.
    element: String,
    /// What the block holds: element × scale.
    stored: String,
    /// Stored − value; null for infinities and NaNs.
    error: Option<String>,
    flags: Vec<&'static str>,
}

/// Prints the values as blocks, or those of each line of `input`.
pub(super) fn run(
    format: BlockFormat,
    args: &InspectArgs,
    mut draws: Draws,
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> io::Result<bool> {
    let words: Vec<&str> = args.values.iter().map(|word| word.trim()).collect();
    Answers::new(out, args.json).each(&[words.join(" ")], input, |answers, text| {
        let blocks = match format.read(text, &mut draws) {
            Ok(blocks) => blocks,
            Err(error) => return answers.error(text, &error.to_string()),
        };
        for (at, block) in blocks.iter().enumerate() {
            if answers.is_json() {
                answers.object(&object(text, at + 1, block))?;
            } else {
                write(answers.text()?, at + 1, block)?;
            }
        }
        Ok(())
    })
}

fn write(out: &mut dyn Write, number: usize, block: &Block) -> io::Result<()> {
    let format = block.format;
    let costs = words::bits_per_value(Lang::En, &format.bits_per_value().to_string(), block.elements.len());
    writeln!(out, "{}: {costs}", words::block(Lang::En, number, &format.name()))?;
    let (scale, bits) = (format.scale, block.scale.bits);
    let tensor = if block.tensor_scale == Exact::power_of_two(0) {
        String::new()
    } else {
        format!(" × {}", block.tensor_scale.to_significant(DIGITS).unwrap_or_default())
    };
    let from = words::largest_of(Lang::En, &block.largest.to_significant(DIGITS).unwrap_or_default());
    let value = scale.exact_decimal(bits);
    let name = Text::SharedScale.text(Lang::En);
    writeln!(out, "  {name}  {} {} = {value}{tensor}  ({from})", scale.label(), scale.hex(bits))?;
    let label = format.element.label();
    let heads = ["  value", "code", &label, "held", "error", "flags"];
    let mut table = Table::new(heads.map(|head| (head, Align::Left)));
    for element in &block.elements {
        let Element { value, rounded, stored, .. } = element;
        let flags: Vec<_> = rounded.status.names().collect();
        table.row([
            format!("  {}", value.to_significant(DIGITS)),
            format.element.hex(rounded.bits),
            format.element.value_text(rounded.bits, Format::VALUE_WIDTH),
            stored.to_significant(DIGITS),
            element.error().and_then(|error| error.to_significant(DIGITS)).unwrap_or_default(),
            flags.join(", "),
        ]);
    }
    write!(out, "{table}")
}

fn object<'a>(input: &'a str, number: usize, block: &Block) -> BlockObject<'a> {
    let format = block.format;
    let element = |element: &Element| ElementObject {
        value: element.value.text(),
        bits: format.element.hex(element.rounded.bits),
        element: format.element.exact_decimal(element.rounded.bits),
        stored: element.stored.text(),
        error: element.error().map(|error| error.number_text()),
        flags: element.rounded.status.names().collect(),
    };
    BlockObject {
        input,
        block: format.name(),
        number,
        largest: block.largest.number_text(),
        tensor_scale: block.tensor_scale.number_text(),
        scale_format: format.scale.name(),
        scale: format.scale.hex(block.scale.bits),
        scale_value: format.scale.exact_decimal(block.scale.bits),
        element_format: format.element.name(),
        elements: block.elements.iter().map(element).collect(),
    }
}
