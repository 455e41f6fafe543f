//! Buffers, lists and readbacks of one plan.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::result::{self, graph, stream};
use cudarc::driver::sys::{CUdeviceptr, CUgraph, CUgraphExec, CUgraphInstantiate_flags, CUstreamCaptureMode};

use super::context::Context;
use super::error::driver as fault;
use super::memory::{DeviceMemory, Pinned, Stream};
use super::product::{self, Cublas};
use crate::train::backend::Memory;
use crate::train::backend::gpu::{Buffer, Device, KernelLaunch, Launch, MAX_BUFFERS, Product, THREADS, WORDS};

/// Blocks for each multiprocessor: enough to hide the memory's latency; kernels go round.
const BLOCKS_PER_PROCESSOR: u32 = 8;

/// A kernel's only argument, as the prelude declares it.
#[repr(C)]
struct Arguments {
    buffers: [CUdeviceptr; MAX_BUFFERS],
    words: [u32; WORDS],
}

/// A list that is ready to run.
#[derive(Debug)]
struct List {
    launches: Vec<Launch>,
    /// One call that launches it all; `None` where the driver does not capture.
    graph: Option<Graph>,
}

/// A captured list.
#[derive(Debug)]
struct Graph {
    graph: CUgraph,
    executable: CUgraphExec,
}

/// One plan's part of a device. Its fields are freed in order, after the stream is done.
pub(super) struct CudaDevice {
    lists: Vec<List>,
    readbacks: VecDeque<(Pinned, usize)>,
    /// Pinned memory that is free or will be, for reading back and for writing.
    spare: Vec<Pinned>,
    uploads: Vec<Pinned>,
    buffers: Vec<DeviceMemory>,
    used: u64,
    /// Opened with the first product.
    cublas: Option<Cublas>,
    stream: Stream,
    context: Arc<Context>,
}

// SAFETY: streams, graphs, handles and memory may be used from any thread, one at a time; every call makes the context current.
unsafe impl Send for CudaDevice {}

impl CudaDevice {
    pub(super) fn new(context: Arc<Context>) -> Result<Self, String> {
        context.make_current()?;
        let stream = Stream::new()?;
        Ok(Self {
            lists: Vec::new(),
            readbacks: VecDeque::new(),
            spare: Vec::new(),
            uploads: Vec::new(),
            buffers: Vec::new(),
            used: 0,
            cublas: None,
            stream,
            context,
        })
    }

    /// Runs `call` with the context current; a failure is remembered.
    fn with_context<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        let result = self.context.make_current().and_then(|()| call(self));
        if result.is_err() {
            self.context.note_failure();
        }
        result
    }

    fn pointer(&self, buffer: Buffer) -> CUdeviceptr {
        self.buffers[buffer.0].pointer
    }

    fn launch(&self, launch: &KernelLaunch) -> Result<(), String> {
        let mut arguments = Arguments { buffers: [0; MAX_BUFFERS], words: launch.words };
        for (pointer, buffer) in arguments.buffers.iter_mut().zip(&launch.buffers) {
            *pointer = buffer.map_or(0, |buffer| self.pointer(buffer));
        }
        let function = self.context.function(launch.kernel)?;
        let mut parameters = [(&raw mut arguments).cast::<c_void>()];
        let (blocks, threads) = ((launch.blocks, 1, 1), (THREADS, 1, 1));
        // SAFETY: the kernel takes one `Args`, laid out like `Arguments`, which is copied before the call returns; its buffers are
        // live and as large as the words say.
        unsafe { result::launch_kernel(function, blocks, threads, 0, self.stream.0, &mut parameters) }
            .map_err(|error| fault(&format!("launching {}", launch.kernel.name()))(error))
    }

    fn multiply(&self, product: &Product) -> Result<(), String> {
        if !product::has(product) {
            return self.launch(&product.as_kernel());
        }
        let (a, b) = (self.pointer(product.a.buffer), self.pointer(product.b.buffer));
        let Some(cublas) = &self.cublas else { return Err("cuBLAS was not opened".into()) };
        let Some(scratch) = product.scratch else {
            return cublas.start(product, a, b, self.pointer(product.out));
        };
        cublas.start(product, a, b, self.pointer(scratch))?;
        self.launch(&product.widen(scratch))
    }

    fn start(&self, launches: &[Launch]) -> Result<(), String> {
        launches.iter().try_for_each(|launch| match launch {
            Launch::Kernel(launch) => self.launch(launch),
            Launch::Product(product) => self.multiply(product),
        })
    }

    /// Captures a list into a graph; `None` where the driver will not.
    fn capture(&self, launches: &[Launch]) -> Option<Graph> {
        // SAFETY: the stream is live and not capturing.
        unsafe { stream::begin_capture(self.stream.0, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) }
            .ok()?;
        let started = self.start(launches);
        // SAFETY: the capture was begun just above and must be ended whatever happened.
        let graph = unsafe { stream::end_capture(self.stream.0) }.ok()?;
        let executable = started.ok().and_then(|()| {
            // SAFETY: the graph was just captured.
            unsafe { graph::instantiate(graph, CUgraphInstantiate_flags(0)) }.ok()
        });
        if executable.is_none() {
            // SAFETY: the graph was just captured and is given up.
            unsafe { graph::destroy(graph) }.ok();
        }
        executable.map(|executable| Graph { graph, executable })
    }

    /// Pinned memory of at least this size that the device is done with.
    fn pinned(spare: &mut Vec<Pinned>, bytes: usize) -> Result<Pinned, String> {
        for at in 0..spare.len() {
            if spare[at].len() >= bytes && spare[at].is_free()? {
                return Ok(spare.swap_remove(at));
            }
        }
        Pinned::new(bytes)
    }
}

impl Device for CudaDevice {
    fn allocate(&mut self, bytes: u64) -> Result<Buffer, String> {
        self.with_context(|device| {
            let memory = DeviceMemory::new(usize::try_from(bytes).unwrap_or(usize::MAX))?;
            // SAFETY: so many bytes were just allocated.
            unsafe { result::memset_d8_async(memory.pointer, 0, memory.bytes, device.stream.0) }
                .map_err(fault("clearing memory"))?;
            device.buffers.push(memory);
            device.used += bytes;
            Ok(Buffer(device.buffers.len() - 1))
        })
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<(), String> {
        self.with_context(|device| {
            let mut pinned = Self::pinned(&mut device.uploads, bytes.len())?;
            let to = device.pointer(buffer) + offset;
            pinned.upload(bytes, to, &device.stream)?;
            device.uploads.push(pinned);
            Ok(())
        })
    }

    fn read(&mut self, buffer: Buffer, bytes: u64) -> Result<Vec<u8>, String> {
        self.with_context(|device| {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            let mut pinned = Self::pinned(&mut device.spare, bytes)?;
            let from = device.pointer(buffer);
            let copied = pinned.download(bytes, from, &device.stream).and_then(|()| device.stream.wait());
            let result = copied.map(|()| pinned.bytes(bytes));
            device.spare.push(pinned);
            result
        })
    }

    fn prepare(&mut self, launches: &[Launch]) -> Result<usize, String> {
        self.with_context(|device| {
            if device.cublas.is_none() && launches.iter().any(|launch| matches!(launch, Launch::Product(_))) {
                device.cublas = Some(Cublas::new(&device.stream)?);
            }
            // Once as it is: libraries load their own kernels at first use, which a capture does not allow.
            device.start(launches)?;
            device.stream.wait()?;
            let graph = device.capture(launches);
            device.lists.push(List { launches: launches.to_vec(), graph });
            Ok(device.lists.len() - 1)
        })
    }

    fn run(&mut self, list: usize) -> Result<(), String> {
        self.with_context(|device| match &device.lists[list] {
            List { graph: Some(Graph { executable, .. }), .. } => {
                // SAFETY: graph and stream are live.
                unsafe { graph::launch(*executable, device.stream.0) }.map_err(fault("starting a step"))
            }
            List { launches, graph: None } => device.start(launches),
        })
    }

    /// By the clock around a wait: the call that asks two events for the time between them is another one in CUDA 12 and 13.
    fn run_timed(&mut self, list: usize) -> Result<Vec<f64>, String> {
        self.with_context(|device| {
            device.stream.wait()?;
            let launches = device.lists[list].launches.iter();
            let timed = launches.map(|launch| {
                let begun = Instant::now();
                device.start(std::slice::from_ref(launch))?;
                device.stream.wait()?;
                Ok(begun.elapsed().as_secs_f64())
            });
            timed.collect()
        })
    }

    fn fetch(&mut self, buffer: Buffer, bytes: u64) -> Result<(), String> {
        self.with_context(|device| {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            let mut pinned = Self::pinned(&mut device.spare, bytes)?;
            let from = device.pointer(buffer);
            pinned.download(bytes, from, &device.stream)?;
            device.readbacks.push_back((pinned, bytes));
            Ok(())
        })
    }

    fn fetched(&mut self) -> Result<Option<Vec<u8>>, String> {
        self.with_context(|device| {
            let Some((pinned, _)) = device.readbacks.front() else { return Ok(None) };
            if !pinned.is_free()? {
                return Ok(None);
            }
            Ok(device.readbacks.pop_front().map(|(pinned, bytes)| {
                let result = pinned.bytes(bytes);
                device.spare.push(pinned);
                result
            }))
        })
    }

    fn blocks(&self) -> u32 {
        self.context.processors * BLOCKS_PER_PROCESSOR
    }

    fn memory(&self) -> Memory {
        let free = self.context.make_current().ok().and_then(|()| result::mem_get_info().ok());
        Memory { used: self.used, free: free.map(|(free, _)| free as u64) }
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        self.context.make_current().ok();
        self.stream.wait().ok();
        for list in self.lists.drain(..) {
            if let Some(Graph { graph, executable }) = list.graph {
                // SAFETY: both were made in `capture` and are destroyed only here; the stream is done with them.
                unsafe {
                    graph::exec_destroy(executable).ok();
                    graph::destroy(graph).ok();
                }
            }
        }
    }
}
