//! A device with its queue, and the pipelines that were compiled on it: shared by all lanes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pollster::block_on;

use super::AdapterName;
use super::shader::{Sharing, Variant, source};
use crate::train::backend::gpu::{Kernel, MAX_BUFFERS, Use};

/// A kernel that was compiled for one way of sharing buffers.
#[derive(Debug, Clone)]
pub(super) struct Pipeline {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
}

/// An open device.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) name: AdapterName,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) limits: wgpu::Limits,
    pipelines: Mutex<BTreeMap<(Kernel, Sharing, Variant), Pipeline>>,
    /// The first thing that went wrong, in one line. Drivers say so from other threads and at other times.
    fault: Arc<Mutex<Option<String>>>,
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    wgpu::Instance::new(descriptor)
}

/// All adapters that can compute, discrete graphics processors first, software last.
pub(super) fn adapters() -> Vec<wgpu::Adapter> {
    let mut adapters = block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

/// An adapter's name, with the interface it is reached by.
pub(super) fn name_of(info: &wgpu::AdapterInfo) -> AdapterName {
    let software = info.device_type == wgpu::DeviceType::Cpu;
    let kind = if software { "software, " } else { "" };
    AdapterName { name: format!("{} ({kind}{:?})", info.name, info.backend), software }
}

/// The fastest adapter, or the first whose name contains a text.
pub(super) fn find(choice: Option<&str>) -> Result<wgpu::Adapter, String> {
    let adapters = adapters();
    let names: Vec<String> = adapters.iter().map(|adapter| name_of(&adapter.get_info()).name).collect();
    if adapters.is_empty() {
        return Err("no graphics processor with Vulkan, Metal or Direct3D 12; install its driver \
            (mesa-vulkan-drivers has a software one), or use --backend cpu"
            .into());
    }
    let Some(choice) = choice else {
        return adapters.into_iter().next().ok_or_else(String::new);
    };
    let wanted = choice.to_lowercase();
    let found = names.iter().position(|name| name.to_lowercase().contains(&wanted));
    found
        .and_then(|at| adapters.into_iter().nth(at))
        .ok_or_else(|| format!("no graphics processor is called `{choice}`; there is {}", names.join(", ")))
}

impl Context {
    /// Opens the fastest adapter, or the first whose name contains a text, with all that it can do.
    pub(super) fn open(choice: Option<&str>) -> Result<Self, String> {
        let adapter = find(choice)?;
        let name = name_of(&adapter.get_info());
        let limits = adapter.limits();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("halfscope"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits: limits.clone(),
            ..wgpu::DeviceDescriptor::default()
        };
        let opened = block_on(adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|why| format!("{} cannot be opened: {}", name.name, one_line(&why)))?;
        let fault = Arc::new(Mutex::new(None));
        let (lost, wrong) = (Arc::clone(&fault), Arc::clone(&fault));
        let what = name.name.clone();
        device.set_device_lost_callback(move |_, why| {
            note(&lost, format!("{what} was lost ({}); start again, or use --backend cpu", one_line(&why)));
        });
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            note(&wrong, format!("the graphics driver refused: {}", one_line(&error)));
        }));
        Ok(Self { name, device, queue, limits, pipelines: Mutex::default(), fault })
    }

    /// Whether all is well; else the first thing that went wrong.
    pub(super) fn fault(&self) -> Result<(), String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone().map_or(Ok(()), Err)
    }

    /// Waits until all that was submitted is done.
    pub(super) fn wait(&self) -> Result<(), String> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.fault()?;
        waited.map(|_| ()).map_err(|why| format!("{}: {}", self.name.name, one_line(&why)))
    }

    /// Ends the device.
    pub(super) fn lose(&self) {
        self.device.destroy();
        note(&self.fault, format!("{} was lost; start again, or use --backend cpu", self.name.name));
    }

    /// A kernel compiled for this way of sharing buffers.
    pub(super) fn pipeline(&self, kernel: Kernel, sharing: &Sharing, variant: Variant) -> Result<Pipeline, String> {
        let mut pipelines = self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = pipelines.get(&(kernel, sharing.clone(), variant)) {
            return Ok(pipeline.clone());
        }
        let pipeline = self.compile(kernel, sharing, variant)?;
        pipelines.insert((kernel, sharing.clone(), variant), pipeline.clone());
        Ok(pipeline)
    }

    fn compile(&self, kernel: Kernel, sharing: &Sharing, variant: Variant) -> Result<Pipeline, String> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let label = Some(kernel.name());
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(source(kernel, sharing, variant).into()),
        });
        let entry = |binding: usize, ty| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let storage = |usage| wgpu::BufferBindingType::Storage { read_only: usage == Use::Read };
        let bindings = sharing.bindings(kernel);
        let mut entries: Vec<_> = bindings.iter().map(|&(at, usage)| entry(at, storage(usage))).collect();
        entries.push(entry(MAX_BUFFERS, wgpu::BufferBindingType::Uniform));
        let layout =
            self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            // Kernels clear what they need cleared.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        match block_on(scope.pop()) {
            Some(error) => Err(format!("the kernel {} does not compile here: {}", kernel.name(), one_line(&error))),
            None => self.fault().map(|()| Pipeline { pipeline, layout }),
        }
    }
}

/// Keeps the first fault.
fn note(fault: &Mutex<Option<String>>, what: String) {
    fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
}

/// A driver's words on one line.
pub(super) fn one_line(error: &impl std::fmt::Display) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
