//! What the format core found and devices did, in words that window and command line share.

use std::cmp::Ordering;

use crate::format::{Accumulation, ChainEvent, CodeField, Mistake, Order, ParseError, Updates, Value};
use crate::i18n::Lang;
use crate::i18n::arithmetic::{Arithmetic, Standing};
use crate::i18n::formats::{Happened, Mistaken};
use crate::i18n::hardware::{self, Hardware};
use crate::i18n::refused::Refused;
use crate::observe::{Departure, Example};

/// What a link of a chain did, in words.
#[must_use]
pub const fn happened(event: ChainEvent) -> Happened {
    match event {
        ChainEvent::DoubleRounding => Happened::DoubleRounding,
        ChainEvent::SubnormalIgnored => Happened::SubnormalIgnored,
        ChainEvent::Saturated => Happened::Saturated,
        ChainEvent::ToZero => Happened::ToZero,
        ChainEvent::FiniteToInfinite => Happened::FiniteToInfinite,
        ChainEvent::FiniteToNan => Happened::FiniteToNan,
        ChainEvent::InfiniteToNan => Happened::InfiniteToNan,
        ChainEvent::InfiniteToFinite => Happened::InfiniteToFinite,
        ChainEvent::NanToFinite => Happened::NanToFinite,
        ChainEvent::ZeroToNan => Happened::ZeroToNan,
        ChainEvent::NegativeToNan => Happened::NegativeToNan,
        ChainEvent::ZeroSignLost => Happened::ZeroSignLost,
    }
}

/// What is right where something is often mistaken, in words.
#[must_use]
pub const fn mistaken(mistake: Mistake) -> Mistaken {
    match mistake {
        Mistake::Fp16Range => Mistaken::Fp16Range,
        Mistake::Fp16Underflow => Mistaken::Fp16Underflow,
        Mistake::Bf16Precision => Mistaken::Bf16Precision,
        Mistake::E4m3Range => Mistaken::E4m3Range,
        Mistake::E4m3Nan => Mistaken::E4m3Nan,
        Mistake::TinyIsNormal => Mistaken::TinyIsNormal,
        Mistake::FnuzZero => Mistaken::FnuzZero,
    }
}

/// How a device's result differs from the right one, in words.
#[must_use]
pub const fn departed(departure: Departure) -> Hardware {
    match departure {
        Departure::NanSign => Hardware::NanSign,
        Departure::NanPayload => Hardware::NanPayload,
        Departure::NanSignalling => Hardware::NanSignalling,
        Departure::OperandFlushed => Hardware::OperandFlushed,
        Departure::ResultFlushed => Hardware::ResultFlushed,
        Departure::Off => Hardware::Off,
        Departure::Sign => Hardware::Sign,
        Departure::ToInfinity => Hardware::ToInfinity,
        Departure::FromInfinity => Hardware::FromInfinity,
        Departure::ToNan => Hardware::ToNan,
        Departure::FromNan => Hardware::FromNan,
    }
}

/// The same of one example, with the distance where there is one.
#[must_use]
pub fn how_far(lang: Lang, example: &Example) -> String {
    match example.departure {
        Departure::Off => hardware::off(lang, example.distance(), example.is_toward_zero()),
        departure => departed(departure).text(lang).to_owned(),
    }
}

/// How products are added, in words.
#[must_use]
pub const fn accumulated(accumulation: Accumulation) -> Arithmetic {
    match accumulation {
        Accumulation::Sequential(_) => Arithmetic::Sequential,
        Accumulation::Kahan(_) => Arithmetic::Kahan,
        Accumulation::Fused { .. } => Arithmetic::Fused,
        Accumulation::Blocks { .. } => Arithmetic::Blocks,
    }
}

/// In which order, in words.
#[must_use]
pub const fn ordered(order: Order) -> Arithmetic {
    match order {
        Order::Forward => Arithmetic::Forward,
        Order::Backward => Arithmetic::Backward,
        Order::Ascending => Arithmetic::Ascending,
        Order::Descending => Arithmetic::Descending,
    }
}

/// How weight and update stand to each other, and to half the gap between the weight and its neighbour, in words.
#[must_use]
pub fn standing(updates: &Updates) -> Standing {
    let format = updates.ways[0].0;
    let [weight, update, sum] =
        [updates.weight, updates.update, updates.once.sum.rounded.bits].map(|bits| format.decode(bits));
    let (Value::Finite(w), Value::Finite(u)) = (&weight, &update) else {
        return match (sum, weight) {
            (Value::Nan(_), _) => Standing::NotANumber,
            (_, Value::Infinite { .. }) => Standing::WeightInfinite,
            _ => Standing::UpdateInfinite,
        };
    };
    match updates.once.half_gap.as_ref().map(|gap| u.compare_magnitude(gap)) {
        _ if u.is_zero() => Standing::Nothing,
        _ if w.is_zero() => Standing::FromZero,
        Some(Ordering::Greater) => Standing::Above,
        Some(Ordering::Equal) => Standing::Tie,
        _ => Standing::Below,
    }
}

/// What the three ways of an update come to, in a few words: to nearest, in the master copy, by chance.
#[must_use]
pub fn ways(updates: &Updates) -> [Arithmetic; 3] {
    if let Some(says) = outside(standing(updates)) {
        return [says; 3];
    }
    let narrow = if updates.once.lost { Arithmetic::Lost } else { Arithmetic::Moved };
    let master = match (updates.master.lost, updates.rescued()) {
        (true, _) => Arithmetic::Lost,
        (_, true) => Arithmetic::MasterKeeps,
        (_, false) => Arithmetic::MasterAgrees,
    };
    [narrow, master, Arithmetic::OnAverage]
}

/// What all three ways of an update come to where there is nothing to compare.
#[must_use]
pub const fn outside(standing: Standing) -> Option<Arithmetic> {
    match standing {
        Standing::Below | Standing::Tie | Standing::Above | Standing::FromZero => None,
        Standing::Nothing => Some(Arithmetic::NothingAdded),
        Standing::WeightInfinite => Some(Arithmetic::StaysInfinite),
        Standing::UpdateInfinite => Some(Arithmetic::BecomesInfinite),
        Standing::NotANumber => Some(Arithmetic::IsNotANumber),
    }
}

/// Why a text is no number or format, in one line; in English the line that the command line prints.
#[must_use]
pub fn refused(error: &ParseError, lang: Lang) -> String {
    let template = match error {
        ParseError::Empty => Refused::Empty,
        ParseError::NotANumber { .. } => Refused::NotANumber,
        ParseError::HexDigitsMissing { .. } => Refused::HexDigitsMissing,
        ParseError::BitsOrNumber { .. } => Refused::BitsOrNumber,
        ParseError::HexPowerMissing { .. } => Refused::HexPowerMissing,
        ParseError::ExponentMissing { .. } => Refused::ExponentMissing,
        ParseError::Comma { .. } => Refused::Comma,
        ParseError::Underscore { .. } => Refused::Underscore,
        ParseError::Unexpected { .. } => Refused::Unexpected,
        ParseError::ExpressionTooLong { .. } => Refused::ExpressionTooLong,
        ParseError::NestedTooDeep { .. } => Refused::NestedTooDeep,
        ParseError::BracketNotOpened { .. } => Refused::BracketNotOpened,
        ParseError::BracketNotClosed { .. } => Refused::BracketNotClosed,
        ParseError::OperandMissing { .. } => Refused::OperandMissing,
        ParseError::TooLarge { .. } => Refused::TooLarge,
        ParseError::DivisionByZero { .. } => Refused::DivisionByZero,
        ParseError::FractionalPower { .. } => Refused::FractionalPower,
        ParseError::CodeForm { .. } => Refused::CodeForm,
        ParseError::FieldTooWide { field: CodeField::Sign, .. } => Refused::SignTooWide,
        ParseError::FieldTooWide { field: CodeField::Exponent, .. } => Refused::ExponentTooWide,
        ParseError::FieldTooWide { field: CodeField::Fraction, .. } => Refused::FractionTooWide,
        ParseError::BytesWrong { .. } => Refused::BytesWrong,
        ParseError::NotWhole { .. } => Refused::NotWhole,
        ParseError::NoValues => Refused::NoValues,
        ParseError::VariableMissing { .. } => Refused::VariableMissing,
        ParseError::NotATerm { .. } => Refused::NotATerm,
        ParseError::PowerTooHigh { .. } => Refused::PowerTooHigh,
        ParseError::NoNumbers { .. } => Refused::NoNumbers,
        ParseError::RootNotOpened { .. } => Refused::RootNotOpened,
        ParseError::NotHexDigits { .. } => Refused::NotHexDigits,
        ParseError::NotBinaryDigits { .. } => Refused::NotBinaryDigits,
        ParseError::BitsTooWide { .. } => Refused::BitsTooWide,
        ParseError::UnknownFormat { .. } => Refused::UnknownFormat,
        ParseError::WidthOnly { .. } => Refused::WidthOnly,
        ParseError::UnknownBlockFormat { .. } => Refused::UnknownBlockFormat,
        ParseError::ExponentBits { .. } => Refused::ExponentBits,
        ParseError::FormatTooWide { .. } => Refused::FormatTooWide,
        ParseError::OnlyE8m0Scales => Refused::OnlyE8m0Scales,
        ParseError::NoRoomForNumbers { .. } => Refused::NoRoomForNumbers,
        ParseError::Bias { .. } => Refused::Bias,
        ParseError::SingleZeroAlready => Refused::SingleZeroAlready,
        ParseError::IsFnuz => Refused::IsFnuz,
        ParseError::E8m0HasNoZero => Refused::E8m0HasNoZero,
        ParseError::ChainTooLong { .. } => Refused::ChainTooLong,
    };
    filled(template.text(lang), &error.fields())
}

/// Puts fields in the place of `{0}`, `{1}`…; what stands in the fields stays as it is.
fn filled(template: &str, fields: &[String]) -> String {
    let mut pieces = template.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (place, rest) = piece.split_once('}').unwrap_or_default();
        text += place.parse().ok().and_then(|place: usize| fields.get(place)).map_or("", String::as_str);
        text += rest;
    }
    text
}
