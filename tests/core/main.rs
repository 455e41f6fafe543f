//! Everything that needs no window: one binary, since linking is the slow part.

mod architecture;
mod data;
mod histogram;
mod session;
mod support;
