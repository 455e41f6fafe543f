//! What a backend does in a second, for docs/measurements/cuda.md and wgpu.md: one command measures all.
//!
//! ```text
//! cargo bench --bench gpu -- cuda
//! cargo bench --bench gpu -- wgpu
//! cargo bench --bench gpu -- cpu
//! ```
//!
//! Everything runs on the device's own time: steps are handed over without waiting, and the clock stops when the last outcome
//! is back. Every figure is the best of several rounds.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use halfscope::histogram::{Source, Stage};
use halfscope::train::backend::{Backend, Plan, StepInput, Ticket, open};
use halfscope::train::config::{Accumulate, BackendKind, ProbeScope, Storage};
use halfscope::train::presets::Preset;
use halfscope::train::program::{Initial, Instruction, Life, Op, Phase, Program, Scalars, TensorId, TensorSpec, When};
use halfscope::train::report::{ProbeInfo, Role};
use halfscope::train::{PrecisionPolicy, RunConfig};

/// How long a measurement takes at least, in seconds.
const SECONDS: f64 = 0.5;
const ROUNDS: usize = 5;

/// A plan that is kept busy.
struct Busy {
    plan: Box<dyn Plan>,
    images: Vec<f32>,
    labels: Vec<u8>,
}

impl Busy {
    fn new(backend: &dyn Backend, program: Program) -> Result<Self, String> {
        let batch = program.batch;
        let pixels = program.tensors[program.images.0].columns;
        let images = (0..batch * pixels).map(|index| (index * 37 % 256) as f32 / 255.0 - 0.3).collect();
        let labels = (0..batch).map(|row| (row % 10) as u8).collect();
        Ok(Self { plan: backend.compile(Arc::new(program))?, images, labels })
    }

    fn wait(&mut self, ticket: Ticket) -> Result<(), String> {
        // Asking without a pause would take a core from devices that are programs on the processor.
        let mut pause = Duration::from_micros(5);
        while self.plan.poll(ticket)?.is_none() {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Seconds of `steps` steps, never more than two of them in flight.
    fn time(&mut self, steps: u32, probe: bool) -> Result<f64, String> {
        let begun = Instant::now();
        let mut before = None;
        for _ in 0..steps {
            let input = StepInput { images: &self.images, labels: &self.labels, probe };
            let ticket = self.plan.submit(&input)?;
            if let Some(before) = before.replace(ticket) {
                self.wait(before)?;
            }
        }
        if let Some(last) = before {
            self.wait(last)?;
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Seconds a step takes, at best.
    fn best(&mut self, probe: bool) -> Result<f64, String> {
        let first = self.time(2, probe)? / 2.0;
        let steps = (SECONDS / first).ceil().clamp(1.0, 10_000.0) as u32;
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            best = best.min(self.time(steps, probe)? / f64::from(steps));
        }
        Ok(best)
    }
}

fn lane(policy: &str, widths: &[usize], batch: usize) -> Result<RunConfig, String> {
    let preset = Preset::find("underflow").ok_or("no preset")?;
    let policy = PrecisionPolicy::named(policy).ok_or("no policy")?;
    let scaler = policy.usual_scaler();
    let mut config = preset.run(policy, scaler);
    config.model.widths = widths.to_vec();
    config.batch = batch;
    config.train_images = None;
    config.probes.twin = false;
    config.probes.scope = ProbeScope::Gradients;
    Ok(config)
}

/// A program of some ops on tensors that live for the whole run.
fn program(tensors: &[(Storage, usize, usize)], ops: Vec<Op>, probes: usize) -> Program {
    let spec = |name: String, (storage, rows, columns): (Storage, usize, usize)| TensorSpec {
        name,
        layer: String::new(),
        role: Role::Activation,
        rows,
        columns,
        storage,
        life: Life::Run(Initial::Uniform { bound: 1.0, stream: 1 }),
    };
    let mut specs: Vec<TensorSpec> =
        tensors.iter().enumerate().map(|(index, &tensor)| spec(format!("t{index}"), tensor)).collect();
    specs.push(spec("images".into(), (Storage::Fp32, 1, 1)));
    specs.push(spec("logits".into(), (Storage::Fp32, 1, 10)));
    let instruction = |op| Instruction { op, when: When::Always, phase: Phase::Forward };
    let probe = |index: usize| ProbeInfo {
        tensor: format!("t{index}"),
        layer: String::new(),
        role: Role::WeightGradient,
        stage: Stage::BeforeCast,
        source: Source::Run,
        elements: 0,
        scaled: false,
    };
    Program {
        tensors: specs,
        instructions: ops.into_iter().map(instruction).collect(),
        scalars: Scalars { scaler: None, learning_rate: 0.1 },
        probes: (0..probes).map(probe).collect(),
        casts: Vec::new(),
        batch: 1,
        images: TensorId(tensors.len()),
        logits: TensorId(tensors.len() + 1),
        seed: 0,
    }
}

/// Rate of one product in floating-point operations a second.
fn product(backend: &dyn Backend, storage: Storage, tf32: bool, [m, k, n]: [usize; 3]) -> Result<f64, String> {
    let (a, b, out) = (TensorId(0), TensorId(1), TensorId(2));
    let accumulate = Accumulate::Fp32;
    let op = Op::MatMul { a, b, out, transpose_a: false, transpose_b: true, accumulate, tf32 };
    let tensors = [(storage, m, k), (storage, n, k), (Storage::Fp32, m, n)];
    let seconds = Busy::new(backend, program(&tensors, vec![op], 0))?.best(false)?;
    Ok(2.0 * (m * k * n) as f64 / seconds)
}

/// Bytes a second of the histogram of one tensor, and of a copy (read and written) of it.
fn histogram(backend: &dyn Backend, values: usize) -> Result<(f64, f64), String> {
    let (from, to) = (TensorId(0), TensorId(1));
    let tensors = [(Storage::Fp32, values, 1), (Storage::Fp32, values, 1)];
    let repeated = 16;
    let probes = vec![Op::Probe { index: 0, tensor: from, twin: None }; repeated];
    let copies = vec![Op::Relu { x: from, out: to }; repeated];
    let bytes = (4 * values * repeated) as f64;
    let counted = bytes / Busy::new(backend, program(&tensors, probes, 1))?.best(true)?;
    let copied = 2.0 * bytes / Busy::new(backend, program(&tensors, copies, 0))?.best(false)?;
    Ok((counted, copied))
}

fn measure(kind: BackendKind) -> Result<(), String> {
    let backend = open(kind, std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get))?;
    let small = backend.device().contains("CPU") || backend.device().contains("software");
    println!("{}", backend.device());

    for batch in [64, 512, 2048] {
        let mlp = lane("amp", &[784, 256, 128, 10], batch)?;
        let mut busy = Busy::new(backend.as_ref(), Program::of(&mlp)?)?;
        let (bare, probed) = (busy.best(false)?, busy.best(true)?);
        println!(
            "MLP 784-256-128-10, amp, batch {batch}: {:.1} µs a step, {:.1} µs with every gradient probed ({:+.1} %)",
            bare * 1e6,
            probed * 1e6,
            (probed / bare - 1.0) * 100.0
        );
    }
    let (counted, copied) = histogram(backend.as_ref(), if small { 4 << 20 } else { 64 << 20 })?;
    println!(
        "histogram: {:.1} GB/s, copy: {:.1} GB/s read and written ({:.0} %)",
        counted / 1e9,
        copied / 1e9,
        counted / copied * 100.0
    );
    let (size, width) = if small { (512, 512) } else { (8192, 8192) };
    let rate = |storage, tf32| product(backend.as_ref(), storage, tf32, [size, width, width]);
    let (fp32, fp16) = (rate(Storage::Fp32, false)?, rate(Storage::Fp16, false)?);
    let (tf32, bf16) = (rate(Storage::Fp32, true)?, rate(Storage::Bf16, false)?);
    println!(
        "product {size}×{width}×{width}: FP32 {:.3} TFLOP/s, TF32 {:.3}, FP16 {:.3}, BF16 {:.3}",
        fp32 / 1e12,
        tf32 / 1e12,
        fp16 / 1e12,
        bf16 / 1e12
    );
    let batch = if small { 64 } else { 4096 };
    let widths = [784, width, width, 10];
    let parameters: usize = widths.windows(2).map(|pair| pair[0] * pair[1]).sum();
    // Forward, gradient of the weights, and, but for the first layer, gradient of the activations.
    let operations = 2.0 * batch as f64 * (3 * parameters - widths[0] * widths[1]) as f64;
    for policy in ["fp32", "amp"] {
        let config = lane(policy, &widths, batch)?;
        let seconds = Busy::new(backend.as_ref(), Program::of(&config)?)?.best(false)?;
        let peak = if policy == "amp" { fp16 } else { fp32 };
        println!(
            "MLP 784-{width}-{width}-10, {policy}, batch {batch}: {:.2} ms a step, {:.0} images/s, {:.0} % of the product's own rate",
            seconds * 1e3,
            batch as f64 / seconds,
            operations / seconds / peak * 100.0
        );
    }
    Ok(())
}

fn main() {
    let wanted = std::env::args().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_else(|| "auto".into());
    let Some(kind) = BackendKind::ALL.into_iter().find(|kind| kind.name() == wanted) else {
        println!("no backend `{wanted}`; there are: auto, cpu, wgpu, cuda");
        return;
    };
    if let Err(why) = measure(kind) {
        println!("{why}");
    }
}
