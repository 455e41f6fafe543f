//! Where programs run: one trait, one conformance suite.
//!
//! The session [`open`]s a backend, [`compile`](Backend::compile)s one [`Program`] a lane and then only
//! [`submit`](Plan::submit)s batches and [`poll`](Plan::poll)s outcomes, so that a device never waits for the host.
//! Loss scale, found-inf flag, growth tracker, step count and learning rate live on the device.
//!
//! ```
//! use std::sync::Arc;
//!
//! use halfscope::train::backend::{StepInput, open};
//! use halfscope::train::config::BackendKind;
//! use halfscope::train::program::Program;
//! use halfscope::train::RunConfig;
//!
//! let config = RunConfig::preset("mnist-mlp").expect("a preset").remove(0);
//! let mut plan = open(BackendKind::Cpu, 2)?.compile(Arc::new(Program::of(&config)?))?;
//! let (images, labels) = (vec![0.5; 64 * 784], vec![3; 64]);
//! let ticket = plan.submit(&StepInput { images: &images, labels: &labels, probe: true })?;
//! let outcome = plan.poll(ticket)?.expect("the CPU answers at once");
//! assert!(outcome.loss > 0.0 && !outcome.readings.is_empty());
//! # Ok::<(), String>(())
//! ```

mod checks;
mod choice;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
mod gpu;
mod primitive;
mod score;
mod storage;
mod times;
#[cfg(feature = "wgpu")]
pub mod wgpu;

use std::sync::Arc;

pub use primitive::{IN_INTEGERS, Primitive};

pub use choice::{availability, choose_adapter, open, open_adapter};

use super::program::{Program, TensorId};
use super::report::OpTime;
use crate::histogram::ExponentHistogram;

/// Whether a backend can be used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It can.
    Ready {
        /// What it runs on, in words.
        device: String,
    },
    /// It cannot.
    Missing {
        /// What is missing and how to get it, in one line.
        reason: String,
    },
}

/// A device that programs can be compiled for.
pub trait Backend: Send {
    /// What it runs on, in words.
    fn device(&self) -> String;

    /// What does an operation in [`observe`](Self::observe), in a word or two: an instruction, an instruction set, a built-in
    /// function of the shading language, or [`IN_INTEGERS`] where the device has nothing of its own for it.
    fn instruction(&self, primitive: Primitive) -> &'static str;

    /// Does one operation on every row of words with the device's own instructions: what they really do, for comparison with what is
    /// right. There are as many columns as the operation has operands, all equally long; the others are not looked at.
    ///
    /// # Errors
    /// One line: not enough memory, a lost device.
    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String>;

    /// Allocates the program's buffers and writes the initial weights.
    ///
    /// # Errors
    /// One line: not enough memory, or an op that this device cannot do.
    fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String>;
}

/// Names a submitted step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket(pub u64);

/// One batch.
#[derive(Debug, Clone, Copy)]
pub struct StepInput<'a> {
    /// Pixels, row-major: batch × input width.
    pub images: &'a [f32],
    /// Class of each image.
    pub labels: &'a [u8],
    /// Whether the probes are read. Never changes the bits of the training.
    pub probe: bool,
}

/// What one step came to.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome {
    /// Mean cross-entropy of the batch in nats, before loss weight and loss scale.
    pub loss: f32,
    /// The loss scale the step was taken at; 1 without a scaler.
    pub scale: f32,
    /// The growth tracker after the step; 0 for scalers without one.
    pub growth_tracker: u32,
    /// Whether a scaled gradient was not finite and the update was skipped.
    pub skipped: bool,
    /// What the probes saw; empty in steps without them.
    pub readings: Vec<ProbeReading>,
}

/// What one probe saw in one step.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeReading {
    /// Index into [`Program::probes`].
    pub probe: usize,
    /// The counts.
    pub histogram: ExponentHistogram,
    /// Values that are zero here but not in the twin's tensor; `None` without a twin.
    pub lost_upstream: Option<u64>,
}

/// What the network answers to labelled images.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Images whose largest logit is their label's (the first of equals counts; NaN never does).
    pub correct: u64,
    /// Sum over the images of the cross-entropy in nats. May be NaN.
    pub loss_sum: f64,
}

/// Bytes of a device's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// In one plan's buffers.
    pub used: u64,
    /// Free on the device; `None` where it does not say.
    pub free: Option<u64>,
}

/// A program with its buffers on a device.
pub trait Plan: Send {
    /// Overwrites a tensor that lives for the whole run, rounding to its storage.
    ///
    /// # Errors
    /// One line: no such tensor, a wrong number of values, or a tensor that is recycled within a step.
    fn write(&mut self, tensor: TensorId, values: &[f32]) -> Result<(), String>;

    /// Reads a tensor that lives for the whole run, widened to FP32.
    ///
    /// # Errors
    /// One line: no such tensor, or one that is recycled within a step.
    fn read(&mut self, tensor: TensorId) -> Result<Vec<f32>, String>;

    /// Starts a step. Steps are taken in the order in which they are submitted.
    ///
    /// # Errors
    /// One line: a batch of the wrong size, a label outside the network's classes, a lost device.
    fn submit(&mut self, input: &StepInput<'_>) -> Result<Ticket, String>;

    /// Takes a step as [`submit`](Plan::submit) does, to the same bits, but waits for every op to see how long it takes. Returns
    /// the times by op and layer, slowest first.
    ///
    /// # Errors
    /// As [`submit`](Plan::submit).
    fn profile(&mut self, input: &StepInput<'_>) -> Result<(Ticket, Vec<OpTime>), String>;

    /// The outcome of a submitted step, once: `None` while it is still running.
    ///
    /// # Errors
    /// One line: an unknown ticket, a lost device.
    fn poll(&mut self, ticket: Ticket) -> Result<Option<StepOutcome>, String>;

    /// Sets the loss scale from the next submitted step on. A dynamic scaler keeps its growth tracker.
    ///
    /// # Errors
    /// One line: a scale that is zero, negative or not finite, or a lane without a scaler.
    fn set_scale(&mut self, scale: f32) -> Result<(), String>;

    /// Runs the forward part alone, in the lane's own storage, over any number of images.
    ///
    /// # Errors
    /// One line: images and labels that do not match, a lost device.
    fn evaluate(&mut self, images: &[f32], labels: &[u8]) -> Result<Score, String>;

    /// Bytes of the buffers that training needs.
    fn buffer_bytes(&self) -> u64;

    /// Bytes of the buffers that only probes and the FP32 twin need.
    fn probe_bytes(&self) -> u64;

    /// What its buffers take on the device now, all of them, and what is free there.
    fn memory(&self) -> Memory;
}
