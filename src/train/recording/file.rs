//! Recorded runs on disk: JSON lines, one [`Report`] a line, the first one [`Report::Started`].
//!
//! A [`Writer`] writes to `NAME.part` and renames it when the run has ended, so a file without `.part` is whole. What
//! a killed program leaves as `.part` reads too; a last line cut short is left out.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Recording;
use crate::train::report::Report;

/// Version of the report layout that this program writes and reads.
pub const FORMAT_VERSION: u32 = 1;

/// What the recording is called in the folder of a run.
pub const RUN_FILE: &str = "run.jsonl";

/// Longest line that is read: thousands of histograms fit, a file that is no recording ends early.
const MAX_LINE: u64 = 64 << 20;

/// The name under which a recording is written until the run has ended.
#[must_use]
pub fn part_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    PathBuf::from(name)
}

/// Writes a recording while a run goes on.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    started: bool,
}

impl Writer {
    /// Creates `path.part`. An older recording under `path` stays until [`Writer::finish`].
    ///
    /// # Errors
    /// One line naming the file and the reason.
    pub fn create(path: &Path) -> Result<Self, String> {
        let part = part_path(path);
        let file = File::create(&part).map_err(|error| format!("cannot write {}: {error}", part.display()))?;
        Ok(Self { path: path.to_owned(), part, file: BufWriter::new(file), started: false })
    }

    /// Appends one report, if it is of those that are recorded.
    ///
    /// # Errors
    /// One line naming the file and the reason.
    pub fn write(&mut self, report: &Report) -> Result<(), String> {
        if !report.is_recorded() {
            return Ok(());
        }
        self.started |= matches!(report, Report::Started(_));
        let write = |file: &mut BufWriter<File>| -> std::io::Result<()> {
            serde_json::to_writer(&mut *file, report)?;
            file.write_all(b"\n")
        };
        write(&mut self.file).map_err(|error| format!("cannot write {}: {error}", self.part.display()))
    }

    /// Hands what was written so far to the operating system: from here on a kill cannot lose it.
    ///
    /// # Errors
    /// One line naming the file and the reason.
    pub fn flush(&mut self) -> Result<(), String> {
        self.file.flush().map_err(|error| format!("cannot write {}: {error}", self.part.display()))
    }

    /// Ends the recording and gives it its name; returns that, or `None` for a run that never started, of which there is
    /// nothing to keep.
    ///
    /// # Errors
    /// One line naming the file and the reason; what was written stays in `.part`.
    pub fn finish(mut self) -> Result<Option<PathBuf>, String> {
        self.flush()?;
        if !self.started {
            std::fs::remove_file(&self.part).ok();
            return Ok(None);
        }
        std::fs::rename(&self.part, &self.path)
            .map_err(|error| format!("cannot rename {} to {}: {error}", self.part.display(), self.path.display()))?;
        Ok(Some(self.path))
    }
}

/// The head of a first line: enough to tell a newer layout from a file that is no recording.
#[derive(Deserialize)]
struct Head {
    started: HeadStarted,
}

#[derive(Deserialize)]
struct HeadStarted {
    format: u32,
}

impl Recording {
    /// Reads a recorded run: the file, or the folder that holds a [`RUN_FILE`]. A last line cut short (the program
    /// was killed) is left out.
    ///
    /// # Errors
    /// One line naming the file, the line and what to do.
    pub fn read(path: &Path) -> Result<Self, String> {
        let path = resolve(path)?;
        let file = File::open(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Self::read_lines(BufReader::new(file), &path.display().to_string())
    }

    /// Reads a recorded run from `input`, called `name` in errors.
    ///
    /// # Errors
    /// One line naming the input, the line and what to do.
    pub fn read_lines(mut input: impl BufRead, name: &str) -> Result<Self, String> {
        let mut recording = Self::default();
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let length = input
                .by_ref()
                .take(MAX_LINE)
                .read_until(b'\n', &mut line)
                .map_err(|error| format!("cannot read {name}: {error}"))?;
            if length == 0 {
                break;
            }
            let whole = line.ends_with(b"\n");
            if !whole && line.len() as u64 == MAX_LINE {
                return Err(format!(
                    "{name}:{number}: the line is longer than {} MiB; is this a recorded run?",
                    MAX_LINE >> 20
                ));
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            if recording.lanes.is_empty() {
                check_head(&line).map_err(|what| format!("{name}:{number}: {what}"))?;
            }
            match serde_json::from_slice::<Report>(&line) {
                Ok(report) => {
                    recording.check(&report).map_err(|what| format!("{name}:{number}: {what}; the file is damaged"))?;
                    recording.ingest(report);
                }
                Err(_) if !whole && !recording.lanes.is_empty() => break,
                Err(error) => {
                    return Err(format!("{name}:{number}: not a report of a run ({error}); the file is damaged"));
                }
            }
        }
        if recording.lanes.is_empty() {
            return Err(format!("{name}: no recorded run in it; `halfscope train --out DIR` writes one"));
        }
        Ok(recording)
    }
}

fn check_head(line: &[u8]) -> Result<(), String> {
    let head: Head = serde_json::from_slice(line)
        .map_err(|_| "this is no recorded run of halfscope; `halfscope train --out DIR` writes one".to_owned())?;
    if head.started.format == FORMAT_VERSION {
        return Ok(());
    }
    let format = head.started.format;
    Err(format!(
        "the run is recorded in layout {format}, this program reads {FORMAT_VERSION}; use the halfscope that wrote it"
    ))
}

fn resolve(path: &Path) -> Result<PathBuf, String> {
    let file = if path.is_dir() { path.join(RUN_FILE) } else { path.to_owned() };
    if file.exists() {
        return Ok(file);
    }
    let part = part_path(&file);
    if part.exists() {
        return Ok(part);
    }
    if path.is_dir() {
        return Err(format!("{} holds no {RUN_FILE}; name the recording itself", path.display()));
    }
    Err(format!("cannot read {}: no such file", path.display()))
}
