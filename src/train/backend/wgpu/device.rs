//! Buffers, lists and readbacks of one plan.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use pollster::block_on;

use super::context::{Context, one_line};
use super::shader::{Sharing, Variant};
use super::timing;
use crate::train::backend::Memory;
use crate::train::backend::gpu::{Buffer, Device, KernelLaunch, Launch, MAX_BUFFERS};

/// Workgroups of 256 that keep any device busy; kernels go round.
const BLOCKS: u32 = 1024;

/// How long a device that says it is done may take to hand over what it did.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A dispatch that is ready to be recorded.
#[derive(Debug)]
pub(super) struct Dispatch {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    blocks: u32,
}

impl Dispatch {
    pub(super) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.blocks, 1, 1);
    }
}

/// Bytes that are being copied out.
#[derive(Debug)]
struct Readback {
    staging: wgpu::Buffer,
    bytes: u64,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// One plan's part of a device.
#[derive(Debug)]
pub(super) struct WgpuDevice {
    context: Arc<Context>,
    buffers: Vec<wgpu::Buffer>,
    used: u64,
    lists: Vec<Vec<Dispatch>>,
    /// Commands that were recorded and not submitted yet.
    encoder: Option<wgpu::CommandEncoder>,
    readbacks: VecDeque<Readback>,
    /// Staging buffers that are free again.
    spare: Vec<wgpu::Buffer>,
}

impl WgpuDevice {
    pub(super) fn new(context: Arc<Context>) -> Self {
        Self {
            context,
            buffers: Vec::new(),
            used: 0,
            lists: Vec::new(),
            encoder: None,
            readbacks: VecDeque::new(),
            spare: Vec::new(),
        }
    }

    fn create(&self, bytes: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, String> {
        let context = &self.context;
        let scope = context.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let descriptor = wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false };
        let buffer = context.device.create_buffer(&descriptor);
        match block_on(scope.pop()) {
            Some(_) => Err(format!(
                "{} has no {bytes} bytes left beside the {} of this lane; use a smaller batch or model, or --backend cpu",
                context.name.name, self.used
            )),
            None => context.fault().map(|()| buffer),
        }
    }

    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        let device = &self.context.device;
        self.encoder.get_or_insert_with(|| device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()))
    }

    fn submit(&mut self) {
        if let Some(encoder) = self.encoder.take() {
            self.context.queue.submit([encoder.finish()]);
        }
    }

    /// Writes the arguments of all launches into one uniform buffer. Returns it and the distance between two.
    fn arguments(&self, launches: &[KernelLaunch]) -> Result<(wgpu::Buffer, u64), String> {
        let alignment = u64::from(self.context.limits.min_uniform_buffer_offset_alignment);
        let pitch = 96_u64.next_multiple_of(alignment.max(1));
        let mut bytes = vec![0; pitch as usize * launches.len().max(1)];
        for (room, launch) in bytes.chunks_mut(pitch as usize).zip(launches) {
            for (room, word) in room.chunks_mut(4).zip(launch.words) {
                room.copy_from_slice(&word.to_le_bytes());
            }
        }
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = self.create(bytes.len() as u64, usage)?;
        self.context.queue.write_buffer(&buffer, 0, &bytes);
        Ok((buffer, pitch))
    }

    fn dispatch(&self, launch: &KernelLaunch, arguments: wgpu::BufferBinding<'_>) -> Result<Dispatch, String> {
        let sharing = Sharing::of(launch);
        let variant = Variant::of(launch, self.context.name.software);
        let pipeline = self.context.pipeline(launch.kernel, &sharing, variant)?;
        let mut entries = Vec::new();
        for (at, _) in sharing.bindings(launch.kernel) {
            if let Some(Buffer(number)) = launch.buffers[at] {
                let resource = self.buffers[number].as_entire_binding();
                entries.push(wgpu::BindGroupEntry { binding: at as u32, resource });
            }
        }
        let resource = wgpu::BindingResource::Buffer(arguments);
        entries.push(wgpu::BindGroupEntry { binding: MAX_BUFFERS as u32, resource });
        let bind_group = self.context.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(launch.kernel.name()),
            layout: &pipeline.layout,
            entries: &entries,
        });
        Ok(Dispatch { pipeline: pipeline.pipeline, bind_group, blocks: launch.blocks })
    }

    /// Takes the bytes out of a readback that is mapped.
    fn take(&mut self, readback: Readback) -> Result<Vec<u8>, String> {
        let view = readback.staging.get_mapped_range(..readback.bytes);
        let bytes = view.map(|view| view.to_vec()).map_err(|why| one_line(&why))?;
        readback.staging.unmap();
        self.spare.push(readback.staging);
        Ok(bytes)
    }

    /// What the driver said about a readback: the bytes, or nothing yet.
    fn answer(&mut self, at: usize) -> Result<Option<Vec<u8>>, String> {
        let Some(readback) = self.readbacks.get(at) else { return Ok(None) };
        match readback.mapped.try_recv() {
            Ok(Ok(())) => {
                let readback = self.readbacks.remove(at);
                readback.map(|readback| self.take(readback)).transpose()
            }
            Err(TryRecvError::Empty) => Ok(None),
            Ok(Err(_)) | Err(TryRecvError::Disconnected) => {
                self.context.fault()?;
                Err(format!("{} did not hand its results over; start again", self.context.name.name))
            }
        }
    }
}

impl Device for WgpuDevice {
    fn allocate(&mut self, bytes: u64) -> Result<Buffer, String> {
        let limits = &self.context.limits;
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if bytes > most {
            let name = &self.context.name.name;
            return Err(format!(
                "{name} takes tensors of {most} bytes at most, not {bytes}; use a smaller batch or model"
            ));
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        self.buffers.push(self.create(bytes, usage)?);
        self.used += bytes;
        Ok(Buffer(self.buffers.len() - 1))
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<(), String> {
        self.submit();
        self.context.queue.write_buffer(&self.buffers[buffer.0], offset, bytes);
        self.context.fault()
    }

    fn read(&mut self, buffer: Buffer, bytes: u64) -> Result<Vec<u8>, String> {
        self.fetch(buffer, bytes)?;
        self.context.wait()?;
        let last = self.readbacks.len() - 1;
        // Another lane's thread may be the one that is just telling us.
        let begun = Instant::now();
        while begun.elapsed() < ANSWER_WITHIN {
            if let Some(bytes) = self.answer(last)? {
                return Ok(bytes);
            }
            std::thread::yield_now();
        }
        Err(format!("{} does not answer; start again", self.context.name.name))
    }

    fn prepare(&mut self, launches: &[Launch]) -> Result<usize, String> {
        let as_kernel = |launch: &Launch| match launch {
            Launch::Kernel(launch) => launch.clone(),
            Launch::Product(product) => product.as_kernel(),
        };
        let launches: Vec<KernelLaunch> = launches.iter().map(as_kernel).collect();
        let (arguments, pitch) = self.arguments(&launches)?;
        let mut list = Vec::new();
        for (index, launch) in launches.iter().enumerate() {
            let (offset, size) = (pitch * index as u64, wgpu::BufferSize::new(96));
            list.push(self.dispatch(launch, wgpu::BufferBinding { buffer: &arguments, offset, size })?);
        }
        self.context.fault()?;
        self.lists.push(list);
        Ok(self.lists.len() - 1)
    }

    fn run(&mut self, list: usize) -> Result<(), String> {
        self.context.fault()?;
        self.encoder();
        if let Some(encoder) = &mut self.encoder {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            self.lists[list].iter().for_each(|dispatch| dispatch.record(&mut pass));
        }
        Ok(())
    }

    fn run_timed(&mut self, list: usize) -> Result<Vec<f64>, String> {
        self.submit();
        self.context.wait()?;
        let list = &self.lists[list];
        timing::by_timestamps(&self.context, list).unwrap_or_else(|| timing::by_clock(&self.context, list))
    }

    fn fetch(&mut self, buffer: Buffer, bytes: u64) -> Result<(), String> {
        self.context.fault()?;
        let staging = match self.spare.iter().position(|spare| spare.size() >= bytes) {
            Some(at) => self.spare.swap_remove(at),
            None => self.create(bytes, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)?,
        };
        let from = self.buffers[buffer.0].clone();
        self.encoder().copy_buffer_to_buffer(&from, 0, &staging, 0, bytes);
        self.submit();
        let (sender, mapped) = channel();
        staging.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
            sender.send(result).ok();
        });
        self.readbacks.push_back(Readback { staging, bytes, mapped });
        self.context.fault()
    }

    fn fetched(&mut self) -> Result<Option<Vec<u8>>, String> {
        let polled = self.context.device.poll(wgpu::PollType::Poll);
        self.context.fault()?;
        polled.map_err(|why| format!("{}: {}", self.context.name.name, one_line(&why)))?;
        self.answer(0)
    }

    fn blocks(&self) -> u32 {
        BLOCKS
    }

    fn memory(&self) -> Memory {
        Memory { used: self.used, free: None }
    }
}
