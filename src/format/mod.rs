//! Numbers: formats as data, exact values, one rounding function. Pure functions on bits; no I/O, no threads.
//!
//! Everything that shows or checks a number calls this room: the `inspect` command, the Bits view, the histogram's
//! class borders and the tests of the engine. Every value is exact until it is rounded once, to the format asked for;
//! the result carries its flags and the bits the decision was made from, so that the faces explain without guessing.
//!
//! ```
//! use halfscope::format::{Format, Policy, Status, parse_value};
//!
//! // Through FP32 this would become 65520 and then infinity; directly it is the largest FP16 number.
//! let typed = parse_value("65519.9999")?;
//! let half = typed.round(Format::FP16, &Policy::default());
//! assert_eq!(Format::FP16.hex(half.bits), "0x7bff");
//! assert_eq!(half.status, Status::INEXACT);
//!
//! // A tenth in FP16: what it is, and how few digits bring it back.
//! let tenth = parse_value("0.1")?.round(Format::FP16, &Policy::default());
//! assert_eq!(Format::FP16.exact_decimal(tenth.bits), "0.0999755859375");
//! assert_eq!(Format::FP16.shortest(tenth.bits), "0.1");
//! # Ok::<(), halfscope::format::ParseError>(())
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `spec`, `names` | [`Format`]: its fields, what follows from them, what it is called |
//! | `exact` | [`Exact`] rationals and the 128-bit [`Prefix`] that decides a rounding |
//! | `value` | [`Value`]: what a code means |
//! | `policy`, `draws`, `status` | the choices of a rounding, its random bits, the flags it raises |
//! | `round` | the one rounding function |
//! | `nearest` | conversions and roots to nearest even by the billion |
//! | `neighbours`, `mistake` | next up, next down, ULP, limits, and what is often mistaken |
//! | `census` | how many numbers lie in a window or a binade |
//! | `operation`, `arithmetic`, `exact_operations` | add … fma, remainders, roots, minima: exact, then rounded once |
//! | `chain` | conversions one after another, and the smallest number that they spoil |
//! | `update`, `dot`, `accumulation` | a weight and its update, dot products step by step |
//! | `sweep` | a function of one variable over a range of inputs, in a format and exactly |
//! | `block` | elements under a shared scale: MX, NVFP4 |
//! | `literal`, `expression`, `code`, `error`, `error_line` | text in: values, functions, codes by bits, fields and bytes; [`ParseError`]: why it was refused |
//! | `text`, `decimal`, `source` | text out, for people and for compilers |

mod accumulation;
mod arithmetic;
mod block;
mod census;
mod chain;
mod code;
mod decimal;
mod dot;
mod draws;
mod error;
mod error_line;
mod exact;
mod exact_operations;
mod expression;
mod literal;
mod mistake;
mod names;
mod nearest;
mod neighbours;
mod operation;
mod policy;
mod reason;
mod round;
mod source;
mod spec;
mod status;
mod sweep;
mod text;
mod update;
mod value;

pub use accumulation::{Accumulation, Order};
pub use arithmetic::{ExactResult, Outcome};
pub use block::{Block, BlockFormat, Element, ScaleRule};
pub use census::{Binade, Stretch};
pub use chain::{Chain, ChainEvent, Link, Witness, smallest_witness};
pub use code::{ByteOrder, CodeField};
pub use dot::{Dot, DotPlan, DotStep};
pub use draws::Draws;
pub use error::ParseError;
pub use exact::{Exact, ExactError, MAX_BITS, Prefix};
pub use expression::Expression;
pub use literal::{Literal, parse_value, parse_values};
pub use mistake::Mistake;
pub use neighbours::Limits;
pub use operation::Operation;
pub use policy::{NanPolicy, Policy, Rounding, Tininess};
pub use reason::{Border, Reason};
pub use round::{Direction, Rounded, Trace};
pub use source::Language;
pub use spec::{Format, Specials};
pub use status::Status;
pub use sweep::{Group, Sample, Sweep, SweepError, Swept};
pub use text::{ExactParts, Formula};
pub use update::{Chance, UpdatePlan, Updates, WeightUpdate};
pub use value::{Class, Nan, Value};
