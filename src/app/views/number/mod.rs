//! One number in one format, as several views show it: what is derived from it, and its card.

pub(super) mod derived;
pub(super) mod row;
mod typed;

pub(super) use derived::Row;
