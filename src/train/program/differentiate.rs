//! The third pass: walks the forward ops backwards and writes the ops of the gradients.
//!
//! The backward pass starts at the *scaled, weighted* loss. Every gradient travels in FP32 until a product or a parameter
//! needs it; there it is [settled](Reverse::settle): cast, once, to the format in which the policy keeps gradients, with a
//! probe on either side of the cast. `ReLU`'s mask is applied before that cast: masking and rounding commute, so the bits are
//! those of rounding first, and the probes do not count values that the mask deletes as lost.
//!
//! `fc1.out.grad` is the gradient of a layer's output before its `ReLU` (of the logits for the last layer).

use std::collections::BTreeMap;

use super::autocast::Casted;
use super::builder::Builder;
use super::{Op, TensorId};
use crate::histogram::Stage;
use crate::train::config::{PrecisionPolicy, Storage};
use crate::train::report::Role;

/// What the backward pass is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backward<'a> {
    /// What stands before the names of all tensors of this pass.
    pub prefix: &'a str,
    /// Formats and lists.
    pub policy: &'a PrecisionPolicy,
    /// What the loss is multiplied by.
    pub loss_weight: f32,
    /// Whether the loss is multiplied by the device's loss scale.
    pub scaled: bool,
    /// Whether gradients are probed.
    pub probed: bool,
    /// The FP32 twin's gradients by name, for counting what was lost upstream.
    pub twin: &'a BTreeMap<String, TensorId>,
}

/// The gradients that a backward pass leaves.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Gradients {
    /// By parameter, settled.
    pub parameters: BTreeMap<TensorId, TensorId>,
    /// Before their casts, by probe name such as `fc1.weight.grad`.
    pub by_name: BTreeMap<String, TensorId>,
}

/// Pushes the backward pass of `forward` and returns the gradients of the `parameters`.
pub(super) fn differentiate(
    builder: &mut Builder,
    forward: &Casted,
    parameters: &[TensorId],
    wanted: Backward<'_>,
) -> Gradients {
    let name = format!("{}loss.grad", wanted.prefix);
    let seed = builder.like(forward.logits, name, Role::ActivationGradient);
    let (weight, scaled) = (wanted.loss_weight, wanted.scaled);
    builder.push(Op::SoftmaxCrossEntropy { logits: forward.logits, grad: seed, weight, scaled });
    let mut reverse =
        Reverse { builder, wanted, raw: BTreeMap::new(), settled: BTreeMap::new(), found: Gradients::default() };
    reverse.raw.insert(forward.logits, seed);
    for op in forward.ops.iter().rev() {
        reverse.op(op);
    }
    for &parameter in parameters {
        if let Some(gradient) = reverse.settle(parameter) {
            reverse.found.parameters.insert(parameter, gradient);
        }
    }
    reverse.found
}

/// The walk: gradients by the tensor they belong to, as they arrive and as they are stored.
struct Reverse<'a, 'b> {
    builder: &'a mut Builder,
    wanted: Backward<'b>,
    raw: BTreeMap<TensorId, TensorId>,
    settled: BTreeMap<TensorId, TensorId>,
    found: Gradients,
}

impl Reverse<'_, '_> {
    fn op(&mut self, op: &Op) {
        match *op {
            Op::MatMul { a, b, out, transpose_a, transpose_b, accumulate, tf32 } => {
                let Some(grad) = self.settle(out) else { return };
                let product = |a, b, transpose_a, transpose_b, out| Op::MatMul {
                    a,
                    b,
                    out,
                    transpose_a,
                    transpose_b,
                    accumulate,
                    tf32,
                };
                if let Some(to) = self.gradient_of(b) {
                    self.builder.push(if transpose_b {
                        product(grad, a, true, transpose_a, to)
                    } else {
                        product(a, grad, !transpose_a, false, to)
                    });
                    // A parameter's gradient is cast as soon as it is there: its FP32 product can then be recycled.
                    if self.builder.spec(b).role == Role::Weight {
                        self.settle(b);
                    }
                }
                if let Some(to) = self.gradient_of(a) {
                    self.builder.push(if transpose_a {
                        product(b, grad, transpose_b, true, to)
                    } else {
                        product(grad, b, false, !transpose_b, to)
                    });
                }
            }
            Op::BiasAdd { x, bias, out } => {
                let Some(grad) = self.settle(out) else { return };
                self.settled.insert(x, grad);
                if let Some(to) = self.gradient_of(bias) {
                    let accumulate = self.wanted.policy.accumulate;
                    self.builder.push(Op::SumRows { x: grad, out: to, accumulate });
                    self.settle(bias);
                }
            }
            Op::Relu { x, out } => {
                let Some(&grad) = self.raw.get(&out) else { return };
                let name = format!("{}.masked", self.builder.spec(grad).name);
                let to = self.builder.like(out, name, Role::ActivationGradient);
                self.builder.push(Op::ReluGrad { grad, output: out, out: to });
                self.raw.insert(x, to);
            }
            Op::Cast { x, out, .. } => self.through_cast(x, out),
            _ => {}
        }
    }

    /// The gradient of a cast is a cast the other way: a gradient that was made narrow stays so, one that arrives at a
    /// widening cast goes on as it is.
    fn through_cast(&mut self, x: TensorId, out: TensorId) {
        if self.builder.spec(out).storage == Storage::Fp32 {
            if let Some(&grad) = self.raw.get(&out) {
                self.raw.insert(x, grad);
            }
            return;
        }
        let Some(grad) = self.settle(out) else { return };
        let is_leaf = self.builder.spec(x).role == Role::Weight;
        let grad = if self.wanted.policy.autocast && is_leaf {
            self.builder.cast(
                grad,
                Storage::Fp32,
                "autocast backward: a gradient ends in the format of its FP32 parameter",
            )
        } else {
            grad
        };
        self.settled.insert(x, grad);
    }

    /// A new FP32 tensor for the gradient of `of`; `None` for images, which need none.
    fn gradient_of(&mut self, of: TensorId) -> Option<TensorId> {
        let spec = self.builder.spec(of);
        let role = match spec.role {
            Role::Weight => Role::WeightGradient,
            Role::Activation => Role::ActivationGradient,
            _ => return None,
        };
        let plain = spec.name.trim_start_matches("twin.").split('@').next().unwrap_or_default().to_owned();
        let to = self.builder.like(of, format!("{}{plain}.grad", self.wanted.prefix), role);
        self.raw.insert(of, to);
        Some(to)
    }

    /// The gradient of a tensor in the format in which gradients are kept: cast and probed the first time it is asked for.
    fn settle(&mut self, of: TensorId) -> Option<TensorId> {
        if let Some(&done) = self.settled.get(&of) {
            return Some(done);
        }
        let raw = self.name_after(of)?;
        let name = self.builder.spec(raw).name.trim_start_matches("twin.").to_owned();
        let twin = self.wanted.twin.get(&name).copied();
        let (scaled, probed) = (self.wanted.scaled, self.wanted.probed);
        if probed {
            self.builder.probe(raw, Stage::BeforeCast, scaled, twin);
        }
        let why = "backward: the gradient of a tensor is kept in the policy's gradient format";
        let stored = self.builder.cast(raw, self.wanted.policy.gradients, why);
        if probed && stored != raw {
            self.builder.probe(stored, Stage::AfterCast, scaled, twin);
        }
        self.found.by_name.insert(name, raw);
        self.settled.insert(of, stored);
        Some(stored)
    }

    /// The raw gradient of a tensor, renamed after it: a layer's output is `fc1.out`, its gradient `fc1.out.grad`, whatever
    /// masks it went through on its way.
    fn name_after(&mut self, of: TensorId) -> Option<TensorId> {
        let raw = *self.raw.get(&of)?;
        let plain =
            self.builder.spec(of).name.trim_start_matches("twin.").split('@').next().unwrap_or_default().to_owned();
        let (layer, name) = (self.builder.spec(of).layer.clone(), format!("{}{plain}.grad", self.wanted.prefix));
        let spec = &mut self.builder.tensors[raw.0];
        spec.layer = layer;
        spec.name = name;
        Some(raw)
    }
}
