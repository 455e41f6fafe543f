//! The engine: programs, the backends, the loss scaler, the presets.

mod agreement;
mod casts;
mod conformance;
#[cfg(all(unix, feature = "cuda"))]
mod cuda;
mod gradients;
mod invariants;
#[cfg(unix)]
mod lanes;
mod ops;
mod presets;
mod program;
mod scaler;
mod support;
#[cfg(feature = "wgpu")]
mod wgpu;
