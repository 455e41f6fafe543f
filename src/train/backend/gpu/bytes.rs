//! Values and words as the bytes that are copied to and from a device.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use crate::train::backend::storage::bf16_bits;
use crate::train::config::Storage;

/// Values rounded to nearest even, as little-endian bytes.
pub(super) fn to_bytes(storage: Storage, values: &[f32]) -> Vec<u8> {
    match storage {
        Storage::Fp32 => flat(values.iter().map(|value| value.to_le_bytes())),
        Storage::Fp16 => {
            let mut halves = vec![f16::ZERO; values.len()];
            halves.convert_from_f32_slice(values);
            flat(halves.iter().map(|half| half.to_le_bytes()))
        }
        Storage::Bf16 => flat(values.iter().map(|&value| bf16_bits(value).to_le_bytes())),
    }
}

/// Words as little-endian bytes.
pub(super) fn words_to_bytes(words: &[u32]) -> Vec<u8> {
    flat(words.iter().map(|word| word.to_le_bytes()))
}

/// Bytes one after another. Collecting whole values first lets the compiler copy them many at a time.
fn flat<const BYTES: usize>(values: impl Iterator<Item = [u8; BYTES]>) -> Vec<u8> {
    values.collect::<Vec<_>>().into_flattened()
}

/// Values of little-endian bytes, widened. Bytes that do not make up a whole value at the end are left out.
pub(super) fn from_bytes(storage: Storage, bytes: &[u8]) -> Vec<f32> {
    let halves = || bytes.as_chunks::<2>().0.iter().map(|&half| u16::from_le_bytes(half));
    match storage {
        Storage::Fp32 => words(bytes).map(f32::from_bits).collect(),
        Storage::Fp16 => halves().map(|bits| f16::from_bits(bits).to_f32()).collect(),
        Storage::Bf16 => halves().map(|bits| bf16::from_bits(bits).to_f32()).collect(),
    }
}

/// Little-endian words.
pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word))
}
