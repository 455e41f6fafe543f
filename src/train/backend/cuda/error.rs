//! What the libraries say, in one line.

use cudarc::cublas::result::CublasError;
use cudarc::driver::result::DriverError;
use cudarc::driver::sys::CUresult;
use cudarc::nvrtc::result::NvrtcError;

/// Adds what was being done and what to do to a driver's error.
pub(super) fn driver(doing: &str) -> impl FnOnce(DriverError) -> String + '_ {
    move |DriverError(code)| {
        let what =
            DriverError(code).error_string().map_or_else(|_| format!("{code:?}"), |text| text.to_string_lossy().into());
        let advice = match code {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                "use a smaller batch or model, close what else uses the graphics processor, or use --backend cpu"
            }
            CUresult::CUDA_ERROR_NO_DEVICE => "use --backend wgpu or cpu",
            CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            | CUresult::CUDA_ERROR_INVALID_IMAGE
            | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => {
                "the NVRTC library is newer than the driver: update the driver, or install the NVRTC of its CUDA version"
            }
            _ => "start again, or use --backend cpu",
        };
        format!("CUDA: {doing}: {what}; {advice}")
    }
}

/// Adds what was being done to an error of cuBLAS.
pub(super) fn cublas(doing: &str) -> impl FnOnce(CublasError) -> String + '_ {
    move |CublasError(status)| format!("cuBLAS: {doing}: {status:?}; start again, or use --backend cpu")
}

/// Adds what was being done to an error of NVRTC.
pub(super) fn nvrtc(doing: &str) -> impl FnOnce(NvrtcError) -> String + '_ {
    move |NvrtcError(status)| format!("NVRTC: {doing}: {status:?}; reinstall it, or use --backend cpu")
}
