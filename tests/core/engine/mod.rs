//! The engine: programs, the CPU backend, the loss scaler, the presets.

mod casts;
mod gradients;
mod invariants;
mod ops;
mod presets;
mod program;
mod scaler;
mod support;
