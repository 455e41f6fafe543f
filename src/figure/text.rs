//! Words with raised exponents, numbers in words.

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
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in per cent: `46.1 %`, `0 %`, `100 %`. Something is never written as nothing, nor almost all as all.
#[must_use]
pub(super) fn percent(share: f64) -> String {
    let hundredths = share * 100.0;
    if hundredths == 0.0 || hundredths == 100.0 {
        return format!("{hundredths:.0} %");
    }
    let text = match hundredths {
        h if h < 0.001 => return "< 0.001 %".to_owned(),
        h if h < 0.01 => format!("{h:.3}"),
        h if h < 1.0 => format!("{h:.2}"),
        h if h >= 99.995 => return "> 99.99 %".to_owned(),
        h if h >= 99.9 => format!("{h:.2}"),
        h => format!("{h:.1}"),
    };
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
