//! Single operations by a device's own instructions.

use super::bytes::{words, words_to_bytes};
use super::device::Device;
use super::kernel::Kernel;
use super::launch::{KernelLaunch, Launch, THREADS, WORDS};
use crate::train::backend::Primitive;

/// Does one operation on every pair of words.
///
/// # Errors
/// One line: not enough memory, a lost device.
pub(in super::super) fn observe(
    device: &mut impl Device,
    primitive: Primitive,
    [a, b]: [&[u32]; 2],
) -> Result<Vec<u32>, String> {
    let bytes = 4 * a.len().max(1) as u64;
    let buffers = [device.allocate(bytes)?, device.allocate(bytes)?, device.allocate(bytes)?];
    device.write(buffers[0], 0, &words_to_bytes(a))?;
    device.write(buffers[1], 0, &words_to_bytes(b))?;
    let mut arguments = [0; WORDS];
    arguments[0] = a.len() as u32;
    arguments[2] = Primitive::ALL.iter().position(|&other| other == primitive).unwrap_or(0) as u32;
    let blocks = arguments[0].div_ceil(THREADS).clamp(1, device.blocks());
    let buffers_of = buffers.map(Some).to_vec();
    let launch = KernelLaunch { kernel: Kernel::Observe, buffers: buffers_of, words: arguments, blocks };
    let list = device.prepare(&[Launch::Kernel(launch)])?;
    device.run(list)?;
    let result = device.read(buffers[2], bytes)?;
    Ok(words(&result).take(a.len()).collect())
}
