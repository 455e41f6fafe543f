//! How many lines a second `inspect -` answers, and how long one of 100,000 digits takes.

use std::hint::black_box;
use std::io::{Cursor, sink};

use clap::Parser;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use halfscope::cli::inspect::{self, InspectArgs};
use halfscope::format::{Format, Operation, Policy, parse_value};

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    args: InspectArgs,
}

fn arguments(format: &str) -> InspectArgs {
    let words = ["inspect", "-", "--format", format, "--json"];
    Command::try_parse_from(words).map(|command| command.args).expect("these arguments are right")
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Short decimals as people and programs write them: whole numbers, a few digits behind the point, small exponents.
fn short_lines(count: usize) -> String {
    let mut state = 0x2545_f491_4f6c_dd1d;
    let mut line = |at: usize| {
        let [a, b] = [next(&mut state), next(&mut state)];
        let sign = if a >> 63 == 0 { "" } else { "-" };
        match at % 3 {
            0 => format!("{sign}{}.{:04}\n", a % 100, b % 10_000),
            1 => format!("{sign}{}.{:05}e{}\n", a % 10, b % 100_000, (a >> 32) as i64 % 12 - 8),
            _ => format!("{sign}{}\n", a % 70_000),
        }
    };
    (0..count).map(&mut line).collect()
}

fn batch(criterion: &mut Criterion) {
    const LINES: usize = 100_000;
    let text = short_lines(LINES);
    let mut group = criterion.benchmark_group("inspect/batch");
    group.throughput(Throughput::Elements(LINES as u64)).sample_size(10);
    for format in ["fp16", "bf16", "e4m3", "fp32", "fp64"] {
        let args = arguments(format);
        group.bench_with_input(BenchmarkId::from_parameter(format), &text, |bencher, text| {
            bencher.iter(|| inspect::run(&args, &mut sink(), &mut Cursor::new(black_box(text))));
        });
    }
    group.finish();
}

fn long(criterion: &mut Criterion) {
    let digits: String = (0..100_000).map(|at| char::from(b'1' + (at * 7 % 9) as u8)).collect();
    let mut group = criterion.benchmark_group("inspect/100000 digits");
    for (name, text) in [("fraction", format!("0.{digits}\n")), ("exponent", format!("{digits}e-100100\n"))] {
        let args = arguments("fp64");
        group.bench_with_input(BenchmarkId::from_parameter(name), &text, |bencher, text| {
            bencher.iter(|| inspect::run(&args, &mut sink(), &mut Cursor::new(black_box(text))));
        });
    }
    group.finish();
}

fn operations(criterion: &mut Criterion) {
    let code = |text: &str| parse_value(text).map(|literal| literal.round(Format::FP32, &Policy::default()).bits);
    let codes = ["0.1", "-3.75e5", "1e-7"].map(|text| code(text).unwrap_or_default());
    let mut group = criterion.benchmark_group("calc/fp32");
    for operation in [Operation::Add, Operation::Mul, Operation::Div, Operation::Sqrt, Operation::Fma] {
        let operands = &codes[..operation.operands()];
        group.bench_with_input(BenchmarkId::from_parameter(operation.name()), operands, |bencher, operands| {
            bencher.iter(|| Format::FP32.apply(operation, black_box(operands), &Policy::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, batch, long, operations);
criterion_main!(benches);
