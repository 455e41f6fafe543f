//! The command line; the only room that prints.
//!
//! `main` calls [`main`], which parses the arguments, runs a command or the window, and turns what went wrong into one
//! line on standard error and an exit code. Data goes to standard output, talk to standard error.
//!
//! | exit code | means |
//! |---|---|
//! | 0 | done |
//! | 1 | bad input: an argument, a file, a line of a batch |
//! | 2 | it could not run or could not write |
//! | 130 | stopped by Ctrl-C; what was recorded is whole |
//!
//! ```
//! use std::process::ExitCode;
//! let code = halfscope::cli::run(["halfscope", "train", "--preset", "nonsense"]); // error: no preset `nonsense`; …
//! assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(1)));
//! ```

mod batch;
pub mod calc;
pub mod convert;
mod demo;
mod doctor;
mod failure;
mod follow;
pub mod formats;
mod hardware;
mod histogram;
pub mod inspect;
mod interrupt;
mod rounding;
mod scale;
mod table;
mod train;
mod window;

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// An oscilloscope for half precision: bit layouts, live mixed-precision training, exponent histograms of every gradient.
#[derive(Debug, Parser)]
#[command(
    name = "halfscope",
    version,
    after_help = "With no command the window opens. Exit codes: 0 done, 1 bad input, 2 could not run, 130 stopped by Ctrl-C."
)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    window: window::WindowArgs,
}

/// What can be done without the window.
#[derive(Debug, Subcommand)]
enum Command {
    /// The main job with no window: train, find the loss scale, write histograms and a summary
    Demo(demo::DemoArgs),
    /// What a value becomes in a format, bit by bit
    Inspect(inspect::InspectArgs),
    /// A value through several formats, each step beside the direct conversion
    Convert(convert::ConvertArgs),
    /// One operation in a format, with the exact result beside the rounded one
    Calc(calc::CalcArgs),
    /// All numbers of a small format, or the limits of every format
    Table(formats::TableArgs),
    /// Show what a link says: in the window, or with --print in the terminal
    Open(window::OpenArgs),
    /// Train lanes side by side, from a preset or a file
    Train(Box<train::TrainArgs>),
    /// The histograms of a recorded run, as a table, a chart or a picture
    Histogram(Box<histogram::HistogramArgs>),
    /// What is here, what is missing and how to get it
    Doctor(doctor::DoctorArgs),
    Hardware(hardware::HardwareArgs),
}

/// Runs the program on its own arguments and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Runs the program on these arguments, the first of which is its name.
#[must_use]
pub fn run<T: Into<OsString> + Clone>(args: impl IntoIterator<Item = T>) -> ExitCode {
    match outcome(args.into_iter().map(Into::into).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(line) = failure.line() {
                say(&line);
            }
            failure.code()
        }
    }
}

/// Parses the arguments and does what they say.
fn outcome(args: Vec<OsString>) -> Result<(), Failure> {
    // negative numbers are values of `inspect`, not options
    match Args::try_parse_from(inspect::shield(args)) {
        Ok(args) => dispatch(&args),
        Err(error) => usage(&error),
    }
}

fn dispatch(args: &Args) -> Result<(), Failure> {
    match &args.command {
        None => window::run(&args.window),
        Some(Command::Demo(args)) => demo::run(args),
        Some(Command::Inspect(args)) => numbers(inspect::run(args, &mut stdout().lock(), &mut stdin().lock())),
        Some(Command::Convert(args)) => numbers(convert::run(args, &mut stdout().lock(), &mut stdin().lock())),
        Some(Command::Calc(args)) => numbers(calc::run(args, &mut stdout().lock(), &mut stdin().lock())),
        Some(Command::Table(args)) => numbers(formats::run(args, &mut stdout().lock())),
        Some(Command::Open(args)) => window::open_link(args),
        Some(Command::Train(args)) => train::run(args),
        Some(Command::Histogram(args)) => histogram::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Hardware(args)) => hardware::run(args),
    }
}

/// How a command on numbers ends: whether it understood all of its input, or why it stopped.
fn numbers(result: io::Result<bool>) -> Result<(), Failure> {
    match result {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::BadLines),
        Err(error) if error.kind() == ErrorKind::InvalidInput => Err(Failure::Input(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// What clap has to say: help and version are no errors, the rest is one line.
fn usage(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render().to_string();
    if matches!(error.kind(), clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion) {
        write!(stdout(), "{text}")?;
        return Ok(());
    }
    // clap's own lines: what is wrong, hints, then the usage, which `--help` tells better
    let said = text.split("\nUsage:").next().unwrap_or_default();
    let said = said.split("\nFor more information").next().unwrap_or_default();
    let said = said.trim().trim_start_matches("error: ");
    Err(Failure::Input(format!("{said}; see --help")))
}

/// One line of talk on standard error. Where nobody listens there is nothing to do about it.
fn say(line: &str) {
    writeln!(stderr(), "{line}").ok();
}

/// Talk that a progress bar makes needless.
fn say_unless_bar(line: &str) {
    if !stderr().is_terminal() {
        say(line);
    }
}
