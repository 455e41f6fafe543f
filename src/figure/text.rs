//! Words with raised exponents, numbers in words.

use crate::i18n::Lang;

/// A piece of text on one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// The characters.
    pub text: &'a str,
    /// Whether it is an exponent: drawn smaller and raised.
    pub raised: bool,
}

/// Splits `S = 2^-24.` into `S = 2`, raised `-24`, `.`: a caret after a digit raises the integer that follows it.
#[must_use]
pub fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest[from..].find('^').map(|at| from + at) {
        let after = &rest[at + 1..];
        let sign = usize::from(after.starts_with('-'));
        let digits = after[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || !rest[..at].ends_with(|c: char| c.is_ascii_digit()) {
            from = at + 1;
            continue;
        }
        let end = at + 1 + sign + digits;
        runs.push(Run { text: &rest[..at], raised: false });
        runs.push(Run { text: &rest[at + 1..end], raised: true });
        (rest, from) = (&rest[end..], 0);
    }
    if !rest.is_empty() {
        runs.push(Run { text: rest, raised: false });
    }
    runs
}

/// A count with separated thousands: `200,704`.
#[must_use]
pub(super) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in per cent: `46.1 %`, `0 %`, `100 %`; Chinese writes no space. Something is never written as nothing, nor
/// almost all as all.
#[must_use]
pub(super) fn percent(share: f64, lang: Lang) -> String {
    lang.percent(&hundredths(share * 100.0))
}

fn hundredths(value: f64) -> String {
    let text = match value {
        0.0 | 100.0 => return format!("{value:.0}"),
        v if v < 0.001 => return "< 0.001".to_owned(),
        v if v >= 99.995 => return "> 99.99".to_owned(),
        v if v < 0.01 => format!("{v:.3}"),
        v if !(1.0..99.9).contains(&v) => format!("{v:.2}"),
        v => format!("{v:.1}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A loss scale in words: `S = 1`, `S = 2^10`.
#[must_use]
pub(super) fn scale(exponent: i32) -> String {
    if exponent == 0 { "S = 1".to_owned() } else { format!("S = 2^{exponent}") }
}
