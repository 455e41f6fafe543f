//! The next run, as it is being set up.

use crate::train::RunConfig;

/// The whole set-up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Setup {
    lanes: Vec<RunConfig>,
}

impl Setup {
    /// The lanes to run.
    ///
    /// # Errors
    /// One line saying what is missing or wrong.
    pub fn lanes(&self) -> Result<Vec<RunConfig>, String> {
        if self.lanes.is_empty() {
            return Err("no lane is switched on; choose at least one".to_owned());
        }
        Ok(self.lanes.clone())
    }

    /// Whether it could be started.
    ///
    /// # Errors
    /// As [`Setup::lanes`].
    pub fn check(&self) -> Result<(), String> {
        self.lanes().map(drop)
    }
}
