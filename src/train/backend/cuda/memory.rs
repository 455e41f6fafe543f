//! Memory, streams and events that are freed with their owner. All of it needs the context to be current.

use cudarc::driver::result::{self, event, stream};
use cudarc::driver::sys::{CUdeviceptr, CUevent, CUevent_flags, CUresult, CUstream};

use super::error::driver as fault;

/// Bytes on the device.
#[derive(Debug)]
pub(super) struct DeviceMemory {
    pub(super) pointer: CUdeviceptr,
    pub(super) bytes: usize,
}

impl DeviceMemory {
    /// Allocates, without clearing.
    pub(super) fn new(bytes: usize) -> Result<Self, String> {
        // SAFETY: whoever uses it fills it first.
        let pointer = unsafe { result::malloc_sync(bytes) };
        pointer
            .map(|pointer| Self { pointer, bytes })
            .map_err(|error| fault(&format!("allocating {bytes} bytes"))(error))
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        // SAFETY: it was allocated in `new` and is freed only here.
        unsafe { result::free_sync(self.pointer) }.ok();
    }
}

/// A queue of the device's work.
#[derive(Debug)]
pub(super) struct Stream(pub(super) CUstream);

impl Stream {
    pub(super) fn new() -> Result<Self, String> {
        stream::create(stream::StreamKind::NonBlocking).map(Self).map_err(fault("making a stream"))
    }

    /// Waits until all is done.
    pub(super) fn wait(&self) -> Result<(), String> {
        // SAFETY: the stream is live.
        unsafe { stream::synchronize(self.0) }.map_err(fault("waiting for the device"))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: it was created in `new` and is destroyed only here.
        unsafe { stream::destroy(self.0) }.ok();
    }
}

/// A mark in a stream.
#[derive(Debug)]
struct Event(CUevent);

impl Event {
    fn new() -> Result<Self, String> {
        event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING).map(Self).map_err(fault("making an event"))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: it was created in `new` and is destroyed only here.
        unsafe { event::destroy(self.0) }.ok();
    }
}

/// Memory of this machine that the device copies to and from by itself, with a mark after its last copy.
#[derive(Debug)]
pub(super) struct Pinned {
    pointer: *mut u8,
    bytes: usize,
    copied: Event,
}

impl Pinned {
    /// Allocates, zeroed; nothing has been copied yet.
    pub(super) fn new(bytes: usize) -> Result<Self, String> {
        let copied = Event::new()?;
        // SAFETY: it is filled before it is read, just below.
        let pointer = unsafe { result::malloc_host(bytes, 0) };
        let pointer: *mut u8 =
            pointer.map_err(|error| fault(&format!("allocating {bytes} bytes to copy through"))(error))?.cast();
        // SAFETY: so many bytes were just allocated.
        unsafe { pointer.write_bytes(0, bytes) };
        Ok(Self { pointer, bytes, copied })
    }

    /// How many bytes there is room for.
    pub(super) const fn len(&self) -> usize {
        self.bytes
    }

    /// Whether the device is done with it.
    pub(super) fn is_free(&self) -> Result<bool, String> {
        // SAFETY: the event is live.
        match unsafe { event::query(self.copied.0) } {
            Ok(()) => Ok(true),
            Err(error) if error.0 == CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            Err(error) => Err(fault("asking whether a copy is done")(error)),
        }
    }

    /// Starts copying bytes to the device. The memory must be free and large enough.
    pub(super) fn upload(&mut self, bytes: &[u8], to: CUdeviceptr, stream: &Stream) -> Result<(), String> {
        // SAFETY: the allocation is `self.bytes` long, initialised, and the device is done with it.
        let room = unsafe { std::slice::from_raw_parts_mut(self.pointer, self.bytes) };
        let room = &mut room[..bytes.len()];
        room.copy_from_slice(bytes);
        // SAFETY: the source stays allocated until `self` is dropped, which first waits for the stream; the target has room.
        unsafe { result::memcpy_htod_async(to, room, stream.0) }.map_err(fault("copying to the device"))?;
        self.mark(stream)
    }

    /// Starts copying bytes from the device. The memory must be free and large enough.
    pub(super) fn download(&mut self, bytes: usize, from: CUdeviceptr, stream: &Stream) -> Result<(), String> {
        // SAFETY: the allocation is `self.bytes` long, initialised, and the device is done with it.
        let room = unsafe { std::slice::from_raw_parts_mut(self.pointer, self.bytes) };
        // SAFETY: as in `upload`, the other way round.
        unsafe { result::memcpy_dtoh_async(&mut room[..bytes], from, stream.0) }
            .map_err(fault("copying from the device"))?;
        self.mark(stream)
    }

    fn mark(&self, stream: &Stream) -> Result<(), String> {
        // SAFETY: event and stream are live.
        unsafe { event::record(self.copied.0, stream.0) }.map_err(fault("marking a copy"))
    }

    /// What was copied from the device. The memory must be free.
    pub(super) fn bytes(&self, count: usize) -> Vec<u8> {
        // SAFETY: the allocation is `self.bytes` long, initialised, and the device is done with it.
        let all = unsafe { std::slice::from_raw_parts(self.pointer, self.bytes) };
        all[..count].to_vec()
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: it was allocated in `new` and is freed only here.
        unsafe { result::free_host(self.pointer.cast()) }.ok();
    }
}
