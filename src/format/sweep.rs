//! A function of one variable over a range of inputs: what a format makes of it, operation by operation, beside what it is.

use super::draws::Draws;
use super::exact::Exact;
use super::expression::Expression;
use super::policy::{Policy, Rounding};
use super::spec::Format;
use super::value::Value;

/// What is swept.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The function.
    pub function: Expression,
    /// Format of the inputs and of every operation.
    pub format: Format,
    /// How the operations are rounded; each input begins anew with a seed of its own.
    pub policy: Policy,
    /// The seed of stochastic rounding.
    pub seed: u64,
    first: u64,
    numbers: u64,
}

/// One input and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The input.
    pub x: u64,
    /// The function in the format.
    pub computed: u64,
    /// The function itself; `None` where it has no value, such as 1/0.
    pub exact: Option<Exact>,
    /// How far the one is from the other.
    pub error: SweepError,
}

/// How far a computed value is from the exact one.
#[derive(Debug, Clone, PartialEq)]
pub enum SweepError {
    /// So many ULPs of the format at the exact value, without a sign.
    Ulps(Exact),
    /// An infinity or NaN where the exact value rounds to a number, or the other way round.
    NoNumber,
    /// There is no exact value to compare with.
    Undefined,
}

impl Sweep {
    /// The most inputs that are computed: every number of a 16-bit format; of wider ones as many, evenly spread over the
    /// numbers of the range.
    pub const MOST: u64 = 1 << 16;

    /// A function over the numbers of a format from `low` to `high`, both included.
    ///
    /// # Errors
    /// One line: the format has no numbers there.
    pub fn new(function: Expression, format: Format, (low, high): (&Value, &Value)) -> Result<Self, String> {
        let Some(stretch) = format.numbers_from(low, high) else {
            let ends = [low, high].map(|end| end.to_significant(6));
            return Err(format!("{} has no numbers from {} to {}", format.label(), ends[0], ends[1]));
        };
        let (first, numbers) = (stretch.first, stretch.count);
        Ok(Self { function, format, policy: Policy::default(), seed: 0, first, numbers })
    }

    /// How many numbers the range has.
    #[must_use]
    pub const fn numbers(&self) -> u64 {
        self.numbers
    }

    /// How many of them are computed.
    #[must_use]
    pub const fn inputs(&self) -> u64 {
        if self.numbers < Self::MOST { self.numbers } else { Self::MOST }
    }

    /// One of the inputs, from the lowest.
    #[must_use]
    pub fn input(&self, at: u64) -> u64 {
        let (last, steps) = (u128::from(self.numbers - 1), u128::from((self.inputs() - 1).max(1)));
        let place = u128::from(at) * last / steps;
        // Beyond the last input there is none: it stands for those.
        let place = u64::try_from(place.min(last)).unwrap_or(0);
        self.format.number_after(self.first, place).unwrap_or(self.first)
    }

    /// Computes one of them.
    #[must_use]
    pub fn sample(&self, at: u64) -> Sample {
        let x = self.input(at);
        let mut draws = Draws::new(self.policy, self.seed ^ at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let computed = self.function.in_format(self.format, x, &mut draws);
        let exact = self.format.decode(x).finite().and_then(|x| self.function.exactly(x).ok());
        let error = exact.as_ref().map_or(SweepError::Undefined, |exact| self.error(computed, exact));
        Sample { x, computed, exact, error }
    }

    fn error(&self, computed: u64, exact: &Exact) -> SweepError {
        let format = self.format;
        let exactly = Value::Finite(exact.clone());
        let Value::Finite(value) = format.decode(computed) else {
            // Where the exact value is beyond the range, what stands for it there is right.
            let best = format.round(&exactly, &Policy { ftz: false, ..self.policy }).bits;
            return if best == computed { SweepError::Ulps(Exact::zero(false)) } else { SweepError::NoNumber };
        };
        let below = Policy { saturate: true, ..Policy::with_rounding(Rounding::Rtz) };
        let unit = format.ulp(format.round(&exactly, &below).bits);
        let error = value.sub(exact).ok().zip(unit).and_then(|(error, unit)| error.div(&unit).ok());
        error.map_or(SweepError::Undefined, |error| SweepError::Ulps(error.magnitude()))
    }
}

/// What a sweep found, taken in sample by sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Swept {
    /// Samples so far.
    pub inputs: u64,
    /// Samples whose error is 0.
    pub exact: u64,
    /// Samples that are as good as one rounding could make them: at most half an ULP.
    pub rounded_once: u64,
    /// Where an infinity or NaN stands for a number, and the first such sample.
    pub no_number: (u64, Option<Sample>),
    /// Samples without an exact value.
    pub undefined: u64,
    /// The sample with the largest error, the first of several.
    pub worst: Option<(Sample, Exact)>,
    /// The sum of the errors in ULP.
    sum: f64,
    /// Largest error in ULP of each group of inputs, in order; ∞ where an infinity or NaN stands for a number.
    pub groups: Vec<Group>,
}

/// Inputs beside each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// The first of them.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// The largest error in ULP; ∞ where an infinity or NaN stands for a number, NaN where nothing has an exact value.
    pub largest: f64,
}

impl Swept {
    /// How many groups a whole sweep has, at most.
    pub const GROUPS: u64 = 128;

    /// Takes in the next sample of a sweep.
    pub fn add(&mut self, sweep: &Sweep, sample: Sample) {
        let group = self.inputs * Self::GROUPS / sweep.inputs().max(Self::GROUPS);
        self.inputs += 1;
        let largest = match &sample.error {
            SweepError::Ulps(error) => error.to_f64(),
            SweepError::NoNumber => f64::INFINITY,
            SweepError::Undefined => f64::NAN,
        };
        match self.groups.get_mut(group as usize) {
            Some(group) => {
                group.last = sample.x;
                // `max` drops a NaN.
                group.largest = group.largest.max(largest);
            }
            None => self.groups.push(Group { first: sample.x, last: sample.x, largest }),
        }
        match &sample.error {
            SweepError::Undefined => self.undefined += 1,
            SweepError::NoNumber => {
                self.no_number.0 += 1;
                self.no_number.1.get_or_insert(sample);
            }
            SweepError::Ulps(error) => {
                self.exact += u64::from(error.is_zero());
                self.rounded_once += u64::from(error.compare(&Exact::power_of_two(-1)).is_le());
                self.sum += largest;
                if self.worst.as_ref().is_none_or(|(_, worst)| error.compare(worst).is_gt()) {
                    let error = error.clone();
                    self.worst = Some((sample, error));
                }
            }
        }
    }

    /// The mean error in ULP of the samples that have one.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let count = self.inputs - self.undefined - self.no_number.0;
        (count > 0).then(|| self.sum / count as f64)
    }
}
