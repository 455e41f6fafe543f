//! What the format core found, in words that window and command line share.

use crate::format::{ChainEvent, Mistake};
use crate::i18n::formats::{Happened, Mistaken};

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
