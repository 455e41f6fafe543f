//! What one operation of one device was seen to do.

use super::Coverage;
use super::departure::{Departure, Example, Verdict};
use super::right::right;
use crate::format::Format;
use crate::train::backend::Primitive;

/// How many examples of each departure a report keeps.
const EXAMPLES: usize = 3;

/// What one operation of one device was seen to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The operation.
    pub primitive: Primitive,
    /// What does it there, in a word or two: an instruction set, an instruction, a function, or "integers".
    pub instruction: &'static str,
    /// How much was to be asked.
    pub coverage: Coverage,
    /// How many inputs that is.
    pub planned: u64,
    /// How many inputs it was asked: fewer if it was stopped.
    pub asked: u64,
    /// Results with exactly the right bits.
    pub right: u64,
    /// The largest distance of a wrong number from the right one, in codes; `None` if there is no such number. Infinities, NaNs
    /// and numbers of the other sign have no distance: [`count`](Self::count) tells how many there were.
    pub farthest: Option<u64>,
    /// The first results of each departure, in the order of [`Departure::ALL`] and of the inputs.
    pub examples: Vec<Example>,
    departures: [u64; Departure::ALL.len()],
}

impl Observation {
    /// Nothing seen yet.
    pub(super) const fn new(primitive: Primitive, instruction: &'static str, coverage: Coverage, planned: u64) -> Self {
        Self {
            primitive,
            instruction,
            coverage,
            planned,
            asked: 0,
            right: 0,
            farthest: None,
            examples: Vec::new(),
            departures: [0; Departure::ALL.len()],
        }
    }

    /// What a part of the answers shows, beside those in `before`.
    pub(super) fn of(before: &Self, operands: [&[u32]; 3], seen: &[u32]) -> Self {
        let mut part = Self::new(before.primitive, before.instruction, before.coverage, before.planned);
        let fp32 = Format::FP32;
        // What is asked by the billion is compared in loops of its own.
        match before.primitive {
            Primitive::Narrow => part.compare_one(operands[0], seen, |a| fp32.nearest(a, Format::FP16)),
            Primitive::NarrowBf16 => part.compare_one(operands[0], seen, |a| fp32.nearest(a, Format::BF16)),
            Primitive::Sqrt => part.compare_one(operands[0], seen, |a| fp32.nearest_root(a)),
            primitive => part.compare(operands, seen, |row| right(primitive, row)),
        }
        part.asked = seen.len() as u64;
        part
    }

    /// Results of operations of one operand.
    #[inline]
    fn compare_one(&mut self, operands: &[u32], seen: &[u32], right: impl Fn(u64) -> u64) {
        for (&a, &seen) in operands.iter().zip(seen) {
            self.compare_row([a, 0, 0], right(u64::from(a)) as u32, seen);
        }
    }

    fn compare(&mut self, operands: [&[u32]; 3], seen: &[u32], right: impl Fn([u32; 3]) -> u32) {
        for (at, &seen) in seen.iter().enumerate() {
            let row = operands.map(|column| column.get(at).copied().unwrap_or(0));
            self.compare_row(row, right(row), seen);
        }
    }

    #[inline]
    fn compare_row(&mut self, operands: [u32; 3], right: u32, seen: u32) {
        if seen == right {
            self.right += 1;
        } else {
            self.depart(operands, right, seen);
        }
    }

    fn depart(&mut self, operands: [u32; 3], right: u32, seen: u32) {
        let departure = Departure::of(self.primitive, operands, right, seen);
        let example = Example { departure, operands, right, seen };
        let count = &mut self.departures[departure as usize];
        *count += 1;
        if *count <= EXAMPLES as u64 {
            self.examples.push(example);
        }
        if departure == Departure::Off {
            self.farthest = self.farthest.max(Some(example.distance()));
        }
    }

    /// Adds what later inputs showed.
    pub(super) fn absorb(&mut self, later: Self) {
        self.asked += later.asked;
        self.right += later.right;
        self.farthest = self.farthest.max(later.farthest);
        for example in later.examples {
            let kept = self.examples.iter().filter(|kept| kept.departure == example.departure).count();
            if kept < EXAMPLES {
                self.examples.push(example);
            }
        }
        self.examples.sort_by_key(|example| example.departure); // stable: inputs stay in order
        for (sum, more) in self.departures.iter_mut().zip(later.departures) {
            *sum += more;
        }
    }

    /// How many results differ from the right one in this way.
    #[must_use]
    pub const fn count(&self, departure: Departure) -> u64 {
        self.departures[departure as usize]
    }

    /// The departures that occurred, with their counts, in the order of [`Departure::ALL`].
    pub fn departures(&self) -> impl Iterator<Item = (Departure, u64)> + '_ {
        Departure::ALL.into_iter().map(|departure| (departure, self.count(departure))).filter(|(_, count)| *count > 0)
    }

    fn total(&self, verdict: Verdict) -> u64 {
        self.departures().filter(|(departure, _)| departure.verdict() == verdict).map(|(_, count)| count).sum()
    }

    /// NaNs where a NaN is right, with another sign or payload than the canonical one.
    #[must_use]
    pub fn other_nan(&self) -> u64 {
        self.total(Verdict::OtherNan)
    }

    /// Results that are right once subnormal operands or results are taken for zeros.
    #[must_use]
    pub fn flushed(&self) -> u64 {
        self.total(Verdict::Flushed)
    }

    /// All others that are not right.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.total(Verdict::Wrong)
    }

    /// Whether all that was planned was asked.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.asked == self.planned
    }
}
