//! One training step of the MLP 784-256-10 at batch 64 (SGD 0.01), with and without probes.
//!
//! `cargo bench --bench step`, then `python3 benches/peers/step.py` in the same sitting for PyTorch's step.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use halfscope::train::backend::{Plan, StepInput, open};
use halfscope::train::config::{BackendKind, ProbeScope, ScalerConfig};
use halfscope::train::presets::Preset;
use halfscope::train::program::Program;
use halfscope::train::rng::Rng;
use halfscope::train::{PrecisionPolicy, RunConfig};

const THREADS: usize = 2;

fn lane(policy: &str, scope: ProbeScope) -> Option<RunConfig> {
    let policy = PrecisionPolicy::named(policy)?;
    let scaler = if policy.is_reduced() { ScalerConfig::Static { scale: 1024.0 } } else { ScalerConfig::None };
    let mut config = Preset::find("mnist-mlp")?.run(policy, scaler);
    config.probes.scope = scope;
    config.probes.twin = false;
    Some(config)
}

fn compile(config: &RunConfig) -> Result<Box<dyn Plan>, String> {
    open(BackendKind::Cpu, THREADS)?.compile(Arc::new(Program::of(config)?))
}

fn steps(criterion: &mut Criterion) {
    let mut rng = Rng::stream(1, 1);
    let images: Vec<f32> = (0..64 * 784).map(|_| rng.unit()).collect();
    let labels: Vec<u8> = (0..64).map(|_| rng.below(10) as u8).collect();
    let cases = [
        ("fp32", "fp32", ProbeScope::Gradients, 0),
        ("fp32, gradients probed every 8th step", "fp32", ProbeScope::Gradients, 8),
        ("fp32, gradients probed every step", "fp32", ProbeScope::Gradients, 1),
        ("fp32, everything probed every step", "fp32", ProbeScope::All, 1),
        ("paper (emulated FP16)", "paper", ProbeScope::Gradients, 0),
        ("amp (emulated FP16)", "amp", ProbeScope::Gradients, 0),
    ];
    for (name, policy, scope, every) in cases {
        let Some(config) = lane(policy, scope) else { continue };
        let mut plan = match compile(&config) {
            Ok(plan) => plan,
            Err(error) => panic!("{name}: {error}"),
        };
        let mut count = 0_u64;
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                count += 1;
                let probe = every > 0 && count.is_multiple_of(every);
                let ticket = plan.submit(&StepInput { images: &images, labels: &labels, probe });
                black_box(ticket.and_then(|ticket| plan.poll(ticket)))
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(100);
    targets = steps
}
criterion_main!(benches);
