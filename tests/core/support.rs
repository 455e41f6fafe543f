//! What several tests need.

use std::ffi::OsString;
use std::io::{self, Cursor};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use clap::Parser as _;
use halfscope::cli::calc::{self, CalcArgs};
use halfscope::cli::convert::{self, ConvertArgs};
use halfscope::cli::formats::{self, TableArgs};
use halfscope::cli::inspect::{self, InspectArgs, shield};

/// A folder that is gone when the test is.
#[derive(Debug)]
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// A new, empty folder.
    pub(crate) fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("halfscope-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Deref for TemporaryFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Whether `HALFSCOPE_REQUIRE` names a thing, so that tests that need it must not be skipped.
pub(crate) fn require(what: &str) -> bool {
    std::env::var("HALFSCOPE_REQUIRE").is_ok_and(|list| list.split(',').any(|name| name == what))
}

/// Says something where a person who runs the tests sees it.
#[expect(clippy::print_stdout, reason = "what a test says is for the person who runs it")]
pub(crate) fn say(what: &str) {
    println!("{what}");
}

/// Says that a test was not run, and why.
pub(crate) fn skipped(what: &str, reason: &str) {
    say(&format!("skipped: {what}: {reason}"));
}

#[derive(clap::Parser)]
enum Command {
    Calc(Box<CalcArgs>),
    Convert(ConvertArgs),
    Inspect(InspectArgs),
    Table(TableArgs),
}

/// Runs a command about numbers on this input: whether all was understood, and what it printed. Words are parted by single spaces.
pub(crate) fn try_run(line: &str, input: &str) -> io::Result<(bool, String)> {
    let words = std::iter::once("halfscope").chain(line.split(' ')).map(OsString::from).collect();
    let mut out = Vec::new();
    let mut input = Cursor::new(input.as_bytes().to_vec());
    let understood = match Command::try_parse_from(shield(words)).map_err(io::Error::other)? {
        Command::Calc(args) => calc::run(&args, &mut out, &mut input),
        Command::Convert(args) => convert::run(&args, &mut out, &mut input),
        Command::Inspect(args) => inspect::run(&args, &mut out, &mut input),
        Command::Table(args) => formats::run(&args, &mut out),
    }?;
    Ok((understood, String::from_utf8(out).unwrap()))
}
