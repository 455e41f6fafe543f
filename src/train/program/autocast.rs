//! The second pass: the precision policy puts explicit casts into the forward ops.
//!
//! Per op ([`PrecisionPolicy::autocast`]) the rules are `torch.amp`'s lists (torch 2.13, `autocast_mode.h`): products are
//! on the lower-precision list with weights, bias and input cast and the result handed on in that format, `ReLU` is on no
//! list and runs in the type of its input, cross-entropy is on the FP32 list. Per role, as in Micikevicius et al. 2018, the
//! policy's formats say how weights and activations are stored; arithmetic between two stores is FP32.

use std::collections::BTreeMap;

use super::builder::Builder;
use super::forward::Forward;
use super::{Op, TensorId};
use crate::histogram::Stage;
use crate::train::config::{PrecisionPolicy, Storage};
use crate::train::report::Role;

/// The forward pass as it will run: casts included, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Casted {
    /// The ops in order.
    pub ops: Vec<Op>,
    /// What the loss reads.
    pub logits: TensorId,
}

/// Names the reasons that end up in [`CastInfo`](crate::train::report::CastInfo).
struct Reasons {
    input: &'static str,
    weight: &'static str,
    output: &'static str,
}

const PER_OP: Reasons = Reasons {
    input: "autocast: a product is on the lower-precision list, so its input is cast",
    weight: "autocast: a product is on the lower-precision list; weights are cast once a step",
    output: "autocast: a product adds its bias in FP32 and hands its result on in the lower precision",
};
const PER_ROLE: Reasons = Reasons {
    input: "policy: products read activations in this format",
    weight: "policy: products read a copy of the FP32 master weights in this format",
    output: "policy: activations are stored in this format",
};

/// Puts the casts of `policy` into a forward pass, pushes the result to the builder and returns it. With `probed`, weights
/// and activations get probes before and after their cast.
pub(super) fn autocast(builder: &mut Builder, plain: &Forward, policy: &PrecisionPolicy, probed: bool) -> Casted {
    let start = builder.instructions.len();
    let mut pass = Pass { policy, reasons: if policy.autocast { PER_OP } else { PER_ROLE }, renamed: BTreeMap::new() };
    for op in &plain.ops {
        pass.op(builder, op, probed);
    }
    let mut logits = pass.renamed.get(&plain.logits).copied().unwrap_or(plain.logits);
    if policy.autocast {
        logits = builder.cast(logits, Storage::Fp32, "autocast: cross_entropy is on the FP32 list");
    }
    let ops = builder.instructions[start..].iter().map(|instruction| instruction.op.clone()).collect();
    Casted { ops, logits }
}

/// The state of the pass: what a plain tensor is called after its cast.
struct Pass<'a> {
    policy: &'a PrecisionPolicy,
    reasons: Reasons,
    renamed: BTreeMap<TensorId, TensorId>,
}

impl Pass<'_> {
    fn op(&mut self, builder: &mut Builder, op: &Op, probed: bool) {
        match *op {
            Op::MatMul { a, b, out, transpose_a, transpose_b, .. } => {
                let a = self.operand(builder, a, probed);
                let b = self.operand(builder, b, probed);
                let (accumulate, tf32) = (self.policy.accumulate, self.policy.tf32);
                builder.push(Op::MatMul { a, b, out, transpose_a, transpose_b, accumulate, tf32 });
            }
            Op::BiasAdd { x, bias, out } => {
                let bias = self.operand(builder, bias, probed);
                builder.push(Op::BiasAdd { x, bias, out });
                if probed {
                    builder.probe(out, Stage::BeforeCast, false, None);
                }
                let stored = builder.cast(out, self.policy.activations, self.reasons.output);
                if probed && stored != out {
                    builder.probe(stored, Stage::AfterCast, false, None);
                }
                self.renamed.insert(out, stored);
            }
            Op::Relu { x, out } => {
                let x = self.renamed.get(&x).copied().unwrap_or(x);
                builder.tensors[out.0].storage = builder.spec(x).storage;
                builder.push(Op::Relu { x, out });
            }
            ref other => builder.push(other.clone()),
        }
    }

    /// An operand of a product or a bias, in the format that the policy wants it in.
    fn operand(&mut self, builder: &mut Builder, plain: TensorId, probed: bool) -> TensorId {
        if let Some(&known) = self.renamed.get(&plain) {
            return known;
        }
        let role = builder.spec(plain).role;
        let (storage, why) = match role {
            Role::Weight => (self.policy.weights, self.reasons.weight),
            _ => (self.policy.activations, self.reasons.input),
        };
        let is_weight = role == Role::Weight;
        if probed && is_weight {
            let narrow = builder.spec(plain).storage != Storage::Fp32;
            builder.probe(plain, if narrow { Stage::AfterCast } else { Stage::BeforeCast }, false, None);
        }
        // Widening needs no op: every op widens what it reads.
        let stored = if storage == Storage::Fp32 { plain } else { builder.cast(plain, storage, why) };
        if probed && is_weight && stored != plain {
            builder.probe(stored, Stage::AfterCast, false, None);
        }
        self.renamed.insert(plain, stored);
        stored
    }
}
