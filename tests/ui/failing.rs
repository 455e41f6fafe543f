//! A device that gives up: the processor behind a driver that fails in the third step.

use std::sync::Arc;

use halfscope::train::backend::{Backend, Memory, Plan, Primitive, Score, StepInput, StepOutcome, Ticket, open};
use halfscope::train::config::BackendKind;
use halfscope::train::program::{Program, TensorId};
use halfscope::train::report::OpTime;
use halfscope::train::session::Open;

/// What the driver says.
pub(crate) const WHY: &str = "the device was lost; start again, or use --backend cpu";

/// The step that fails.
const FAILS_AT: u64 = 3;

/// Backends of which wgpu's is the one that fails.
pub(crate) fn opener() -> Box<Open> {
    Box::new(|kind, threads| {
        let inner = open(BackendKind::Cpu, threads)?;
        Ok(if kind == BackendKind::Wgpu { Box::new(Failing(inner)) } else { inner })
    })
}

/// Backends of which wgpu's does not even open.
pub(crate) fn closed() -> Box<Open> {
    Box::new(|kind, threads| match kind {
        BackendKind::Wgpu => Err(WHY.into()),
        _ => open(BackendKind::Cpu, threads),
    })
}

struct Failing(Box<dyn Backend>);

impl Backend for Failing {
    fn device(&self) -> String {
        "Frail GPU (Vulkan)".into()
    }

    fn instruction(&self, primitive: Primitive) -> &'static str {
        self.0.instruction(primitive)
    }

    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        self.0.observe(primitive, operands)
    }

    fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(FailingPlan { inner: self.0.compile(program)?, steps: 0 }))
    }
}

struct FailingPlan {
    inner: Box<dyn Plan>,
    steps: u64,
}

impl FailingPlan {
    fn fail_in_time(&mut self) -> Result<(), String> {
        self.steps += 1;
        if self.steps >= FAILS_AT { Err(WHY.into()) } else { Ok(()) }
    }
}

impl Plan for FailingPlan {
    fn write(&mut self, tensor: TensorId, values: &[f32]) -> Result<(), String> {
        self.inner.write(tensor, values)
    }

    fn read(&mut self, tensor: TensorId) -> Result<Vec<f32>, String> {
        self.inner.read(tensor)
    }

    fn submit(&mut self, input: &StepInput<'_>) -> Result<Ticket, String> {
        self.fail_in_time().and_then(|()| self.inner.submit(input))
    }

    fn profile(&mut self, input: &StepInput<'_>) -> Result<(Ticket, Vec<OpTime>), String> {
        self.fail_in_time().and_then(|()| self.inner.profile(input))
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<StepOutcome>, String> {
        self.inner.poll(ticket)
    }

    fn set_scale(&mut self, scale: f32) -> Result<(), String> {
        self.inner.set_scale(scale)
    }

    fn evaluate(&mut self, images: &[f32], labels: &[u8]) -> Result<Score, String> {
        self.inner.evaluate(images, labels)
    }

    fn buffer_bytes(&self) -> u64 {
        self.inner.buffer_bytes()
    }

    fn probe_bytes(&self) -> u64 {
        self.inner.probe_bytes()
    }

    fn memory(&self) -> Memory {
        self.inner.memory()
    }
}
