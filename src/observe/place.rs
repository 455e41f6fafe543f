//! Devices, as those know them who know no backend.

use std::ops::ControlFlow;

use super::{BackendKind, Observation, Primitive, Request, observe};
use crate::train::backend::{Backend, open, open_adapter};
use crate::train::devices::{Availability, Devices};
use crate::train::session::Open;

/// A device that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The processor, wgpu or CUDA.
    pub kind: BackendKind,
    /// Which of wgpu's graphics processors, by a part of its name; `None`: the one that lanes use.
    pub adapter: Option<String>,
}

/// A place, and the device's name there or the line that says why there is none.
pub type Found = (Place, Result<String, String>);

impl Place {
    /// The processor.
    pub const CPU: Self = Self { kind: BackendKind::Cpu, adapter: None };

    /// The kinds of devices that can be asked.
    pub const KINDS: [BackendKind; 3] = [BackendKind::Cpu, BackendKind::Wgpu, BackendKind::Cuda];

    /// All places among the devices that were found, each of wgpu's graphics processors by itself.
    #[must_use]
    pub fn among(devices: &Devices) -> Vec<Found> {
        let of_kind = |kind: BackendKind| {
            let place = Self { kind, adapter: None };
            match devices.availability(kind) {
                Some(Availability::Ready { .. }) if kind == BackendKind::Wgpu && !devices.adapters.is_empty() => {
                    let named = |name: &String| (Self { kind, adapter: Some(name.clone()) }, Ok(name.clone()));
                    devices.adapters.iter().map(named).collect()
                }
                Some(Availability::Ready { device }) => vec![(place, Ok(device.clone()))],
                Some(Availability::Missing { reason }) => vec![(place, Err(reason.clone()))],
                None => Vec::new(),
            }
        };
        Self::KINDS.into_iter().flat_map(of_kind).collect()
    }

    /// Opens it. Drivers take their time: not for the thread that draws.
    ///
    /// # Errors
    /// One line saying what is missing and what to do.
    pub fn open(&self) -> Result<Subject, String> {
        self.open_by(&open)
    }

    /// Opens it with backends that come from elsewhere; a named graphics processor comes from wgpu in any case.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_by(&self, backends: &Open) -> Result<Subject, String> {
        let backend = match &self.adapter {
            Some(name) => open_adapter(name)?,
            None => backends(self.kind, 1)?,
        };
        Ok(Subject { backend })
    }
}

/// An open device.
pub struct Subject {
    backend: Box<dyn Backend>,
}

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Subject").field(&self.backend.device()).finish()
    }
}

impl Subject {
    /// What it is, in words.
    #[must_use]
    pub fn device(&self) -> String {
        self.backend.device()
    }

    /// Asks it what an operation does, see [`observe`].
    ///
    /// # Errors
    /// One line: not enough memory, a lost device.
    pub fn observe(
        &self,
        primitive: Primitive,
        request: Request,
        watch: &mut dyn FnMut(&Observation) -> ControlFlow<()>,
    ) -> Result<Observation, String> {
        observe(self.backend.as_ref(), primitive, request, watch)
    }
}
