//! Truth beside the hardware: what a device's own instructions do, compared with the exact results.
//!
//! A device may flush subnormals, round a quotient to one of several neighbours or give NaN another payload; standards and
//! shading languages allow much of it. What is found here is an observation of one device with one driver, never the truth.
//! Called by the command line; the backends run the operations, `format` says what is right.
//!
//! ```
//! use halfscope::observe::observe;
//! use halfscope::train::backend::{Primitive, open};
//! use halfscope::train::config::BackendKind;
//!
//! let processor = open(BackendKind::Cpu, 1)?;
//! let seen = observe(processor.as_ref(), Primitive::Sqrt)?;
//! assert_eq!(seen.right + seen.other_nan + seen.flushed + seen.wrong, seen.asked);
//! # Ok::<(), String>(())
//! ```

mod inputs;

use crate::format::{Format, Operation, Policy};
use crate::train::backend::{Backend, Primitive};

/// How many examples a report keeps.
const EXAMPLES: usize = 4;

/// What one operation of one device was seen to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The operation.
    pub primitive: Primitive,
    /// How many inputs it was asked.
    pub asked: u64,
    /// Results with exactly the right bits.
    pub right: u64,
    /// NaNs where a NaN is right, with another sign or payload than the canonical one.
    pub other_nan: u64,
    /// Results that are right once subnormal operands or results are taken for zeros.
    pub flushed: u64,
    /// All others.
    pub wrong: u64,
    /// The largest distance of a wrong finite result from the right one, in codes; `None` if none is wrong or one is not finite.
    pub farthest: Option<u64>,
    /// The first results that were not right: operands, right bits, seen bits.
    pub examples: Vec<Example>,
}

/// One result that was not right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Bits of the operands; the second is not used by operations of one.
    pub operands: [u32; 2],
    /// The right bits.
    pub right: u32,
    /// What the device gave.
    pub seen: u32,
}

/// Formats of operands and result.
const fn formats(primitive: Primitive) -> (Format, Format) {
    match primitive {
        Primitive::Narrow => (Format::FP32, Format::FP16),
        Primitive::Widen => (Format::FP16, Format::FP32),
        _ => (Format::FP32, Format::FP32),
    }
}

/// The exact result, rounded once to nearest even.
fn right(primitive: Primitive, [a, b]: [u32; 2]) -> u32 {
    let policy = Policy::default();
    let (from, to) = formats(primitive);
    let (a, b) = (u64::from(a), u64::from(b));
    let operation = match primitive {
        Primitive::Narrow | Primitive::Widen => return from.convert(a, to, &policy).bits as u32,
        Primitive::Add => Operation::Add,
        Primitive::Mul => Operation::Mul,
        Primitive::Div => Operation::Div,
        Primitive::Sqrt => Operation::Sqrt,
    };
    let operands = if operation == Operation::Sqrt { vec![a] } else { vec![a, b] };
    from.apply(operation, &operands, &policy).map_or(0, |outcome| outcome.rounded.bits as u32)
}

/// Bits of a format's magnitude, its infinity's bits and its smallest normal's.
const fn layout(format: Format) -> (u32, u32, u32) {
    match format.width() {
        16 => (0x7fff, 0x7c00, 0x0400),
        _ => (0x7fff_ffff, 0x7f80_0000, 0x0080_0000),
    }
}

/// A subnormal turned into the zero of its sign.
const fn flushed(format: Format, bits: u32) -> u32 {
    let (magnitude, _, normal) = layout(format);
    if bits & magnitude < normal { bits & !magnitude } else { bits }
}

/// Asks a device what one of its operations does.
///
/// # Errors
/// One line: not enough memory, a lost device.
pub fn observe(backend: &dyn Backend, primitive: Primitive) -> Result<Observation, String> {
    let pairs = inputs::of(primitive);
    let (a, b): (Vec<u32>, Vec<u32>) = pairs.iter().map(|&[a, b]| (a, b)).unzip();
    let seen = backend.observe(primitive, &a, &b)?;
    let mut report = Observation {
        primitive,
        asked: pairs.len() as u64,
        right: 0,
        other_nan: 0,
        flushed: 0,
        wrong: 0,
        farthest: None,
        examples: Vec::new(),
    };
    let mut farthest = Some(0);
    for (&operands, &seen) in pairs.iter().zip(&seen) {
        report.count(operands, seen, &mut farthest);
    }
    report.farthest = farthest.filter(|_| report.wrong > 0);
    Ok(report)
}

impl Observation {
    fn count(&mut self, operands: [u32; 2], seen: u32, farthest: &mut Option<u64>) {
        let right = right(self.primitive, operands);
        if seen == right {
            self.right += 1;
            return;
        }
        let (from, to) = formats(self.primitive);
        let (magnitude, infinity, _) = layout(to);
        let is_nan = |bits: u32| bits & magnitude > infinity;
        if is_nan(right) && is_nan(seen) {
            self.other_nan += 1;
            return;
        }
        if self.is_flushed(operands, right, seen, (from, to)) {
            self.flushed += 1;
        } else {
            self.wrong += 1;
            let finite = |bits: u32| bits & magnitude < infinity;
            let same_sign = (right ^ seen) & !magnitude == 0;
            let distance = u64::from((right & magnitude).abs_diff(seen & magnitude));
            *farthest = farthest.filter(|_| finite(right) && finite(seen) && same_sign).map(|far| far.max(distance));
        }
        if self.examples.len() < EXAMPLES {
            self.examples.push(Example { operands, right, seen });
        }
    }

    /// Whether the result is right once subnormals are zeros, of the operands, of the result or of both.
    fn is_flushed(&self, operands: [u32; 2], right_bits: u32, seen: u32, (from, to): (Format, Format)) -> bool {
        let poor = right(self.primitive, operands.map(|bits| flushed(from, bits)));
        let zero_of_either_sign = |bits: u32| flushed(to, bits) & layout(to).0 == 0 && seen & layout(to).0 == 0;
        [right_bits, poor].iter().any(|&bits| seen == flushed(to, bits) || zero_of_either_sign(bits)) || seen == poor
    }
}
