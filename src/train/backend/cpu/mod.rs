//! The processor: faer's matrix product, everything else in blocks of a fixed size.
//!
//! FP16 and BF16 are emulated: values are stored in 16 bits, widened to FP32 (exact), computed on in FP32 and rounded once.
//! That gives the bits of a device with FP32 accumulation, and it is *slower* than FP32; its timings say nothing about
//! hardware with half-precision units. The same program gives the same bits on any number of threads.

mod execute;
mod math;
mod memory;
mod ops;
mod plan;
mod primitive;
mod view;

use std::sync::Arc;

use super::{Backend, Plan, Primitive};
use crate::train::program::Program;

pub use math::{exp, ln};

/// The processor with a pool of threads of its own.
#[derive(Debug)]
pub struct Cpu {
    pool: Arc<rayon::ThreadPool>,
}

impl Cpu {
    /// A pool of this many threads (at least one).
    ///
    /// # Errors
    /// One line if the system gives no threads.
    pub fn new(threads: usize) -> Result<Self, String> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .thread_name(|index| format!("halfscope-cpu-{index}"))
            .build()
            .map_err(|error| format!("no threads for the CPU backend: {error}; try fewer with --threads"))?;
        Ok(Self { pool: Arc::new(pool) })
    }

    /// What it is in words, such as `CPU (x86-64, AVX2), 2 threads`.
    #[must_use]
    pub fn describe(threads: usize) -> String {
        let width = match pulp::Arch::new() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            pulp::Arch::V4(_) => ", AVX-512",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            pulp::Arch::V3(_) => ", AVX2",
            _ => "",
        };
        let plural = if threads == 1 { "thread" } else { "threads" };
        format!("CPU ({}{width}), {threads} {plural}", std::env::consts::ARCH)
    }
}

impl Backend for Cpu {
    fn device(&self) -> String {
        Self::describe(self.pool.current_num_threads())
    }

    fn instruction(&self, primitive: Primitive) -> &'static str {
        primitive::instruction(primitive)
    }

    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        Ok(primitive::observe(primitive, operands))
    }

    fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Ok(Box::new(plan::CpuPlan::new(program, Arc::clone(&self.pool))?))
    }
}
