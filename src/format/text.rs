//! Text out: the exact decimal, the shortest decimal that reads back, the hex float.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;

use super::exact::Exact;
use super::policy::Policy;
use super::spec::Format;
use super::status::Status;
use super::value::Value;

/// Largest power of two whose decimal is still written out; every value of every format is far inside.
const MAX_WRITTEN_EXPONENT: u64 = 1 << 18;

/// A decimal number: d.ddd × 10^exponent.
struct Decimal {
    /// No leading zero unless it is 0 itself.
    digits: String,
    /// Power of ten of the first digit.
    exponent: i64,
}

impl Decimal {
    /// integer × 10^last.
    fn new(integer: &impl ToString, last: i64) -> Self {
        let digits = integer.to_string();
        Self { exponent: last + digits.len() as i64 - 1, digits }
    }

    /// The digits laid out: scientific below 1e-6 and from 1e21, else positional; no trailing zeros behind the point.
    fn layout(&self, negative: bool) -> String {
        self.layout_below(negative, 21)
    }

    /// The same, positional only below 10^`scientific_from`.
    fn layout_below(&self, negative: bool, scientific_from: i64) -> String {
        let sign = if negative { "-" } else { "" };
        let digits = self.digits.trim_end_matches('0');
        let Some(first) = digits.get(..1) else {
            return format!("{sign}0");
        };
        let count = digits.len() as i64;
        match self.exponent {
            // 10^-6 is the smallest number that starts six places behind the point.
            exponent if exponent < -6 || exponent >= scientific_from => {
                let point = if count > 1 { "." } else { "" };
                format!("{sign}{first}{point}{}e{}", &digits[1..], self.exponent)
            }
            -6..0 => format!("{sign}0.{}{digits}", "0".repeat((-self.exponent - 1) as usize)),
            exponent if exponent + 1 >= count => {
                format!("{sign}{digits}{}", "0".repeat((exponent + 1 - count) as usize))
            }
            exponent => {
                let (whole, fraction) = digits.split_at(exponent as usize + 1);
                format!("{sign}{whole}.{fraction}")
            }
        }
    }
}

impl Exact {
    /// All its decimal digits; `None` if they do not end (1/3) or are not known.
    #[must_use]
    pub fn to_decimal(&self) -> Option<String> {
        self.finite_decimal().map(|decimal| decimal.layout(self.is_negative()))
    }

    fn finite_decimal(&self) -> Option<Decimal> {
        let (fraction, fives) = self.as_decimal_fraction()?;
        Some(Decimal::new(&fraction, fives))
    }

    /// integer × 10^power, where there is such a form.
    fn as_decimal_fraction(&self) -> Option<(BigUint, i64)> {
        let (numerator, exponent, fives) = if let Some((numerator, exponent)) = self.as_dyadic() {
            (numerator.clone(), exponent, 0)
        } else {
            let (numerator, denominator) = self.to_fraction()?;
            let twos = denominator.trailing_zeros().unwrap_or(0) as i64;
            let odd = denominator >> twos as u64;
            // A power of five has a bit length that gives its exponent away.
            let fives = (odd.bits() as f64 / 5f64.log2()) as u32;
            if BigUint::from(5u8).pow(fives) != odd {
                return None;
            }
            (numerator, -twos, i64::from(fives))
        };
        if exponent.unsigned_abs() > MAX_WRITTEN_EXPONENT {
            return None;
        }
        // numerator × 2^exponent / 5^fives, with as many of the other prime as make tens.
        let tens = fives.max(-exponent).max(0);
        let five = BigUint::from(5u8).pow((tens - fives) as u32);
        Some(((numerator * five) << (exponent + tens) as u64, -tens))
    }

    /// `digits` significant digits, rounded to nearest, for people; `None` where even those are out of reach (numbers
    /// beyond every format).
    #[must_use]
    pub fn to_significant(&self, digits: u32) -> Option<String> {
        if self.is_zero() {
            return Some(if self.is_negative() { "-0" } else { "0" }.to_owned());
        }
        let prefix = self.prefix();
        if prefix.exponent.unsigned_abs() > MAX_WRITTEN_EXPONENT {
            return None;
        }
        // The prefix has 38 digits; that is plenty, and keeps this quick for numbers of any length.
        let digits = digits.clamp(1, 30);
        let estimate = (prefix.exponent as f64 * 2f64.log10()).floor() as i64;
        let last = estimate - i64::from(digits) + 1;
        let scale = prefix.exponent - 127;
        let ten = BigUint::from(10u8).pow(last.unsigned_abs() as u32);
        let one = BigUint::from(1u8);
        let (up, down) = if scale >= 0 { (scale as u64, 0) } else { (0, scale.unsigned_abs()) };
        let (by, into) = if last >= 0 { (one.clone(), ten) } else { (ten, one) };
        let (top, bottom) = ((BigUint::from(prefix.significand) * by) << up, into << down);
        let (mut quotient, rest) = top.div_rem(&bottom);
        let mut last = last;
        if quotient.to_string().len() > digits as usize {
            // The estimate was one short: drop a digit, keeping what it says about the half.
            let (shorter, digit) = quotient.div_rem(&BigUint::from(10u8));
            let up = digit >= BigUint::from(5u8);
            quotient = shorter + u8::from(up);
            last += 1;
        } else if &rest * 2u8 >= bottom {
            quotient += 1u8;
        }
        // Zeros up to the point would pass for digits.
        Some(Decimal::new(&quotient, last).layout_below(self.is_negative(), i64::from(digits)))
    }
}

impl Format {
    /// The value of a code with all its digits: `65504`, `5.9604644775390625e-8`, `-0`, `inf`, `nan`.
    #[must_use]
    pub fn exact_decimal(self, bits: u64) -> String {
        match self.decode(bits) {
            Value::Finite(exact) => exact.to_decimal().unwrap_or_default(),
            special => special_name(&special).to_owned(),
        }
    }

    /// The shortest decimal that reads back as the same code of *this* format, and the closest of the shortest.
    #[must_use]
    pub fn shortest(self, bits: u64) -> String {
        let exact = match self.decode(bits) {
            Value::Finite(exact) => exact,
            special => return special_name(&special).to_owned(),
        };
        let Some(decimal) = exact.finite_decimal() else {
            return String::new();
        };
        if exact.is_zero() {
            return decimal.layout(exact.is_negative());
        }
        // n digits are enough as soon as 10^(n−1) exceeds 2^precision; the number's own digits are, too.
        let enough = self.precision() as usize * 30_103 / 100_000 + 2;
        let (mut low, mut high) = (1, enough.min(decimal.digits.len()));
        let mut best = None;
        while low <= high {
            // More digits never lose: what reads back with n does so with n + 1.
            let middle = usize::midpoint(low, high);
            if let Some(found) = self.nearest_that_reads_back(bits, &decimal, middle) {
                best = Some(found);
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        best.unwrap_or(decimal).layout(exact.is_negative())
    }

    /// The `count`-digit decimal closest to a number among the two around it that read back as its code.
    fn nearest_that_reads_back(self, bits: u64, exact: &Decimal, count: usize) -> Option<Decimal> {
        let (head, rest) = exact.digits.split_at(count.min(exact.digits.len()));
        let down: u128 = head.parse().ok()?;
        let last = exact.exponent - head.len() as i64 + 1;
        let reads_back = |integer: u128| {
            let value = Exact::decimal(self.is_negative(bits), integer.into(), last);
            let rounded = self.round(&Value::Finite(value), &Policy::default());
            rounded.bits == bits & self.mask() && !rounded.status.contains(Status::OVERFLOW)
        };
        if rest.bytes().all(|digit| digit == b'0') {
            return Some(Decimal::new(&down, last));
        }
        let half = rest.as_bytes()[0].cmp(&b'5').then(if rest[1..].bytes().all(|digit| digit == b'0') {
            std::cmp::Ordering::Equal
        } else {
            std::cmp::Ordering::Greater
        });
        // Where both are equally close the standard library prints the larger; so do we.
        let up_is_closer = half.is_ge();
        let order = if up_is_closer { [down + 1, down] } else { [down, down + 1] };
        order
            .into_iter()
            .filter(|integer| *integer != 0)
            .find(|integer| reads_back(*integer))
            .map(|i| Decimal::new(&i, last))
    }

    /// The hex float of a code, normalised: `0x1.ffcp15`, `-0x0p0`, `inf`, `nan`.
    #[must_use]
    pub fn hex_float(self, bits: u64) -> String {
        let exact = match self.decode(bits) {
            Value::Finite(exact) => exact,
            special => return special_name(&special).to_owned(),
        };
        let sign = if exact.is_negative() { "-" } else { "" };
        if exact.is_zero() {
            return format!("{sign}0x0p0");
        }
        let prefix = exact.prefix();
        // Without the leading one, the 127 bits that follow are the hexadecimal digits behind the point.
        let fraction = format!("{:032x}", prefix.significand << 1);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}0x1{point}{fraction}p{}", prefix.exponent)
    }
}

/// `inf`, `-inf` or `nan`.
const fn special_name(value: &Value) -> &'static str {
    match value {
        Value::Infinite { negative: false } => "inf",
        Value::Infinite { negative: true } => "-inf",
        Value::Nan(_) | Value::Finite(_) => "nan",
    }
}

/// The fields of a code as the numbers of its formula.
///
/// A finite value is (−1)^`sign` × 2^`exponent` × (`hidden` + `fraction` / 2^`fraction_bits`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula {
    /// 0 or 1.
    pub sign: u64,
    /// The exponent field as stored.
    pub exponent_field: u64,
    /// The power of two: field − bias, and 1 − bias for zeros and subnormals.
    pub exponent: i32,
    /// The hidden bit: 1 for normal numbers, 0 for zeros and subnormals.
    pub hidden: u64,
    /// The fraction field as stored.
    pub fraction: u64,
    /// What it is divided by, as a power of two.
    pub fraction_bits: u32,
}

impl Format {
    /// The numbers of the formula of a finite code; `None` for infinities and NaNs.
    #[must_use]
    pub fn formula(self, bits: u64) -> Option<Formula> {
        let exact = self.decode(bits);
        exact.finite()?;
        let field = self.exponent_field(bits);
        let hidden = u64::from(bits & self.magnitude_mask() >= self.min_normal_code());
        Some(Formula {
            sign: u64::from(self.is_negative(bits)),
            exponent_field: field,
            exponent: if hidden == 1 { field as i32 - self.bias() } else { self.min_exponent() },
            hidden,
            // Where field 0 holds only zero, the fraction stored there means nothing.
            fraction: if exact.finite().is_some_and(Exact::is_zero) { 0 } else { self.fraction_field(bits) },
            fraction_bits: self.fraction_bits(),
        })
    }

    /// The power-of-two form of a code: `1023/1024 × 2^-14` (subnormal), `(1 + 1023/1024) × 2^15`, `0`, `inf`.
    #[must_use]
    pub fn power_form(self, bits: u64) -> String {
        let Some(formula) = self.formula(bits) else {
            return self.exact_decimal(bits);
        };
        let sign = if formula.sign == 1 { "-" } else { "" };
        let Formula { exponent, hidden, fraction, fraction_bits, .. } = formula;
        let whole = 1u128 << fraction_bits;
        match (hidden, fraction) {
            (0, 0) => format!("{sign}0"),
            (0, _) => format!("{sign}{fraction}/{whole} × 2^{exponent}"),
            (_, 0) => format!("{sign}2^{exponent}"),
            _ => format!("{sign}(1 + {fraction}/{whole}) × 2^{exponent}"),
        }
    }
}

impl Formula {
    /// Whether the value is zero.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.hidden == 0 && self.fraction == 0
    }
}

impl Exact {
    /// A fraction in lowest terms, `1/3` or `-5`; `None` where it is not known or too long to be worth writing.
    #[must_use]
    pub fn to_fraction_text(&self) -> Option<String> {
        let (top, bottom) = self.to_fraction()?;
        if top.bits() > 512 || bottom.bits() > 512 {
            return None;
        }
        let sign = if self.is_negative() && !top.is_zero() { "-" } else { "" };
        Some(if bottom == BigUint::from(1u8) { format!("{sign}{top}") } else { format!("{sign}{top}/{bottom}") })
    }
}
