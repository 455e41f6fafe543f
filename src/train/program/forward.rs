//! The first pass: the network as ops, all in FP32.

use super::builder::Builder;
use super::{Initial, Life, Op, TensorId, TensorSpec};
use crate::train::config::{Accumulate, Init, Model, PrecisionPolicy, Storage};
use crate::train::report::Role;

/// A forward pass before the precision policy has seen it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Forward {
    /// The ops from the images to the logits.
    pub ops: Vec<Op>,
    /// Weights and biases, layer after layer.
    pub parameters: Vec<TensorId>,
    /// What the network answers: batch × classes.
    pub logits: TensorId,
}

/// Adds the parameters of a network. With a master copy they are FP32, else stored as the policy keeps weights.
pub(super) fn parameters(builder: &mut Builder, model: &Model, policy: &PrecisionPolicy) -> Vec<TensorId> {
    let storage = if policy.master_weights { Storage::Fp32 } else { policy.weights };
    let mut ids = Vec::new();
    for (index, pair) in model.widths.windows(2).enumerate() {
        let (inputs, outputs) = (pair[0], pair[1]);
        let stream = 1 + 2 * index as u64;
        let uniform = |bound: f32, stream: u64| Initial::Uniform { bound, stream };
        let fan_in = inputs as f32;
        let (weight, bias) = match model.init {
            Init::TorchLinear => (uniform(1.0 / fan_in.sqrt(), stream), uniform(1.0 / fan_in.sqrt(), stream + 1)),
            Init::HeUniform => (uniform((6.0 / fan_in).sqrt(), stream), Initial::Zeros),
        };
        let layer = format!("fc{}", index + 1);
        for (part, rows, columns, initial) in [("weight", outputs, inputs, weight), ("bias", 1, outputs, bias)] {
            let name = format!("{layer}.{part}");
            let life = Life::Run(initial);
            let layer = layer.clone();
            ids.push(builder.tensor(TensorSpec { name, layer, role: Role::Weight, rows, columns, storage, life }));
        }
    }
    ids
}

/// Writes `out = images·weightᵀ + bias` for every layer, with `ReLU` between layers. `prefix` goes before every name.
pub(super) fn forward(builder: &mut Builder, prefix: &str, images: TensorId, parameters: &[TensorId]) -> Forward {
    let mut ops = Vec::new();
    let mut x = images;
    let layers = parameters.len() / 2;
    for (index, pair) in parameters.chunks_exact(2).enumerate() {
        let (weight, bias) = (pair[0], pair[1]);
        let shape = (builder.spec(images).rows, builder.spec(weight).rows);
        let layer = builder.spec(weight).layer.clone();
        let mut activation = |part: &str| {
            builder.beside(weight, format!("{prefix}{layer}.{part}"), Role::Activation, shape, Storage::Fp32)
        };
        let product = activation("product");
        let out = activation("out");
        ops.push(Op::MatMul {
            a: x,
            b: weight,
            out: product,
            transpose_a: false,
            transpose_b: true,
            accumulate: Accumulate::Fp32,
            tf32: false,
        });
        ops.push(Op::BiasAdd { x: product, bias, out });
        x = out;
        if index + 1 < layers {
            let active = activation("relu");
            ops.push(Op::Relu { x: out, out: active });
            x = active;
        }
    }
    Forward { ops, parameters: parameters.to_vec(), logits: x }
}
