//! What becomes of a small update to a weight, and how likely stochastic rounding is to keep it.

use super::arithmetic::Outcome;
use super::draws::Draws;
use super::exact::Exact;
use super::operation::Operation;
use super::policy::{Policy, Rounding};
use super::spec::Format;
use super::value::Value;

/// A weight, an update, and what their sum became.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightUpdate {
    /// Weight + update.
    pub sum: Outcome,
    /// Whether the sum is the weight again although the update is not zero: the test of a lost update.
    pub lost: bool,
    /// Half the distance from the weight to its neighbour in the direction of the update (beyond the largest number: to where
    /// that neighbour would be): with rounding to nearest, what is smaller is lost. `None` for infinities and NaNs.
    pub half_gap: Option<Exact>,
    /// |weight / update|; `None` for an update of zero, infinities and NaNs.
    pub ratio: Option<Exact>,
    /// How likely stochastic rounding is to move the weight; `None` where the sum is no number.
    pub chance: Option<Chance>,
}

/// The two numbers that stochastic rounding chooses from.
#[derive(Debug, Clone, PartialEq)]
pub struct Chance {
    /// The neighbour nearer to zero.
    pub toward_zero: u64,
    /// The neighbour farther from zero; equal to the other where the value has a code.
    pub away_from_zero: u64,
    /// The probability of the second, exactly.
    pub away: Exact,
}

/// A weight and an update that is added again and again, kept in three ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpdatePlan {
    /// The narrow format that the weight is kept in.
    pub format: Format,
    /// The format of the master copy.
    pub master: Format,
    /// How often the update is added.
    pub steps: u32,
    /// How to round, but for the direction.
    pub policy: Policy,
    /// The seed of stochastic rounding.
    pub seed: u64,
}

/// What became of a weight in each of the three ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Updates {
    /// The weight in the narrow format.
    pub weight: u64,
    /// The update in the narrow format.
    pub update: u64,
    /// One addition in the narrow format, to nearest.
    pub once: WeightUpdate,
    /// One addition in the master copy, to nearest.
    pub master: WeightUpdate,
    /// The codes after none, one, two … additions: narrow to nearest, master copy, narrow by chance.
    pub ways: [(Format, Vec<u64>); 3],
}

impl UpdatePlan {
    /// Adds the update so many times, each way.
    #[must_use]
    pub fn run(&self, weight: &Value, update: &Value) -> Updates {
        let Self { format, master, steps, policy, seed } = *self;
        let nearest = Policy { rounding: Rounding::Rne, ..policy };
        let stochastic = Policy { rounding: Rounding::Sr { random: 0 }, ..policy };
        let [w, u] = [weight, update].map(|value| format.round(value, &nearest).bits);
        let [w_master, u_master] = [weight, update].map(|value| master.round(value, &nearest).bits);
        let ways = [
            (format, format.repeated(w, u, steps, &mut Draws::new(nearest, 0))),
            (master, master.repeated(w_master, u_master, steps, &mut Draws::new(nearest, 0))),
            (format, format.repeated(w, u, steps, &mut Draws::new(stochastic, seed))),
        ];
        let once = format.update(w, u, &nearest);
        Updates { weight: w, update: u, once, master: master.update(w_master, u_master, &nearest), ways }
    }
}

impl Updates {
    /// Whether the master copy keeps an update that the narrow format loses.
    #[must_use]
    pub const fn rescued(&self) -> bool {
        self.once.lost && !self.master.lost
    }

    /// |update| as the narrow format holds it.
    #[must_use]
    pub fn magnitude(&self) -> Option<Exact> {
        let (format, _) = self.ways[0];
        Some(format.decode(self.update).finite()?.clone().magnitude())
    }
}

impl Format {
    /// Adds an update to a weight in this format and says whether anything came of it: rn(w + u) = w is the exact test
    /// behind the rule of thumb that FP16 loses updates 2^11 times smaller than the weight.
    ///
    /// ```
    /// use halfscope::format::{Format, Policy};
    ///
    /// // 1 + 2^-11 is half way between 1 and its neighbour, and goes back to 1.
    /// let [weight, update] = [0x3c00, 0x1000];
    /// let step = Format::FP16.update(weight, update, &Policy::default());
    /// assert!(step.lost);
    /// ```
    #[must_use]
    pub fn update(self, weight: u64, update: u64, policy: &Policy) -> WeightUpdate {
        let sum = self.operate(Operation::Add, &[weight, update], policy);
        let [w, u] = [weight, update].map(|bits| self.decode(bits));
        let zero = matches!(&u, Value::Finite(exact) if exact.is_zero());
        let lost = !zero && w.finite().is_some() && self.decode(sum.rounded.bits) == w;
        let neighbour = if u.is_negative() { self.next_down(weight) } else { self.next_up(weight) };
        let gap = match (&w, self.decode(neighbour)) {
            (Value::Finite(w), Value::Finite(next)) if neighbour != weight => next.sub(w).ok().map(Exact::magnitude),
            // Beyond the largest number: the gap that there would be if the exponent had no end.
            (Value::Finite(_), _) => self.ulp(weight),
            _ => None,
        };
        let half_gap = gap.and_then(|gap| gap.mul(&Exact::power_of_two(-1)).ok());
        let ratio = match (&w, &u) {
            (Value::Finite(w), Value::Finite(u)) => w.div(u).ok().map(Exact::magnitude),
            _ => None,
        };
        let chance = sum.exact.number().and_then(|exact| self.chance(exact));
        WeightUpdate { sum, lost, half_gap, ratio, chance }
    }

    /// The weight after none, one, two … `steps` additions of the same update, each rounded by a policy of its own.
    #[must_use]
    pub fn repeated(self, weight: u64, update: u64, steps: u32, draws: &mut Draws) -> Vec<u64> {
        let next = |weight: &u64| Some(self.operate(Operation::Add, &[*weight, update], &draws.draw()).rounded.bits);
        std::iter::successors(Some(weight), next).take(steps as usize + 1).collect()
    }

    /// The neighbours of a number and how likely stochastic rounding is to take the farther one; `None` beyond the range.
    #[must_use]
    pub fn chance(self, exact: &Exact) -> Option<Chance> {
        let cut = self.round(&Value::Finite(exact.clone()), &Policy::with_rounding(Rounding::Rtz));
        let Some(trace) = cut.trace else {
            return Some(Chance { toward_zero: cut.bits, away_from_zero: cut.bits, away: Exact::zero(false) });
        };
        let (low, high) = (trace.toward_zero_value(), trace.away_from_zero_value());
        let (toward_zero, away_from_zero) = (trace.toward_zero?, trace.away_from_zero?);
        let away = exact.sub(&low).ok()?.div(&high.sub(&low).ok()?).ok()?.magnitude();
        let away_from_zero = if away.is_zero() { toward_zero } else { away_from_zero };
        Some(Chance { toward_zero, away_from_zero, away })
    }
}
