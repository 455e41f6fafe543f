//! Everything that needs no window: one binary, since linking is the slow part.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod architecture;
mod cli;
mod data;
mod engine;
mod figure;
mod format;
mod histogram;
mod inspect;
mod link;
mod numbers;
mod observe;
mod recording;
mod session;
mod steps;
mod support;

#[path = "../support/cuda_emulator/mod.rs"]
mod cuda_emulator;
