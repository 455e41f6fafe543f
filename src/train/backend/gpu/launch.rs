//! One kernel launch, or one product, as data.

use super::device::Buffer;
use super::kernel::Kernel;
use crate::train::config::{Accumulate, Storage};

/// Words of a kernel's arguments.
pub(in super::super) const WORDS: usize = 24;

/// Threads of a block.
pub(in super::super) const THREADS: u32 = 256;

/// One item of a device's list.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Launch {
    /// A kernel.
    Kernel(KernelLaunch),
    /// A matrix product, which a device may have a library for.
    Product(Product),
}

/// A kernel with its buffers, arguments and size.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct KernelLaunch {
    pub kernel: Kernel,
    /// In the order of the kernel's uses; `None` where the arguments say that it is not used.
    pub buffers: Vec<Option<Buffer>>,
    pub words: [u32; WORDS],
    /// Blocks of [`THREADS`] threads.
    pub blocks: u32,
}

/// A tensor as a kernel sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Operand {
    pub buffer: Buffer,
    pub storage: Storage,
}

/// `out = A·B`, (M×K)·(K×N) → M×N in FP32, row-major; operands may be stored transposed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Product {
    pub a: Operand,
    pub b: Operand,
    pub out: Buffer,
    /// M, K, N.
    pub shape: [usize; 3],
    pub transpose_a: bool,
    pub transpose_b: bool,
    pub accumulate: Accumulate,
    /// Whether FP32 operands are rounded to TF32.
    pub tf32: bool,
    /// Room for M×N FP16 values where the accumulation is FP16.
    pub scratch: Option<Buffer>,
    /// Blocks that keep the device busy.
    pub blocks: u32,
}

/// The storage's number in the kernels.
pub(in super::super) const fn storage_code(storage: Storage) -> u32 {
    match storage {
        Storage::Fp32 => 0,
        Storage::Fp16 => 1,
        Storage::Bf16 => 2,
    }
}

impl Product {
    /// The product as a kernel of our own.
    pub(in super::super) fn as_kernel(&self) -> KernelLaunch {
        let [m, k, n] = self.shape.map(|size| size as u32);
        let mut words = [0; WORDS];
        words[0] = m * n;
        words[1] = storage_code(self.a.storage) | storage_code(self.b.storage) << 4;
        words[2..8].copy_from_slice(&[m, k, n, self.transpose_a.into(), self.transpose_b.into(), self.tf32.into()]);
        let (kernel, items) = match self.accumulate {
            Accumulate::Fp32 => (Kernel::Matmul, m.div_ceil(16) * n.div_ceil(16)),
            Accumulate::Fp16 => (Kernel::MatmulFp16, (m * n).div_ceil(THREADS)),
        };
        let buffers = vec![Some(self.a.buffer), Some(self.b.buffer), Some(self.out)];
        KernelLaunch { kernel, buffers, words, blocks: items.clamp(1, self.blocks) }
    }

    /// The launch that widens an FP16 result to FP32.
    #[cfg(feature = "cuda")]
    pub(in super::super) fn widen(&self, result: Buffer) -> KernelLaunch {
        let elements = (self.shape[0] * self.shape[2]) as u32;
        let mut words = [0; WORDS];
        words[0] = elements;
        words[1] = storage_code(Storage::Fp16);
        // The third buffer is only read for random bits.
        let buffers = vec![Some(result), Some(self.out), Some(self.out)];
        KernelLaunch { kernel: Kernel::Cast, buffers, words, blocks: elements.div_ceil(THREADS).clamp(1, self.blocks) }
    }
}
