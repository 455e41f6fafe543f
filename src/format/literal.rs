//! Text in: everything a person may type for a number.

use num_bigint::BigUint;
use num_traits::Num;

use super::code;
use super::exact::Exact;
use super::expression;
use super::policy::Policy;
use super::round::Rounded;
use super::spec::Format;
use super::value::{Nan, Value};

/// Significant decimal digits that can matter to any rounding of any format; what follows only sets the tail.
///
/// Roundings compare a number with codes and midpoints of codes. These are m × 2^−s with m < 2^65 and s ≤ 65,535 (the
/// largest bias) + 64, so m × 5^s has at most 20 + 0.699 × 65,599 < 45,900 digits; or m × 2^s with s ≤ 65,536, which
/// has fewer than 19,800. A number cut after as many digits lies on the same side of each of them as the whole one, or
/// on it, and then the tail tells that it is above.
const DECIMAL_DIGITS: usize = 46_000;
/// Decimal exponents of the first digit beyond which every format overflows or underflows: 2^±65,600 ≈ 10^±19,748.
const DECIMAL_EXPONENT: i64 = 20_000;
/// Hexadecimal digits that can matter: a code or midpoint is a multiple of 2^−65,599 below 2^65,537.
const HEX_DIGITS: usize = 33_000;
/// Powers of two that stand for "beyond every format".
const HUGE: i64 = 1 << 30;

/// What a text means.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A number, an infinity or a NaN.
    Value(Value),
    /// A code of a format.
    Bits {
        /// Whose code it is.
        format: Format,
        /// The code.
        bits: u64,
    },
}

impl Literal {
    /// What it stands for, exactly.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Self::Value(value) => value.clone(),
            Self::Bits { format, bits } => format.decode(*bits),
        }
    }

    /// Rounds it once to a format; a code stays as it is in its own format.
    pub fn round(&self, format: Format, policy: &Policy) -> Rounded {
        match self {
            Self::Value(value) => format.round(value, policy),
            Self::Bits { format: from, bits } => from.convert(*bits, format, policy),
        }
    }
}

/// Reads a decimal or hexadecimal number of any length, an exact expression, `fp16:0x7bff`, an infinity or a NaN.
///
/// # Errors
/// One line that says what is wrong and how to write it instead.
pub fn parse_value(text: &str) -> Result<Literal, String> {
    if let Some(number) = plain_number(text) {
        return Ok(Literal::Value(Value::Finite(number)));
    }
    let text = to_ascii(text);
    let text = text.trim();
    if text.is_empty() {
        return Err("empty: type a value such as 0.1, 0x1.8p3, 2^-24 or fp16:0x7bff".to_owned());
    }
    if let Some((name, digits)) = text.split_once(':') {
        let format = Format::parse(name)?;
        return Ok(Literal::Bits { format, bits: code::read(format, digits.trim())? });
    }
    let (sign, body) = split_sign(text);
    let negative = sign == Some('-');
    let value = match body.trim_start().to_ascii_lowercase().as_str() {
        "inf" | "infinity" | "∞" => Value::Infinite { negative },
        "nan" => Value::Nan(Nan { negative, ..Nan::default() }),
        body => match lone_number(body) {
            Some(number) => Value::Finite(if negative { number?.negated() } else { number? }),
            None => Value::Finite(expression::evaluate(text)?),
        },
    };
    Ok(Literal::Value(value))
}

/// Reads values parted by spaces, commas or semicolons.
///
/// # Errors
/// One line that names the first that is no value, or says that there is none.
pub fn parse_values(text: &str) -> Result<Vec<Literal>, String> {
    let parts = text.split(|c: char| c.is_whitespace() || ",;".contains(c)).filter(|part| !part.is_empty());
    let values: Vec<Literal> = parts.map(parse_value).collect::<Result<_, _>>()?;
    if values.is_empty() {
        return Err("empty: write values parted by spaces or commas, such as 0.1 -0.5 3 448".to_owned());
    }
    Ok(values)
}

/// The number, where the text is nothing but one in plain ASCII with an optional sign: the case that batches are made
/// of. `None` for everything else, wrong or not.
fn plain_number(text: &str) -> Option<Exact> {
    let (sign, body) = split_sign(text.trim_ascii());
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let scanned = scan(body).ok().filter(|scanned| scanned.length == body.len())?;
    let number = scanned.to_exact();
    Some(if sign == Some('-') { number.negated() } else { number })
}

/// Full-width forms and the typographic minus and operators as ASCII, without the ends' white space.
fn to_ascii(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
        .chars()
        .map(|c| match c {
            '\u{2212}' => '-',
            '\u{d7}' | '\u{22c5}' => '*',
            '\u{f7}' => '/',
            '\u{ff01}'..='\u{ff5e}' => char::from((c as u32 - 0xfee0) as u8),
            _ => c,
        })
        .collect()
}

fn split_sign(text: &str) -> (Option<char>, &str) {
    match text.chars().next() {
        Some(sign @ ('+' | '-')) => (Some(sign), &text[1..]),
        _ => (None, text),
    }
}

/// The number, if the whole text is one, of any length; `None` if it is something else.
fn lone_number(text: &str) -> Option<Result<Exact, String>> {
    let first = text.as_bytes().first()?;
    if !(first.is_ascii_digit() || *first == b'.') {
        return None;
    }
    let parsed = match scan(text) {
        Ok(scanned) if scanned.length == text.len() => Ok(scanned.to_exact()),
        // An operator or a space follows: an expression, whose errors are its own.
        Ok(scanned) if text[scanned.length..].trim_start().starts_with(['+', '-', '*', '/', '^', '(', ')']) => {
            return None;
        }
        Ok(scanned) => Err(unexpected(&text[..scanned.length], &text[scanned.length..])),
        Err(error) => Err(error),
    };
    Some(parsed)
}

/// A number literal found at the start of a text.
pub(super) struct Scanned<'a> {
    whole: &'a str,
    fraction: &'a str,
    /// Power of ten, or of two where `hex`.
    exponent: i64,
    hex: bool,
    /// Bytes it takes.
    pub length: usize,
}

/// Finds the number literal at the start of a text.
///
/// # Errors
/// The hints for what looks like a number and is not: `0x7bff`, `1e`, `.`.
pub(super) fn scan(text: &str) -> Result<Scanned<'_>, String> {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let is_digit = |b: &u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let run = |at: usize| at + text.as_bytes()[at..].iter().take_while(|b| is_digit(b)).count();
    let start = if hex { 2 } else { 0 };
    let point = run(start);
    let has_point = text[point..].starts_with('.');
    let end = if has_point { run(point + 1) } else { point };
    let (whole, fraction) = (&text[start..point], if has_point { &text[point + 1..end] } else { "" });
    if whole.is_empty() && fraction.is_empty() {
        let shown = short(&text[..end]);
        return Err(if hex {
            format!("{shown} has no digits: write 0x1.8p3")
        } else {
            format!("\"{}\" is not a number: write 0.5, 1e-8, 2^-24 or fp16:0x7bff", short(text))
        });
    }
    let marker = if hex { ['p', 'P'] } else { ['e', 'E'] };
    if !text[end..].starts_with(marker) {
        if hex {
            let shown = short(&text[..end]);
            return Err(format!("{shown} alone could be bits or a number: fp16:{shown} or {shown}p0?"));
        }
        return Ok(Scanned { whole, fraction, exponent: 0, hex, length: end });
    }
    let (sign, digits) = split_sign(&text[end + 1..]);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    if count == 0 {
        return Err(format!("{} needs digits after the {}", short(&text[..=end]), &text[end..=end]));
    }
    // An exponent that does not fit is as good as the largest that does.
    let magnitude = digits[..count].parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    let exponent = if sign == Some('-') { -magnitude } else { magnitude };
    Ok(Scanned { whole, fraction, exponent, hex, length: end + 1 + usize::from(sign.is_some()) + count })
}

impl Scanned<'_> {
    /// Whether it is short enough to stand in an expression, where it must be exact in full.
    pub(super) fn is_short(&self) -> bool {
        self.whole.len() + self.fraction.len() <= 5_000 && self.exponent.abs() <= DECIMAL_EXPONENT
    }

    /// The value: exact up to the digits that can matter.
    pub(super) fn to_exact(&self) -> Exact {
        let (radix, per_digit, limit) = if self.hex { (16, 4, HEX_DIGITS) } else { (10, 1, DECIMAL_DIGITS) };
        let mut digits = self.whole.bytes().chain(self.fraction.bytes());
        let total = self.whole.len() + self.fraction.len();
        let zeros = digits.by_ref().take_while(|b| *b == b'0').count();
        if zeros == total {
            return Exact::zero(false);
        }
        let digit = |at: usize| {
            let (whole, fraction) = (self.whole.as_bytes(), self.fraction.as_bytes());
            whole.get(at).copied().unwrap_or_else(|| fraction[at - whole.len()])
        };
        let kept = (total - zeros).min(limit);
        let tail = (zeros + kept..total).any(|at| digit(at) != b'0');
        // Place of the last kept digit, and of the first, in powers of the radix' unit (ten, or two).
        let last = self.exponent + (self.whole.len() as i64 - (zeros + kept) as i64) * per_digit;
        let first = last + kept as i64 * per_digit;
        if !self.hex && first > DECIMAL_EXPONENT || first > HUGE {
            return Exact::power_of_two(HUGE).with_tail(true);
        }
        if !self.hex && first < -DECIMAL_EXPONENT || first < -HUGE {
            return Exact::power_of_two(-HUGE).with_tail(true);
        }
        let number = if kept <= 15 {
            // Fits in a machine word in either radix.
            let value = |byte: u8| u64::from((byte as char).to_digit(radix).unwrap_or_default());
            let all = (zeros..zeros + kept).fold(0, |sum, at| sum * u64::from(radix) + value(digit(at)));
            BigUint::from(all)
        } else {
            let text: Vec<u8> = (zeros..zeros + kept).map(digit).collect();
            BigUint::from_str_radix(&String::from_utf8(text).unwrap_or_default(), radix).unwrap_or_default()
        };
        let exact = if self.hex { Exact::dyadic(false, number, last) } else { Exact::decimal(false, number, last) };
        exact.with_tail(tail)
    }
}

/// What to say when something follows a number that cannot.
pub(super) fn unexpected(before: &str, rest: &str) -> String {
    let next = rest.chars().next().unwrap_or(' ');
    match next {
        ',' => format!(
            "\"{}\" has a comma: write the decimal point as \".\", and no thousands separators",
            short(&format!("{before}{rest}"))
        ),
        '_' => {
            format!("\"{}\" has an underscore: write the digits without separators", short(&format!("{before}{rest}")))
        }
        _ => format!("unexpected \"{}\" after {}", short(rest.trim_start()), short(before)),
    }
}

/// At most 40 characters of a text, for messages.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
