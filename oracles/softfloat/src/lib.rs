//! Nothing here: see `tests/conversions.rs`.
