//! Compiled kernels on disk, so that only the first start compiles.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// The folder for kernels: `HALFSCOPE_CACHE`, or the user's cache folder; `None` where there is none.
fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("HALFSCOPE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|folder| folder.join("halfscope")))
        .or_else(|| variable("LOCALAPPDATA").map(|folder| folder.join("halfscope")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache/halfscope")))
}

/// Where the kernels of this source, made by this compiler for this device, are kept.
pub(super) fn file(source: &str, compiler: &str, device: &str) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    (source, compiler, device).hash(&mut hasher);
    folder().map(|folder| folder.join(format!("kernels-{:016x}.bin", hasher.finish())))
}

/// What is kept there, if anything.
pub(super) fn read(file: Option<&PathBuf>) -> Option<Vec<u8>> {
    std::fs::read(file?).ok().filter(|bytes| !bytes.is_empty())
}

/// Keeps kernels for the next start, whole or not at all. That it cannot is no fault: they are compiled again.
pub(super) fn write(file: Option<&PathBuf>, image: &[u8]) {
    let Some(file) = file else { return };
    let temporary = file.with_extension(format!("{}.tmp", std::process::id()));
    let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    if folder.and_then(|()| std::fs::write(&temporary, image)).and_then(|()| std::fs::rename(&temporary, file)).is_err()
    {
        std::fs::remove_file(&temporary).ok();
    }
}
