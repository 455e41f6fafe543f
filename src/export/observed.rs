//! What devices were seen to do, as lines of JSON: the same bytes from the window and the command line.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::format::Format;
use crate::observe::{Example, Observation, formats};

/// One operation of one device.
#[derive(Debug, Serialize)]
struct Line<'a> {
    device: &'a str,
    operation: &'static str,
    by: &'static str,
    coverage: &'static str,
    planned: u64,
    inputs: u64,
    right: u64,
    other_nan: u64,
    flushed: u64,
    wrong: u64,
    /// Codes between the right number and the farthest wrong one; null where none is wrong.
    farthest: Option<u64>,
    departures: BTreeMap<&'static str, u64>,
    examples: Vec<LineExample>,
}

#[derive(Debug, Serialize)]
struct LineExample {
    departure: &'static str,
    operands: Vec<String>,
    right: String,
    seen: String,
}

/// The report about a device: one JSON object a line, one line an operation.
///
/// # Errors
/// One line, which never comes: what is written is numbers and words.
pub fn observed(device: &str, observations: &[Observation]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for seen in observations {
        serde_json::to_writer(&mut bytes, &line(device, seen)).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

fn line<'a>(device: &'a str, seen: &Observation) -> Line<'a> {
    let primitive = seen.primitive;
    let (from, to) = formats(primitive);
    let hex = |format: Format, bits: u32| format.hex(u64::from(bits));
    let example = |example: &Example| LineExample {
        departure: example.departure.name(),
        operands: example.operands[..primitive.operands()].iter().map(|&bits| hex(from, bits)).collect(),
        right: hex(to, example.right),
        seen: hex(to, example.seen),
    };
    Line {
        device,
        operation: primitive.name(),
        by: seen.instruction,
        coverage: seen.coverage.name(),
        planned: seen.planned,
        inputs: seen.asked,
        right: seen.right,
        other_nan: seen.other_nan(),
        flushed: seen.flushed(),
        wrong: seen.wrong(),
        farthest: seen.farthest,
        departures: seen.departures().map(|(departure, count)| (departure.name(), count)).collect(),
        examples: seen.examples.iter().map(example).collect(),
    }
}
