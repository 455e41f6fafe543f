//! `halfscope hardware`: what the devices of this machine really do, beside the exact results.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::table::{Align, Table, grouped};
use crate::export::save;
use crate::observe::{Observation, observe};
use crate::train::backend::{Availability, Primitive, availability, open};
use crate::train::config::BackendKind;

/// Compares the exact results with what this machine's devices really do.
#[derive(Debug, Clone, Args)]
pub(crate) struct HardwareArgs {
    /// Which device: cpu, wgpu or cuda; all that are here if not said
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Print one JSON object a line: one per device and operation
    #[arg(long)]
    json: bool,
    /// Write those lines to a file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// One operation of one device, as JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
    device: &'a str,
    operation: &'static str,
    inputs: u64,
    right: u64,
    other_nan: u64,
    flushed: u64,
    wrong: u64,
    farthest: Option<u64>,
    examples: Vec<LineExample>,
}

#[derive(Debug, Serialize)]
struct LineExample {
    operands: [String; 2],
    right: String,
    seen: String,
}

fn line<'a>(device: &'a str, seen: &Observation) -> Line<'a> {
    let hex = |bits: u32| format!("0x{bits:08x}");
    let example = |example: &crate::observe::Example| LineExample {
        operands: example.operands.map(hex),
        right: hex(example.right),
        seen: hex(example.seen),
    };
    Line {
        device,
        operation: seen.primitive.name(),
        inputs: seen.asked,
        right: seen.right,
        other_nan: seen.other_nan,
        flushed: seen.flushed,
        wrong: seen.wrong,
        farthest: seen.farthest,
        examples: seen.examples.iter().map(example).collect(),
    }
}

/// The devices that are asked for, or all that are here.
fn kinds(wanted: Option<&str>) -> Result<Vec<BackendKind>, Failure> {
    const DEVICES: [BackendKind; 3] = [BackendKind::Cpu, BackendKind::Wgpu, BackendKind::Cuda];
    let Some(name) = wanted else {
        let here = |kind: &BackendKind| matches!(availability(*kind), Availability::Ready { .. });
        return Ok(DEVICES.into_iter().filter(here).collect());
    };
    let found = DEVICES.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
    found
        .map(|kind| vec![kind])
        .ok_or_else(|| Failure::Input(format!("no device `{name}`; there are: cpu, wgpu, cuda")))
}

/// Runs the command.
pub(crate) fn run(args: &HardwareArgs) -> Result<(), Failure> {
    let mut lines = Vec::new();
    let mut out = stdout().lock();
    for kind in kinds(args.backend.as_deref())? {
        let backend = open(kind, 1).map_err(Failure::Run)?;
        let device = backend.device();
        let mut table = Table::new([
            (device.as_str(), Align::Left),
            ("inputs", Align::Right),
            ("right", Align::Right),
            ("other NaN", Align::Right),
            ("flushed", Align::Right),
            ("wrong", Align::Right),
            ("farthest", Align::Right),
        ]);
        for primitive in Primitive::ALL {
            let seen = observe(backend.as_ref(), primitive).map_err(Failure::Run)?;
            let mut text =
                serde_json::to_vec(&line(&device, &seen)).map_err(|error| Failure::Run(error.to_string()))?;
            text.push(b'\n');
            lines.extend_from_slice(&text);
            if args.json {
                out.write_all(&text)?;
            }
            table.row([
                primitive.name().to_owned(),
                grouped(seen.asked),
                grouped(seen.right),
                grouped(seen.other_nan),
                grouped(seen.flushed),
                grouped(seen.wrong),
                seen.farthest.map_or_else(|| "–".to_owned(), |codes| format!("{codes} ULP")),
            ]);
        }
        if !args.json {
            write!(out, "{table}")?;
        }
    }
    if let Some(path) = &args.out {
        save(path, &lines).map_err(Failure::Run)?;
    }
    if !args.json {
        super::say(
            "an observation of these devices and drivers, not the truth; flushed: right once subnormals are taken for zeros",
        );
    }
    Ok(())
}
