//! Everything that needs no window: one binary, since linking is the slow part.

mod architecture;
mod cli;
mod data;
mod engine;
mod figure;
mod format;
mod histogram;
mod inspect;
mod recording;
mod session;
mod support;
