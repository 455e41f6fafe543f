//! `train --profile`: where the time of a step goes.

use std::io::{Write, stdout};

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::table::{Align, Table, percent};
use crate::train::Recording;
use crate::train::devices::Nature;
use crate::train::recording::Lane;

/// A lane as one JSON object; the keys of a [`Report::Profile`](crate::train::Report::Profile) mean the same here.
#[derive(Debug, Serialize)]
struct Line<'a> {
    profile: LaneTimes<'a>,
}

#[derive(Debug, Serialize)]
struct LaneTimes<'a> {
    lane: usize,
    name: &'a str,
    device: &'a str,
    /// Whether the times say nothing about a graphics processor.
    emulated: bool,
    /// Steps that were timed; the times are means of them.
    steps: u64,
    seconds: f64,
    ops: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    op: String,
    layer: String,
    seconds: f64,
    /// Of the step, 0 to 1.
    share: f64,
}

fn rows(lane: &Lane) -> Vec<Row> {
    let total = lane.times.total();
    let share = |seconds: f64| if total > 0.0 { seconds / total } else { 0.0 };
    let row = |op: crate::train::report::OpTime| {
        let share = share(op.seconds);
        Row { op: op.op, layer: op.layer, seconds: op.seconds, share }
    };
    lane.times.a_step().into_iter().map(row).collect()
}

/// Prints a table a lane, or with `json` an object a lane.
pub(super) fn print(recording: &Recording, json: bool) -> Result<(), Failure> {
    let mut out = stdout().lock();
    for (index, lane) in recording.lanes.iter().enumerate() {
        if json {
            let profile = LaneTimes {
                lane: index,
                name: &lane.info.config.lane,
                device: &lane.info.device,
                emulated: lane.is_emulated(),
                steps: lane.times.steps(),
                seconds: lane.times.total(),
                ops: rows(lane),
            };
            serde_json::to_writer(&mut out, &Line { profile }).map_err(std::io::Error::from)?;
            out.write_all(b"\n")?;
        } else {
            write!(out, "\n{}", describe(lane))?;
        }
    }
    Ok(())
}

/// The lane's ops, slowest first.
fn describe(lane: &Lane) -> String {
    let (name, device, steps) = (&lane.info.config.lane, &lane.info.device, lane.times.steps());
    if steps == 0 {
        return format!("{name} on {device}: no step was timed; take more steps\n");
    }
    let what = match Nature::of(device) {
        Nature::Emulator => ", an emulator for tests",
        Nature::Software => ", a program on the processor",
        Nature::Processor if lane.is_emulated() => ", 16 bits emulated",
        Nature::Processor | Nature::Graphics => "",
    };
    let plural = if steps == 1 { "step" } else { "steps" };
    let milliseconds = lane.times.total() * 1e3;
    let mut table =
        Table::new([("op", Align::Left), ("layer", Align::Left), ("µs", Align::Right), ("share", Align::Right)]);
    for row in rows(lane) {
        table.row([row.op, row.layer, format!("{:.1}", row.seconds * 1e6), percent(Some(row.share))]);
    }
    format!("{name} on {device}{what}: {milliseconds:.3} ms a step, op by op (mean of {steps} {plural})\n{table}")
}
