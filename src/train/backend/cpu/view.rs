//! Slices of stored values, and how work on them is split over threads.
//!
//! Work is split in halves down to [`BLOCK`] values, so where a block begins depends on the length alone and never on the
//! number of threads. Every element is computed by the same code wherever its block ran.

use std::ops::Range;

use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};
use half::{bf16, f16};

use crate::train::backend::storage::bf16_bits;
use crate::train::config::Storage;

/// Values of one tensor, as stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum View<'a> {
    F32(&'a [f32]),
    F16(&'a [u16]),
    Bf16(&'a [u16]),
}

/// Values of one tensor, to be overwritten.
#[derive(Debug)]
pub(super) enum ViewMut<'a> {
    F32(&'a mut [f32]),
    F16(&'a mut [u16]),
    Bf16(&'a mut [u16]),
}

/// Values that one task works on at a time.
pub(super) const BLOCK: usize = 16_384;

/// Values that are widened at a time: two such pieces fit a first-level cache many times over.
pub(super) const PIECE: usize = 1_024;

impl<'a> View<'a> {
    /// Values as FP32: themselves, or widened into `scratch` (exact), which has room for them.
    pub(super) fn widened<'s>(self, range: Range<usize>, scratch: &'s mut [f32]) -> &'s [f32]
    where
        'a: 's,
    {
        match self {
            Self::F32(values) => &values[range],
            Self::F16(bits) => {
                let scratch = &mut scratch[..range.len()];
                bits[range].reinterpret_cast::<f16>().convert_to_f32_slice(scratch);
                scratch
            }
            Self::Bf16(bits) => {
                let scratch = &mut scratch[..range.len()];
                for (wide, &bits) in scratch.iter_mut().zip(&bits[range]) {
                    *wide = f32::from_bits(u32::from(bits) << 16);
                }
                scratch
            }
        }
    }
}

impl ViewMut<'_> {
    /// Stores FP32 values from `offset` on, rounded to nearest even.
    pub(super) fn store(&mut self, offset: usize, values: &[f32]) {
        let range = offset..offset + values.len();
        match self {
            Self::F32(to) => to[range].copy_from_slice(values),
            Self::F16(to) => to[range].reinterpret_cast_mut::<f16>().convert_from_f32_slice(values),
            Self::Bf16(to) => {
                for (to, &value) in to[range].iter_mut().zip(values) {
                    *to = bf16_bits(value);
                }
            }
        }
    }

    /// The same values, read-only.
    pub(super) fn view(&self) -> View<'_> {
        match self {
            Self::F32(values) => View::F32(values),
            Self::F16(bits) => View::F16(bits),
            Self::Bf16(bits) => View::Bf16(bits),
        }
    }

    /// How they are stored.
    pub(super) const fn storage(&self) -> Storage {
        match self {
            Self::F32(_) => Storage::Fp32,
            Self::F16(_) => Storage::Fp16,
            Self::Bf16(_) => Storage::Bf16,
        }
    }
}

/// Rounds values to a storage format and back, in place.
pub(super) fn round_to(storage: Storage, values: &mut [f32]) {
    let mut bits = [f16::ZERO; PIECE];
    match storage {
        Storage::Fp32 => {}
        Storage::Fp16 => {
            for piece in values.chunks_mut(PIECE) {
                let bits = &mut bits[..piece.len()];
                bits.convert_from_f32_slice(piece);
                bits.convert_to_f32_slice(piece);
            }
        }
        Storage::Bf16 => {
            for value in values {
                *value = bf16::from_bits(bf16_bits(*value)).to_f32();
            }
        }
    }
}

/// Something with a length that can be cut in two.
pub(super) trait Split: Sized + Send {
    /// How many elements; `None` if it has no length of its own.
    fn extent(&self) -> Option<usize>;
    /// The elements before and from `mid` on.
    fn split(self, mid: usize) -> (Self, Self);
}

/// Runs `task` on blocks of at most [`BLOCK`] elements, on the current pool.
pub(super) fn for_blocks<T: Split>(work: T, task: &(impl Fn(T) + Sync)) {
    let length = work.extent().unwrap_or(0);
    if length <= BLOCK {
        if length > 0 {
            task(work);
        }
        return;
    }
    let mid = (length / 2).next_multiple_of(PIECE);
    let (left, right) = work.split(mid);
    rayon::join(|| for_blocks(left, task), || for_blocks(right, task));
}

/// Ranges of at most [`PIECE`] elements that cover a length.
pub(super) fn pieces(length: usize) -> impl Iterator<Item = Range<usize>> {
    (0..length).step_by(PIECE).map(move |start| start..(start + PIECE).min(length))
}

impl Split for View<'_> {
    fn extent(&self) -> Option<usize> {
        Some(match self {
            Self::F32(values) => values.len(),
            Self::F16(bits) | Self::Bf16(bits) => bits.len(),
        })
    }

    fn split(self, mid: usize) -> (Self, Self) {
        match self {
            Self::F32(values) => (Self::F32(&values[..mid]), Self::F32(&values[mid..])),
            Self::F16(bits) => (Self::F16(&bits[..mid]), Self::F16(&bits[mid..])),
            Self::Bf16(bits) => (Self::Bf16(&bits[..mid]), Self::Bf16(&bits[mid..])),
        }
    }
}

impl Split for ViewMut<'_> {
    fn extent(&self) -> Option<usize> {
        self.view().extent()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        match self {
            Self::F32(values) => {
                let (left, right) = values.split_at_mut(mid);
                (Self::F32(left), Self::F32(right))
            }
            Self::F16(bits) => {
                let (left, right) = bits.split_at_mut(mid);
                (Self::F16(left), Self::F16(right))
            }
            Self::Bf16(bits) => {
                let (left, right) = bits.split_at_mut(mid);
                (Self::Bf16(left), Self::Bf16(right))
            }
        }
    }
}

impl Split for &mut [f32] {
    fn extent(&self) -> Option<usize> {
        Some(self.len())
    }

    fn split(self, mid: usize) -> (Self, Self) {
        self.split_at_mut(mid)
    }
}

impl<T: Split> Split for Option<T> {
    fn extent(&self) -> Option<usize> {
        self.as_ref().and_then(Split::extent)
    }

    fn split(self, mid: usize) -> (Self, Self) {
        self.map_or((None, None), |inner| {
            let (left, right) = inner.split(mid);
            (Some(left), Some(right))
        })
    }
}

impl Split for Range<usize> {
    fn extent(&self) -> Option<usize> {
        Some(self.len())
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let cut = self.start + mid;
        (self.start..cut, cut..self.end)
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn extent(&self) -> Option<usize> {
        self.0.extent().or_else(|| self.1.extent())
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let ((a, x), (b, y)) = (self.0.split(mid), self.1.split(mid));
        ((a, b), (x, y))
    }
}
