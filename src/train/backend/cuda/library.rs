//! Where CUDA's libraries are: the driver's own, a toolkit's, the wheels of an active Python environment.
//!
//! A library that the loader does not find by itself is loaded from its full path first; the bindings then find it by name.
//! Libraries are never unloaded again, as drivers ask.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cudarc::driver::sys as driver;
use cudarc::nvrtc::sys as nvrtc;
use libloading::Library;

use super::symbols;

/// The oldest driver that the bindings' calls work on: CUDA 12.0.
const OLDEST_DRIVER: i32 = 12_000;

/// What an examination found of one library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// `CUDA driver`, `NVRTC` or `cuBLAS`.
    pub library: &'static str,
    /// Its version and where it is, or what is missing and how to get it.
    pub state: Result<String, String>,
}

/// What is known of the libraries once all were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Libraries {
    /// Version of CUDA that the driver supports, as in 12.4 → 12040.
    pub driver_version: i32,
}

/// One of the three libraries.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// As in `lib` + stem + `.so`.
    stems: &'static [&'static str],
    symbols: &'static [&'static str],
    /// Folders of Python's packages that hold it, below `site-packages/nvidia`.
    wheels: &'static [&'static str],
    advice: &'static str,
}

const DRIVER: Kind = Kind {
    name: "CUDA driver",
    stems: &["cuda", "nvcuda"],
    symbols: symbols::DRIVER,
    wheels: &[],
    advice: "install NVIDIA's driver, version 525 or newer (it comes with the graphics processor, not with a toolkit)",
};
const NVRTC: Kind = Kind {
    name: "NVRTC",
    stems: &["nvrtc"],
    symbols: symbols::NVRTC,
    wheels: &["cu13", "cuda_nvrtc"],
    advice: "install it with `pip install nvidia-cuda-nvrtc` in an active virtual environment, or install the CUDA toolkit",
};
const CUBLAS: Kind = Kind {
    name: "cuBLAS",
    stems: &["cublas"],
    symbols: symbols::CUBLAS,
    wheels: &["cu13", "cublas"],
    advice: "install it with `pip install nvidia-cublas` in an active virtual environment, or install the CUDA toolkit",
};

/// Finds and loads all libraries, once for the whole process.
///
/// # Errors
/// One line: what is missing and how to get it.
pub(super) fn load() -> Result<Libraries, String> {
    static LOADED: OnceLock<Result<Libraries, String>> = OnceLock::new();
    LOADED.get_or_init(find_all).clone()
}

/// Finds and loads the compiler alone: it needs no device.
///
/// # Errors
/// One line: what is missing and how to get it.
pub(super) fn load_nvrtc() -> Result<(), String> {
    find(&NVRTC, 0).map(|_| ())
}

fn find_all() -> Result<Libraries, String> {
    find(&DRIVER, 0)?;
    let driver_version = driver_version()?;
    find(&NVRTC, driver_version / 1000)?;
    find(&CUBLAS, driver_version / 1000)?;
    Ok(Libraries { driver_version })
}

/// Says of each library what was found and where, or what is missing.
#[must_use]
pub fn examine() -> Vec<Finding> {
    let driver = find(&DRIVER, 0).and_then(|place| Ok((place, driver_version()?)));
    let major = driver.as_ref().map_or(0, |(_, version)| version / 1000);
    let driver = driver.map(|(place, version)| format!("CUDA {} ({place})", dotted(version)));
    let nvrtc = find(&NVRTC, major).map(|place| format!("{} ({place})", nvrtc_version()));
    let cublas = find(&CUBLAS, major);
    [(&DRIVER, driver), (&NVRTC, nvrtc), (&CUBLAS, cublas)]
        .map(|(kind, state)| Finding { library: kind.name, state })
        .to_vec()
}

fn dotted(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

fn nvrtc_version() -> String {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the symbol was checked by `find`; both pointers are to live integers.
    let result = unsafe { nvrtc::nvrtcVersion(&raw mut major, &raw mut minor) };
    match result {
        nvrtc::nvrtcResult::NVRTC_SUCCESS => format!("{major}.{minor}"),
        other => format!("{other:?}"),
    }
}

/// The version of CUDA that the driver supports, if it is new enough.
fn driver_version() -> Result<i32, String> {
    let mut version = 0;
    // SAFETY: the symbol was checked by `find`; the pointer is to a live integer. This call needs no initialisation.
    let result = unsafe { driver::cuDriverGetVersion(&raw mut version) };
    if result != driver::CUresult::CUDA_SUCCESS {
        return Err(format!("the NVIDIA driver does not say its version ({result:?}); reinstall it"));
    }
    if version < OLDEST_DRIVER {
        let (has, needs) = (dotted(version), dotted(OLDEST_DRIVER));
        return Err(format!("the NVIDIA driver supports CUDA {has}, but {needs} is needed; update it to 525 or newer"));
    }
    Ok(version)
}

/// Finds a library, loads it where the bindings will find it, and checks its symbols. Returns where it is.
fn find(kind: &Kind, major: i32) -> Result<String, String> {
    let mut place = "found by the loader".to_owned();
    let library = by_name(kind).or_else(|| {
        if let Some(path) = candidates(kind, major).into_iter().find(|path| preload(path)) {
            place = path.display().to_string();
        }
        by_name(kind)
    });
    let library = library.ok_or_else(|| format!("no {} library; {}", kind.name, kind.advice))?;
    for symbol in kind.symbols {
        // SAFETY: the symbol is only looked for, not called.
        let found = unsafe { library.get::<*const ()>(symbol.as_bytes()) };
        if found.is_err() {
            return Err(format!("the {} library has no {symbol}: it is too old; {}", kind.name, kind.advice));
        }
    }
    std::mem::forget(library);
    Ok(place)
}

/// Opens a library by the names and in the order in which the bindings try.
fn by_name(kind: &Kind) -> Option<Library> {
    let names = kind.stems.iter().flat_map(|stem| cudarc::get_lib_name_candidates(stem));
    // SAFETY: loading one of CUDA's libraries runs its initialisers, which is what the user asked for.
    names.into_iter().find_map(|name| unsafe { Library::new(name) }.ok())
}

/// Loads a library from its path for the rest of the process.
fn preload(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    // SAFETY: as in `by_name`.
    let Ok(library) = (unsafe { Library::new(path) }) else { return false };
    std::mem::forget(library);
    true
}

/// The files that may be the library, those that fit the driver's version first.
fn candidates(kind: &Kind, major: i32) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in folders(kind) {
        for stem in kind.stems {
            for version in [major, 13, 12] {
                files.push(folder.join(format!("lib{stem}.so.{version}")));
                files.push(folder.join(format!("{stem}64_{version}.dll")));
                files.push(folder.join(format!("{stem}64_{version}0_0.dll")));
            }
        }
    }
    files
}

/// Where toolkits and wheels put their libraries.
fn folders(kind: &Kind) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for variable in ["CUDA_PATH", "CUDA_HOME"] {
        if let Some(root) = std::env::var_os(variable) {
            let root = PathBuf::from(root);
            folders.extend(["lib64", "lib", "bin", "bin/x64"].map(|part| root.join(part)));
        }
    }
    for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        if let Some(root) = std::env::var_os(variable) {
            let root = PathBuf::from(root);
            folders.push(root.join("lib"));
            for packages in site_packages(&root) {
                for wheel in kind.wheels {
                    let wheel = packages.join("nvidia").join(wheel);
                    folders.extend(["lib", "bin", "bin/x86_64"].map(|part| wheel.join(part)));
                }
            }
        }
    }
    folders.push("/usr/local/cuda/lib64".into());
    folders.extend(["/opt/cuda/lib64", "/usr/lib/wsl/lib"].map(PathBuf::from));
    folders
}

/// The package folders of a Python environment, newest Python first.
fn site_packages(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.join("Lib/site-packages")];
    let entries = std::fs::read_dir(root.join("lib")).into_iter().flatten().flatten();
    let mut pythons: Vec<PathBuf> = entries.map(|entry| entry.path().join("site-packages")).collect();
    pythons.sort();
    found.extend(pythons.into_iter().rev());
    found.retain(|folder| folder.is_dir());
    found
}
