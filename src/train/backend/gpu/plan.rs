//! A program with its buffers on a graphics processor.

use std::collections::VecDeque;
use std::sync::Arc;

use super::adam_table::corrections;
use super::bytes::{from_bytes, to_bytes, words, words_to_bytes};
use super::device::{Buffer, Device};
use super::launch::Operand;
use super::lower::{self, Places, RESULT_HEAD, result_words};
use crate::histogram::ExponentHistogram;
use crate::train::backend::checks::{check, check_batch, check_kept, check_values, ends};
use crate::train::backend::times::by_op;
use crate::train::backend::{Memory, Plan, ProbeReading, Score, StepInput, StepOutcome, Ticket};
use crate::train::config::{Accumulate, Storage};
use crate::train::program::{Layout, Op, Program, TensorId};
use crate::train::report::OpTime;
use crate::train::scaler::LossScaler;

/// Words of the scalars on the device, in the order that the kernels' preludes name them.
const SCALAR_WORDS: u64 = 16;
const SCALE: u64 = 0;

/// A step that was submitted.
#[derive(Debug)]
struct InFlight {
    ticket: Ticket,
    probed: bool,
}

/// A program that was compiled for a graphics processor.
pub(in super::super) struct GpuPlan<D> {
    program: Arc<Program>,
    device: D,
    layout: Layout,
    tensors: Vec<Operand>,
    scalars: Buffer,
    results: Buffer,
    labels: Buffer,
    /// Numbers of the lists: a step, a probed step, an evaluation.
    lists: [usize; 3],
    /// By list: for each launch the index of its instruction.
    owners: [Vec<Option<usize>>; 3],
    /// Whether there is a scaler, and what refuses a scale.
    scaler: Option<LossScaler>,
    /// By probe: whether it is compared with a twin.
    twins: Vec<bool>,
    submitted: u64,
    in_flight: VecDeque<InFlight>,
}

/// A buffer is a whole number of words, and none is empty.
fn rounded(bytes: usize) -> u64 {
    (bytes as u64).next_multiple_of(4).max(4)
}

impl<D: Device> GpuPlan<D> {
    /// Allocates the buffers, writes the initial weights and prepares the lists.
    ///
    /// # Errors
    /// One line: not enough memory, or a kernel that does not compile.
    pub(in super::super) fn new(program: Arc<Program>, mut device: D) -> Result<Self, String> {
        let layout = Layout::of(&program);
        let slots: Vec<Buffer> = layout
            .slots
            .iter()
            .map(|slot| device.allocate(rounded(slot.width * slot.elements)))
            .collect::<Result<_, _>>()?;
        let place = |(spec, &slot): (&crate::train::program::TensorSpec, &usize)| Operand {
            buffer: slots[slot],
            storage: spec.storage,
        };
        let tensors: Vec<Operand> = program.tensors.iter().zip(&layout.slot_of).map(place).collect();
        let scalars = device.allocate(4 * SCALAR_WORDS)?;
        let results = device.allocate(rounded(4 * result_words(&program)))?;
        let labels = device.allocate(rounded(4 * program.batch))?;
        let losses = device.allocate(rounded(8 * program.batch))?;
        let partials = device.allocate(lower::partials_bytes(&program))?;
        let places = Places {
            program: &program,
            tensors,
            scalars,
            results,
            labels,
            losses,
            partials,
            corrections: write_corrections(&program, &mut device)?,
            scratch: allocate_scratch(&program, &mut device)?,
            blocks: device.blocks(),
        };
        let lists = [lower::step(&places, false), lower::step(&places, true), lower::forward(&places)];
        let tensors = places.tensors;
        let mut numbers = [0; 3];
        for (number, list) in numbers.iter_mut().zip(&lists) {
            *number = device.prepare(&list.launches)?;
        }
        let (scaler, twins) = (program.scalars.scaler, twins(&program));
        let mut plan = Self {
            program,
            device,
            layout,
            tensors,
            scalars,
            results,
            labels,
            lists: numbers,
            owners: lists.map(|list| list.owners),
            scaler,
            twins,
            submitted: 0,
            in_flight: VecDeque::new(),
        };
        let hysteresis = scaler.map_or(0, |scaler| scaler.hysteresis_left());
        let [scale, inverse] = scale_words(scaler);
        // Preparing a list may have run it: all of the scalars are written.
        let mut words = [0; SCALAR_WORDS as usize];
        words[..4].copy_from_slice(&[scale, inverse, 0, hysteresis]);
        plan.device.write(scalars, 0, &words_to_bytes(&words))?;
        for index in 0..plan.program.tensors.len() {
            let values = plan.program.initial_values(TensorId(index));
            if !values.is_empty() {
                plan.write(TensorId(index), &values)?;
            }
        }
        Ok(plan)
    }

    /// Copies a batch to the device; rows that are missing at the end are zeros.
    fn load(&mut self, images: &[f32], labels: &[u8]) -> Result<(), String> {
        let id = self.program.images;
        let mut bytes = to_bytes(Storage::Fp32, images);
        bytes.resize(4 * self.program.tensors[id.0].elements(), 0);
        self.device.write(self.tensors[id.0].buffer, 0, &bytes)?;
        let labels: Vec<u32> = labels.iter().map(|&label| u32::from(label)).collect();
        self.device.write(self.labels, 0, &words_to_bytes(&labels))
    }

    /// Takes a step whose list is run by `run`.
    fn step<T>(
        &mut self,
        input: &StepInput<'_>,
        run: impl FnOnce(&mut D, usize) -> Result<T, String>,
    ) -> Result<(Ticket, T), String> {
        check(&self.program, input.images, input.labels)?;
        check_batch(&self.program, input.labels)?;
        self.load(input.images, input.labels)?;
        let done = run(&mut self.device, self.lists[usize::from(input.probe)])?;
        let words = if input.probe { result_words(&self.program) } else { RESULT_HEAD };
        self.device.fetch(self.results, 4 * words as u64)?;
        self.submitted += 1;
        let ticket = Ticket(self.submitted);
        self.in_flight.push_back(InFlight { ticket, probed: input.probe });
        Ok((ticket, done))
    }

    fn outcome(&self, bytes: &[u8], probed: bool) -> StepOutcome {
        let words: Vec<u32> = words(bytes).collect();
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let counters = words.get(RESULT_HEAD..).unwrap_or_default().chunks(ExponentHistogram::COUNTER_WORDS);
        let reading = |(probe, counters): (usize, &[u32])| {
            let (histogram, lost) = ExponentHistogram::from_counters(counters);
            ProbeReading { probe, histogram, lost_upstream: self.twins[probe].then_some(lost) }
        };
        StepOutcome {
            loss: f32::from_bits(word(0)),
            scale: f32::from_bits(word(1)),
            growth_tracker: word(2),
            skipped: word(3) != 0,
            readings: if probed { counters.enumerate().map(reading).collect() } else { Vec::new() },
        }
    }
}

/// By probe: whether it is compared with a twin.
fn twins(program: &Program) -> Vec<bool> {
    let mut twins = vec![false; program.probes.len()];
    for instruction in &program.instructions {
        if let Op::Probe { index, twin, .. } = instruction.op {
            twins[index] = twin.is_some();
        }
    }
    twins
}

/// S and 1/S as they lie on the device.
fn scale_words(scaler: Option<LossScaler>) -> [u32; 2] {
    let (scale, inverse) = scaler.map_or((1.0, 1.0), |scaler| (scaler.scale(), scaler.inverse()));
    [scale.to_bits(), inverse.to_bits()]
}

/// Writes the bias corrections of the program's Adam, which has the same constants for all parameters.
fn write_corrections(program: &Program, device: &mut impl Device) -> Result<Option<(Buffer, u32)>, String> {
    let adam = program.instructions.iter().find_map(|instruction| match instruction.op {
        Op::Adam { adam, .. } => Some(adam),
        _ => None,
    });
    let Some(adam) = adam else { return Ok(None) };
    let table = corrections(adam, program.scalars.learning_rate);
    let buffer = device.allocate(8 * table.len() as u64)?;
    device.write(buffer, 0, &to_bytes(Storage::Fp32, table.as_flattened()))?;
    Ok(Some((buffer, table.len() as u32 - 1)))
}

/// Room for the largest product that is summed in FP16.
fn allocate_scratch(program: &Program, device: &mut impl Device) -> Result<Option<Buffer>, String> {
    let elements = |op: &Op| match *op {
        Op::MatMul { out, accumulate: Accumulate::Fp16, .. } => Some(program.tensors[out.0].elements()),
        _ => None,
    };
    let most = program.instructions.iter().filter_map(|instruction| elements(&instruction.op)).max();
    most.map(|elements| device.allocate(rounded(2 * elements))).transpose()
}

impl<D: Device> Plan for GpuPlan<D> {
    fn write(&mut self, tensor: TensorId, values: &[f32]) -> Result<(), String> {
        check_values(&self.program, tensor, values)?;
        let Operand { buffer, storage } = self.tensors[tensor.0];
        let mut bytes = to_bytes(storage, values);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        self.device.write(buffer, 0, &bytes)
    }

    fn read(&mut self, tensor: TensorId) -> Result<Vec<f32>, String> {
        check_kept(&self.program, tensor)?;
        let Operand { buffer, storage } = self.tensors[tensor.0];
        let elements = self.program.tensors[tensor.0].elements();
        let bytes = self.device.read(buffer, rounded(storage.bytes() * elements))?;
        let mut values = from_bytes(storage, &bytes);
        values.truncate(elements);
        Ok(values)
    }

    fn submit(&mut self, input: &StepInput<'_>) -> Result<Ticket, String> {
        self.step(input, D::run).map(|(ticket, ())| ticket)
    }

    fn profile(&mut self, input: &StepInput<'_>) -> Result<(Ticket, Vec<OpTime>), String> {
        let (ticket, seconds) = self.step(input, D::run_timed)?;
        let owners = self.owners[usize::from(input.probe)].iter().copied();
        Ok((ticket, by_op(&self.program, owners.zip(seconds))))
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<StepOutcome>, String> {
        let number = ticket.0;
        match self.in_flight.front() {
            Some(step) if step.ticket == ticket => {
                let probed = step.probed;
                let Some(bytes) = self.device.fetched()? else { return Ok(None) };
                self.in_flight.pop_front();
                Ok(Some(self.outcome(&bytes, probed)))
            }
            Some(step) if step.ticket.0 < number && number <= self.submitted => {
                let earlier = step.ticket.0;
                Err(format!("step {number} is asked for before step {earlier}; outcomes come in order"))
            }
            _ => Err(format!("step {number} was never submitted, or its outcome was already taken")),
        }
    }

    fn set_scale(&mut self, scale: f32) -> Result<(), String> {
        let Some(scaler) = self.scaler else {
            return Err("this lane has no loss scaler; start it with a static or dynamic one".into());
        };
        let scaler = scaler.with_scale(scale)?;
        self.scaler = Some(scaler);
        self.device.write(self.scalars, 4 * SCALE, &words_to_bytes(&scale_words(self.scaler)))
    }

    fn evaluate(&mut self, images: &[f32], labels: &[u8]) -> Result<Score, String> {
        check(&self.program, images, labels)?;
        let (pixels, classes) = ends(&self.program);
        let mut score = Score { correct: 0, loss_sum: 0.0 };
        let batch = self.program.batch;
        let Operand { buffer, storage } = self.tensors[self.program.logits.0];
        for (images, labels) in images.chunks(batch * pixels).zip(labels.chunks(batch)) {
            self.load(images, labels)?;
            self.device.run(self.lists[2])?;
            let bytes = self.device.read(buffer, rounded(storage.bytes() * labels.len() * classes))?;
            let logits = from_bytes(storage, &bytes);
            for (row, &label) in logits.chunks_exact(classes).zip(labels) {
                score.add(row, usize::from(label));
            }
        }
        Ok(score)
    }

    fn buffer_bytes(&self) -> u64 {
        self.layout.bytes(false)
    }

    fn probe_bytes(&self) -> u64 {
        self.layout.bytes(true)
    }

    fn memory(&self) -> Memory {
        self.device.memory()
    }
}
