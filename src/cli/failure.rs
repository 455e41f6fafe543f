//! Why a command ends without success, and the exit code that says so.

use std::io;
use std::process::ExitCode;

/// Why a command ends without success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// What was typed or what a file holds is wrong: exit code 1.
    Input(String),
    /// It could not run or could not write: exit code 2.
    Run(String),
    /// A batch had bad lines, each of which was said where it stood: exit code 1.
    BadLines,
    /// Ctrl-C; what was recorded is whole: exit code 130, which shells know as that.
    Interrupted,
    /// Whoever read the output has read enough, as `head` does: exit code 0.
    Closed,
}

impl Failure {
    /// One line for standard error; `None` where all was said.
    pub(crate) fn line(&self) -> Option<String> {
        match self {
            // what a file or a system says may hold line breaks
            Self::Input(what) | Self::Run(what) => {
                Some(format!("error: {}", what.split_whitespace().collect::<Vec<_>>().join(" ")))
            }
            Self::BadLines | Self::Interrupted | Self::Closed => None,
        }
    }

    /// The code that the program exits with.
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Input(_) | Self::BadLines => ExitCode::from(1),
            Self::Run(_) => ExitCode::from(2),
            Self::Interrupted => ExitCode::from(130),
            Self::Closed => ExitCode::SUCCESS,
        }
    }

    /// A failure to write the output.
    pub(crate) fn output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Closed
        } else {
            Self::Run(format!("cannot write the output: {error}"))
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::output(&error)
    }
}
