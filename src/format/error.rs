//! What is wrong with a text that should be a number or a format, as data, so that each face says it in its language.

use super::code::CodeField;

/// Why a text was refused. Texts are cut to 40 characters; `Display`, in `error_line`, is the line that the command line prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseError {
    /// Nothing was typed.
    Empty,
    /// No number begins here.
    NotANumber {
        /// What stands there.
        text: String,
    },
    /// `0x` alone.
    HexDigitsMissing {
        /// What stands there.
        text: String,
    },
    /// `0x7bff`: the bits of some format, or a number.
    BitsOrNumber {
        /// What stands there.
        text: String,
    },
    /// `0x1.8`: a hexadecimal fraction needs its power of two.
    HexPowerMissing {
        /// What stands there.
        text: String,
    },
    /// `1e`: no digits behind the `e` or `p`.
    ExponentMissing {
        /// The number up to the marker, which is its last character.
        text: String,
    },
    /// A decimal comma or a separator of thousands.
    Comma {
        /// What stands there.
        text: String,
    },
    /// A separator that programming languages take.
    Underscore {
        /// What stands there.
        text: String,
    },
    /// Something follows a number that cannot.
    Unexpected {
        /// What follows.
        rest: String,
        /// What it follows.
        before: String,
    },
    /// An expression with too many characters.
    ExpressionTooLong {
        /// Its beginning.
        text: String,
        /// How many it may have.
        most: usize,
    },
    /// An expression with too many brackets in each other.
    NestedTooDeep {
        /// Its beginning.
        text: String,
        /// How deep it may be.
        most: u32,
    },
    /// `)` without `(`.
    BracketNotOpened {
        /// The expression.
        text: String,
    },
    /// `(` without `)`.
    BracketNotClosed {
        /// The expression.
        text: String,
    },
    /// `1+`: the last number is missing.
    OperandMissing {
        /// The expression.
        text: String,
    },
    /// An exact result of more than [`MAX_BITS`](super::MAX_BITS) bits.
    TooLarge {
        /// The expression.
        text: String,
    },
    /// A division by zero in an expression.
    DivisionByZero {
        /// The expression.
        text: String,
    },
    /// `2^0.5`.
    FractionalPower {
        /// The expression.
        text: String,
    },
    /// Neither bits nor fields nor bytes of a format.
    CodeForm {
        /// The name of the format.
        format: String,
        /// The bytes of a code, the lowest first.
        little: String,
        /// The same, the highest first.
        big: String,
    },
    /// A field with more bits than it has in the format.
    FieldTooWide {
        /// Which field.
        field: CodeField,
        /// The name of the format.
        format: String,
        /// The bits that the field has there.
        width: u32,
        /// The largest number that fits.
        most: u64,
        /// What stands there.
        text: String,
    },
    /// Not as many bytes as the format has.
    BytesWrong {
        /// The name of the format.
        format: String,
        /// How many it has.
        count: usize,
        /// Bytes as they are written.
        example: String,
    },
    /// No whole number.
    NotWhole {
        /// What stands there.
        text: String,
    },
    /// A list of values without any.
    NoValues,
    /// A function without its variable.
    VariableMissing {
        /// The function.
        text: String,
    },
    /// Something in a function that is neither a number nor `x` nor `sqrt`.
    NotATerm {
        /// What stands there.
        text: String,
    },
    /// A high power of the variable.
    PowerTooHigh {
        /// The function.
        text: String,
        /// The highest.
        most: i64,
    },
    /// A range in which a format has no numbers.
    NoNumbers {
        /// The format.
        format: String,
        /// The lower end.
        low: String,
        /// The higher end.
        high: String,
    },
    /// `sqrt` without `(`.
    RootNotOpened {
        /// The function.
        text: String,
    },
    /// Something else than hexadecimal digits behind `0x`, or nothing.
    NotHexDigits {
        /// What stands there.
        text: String,
    },
    /// Something else than binary digits behind `0b`, or nothing.
    NotBinaryDigits {
        /// What stands there.
        text: String,
    },
    /// More bits than the format has.
    BitsTooWide {
        /// What stands there.
        text: String,
        /// The bits of the format.
        width: u32,
        /// Its name.
        format: String,
    },
    /// A name of no format.
    UnknownFormat {
        /// The name.
        name: String,
        /// The names of the presets, parted by spaces.
        known: String,
    },
    /// `fp8`: a width that several formats share, or one under another name.
    WidthOnly {
        /// The name.
        name: String,
        /// The formats of this width, parted by spaces.
        formats: String,
    },
    /// A name of no block format.
    UnknownBlockFormat {
        /// The name.
        name: String,
        /// The names of all, parted by spaces.
        known: String,
    },
    /// Too many exponent bits, or none.
    ExponentBits {
        /// How many.
        bits: u32,
        /// The most.
        most: u32,
    },
    /// A format of more than 64 bits.
    FormatTooWide {
        /// Its exponent bits.
        exponent_bits: u32,
        /// Its fraction bits.
        fraction_bits: u32,
    },
    /// A custom format with the codes of E8M0.
    OnlyE8m0Scales,
    /// All codes of the format would be special ones.
    NoRoomForNumbers {
        /// The format as `e1m2`.
        name: String,
        /// The smallest that has room, as `e2m1`.
        least: String,
    },
    /// A bias out of range.
    Bias {
        /// The bias.
        bias: i32,
        /// The largest.
        most: i32,
    },
    /// `-uz` behind FNUZ.
    SingleZeroAlready,
    /// `-uz` for a format that is FNUZ then.
    IsFnuz,
    /// `-uz` behind E8M0.
    E8m0HasNoZero,
    /// A chain of conversions with too many formats.
    ChainTooLong {
        /// The most.
        most: usize,
        /// How many there are.
        given: usize,
    },
}

impl ParseError {
    /// What the line says beside its fixed words, in the order of the fields.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        match self {
            Self::Empty
            | Self::NoValues
            | Self::OnlyE8m0Scales
            | Self::SingleZeroAlready
            | Self::IsFnuz
            | Self::E8m0HasNoZero => Vec::new(),
            Self::NotANumber { text }
            | Self::HexDigitsMissing { text }
            | Self::BitsOrNumber { text }
            | Self::HexPowerMissing { text }
            | Self::Comma { text }
            | Self::Underscore { text }
            | Self::BracketNotOpened { text }
            | Self::BracketNotClosed { text }
            | Self::OperandMissing { text }
            | Self::TooLarge { text }
            | Self::DivisionByZero { text }
            | Self::FractionalPower { text }
            | Self::NotWhole { text }
            | Self::VariableMissing { text }
            | Self::NotATerm { text }
            | Self::RootNotOpened { text }
            | Self::NotHexDigits { text }
            | Self::NotBinaryDigits { text } => vec![text.clone()],
            Self::ExponentMissing { text } => {
                vec![text.clone(), text.chars().next_back().map(String::from).unwrap_or_default()]
            }
            Self::Unexpected { rest: first, before: second }
            | Self::UnknownFormat { name: first, known: second }
            | Self::WidthOnly { name: first, formats: second }
            | Self::UnknownBlockFormat { name: first, known: second }
            | Self::NoRoomForNumbers { name: first, least: second } => vec![first.clone(), second.clone()],
            Self::CodeForm { format, little, big } => vec![format.clone(), little.clone(), big.clone()],
            Self::FieldTooWide { format, width, most, text, .. } => {
                vec![format.clone(), width.to_string(), most.to_string(), text.clone()]
            }
            Self::BytesWrong { format, count, example } => vec![format.clone(), count.to_string(), example.clone()],
            Self::NoNumbers { format, low, high } => vec![format.clone(), low.clone(), high.clone()],
            Self::PowerTooHigh { text, most } => vec![text.clone(), most.to_string()],
            Self::ExpressionTooLong { text, most } => vec![text.clone(), most.to_string()],
            Self::NestedTooDeep { text, most } => vec![text.clone(), most.to_string()],
            Self::BitsTooWide { text, width, format } => vec![text.clone(), width.to_string(), format.clone()],
            Self::ExponentBits { bits, most } => vec![bits.to_string(), most.to_string()],
            Self::FormatTooWide { exponent_bits, fraction_bits } => {
                vec![exponent_bits.to_string(), fraction_bits.to_string()]
            }
            Self::Bias { bias, most } => vec![bias.to_string(), most.to_string()],
            Self::ChainTooLong { most, given } => vec![most.to_string(), given.to_string()],
        }
    }
}
