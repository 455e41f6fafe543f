//! Small programs, naive arithmetic in FP64, and a tolerance that is a type.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use halfscope::train::backend::{Backend, Plan, StepInput, StepOutcome, Ticket, open};
use halfscope::train::config::{BackendKind, RunConfig, ScalerConfig, Storage};
use halfscope::train::presets::Preset;
use halfscope::train::program::{Initial, Instruction, Life, Op, Phase, Program, Scalars, TensorId, TensorSpec, When};
use halfscope::train::report::Role;
use halfscope::train::rng::Rng;
use halfscope::train::scaler::LossScaler;

pub(crate) const STORAGES: [Storage; 3] = [Storage::Fp32, Storage::Fp16, Storage::Bf16];

/// Sizes around the widths of registers and blocks.
pub(crate) const SIZES: [usize; 4] = [1, 63, 64, 65];

/// How far a result may be from the exact value: `ulps` units in the last place of `storage`, measured at `magnitude`, the
/// size of the largest intermediate (for a sum of products: Σ|a·b|).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    pub storage: Storage,
    pub ulps: f64,
}

impl Tolerance {
    /// A sum of `terms` products in FP32 in any order: each of the `terms` additions and products errs by half a unit of at
    /// most the sum of the magnitudes.
    pub(crate) fn sum(terms: usize) -> Self {
        Self { storage: Storage::Fp32, ulps: terms as f64 + 1.0 }
    }

    pub(crate) fn check(self, what: &str, got: f32, exact: f64, magnitude: f64) {
        let allowed = self.ulps * ulp(self.storage, magnitude.max(exact.abs()));
        let error = (f64::from(got) - exact).abs();
        assert!(error <= allowed, "{what}: got {got:e}, exact {exact:e}, off by {error:e} > {allowed:e}");
    }
}

/// Fraction bits, smallest normal exponent, largest finite value.
fn format(storage: Storage) -> (i32, i32, f64) {
    match storage {
        Storage::Fp32 => (23, -126, f64::from(f32::MAX)),
        Storage::Fp16 => (10, -14, 65504.0),
        Storage::Bf16 => (7, -126, 255.0 * 2f64.powi(120)),
    }
}

/// The unit in the last place of a storage format at a magnitude.
pub(crate) fn ulp(storage: Storage, magnitude: f64) -> f64 {
    let (fraction, smallest, _) = format(storage);
    let exponent = if magnitude > 0.0 { (magnitude.log2().floor() as i32).max(smallest) } else { smallest };
    2f64.powi(exponent - fraction)
}

/// Rounds to nearest even in FP64 arithmetic: divide by the unit, round to an integer, multiply.
pub(crate) fn round(storage: Storage, x: f64) -> f64 {
    let (_, _, largest) = format(storage);
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let unit = ulp(storage, x.abs());
    let rounded = (x / unit).round_ties_even() * unit;
    if rounded.abs() > largest { f64::INFINITY.copysign(x) } else { rounded }
}

/// Random values in ±1, exactly representable in `storage`.
pub(crate) fn values(seed: u64, count: usize, storage: Storage) -> Vec<f32> {
    let mut rng = Rng::stream(seed, 77);
    (0..count).map(|_| round(storage, f64::from(2.0 * rng.unit() - 1.0)) as f32).collect()
}

/// A program of one or a few ops on tensors that can all be read and written. Tensor i of `tensors` is `TensorId(i)`.
pub(crate) fn bench(tensors: &[(Storage, usize, usize)], ops: Vec<Op>, scalars: Scalars, batch: usize) -> Program {
    let spec = |name: String, rows, columns, storage| TensorSpec {
        name,
        layer: String::new(),
        role: Role::Activation,
        rows,
        columns,
        storage,
        life: Life::Run(Initial::Zeros),
    };
    let mut specs: Vec<TensorSpec> = tensors
        .iter()
        .enumerate()
        .map(|(index, &(storage, rows, columns))| spec(format!("t{index}"), rows, columns, storage))
        .collect();
    specs.push(spec("images".into(), batch, 1, Storage::Fp32));
    specs.push(spec("logits".into(), batch, 256, Storage::Fp32));
    let images = TensorId(tensors.len());
    let instruction = |op| Instruction { op, when: When::Always, phase: Phase::Forward };
    Program {
        tensors: specs,
        instructions: ops.into_iter().map(instruction).collect(),
        scalars,
        probes: Vec::new(),
        casts: Vec::new(),
        batch,
        images,
        logits: TensorId(images.0 + 1),
        seed: 0,
    }
}

pub(crate) const PLAIN: Scalars = Scalars { scaler: None, learning_rate: 0.5 };

pub(crate) fn scaled(scale: f32) -> Scalars {
    Scalars { scaler: LossScaler::new(&ScalerConfig::Static { scale }).unwrap(), learning_rate: 0.5 }
}

/// The backend that this process tests: the processor, unless the suite runs itself again for another one.
pub(crate) const BACKEND: &str = "HALFSCOPE_TEST_BACKEND";

/// The backend under test.
pub(crate) fn kind() -> BackendKind {
    let Ok(name) = std::env::var(BACKEND) else { return BackendKind::Cpu };
    BackendKind::ALL.into_iter().find(|kind| kind.name() == name).unwrap()
}

/// Compiles for the backend under test; `threads` are the processor's.
pub(crate) fn compile(program: impl Into<Arc<Program>>, threads: usize) -> Box<dyn Plan> {
    // One device for the whole suite: its kernels are compiled once.
    static DEVICE: OnceLock<Mutex<Box<dyn Backend>>> = OnceLock::new();
    let program = program.into();
    if kind() == BackendKind::Cpu {
        return open(BackendKind::Cpu, threads).unwrap().compile(program).unwrap();
    }
    let device = DEVICE.get_or_init(|| Mutex::new(open(kind(), threads).unwrap()));
    device.lock().unwrap_or_else(PoisonError::into_inner).compile(program).unwrap()
}

/// Runs the ops once on these tensors and returns what the tensors hold then.
pub(crate) fn run(
    tensors: &[(Storage, usize, usize)],
    inputs: &[Vec<f32>],
    ops: Vec<Op>,
    scalars: Scalars,
    labels: &[u8],
) -> (Vec<Vec<f32>>, StepOutcome) {
    let mut plan = compile(bench(tensors, ops, scalars, labels.len()), 2);
    for (index, values) in inputs.iter().enumerate().filter(|(_, values)| !values.is_empty()) {
        plan.write(TensorId(index), values).unwrap();
    }
    let outcome = step(plan.as_mut(), &vec![0.0; labels.len()], labels, false);
    ((0..tensors.len()).map(|index| plan.read(TensorId(index)).unwrap()).collect(), outcome)
}

pub(crate) fn step(plan: &mut dyn Plan, images: &[f32], labels: &[u8], probe: bool) -> StepOutcome {
    let ticket = plan.submit(&StepInput { images, labels, probe }).unwrap();
    wait(plan, ticket)
}

pub(crate) fn wait(plan: &mut dyn Plan, ticket: Ticket) -> StepOutcome {
    loop {
        if let Some(outcome) = plan.poll(ticket).unwrap() {
            return outcome;
        }
        std::thread::yield_now();
    }
}

/// A small lane: 20-16-12-5, batch 24.
pub(crate) fn small(policy: &str, scaler: ScalerConfig) -> RunConfig {
    let policy = halfscope::train::PrecisionPolicy::named(policy).unwrap();
    let mut config = Preset::find("underflow").unwrap().run(policy, scaler);
    config.model.widths = vec![20, 16, 12, 5];
    config.batch = 24;
    config.train_images = None;
    config.loss_weight = 1.0;
    config
}

/// A batch for a lane: images in ±1 and labels.
pub(crate) fn batch(config: &RunConfig, seed: u64) -> (Vec<f32>, Vec<u8>) {
    let mut rng = Rng::stream(seed, 99);
    let images = (0..config.batch * config.model.widths[0]).map(|_| 2.0 * rng.unit() - 1.0).collect();
    let classes = *config.model.widths.last().unwrap() as u64;
    (images, (0..config.batch).map(|_| rng.below(classes) as u8).collect())
}
