//! Programs: casts with their reasons, memory that is never shared by what lives at the same time, clear refusals.

use std::collections::BTreeSet;

use halfscope::train::backend::StepInput;
use halfscope::train::config::{ScalerConfig, Storage};
use halfscope::train::presets::PRESETS;
use halfscope::train::program::{Layout, Life, Op, Program, TensorId};
use halfscope::train::{PrecisionPolicy, RunConfig};

use super::support::{batch, compile, small, step};

/// Walks the instructions with the memory as a table of who wrote last: nobody may read what another tensor has overwritten.
fn check_layout(program: &Program) {
    let layout = Layout::of(program);
    let mut holder: Vec<Option<usize>> = vec![None; layout.slots.len()];
    for (index, spec) in program.tensors.iter().enumerate() {
        let slot = layout.slots[layout.slot_of[index]];
        assert!(slot.elements >= spec.elements() && slot.width == spec.storage.bytes(), "{}", spec.name);
        assert_eq!(slot.probe, spec.life == Life::Probe, "{}", spec.name);
        if matches!(spec.life, Life::Run(_)) {
            assert!(slot.kept && holder[layout.slot_of[index]].is_none(), "{} shares its memory", spec.name);
            holder[layout.slot_of[index]] = Some(index);
        }
    }
    for instruction in &program.instructions {
        for TensorId(read) in instruction.op.reads() {
            let name = &program.tensors[read].name;
            assert_eq!(holder[layout.slot_of[read]], Some(read), "{name} was overwritten before {:?}", instruction.op);
        }
        for TensorId(written) in instruction.op.writes() {
            holder[layout.slot_of[written]] = Some(written);
        }
    }
}

fn all_lanes() -> impl Iterator<Item = RunConfig> {
    let policies = || PrecisionPolicy::NAMES.into_iter().map(|name| PrecisionPolicy::named(name).unwrap());
    let with_policy = move |preset: &'static halfscope::train::presets::Preset| {
        policies().flat_map(move |policy| {
            let usual = policy.usual_scaler();
            [preset.run(policy.clone(), usual), preset.run(policy, ScalerConfig::None)]
        })
    };
    PRESETS.iter().flat_map(with_policy)
}

#[test]
fn no_tensor_is_overwritten_while_it_is_needed() {
    for config in all_lanes() {
        check_layout(&Program::of(&config).unwrap());
    }
}

#[test]
fn names_are_unique_and_probes_point_at_tensors() {
    for config in all_lanes() {
        let program = Program::of(&config).unwrap();
        let names: BTreeSet<&str> = program.tensors.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names.len(), program.tensors.len(), "{}", config.lane);
        let indices: Vec<usize> = program
            .instructions
            .iter()
            .filter_map(|instruction| if let Op::Probe { index, .. } = instruction.op { Some(index) } else { None })
            .collect();
        assert_eq!(indices, (0..program.probes.len()).collect::<Vec<_>>(), "{}", config.lane);
    }
}

#[test]
fn every_cast_is_listed_with_its_reason() {
    let casts = |policy: &str| Program::of(&small(policy, ScalerConfig::dynamic())).unwrap().casts;
    assert!(casts("fp32").is_empty());
    let paper = casts("paper");
    for (tensor, to) in [
        ("images", "fp16"),
        ("fc1.weight", "fp16"),
        ("fc1.out", "fp16"),
        ("fc1.weight.grad", "fp16"),
        ("fc2.out.grad", "fp16"),
    ] {
        let cast = paper.iter().find(|cast| cast.tensor == tensor).unwrap();
        assert!((cast.from.as_str(), cast.to.as_str()) == ("fp32", to) && !cast.why.is_empty(), "{cast:?}");
    }
    let amp = casts("amp");
    assert!(amp.iter().any(|cast| cast.to == "fp32" && cast.why.contains("cross_entropy")));
    assert!(amp.iter().any(|cast| cast.tensor == "fc1.weight.grad" && cast.to == "fp32"));
    for policy in PrecisionPolicy::NAMES {
        let program = Program::of(&small(policy, ScalerConfig::dynamic())).unwrap();
        let ops = program.instructions.iter().filter(|instruction| matches!(instruction.op, Op::Cast { .. })).count();
        assert_eq!(ops, program.casts.len(), "{policy}");
    }
}

/// FP16 activations take half the memory; an FP32 master copy costs the weights once more.
#[test]
fn memory_is_what_the_storages_say() {
    let bytes = |policy: &str| {
        let mut config = small(policy, ScalerConfig::None);
        config.model.widths = vec![20, 64, 64, 64, 64, 5];
        config.batch = 512;
        config.probes.every = 0;
        let program = Program::of(&config).unwrap();
        (Layout::of(&program).bytes(false), Layout::of(&program).bytes(true))
    };
    let ((fp32, twin), (naive, _), (paper, _)) = (bytes("fp32"), bytes("fp16-naive"), bytes("paper"));
    assert!(naive < paper && paper < fp32, "{naive} {paper} {fp32}");
    assert_eq!(twin, 0, "without probes there is no twin");
}

/// Makes one field of a configuration wrong.
type Spoil<'a> = &'a dyn Fn(&mut RunConfig);

#[test]
fn bad_configurations_are_refused_in_one_line() {
    let good = small("paper", ScalerConfig::dynamic());
    assert_eq!(good.validate(), Ok(()));
    let change = |edit: &dyn Fn(&mut RunConfig)| {
        let mut config = good.clone();
        edit(&mut config);
        config.validate().unwrap_err()
    };
    let cases: [(&str, Spoil<'_>); 12] = [
        ("model.widths", &|config| config.model.widths = vec![784]),
        ("model.widths", &|config| config.model.widths = vec![784, 0, 10]),
        ("batch", &|config| config.batch = 0),
        ("steps", &|config| config.steps = 0),
        ("train_images", &|config| config.train_images = Some(3)),
        ("loss_weight", &|config| config.loss_weight = f32::NAN),
        ("clip_norm", &|config| config.clip_norm = Some(-1.0)),
        ("scaler", &|config| config.scaler = ScalerConfig::Static { scale: 0.0 }),
        ("optimizer", &|config| {
            config.optimizer = halfscope::train::config::Optimizer::Sgd { learning_rate: 0.0, momentum: 0.0 };
        }),
        ("optimizer", &|config| {
            config.optimizer = halfscope::train::config::Optimizer::Sgd { learning_rate: 0.1, momentum: 1.0 };
        }),
        ("normalise", &|config| {
            config.normalise = Some(halfscope::train::config::Normalisation { mean: 0.0, deviation: 0.0 });
        }),
        ("precision", &|config| {
            config.precision.accumulate = halfscope::train::config::Accumulate::Fp16;
            config.precision.weights = Storage::Bf16;
        }),
    ];
    for (field, edit) in cases {
        let error = change(edit);
        assert!(error.starts_with(&format!("{field}: ")) && !error.contains('\n'), "{field}: {error}");
    }
}

#[test]
fn a_plan_refuses_what_does_not_fit() {
    let config = small("fp32", ScalerConfig::None);
    let program = Program::of(&config).unwrap();
    let (weight, grad) = (program.find("fc1.weight").unwrap(), program.find("fc1.weight.grad").unwrap());
    let mut plan = compile(program, 1);
    let (images, labels) = batch(&config, 0);
    let errors = [
        plan.write(weight, &[1.0]).unwrap_err(),
        plan.read(grad).unwrap_err(),
        plan.read(TensorId(9999)).unwrap_err(),
        plan.submit(&StepInput { images: &images[1..], labels: &labels, probe: false }).unwrap_err(),
        plan.submit(&StepInput { images: &images[20..], labels: &labels[1..], probe: false }).unwrap_err(),
        plan.submit(&StepInput { images: &images, labels: &[9; 24], probe: false }).unwrap_err(),
        plan.set_scale(2.0).unwrap_err(),
        plan.poll(halfscope::train::backend::Ticket(7)).unwrap_err(),
        plan.evaluate(&images, &labels[1..]).unwrap_err(),
    ];
    for error in errors {
        assert!(error.len() > 20 && !error.contains('\n'), "{error}");
    }
}

/// An evaluation counts every image once, whatever the batch, and leaves the training as it was.
#[test]
fn evaluation_covers_all_images_and_changes_nothing() {
    let config = small("paper", ScalerConfig::dynamic());
    let mut plan = compile(Program::of(&config).unwrap(), 2);
    let mut other = compile(Program::of(&config).unwrap(), 2);
    let (images, labels) = batch(&config, 0);
    let many: Vec<f32> = images.iter().chain(&images).chain(&images[..5 * 20]).copied().collect();
    let answers: Vec<u8> = labels.iter().chain(&labels).chain(&labels[..5]).copied().collect();
    let (all, once) = (plan.evaluate(&many, &answers).unwrap(), plan.evaluate(&images, &labels).unwrap());
    let five = plan.evaluate(&images[..5 * 20], &labels[..5]).unwrap();
    assert_eq!(all.correct, 2 * once.correct + five.correct);
    assert!((all.loss_sum - 2.0 * once.loss_sum - five.loss_sum).abs() < 1e-9);
    let (a, b) = (step(plan.as_mut(), &images, &labels, false), step(other.as_mut(), &images, &labels, false));
    assert_eq!(a.loss.to_bits(), b.loss.to_bits());
    assert!((once.loss_sum / 24.0 - f64::from(a.loss)).abs() < 1e-6, "the loss of the step is that of the evaluation");
}
