//! Which backend runs: what is built in, what is here, what `auto` takes.

use std::sync::OnceLock;

use super::cpu::Cpu;
use super::{Availability, Backend};
use crate::train::config::BackendKind;

/// Says whether a backend can be used here. Never panics. Looking for graphics processors takes a moment: not for the thread
/// that draws.
#[must_use]
pub fn availability(kind: BackendKind) -> Availability {
    match kind {
        BackendKind::Auto => availability(best()),
        BackendKind::Cpu => {
            let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
            Availability::Ready { device: Cpu::describe(threads) }
        }
        BackendKind::Wgpu => wgpu_availability(),
        BackendKind::Cuda => cuda_availability(),
    }
}

/// Opens a backend on this many host threads (at least one). `Auto` takes CUDA, then wgpu on a real graphics processor, then
/// the processor; the device's name says what it was.
///
/// # Errors
/// One line saying what is missing and what to do.
pub fn open(kind: BackendKind, threads: usize) -> Result<Box<dyn Backend>, String> {
    match kind {
        BackendKind::Auto => open(best(), threads),
        BackendKind::Cpu => Ok(Box::new(Cpu::new(threads)?)),
        BackendKind::Wgpu => open_wgpu(),
        BackendKind::Cuda => open_cuda(),
    }
}

/// Opens wgpu on the first graphics processor whose name contains this text, whatever [`choose_adapter`] chose.
///
/// # Errors
/// One line naming those that there are.
pub fn open_adapter(name: &str) -> Result<Box<dyn Backend>, String> {
    open_wgpu_adapter(name)
}

/// Chooses the graphics processor that wgpu uses from now on: the first whose name contains this text; `None`: the fastest.
///
/// # Errors
/// One line naming those that there are.
pub fn choose_adapter(name: Option<&str>) -> Result<(), String> {
    choose_wgpu_adapter(name)
}

/// What `auto` takes here; looked for once.
fn best() -> BackendKind {
    static BEST: OnceLock<BackendKind> = OnceLock::new();
    *BEST.get_or_init(look_for_the_best)
}

fn look_for_the_best() -> BackendKind {
    if matches!(cuda_availability(), Availability::Ready { .. }) && !cuda_is_emulated() {
        return BackendKind::Cuda;
    }
    if has_graphics_processor() { BackendKind::Wgpu } else { BackendKind::Cpu }
}

#[cfg(feature = "wgpu")]
mod wgpu_choice {
    use super::super::wgpu::{Wgpu, adapters, choose_adapter};
    use super::{Availability, Backend};

    pub(super) fn wgpu_availability() -> Availability {
        Wgpu::availability()
    }

    pub(super) fn open_wgpu() -> Result<Box<dyn Backend>, String> {
        Ok(Box::new(Wgpu::new()?))
    }

    pub(super) fn open_wgpu_adapter(name: &str) -> Result<Box<dyn Backend>, String> {
        Ok(Box::new(Wgpu::on_adapter(name)?))
    }

    pub(super) fn has_graphics_processor() -> bool {
        adapters().iter().any(|adapter| !adapter.software)
    }

    pub(super) fn choose_wgpu_adapter(name: Option<&str>) -> Result<(), String> {
        choose_adapter(name.map(ToOwned::to_owned));
        match name.map(|_| Wgpu::availability()) {
            Some(Availability::Missing { reason }) => Err(reason),
            Some(Availability::Ready { .. }) | None => Ok(()),
        }
    }
}
#[cfg(feature = "wgpu")]
use wgpu_choice::{choose_wgpu_adapter, has_graphics_processor, open_wgpu, open_wgpu_adapter, wgpu_availability};

#[cfg(not(feature = "wgpu"))]
mod wgpu_choice {
    use super::{Availability, Backend};

    const REASON: &str = "halfscope was built without the feature wgpu; build it with the default features";

    pub(super) fn wgpu_availability() -> Availability {
        Availability::Missing { reason: REASON.into() }
    }

    pub(super) fn open_wgpu() -> Result<Box<dyn Backend>, String> {
        Err(REASON.into())
    }

    pub(super) fn open_wgpu_adapter(_: &str) -> Result<Box<dyn Backend>, String> {
        Err(REASON.into())
    }

    pub(super) const fn has_graphics_processor() -> bool {
        false
    }

    pub(super) fn choose_wgpu_adapter(name: Option<&str>) -> Result<(), String> {
        name.map_or(Ok(()), |_| Err(REASON.into()))
    }
}
#[cfg(not(feature = "wgpu"))]
use wgpu_choice::{choose_wgpu_adapter, has_graphics_processor, open_wgpu, open_wgpu_adapter, wgpu_availability};

#[cfg(feature = "cuda")]
mod cuda_choice {
    use super::super::cuda::Cuda;
    use super::{Availability, Backend};

    pub(super) fn cuda_availability() -> Availability {
        Cuda::availability()
    }

    pub(super) fn open_cuda() -> Result<Box<dyn Backend>, String> {
        Ok(Box::new(Cuda::new()?))
    }

    pub(super) fn cuda_is_emulated() -> bool {
        Cuda::is_emulated()
    }
}
#[cfg(feature = "cuda")]
use cuda_choice::{cuda_availability, cuda_is_emulated, open_cuda};

#[cfg(not(feature = "cuda"))]
mod cuda_choice {
    use super::{Availability, Backend};

    const REASON: &str = "halfscope was built without the feature cuda; build it with the default features";

    pub(super) fn cuda_availability() -> Availability {
        Availability::Missing { reason: REASON.into() }
    }

    pub(super) fn open_cuda() -> Result<Box<dyn Backend>, String> {
        Err(REASON.into())
    }

    pub(super) const fn cuda_is_emulated() -> bool {
        false
    }
}
#[cfg(not(feature = "cuda"))]
use cuda_choice::{cuda_availability, cuda_is_emulated, open_cuda};
