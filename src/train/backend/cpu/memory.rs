//! The buffers of a plan, handed out as views.

use super::view::{View, ViewMut};
use crate::train::config::Storage;
use crate::train::program::{Layout, Program, TensorId};

/// One buffer; values of 2 bytes are kept as bits.
#[derive(Debug)]
enum Buffer {
    Wide(Vec<f32>),
    Narrow(Vec<u16>),
}

impl Default for Buffer {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

/// All tensors of a plan.
#[derive(Debug)]
pub(super) struct Memory {
    buffers: Vec<Buffer>,
    slot_of: Vec<usize>,
    shapes: Vec<(usize, usize, Storage)>,
}

/// A tensor that was taken out to be written while others are read; give it back with [`Memory::put`].
#[derive(Debug)]
pub(super) struct Taken {
    buffer: Buffer,
    slot: usize,
    elements: usize,
    storage: Storage,
}

impl Taken {
    /// Its values.
    pub(super) fn view_mut(&mut self) -> ViewMut<'_> {
        match (&mut self.buffer, self.storage) {
            (Buffer::Wide(values), _) => ViewMut::F32(&mut values[..self.elements]),
            (Buffer::Narrow(bits), Storage::Bf16) => ViewMut::Bf16(&mut bits[..self.elements]),
            (Buffer::Narrow(bits), _) => ViewMut::F16(&mut bits[..self.elements]),
        }
    }
}

impl Memory {
    /// Allocates the slots of a layout, zeroed.
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let allocate = |slot: &crate::train::program::Slot| match slot.width {
            4 => Buffer::Wide(vec![0.0; slot.elements]),
            _ => Buffer::Narrow(vec![0; slot.elements]),
        };
        Self {
            buffers: layout.slots.iter().map(allocate).collect(),
            slot_of: layout.slot_of.clone(),
            shapes: program.tensors.iter().map(|spec| (spec.rows, spec.columns, spec.storage)).collect(),
        }
    }

    /// Rows and columns.
    pub(super) fn shape(&self, id: TensorId) -> (usize, usize) {
        let (rows, columns, _) = self.shapes[id.0];
        (rows, columns)
    }

    /// Whether two tensors share their memory.
    pub(super) fn shared(&self, one: TensorId, other: TensorId) -> bool {
        self.slot_of[one.0] == self.slot_of[other.0]
    }

    /// A tensor's values.
    pub(super) fn view(&self, id: TensorId) -> View<'_> {
        let (rows, columns, storage) = self.shapes[id.0];
        match (&self.buffers[self.slot_of[id.0]], storage) {
            (Buffer::Wide(values), _) => View::F32(&values[..rows * columns]),
            (Buffer::Narrow(bits), Storage::Bf16) => View::Bf16(&bits[..rows * columns]),
            (Buffer::Narrow(bits), _) => View::F16(&bits[..rows * columns]),
        }
    }

    /// Takes a tensor out for writing; until it is [`put`](Memory::put) back its slot is empty.
    pub(super) fn take(&mut self, id: TensorId) -> Taken {
        let (rows, columns, storage) = self.shapes[id.0];
        let slot = self.slot_of[id.0];
        Taken { buffer: std::mem::take(&mut self.buffers[slot]), slot, elements: rows * columns, storage }
    }

    /// Puts back what was taken out.
    pub(super) fn put(&mut self, taken: Taken) {
        self.buffers[taken.slot] = taken.buffer;
    }
}
