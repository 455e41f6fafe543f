//! Memory from lifetimes: tensors of a step that never live at the same time share a buffer.

use super::{Life, Op, Program, TensorId};

/// A piece of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Bytes of one value: 4 or 2. A slot is never shared between widths.
    pub width: usize,
    /// Values it has room for.
    pub elements: usize,
    /// Whether it only serves probes and the FP32 twin.
    pub probe: bool,
    /// Whether it holds its tensor for the whole run.
    pub kept: bool,
}

/// Which tensor lies where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Index into `slots`, by tensor.
    pub slot_of: Vec<usize>,
    /// The pieces of memory.
    pub slots: Vec<Slot>,
}

impl Op {
    /// What it does in a word, as tables of times say it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::MatMul { .. } => "matmul",
            Self::BiasAdd { .. } => "bias add",
            Self::Relu { .. } => "relu",
            Self::ReluGrad { .. } => "relu grad",
            Self::SoftmaxCrossEntropy { .. } => "cross-entropy",
            Self::SumRows { .. } => "sum rows",
            Self::Cast { .. } => "cast",
            Self::Unscale { .. } => "unscale",
            Self::ClipNorm { .. } => "clip norm",
            Self::Sgd { .. } => "sgd",
            Self::Adam { .. } => "adam",
            Self::ScalerUpdate => "scaler update",
            Self::Probe { .. } => "probe",
        }
    }

    /// The tensors it reads.
    #[must_use]
    pub fn reads(&self) -> Vec<TensorId> {
        match self {
            Self::MatMul { a, b, .. } => vec![*a, *b],
            Self::BiasAdd { x, bias, .. } => vec![*x, *bias],
            Self::Relu { x, .. } | Self::SumRows { x, .. } | Self::Cast { x, .. } | Self::Unscale { x, .. } => vec![*x],
            Self::ReluGrad { grad, output, .. } => vec![*grad, *output],
            Self::SoftmaxCrossEntropy { logits, .. } => vec![*logits],
            Self::ClipNorm { grads, .. } => grads.clone(),
            Self::Sgd { weight, grad, velocity, .. } => [*weight, *grad].into_iter().chain(*velocity).collect(),
            Self::Adam { weight, grad, first, second, .. } => vec![*weight, *grad, *first, *second],
            Self::ScalerUpdate => Vec::new(),
            Self::Probe { tensor, twin, .. } => std::iter::once(*tensor).chain(*twin).collect(),
        }
    }

    /// The tensors it writes.
    #[must_use]
    pub fn writes(&self) -> Vec<TensorId> {
        match self {
            Self::MatMul { out, .. }
            | Self::BiasAdd { out, .. }
            | Self::Relu { out, .. }
            | Self::ReluGrad { out, .. }
            | Self::SumRows { out, .. }
            | Self::Cast { out, .. }
            | Self::Unscale { out, .. } => vec![*out],
            Self::SoftmaxCrossEntropy { grad, .. } => vec![*grad],
            Self::ClipNorm { grads, .. } => grads.clone(),
            Self::Sgd { weight, velocity, update, .. } => {
                std::iter::once(*weight).chain(*velocity).chain(*update).collect()
            }
            Self::Adam { weight, first, second, update, .. } => {
                [*weight, *first, *second].into_iter().chain(*update).collect()
            }
            Self::ScalerUpdate | Self::Probe { .. } => Vec::new(),
        }
    }

    /// The operand whose memory `out` may take over, element by element.
    #[must_use]
    pub const fn in_place(&self) -> Option<(TensorId, TensorId)> {
        match *self {
            Self::BiasAdd { x, out, .. } | Self::Relu { x, out } | Self::Unscale { x, out } => Some((x, out)),
            Self::ReluGrad { grad, out, .. } => Some((grad, out)),
            _ => None,
        }
    }
}

impl Layout {
    /// Plans the memory of a program, first fit by size in the order of the instructions.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut last_use = vec![0; program.tensors.len()];
        for (index, instruction) in program.instructions.iter().enumerate() {
            for id in instruction.op.reads().into_iter().chain(instruction.op.writes()) {
                last_use[id.0] = index;
            }
        }
        let mut planner = Planner {
            program,
            slots: Vec::new(),
            slot_of: vec![None; program.tensors.len()],
            owner: Vec::new(),
            free: Vec::new(),
        };
        for (index, spec) in program.tensors.iter().enumerate() {
            if matches!(spec.life, Life::Run(_)) {
                planner.open(TensorId(index), true);
            }
        }
        for (index, instruction) in program.instructions.iter().enumerate() {
            if let Some((x, out)) = instruction.op.in_place() {
                planner.take_over(x, out, last_use[x.0] == index);
            }
            for id in instruction.op.writes() {
                planner.place(id);
            }
            let mut touched: Vec<TensorId> = instruction.op.reads();
            touched.extend(instruction.op.writes());
            touched.sort_unstable();
            touched.dedup();
            for id in touched {
                if last_use[id.0] == index {
                    planner.release(id);
                }
            }
        }
        let slot_of = (0..program.tensors.len()).map(|index| planner.slot_for(TensorId(index))).collect();
        Self { slot_of, slots: planner.slots }
    }

    /// Bytes of the slots that serve training (`false`) or only probes and the twin (`true`).
    #[must_use]
    pub fn bytes(&self, probe: bool) -> u64 {
        self.slots.iter().filter(|slot| slot.probe == probe).map(|slot| (slot.width * slot.elements) as u64).sum()
    }
}

/// The state of the planning.
struct Planner<'a> {
    program: &'a Program,
    slots: Vec<Slot>,
    slot_of: Vec<Option<usize>>,
    owner: Vec<TensorId>,
    free: Vec<usize>,
}

impl Planner<'_> {
    fn width(&self, id: TensorId) -> usize {
        self.program.tensors[id.0].storage.bytes()
    }

    fn is_probe(&self, id: TensorId) -> bool {
        self.program.tensors[id.0].life == Life::Probe
    }

    /// The slot of a tensor; one that no instruction writes gets a slot now.
    fn slot_for(&mut self, id: TensorId) -> usize {
        match self.slot_of[id.0] {
            Some(slot) => slot,
            None => self.open(id, false),
        }
    }

    /// Makes a new slot for a tensor.
    fn open(&mut self, id: TensorId, kept: bool) -> usize {
        let elements = self.program.tensors[id.0].elements();
        self.slots.push(Slot { width: self.width(id), elements, probe: self.is_probe(id), kept });
        self.owner.push(id);
        self.slot_of[id.0] = Some(self.slots.len() - 1);
        self.slots.len() - 1
    }

    /// Gives a tensor the smallest free slot that holds it, or the largest one grown, or a new one.
    fn place(&mut self, id: TensorId) {
        if self.slot_of[id.0].is_some() {
            return;
        }
        let (width, probe, needed) = (self.width(id), self.is_probe(id), self.program.tensors[id.0].elements());
        let fits = |&&slot: &&usize| self.slots[slot].width == width && self.slots[slot].probe == probe;
        let candidates: Vec<usize> = self.free.iter().filter(fits).copied().collect();
        let roomy = candidates.iter().filter(|&&slot| self.slots[slot].elements >= needed);
        let chosen = roomy
            .min_by_key(|&&slot| self.slots[slot].elements)
            .or_else(|| candidates.iter().max_by_key(|&&slot| self.slots[slot].elements));
        let Some(&slot) = chosen else {
            self.open(id, false);
            return;
        };
        self.free.retain(|&other| other != slot);
        self.slots[slot].elements = self.slots[slot].elements.max(needed);
        self.slot_of[id.0] = Some(slot);
        self.owner[slot] = id;
    }

    /// Lets `out` have the slot of `x` if `x` is not needed any more.
    fn take_over(&mut self, x: TensorId, out: TensorId, last: bool) {
        let (spec, other) = (&self.program.tensors[x.0], &self.program.tensors[out.0]);
        let alike = spec.storage == other.storage && spec.elements() == other.elements() && spec.life == other.life;
        if last && alike && !matches!(spec.life, Life::Run(_)) && self.slot_of[out.0].is_none() {
            self.slot_of[out.0] = self.slot_of[x.0];
            if let Some(slot) = self.slot_of[x.0] {
                self.owner[slot] = out;
            }
        }
    }

    /// Frees the slot of a tensor that is not needed any more, unless it went to another or is kept.
    fn release(&mut self, id: TensorId) {
        let Some(slot) = self.slot_of[id.0] else { return };
        if !self.slots[slot].kept && self.owner[slot] == id && !self.free.contains(&slot) {
            self.free.push(slot);
        }
    }
}
