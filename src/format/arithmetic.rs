//! Arithmetic on the codes of a format: the exact result first, rounded once.

use std::cmp::Ordering;

use super::exact::Exact;
use super::operation::Operation;
use super::policy::{Policy, Rounding};
use super::round::Rounded;
use super::spec::Format;
use super::status::Status;
use super::value::{Class, Nan, Value};

/// The result of an operation.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Whose code the result is.
    pub format: Format,
    /// The result, with the flags of the operation.
    pub rounded: Rounded,
    /// What it was rounded from.
    pub exact: ExactResult,
}

/// The result of an operation before it is rounded.
#[derive(Debug, Clone, PartialEq)]
pub enum ExactResult {
    /// A number, infinity or NaN, exactly.
    Value(Value),
    /// A square root that no fraction is equal to.
    Root {
        /// What it is the root of.
        of: Exact,
        /// Its leading digits, enough for every rounding, marked as a prefix.
        root: Exact,
    },
}

impl ExactResult {
    /// The number, or as much of it as decides every rounding; `None` for infinities and NaNs.
    #[must_use]
    pub const fn number(&self) -> Option<&Exact> {
        match self {
            Self::Value(value) => value.finite(),
            Self::Root { root, .. } => Some(root),
        }
    }
}

impl Outcome {
    /// Result − exact result in ULP of the result; `None` unless both are numbers.
    #[must_use]
    pub fn error_ulp(&self) -> Option<Exact> {
        let result = self.format.decode(self.rounded.bits);
        let error = result.finite()?.sub(self.exact.number()?).ok()?;
        error.div(&self.format.ulp(self.rounded.bits)?).ok()
    }
}

/// What an operation comes to before it is rounded.
enum Answer {
    Number(Exact),
    Root {
        of: Exact,
        root: Exact,
    },
    Infinite {
        negative: bool,
    },
    /// An infinity out of finite operands.
    DivisionByZero {
        negative: bool,
    },
    /// The operation has no useful result.
    Invalid,
    /// A NaN operand goes through.
    Nan {
        nan: Nan,
        signalling: bool,
    },
    /// One of the operands, as it is.
    Operand {
        bits: u64,
        signalling: bool,
    },
}

impl Format {
    /// Computes an operation on codes of this format: exactly, then rounded once under `policy`.
    ///
    /// With `daz` subnormal operands count as zeros. A NaN operand goes through as the policy says, the first one if
    /// there are several. The NaN of an invalid operation has sign 0. ∞ · 0 + NaN raises invalid, as on RISC-V and Arm.
    ///
    /// ```
    /// use halfscope::format::{Format, Operation, Policy, Status};
    ///
    /// // 0.1 + 0.2 in FP16: the exact sum lies between two numbers.
    /// let sum = Format::FP16.apply(Operation::Add, &[0x2e66, 0x3266], &Policy::default())?;
    /// assert_eq!(Format::FP16.hex(sum.rounded.bits), "0x34cc");
    /// assert_eq!(sum.rounded.status, Status::INEXACT);
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// One line if the number of operands is not that of the operation.
    pub fn apply(self, operation: Operation, operands: &[u64], policy: &Policy) -> Result<Outcome, String> {
        let (wanted, given) = (operation.operands(), operands.len());
        if wanted != given {
            let plural = if wanted == 1 { "" } else { "s" };
            return Err(format!("{} takes {wanted} operand{plural}, not {given}", operation.name()));
        }
        Ok(self.operate(operation, operands, policy))
    }

    /// The same for the right number of operands.
    pub(super) fn operate(self, operation: Operation, operands: &[u64], policy: &Policy) -> Outcome {
        let codes: Vec<u64> = operands.iter().map(|bits| self.operand(*bits, policy)).collect();
        let values: Vec<Value> = codes.iter().map(|bits| self.decode(*bits)).collect();
        let answer = match (operation, values.as_slice()) {
            (_, [a, b]) if operation.is_choice() => choose(operation, [a, b], [codes[0], codes[1]]),
            (Operation::Fma, [a, b, c]) => fused([a, b, c], policy),
            (_, values) => first_nan(values).unwrap_or_else(|| compute(operation, values, policy)),
        };
        self.outcome(answer, policy)
    }

    /// The code that an operation sees.
    fn operand(self, bits: u64, policy: &Policy) -> u64 {
        let bits = bits & self.mask();
        if policy.daz && self.class(bits) == Class::Subnormal {
            let sign = if self.has_negative_zero() { bits & self.sign_bit() } else { 0 };
            return sign;
        }
        bits
    }

    fn outcome(self, answer: Answer, policy: &Policy) -> Outcome {
        let mut raised = Status::NONE;
        let exact = match answer {
            Answer::Number(exact) => ExactResult::Value(Value::Finite(exact)),
            Answer::Root { of, root } => ExactResult::Root { of, root },
            Answer::Infinite { negative } => ExactResult::Value(Value::Infinite { negative }),
            Answer::DivisionByZero { negative } => {
                let rounded = self.round(&Value::Infinite { negative }, policy);
                // What stands for infinity here is no overflow: no finite result was too large.
                let rounded = Rounded { status: Status::DIVIDE_BY_ZERO, ..rounded };
                return Outcome { format: self, rounded, exact: ExactResult::Value(Value::Infinite { negative }) };
            }
            Answer::Invalid => {
                raised = Status::INVALID;
                ExactResult::Value(Value::Nan(Nan::default()))
            }
            Answer::Nan { nan, signalling } => {
                raised = if signalling { Status::INVALID } else { Status::NONE };
                ExactResult::Value(Value::Nan(nan))
            }
            Answer::Operand { bits, signalling } => {
                let status = if signalling { Status::INVALID } else { Status::NONE };
                let rounded = Rounded { bits, status, trace: None };
                return Outcome { format: self, rounded, exact: ExactResult::Value(self.decode(bits)) };
            }
        };
        let mut rounded = match &exact {
            ExactResult::Value(value) => self.round(value, policy),
            ExactResult::Root { root, .. } => self.round_prefix(&root.prefix(), policy),
        };
        rounded.status |= raised;
        Outcome { format: self, rounded, exact }
    }
}

/// The first NaN among operands, and whether any of them signals.
fn first_nan(values: &[Value]) -> Option<Answer> {
    let signalling = values.iter().any(|value| matches!(value, Value::Nan(nan) if nan.signalling));
    values.iter().find_map(|value| match value {
        Value::Nan(nan) => Some(Answer::Nan { nan: Nan { signalling: false, ..*nan }, signalling }),
        _ => None,
    })
}

fn compute(operation: Operation, values: &[Value], policy: &Policy) -> Answer {
    match (operation, values) {
        (Operation::Add, [a, b]) => sum(a, b, policy),
        (Operation::Sub, [a, b]) => sum(a, &negated(b), policy),
        (Operation::Mul, [a, b]) => product(a, b),
        (Operation::Div, [a, b]) => quotient(a, b),
        (Operation::Rem, [a, b]) => remainder(a, b, true),
        (Operation::Fmod, [a, b]) => remainder(a, b, false),
        (Operation::Sqrt, [a]) => root(a),
        _ => Answer::Invalid,
    }
}

fn negated(value: &Value) -> Value {
    match value {
        Value::Finite(exact) => Value::Finite(exact.clone().negated()),
        Value::Infinite { negative } => Value::Infinite { negative: !negative },
        Value::Nan(nan) => Value::Nan(*nan),
    }
}

fn sum(a: &Value, b: &Value, policy: &Policy) -> Answer {
    match (a, b) {
        (Value::Finite(a), Value::Finite(b)) => {
            let sum = a.plus(b);
            let cancelled = sum.is_zero() && !(a.is_zero() && b.is_zero() && a.is_negative() == b.is_negative());
            // IEEE 754-2019 §6.3: a sum of opposites is +0, but −0 where rounding goes down.
            Answer::Number(if cancelled { Exact::zero(policy.rounding == Rounding::Rdn) } else { sum })
        }
        (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a != b => Answer::Invalid,
        (Value::Infinite { negative }, _) | (_, Value::Infinite { negative }) => {
            Answer::Infinite { negative: *negative }
        }
        _ => Answer::Invalid,
    }
}

fn product(a: &Value, b: &Value) -> Answer {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Value::Finite(a), Value::Finite(b)) => a.mul(b).map_or(Answer::Invalid, Answer::Number),
        (Value::Finite(zero), _) | (_, Value::Finite(zero)) if zero.is_zero() => Answer::Invalid,
        _ => Answer::Infinite { negative },
    }
}

fn quotient(a: &Value, b: &Value) -> Answer {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Value::Finite(a), Value::Finite(b)) if b.is_zero() => {
            if a.is_zero() {
                Answer::Invalid
            } else {
                Answer::DivisionByZero { negative }
            }
        }
        (Value::Finite(a), Value::Finite(b)) => a.div(b).map_or(Answer::Invalid, Answer::Number),
        (Value::Finite(_), _) => Answer::Number(Exact::zero(negative)),
        (_, Value::Finite(_)) => Answer::Infinite { negative },
        _ => Answer::Invalid,
    }
}

fn remainder(a: &Value, b: &Value, nearest: bool) -> Answer {
    match (a, b) {
        (Value::Finite(_), Value::Finite(b)) if b.is_zero() => Answer::Invalid,
        (Value::Finite(a), Value::Finite(b)) => Answer::Number(a.remainder(b, nearest)),
        (Value::Finite(a), Value::Infinite { .. }) => Answer::Number(a.clone()),
        _ => Answer::Invalid,
    }
}

fn root(a: &Value) -> Answer {
    match a {
        Value::Finite(zero) if zero.is_zero() => Answer::Number(zero.clone()),
        Value::Finite(of) if !of.is_negative() => {
            let root = of.sqrt();
            if root.is_prefix() { Answer::Root { of: of.clone(), root } } else { Answer::Number(root) }
        }
        Value::Infinite { negative: false } => Answer::Infinite { negative: false },
        _ => Answer::Invalid,
    }
}

fn fused([a, b, c]: [&Value; 3], policy: &Policy) -> Answer {
    if let Some(nan) = first_nan(&[a.clone(), b.clone()]) {
        // A signalling addend is seen, too.
        let signals = matches!(c, Value::Nan(nan) if nan.signalling);
        return match nan {
            Answer::Nan { nan, signalling } => Answer::Nan { nan, signalling: signalling || signals },
            other => other,
        };
    }
    let product = match product(a, b) {
        Answer::Number(exact) => Value::Finite(exact),
        Answer::Infinite { negative } => Value::Infinite { negative },
        _ => return Answer::Invalid,
    };
    first_nan(std::slice::from_ref(c)).unwrap_or_else(|| sum(&product, c, policy))
}

/// Minimum and maximum: −0 counts as less than +0, and of two equal numbers the first is the result.
fn choose(operation: Operation, values: [&Value; 2], bits: [u64; 2]) -> Answer {
    let is_nan = values.map(|value| matches!(value, Value::Nan(_)));
    let signalling = values.iter().any(|value| matches!(value, Value::Nan(nan) if nan.signalling));
    let gives_way = match operation {
        Operation::MinimumNumber | Operation::MaximumNumber => true,
        Operation::MinNum | Operation::MaxNum => !signalling,
        _ => false,
    };
    let largest = matches!(operation, Operation::MaxNum | Operation::Maximum | Operation::MaximumNumber);
    match is_nan {
        [false, false] => {
            let order = order(values[0], values[1]);
            let first = if largest { order.is_ge() } else { order.is_le() };
            Answer::Operand { bits: bits[usize::from(!first)], signalling: false }
        }
        [true, false] if gives_way => Answer::Operand { bits: bits[1], signalling },
        [false, true] if gives_way => Answer::Operand { bits: bits[0], signalling },
        _ => first_nan(&values.map(Value::clone)).unwrap_or(Answer::Invalid),
    }
}

fn order(a: &Value, b: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Infinite { negative: true } => -1,
        Value::Infinite { negative: false } => 1,
        _ => 0,
    };
    rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
        (Value::Finite(a), Value::Finite(b)) => a.compare(b).then_with(|| b.is_negative().cmp(&a.is_negative())),
        _ => Ordering::Equal,
    })
}
