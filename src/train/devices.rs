//! What lanes can run on here, for those who know no backend: the window, and the command line's words about devices.

use std::sync::{Arc, OnceLock};

use super::backend::availability;
use super::config::BackendKind;

pub use super::backend::{Availability, choose_adapter};

/// What was found here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Devices {
    /// Every backend, in the order of [`BackendKind::ALL`]; for `Auto` what it takes.
    pub backends: Vec<(BackendKind, Availability)>,
    /// The graphics processors that wgpu can be told to use, fastest first.
    pub adapters: Vec<String>,
}

impl Devices {
    /// Looks for devices, once; later calls answer at once. Drivers take their time: not for the thread that draws.
    #[must_use]
    pub fn find() -> Arc<Self> {
        static FOUND: OnceLock<Arc<Devices>> = OnceLock::new();
        Arc::clone(FOUND.get_or_init(|| {
            let backends = BackendKind::ALL.map(|kind| (kind, availability(kind))).to_vec();
            Arc::new(Self { backends, adapters: adapters() })
        }))
    }

    /// Whether this backend can be used, and on what.
    #[must_use]
    pub fn availability(&self, kind: BackendKind) -> Option<&Availability> {
        self.backends.iter().find(|(found, _)| *found == kind).map(|(_, availability)| availability)
    }

    /// Whether this backend cannot be used.
    #[must_use]
    pub fn is_missing(&self, kind: BackendKind) -> bool {
        matches!(self.availability(kind), Some(Availability::Missing { .. }))
    }
}

#[cfg(feature = "wgpu")]
fn adapters() -> Vec<String> {
    let mut names: Vec<String> = super::backend::wgpu::adapters().into_iter().map(|adapter| adapter.name).collect();
    // Two of the same name cannot be told apart.
    names.dedup();
    names
}

#[cfg(not(feature = "wgpu"))]
const fn adapters() -> Vec<String> {
    Vec::new()
}

/// What kind of thing a device is, whatever its driver calls itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// The processor: FP16 is emulated.
    Processor,
    /// A graphics driver that is a program on the processor.
    Software,
    /// The CUDA of the tests, which runs on the processor.
    Emulator,
    /// A graphics processor.
    Graphics,
}

impl Nature {
    /// Of a device by its name in words.
    #[must_use]
    pub fn of(device: &str) -> Self {
        let name = device.to_lowercase();
        if name.contains("emulator") {
            Self::Emulator
        } else if name.contains("software") {
            Self::Software
        } else if name.starts_with("cpu") {
            Self::Processor
        } else {
            Self::Graphics
        }
    }

    /// Whether its times say nothing about a graphics processor.
    #[must_use]
    pub const fn is_emulated(self) -> bool {
        !matches!(self, Self::Graphics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_for_what_it_is() {
        for (device, nature) in [
            ("CPU (x86_64, AVX2), 2 threads", Nature::Processor),
            ("llvmpipe (LLVM 15.0.7, 256 bits) (software, Vulkan)", Nature::Software),
            ("halfscope CUDA emulator (CUDA 13.0, compute capability 8.0)", Nature::Emulator),
            ("NVIDIA H200 (CUDA 13.0, compute capability 9.0)", Nature::Graphics),
        ] {
            assert_eq!(Nature::of(device), nature, "{device}");
        }
    }

    #[test]
    fn every_backend_is_looked_for_and_the_processor_is_always_there() {
        let devices = Devices::find();
        assert!(BackendKind::ALL.iter().all(|&kind| devices.availability(kind).is_some()));
        assert!(!devices.is_missing(BackendKind::Cpu) && !devices.is_missing(BackendKind::Auto));
    }
}
