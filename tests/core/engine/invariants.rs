//! What must not change the bits: threads, probes, a power-of-two loss scale.

use std::sync::Arc;

use halfscope::histogram::{Source, Stage};
use halfscope::train::RunConfig;
use halfscope::train::backend::StepInput;
use halfscope::train::config::{Accumulate, CastRounding, Optimizer, ScalerConfig};
use halfscope::train::presets::Preset;
use halfscope::train::program::Program;
use halfscope::train::report::Role;
use proptest::prelude::*;

use super::support::{batch, compile, small, step, wait};

/// The bits of a value; all NaNs count alike, since IEEE 754 leaves the sign and payload of a computed NaN open.
fn canonical(value: f32) -> u32 {
    if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() }
}

/// Trains some steps and returns the bits of all that lives for the whole run, and the losses.
fn train(config: &RunConfig, threads: usize, steps: u64, probe: impl Fn(u64) -> bool) -> (Vec<Vec<u32>>, Vec<u32>) {
    let program = Arc::new(Program::of(config).unwrap());
    let mut plan = compile(Arc::clone(&program), threads);
    let mut losses = Vec::new();
    for index in 0..steps {
        let (images, labels) = batch(config, index);
        losses.push(canonical(step(plan.as_mut(), &images, &labels, probe(index)).loss));
    }
    let mut bits = Vec::new();
    for (index, spec) in program.tensors.iter().enumerate() {
        if matches!(spec.role, Role::Weight | Role::OptimizerState) && !spec.name.contains('@') {
            let values = plan.read(halfscope::train::program::TensorId(index)).unwrap();
            bits.push(values.iter().map(|&value| canonical(value)).collect());
        }
    }
    (bits, losses)
}

/// A step that is timed op by op is the same step, and every kind of op has its time.
#[test]
fn timing_every_op_changes_no_bit() {
    for config in lanes() {
        let program = Arc::new(Program::of(&config).unwrap());
        let [mut plain, mut timed] = [(); 2].map(|()| compile(Arc::clone(&program), 2));
        for index in 0..4 {
            let (images, labels) = batch(&config, index);
            let probe = index == 2;
            let input = StepInput { images: &images, labels: &labels, probe };
            let wanted = step(plain.as_mut(), &images, &labels, probe);
            let (ticket, ops) = timed.profile(&input).unwrap();
            let got = wait(timed.as_mut(), ticket);
            // Debug text tells a NaN from a number, and is the same for the same NaN.
            assert_eq!(format!("{got:?}"), format!("{wanted:?}"), "{} step {index}", config.lane);
            assert!(ops.iter().all(|op| op.seconds.is_finite() && op.seconds >= 0.0), "{ops:?}");
            assert!(ops.is_sorted_by(|a, b| a.seconds >= b.seconds), "{ops:?}");
            let has = |name: &str, layer: &str| ops.iter().any(|op| op.op == name && op.layer == layer);
            assert!(has("matmul", "fc1") && has("matmul", "fc3") && has("clip norm", ""), "{ops:?}");
            assert_eq!(has("probe", "fc1"), probe, "{ops:?}");
        }
        let memory = timed.memory();
        assert!(memory.used >= timed.buffer_bytes(), "{memory:?}");
        assert!(memory.free.is_none_or(|free| free > 0), "{memory:?}");
    }
}

/// Lanes of all kinds, wide enough for several blocks a tensor.
fn lanes() -> Vec<RunConfig> {
    let preset = Preset::find("underflow").unwrap();
    let lane = |name: &str| {
        let policy = halfscope::train::PrecisionPolicy::named(name).unwrap();
        let scaler = policy.usual_scaler();
        let mut config = preset.run(policy, scaler);
        config.model.widths = vec![150, 140, 70, 10];
        config.batch = 130;
        config.train_images = None;
        config.clip_norm = Some(0.5);
        if name == "fp16-naive" {
            // Adam's FP16 moments would turn everything into NaN within two steps.
            config.optimizer = Optimizer::Sgd { learning_rate: 0.1, momentum: 0.9 };
            config.loss_weight = 1.0;
        }
        config
    };
    let mut lanes: Vec<RunConfig> = halfscope::train::PrecisionPolicy::NAMES.iter().map(|name| lane(name)).collect();
    let mut odd = lane("fp16-naive");
    odd.precision.accumulate = Accumulate::Fp16;
    odd.precision.rounding = CastRounding::Stochastic;
    odd.precision.flush_subnormals = true;
    lanes.push(odd);
    lanes
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for config in lanes() {
        let one = train(&config, 1, 3, |_| false);
        for threads in [2, 3, 8] {
            assert!(one == train(&config, threads, 3, |_| false), "{}, {threads} threads", config.precision.name);
        }
    }
}

#[test]
fn probes_change_no_bit() {
    for config in lanes() {
        let mut bare = config.clone();
        bare.probes.every = 0;
        let without = train(&bare, 2, 4, |_| false);
        assert!(without == train(&config, 2, 4, |_| true), "{}: every step", config.precision.name);
        assert!(without == train(&config, 2, 4, |index| index == 2), "{}: one step", config.precision.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Multiplying by a power of two changes the exponent only: what is normal in FP16 with and without it has the same bits
    /// after division, at one cast and through a backward pass whose every value is normal.
    #[test]
    fn a_power_of_two_changes_no_normal_gradient(seed in 0u64..1000, exponent in 1i32..8) {
        let gradients = |scale: f32| {
            let mut config = small("paper", ScalerConfig::Static { scale });
            config.seed = seed;
            let mut program = Program::of(&config).unwrap();
            let ids = ["fc3.out.grad@fp16", "fc3.weight.grad@fp16"].map(|name| program.keep(name).unwrap());
            let mut plan = compile(program, 1);
            let (images, labels) = batch(&config, seed);
            step(plan.as_mut(), &images, &labels, false);
            ids.map(|id| plan.read(id).unwrap())
        };
        let (low, high) = (256.0, 256.0 * 2f32.powi(exponent));
        let ([out, plain], [out_scaled, scaled]) = (gradients(low), gradients(high));
        let normal = |value: f32| value.abs() >= 2f32.powi(-14) && value.is_finite();
        for (&a, &b) in out.iter().zip(&out_scaled) {
            prop_assert!(normal(a) && normal(b), "upstream of the weights everything is normal: {} {}", a, b);
            prop_assert_eq!(a / low, b / high);
        }
        let mut compared = 0;
        for (&a, &b) in plain.iter().zip(&scaled).filter(|&(&a, &b)| normal(a) && normal(b)) {
            compared += 1;
            prop_assert_eq!(a / low, b / high);
        }
        prop_assert!(compared > 20);
    }
}

#[test]
fn probes_say_what_they_are() {
    let config = small("paper", ScalerConfig::Static { scale: 4.0 });
    let program = Arc::new(Program::of(&config).unwrap());
    let mut plan = compile(Arc::clone(&program), 2);
    let (images, labels) = batch(&config, 1);
    assert!(step(plan.as_mut(), &images, &labels, false).readings.is_empty());
    let outcome = step(plan.as_mut(), &images, &labels, true);
    assert_eq!(outcome.readings.len(), program.probes.len());
    for reading in &outcome.readings {
        let probe = &program.probes[reading.probe];
        assert_eq!(reading.histogram.total(), probe.elements, "{probe:?}");
        let gradient = matches!(probe.role, Role::WeightGradient | Role::ActivationGradient);
        assert_eq!(reading.lost_upstream.is_some(), gradient && probe.source == Source::Run, "{probe:?}");
        assert_eq!(probe.scaled, gradient && probe.source == Source::Run, "{probe:?}");
    }
    let has = |tensor: &str, source, stage| {
        program.probes.iter().any(|probe| probe.tensor == tensor && probe.source == source && probe.stage == stage)
    };
    for layer in 1..=3 {
        for part in ["weight.grad", "bias.grad", "out.grad"] {
            let tensor = format!("fc{layer}.{part}");
            assert!(has(&tensor, Source::Run, Stage::BeforeCast), "{tensor}");
            assert!(has(&tensor, Source::Run, Stage::AfterCast), "{tensor}");
            assert!(has(&tensor, Source::Twin, Stage::BeforeCast), "{tensor}");
        }
        for part in ["weight", "bias", "out"] {
            assert!(has(&format!("fc{layer}.{part}"), Source::Run, Stage::AfterCast), "{part}");
        }
        assert!(has(&format!("fc{layer}.weight.update"), Source::Run, Stage::BeforeCast));
    }
}

/// At a tiny loss weight the run loses everything upstream: its own gradients say "0 % lost", the twin says what is gone.
#[test]
fn what_was_lost_upstream_is_counted_against_the_twin() {
    let mut config = small("paper", ScalerConfig::Static { scale: 1.0 });
    config.loss_weight = 1e-9;
    let program = Arc::new(Program::of(&config).unwrap());
    let mut plan = compile(Arc::clone(&program), 1);
    let (images, labels) = batch(&config, 1);
    let outcome = step(plan.as_mut(), &images, &labels, true);
    let reading = |source| {
        let wanted = |index: usize| {
            let probe = &program.probes[index];
            probe.tensor == "fc1.weight.grad" && probe.source == source && probe.stage == Stage::BeforeCast
        };
        outcome.readings.iter().find(|reading| wanted(reading.probe)).unwrap()
    };
    let (run, twin) = (reading(Source::Run), reading(Source::Twin));
    assert_eq!(run.histogram.zeros(), run.histogram.total());
    assert_eq!(run.lost_upstream, Some(twin.histogram.nonzero_finite()));
    assert!(twin.histogram.nonzero_finite() > 0);
}
