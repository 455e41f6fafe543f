//! Text out: decimals of exact numbers, hex floats, formulas.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;

use super::arithmetic::ExactResult;
use super::decimal::Decimal;
use super::exact::Exact;
use super::spec::Format;
use super::value::{Class, Value};

/// Largest power of two whose decimal is still written out; every value of every format is far inside.
const MAX_WRITTEN_EXPONENT: u64 = 1 << 18;

impl Exact {
    /// All its decimal digits; `None` if they do not end (1/3) or are not known.
    #[must_use]
    pub fn to_decimal(&self) -> Option<String> {
        self.finite_decimal().map(|decimal| decimal.layout(self.is_negative()))
    }

    pub(super) fn finite_decimal(&self) -> Option<Decimal> {
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

impl Value {
    /// It as text: its decimal, else a fraction, else as many digits as say what it is; `inf`, `-inf` and `nan` as words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Finite(exact) => exact.number_text(),
            special => special_name(special).to_owned(),
        }
    }

    /// `digits` significant digits for people; `inf`, `-inf` and `nan` as words.
    #[must_use]
    pub fn to_significant(&self, digits: u32) -> String {
        match self {
            Self::Finite(exact) => exact.to_significant(digits).unwrap_or_else(|| exact.number_text()),
            special => special_name(special).to_owned(),
        }
    }
}

impl ExactResult {
    /// It as text: its decimal, else a fraction or a root, else as many digits as say what it is.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Root { of, .. } => format!("sqrt({})", of.number_text()),
            Self::Value(value) => value.text(),
        }
    }
}

impl Exact {
    /// Its decimal, else a fraction, else thirty digits and an ellipsis.
    #[must_use]
    pub fn number_text(&self) -> String {
        let about = || self.to_significant(30).map(|digits| format!("{digits}…"));
        self.to_decimal().or_else(|| self.to_fraction_text()).or_else(about).unwrap_or_default()
    }
}

impl Exact {
    /// It in at most `width` characters where that can be: its decimal, else "≈" and as many significant digits, `digits` at most, as fit.
    #[must_use]
    pub fn short_text(&self, width: usize, digits: u32) -> String {
        let about = |digits| self.to_significant(digits).map(|text| format!("≈ {text}"));
        let whole = self.to_decimal().filter(|text| text.len() <= width);
        let fitting = || (1..=digits).rev().filter_map(about).find(|text| text.chars().count() <= width);
        whole.or_else(fitting).or_else(|| about(1)).unwrap_or_default()
    }
}

impl Format {
    /// Characters that a number has room for where it stands for itself: all of FP16 and of narrower formats need no more.
    pub const VALUE_WIDTH: usize = 26;

    /// What a code is, in at most `width` characters where that can be: all digits, else "≈" and the digits that tell it from its
    /// neighbours with two to spare, or as many of them as fit. Never the shortest decimal that reads back, which may be another
    /// number: 65500 for FP16's 65504.
    ///
    /// ```
    /// use halfscope::format::Format;
    ///
    /// assert_eq!(Format::FP16.value_text(0x7bff, Format::VALUE_WIDTH), "65504");
    /// assert_eq!(Format::FP32.value_text(0x3dcccccd, Format::VALUE_WIDTH), "≈ 0.10000000149");
    /// ```
    #[must_use]
    pub fn value_text(self, bits: u64, width: usize) -> String {
        match self.decode(bits) {
            Value::Finite(exact) => exact.short_text(width, self.telling_digits()),
            value => special_name(&value).to_owned(),
        }
    }

    /// Decimal digits that tell a number, or a midpoint, of this format from those around it, with two to spare.
    #[must_use]
    pub const fn telling_digits(self) -> u32 {
        self.precision() * 302 / 1000 + 4
    }

    /// The hex float of a code, normalised: `0x1.ffcp15`, `-0x0p0`, `inf`, `nan`.
    #[must_use]
    pub fn hex_float(self, bits: u64) -> String {
        match self.class(bits) {
            Class::Infinite | Class::Nan => return special_name(&self.decode(bits)).to_owned(),
            Class::Zero if self.is_negative(bits) && self.has_negative_zero() => return "-0x0p0".to_owned(),
            Class::Zero => return "0x0p0".to_owned(),
            Class::Subnormal | Class::Normal => {}
        }
        let sign = if self.is_negative(bits) { "-" } else { "" };
        let (significand, lsb) = self.significand(bits);
        let zeros = significand.leading_zeros();
        // Without the leading one, the bits that follow are the hexadecimal digits behind the point.
        let fraction = format!("{:016x}", significand << zeros << 1);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}0x1{point}{fraction}p{}", lsb + 63 - i64::from(zeros))
    }
}

/// `inf`, `-inf` or `nan`.
pub(super) const fn special_name(value: &Value) -> &'static str {
    match value {
        Value::Infinite { negative: false } => "inf",
        Value::Infinite { negative: true } => "-inf",
        Value::Nan(_) | Value::Finite(_) => "nan",
    }
}

/// The exact decimal of a code in parts: as many digits as its shortest decimal has, and those that follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactParts {
    /// Sign, point and digits that tell the number from its neighbours.
    pub needed: String,
    /// The digits beyond them: true, but of no use to get the number back.
    pub rest: String,
    /// The power of ten, `e-8`, where there is one.
    pub exponent: String,
}

impl ExactParts {
    /// Characters of all parts.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.needed.len() + self.rest.len() + self.exponent.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Format {
    /// The exact decimal of a code, parted where its shortest decimal has enough digits.
    ///
    /// ```
    /// use halfscope::format::Format;
    /// let tenth = Format::FP16.exact_parts(0x2e66);
    /// assert_eq!((tenth.needed.as_str(), tenth.rest.as_str()), ("0.09", "99755859375"));
    /// ```
    #[must_use]
    pub fn exact_parts(self, bits: u64) -> ExactParts {
        let (exact, shortest) = (self.exact_decimal(bits), self.shortest(bits));
        let digits = |text: &str| {
            let mantissa = text.split('e').next().unwrap_or_default();
            mantissa.chars().filter(char::is_ascii_digit).collect::<String>()
        };
        let wanted = digits(&shortest).trim_matches('0').len().max(1);
        let (mantissa, exponent) = exact.split_at(exact.find('e').unwrap_or(exact.len()));
        let significant = mantissa.char_indices().filter(|(_, c)| c.is_ascii_digit()).skip_while(|(_, c)| *c == '0');
        let end = significant.map(|(at, _)| at).nth(wanted).unwrap_or(mantissa.len());
        ExactParts {
            needed: mantissa[..end].to_owned(),
            rest: mantissa[end..].to_owned(),
            exponent: exponent.to_owned(),
        }
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
