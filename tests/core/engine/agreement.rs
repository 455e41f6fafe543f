//! The backend under test beside the processor: every op on values of all kinds, and whole runs.

use std::sync::Arc;

use halfscope::train::RunConfig;
use halfscope::train::backend::{Backend, Plan, StepOutcome, open};
use halfscope::train::config::{Accumulate, BackendKind, CastRounding, Optimizer, ScalerConfig, Storage};
use halfscope::train::presets::Preset;
use halfscope::train::program::{Adam, Instruction, Op, Phase, Program, Scalars, TensorId, When};
use halfscope::train::report::{ProbeInfo, Role};
use halfscope::train::rng::Rng;
use halfscope::train::scaler::LossScaler;

use super::support::{PLAIN, SIZES, STORAGES, batch, bench, compile, kind, scaled, small, step, ulp, values};

const T: [TensorId; 6] = [TensorId(0), TensorId(1), TensorId(2), TensorId(3), TensorId(4), TensorId(5)];

/// How close two backends must be.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Closeness {
    /// The same bits; all NaNs count alike.
    Bits,
    /// This many FP32 units in the last place of the result, or of the magnitude that the op's sums go through. On CUDA, where
    /// elementwise kernels compute as IEEE 754 says, the same bits all the same.
    Elementwise(f64),
    /// The same everywhere: sums in another order.
    Sum(f64),
}

/// One op with its tensors (storage, rows, columns), in the state that they are in before it; a tensor without values is poisoned.
struct Case {
    tensors: Vec<(Storage, usize, usize)>,
    inputs: Vec<Vec<f32>>,
    op: Op,
    scalars: Scalars,
    closeness: Closeness,
}

/// Which variant of [`Op`] this is: a new op does not compile until it stands here, and then wants a case.
const fn variant(op: &Op) -> usize {
    match op {
        Op::MatMul { .. } => 0,
        Op::BiasAdd { .. } => 1,
        Op::Relu { .. } => 2,
        Op::ReluGrad { .. } => 3,
        Op::SoftmaxCrossEntropy { .. } => 4,
        Op::SumRows { .. } => 5,
        Op::Cast { .. } => 6,
        Op::Unscale { .. } => 7,
        Op::ClipNorm { .. } => 8,
        Op::Sgd { .. } => 9,
        Op::Adam { .. } => 10,
        Op::ScalerUpdate => 11,
        Op::Probe { .. } => 12,
    }
}
const VARIANTS: usize = 13;

/// Values of all kinds: NaN, infinities, zeros of both signs, subnormals, the borders of the narrow formats, random ones.
fn wild(seed: u64, count: usize) -> Vec<f32> {
    const SPECIAL: [f32; 18] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        f32::MIN_POSITIVE,
        1e-40,
        -1e-45,
        f32::MAX,
        65504.0,
        65519.996,
        65520.0,
        -65520.0,
        2.980_232_2e-8,
        2.980_232_6e-8,
        -5.960_464_5e-8,
        6.1e-5,
        448.0,
    ];
    let mut rng = Rng::stream(seed, 5);
    let mut value = |index: usize| {
        if (index + seed as usize).is_multiple_of(3) {
            return SPECIAL[rng.below(SPECIAL.len() as u64) as usize];
        }
        // Any bits at all, every second time near FP16's range.
        let bits = rng.bits();
        let near = f32::from_bits((bits as u32 & 0x807f_ffff) | ((100 + (bits >> 40) as u32 % 44) << 23));
        if bits >> 63 == 0 { f32::from_bits(bits as u32) } else { near }
    };
    (0..count).map(&mut value).collect()
}

fn elementwise(rows: usize, columns: usize, storage: Storage, seed: u64) -> Vec<Case> {
    let n = rows * columns;
    let shape = |storage| (storage, rows, columns);
    let plain = |op, tensors: &[(Storage, usize, usize)], inputs: Vec<Vec<f32>>, closeness| Case {
        tensors: tensors.to_vec(),
        inputs,
        op,
        scalars: PLAIN,
        closeness,
    };
    let mut cases = vec![
        plain(
            Op::BiasAdd { x: T[0], bias: T[1], out: T[2] },
            &[shape(storage), (storage, 1, columns), shape(Storage::Fp32)],
            vec![wild(seed, n), wild(seed + 1, columns)],
            Closeness::Elementwise(0.0),
        ),
        plain(Op::Relu { x: T[0], out: T[1] }, &[shape(storage), shape(storage)], vec![wild(seed, n)], Closeness::Bits),
        plain(
            Op::ReluGrad { grad: T[0], output: T[1], out: T[2] },
            &[shape(Storage::Fp32), shape(storage), shape(Storage::Fp32)],
            vec![wild(seed, n), wild(seed + 1, n)],
            Closeness::Bits,
        ),
        plain(
            Op::ClipNorm { grads: vec![T[0], T[1]], max_norm: 0.5 },
            &[shape(Storage::Fp32), shape(storage)],
            vec![values(seed, n, Storage::Fp32), values(seed + 1, n, storage)],
            Closeness::Sum(64.0),
        ),
        plain(Op::ScalerUpdate, &[], vec![], Closeness::Bits),
    ];
    for target in STORAGES {
        for (rounding, flush) in
            [(CastRounding::NearestEven, false), (CastRounding::NearestEven, true), (CastRounding::Stochastic, false)]
        {
            let op = Op::Cast { x: T[0], out: T[1], rounding, flush };
            cases.push(plain(op, &[shape(storage), shape(target)], vec![wild(seed, n)], Closeness::Bits));
        }
    }
    for scale in [1.0, 1024.0, 1000.0] {
        let (op, inputs) = (Op::Unscale { x: T[0], out: T[1] }, vec![wild(seed, n)]);
        let tensors = vec![shape(storage), shape(Storage::Fp32)];
        let closeness = Closeness::Elementwise(0.0);
        cases.push(Case { tensors, inputs, op, scalars: scaled(scale), closeness });
    }
    cases
}

fn reductions(rows: usize, columns: usize, storage: Storage, seed: u64) -> Vec<Case> {
    let n = rows * columns;
    let mut cases = Vec::new();
    for accumulate in [Accumulate::Fp32, Accumulate::Fp16] {
        cases.push(Case {
            tensors: vec![(storage, rows, columns), (Storage::Fp32, 1, columns)],
            inputs: vec![values(seed, n, storage)],
            op: Op::SumRows { x: T[0], out: T[1], accumulate },
            scalars: PLAIN,
            closeness: Closeness::Elementwise(0.0),
        });
        // The last one spans blocks of 512 products.
        for (transpose_a, transpose_b, k) in
            [(false, false, 65), (true, false, 65), (false, true, 65), (true, true, 65), (false, true, 1030)]
        {
            let turned = |turn, a, b| if turn { (storage, b, a) } else { (storage, a, b) };
            let units = match accumulate {
                Accumulate::Fp32 => k as f64 + 1.0,
                // Each of the sums may round the other way, by half an FP16 unit (2^13 FP32 units).
                Accumulate::Fp16 => (k as f64 + 1.0) * 8192.0,
            };
            for tf32 in [false, true] {
                if tf32 && accumulate == Accumulate::Fp16 {
                    continue;
                }
                // A library may round to TF32 in another way than to nearest: each operand by a unit of 2^-10 at most.
                let units = if tf32 && storage == Storage::Fp32 { units + 2.0 * 8192.0 } else { units };
                cases.push(Case {
                    tensors: vec![
                        turned(transpose_a, rows, k),
                        turned(transpose_b, k, columns),
                        (Storage::Fp32, rows, columns),
                    ],
                    inputs: vec![values(seed, rows * k, storage), values(seed + 1, k * columns, storage)],
                    op: Op::MatMul { a: T[0], b: T[1], out: T[2], transpose_a, transpose_b, accumulate, tf32 },
                    scalars: PLAIN,
                    closeness: Closeness::Sum(units),
                });
            }
        }
    }
    cases
}

fn losses(rows: usize, storage: Storage, seed: u64) -> Case {
    let spoiled = |mut logits: Vec<f32>| {
        if rows > 2 {
            logits[3] = f32::NAN;
            logits[7 + 6] = f32::INFINITY;
            logits[2 * 7 + 1] = f32::NEG_INFINITY;
            // Down to probabilities that FP32 does not know, through its subnormals.
            logits[3 * 7..4 * 7].copy_from_slice(&[0.0, -1e-3, -20.0, -88.0, -100.0, -140.0, -60000.0]);
        }
        logits
    };
    Case {
        tensors: vec![(storage, rows, 7), (Storage::Fp32, rows, 7)],
        inputs: vec![spoiled(values(seed, rows * 7, storage).iter().map(|value| 8.0 * value).collect())],
        op: Op::SoftmaxCrossEntropy { logits: T[0], grad: T[1], weight: 0.125, scaled: true },
        scalars: scaled(256.0),
        // Computed to 2^-44 and rounded once; a subtraction of 1 and a factor follow.
        closeness: Closeness::Elementwise(2.0),
    }
}

fn optimizers(count: usize, weight: Storage, state: Storage, seed: u64) -> Vec<Case> {
    let shape = |storage| (storage, count, 1);
    let input = |at: u64, storage| values(seed + at, count, storage);
    let squares = input(3, state).iter().map(|value| value * value).collect();
    let sgd = |velocity: Option<TensorId>| Op::Sgd { weight: T[0], grad: T[1], velocity, update: None, momentum: 0.75 };
    let adam = Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
    let case = |op, closeness| Case {
        tensors: vec![shape(weight), shape(Storage::Fp32), shape(state), shape(state)],
        inputs: vec![input(0, weight), input(1, Storage::Fp32), input(2, state), Vec::clone(&squares)],
        op,
        scalars: PLAIN,
        closeness,
    };
    let exact = Closeness::Elementwise(0.0);
    // WGSL's division errs by 2.5 units and its square root by more: a narrow store may then round the other way.
    let units =
        |storage| if storage == Storage::Fp32 { 16.0 } else { 16.0 + ulp(storage, 1.0) / ulp(Storage::Fp32, 1.0) };
    let near = Closeness::Elementwise(units(weight).max(units(state)));
    vec![
        case(sgd(None), exact),
        case(sgd(Some(T[2])), exact),
        case(Op::Adam { weight: T[0], grad: T[1], first: T[2], second: T[3], update: None, adam }, near),
    ]
}

/// A case's program; probes are asked for by their own test.
fn program(case: &Case, labels: usize) -> Program {
    bench(&case.tensors, vec![case.op.clone(), Op::ScalerUpdate], case.scalars, labels)
}

fn outcome(plan: &mut dyn Plan, case: &Case, labels: &[u8]) -> (Vec<Vec<f32>>, StepOutcome) {
    for (index, &(_, rows, columns)) in case.tensors.iter().enumerate() {
        let poison = vec![f32::NAN; rows * columns];
        let input = case.inputs.get(index).filter(|values| !values.is_empty()).unwrap_or(&poison);
        plan.write(TensorId(index), input).unwrap();
    }
    let outcome = step(plan, &vec![0.0; labels.len()], labels, false);
    ((0..case.tensors.len()).map(|index| plan.read(TensorId(index)).unwrap()).collect(), outcome)
}

/// The bits of a value; all NaNs alike.
fn canonical(value: f32) -> u32 {
    if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() }
}

/// Whether two values are as close as asked. A processor that turns FP32 subnormals into zeros is forgiven where no bits are
/// promised.
fn close(got: f32, wanted: f32, closeness: Closeness, magnitude: f64) -> bool {
    let units = match closeness {
        Closeness::Elementwise(units) | Closeness::Sum(units) => units,
        Closeness::Bits => 0.0,
    };
    let bits =
        closeness == Closeness::Bits || (kind() == BackendKind::Cuda && matches!(closeness, Closeness::Elementwise(_)));
    if canonical(got) == canonical(wanted) {
        return true;
    }
    if bits || !got.is_finite() || !wanted.is_finite() {
        return false;
    }
    let error = (f64::from(got) - f64::from(wanted)).abs();
    let magnitude = magnitude.max(f64::from(wanted).abs());
    error <= units * ulp(Storage::Fp32, magnitude) || error <= f64::from(f32::MIN_POSITIVE)
}

/// The size of what a case's sums go through: their operands are within ±1 (logits within ±8).
fn magnitude(case: &Case) -> f64 {
    match case.op {
        Op::MatMul { transpose_a, .. } => {
            let (_, rows, columns) = case.tensors[0];
            (if transpose_a { rows } else { columns }) as f64
        }
        Op::SumRows { .. } => case.tensors[0].1 as f64,
        Op::SoftmaxCrossEntropy { .. } => 0.125 * 256.0 / case.tensors[0].1 as f64,
        Op::Sgd { .. } | Op::Adam { .. } => 1.0,
        _ => 0.0,
    }
}

#[test]
fn every_op_agrees_with_the_processor() {
    let processor: Box<dyn Backend> = open(BackendKind::Cpu, 1).unwrap();
    let mut cases = Vec::new();
    let mut seed = 0;
    for storage in STORAGES {
        for rows in SIZES {
            for columns in [1, 63, 65] {
                seed += 10;
                cases.extend(elementwise(rows, columns, storage, seed));
                cases.extend(reductions(rows, columns, storage, seed));
            }
            cases.push(losses(rows, storage, seed));
            for state in STORAGES {
                cases.extend(optimizers(rows * 31, storage, state, seed));
            }
        }
    }
    let mut covered = [false; VARIANTS];
    for case in &cases {
        covered[variant(&case.op)] = true;
        let rows = if let Op::SoftmaxCrossEntropy { .. } = case.op { case.tensors[0].1 } else { 1 };
        let labels: Vec<u8> = (0..rows).map(|row| (row % 7) as u8).collect();
        let mut reference = processor.compile(Arc::new(program(case, rows))).unwrap();
        let mut plan = compile(program(case, rows), 1);
        let (wanted, expected) = outcome(reference.as_mut(), case, &labels);
        let (got, seen) = outcome(plan.as_mut(), case, &labels);
        let what = format!("{:?} on {:?}", case.op, case.tensors);
        assert_eq!((seen.skipped, seen.scale), (expected.skipped, expected.scale), "{what}");
        let loss = Closeness::Elementwise(64.0);
        assert!(close(seen.loss, expected.loss, loss, 8.0), "{what}: loss {} {}", seen.loss, expected.loss);
        for (tensor, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            for (index, (&got, &wanted)) in got.iter().zip(wanted).enumerate() {
                assert!(
                    close(got, wanted, case.closeness, magnitude(case)),
                    "{what}: tensor {tensor}, element {index}: {got:e} ({:08x}), not {wanted:e} ({:08x})",
                    got.to_bits(),
                    wanted.to_bits()
                );
            }
        }
    }
    // Probes have a test of their own, below.
    covered[variant(&Op::Probe { index: 0, tensor: T[0], twin: None })] = true;
    assert!(covered.iter().all(|&covered| covered), "an op has no case: {covered:?}");
}

/// Histograms are counts of bits: the same everywhere, whatever the values.
#[test]
fn histograms_have_the_same_counts() {
    let processor = open(BackendKind::Cpu, 1).unwrap();
    for storage in STORAGES {
        for count in [1, 63, 64, 65, 1000, 70_001] {
            let tensors = [(storage, count, 1), (Storage::Fp32, count, 1)];
            let mut program = bench(&tensors, vec![], PLAIN, 1);
            for (index, twin) in [None, Some(T[1])].into_iter().enumerate() {
                let op = Op::Probe { index, tensor: T[0], twin };
                program.instructions.push(Instruction { op, when: When::Probed, phase: Phase::Update });
                program.probes.push(ProbeInfo {
                    tensor: "t0".into(),
                    layer: String::new(),
                    role: Role::Weight,
                    stage: halfscope::histogram::Stage::BeforeCast,
                    source: halfscope::histogram::Source::Run,
                    elements: count as u64,
                    scaled: false,
                });
            }
            let program = Arc::new(program);
            let (one, two) = (wild(count as u64, count), wild(count as u64 + 1, count));
            let readings = |mut plan: Box<dyn Plan>| {
                plan.write(T[0], &one).unwrap();
                plan.write(T[1], &two).unwrap();
                // Twice: counters of the first step must not show in the second.
                step(plan.as_mut(), &[0.0], &[0], true);
                step(plan.as_mut(), &[0.0], &[0], true).readings
            };
            let wanted = readings(processor.compile(Arc::clone(&program)).unwrap());
            let got = readings(compile(program, 1));
            assert_eq!(wanted.len(), 2);
            assert_eq!(wanted[1].histogram.total(), count as u64);
            assert_eq!(got, wanted, "{storage:?} {count}");
        }
    }
}

/// A dynamic scaler with factors that are no powers of two moves through the same scales, bit by bit.
#[test]
fn scalers_make_the_same_decisions() {
    let dynamic =
        ScalerConfig::Dynamic { init_scale: 1000.3, growth_factor: 1.7, backoff_factor: 0.3, growth_interval: 2 };
    let deepspeed =
        ScalerConfig::DeepSpeed { init_scale: 4096.0, window: 3, hysteresis: 2, consecutive: false, min_scale: 1.0 };
    for rules in [dynamic, deepspeed, ScalerConfig::Static { scale: 77.7 }] {
        let scaler = LossScaler::new(&rules).unwrap();
        let ops = vec![Op::Unscale { x: T[0], out: T[1] }, Op::ScalerUpdate];
        let tensors = [(Storage::Fp32, 1, 1), (Storage::Fp32, 1, 1)];
        let program = Arc::new(bench(&tensors, ops, Scalars { scaler, learning_rate: 0.5 }, 1));
        let mut plans = [
            open(BackendKind::Cpu, 1).unwrap().compile(Arc::clone(&program)).unwrap(),
            compile(Arc::clone(&program), 1),
        ];
        let mut rng = Rng::stream(3, 3);
        for number in 0..400 {
            // Long enough runs of overflows to reach the floor, of clean steps to reach the top.
            let bad = if number / 100 % 2 == 0 { rng.below(5) < 2 } else { rng.below(40) == 0 };
            let outcomes = plans.each_mut().map(|plan| {
                plan.write(T[0], &[if bad { f32::INFINITY } else { 3.0 }]).unwrap();
                if number == 250 {
                    plan.set_scale(3.0e4).unwrap();
                }
                let outcome = step(plan.as_mut(), &[0.0], &[0], false);
                let unscaled = plan.read(T[1]).unwrap()[0].to_bits();
                (outcome.scale.to_bits(), outcome.growth_tracker, outcome.skipped, unscaled)
            });
            assert_eq!(outcomes[0], outcomes[1], "{rules:?}, step {number}");
        }
    }
}

/// Lanes of all policies and models.
fn lanes() -> Vec<RunConfig> {
    let mut lanes = Vec::new();
    for name in halfscope::train::PrecisionPolicy::NAMES {
        let policy = halfscope::train::PrecisionPolicy::named(name).unwrap();
        let mut config = small(name, policy.usual_scaler());
        if name == "fp16-naive" {
            config.optimizer = Optimizer::Sgd { learning_rate: 0.05, momentum: 0.9 };
        }
        config.clip_norm = Some(10.0);
        lanes.push(config);
    }
    for preset in &halfscope::train::presets::PRESETS {
        for mut config in RunConfig::preset(preset.name).unwrap() {
            // The models as they are, on smaller batches: it is the same code.
            config.batch = config.batch.min(65);
            config.train_images = None;
            lanes.push(config);
        }
    }
    lanes
}

/// Ten steps: the same decisions of the scaler; losses and gradients, as vectors, within a share of their length.
///
/// The sums' orders differ by some 2^-24 of their magnitude, which is 10^-6 of a gradient and stays so: 10^-4 is allowed. FP16
/// and BF16 round a value that lies near a midpoint to either side, one unit of the narrow format (2^-10, 2^-7); and an
/// activation that rounds to zero on one side only opens or shuts its `ReLU`, which moves a gradient by one image's part.
/// Measured over all lanes: 0.005 of the length at most in FP16; sixteen units of the narrow format are allowed.
#[test]
fn ten_steps_of_every_model_and_policy_agree() {
    let processor = open(BackendKind::Cpu, 2).unwrap();
    for config in lanes() {
        let mut program = Program::of(&config).unwrap();
        let gradients: Vec<(String, TensorId)> = program
            .tensors
            .iter()
            .filter(|spec| {
                spec.role == Role::WeightGradient
                    && spec.name.rsplit('.').next() == Some("grad")
                    && !spec.name.starts_with("twin.")
            })
            .map(|spec| spec.name.clone())
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|name| program.keep(&name).map(|id| (name, id)))
            .collect();
        assert!(!gradients.is_empty());
        let program = Arc::new(program);
        let mut plans = [processor.compile(Arc::clone(&program)).unwrap(), compile(Arc::clone(&program), 2)];
        let narrow = [config.precision.weights, config.precision.activations, config.precision.gradients];
        let coarsest = narrow.into_iter().map(|storage| ulp(storage, 1.0)).fold(ulp(Storage::Fp32, 1.0), f64::max);
        let coarsest = if config.precision.tf32 { 2f64.powi(-10).max(coarsest) } else { coarsest };
        let share = if coarsest > 1e-6 { 16.0 * coarsest } else { 1e-4 };
        for number in 0..10 {
            let (images, labels) = batch(&config, number);
            let [wanted, got] = plans.each_mut().map(|plan| {
                let outcome = step(plan.as_mut(), &images, &labels, number % 4 == 0);
                let gradients: Vec<Vec<f32>> = gradients.iter().map(|(_, id)| plan.read(*id).unwrap()).collect();
                (outcome, gradients)
            });
            let what = format!("{} {}, step {number}", config.precision.name, config.lane);
            let decisions = |outcome: &StepOutcome| (outcome.scale, outcome.growth_tracker, outcome.skipped);
            assert_eq!(decisions(&got.0), decisions(&wanted.0), "{what}");
            let off = f64::from((got.0.loss - wanted.0.loss).abs());
            let same_nan = got.0.loss.is_nan() && wanted.0.loss.is_nan();
            assert!(
                same_nan || off <= share * f64::from(wanted.0.loss.abs()),
                "{what}: loss {} {}",
                got.0.loss,
                wanted.0.loss
            );
            for ((name, _), (got, wanted)) in gradients.iter().zip(got.1.iter().zip(&wanted.1)) {
                let (off, norm) = (distance(got, wanted), distance(wanted, &vec![0.0; wanted.len()]));
                let nan = |values: &[f32]| values.iter().filter(|value| value.is_nan()).count();
                assert_eq!(nan(got), nan(wanted), "{what}: {name}");
                assert!(off <= share * norm + 2f64.powi(-24), "{what}: {name} is off by {off:e} of {norm:e}");
            }
        }
    }
}

/// The Euclidean distance; pairs of values that are not finite, and equal or both NaN, do not count.
fn distance(one: &[f32], other: &[f32]) -> f64 {
    let pairs =
        one.iter().zip(other).filter(|(a, b)| a.is_finite() && b.is_finite() || canonical(**a) != canonical(**b));
    pairs.map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2)).sum::<f64>().sqrt()
}

/// The largest batch of a preset, and evaluation in pieces that do not divide the images.
#[test]
fn evaluations_agree() {
    let config = Preset::find("underflow").unwrap();
    let policy = halfscope::train::PrecisionPolicy::named("paper").unwrap();
    let mut config = config.run(policy, ScalerConfig::None);
    config.batch = 50;
    let program = Arc::new(Program::of(&config).unwrap());
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    for seed in 0..3 {
        let (more_images, more_labels) = batch(&config, seed);
        images.extend(more_images);
        labels.extend(more_labels);
    }
    images.truncate(127 * 784);
    labels.truncate(127);
    let wanted = open(BackendKind::Cpu, 2).unwrap().compile(Arc::clone(&program)).unwrap().evaluate(&images, &labels);
    let got = compile(program, 2).evaluate(&images, &labels).unwrap();
    let wanted = wanted.unwrap();
    assert!(got.correct.abs_diff(wanted.correct) <= 1, "{got:?} {wanted:?}");
    assert!((got.loss_sum - wanted.loss_sum).abs() <= 1e-3 * wanted.loss_sum, "{got:?} {wanted:?}");
}
