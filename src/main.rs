//! Parses the arguments, then hands over to the window or a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    halfscope::cli::main()
}
