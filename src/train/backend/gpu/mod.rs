//! What all graphics processors have in common: how a [`Program`](crate::train::program::Program) becomes a list of
//! kernel launches, and a plan that runs such lists on a [`Device`].
//!
//! Every op is lowered in one place, `lower`, to launches of [`Kernel`]s. A kernel has one name and two sources beside each
//! other, `kernels/NAME.wgsl` and `kernels/NAME.cu`, with the same buffers and the same argument words; a device compiles
//! the one it understands. What differs between devices is behind the trait: memory, launching, reading back.
//!
//! Buffers are 32-bit words: an FP32 each, or two FP16 or BF16 values, the first in the low half. Scale, 1/S, found-inf,
//! growth tracker and counters live in a buffer of scalars on the device; what a step reports is gathered in a buffer of
//! results that is copied out after it, so that the device never waits for the host.

mod adam_table;
mod bytes;
mod device;
mod kernel;
mod launch;
mod lower;
mod observe;
mod plan;

pub(super) use device::{Buffer, Device};
#[cfg(feature = "wgpu")]
pub(super) use kernel::{Form, Use};
pub(super) use kernel::{Kernel, MAX_BUFFERS};
pub(super) use launch::{KernelLaunch, Launch};
#[cfg(feature = "cuda")]
pub(super) use launch::{Product, THREADS, WORDS};
pub(super) use observe::observe;
pub(super) use plan::GpuPlan;
