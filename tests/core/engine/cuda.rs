//! CUDA without a device: what each kind of fault comes to, and kernels that the real compiler takes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use halfscope::train::Recording;
use halfscope::train::backend::cuda::compile_for;
use halfscope::train::recording::RUN_FILE;
use halfscope::train::report::Outcome;

use crate::cuda_emulator;
use crate::support::{TemporaryFolder, require, skipped};

/// The emulator's libraries, or `None` where there is no g++ and none is required.
fn emulator() -> Option<PathBuf> {
    match cuda_emulator::build() {
        Ok(folder) => Some(folder),
        Err(reason) => {
            assert!(!require("cuda-emulator"), "{reason}");
            skipped("cuda-emulator", &reason);
            None
        }
    }
}

/// Trains three steps of one lane on CUDA, with these libraries and this environment.
fn train(libraries: &Path, out: &Path, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfscope"));
    command.args([
        "train",
        "--backend",
        "cuda",
        "--steps",
        "3",
        "--lanes",
        "paper@2^10",
        "--data",
        "embedded",
        "--out",
    ]);
    command.arg(out).env("LD_LIBRARY_PATH", libraries).env("HALFSCOPE_CACHE", out.join("cache"));
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX").envs(environment.iter().copied());
    command.output().unwrap()
}

/// The same kernel, compiled by g++: what is observed through the whole host path is the processor's own arithmetic.
#[test]
fn the_emulated_device_is_observed_to_be_right() {
    let Some(folder) = emulator() else { return };
    let out = TemporaryFolder::new("out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfscope"));
    command.args(["hardware", "--backend", "cuda", "--json"]);
    command.env("LD_LIBRARY_PATH", &folder).env("HALFSCOPE_CACHE", out.join("cache"));
    let output = command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8);
    for line in lines {
        assert!(line["device"].as_str().unwrap().contains("emulator"), "{line}");
        assert!(line["wrong"] == 0 && line["flushed"] == 0 && line["inputs"] == line["planned"], "{line}");
        let converts = line["operation"].as_str().unwrap().contains("-to-");
        assert_eq!(line["by"] == "integers", converts, "{line}");
    }
}

/// The one line that a run ended with. It must not have panicked, and what was recorded must be readable.
fn one_line(output: &Output, out: &Path) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(lines.len(), 1, "{stderr}");
    let recorded = out.join(RUN_FILE);
    if recorded.exists() {
        let recording = Recording::read(&recorded).unwrap();
        assert!(matches!(recording.outcome, Some(Outcome::Failed(_))), "{stderr}");
    }
    lines[0].to_owned()
}

/// A folder with some of the emulator's libraries.
fn only(folder: &Path, wanted: &[&str]) -> TemporaryFolder {
    let some = TemporaryFolder::new("libraries");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if wanted.iter().any(|wanted| name.starts_with(wanted)) {
            symlink(fs::canonicalize(&path).unwrap(), some.join(name)).unwrap();
        }
    }
    some
}

#[test]
fn a_missing_library_is_one_line_that_says_how_to_get_it() {
    let Some(folder) = emulator() else { return };
    for (libraries, wanted) in [
        (&["libcublas"][..], "install NVIDIA's driver"),
        (&["libcuda", "libcublas"], "pip install nvidia-cuda-nvrtc"),
        (&["libcuda", "libnvrtc"], "pip install nvidia-cublas"),
    ] {
        let (some, out) = (only(&folder, libraries), TemporaryFolder::new("out"));
        let line = one_line(&train(&some, &out, &[]), &out);
        assert!(line.contains(wanted), "{libraries:?}: {line}");
    }
}

#[test]
fn what_the_driver_cannot_do_is_one_line() {
    let Some(folder) = emulator() else { return };
    for (variable, value, wanted) in [
        ("HALFSCOPE_EMULATOR_DRIVER_VERSION", "11040", "the NVIDIA driver supports CUDA 11.4, but 12.0 is needed"),
        ("HALFSCOPE_EMULATOR_DEVICES", "0", "device"),
        ("HALFSCOPE_EMULATOR_FAIL_COMPILE", "1", "NVRTC: compiling the kernels"),
    ] {
        let out = TemporaryFolder::new("out");
        let line = one_line(&train(&folder, &out, &[(variable, value)]), &out);
        assert!(line.contains(wanted), "{variable}: {line}");
    }
}

/// Takes the number behind a word of the emulator's counts.
fn count(text: &str, word: &str) -> u64 {
    let mut words = text.split_whitespace();
    words.find(|&found| found == word).and_then(|_| words.next()).unwrap().parse().unwrap()
}

#[test]
fn no_memory_at_any_allocation_and_a_kernel_error_at_any_time_are_one_line() {
    let Some(folder) = emulator() else { return };
    let out = TemporaryFolder::new("out");
    let counts = out.join("counts");
    let whole = train(&folder, &out, &[("HALFSCOPE_EMULATOR_COUNT", counts.to_str().unwrap())]);
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    let text = fs::read_to_string(&counts).unwrap();
    let (allocations, launches) = (count(&text, "allocations"), count(&text, "launches"));
    assert!(allocations > 20 && launches > 50, "{text}");
    for number in 1..=allocations {
        let out = TemporaryFolder::new("out");
        let line = one_line(&train(&folder, &out, &[("HALFSCOPE_EMULATOR_FAIL_ALLOC", &number.to_string())]), &out);
        assert!(line.contains("allocating") && line.contains("use a smaller batch"), "{number}: {line}");
    }
    for number in [1, 2, launches / 3, launches / 2, launches - 40, launches] {
        let out = TemporaryFolder::new("out");
        let line = one_line(&train(&folder, &out, &[("HALFSCOPE_EMULATOR_FAIL_LAUNCH", &number.to_string())]), &out);
        assert!(line.contains("CUDA: ") && line.contains("--backend cpu"), "{number}: {line}");
    }
}

/// A kept file of kernels that is damaged is made again.
#[test]
fn kernels_are_kept_and_a_damaged_file_is_replaced() {
    let Some(folder) = emulator() else { return };
    let out = TemporaryFolder::new("out");
    let kept =
        || -> Vec<PathBuf> { fs::read_dir(out.join("cache")).unwrap().map(|entry| entry.unwrap().path()).collect() };
    assert!(train(&folder, &out, &[]).status.success());
    let files = kept();
    assert_eq!(files.len(), 1, "{files:?}");
    // Without a compiler the kept kernels still do.
    assert!(train(&folder, &out, &[("HALFSCOPE_EMULATOR_FAIL_COMPILE", "1")]).status.success());
    fs::write(&files[0], "not kernels").unwrap();
    assert!(train(&folder, &out, &[]).status.success());
    assert!(fs::metadata(&files[0]).unwrap().len() > 1000);
}

/// NVRTC needs no device: the real compiler takes the same sources, without any header.
#[test]
fn the_real_compiler_takes_the_kernels() {
    for architecture in ["compute_75", "sm_80", "sm_90", "sm_120"] {
        match compile_for(architecture) {
            Ok(image) => {
                let text = String::from_utf8_lossy(&image);
                let is_ptx = text.contains(".entry softmax_cross_entropy");
                assert!(is_ptx || image.starts_with(b"\x7fELF"), "{architecture}");
                if is_ptx {
                    // The conversion is the device's own, and nothing is flushed, nor fused but where that is observed.
                    assert!(text.contains("cvt.rn.f16.f32") && !text.contains(".ftz"));
                    let mut kernels = text.split(".entry ").skip(1);
                    assert!(kernels.all(|kernel| kernel.contains("fma.") == kernel.starts_with("observe(")));
                }
            }
            Err(reason) if reason.starts_with("no NVRTC library") => {
                assert!(!require("nvrtc"), "{reason}");
                skipped("nvrtc", &reason);
            }
            Err(reason) => panic!("{architecture}: {reason}"),
        }
    }
}

/// What the bindings' wrappers call, by their name as this room writes it.
const WRAPPERS: &[(&str, &str)] = &[
    ("result::init(", "cuInit"),
    ("device::get(", "cuDeviceGet"),
    ("device::get_attribute(", "cuDeviceGetAttribute"),
    ("device::get_count(", "cuDeviceGetCount"),
    ("device::get_name(", "cuDeviceGetName"),
    ("primary_ctx::release(", "cuDevicePrimaryCtxRelease_v2"),
    ("primary_ctx::retain(", "cuDevicePrimaryCtxRetain"),
    ("result::ctx::set_current(", "cuCtxSetCurrent"),
    ("event::create(", "cuEventCreate"),
    ("event::destroy(", "cuEventDestroy_v2"),
    ("event::query(", "cuEventQuery"),
    ("event::record(", "cuEventRecord"),
    (".error_string(", "cuGetErrorString"),
    ("graph::destroy(", "cuGraphDestroy"),
    ("graph::exec_destroy(", "cuGraphExecDestroy"),
    ("graph::instantiate(", "cuGraphInstantiateWithFlags"),
    ("graph::launch(", "cuGraphLaunch"),
    ("result::launch_kernel(", "cuLaunchKernel"),
    ("result::malloc_sync(", "cuMemAlloc_v2"),
    ("result::free_sync(", "cuMemFree_v2"),
    ("result::free_host(", "cuMemFreeHost"),
    ("result::malloc_host(", "cuMemHostAlloc"),
    ("result::mem_get_info(", "cuMemGetInfo_v2"),
    ("result::memcpy_dtoh_async(", "cuMemcpyDtoHAsync_v2"),
    ("result::memcpy_htod_async(", "cuMemcpyHtoDAsync_v2"),
    ("result::memset_d8_async(", "cuMemsetD8Async"),
    ("module::get_function(", "cuModuleGetFunction"),
    ("module::load_data(", "cuModuleLoadData"),
    ("module::unload(", "cuModuleUnload"),
    ("stream::begin_capture(", "cuStreamBeginCapture_v2"),
    ("stream::create(", "cuStreamCreate"),
    ("stream::destroy(", "cuStreamDestroy_v2"),
    ("stream::end_capture(", "cuStreamEndCapture"),
    ("stream::synchronize(", "cuStreamSynchronize"),
    ("result::create_program(", "nvrtcCreateProgram"),
    ("result::compile_program(", "nvrtcCompileProgram"),
    ("result::destroy_program(", "nvrtcDestroyProgram"),
    ("result::get_program_log(", "nvrtcGetProgramLog"),
    ("result::get_ptx(", "nvrtcGetPTX"),
    ("result::create_handle(", "cublasCreate_v2"),
    ("result::destroy_handle(", "cublasDestroy_v2"),
    ("result::gemm_ex(", "cublasGemmEx"),
    ("result::set_stream(", "cublasSetStream_v2"),
];

/// The bindings load symbols one by one and panic on a missing one, so all that are called must be on the list that is checked
/// first. Both are read off the sources: the list, and the calls of `sys` and of `result`, which name the symbol.
#[test]
fn every_symbol_that_is_called_is_checked_first() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/train/backend/cuda");
    let mut code = String::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.ends_with("symbols.rs") {
            code.push_str(&fs::read_to_string(path).unwrap());
        }
    }
    let list = fs::read_to_string(folder.join("symbols.rs")).unwrap();
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let mut called: Vec<&str> = Vec::new();
    for (wrapper, symbol) in WRAPPERS {
        if code.contains(wrapper) {
            called.push(symbol);
        }
    }
    // Some wrappers ask for a size first, and the bindings' errors ask for their name.
    called.extend(["nvrtcGetPTXSize", "nvrtcGetProgramLogSize", "cuGetErrorName", "nvrtcGetErrorString"]);
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let direct = |word: &&str| {
        let mut rests = ["cu", "nvrtc", "cublas"].iter().filter_map(|prefix| word.strip_prefix(prefix));
        let function = rests.any(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        function && !word.ends_with("_t") && !["cuBLAS", "nvrtcProgram", "nvrtcResult"].contains(word)
    };
    called.extend(words.filter(direct));
    called.sort_unstable();
    called.dedup();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(called, sorted);
    // No wrapper is called that this table does not know.
    for module in ["result", "device", "primary_ctx", "event", "graph", "module", "stream"] {
        for (at, _) in code.match_indices(&format!("{module}::")) {
            let call: String =
                code[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':').collect();
            let is_call = code[at + call.len()..].starts_with('(')
                && call.rsplit("::").next().unwrap().starts_with(char::is_lowercase);
            let known = WRAPPERS.iter().any(|(wrapper, _)| wrapper.trim_end_matches('(').ends_with(&call));
            assert!(!is_call || known, "{call} is not in the table");
        }
    }
}
