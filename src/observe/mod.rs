//! Truth beside the hardware: what a device's own instructions do, compared with the exact results.
//!
//! A device may flush subnormals, round a quotient to one of several neighbours or give NaN another payload; standards and
//! shading languages allow much of it. What is found here is an observation of one device with one driver, never the truth.
//! Called by the command line and the window, which know devices only as a [`Place`] that opens to a [`Subject`]; the backends
//! run the operations, `format` says what is right.
//!
//! ```
//! use std::ops::ControlFlow;
//! use halfscope::observe::{Place, Primitive, Request};
//!
//! let processor = Place::CPU.open()?;
//! let seen = processor.observe(Primitive::Sqrt, Request::default(), &mut |_| ControlFlow::Continue(()))?;
//! assert_eq!(seen.asked, seen.planned);
//! assert_eq!(seen.right + seen.other_nan() + seen.flushed() + seen.wrong(), seen.asked);
//! # Ok::<(), String>(())
//! ```

mod departure;
mod inputs;
mod observation;
mod place;
mod right;

use std::ops::ControlFlow;
use std::thread;

pub use crate::train::backend::{IN_INTEGERS, Primitive};
pub use crate::train::config::BackendKind;
pub use departure::{Departure, Example, Verdict};
pub use observation::Observation;
pub use place::{Found, Place, Subject};
pub use right::formats;

use crate::train::backend::Backend;
use inputs::Inputs;

/// Rows that a device is asked at once: enough to keep it busy, few enough to stop soon.
const ROWS: u64 = 1 << 21;

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Coverage {
    /// Every border where an operation can go wrong, and many values in between.
    #[default]
    Chosen,
    /// Every operand there is, for operations of one; the others are asked the chosen ones.
    All,
}

impl Coverage {
    /// Both, in the order in which lists show them.
    pub const ALL: [Self; 2] = [Self::Chosen, Self::All];

    /// The name in reports and links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::All => "all",
        }
    }

    /// Reads a name.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|coverage| coverage.name() == name);
        found.ok_or_else(|| "use chosen or all".to_owned())
    }

    /// How many inputs an operation is asked.
    #[must_use]
    pub fn inputs(self, primitive: Primitive) -> u64 {
        Inputs::of(primitive, self).total()
    }
}

/// What is asked, and by how many threads the answers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// How much is asked.
    pub coverage: Coverage,
    /// Threads that compare; at least 1. The report does not depend on them.
    pub threads: usize,
}

impl Default for Request {
    fn default() -> Self {
        Self { coverage: Coverage::Chosen, threads: 1 }
    }
}

/// Operands in columns and what the device gave for each row.
struct Answers {
    operands: [Vec<u32>; 3],
    seen: Vec<u32>,
}

/// Asks a device what one of its operations does. After every piece `watch` is told what was seen so far, and says whether to
/// go on; where it stops, what was seen is the report. Answers are compared while the device does the next piece.
///
/// # Errors
/// One line: not enough memory, a lost device.
pub fn observe(
    backend: &dyn Backend,
    primitive: Primitive,
    request: Request,
    watch: &mut dyn FnMut(&Observation) -> ControlFlow<()>,
) -> Result<Observation, String> {
    let mut inputs = Inputs::of(primitive, request.coverage);
    let mut report = Observation::new(primitive, backend.instruction(primitive), request.coverage, inputs.total());
    let mut waiting: Option<Answers> = None;
    loop {
        let (checked, next) = thread::scope(|scope| -> Result<_, String> {
            let before = &report;
            let checkers = waiting.as_ref().map_or_else(Vec::new, |answers| {
                let pieces = answers.pieces(request.threads);
                let check = |(operands, seen)| scope.spawn(move || Observation::of(before, operands, seen));
                pieces.into_iter().map(check).collect()
            });
            let next = match inputs.take(ROWS) {
                Some(operands) => {
                    let seen = backend.observe(primitive, operands.each_ref().map(Vec::as_slice))?;
                    Some(Answers { operands, seen })
                }
                None => None,
            };
            let checked = checkers.into_iter().map(|checker| checker.join().map_err(|_| GAVE_UP.to_owned()));
            Ok((checked.collect::<Result<Vec<_>, _>>()?, next))
        })?;
        if waiting.is_some() {
            for piece in checked {
                report.absorb(piece);
            }
            if watch(&report).is_break() {
                return Ok(report);
            }
        }
        waiting = next;
        if waiting.is_none() {
            return Ok(report);
        }
    }
}

/// A thread that compares does nothing that can fail.
const GAVE_UP: &str = "comparing the results failed; please report how to repeat it";

impl Answers {
    /// The rows in so many pieces, in order.
    fn pieces(&self, threads: usize) -> Vec<([&[u32]; 3], &[u32])> {
        let rows = self.seen.len();
        let size = rows.div_ceil(threads.max(1)).max(1);
        let piece = |start: usize| {
            let range = start..rows.min(start + size);
            let columns = self.operands.each_ref().map(|column| column.get(range.clone()).unwrap_or(&[]));
            (columns, &self.seen[range])
        };
        (0..rows).step_by(size).map(piece).collect()
    }
}
