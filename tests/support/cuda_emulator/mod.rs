//! A CUDA that runs on the CPU: compiles the stand-ins for the driver, NVRTC and cuBLAS. See README.md.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

macro_rules! sources {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!($name))),*] };
}

const SOURCES: &[(&str, &str)] = sources![
    "abi.h",
    "emulator.h",
    "driver.h",
    "driver.cpp",
    "memory.cpp",
    "stream.cpp",
    "module.cpp",
    "block.cpp",
    "fibre.h",
    "fibre.cpp",
    "nvrtc.cpp",
    "cublas.cpp",
    "gemm.h",
    "gemm.cpp",
    "tile.inl",
    "formats.h",
];

/// `-fno-strict-aliasing`: device memory is read under several types.
const FLAGS: &[&str] =
    &["-O2", "-fPIC", "-shared", "-std=c++17", "-fvisibility=hidden", "-fno-strict-aliasing", "-pthread"];

struct Library {
    file: &'static str,
    link: &'static str,
    words: &'static [&'static str],
}

/// The first is linked into the last, so both are not made at once.
const LIBRARIES: &[Library] = &[
    Library {
        file: "libcuda.so.1",
        link: "libcuda.so",
        words: &["driver.cpp", "memory.cpp", "stream.cpp", "module.cpp", "block.cpp", "fibre.cpp", "-ldl"],
    },
    Library { file: "libnvrtc.so.13", link: "libnvrtc.so", words: &["nvrtc.cpp", "-ldl"] },
    Library {
        file: "libcublas.so.13",
        link: "libcublas.so",
        words: &[
            "-O3",
            "-ffp-contract=fast",
            "-Wno-psabi",
            "cublas.cpp",
            "gemm.cpp",
            "libcuda.so.1",
            "-Wl,-rpath,$ORIGIN",
        ],
    },
];

/// The folder with the three libraries, for `LD_LIBRARY_PATH` of a child process; compiled on the first call.
///
/// # Errors
/// One line that says why there is none: no g++ on this machine, or what g++ said.
pub(crate) fn build() -> Result<PathBuf, String> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    FOLDER.get_or_init(find_or_make).clone()
}

fn find_or_make() -> Result<PathBuf, String> {
    if !cfg!(target_os = "linux") {
        return Err("the CUDA emulator loads ELF files, so it runs on Linux only".into());
    }
    let compiler = compiler_version()?;
    let mut hasher = DefaultHasher::new();
    (SOURCES, FLAGS, compiler, std::env::consts::ARCH).hash(&mut hasher);
    for library in LIBRARIES {
        library.words.hash(&mut hasher);
    }
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = parent.join(format!("cuda-emulator-{:016x}", hasher.finish()));
    if folder.is_dir() {
        return Ok(folder);
    }
    // One process compiles while the others wait. The folder appears whole: where locks do not work, two may compile.
    let turn = fs::File::create(parent.join("cuda-emulator.lock"))
        .map_err(|error| format!("{}: {error}", parent.display()))?;
    let _ = turn.lock();
    if folder.is_dir() {
        return Ok(folder);
    }
    let temporary = parent.join(format!("cuda-emulator-{:016x}.{}", hasher.finish(), std::process::id()));
    let made = compile(&temporary).and_then(|()| match fs::rename(&temporary, &folder) {
        Err(error) if !folder.is_dir() => Err(format!("{}: {error}", folder.display())),
        _ => Ok(folder),
    });
    let _ = fs::remove_dir_all(&temporary);
    made
}

fn compiler_version() -> Result<String, String> {
    let output = Command::new("g++").args(["-dumpfullversion", "-dumpmachine"]).stderr(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => Err(format!("no g++ that works: {}", output.status)),
        Err(error) => Err(format!("no g++ to compile the CUDA emulator with: {error}")),
    }
}

fn compile(folder: &Path) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(folder); // what a process with the same number may have left half done
    fs::create_dir_all(folder).map_err(fault)?;
    for (name, text) in SOURCES {
        fs::write(folder.join(name), text).map_err(fault)?;
    }
    let [driver, compiler, products] = LIBRARIES else { return Err("three libraries are expected".into()) };
    let running = [start(folder, driver)?, start(folder, compiler)?];
    running.into_iter().try_for_each(finish)?;
    finish(start(folder, products)?)?;
    #[cfg(unix)]
    for library in LIBRARIES {
        std::os::unix::fs::symlink(library.file, folder.join(library.link)).map_err(fault)?;
    }
    Ok(())
}

fn start(folder: &Path, library: &Library) -> Result<Child, String> {
    Command::new("g++")
        .current_dir(folder)
        .args(FLAGS)
        .args(library.words)
        .arg(format!("-Wl,-soname,{}", library.file))
        .args(["-o", library.file])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("no g++ to compile the CUDA emulator with: {error}"))
}

fn finish(child: Child) -> Result<(), String> {
    let output = child.wait_with_output().map_err(|error| format!("g++ cannot be waited for: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let line = messages.lines().find(|line| line.contains("error")).or(messages.lines().next()).unwrap_or_default();
    Err(format!("g++ cannot compile the CUDA emulator: {line}"))
}
