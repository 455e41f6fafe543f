//! Dot products step by step: every sum as its plan says, rounded and shown.

use super::accumulation::{Accumulation, Order};
use super::draws::Draws;
use super::exact::{Exact, ExactError};
use super::round::Rounded;
use super::spec::Format;
use super::value::Value;

/// A dot product to be computed: c + Σ aᵢ·bᵢ, products exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DotPlan {
    /// Format of the factors.
    pub input: Format,
    /// How the products are added.
    pub accumulation: Accumulation,
    /// In which order.
    pub order: Order,
    /// Format of the result.
    pub output: Format,
    /// How the sums are rounded, each by a policy of its own.
    pub draws: Draws,
}

/// One rounding on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct DotStep {
    /// Which products were added; empty where the total of a block was.
    pub products: Vec<usize>,
    /// The accumulator before.
    pub before: Value,
    /// What was added, exactly (with Kahan's correction taken off).
    pub added: Value,
    /// The format of the accumulator.
    pub format: Format,
    /// The accumulator after.
    pub after: Rounded,
    /// Kahan's correction after this step: what the accumulator has too much.
    pub correction: Option<Value>,
}

/// A computed dot product.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// The products, exactly, as given.
    pub products: Vec<Value>,
    /// Every rounding, in order.
    pub steps: Vec<DotStep>,
    /// The result in the output format.
    pub result: Rounded,
    /// The exact sum; `None` where an infinity or NaN takes part.
    pub exact: Option<Exact>,
    /// The exact sum rounded once to the output format.
    pub best: Rounded,
}

impl DotStep {
    /// What the rounding added to the sum, exactly; `None` where an infinity or NaN takes part.
    #[must_use]
    pub fn error(&self) -> Option<Exact> {
        let exact = self.before.finite()?.add(self.added.finite()?).ok()?;
        self.format.decode(self.after.bits).finite()?.sub(&exact).ok()
    }
}

impl DotPlan {
    /// Computes c + Σ aᵢ·bᵢ of codes of the input format; `c` is a code of the output format. The shorter of `a` and
    /// `b` gives the length.
    ///
    /// # Errors
    /// [`ExactError::TooLarge`], which only formats with very wide exponents can reach.
    pub fn dot(&self, a: &[u64], b: &[u64], c: u64) -> Result<Dot, ExactError> {
        self.drawn(a, b, c, &mut self.draws.clone())
    }

    fn drawn(&self, a: &[u64], b: &[u64], c: u64, draws: &mut Draws) -> Result<Dot, ExactError> {
        let factor = |bits: &u64| self.input.decode(*bits);
        let products: Vec<Value> =
            a.iter().zip(b).map(|(a, b)| product(&factor(a), &factor(b))).collect::<Result<_, _>>()?;
        let start = self.output.decode(c);
        let mut exact = start.clone();
        for product in &products {
            exact = sum(&exact, product)?;
        }
        let order = self.ordered(&products);
        let steps = match self.accumulation {
            Accumulation::Sequential(format) => fused(&products, &order, &start, format, 1, draws)?,
            Accumulation::Fused { format, width } => fused(&products, &order, &start, format, width, draws)?,
            Accumulation::Kahan(format) => kahan(&products, &order, &start, format, draws)?,
            Accumulation::Blocks { inner, outer, length } => {
                blocks(&products, &order, &start, (inner, outer), length, draws)?
            }
        };
        let last = steps.last().map_or(start, |step| step.format.decode(step.after.bits));
        let policy = draws.draw();
        let result = self.output.round(&last, &policy);
        let best = self.output.round(&exact, &policy);
        Ok(Dot { products, steps, result, exact: exact.finite().cloned(), best })
    }

    /// D = A·B + C of 4×4 matrices, the step of a Tensor Core: the sixteen dot products, row by row.
    ///
    /// # Errors
    /// As [`dot`](Self::dot).
    pub fn matrix(&self, a: &[[u64; 4]; 4], b: &[[u64; 4]; 4], c: &[[u64; 4]; 4]) -> Result<Vec<Dot>, ExactError> {
        let column = |j: usize| [b[0][j], b[1][j], b[2][j], b[3][j]];
        let mut draws = self.draws;
        (0..16).map(|at| self.drawn(&a[at / 4], &column(at % 4), c[at / 4][at % 4], &mut draws)).collect()
    }

    fn ordered(&self, products: &[Value]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..products.len()).collect();
        let magnitude = |at: usize| products[at].finite().cloned().unwrap_or_else(|| Exact::power_of_two(1 << 30));
        match self.order {
            Order::Forward => {}
            Order::Backward => order.reverse(),
            Order::Ascending => order.sort_by(|a, b| magnitude(*a).compare_magnitude(&magnitude(*b))),
            Order::Descending => order.sort_by(|a, b| magnitude(*b).compare_magnitude(&magnitude(*a))),
        }
        order
    }
}

fn fused(
    products: &[Value],
    order: &[usize],
    start: &Value,
    format: Format,
    width: usize,
    draws: &mut Draws,
) -> Result<Vec<DotStep>, ExactError> {
    let mut before = start.clone();
    let mut steps = Vec::new();
    for chunk in order.chunks(width.max(1)) {
        let mut added = products[chunk[0]].clone();
        for at in &chunk[1..] {
            added = sum(&added, &products[*at])?;
        }
        let after = format.round(&sum(&before, &added)?, &draws.draw());
        let next = format.decode(after.bits);
        steps.push(DotStep { products: chunk.to_vec(), before, added, format, after, correction: None });
        before = next;
    }
    Ok(steps)
}

/// Kahan: y = product − correction; t = s + y; correction = (t − s) − y; every one of them rounded.
fn kahan(
    products: &[Value],
    order: &[usize],
    start: &Value,
    format: Format,
    draws: &mut Draws,
) -> Result<Vec<DotStep>, ExactError> {
    let mut before = start.clone();
    let mut correction = Value::Finite(Exact::zero(false));
    let mut steps = Vec::new();
    let mut round = |value: &Value| format.round(value, &draws.draw());
    for at in order {
        let added = format.decode(round(&sum(&products[*at], &negated(&correction))?).bits);
        let after = round(&sum(&before, &added)?);
        let next = format.decode(after.bits);
        let gained = format.decode(round(&sum(&next, &negated(&before))?).bits);
        correction = format.decode(round(&sum(&gained, &negated(&added))?).bits);
        let products = vec![*at];
        steps.push(DotStep { products, before, added, format, after, correction: Some(correction.clone()) });
        before = next;
    }
    Ok(steps)
}

fn blocks(
    products: &[Value],
    order: &[usize],
    start: &Value,
    (inner, outer): (Format, Format),
    length: usize,
    draws: &mut Draws,
) -> Result<Vec<DotStep>, ExactError> {
    let mut total = start.clone();
    let mut steps = Vec::new();
    for chunk in order.chunks(length.max(1)) {
        let block = fused(products, chunk, &Value::Finite(Exact::zero(false)), inner, 1, draws)?;
        let added = block.last().map_or(Value::Finite(Exact::zero(false)), |step| inner.decode(step.after.bits));
        steps.extend(block);
        let after = outer.round(&sum(&total, &added)?, &draws.draw());
        let next = outer.decode(after.bits);
        let products = Vec::new();
        steps.push(DotStep { products, before: total, added, format: outer, after, correction: None });
        total = next;
    }
    Ok(steps)
}

fn nan() -> Value {
    Value::Nan(super::value::Nan::default())
}

/// −x.
pub(super) fn negated(value: &Value) -> Value {
    match value {
        Value::Finite(exact) => Value::Finite(exact.clone().negated()),
        Value::Infinite { negative } => Value::Infinite { negative: !negative },
        Value::Nan(_) => nan(),
    }
}

fn sum(a: &Value, b: &Value) -> Result<Value, ExactError> {
    Ok(match (a, b) {
        (Value::Finite(a), Value::Finite(b)) => Value::Finite(a.add(b)?),
        (Value::Nan(_), _) | (_, Value::Nan(_)) => nan(),
        (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a != b => nan(),
        (Value::Infinite { negative }, _) | (_, Value::Infinite { negative }) => {
            Value::Infinite { negative: *negative }
        }
    })
}

fn product(a: &Value, b: &Value) -> Result<Value, ExactError> {
    Ok(match (a, b) {
        (Value::Finite(a), Value::Finite(b)) => Value::Finite(a.mul(b)?),
        (Value::Nan(_), _) | (_, Value::Nan(_)) => nan(),
        (Value::Finite(zero), _) | (_, Value::Finite(zero)) if zero.is_zero() => nan(),
        _ => Value::Infinite { negative: a.is_negative() != b.is_negative() },
    })
}
