//! NVIDIA's graphics processors, through their own libraries.
//!
//! Nothing of CUDA is needed to build: the driver, NVRTC (which compiles the kernels at first use) and cuBLAS (which does
//! the products) are looked up at run time where people have them, and every symbol that is called is checked beforehand, since
//! the bindings panic on a missing one. A step is captured into a CUDA graph once and launched as a whole, so that small
//! models do not wait for the host; reports come back through pinned memory without the device waiting.

#![expect(unsafe_code, reason = "calls into C libraries; this room is the only one")]

mod cache;
mod compile;
mod context;
mod device;
mod error;
mod library;
mod memory;
mod product;
mod symbols;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::gpu::{GpuPlan, observe};
use super::{Availability, Backend, IN_INTEGERS, Plan, Primitive};
use crate::train::program::Program;

use context::Context;
use device::CudaDevice;

pub use compile::compile_for;
pub use library::{Finding, examine};

/// The context that lanes share as long as any of them lives.
static SHARED: Mutex<Weak<Context>> = Mutex::new(Weak::new());

/// The first NVIDIA graphics processor.
#[derive(Debug)]
pub struct Cuda {
    context: Arc<Context>,
}

impl Cuda {
    /// Opens the device, compiling the kernels if they are not in the cache.
    ///
    /// # Errors
    /// One line: what is missing and how to get it, or what the driver said.
    pub fn new() -> Result<Self, String> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = shared.upgrade().filter(|context| context.works()) {
            return Ok(Self { context });
        }
        let context = Arc::new(Context::open()?);
        *shared = Arc::downgrade(&context);
        Ok(Self { context })
    }

    /// Whether a device can be used here, and which. Never panics, compiles nothing.
    #[must_use]
    pub fn availability() -> Availability {
        match library::load().and_then(|libraries| context::describe(&libraries)) {
            Ok(device) => Availability::Ready { device },
            Err(reason) => Availability::Missing { reason },
        }
    }

    /// Whether what calls itself a device runs on this processor: never chosen by itself.
    #[must_use]
    pub fn is_emulated() -> bool {
        matches!(Self::availability(), Availability::Ready { device } if device.contains("emulator"))
    }
}

impl Backend for Cuda {
    fn device(&self) -> String {
        self.context.name.clone()
    }

    fn instruction(&self, primitive: Primitive) -> &'static str {
        // The emulator's g++ has none of the conversions.
        let converts = !self.context.name.contains("emulator");
        match primitive {
            Primitive::Narrow if converts => "cvt.rn.f16.f32",
            Primitive::Widen if converts => "cvt.f32.f16",
            Primitive::NarrowBf16 if converts && self.context.capability >= 80 => "cvt.rn.bf16.f32",
            Primitive::Narrow | Primitive::Widen | Primitive::NarrowBf16 => IN_INTEGERS,
            Primitive::Add => "add.rn.f32",
            Primitive::Mul => "mul.rn.f32",
            Primitive::Div => "div.rn.f32",
            Primitive::Sqrt => "sqrt.rn.f32",
            Primitive::Fma => "fma.rn.f32",
        }
    }

    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        observe(&mut CudaDevice::new(Arc::clone(&self.context))?, primitive, operands)
    }

    fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(GpuPlan::new(program, CudaDevice::new(Arc::clone(&self.context))?)?))
    }
}
