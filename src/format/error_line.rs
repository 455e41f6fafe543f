//! The line that the command line prints for a text that was refused.

use std::fmt;

use super::code::CodeField;
use super::error::ParseError;

impl fmt::Display for ParseError {
    #[expect(clippy::too_many_lines, reason = "a table: a line or two an error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty: type a value such as 0.1, 0x1.8p3, 2^-24 or fp16:0x7bff"),
            Self::NotANumber { text } => {
                write!(f, "\"{text}\" is not a number: write 0.5, 1e-8, 2^-24, 1/3 or fp16:0x7bff")
            }
            Self::HexDigitsMissing { text } => write!(
                f,
                "{text} has no digits after it: write fp16:0x3c00 for bits (those of 1.0) or 0x1.8p0 for a number (1.5)"
            ),
            Self::BitsOrNumber { text } => {
                write!(f, "{text} alone could be bits or a number: fp16:{text} or {text}p0?")
            }
            Self::HexPowerMissing { text } => {
                write!(f, "{text} needs its power of two: write {text}p0 for times 2^0")
            }
            Self::ExponentMissing { text } => {
                let marker = text.chars().next_back().unwrap_or('e');
                write!(f, "{text} needs digits after the {marker}")
            }
            Self::Comma { text } => {
                write!(f, "\"{text}\" has a comma: write the decimal point as \".\", and no thousands separators")
            }
            Self::Underscore { text } => {
                write!(f, "\"{text}\" has an underscore: write the digits without separators")
            }
            Self::Unexpected { rest, before } => write!(f, "unexpected \"{rest}\" after {before}"),
            Self::ExpressionTooLong { text, most } => {
                write!(f, "\"{text}\" is longer than the {most} characters an expression may have")
            }
            Self::NestedTooDeep { text, most } => write!(f, "\"{text}\" is nested more than {most} deep"),
            Self::BracketNotOpened { text } => write!(f, "\"{text}\" has a \")\" without its \"(\""),
            Self::BracketNotClosed { text } => write!(f, "\"{text}\" has a \"(\" without its \")\""),
            Self::OperandMissing { text } => write!(f, "\"{text}\" ends where a number is missing"),
            Self::TooLarge { text } => write!(f, "\"{text}\" is too large to be computed exactly"),
            Self::DivisionByZero { text } => write!(f, "\"{text}\" divides by zero"),
            Self::FractionalPower { text } => write!(f, "\"{text}\" has a power that is not a whole number"),
            Self::CodeForm { format, little, big } => write!(
                f,
                "bits are written {format}:0x… or {format}:0b…, fields {format}:SIGN:EXPONENT:FRACTION, \
                 bytes {format}:le:{little} or {format}:be:{big}"
            ),
            Self::FieldTooWide { field, format, width, most, text } => {
                let field = match field {
                    CodeField::Sign => "sign",
                    CodeField::Exponent => "exponent field",
                    CodeField::Fraction => "fraction field",
                };
                write!(f, "the {field} of {format} has {width} bits: 0 to {most}, not {text}")
            }
            Self::BytesWrong { format, count, example } => {
                write!(f, "{format} in memory is {count} × two hexadecimal digits, such as {example}")
            }
            Self::NotWhole { text } => write!(f, "\"{text}\" is not a whole number in decimal, 0x… or 0b…"),
            Self::NoValues => f.write_str("empty: write values parted by spaces or commas, such as 0.1 -0.5 3 448"),
            Self::VariableMissing { text } => {
                write!(f, "\"{text}\" has no x: write a function such as (x + 1) - 1")
            }
            Self::NotATerm { text } => {
                write!(f, "\"{text}\" is not a number: write x, sqrt(x), 0.5, 2^-24 or 1/3")
            }
            Self::NoNumbers { format, low, high } => write!(f, "{format} has no numbers from {low} to {high}"),
            Self::PowerTooHigh { text, most } => write!(f, "\"{text}\" has a power of x above {most}"),
            Self::RootNotOpened { text } => write!(f, "\"{text}\" has a sqrt without its \"(\""),
            Self::NotHexDigits { text } => write!(f, "\"{text}\" is not a string of hexadecimal digits"),
            Self::NotBinaryDigits { text } => write!(f, "\"{text}\" is not a string of binary digits"),
            Self::BitsTooWide { text, width, format } => {
                write!(f, "{text} is wider than the {width} bits of {format}")
            }
            Self::UnknownFormat { name, known } => {
                write!(f, "unknown format \"{name}\": use {known} or a custom one such as e6m9, e5m3b16-fn")
            }
            Self::WidthOnly { name, formats } => {
                write!(f, "\"{name}\" says how wide a format is, not which: use {formats}")
            }
            Self::UnknownBlockFormat { name, known } => write!(f, "unknown block format \"{name}\": use {known}"),
            Self::ExponentBits { bits, most } => write!(f, "a format has 1 to {most} exponent bits, not {bits}"),
            Self::FormatTooWide { exponent_bits, fraction_bits } => {
                write!(f, "sign, {exponent_bits} exponent and {fraction_bits} fraction bits are more than 64 bits")
            }
            Self::OnlyE8m0Scales => f.write_str("only e8m0 is a scale format"),
            Self::NoRoomForNumbers { name, least } => {
                write!(f, "{name} has no room for its special codes and a normal number: use at least {least}")
            }
            Self::Bias { bias, most } => write!(f, "a bias lies between 0 and {most}, {bias} does not"),
            Self::SingleZeroAlready => f.write_str("fnuz has a single zero already: leave out -uz"),
            Self::IsFnuz => f.write_str("a format without infinity, NaN and -0 is written -fnuz"),
            Self::E8m0HasNoZero => f.write_str("e8m0 has no zero"),
            Self::ChainTooLong { most, given } => write!(f, "a chain has at most {most} formats here, not {given}"),
        }
    }
}

impl std::error::Error for ParseError {}

impl From<ParseError> for String {
    fn from(error: ParseError) -> Self {
        error.to_string()
    }
}
