//! The device's context with the kernels loaded: shared by all lanes.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::result::{self, device, module, primary_ctx};
use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute, CUfunction, CUmodule};

use super::error::driver as fault;
use super::library::{self, Libraries};
use super::{cache, compile};
use crate::train::backend::gpu::Kernel;

/// An open device.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) name: String,
    /// Compute capability, as in 9.0 → 90.
    pub(super) capability: i32,
    device: CUdevice,
    primary: CUcontext,
    module: CUmodule,
    functions: BTreeMap<Kernel, CUfunction>,
    /// Multiprocessors.
    pub(super) processors: u32,
    broken: AtomicBool,
}

// SAFETY: CUDA's contexts, modules and functions may be used from any thread; every use makes the context current first.
unsafe impl Send for Context {}
// SAFETY: as above; the driver locks what it must.
unsafe impl Sync for Context {}

/// The first device's name, with its compute capability. Opens nothing.
pub(super) fn describe(libraries: &Libraries) -> Result<String, String> {
    let device = first()?;
    let name = device::get_name(device).map_err(fault("asking the device's name"))?;
    let capability = capability(device)?;
    let version = libraries.driver_version;
    let (major, minor) = (version / 1000, version % 1000 / 10);
    Ok(format!("{name} (CUDA {major}.{minor}, compute capability {}.{})", capability / 10, capability % 10))
}

fn first() -> Result<CUdevice, String> {
    result::init().map_err(fault("starting the driver"))?;
    let count = device::get_count().map_err(fault("counting devices"))?;
    if count < 1 {
        return Err("CUDA: the driver finds no device; use --backend wgpu or cpu".into());
    }
    device::get(0).map_err(fault("taking the first device"))
}

fn attribute(device: CUdevice, attribute: CUdevice_attribute) -> Result<i32, String> {
    // SAFETY: the device comes from the driver.
    unsafe { device::get_attribute(device, attribute) }.map_err(fault("asking the device what it is"))
}

/// As in 9.0 → 90.
fn capability(device: CUdevice) -> Result<i32, String> {
    let major = attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    Ok(10 * major + minor)
}

impl Context {
    /// Opens the first device and loads the kernels, from the cache or compiled now.
    pub(super) fn open() -> Result<Self, String> {
        let libraries = library::load()?;
        let name = describe(&libraries)?;
        let device = first()?;
        let capability = capability(device)?;
        let processors = attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        // SAFETY: the device comes from the driver; the context is released in `drop`.
        let primary = unsafe { primary_ctx::retain(device) }.map_err(fault("opening the device"))?;
        let mut opened = Self {
            name,
            capability,
            device,
            primary,
            module: std::ptr::null_mut(),
            functions: BTreeMap::new(),
            processors: u32::try_from(processors).unwrap_or(1).max(1),
            broken: AtomicBool::new(false),
        };
        opened.make_current()?;
        opened.load_kernels()?;
        Ok(opened)
    }

    fn load_kernels(&mut self) -> Result<(), String> {
        let source = compile::source();
        let file = cache::file(&source, &compile::version()?, &self.name);
        // A kept file that does not load is compiled again.
        let kept = cache::read(file.as_ref()).and_then(|image| self.load(&image).ok());
        if kept.is_none() {
            let image = compile::compile_for_device(&source, self.capability)?;
            self.load(&image.bytes)?;
            cache::write(file.as_ref(), &image.bytes);
        }
        for &kernel in Kernel::ALL {
            let name = CString::new(kernel.name()).map_err(|error| error.to_string())?;
            // SAFETY: the module was just loaded and is unloaded only in `drop`.
            let function = unsafe { module::get_function(self.module, name) };
            let function = function.map_err(|error| fault(&format!("finding the kernel {}", kernel.name()))(error))?;
            self.functions.insert(kernel, function);
        }
        Ok(())
    }

    fn load(&mut self, image: &[u8]) -> Result<(), String> {
        // SAFETY: machine code that NVRTC made, or PTX with a zero at its end; both say themselves how long they are.
        self.module = unsafe { module::load_data(image.as_ptr().cast()) }.map_err(fault("loading the kernels"))?;
        Ok(())
    }

    /// Makes the context this thread's.
    pub(super) fn make_current(&self) -> Result<(), String> {
        // SAFETY: the context is retained as long as `self` lives.
        unsafe { result::ctx::set_current(self.primary) }.map_err(fault("using the device"))
    }

    /// A kernel's function.
    pub(super) fn function(&self, kernel: Kernel) -> Result<CUfunction, String> {
        self.functions.get(&kernel).copied().ok_or_else(|| format!("no kernel {}", kernel.name()))
    }

    /// Remembers that the device failed: a context with an error in it stays so.
    pub(super) fn note_failure(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Whether nothing has failed yet.
    pub(super) fn works(&self) -> bool {
        !self.broken.load(Ordering::Relaxed)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.make_current().is_ok() && !self.module.is_null() {
            // SAFETY: it was loaded by `load`; no plan uses it any more, since plans hold the context.
            unsafe { module::unload(self.module) }.ok();
        }
        // SAFETY: it was retained in `open`, once.
        unsafe { primary_ctx::release(self.device) }.ok();
    }
}
