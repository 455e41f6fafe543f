//! The command line; the only room that prints.

pub mod inspect;

use std::process::ExitCode;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
