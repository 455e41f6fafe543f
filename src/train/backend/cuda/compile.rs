//! The kernels, compiled by NVRTC: one source, no headers.

use std::ffi::{CString, c_char, c_int};

use cudarc::nvrtc::{result, sys};

use super::error::nvrtc as fault;
use super::library;
use crate::train::backend::gpu::Kernel;

/// A compiled source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Image {
    /// Machine code, or PTX with a zero at its end.
    pub bytes: Vec<u8>,
}

/// The prelude and all kernels.
pub(super) fn source() -> String {
    let mut source = include_str!("../gpu/kernels/prelude.cu").to_owned();
    for kernel in Kernel::ALL {
        source.push('\n');
        source.push_str(kernel.cuda());
    }
    source
}

/// Compiles all kernels to PTX for a virtual architecture such as `compute_75`, or to machine code for a real one such as
/// `sm_90`. Needs NVRTC alone, no device.
///
/// # Errors
/// One line: no NVRTC, or what it said.
pub fn compile_for(architecture: &str) -> Result<Vec<u8>, String> {
    library::load_nvrtc()?;
    Ok(compile(&source(), architecture, architecture.starts_with("sm_"))?.bytes)
}

/// Compiles for a device of this compute capability (as in 9.0 → 90): to machine code where the compiler knows the device, else
/// to the newest PTX it knows, which the driver compiles on.
pub(super) fn compile_for_device(source: &str, capability: c_int) -> Result<Image, String> {
    let known = architectures()?;
    if known.contains(&capability) {
        return compile(source, &format!("sm_{capability}"), true);
    }
    let newest = known.into_iter().filter(|&known| known < capability).max();
    let newest = newest.ok_or_else(|| {
        let (major, minor) = (capability / 10, capability % 10);
        format!("this NVRTC compiles for no device as old as compute capability {major}.{minor}; install an older one, or use --backend wgpu")
    })?;
    compile(source, &format!("compute_{newest}"), false)
}

/// The compiler's version, as a part of the cache's key.
pub(super) fn version() -> Result<String, String> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are to live integers.
    unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) }.result().map_err(fault("asking its version"))?;
    Ok(format!("{major}.{minor}"))
}

fn architectures() -> Result<Vec<c_int>, String> {
    let mut count = 0;
    // SAFETY: the pointer is to a live integer.
    unsafe { sys::nvrtcGetNumSupportedArchs(&raw mut count) }.result().map_err(fault("asking for architectures"))?;
    let mut known = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: there is room for as many as it said.
    unsafe { sys::nvrtcGetSupportedArchs(known.as_mut_ptr()) }.result().map_err(fault("asking for architectures"))?;
    Ok(known)
}

/// A program that is destroyed with its owner.
struct Program(sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: it was created by `create_program` and is destroyed only here.
        unsafe { result::destroy_program(self.0) }.ok();
    }
}

fn compile(source: &str, architecture: &str, machine_code: bool) -> Result<Image, String> {
    let text = CString::new(source).map_err(|_| "a kernel has a zero byte in its source".to_owned())?;
    let program = Program(result::create_program(&text, Some(c"halfscope.cu")).map_err(fault("taking the kernels"))?);
    let options = [
        format!("--gpu-architecture={architecture}"),
        // Every result is rounded once and keeps its subnormals, as on the processor.
        "--fmad=false".into(),
        "--ftz=false".into(),
        "--prec-div=true".into(),
        "--prec-sqrt=true".into(),
        "--std=c++14".into(),
    ];
    // SAFETY: the program is live.
    if let Err(error) = unsafe { result::compile_program(program.0, &options) } {
        // SAFETY: as above.
        let log = unsafe { result::get_program_log(program.0) }.unwrap_or_default();
        let log: Vec<u8> = log.into_iter().map(|byte: c_char| byte.to_ne_bytes()[0]).collect();
        let log = String::from_utf8_lossy(&log);
        let first = log.lines().find(|line| line.contains("error")).unwrap_or_default();
        return Err(format!("{} {}", fault("compiling the kernels")(error), first.trim()).trim_end().to_owned());
    }
    let bytes = if machine_code {
        let mut size = 0;
        // SAFETY: the program is live and compiled; the pointer is to a live integer.
        unsafe { sys::nvrtcGetCUBINSize(program.0, &raw mut size) }
            .result()
            .map_err(fault("handing the kernels over"))?;
        let mut bytes = vec![0_u8; size];
        // SAFETY: there is room for as many bytes as it said.
        unsafe { sys::nvrtcGetCUBIN(program.0, bytes.as_mut_ptr().cast()) }
            .result()
            .map_err(fault("handing the kernels over"))?;
        bytes
    } else {
        // SAFETY: the program is live and compiled.
        let ptx = unsafe { result::get_ptx(program.0) }.map_err(fault("handing the kernels over"))?;
        let mut bytes: Vec<u8> = ptx.into_iter().map(|byte: c_char| byte.to_ne_bytes()[0]).collect();
        bytes.push(0);
        bytes
    };
    Ok(Image { bytes })
}
