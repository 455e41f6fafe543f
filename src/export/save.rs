//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// Writes a file under a temporary name beside it and renames it, so that nobody ever reads half of it.
///
/// # Errors
/// One line naming the file and the reason.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = OsString::from(path);
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = Path::new(&name);
    fs::write(temporary, bytes).and_then(|()| fs::rename(temporary, path)).map_err(|error| {
        // nothing to do about a file that cannot be removed either
        fs::remove_file(temporary).ok();
        format!("cannot write {}: {error}; choose a folder that exists and may be written to", path.display())
    })
}
