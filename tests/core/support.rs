//! What several tests need.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is gone when the test is.
#[derive(Debug)]
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// A new, empty folder.
    pub(crate) fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("halfscope-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Deref for TemporaryFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Whether `HALFSCOPE_REQUIRE` names a thing, so that tests that need it must not be skipped.
pub(crate) fn require(what: &str) -> bool {
    std::env::var("HALFSCOPE_REQUIRE").is_ok_and(|list| list.split(',').any(|name| name == what))
}

/// Says something where a person who runs the tests sees it.
#[expect(clippy::print_stdout, reason = "what a test says is for the person who runs it")]
pub(crate) fn say(what: &str) {
    println!("{what}");
}

/// Says that a test was not run, and why.
pub(crate) fn skipped(what: &str, reason: &str) {
    say(&format!("skipped: {what}: {reason}"));
}
