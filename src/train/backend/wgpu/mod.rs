//! Any graphics processor with Vulkan, Metal or Direct3D 12, and software ones such as lavapipe.
//!
//! WGSL promises no rounding mode, may flush subnormals and may assume that no NaN or infinity occurs. So everything that
//! must be right to the bit (casts, the found-inf check, histograms) is integer arithmetic on bits; sums and products are
//! FP32 within the tolerances that the conformance suite states.

mod context;
mod device;
mod shader;
mod timing;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::gpu::{GpuPlan, observe};
use super::{Availability, Backend, IN_INTEGERS, Plan, Primitive};
use crate::train::program::Program;

use context::Context;
use device::WgpuDevice;

/// An adapter: a graphics processor as a driver offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterName {
    /// Such as `NVIDIA H200 (Vulkan)`.
    pub name: String,
    /// Whether it is a program on the processor.
    pub software: bool,
}

/// Which adapter to use: the first whose name contains this text, in any case; `None`: the fastest.
static CHOICE: Mutex<Option<String>> = Mutex::new(None);
/// The device that lanes share as long as any of them lives.
static SHARED: Mutex<Weak<Context>> = Mutex::new(Weak::new());

/// Chooses the adapter for what is opened from now on: the first whose name contains this text; `None`: the fastest.
pub fn choose_adapter(name: Option<String>) {
    let mut choice = CHOICE.lock().unwrap_or_else(PoisonError::into_inner);
    // The same choice again keeps the open device and its compiled kernels.
    if *choice == name {
        return;
    }
    *choice = name;
    drop(choice);
    *SHARED.lock().unwrap_or_else(PoisonError::into_inner) = Weak::new();
}

/// The adapters there are, fastest first. Takes a moment: not for the thread that draws.
#[must_use]
pub fn adapters() -> Vec<AdapterName> {
    context::adapters().iter().map(|adapter| context::name_of(&adapter.get_info())).collect()
}

/// Loses the shared device as a driver that crashes does: for tests of what happens then.
#[doc(hidden)]
pub fn lose_device() {
    if let Some(context) = SHARED.lock().unwrap_or_else(PoisonError::into_inner).upgrade() {
        context.lose();
    }
}

/// Whether ops are timed by the clock even where the device keeps time.
static BY_CLOCK: AtomicBool = AtomicBool::new(false);

/// Times ops by the clock, as on devices that keep no time: for tests of that way.
#[doc(hidden)]
pub fn time_by_clock(on: bool) {
    BY_CLOCK.store(on, Ordering::Relaxed);
}

/// A graphics processor.
#[derive(Debug)]
pub struct Wgpu {
    context: Arc<Context>,
}

impl Wgpu {
    /// Opens the chosen adapter.
    ///
    /// # Errors
    /// One line: no adapter, or none of the chosen name.
    pub fn new() -> Result<Self, String> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = shared.upgrade().filter(|context| context.fault().is_ok()) {
            return Ok(Self { context });
        }
        let choice = CHOICE.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let context = Arc::new(Context::open(choice.as_deref())?);
        *shared = Arc::downgrade(&context);
        Ok(Self { context })
    }

    /// Opens the first adapter whose name contains this text, whatever is chosen for lanes.
    ///
    /// # Errors
    /// One line naming those that there are.
    pub fn on_adapter(name: &str) -> Result<Self, String> {
        Ok(Self { context: Arc::new(Context::open(Some(name))?) })
    }

    /// Whether an adapter can be used here, and which.
    #[must_use]
    pub fn availability() -> Availability {
        let choice = CHOICE.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match context::find(choice.as_deref()) {
            Ok(adapter) => Availability::Ready { device: context::name_of(&adapter.get_info()).name },
            Err(reason) => Availability::Missing { reason },
        }
    }

    /// Whether it is a program on the processor.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.context.name.software
    }
}

impl Backend for Wgpu {
    fn device(&self) -> String {
        self.context.name.name.clone()
    }

    fn instruction(&self, primitive: Primitive) -> &'static str {
        match primitive {
            Primitive::Narrow => "pack2x16float",
            Primitive::Widen => "unpack2x16float",
            Primitive::NarrowBf16 => IN_INTEGERS,
            Primitive::Add => "WGSL +",
            Primitive::Mul => "WGSL *",
            Primitive::Div => "WGSL /",
            Primitive::Sqrt => "WGSL sqrt",
            Primitive::Fma => "WGSL fma",
        }
    }

    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        observe(&mut WgpuDevice::new(Arc::clone(&self.context)), primitive, operands)
    }

    fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(GpuPlan::new(program, WgpuDevice::new(Arc::clone(&self.context)))?))
    }
}
