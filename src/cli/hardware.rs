//! `halfscope hardware`: what the devices of this machine really do, beside the exact results.

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::Failure;
use super::interrupt::Interrupt;
use super::table::{Align, Table, grouped};
use crate::export::{departed, observed, save};
use crate::i18n::Lang;
use crate::observe::{BackendKind, Coverage, Observation, Place, Primitive, Request, Subject, formats};
use crate::train::backend::{Availability, availability};
use crate::train::devices::Nature;
use crate::train::session::processors;

/// Compares the exact results with what this machine's devices really do.
#[derive(Debug, Clone, Args)]
pub(crate) struct HardwareArgs {
    /// Which device: cpu, wgpu or cuda; all that are here if not said
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Which graphics processor wgpu uses, if there are several: a part of its name, as `doctor` prints it
    #[arg(long, value_name = "TEXT")]
    adapter: Option<String>,
    /// Only these operations: fp32-to-fp16, fp16-to-fp32, fp32-to-bf16, add, mul, div, sqrt, fma
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    operation: Vec<String>,
    /// Ask all 2^32 operands of conversions and roots, which takes minutes. The other operations are asked the chosen inputs, as
    /// without this
    #[arg(long)]
    exhaustive: bool,
    /// Print examples of results that were not right, with what happened
    #[arg(long)]
    examples: bool,
    /// Threads that compare; all processors if not said
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print one JSON object a line: one per device and operation
    #[arg(long)]
    json: bool,
    /// Write those lines to a file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The devices that are asked for, or all that are here.
fn places(args: &HardwareArgs) -> Result<Vec<Place>, Failure> {
    let place = |kind: BackendKind| {
        let adapter = args.adapter.clone().filter(|_| kind == BackendKind::Wgpu);
        Place { kind, adapter }
    };
    let Some(name) = &args.backend else {
        let here = |kind: &BackendKind| matches!(availability(*kind), Availability::Ready { .. });
        return Ok(Place::KINDS.into_iter().filter(here).map(place).collect());
    };
    let found = Place::KINDS.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
    found
        .map(|kind| vec![place(kind)])
        .ok_or_else(|| Failure::Input(format!("no device `{name}`; there are: cpu, wgpu, cuda")))
}

/// Runs the command.
pub(crate) fn run(args: &HardwareArgs) -> Result<(), Failure> {
    let named: Result<Vec<_>, _> = args.operation.iter().map(|name| Primitive::parse(name)).collect();
    let named = named.map_err(Failure::Input)?;
    let operations = if named.is_empty() { Primitive::ALL.to_vec() } else { named };
    let threads = args.threads.unwrap_or_else(processors);
    if threads == 0 {
        return Err(Failure::Input("--threads is 0; give at least 1".to_owned()));
    }
    let coverage = if args.exhaustive { Coverage::All } else { Coverage::Chosen };
    let request = Request { coverage, threads };
    let places = places(args)?;
    let interrupt = Interrupt::install();
    let mut lines = Vec::new();
    let mut stopped = None;
    for place in places {
        let subject = place.open().map_err(Failure::Run)?;
        let seen = device(&subject, &operations, request, &interrupt)?;
        let text = observed(&subject.device(), &seen).map_err(Failure::Run)?;
        print(args, &subject, &seen, &text)?;
        lines.extend_from_slice(&text);
        if interrupt.hit() {
            stopped = Some(seen.last().map_or_else(String::new, covered));
            break;
        }
    }
    if let Some(path) = &args.out {
        save(path, &lines).map_err(Failure::Run)?;
    }
    if let Some(covered) = stopped {
        super::say(&format!("stopped{covered}; the report holds what was seen until then"));
        return Err(Failure::Interrupted);
    }
    if !args.json {
        super::say(
            "an observation of these devices and drivers, not the truth; flushed: right once subnormals are taken for zeros",
        );
    }
    Ok(())
}

/// Asks a device, operation by operation, until Ctrl-C.
fn device(
    subject: &Subject,
    operations: &[Primitive],
    request: Request,
    interrupt: &Interrupt,
) -> Result<Vec<Observation>, Failure> {
    let name = subject.device();
    if request.coverage == Coverage::All && matches!(Nature::of(&name), Nature::Software | Nature::Emulator) {
        super::say(&format!(
            "{name} is a program on the processor: all inputs take it minutes each time; --backend and --adapter choose another, \
             Ctrl-C ends it with a report"
        ));
    }
    let mut all = Vec::new();
    for &primitive in operations {
        if request.coverage == Coverage::All {
            super::say_unless_bar(&format!("{name}: {}", primitive.name()));
        }
        let bar = bar(primitive, request.coverage);
        let seen = subject.observe(primitive, request, &mut |seen| {
            bar.set_position(seen.asked);
            if interrupt.hit() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        all.push(seen.map_err(Failure::Run)?);
        if interrupt.hit() {
            break;
        }
    }
    Ok(all)
}

/// A bar on standard error; hidden by itself where that is no terminal.
fn bar(primitive: Primitive, coverage: Coverage) -> ProgressBar {
    let bar = ProgressBar::new(coverage.inputs(primitive));
    if let Ok(style) = ProgressStyle::with_template("{prefix:13} {bar:30} {percent:>3} %  {eta}") {
        bar.set_style(style);
    }
    bar.set_prefix(primitive.name());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// How far the last operation came.
fn covered(seen: &Observation) -> String {
    let name = seen.primitive.name();
    format!(": {name} was asked {} of {} inputs", grouped(seen.asked), grouped(seen.planned))
}

fn print(args: &HardwareArgs, subject: &Subject, seen: &[Observation], lines: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if args.json {
        out.write_all(lines)?;
        return Ok(());
    }
    write!(out, "{}", table(&subject.device(), seen))?;
    if args.examples {
        seen.iter().map(examples).try_for_each(|text| write!(out, "{text}"))?;
    }
    Ok(())
}

/// A device's operations, one a row.
fn table(device: &str, seen: &[Observation]) -> Table {
    let mut table = Table::new([
        (device, Align::Left),
        ("done by", Align::Left),
        ("inputs", Align::Right),
        ("right", Align::Right),
        ("other NaN", Align::Right),
        ("flushed", Align::Right),
        ("wrong", Align::Right),
        ("farthest", Align::Right),
    ]);
    for seen in seen {
        table.row([
            seen.primitive.name().to_owned(),
            seen.instruction.to_owned(),
            grouped(seen.asked),
            grouped(seen.right),
            grouped(seen.other_nan()),
            grouped(seen.flushed()),
            grouped(seen.wrong()),
            seen.farthest.map_or_else(|| "–".to_owned(), |codes| format!("{} ULP", grouped(codes))),
        ]);
    }
    table
}

/// What was not right about an operation, with examples that `inspect` reads.
fn examples(seen: &Observation) -> String {
    let (from, to) = formats(seen.primitive);
    let code = |format: crate::format::Format, bits: u32| format!("{}:{}", format.name(), format.hex(u64::from(bits)));
    let mut text = format!("{} by {}: {}\n", seen.primitive.name(), seen.instruction, seen.primitive.formula());
    for (departure, count) in seen.departures() {
        // writing to a String cannot fail
        let _ = writeln!(text, "  {} × {}: {}", grouped(count), departure.name(), departed(departure).text(Lang::En));
        for example in seen.examples.iter().filter(|example| example.departure == departure) {
            let operands: Vec<_> =
                example.operands[..seen.primitive.operands()].iter().map(|&bits| code(from, bits)).collect();
            let (right, got) = (code(to, example.right), code(to, example.seen));
            let _ = writeln!(text, "    {}  right {right}  seen {got}", operands.join(" "));
        }
    }
    if seen.right == seen.asked {
        text.push_str("  every result was right to the bit\n");
    }
    text
}
