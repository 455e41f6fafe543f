//! What the commands on numbers share: values from the command line or a line at a time, answers as text or JSON.

use std::io::{self, BufRead, BufWriter, Write};

use serde::Serialize;

/// Longest line that is read. A longer one is an error object; its rest is skipped without being kept.
const MAX_LINE: usize = 16 << 20;
/// Bytes of output that are gathered while more lines are at hand.
const GATHERED: usize = 1 << 16;

/// Answers on their way out.
pub(crate) struct Answers<'a> {
    out: BufWriter<&'a mut dyn Write>,
    json: bool,
    understood: bool,
    first: bool,
}

impl<'a> Answers<'a> {
    /// Answers written to `out`, one JSON object a line or for people.
    pub(crate) fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out: BufWriter::with_capacity(GATHERED, out), json, understood: true, first: true }
    }

    /// Whether JSON is asked for.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// The place for text; a blank line parts it from the answer before.
    pub(crate) fn text(&mut self) -> io::Result<&mut dyn Write> {
        if !std::mem::take(&mut self.first) {
            writeln!(self.out)?;
        }
        Ok(&mut self.out)
    }

    /// One JSON object on a line of its own.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        self.out.write_all(b"\n")
    }

    /// Says what is wrong with an input, in its place among the answers.
    pub(crate) fn error(&mut self, input: &str, error: &str) -> io::Result<()> {
        #[derive(Serialize)]
        struct Refusal<'a> {
            input: &'a str,
            error: &'a str,
        }
        self.understood = false;
        if self.json { self.object(&Refusal { input, error }) } else { writeln!(self.text()?, "error: {error}") }
    }

    /// Answers every input: each of `inputs`, and each line of `stdin` where one is a lone `-`.
    ///
    /// Returns whether every one was understood. What is written goes out whenever the next line would have to be
    /// waited for, so that a program may ask and read in turns.
    pub(crate) fn each(
        mut self,
        inputs: &[String],
        stdin: &mut dyn BufRead,
        mut answer: impl FnMut(&mut Self, &str) -> io::Result<()>,
    ) -> io::Result<bool> {
        for input in inputs {
            if input.trim() != "-" {
                answer(&mut self, input.trim())?;
                continue;
            }
            let mut lines = Lines::new(stdin);
            loop {
                if lines.is_drained() {
                    self.out.flush()?;
                }
                match lines.next()? {
                    None => break,
                    Some(Ok(line)) => answer(&mut self, line.trim())?,
                    Some(Err((shown, error))) => self.error(&shown, error)?,
                }
            }
        }
        self.out.flush()?;
        Ok(self.understood)
    }
}

/// Lines of an input that may be anything.
struct Lines<'a> {
    input: &'a mut dyn BufRead,
    /// Bytes that lie ready in the input's buffer.
    ready: usize,
    line: Vec<u8>,
}

/// A line, or as much of it as can be shown and what is wrong with it.
type Line<'a> = Result<&'a str, (String, &'static str)>;

impl<'a> Lines<'a> {
    fn new(input: &'a mut dyn BufRead) -> Self {
        Self { input, ready: 0, line: Vec::new() }
    }

    /// Whether the next line would have to be waited for.
    const fn is_drained(&self) -> bool {
        self.ready == 0
    }

    /// The next line with its end; `None` after the last.
    fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut length = 0;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let available = buffer.len();
            // Searches with the machine's widest words.
            let mut rest = buffer;
            let used = if self.line.len() < MAX_LINE {
                rest.read_until(b'\n', &mut self.line)?
            } else {
                rest.skip_until(b'\n')?
            };
            let complete = buffer[used - 1] == b'\n';
            length += used;
            self.input.consume(used);
            self.ready = available - used;
            if complete {
                break;
            }
        }
        if length == 0 {
            self.ready = 0;
            return Ok(None);
        }
        if length > MAX_LINE {
            let shown = String::from_utf8_lossy(&self.line[..40]).into_owned();
            return Ok(Some(Err((format!("{shown}…"), "the line is longer than 16 MiB"))));
        }
        Ok(Some(std::str::from_utf8(&self.line).map_err(|_| {
            let shown = String::from_utf8_lossy(&self.line).trim().to_owned();
            (shown, "the line is not UTF-8 text")
        })))
    }
}
