//! Matrix products by cuBLAS.
//!
//! cuBLAS counts by columns: a row-major matrix is its transpose there. So `out = A·B` is asked for as `outᵀ = Bᵀ·Aᵀ`, with
//! both operands exchanged and nothing moved.

use std::ffi::c_void;

use cudarc::cublas::result;
use cudarc::cublas::sys::{
    cublasComputeType_t, cublasGemmAlgo_t, cublasHandle_t, cublasMath_t, cublasOperation_t, cublasSetMathMode,
    cublasSetWorkspace_v2, cudaDataType_t,
};

use super::error::cublas as fault;
use super::memory::{DeviceMemory, Stream};
use crate::train::backend::gpu::Product;
use crate::train::config::{Accumulate, Storage};

/// What NVIDIA recommends for its newest devices; of our own, so that nothing is allocated while a step is captured.
const WORKSPACE: usize = 32 << 20;

/// A handle on a stream.
#[derive(Debug)]
pub(super) struct Cublas {
    handle: cublasHandle_t,
    workspace: DeviceMemory,
}

/// What is multiplied, in the library's terms.
struct Types {
    operands: cudaDataType_t,
    out: cudaDataType_t,
    compute: cublasComputeType_t,
}

/// How the library does a product; `None` for those that it has not: mixed operands, sums in FP16 of other formats.
fn types(product: &Product) -> Option<Types> {
    if product.a.storage != product.b.storage {
        return None;
    }
    let operands = match product.a.storage {
        Storage::Fp32 => cudaDataType_t::CUDA_R_32F,
        Storage::Fp16 => cudaDataType_t::CUDA_R_16F,
        Storage::Bf16 => cudaDataType_t::CUDA_R_16BF,
    };
    match (product.accumulate, product.a.storage) {
        // FP16 operands run on Tensor Cores and are summed in FP32; FP32 operands are cut to TF32 only where it is asked for.
        (Accumulate::Fp32, storage) => {
            let compute = if product.tf32 && storage == Storage::Fp32 {
                cublasComputeType_t::CUBLAS_COMPUTE_32F_FAST_TF32
            } else {
                cublasComputeType_t::CUBLAS_COMPUTE_32F
            };
            Some(Types { operands, out: cudaDataType_t::CUDA_R_32F, compute })
        }
        (Accumulate::Fp16, Storage::Fp16) => {
            Some(Types { operands, out: cudaDataType_t::CUDA_R_16F, compute: cublasComputeType_t::CUBLAS_COMPUTE_16F })
        }
        (Accumulate::Fp16, _) => None,
    }
}

/// Whether the library does this product.
pub(super) fn has(product: &Product) -> bool {
    types(product).is_some()
}

impl Cublas {
    pub(super) fn new(stream: &Stream) -> Result<Self, String> {
        let workspace = DeviceMemory::new(WORKSPACE)?;
        let handle = result::create_handle().map_err(fault("starting"))?;
        let opened = Self { handle, workspace };
        // SAFETY: handle, stream and workspace are live and stay so as long as `self`.
        unsafe {
            result::set_stream(handle, stream.0.cast()).map_err(fault("taking the stream"))?;
            cublasSetWorkspace_v2(handle, opened.workspace.pointer as *mut c_void, WORKSPACE)
                .result()
                .map_err(fault("taking its workspace"))?;
            // Partial sums of a product that is split over blocks are added in FP32, not in the operands' format.
            cublasSetMathMode(handle, cublasMath_t::CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)
                .result()
                .map_err(fault("forbidding reduced precision"))?;
        }
        Ok(opened)
    }

    /// Starts `out = A·B`; `out` is FP16 where the sums are.
    pub(super) fn start(&self, product: &Product, a: u64, b: u64, out: u64) -> Result<(), String> {
        let Some(types) = types(product) else { return Err("cuBLAS has no such product".into()) };
        let [m, k, n] = product.shape.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let (leading_a, leading_b) = (if product.transpose_a { m } else { k }, if product.transpose_b { k } else { n });
        let operation = |transposed| {
            if transposed { cublasOperation_t::CUBLAS_OP_T } else { cublasOperation_t::CUBLAS_OP_N }
        };
        let (one, zero) = ([1.0_f32], [0.0_f32]);
        let (half_one, half_zero) = ([0x3c00_u16], [0_u16]);
        let (alpha, beta): (*const c_void, *const c_void) = match product.accumulate {
            Accumulate::Fp32 => (one.as_ptr().cast(), zero.as_ptr().cast()),
            Accumulate::Fp16 => (half_one.as_ptr().cast(), half_zero.as_ptr().cast()),
        };
        // SAFETY: the buffers hold as many values as the shapes say, in the formats that are named; the factors live until the
        // call returns, and in the host's pointer mode they are read before it does.
        unsafe {
            result::gemm_ex(
                self.handle,
                operation(product.transpose_b),
                operation(product.transpose_a),
                n,
                m,
                k,
                alpha,
                b as *const c_void,
                types.operands,
                leading_b,
                a as *const c_void,
                types.operands,
                leading_a,
                beta,
                out as *mut c_void,
                types.out,
                n,
                types.compute,
                cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
            )
        }
        .map_err(|error| fault(&format!("multiplying {m}×{k} by {k}×{n}"))(error))
    }
}

impl Drop for Cublas {
    fn drop(&mut self) {
        // SAFETY: it was created in `new` and is destroyed only here.
        unsafe { result::destroy_handle(self.handle) }.ok();
    }
}
