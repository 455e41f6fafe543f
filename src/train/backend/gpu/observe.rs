//! Single operations by a device's own instructions.

use super::bytes::{words, words_to_bytes};
use super::device::Device;
use super::kernel::Kernel;
use super::launch::{KernelLaunch, Launch, THREADS, WORDS};
use crate::train::backend::Primitive;

/// Does one operation on every row of words.
///
/// # Errors
/// One line: not enough memory, a lost device.
pub(in super::super) fn observe(
    device: &mut impl Device,
    primitive: Primitive,
    operands: [&[u32]; 3],
) -> Result<Vec<u32>, String> {
    let rows = operands[0].len();
    let bytes = 4 * rows.max(1) as u64;
    let mut buffers = Vec::new();
    for (at, column) in operands.into_iter().enumerate() {
        let buffer = if at < primitive.operands() { Some(device.allocate(bytes)?) } else { None };
        if let Some(buffer) = buffer {
            device.write(buffer, 0, &words_to_bytes(column))?;
        }
        buffers.push(buffer);
    }
    let out = device.allocate(bytes)?;
    buffers.push(Some(out));
    let mut arguments = [0; WORDS];
    arguments[0] = rows as u32;
    arguments[2] = primitive.code();
    let blocks = arguments[0].div_ceil(THREADS).clamp(1, device.blocks());
    let launch = KernelLaunch { kernel: Kernel::Observe, buffers, words: arguments, blocks };
    let list = device.prepare(&[Launch::Kernel(launch)])?;
    device.run(list)?;
    let result = device.read(out, bytes)?;
    Ok(words(&result).take(rows).collect())
}
