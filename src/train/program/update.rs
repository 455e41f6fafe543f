//! The last pass: from gradients to new weights and a new loss scale.
//!
//! The order is torch's: check the *scaled* gradients while unscaling them, clip, step, update the scale. What overflows only
//! by unscaling is not seen by the check, there as here.

use super::builder::Builder;
use super::differentiate::Gradients;
use super::{Adam, Initial, Life, Op, Phase, TensorId, TensorSpec, When};
use crate::histogram::Stage;
use crate::train::config::{Optimizer, ProbeScope, RunConfig, ScalerConfig, Storage};
use crate::train::report::Role;

/// Pushes unscaling, clipping, the optimizer and the scaler's step.
pub(super) fn update(builder: &mut Builder, config: &RunConfig, parameters: &[TensorId], gradients: &Gradients) {
    builder.phase = Phase::Update;
    let mut pairs: Vec<(TensorId, TensorId)> =
        parameters.iter().filter_map(|&weight| Some((weight, *gradients.parameters.get(&weight)?))).collect();
    if config.scaler != ScalerConfig::None {
        for (weight, grad) in &mut pairs {
            let name = format!("{}.grad.unscaled", builder.spec(*weight).name);
            let out = builder.like(*weight, name, Role::WeightGradient);
            builder.push(Op::Unscale { x: *grad, out });
            *grad = out;
        }
    }
    if let Some(max_norm) = config.clip_norm {
        let grads = pairs.iter().map(|&(_, grad)| grad).collect();
        builder.push(Op::ClipNorm { grads, max_norm });
    }
    for (weight, grad) in pairs {
        step(builder, config, weight, grad);
    }
    builder.push(Op::ScalerUpdate);
}

/// Pushes the optimizer's op for one parameter, and the probe of its update.
fn step(builder: &mut Builder, config: &RunConfig, weight: TensorId, grad: TensorId) {
    let probed = config.probes.every > 0 && config.probes.scope == ProbeScope::All;
    let update = probed.then(|| {
        let name = format!("{}.update", builder.spec(weight).name);
        let id = builder.like(weight, name, Role::Update);
        builder.tensors[id.0].life = Life::Probe;
        id
    });
    let storage = config.precision.optimizer_state;
    let mut state = |part: &str| moment(builder, weight, part, storage);
    let op = match config.optimizer {
        Optimizer::Sgd { momentum, .. } => {
            let velocity = (momentum != 0.0).then(|| state("velocity"));
            Op::Sgd { weight, grad, velocity, update, momentum }
        }
        Optimizer::Adam { beta1, beta2, epsilon, .. } => {
            let (first, second) = (state("first_moment"), state("second_moment"));
            let (beta1, beta2) = (decimal(beta1), decimal(beta2));
            Op::Adam { weight, grad, first, second, update, adam: Adam { beta1, beta2, epsilon } }
        }
    };
    builder.push(op);
    if let Some(update) = update {
        let when = std::mem::replace(&mut builder.when, When::Probed);
        builder.probe(update, Stage::BeforeCast, false, None);
        builder.when = when;
    }
}

/// Adds a tensor of optimizer state.
fn moment(builder: &mut Builder, weight: TensorId, part: &str, storage: Storage) -> TensorId {
    let spec = builder.spec(weight);
    let moment = TensorSpec {
        name: format!("{}.{part}", spec.name),
        role: Role::OptimizerState,
        storage,
        life: Life::Run(Initial::Zeros),
        ..spec.clone()
    };
    builder.tensor(moment)
}

/// The FP64 of the decimal that was meant: 0.9 in FP32 is 0.89999998.
fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}
