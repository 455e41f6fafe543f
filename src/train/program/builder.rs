//! What the passes write to: tensors, instructions, casts and probes, with names that stay unique.

use super::{Instruction, Life, Op, Phase, Program, Scalars, TensorId, TensorSpec, When};
use crate::histogram::{Source, Stage};
use crate::train::config::{CastRounding, RunConfig, Storage};
use crate::train::report::{CastInfo, ProbeInfo, Role};

/// A program that is being built. Passes set `phase` and `when` for what they push.
#[derive(Debug)]
pub(super) struct Builder {
    /// Tensors so far.
    pub tensors: Vec<TensorSpec>,
    /// Instructions so far.
    pub instructions: Vec<Instruction>,
    /// Probes so far.
    pub probes: Vec<ProbeInfo>,
    /// Casts so far.
    pub casts: Vec<CastInfo>,
    /// Part of the step that is being written.
    pub phase: Phase,
    /// When the ops that are being written run.
    pub when: When,
    rounding: CastRounding,
    flush: bool,
}

impl Storage {
    /// The name in lower case: `fp32`, `fp16`, `bf16`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
        }
    }

    /// Bytes of one value.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Fp32 => 4,
            Self::Fp16 | Self::Bf16 => 2,
        }
    }
}

impl Builder {
    /// An empty program whose casts round as the policy says.
    pub(super) const fn new(rounding: CastRounding, flush: bool) -> Self {
        Self {
            tensors: Vec::new(),
            instructions: Vec::new(),
            probes: Vec::new(),
            casts: Vec::new(),
            phase: Phase::Forward,
            when: When::Always,
            rounding,
            flush,
        }
    }

    /// Adds a tensor.
    pub(super) fn tensor(&mut self, spec: TensorSpec) -> TensorId {
        self.tensors.push(spec);
        TensorId(self.tensors.len() - 1)
    }

    /// What a tensor is.
    pub(super) fn spec(&self, id: TensorId) -> &TensorSpec {
        &self.tensors[id.0]
    }

    /// Adds a tensor with the layer and the life of another.
    pub(super) fn beside(
        &mut self,
        other: TensorId,
        name: String,
        role: Role,
        shape: (usize, usize),
        storage: Storage,
    ) -> TensorId {
        let layer = self.spec(other).layer.clone();
        let life = if self.phase == Phase::Twin { Life::Probe } else { Life::Step };
        self.tensor(TensorSpec { name, layer, role, rows: shape.0, columns: shape.1, storage, life })
    }

    /// Adds a tensor of the same shape in FP32.
    pub(super) fn like(&mut self, other: TensorId, name: String, role: Role) -> TensorId {
        let shape = (self.spec(other).rows, self.spec(other).columns);
        self.beside(other, name, role, shape, Storage::Fp32)
    }

    /// Adds an op.
    pub(super) fn push(&mut self, op: Op) {
        self.instructions.push(Instruction { op, when: self.when, phase: self.phase });
    }

    /// Adds a cast, or returns the tensor itself if it is stored like that already. The result is called
    /// `name@format`.
    pub(super) fn cast(&mut self, x: TensorId, to: Storage, why: &str) -> TensorId {
        let spec = self.spec(x);
        let from = spec.storage;
        if from == to {
            return x;
        }
        let (name, role, shape) = (spec.name.clone(), spec.role, (spec.rows, spec.columns));
        let plain = name.split('@').next().unwrap_or(&name).to_owned();
        let out = self.beside(x, format!("{plain}@{}", to.name()), role, shape, to);
        self.push(Op::Cast { x, out, rounding: self.rounding, flush: self.flush });
        self.casts.push(CastInfo { tensor: plain, from: from.name().into(), to: to.name().into(), why: why.into() });
        out
    }

    /// Adds a probe of a tensor; `twin` is the same tensor of the FP32 twin.
    pub(super) fn probe(&mut self, tensor: TensorId, stage: Stage, scaled: bool, twin: Option<TensorId>) {
        let spec = self.spec(tensor);
        let source = if self.phase == Phase::Twin { Source::Twin } else { Source::Run };
        let plain = spec.name.trim_start_matches("twin.").split('@').next().unwrap_or_default().to_owned();
        let info = ProbeInfo {
            tensor: plain,
            layer: spec.layer.clone(),
            role: spec.role,
            stage,
            source,
            elements: spec.elements() as u64,
            scaled,
        };
        self.probes.push(info);
        let index = self.probes.len() - 1;
        let op = Op::Probe { index, tensor, twin };
        self.instructions.push(Instruction { op, when: When::Probed, phase: self.phase });
    }

    /// The finished program.
    pub(super) fn finish(self, config: &RunConfig, scalars: Scalars, images: TensorId, logits: TensorId) -> Program {
        Program {
            tensors: self.tensors,
            instructions: self.instructions,
            scalars,
            probes: self.probes,
            casts: self.casts,
            batch: config.batch,
            images,
            logits,
            seed: config.seed,
        }
    }
}
