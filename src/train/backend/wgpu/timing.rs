//! How long the dispatches of a list take.

use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::Instant;

use super::context::{Context, one_line};
use super::device::Dispatch;

/// Most timestamps that WebGPU keeps in one set.
const MOST: usize = wgpu::QUERY_SET_MAX_QUERIES as usize;

/// Runs a list with a pass and two timestamps a dispatch. Returns seconds, or `None` and has run nothing where the device keeps
/// no time or the list is too long.
pub(super) fn by_timestamps(context: &Context, list: &[Dispatch]) -> Option<Result<Vec<f64>, String>> {
    let stamps = 2 * list.len();
    let by_clock = super::BY_CLOCK.load(Ordering::Relaxed);
    let keeps_time = !by_clock && context.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    (keeps_time && (1..=MOST).contains(&stamps)).then(|| timestamps(context, list, stamps))
}

fn timestamps(context: &Context, list: &[Dispatch], stamps: usize) -> Result<Vec<f64>, String> {
    let device = &context.device;
    let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
        label: None,
        ty: wgpu::QueryType::Timestamp,
        count: stamps as u32,
    });
    let bytes = 8 * stamps as u64;
    let buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false })
    };
    let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let staging = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    for (dispatch, first) in list.iter().zip((0..).step_by(2)) {
        let writes = wgpu::ComputePassTimestampWrites {
            query_set: &queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        };
        let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(writes) };
        dispatch.record(&mut encoder.begin_compute_pass(&descriptor));
    }
    encoder.resolve_query_set(&queries, 0..stamps as u32, &resolved, 0);
    encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, bytes);
    context.queue.submit([encoder.finish()]);
    let (sender, mapped) = channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        sender.send(result).ok();
    });
    context.wait()?;
    let answer = mapped.recv().map_err(|why| one_line(&why))?;
    answer.map_err(|why| format!("{}: {}", context.name.name, one_line(&why)))?;
    let view = staging.get_mapped_range(..).map_err(|why| one_line(&why))?;
    let ticks: Vec<u64> = view.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let period = 1e-9 * f64::from(context.queue.get_timestamp_period());
    let seconds = |pair: &[u64; 2]| pair[1].saturating_sub(pair[0]) as f64 * period;
    Ok(ticks.as_chunks().0.iter().map(seconds).collect())
}

/// Submits a list dispatch by dispatch and waits for each. Returns seconds.
pub(super) fn by_clock(context: &Context, list: &[Dispatch]) -> Result<Vec<f64>, String> {
    let timed = list.iter().map(|dispatch| {
        let begun = Instant::now();
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        dispatch.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        context.queue.submit([encoder.finish()]);
        context.wait()?;
        Ok(begun.elapsed().as_secs_f64())
    });
    timed.collect()
}
