//! Expressions: `2^-24`, `1/3`, `3*(2^-26)` as values, `(x+1)-1`, `sqrt(x)^2` as functions of a variable.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/") signed)*
//! signed  = ("+" | "-") signed | power
//! power   = atom ("^" signed)?            right-associative, and tighter than a sign: -2^2 = -4
//! atom    = number | "(" sum ")"          in a function also "x" | "sqrt" "(" sum ")"
//! ```
//!
//! What has no variable is computed exactly while it is read, so a value is an expression of one number. The rest is a
//! list of steps for a stack machine, which runs on exact numbers or on codes of a format.

use super::dot::negated;
use super::draws::Draws;
use super::exact::{Exact, ExactError};
use super::literal::{scan, short, unexpected};
use super::operation::Operation;
use super::spec::Format;
use super::value::Value;

/// Longest expression, in bytes. With [`super::exact::MAX_BITS`] it bounds the work.
const MAX_LENGTH: usize = 4_096;
/// Deepest nesting of brackets, signs and powers; each level is a few stack frames.
const MAX_DEPTH: u32 = 100;
/// Highest power of the variable: so many multiplications, one after another.
const MAX_POWER: i64 = 64;
/// Bits of a square root that stands for the exact one: so many that no error in ULP can tell.
const ROOT_BITS: u64 = 512;

/// One step of the stack machine.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Number(Exact),
    Variable,
    Negate,
    Root,
    /// Addition, subtraction, multiplication or division of the two topmost numbers.
    Binary(Operation),
    /// The topmost number to the power of a whole number.
    Power(i64),
}

/// A function of one variable, `x`.
///
/// ```
/// use halfscope::format::{Draws, Expression, Format, Policy};
///
/// let function = Expression::parse("(x + 1) - 1")?;
/// // 2^-12 is less than half an ULP of 1: nothing is left of it.
/// let mut draws = Draws::new(Policy::default(), 0);
/// assert_eq!(function.in_format(Format::FP16, 0x0c00, &mut draws), 0x0000);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    steps: Vec<Step>,
}

/// The exact value of an expression without a variable.
///
/// # Errors
/// One line: what was unexpected and where, a division by zero, or a result that is too large to be kept exactly.
pub(super) fn evaluate(text: &str) -> Result<Exact, String> {
    match read(text, false)?.as_slice() {
        [Step::Number(value)] => Ok(value.clone()),
        // Without a variable all is computed while it is read.
        _ => Err(format!("\"{}\" has no value", short(text))),
    }
}

impl Expression {
    /// Reads a function of `x`.
    ///
    /// # Errors
    /// One line: what was unexpected and where, or a part without `x` that has no value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let steps = read(text.trim(), true)?;
        if !steps.contains(&Step::Variable) {
            return Err(format!("\"{}\" has no x: write a function such as (x + 1) - 1", short(text)));
        }
        Ok(Self { steps })
    }

    /// Its exact value; square roots to 512 bits.
    ///
    /// # Errors
    /// Where it has none: a division by zero, the root of a negative number, or one that is too large.
    pub fn exactly(&self, x: &Exact) -> Result<Exact, ExactError> {
        let mut stack: Vec<Exact> = Vec::new();
        for step in &self.steps {
            let mut pop = || stack.pop().unwrap_or_else(|| Exact::zero(false));
            let next = match step {
                Step::Number(number) => number.clone(),
                Step::Variable => x.clone(),
                Step::Negate => pop().negated(),
                Step::Root => pop().root(ROOT_BITS)?,
                Step::Binary(operation) => {
                    let (right, left) = (pop(), pop());
                    binary(*operation, &left, &right)?
                }
                Step::Power(power) => pop().pow(&whole(*power))?,
            };
            stack.push(next);
        }
        stack.pop().ok_or(ExactError::TooLarge)
    }

    /// Its value in a format, every operation rounded on its own by the next policy. Parts without `x` are rounded once;
    /// a power is so many multiplications from the left, a negative one 1 over that.
    #[must_use]
    pub fn in_format(&self, format: Format, x: u64, draws: &mut Draws) -> u64 {
        let mut stack: Vec<u64> = Vec::new();
        let operate = |operation, operands: &[u64], draws: &mut Draws| {
            format.operate(operation, operands, &draws.draw()).rounded.bits
        };
        for step in &self.steps {
            let mut pop = || stack.pop().unwrap_or_default();
            let next = match step {
                Step::Number(number) => format.round(&Value::Finite(number.clone()), &draws.draw()).bits,
                Step::Variable => x,
                // Changing the sign rounds nothing.
                Step::Negate => format.round(&negated(&format.decode(pop())), &draws.draw()).bits,
                Step::Root => operate(Operation::Sqrt, &[pop()], draws),
                Step::Binary(operation) => {
                    let (right, left) = (pop(), pop());
                    operate(*operation, &[left, right], draws)
                }
                Step::Power(power) => {
                    let base = pop();
                    let one = format.round(&Value::Finite(Exact::power_of_two(0)), &draws.draw()).bits;
                    let first = if *power == 0 { one } else { base };
                    let mut raised = first;
                    for _ in 1..power.unsigned_abs() {
                        raised = operate(Operation::Mul, &[raised, base], draws);
                    }
                    if *power < 0 { operate(Operation::Div, &[one, raised], draws) } else { raised }
                }
            };
            stack.push(next);
        }
        stack.pop().unwrap_or_default()
    }
}

fn binary(operation: Operation, left: &Exact, right: &Exact) -> Result<Exact, ExactError> {
    match operation {
        Operation::Sub => left.sub(right),
        Operation::Mul => left.mul(right),
        Operation::Div => left.div(right),
        _ => left.add(right),
    }
}

fn whole(power: i64) -> Exact {
    Exact::dyadic(power < 0, power.unsigned_abs().into(), 0)
}

/// The steps of an expression.
fn read(text: &str, variable: bool) -> Result<Vec<Step>, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("\"{}\" is longer than the {MAX_LENGTH} characters an expression may have", short(text)));
    }
    let mut parser = Parser { text, at: 0, depth: 0, variable, steps: Vec::new() };
    parser.sum()?;
    match parser.peek() {
        None => Ok(parser.steps),
        Some(')') => Err(format!("\"{}\" has a \")\" without its \"(\"", short(text))),
        Some(_) => Err(unexpected(&text[..parser.at], &text[parser.at..])),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    /// Whether `x` and roots are known.
    variable: bool,
    steps: Vec<Step>,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Takes the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let next = self.peek().filter(|c| wanted.contains(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn sum(&mut self) -> Result<(), String> {
        self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            self.product()?;
            self.binary(if operator == '+' { Operation::Add } else { Operation::Sub })?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), String> {
        self.signed()?;
        while let Some(operator) = self.take(&['*', '/']) {
            self.signed()?;
            self.binary(if operator == '*' { Operation::Mul } else { Operation::Div })?;
        }
        Ok(())
    }

    /// Two operands that are numbers become one; a step where one is a function stays a step.
    fn binary(&mut self, operation: Operation) -> Result<(), String> {
        let step = match self.steps.as_slice() {
            [.., Step::Number(left), Step::Number(right)] => {
                Step::Number(binary(operation, left, right).map_err(|e| self.error(e))?)
            }
            _ => Step::Binary(operation),
        };
        if matches!(step, Step::Number(_)) {
            self.steps.truncate(self.steps.len() - 2);
        }
        self.steps.push(step);
        Ok(())
    }

    fn signed(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("\"{}\" is nested more than {MAX_DEPTH} deep", short(self.text)));
        }
        match self.take(&['+', '-']) {
            Some('-') => {
                self.signed()?;
                match self.steps.pop() {
                    Some(Step::Number(number)) => self.steps.push(Step::Number(number.negated())),
                    step => self.steps.extend(step.into_iter().chain([Step::Negate])),
                }
            }
            Some(_) => self.signed()?,
            None => self.power()?,
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), String> {
        self.atom()?;
        if self.take(&['^']).is_none() {
            return Ok(());
        }
        self.signed()?;
        let Some(Step::Number(power)) = self.steps.pop() else {
            return Err(self.error(ExactError::FractionalPower));
        };
        match self.steps.pop() {
            Some(Step::Number(base)) => {
                let raised = base.pow(&power).map_err(|e| self.error(e))?;
                self.steps.push(Step::Number(raised));
            }
            base => {
                self.steps.extend(base);
                let power = power.to_integer().map_err(|e| self.error(e))?;
                if power.abs() > MAX_POWER {
                    return Err(format!("\"{}\" has a power of x above {MAX_POWER}", short(self.text)));
                }
                self.steps.push(Step::Power(power));
            }
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), String> {
        if self.take(&['(']).is_some() {
            return self.bracket();
        }
        let Some(next) = self.peek() else {
            return Err(format!("\"{}\" ends where a number is missing", short(self.text)));
        };
        let rest = &self.text[self.at..];
        if self.variable && next.eq_ignore_ascii_case(&'x') {
            self.at += 1;
            self.steps.push(Step::Variable);
            return Ok(());
        }
        if self.variable && rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("sqrt")) {
            self.at += 4;
            if self.take(&['(']).is_none() {
                return Err(format!("\"{}\" has a sqrt without its \"(\"", short(self.text)));
            }
            self.bracket()?;
            self.steps.push(Step::Root);
            return Ok(());
        }
        if !(next.is_ascii_digit() || next == '.') {
            let hint =
                if self.variable { "x, sqrt(x), 0.5, 2^-24 or 1/3" } else { "0.5, 1e-8, 2^-24, 1/3 or fp16:0x7bff" };
            return Err(format!("\"{}\" is not a number: write {hint}", short(rest)));
        }
        let scanned = scan(rest)?;
        if !scanned.is_short() {
            return Err(self.error(ExactError::TooLarge));
        }
        self.at += scanned.length;
        self.steps.push(Step::Number(scanned.to_exact()));
        Ok(())
    }

    /// What stands behind an opening bracket, and the closing one.
    fn bracket(&mut self) -> Result<(), String> {
        self.sum()?;
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => Err(format!("\"{}\" has a \"(\" without its \")\"", short(self.text))),
        }
    }

    fn error(&self, error: ExactError) -> String {
        format!("\"{}\" {error}", short(self.text))
    }
}
