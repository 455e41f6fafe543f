//! The presets make their point on the embedded data. Minutes of training: behind `--ignored`.

use std::sync::Arc;

use halfscope::data;
use halfscope::histogram::{ExponentHistogram, Rule, Stage, Target};
use halfscope::train::RunConfig;
use halfscope::train::config::{Optimizer, ScalerConfig};
use halfscope::train::presets::{PRESETS, Preset};
use halfscope::train::program::Program;
use halfscope::train::report::Role;
use halfscope::train::rng::Rng;

use super::support::{compile, step};

/// What a run came to.
struct Result {
    accuracy: f64,
    /// Weight gradients before any cast, merged over the probed steps, by name.
    gradients: Vec<(String, ExponentHistogram)>,
}

fn train(config: &RunConfig) -> Result {
    let set = data::embedded();
    let table = config.pixel_values();
    let inputs = |pixels: &[u8]| -> Vec<f32> { pixels.iter().map(|&pixel| table[usize::from(pixel)]).collect() };
    let (images, test) = (inputs(&set.train.images), inputs(&set.test.images));
    let program = Arc::new(Program::of(config).unwrap());
    let mut plan = compile(Arc::clone(&program), 2);
    let mut order: Vec<usize> = (0..set.train.labels.len()).collect();
    let mut rng = Rng::stream(config.seed, 1000);
    let mut next = order.len();
    let mut gradients: Vec<ExponentHistogram> = vec![ExponentHistogram::default(); program.probes.len()];
    for number in 1..=config.steps {
        if next + config.batch > order.len() {
            rng.shuffle(&mut order);
            next = 0;
        }
        let chosen = &order[next..next + config.batch];
        next += config.batch;
        let batch: Vec<f32> = chosen.iter().flat_map(|&index| &images[index * 784..][..784]).copied().collect();
        let labels: Vec<u8> = chosen.iter().map(|&index| set.train.labels[index]).collect();
        let probe = config.probes.every > 0 && number % config.probes.every == 0;
        for reading in step(plan.as_mut(), &batch, &labels, probe).readings {
            gradients[reading.probe].merge(&reading.histogram);
        }
    }
    let score = plan.evaluate(&test, &set.test.labels).unwrap();
    let wanted = |index: &usize| {
        let probe = &program.probes[*index];
        probe.role == Role::WeightGradient && probe.stage == Stage::BeforeCast && !probe.scaled
    };
    let named = |index: usize| (program.probes[index].tensor.clone(), gradients[index].clone());
    Result {
        accuracy: score.correct as f64 / set.test.labels.len() as f64,
        gradients: (0..program.probes.len()).filter(wanted).map(named).collect(),
    }
}

#[test]
fn presets_are_valid_and_found_by_name() {
    for preset in &PRESETS {
        let lanes = RunConfig::preset(&preset.name.to_uppercase()).unwrap();
        assert_eq!(lanes.len(), preset.lanes.len());
        assert_eq!(lanes[0].precision.name, "fp32", "the first lane is the reference");
        for lane in lanes {
            assert_eq!(lane.validate(), Ok(()));
            let text = serde_json::to_string(&lane).unwrap();
            assert_eq!(serde_json::from_str::<RunConfig>(&text).unwrap(), lane);
        }
    }
    assert!(RunConfig::preset("no such preset").is_none());
    assert!(matches!(PRESETS[0].optimizer, Optimizer::Adam { .. }));
}

#[test]
#[ignore = "trains nine networks: a minute or more"]
fn underflow_fails_without_scaling_and_not_with_it() {
    let preset = Preset::find("underflow").unwrap();
    for seed in 0..3 {
        let lane = |policy: &str, scaler| {
            let mut config = preset.run(halfscope::train::PrecisionPolicy::named(policy).unwrap(), scaler);
            config.seed = seed;
            config.probes.twin = false;
            train(&config)
        };
        let fp32 = lane("fp32", ScalerConfig::None);
        let unscaled = lane("paper", ScalerConfig::Static { scale: 1.0 });
        let scaled = lane("paper", ScalerConfig::Static { scale: 65536.0 });
        assert!(fp32.accuracy > 0.8, "seed {seed}: {}", fp32.accuracy);
        assert!(fp32.accuracy - unscaled.accuracy >= 0.2, "seed {seed}: {} {}", fp32.accuracy, unscaled.accuracy);
        assert!((fp32.accuracy - scaled.accuracy).abs() <= 0.015, "seed {seed}: {} {}", fp32.accuracy, scaled.accuracy);
        let lost = |exponent| {
            let share = |(_, counts): &(String, ExponentHistogram)| {
                counts.classes(Target::Fp16, exponent, Rule::Ieee).lost_of_nonzero().unwrap()
            };
            fp32.gradients.iter().map(share).fold(0.0, f64::max)
        };
        assert!(lost(0) >= 0.45 && lost(16) < 0.015, "seed {seed}: {} {}", lost(0), lost(16));
    }
}

#[test]
#[ignore = "trains three networks for 3000 steps"]
fn fp16_weights_cannot_take_small_updates() {
    let accuracies: Vec<f64> =
        RunConfig::preset("master-weights").unwrap().iter().map(|lane| train(lane).accuracy).collect();
    let [fp32, master, none] = accuracies[..] else { panic!("three lanes") };
    assert!((fp32 - master).abs() < 0.02, "{fp32} {master}");
    assert!(fp32 - none > 0.03, "{fp32} {none}");
}
