//! Codes as text, in and out: the bits, the fields as numbers, the bytes in memory.
//!
//! | behind the format and a colon | is |
//! |---|---|
//! | `0x3c00`, `0b0011110000000000` | the bits |
//! | `0:15:0` | sign, exponent field and fraction field, each in decimal, `0x…` or `0b…` |
//! | `le:00 3c`, `be:3c00` | the bytes in memory, with or without spaces: little-endian, big-endian |

use super::literal::short;
use super::spec::Format;

/// In which order the bytes of a code lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The lowest byte first: x86, Arm, RISC-V, GPUs.
    Little,
    /// The highest byte first: network order.
    Big,
}

impl ByteOrder {
    /// Both, in the order in which lists show them.
    pub const ALL: [Self; 2] = [Self::Little, Self::Big];

    /// The name in a value: `le`, `be`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "le",
            Self::Big => "be",
        }
    }
}

/// The fields of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeField {
    /// The sign bit.
    Sign,
    /// The exponent as stored, with its bias.
    Exponent,
    /// The fraction without the hidden bit.
    Fraction,
}

impl CodeField {
    /// All, from the top bit down.
    pub const ALL: [Self; 3] = [Self::Sign, Self::Exponent, Self::Fraction];

    /// Its name in messages.
    const fn name(self) -> &'static str {
        match self {
            Self::Sign => "sign",
            Self::Exponent => "exponent field",
            Self::Fraction => "fraction field",
        }
    }
}

impl Format {
    /// How many bits a field has; the sign of an unsigned format has none.
    #[must_use]
    pub const fn field_bits(self, field: CodeField) -> u32 {
        match field {
            CodeField::Sign => self.is_signed() as u32,
            CodeField::Exponent => self.exponent_bits(),
            CodeField::Fraction => self.fraction_bits(),
        }
    }

    /// A field of a code.
    #[must_use]
    pub const fn field(self, bits: u64, field: CodeField) -> u64 {
        match field {
            CodeField::Sign => self.is_negative(bits) as u64,
            CodeField::Exponent => self.exponent_field(bits),
            CodeField::Fraction => self.fraction_field(bits),
        }
    }

    /// The code with one field replaced by what a text says: a whole number in decimal, `0x…` or `0b…`.
    ///
    /// ```
    /// use halfscope::format::{CodeField, Format};
    ///
    /// assert_eq!(Format::FP16.with_field(0x3c00, CodeField::Exponent, "16"), Ok(0x4000));
    /// assert!(Format::FP16.with_field(0x3c00, CodeField::Exponent, "32").is_err());
    /// ```
    ///
    /// # Errors
    /// One line: no whole number, or one that does not fit, and what does.
    pub fn with_field(self, bits: u64, field: CodeField, text: &str) -> Result<u64, String> {
        let value = whole(text)?;
        let width = self.field_bits(field);
        let most = (1u64 << width) - 1;
        let Some(value) = value.filter(|value| *value <= most) else {
            let (field, name, plural) = (field.name(), self.name(), if width == 1 { "" } else { "s" });
            return Err(format!("the {field} of {name} has {width} bit{plural}: 0 to {most}, not {}", short(text)));
        };
        let place = match field {
            CodeField::Sign => self.exponent_bits() + self.fraction_bits(),
            CodeField::Exponent => self.fraction_bits(),
            CodeField::Fraction => 0,
        };
        Ok(bits & self.mask() & !(most << place) | value << place)
    }

    /// The fields as they are typed: `fp16:0:15:0`.
    #[must_use]
    pub fn fields_text(self, bits: u64) -> String {
        let [sign, exponent, fraction] = CodeField::ALL.map(|field| self.field(bits, field));
        format!("{}:{sign}:{exponent}:{fraction}", self.name())
    }

    /// The code in as few whole bytes as hold it, in hexadecimal: `00 3c`. Bits above the code are zero.
    #[must_use]
    pub fn bytes(self, bits: u64, order: ByteOrder) -> String {
        let count = self.width().div_ceil(8) as usize;
        let bytes = (bits & self.mask()).to_le_bytes();
        // Batches ask for it twice a number: no string but the one that is asked for.
        let mut text = String::with_capacity(3 * count);
        for at in 0..count {
            let byte = bytes[if order == ByteOrder::Little { at } else { count - 1 - at }];
            if at > 0 {
                text.push(' ');
            }
            text.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
        }
        text
    }

    /// Reads what [`bytes`](Self::bytes) writes, with or without spaces.
    ///
    /// # Errors
    /// One line: not so many bytes, or bits set above the code.
    pub fn code_of_bytes(self, text: &str, order: ByteOrder) -> Result<u64, String> {
        let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let count = self.width().div_ceil(8) as usize;
        if digits.len() != 2 * count || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            let example = self.bytes(1, order);
            let plural = if count == 1 { "" } else { "s" };
            return Err(format!(
                "{} has {count} byte{plural} of two hexadecimal digits, such as {example}",
                self.name()
            ));
        }
        let number = u64::from_str_radix(&digits, 16).unwrap_or_default();
        let bits = match order {
            ByteOrder::Big => number,
            ByteOrder::Little => number.swap_bytes() >> (64 - 8 * count),
        };
        if bits & !self.mask() == 0 { Ok(bits) } else { Err(self.too_wide(text)) }
    }

    fn too_wide(self, text: &str) -> String {
        format!("{} is wider than the {} bits of {}", short(text), self.width(), self.name())
    }
}

/// Reads what stands behind the name of a format and a colon.
///
/// # Errors
/// One line that says what is wrong.
pub(super) fn read(format: Format, text: &str) -> Result<u64, String> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let order = |name: &str| ByteOrder::ALL.into_iter().find(|order| order.name().eq_ignore_ascii_case(name));
    match parts.as_slice() {
        [bits] => read_bits(format, bits),
        [name, bytes] if order(name).is_some() => format.code_of_bytes(bytes, order(name).unwrap_or(ByteOrder::Little)),
        [_, _, _] => CodeField::ALL
            .into_iter()
            .zip(parts)
            .try_fold(0, |bits, (field, text)| format.with_field(bits, field, text)),
        _ => Err(forms(format)),
    }
}

/// The forms there are.
fn forms(format: Format) -> String {
    format!(
        "bits are written {0}:0x… or {0}:0b…, fields {0}:SIGN:EXPONENT:FRACTION, bytes {0}:le:{1} or {0}:be:{2}",
        format.name(),
        format.bytes(1, ByteOrder::Little),
        format.bytes(1, ByteOrder::Big)
    )
}

fn read_bits(format: Format, digits: &str) -> Result<u64, String> {
    let Some((radix, body)) = prefixed(digits) else { return Err(forms(format)) };
    let per_digit = radix.ilog2() as usize;
    // Leading zeros may pad to whole hexadecimal digits, not beyond.
    let too_long = body.len() * per_digit > (format.width() as usize).next_multiple_of(per_digit);
    match whole(digits)? {
        Some(bits) if bits & !format.mask() == 0 && !too_long => Ok(bits),
        _ => Err(format.too_wide(digits)),
    }
}

/// The radix and the digits of `0x…` and `0b…`.
fn prefixed(text: &str) -> Option<(u32, &str)> {
    let (prefix, body) = text.split_at_checked(2)?;
    match prefix.to_ascii_lowercase().as_str() {
        "0x" => Some((16, body)),
        "0b" => Some((2, body)),
        _ => None,
    }
}

/// A whole number in decimal, `0x…` or `0b…`; `None` where 64 bits do not hold it.
fn whole(text: &str) -> Result<Option<u64>, String> {
    let text = text.trim();
    let (radix, body) = prefixed(text).unwrap_or((10, text));
    if body.is_empty() || !body.bytes().all(|b| (b as char).is_digit(radix)) {
        let kind = match radix {
            16 => "a string of hexadecimal digits",
            2 => "a string of binary digits",
            _ => "a whole number in decimal, 0x… or 0b…",
        };
        return Err(format!("\"{}\" is not {kind}", short(text)));
    }
    let significant = body.trim_start_matches('0');
    Ok(u64::from_str_radix(if significant.is_empty() { "0" } else { significant }, radix).ok())
}
