//! Ctrl-C: the run ends at a step border and its record is whole.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::train::{Command, Controls};

/// What Ctrl-C has to do. A second one ends the program at once.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    hit: AtomicBool,
    controls: Mutex<Vec<Controls>>,
}

impl Interrupt {
    /// Takes over Ctrl-C (and the signals that ask a program to end). Where the system refuses, Ctrl-C ends the program
    /// as usual; the record then ends in a cut line, which reads too.
    pub(crate) fn install() -> Arc<Self> {
        let interrupt = Arc::new(Self::default());
        let handler = Arc::clone(&interrupt);
        ctrlc::set_handler(move || handler.strike()).ok();
        interrupt
    }

    /// Stops this session too from now on; at once if Ctrl-C came before.
    pub(crate) fn watch(&self, controls: Controls) {
        let mut watched = self.controls.lock().unwrap_or_else(PoisonError::into_inner);
        if self.hit() {
            // a session that has ended needs no stop
            controls.send(Command::Stop).ok();
        }
        watched.push(controls);
    }

    /// Whether Ctrl-C came.
    pub(crate) fn hit(&self) -> bool {
        self.hit.load(Ordering::Acquire)
    }

    fn strike(&self) {
        if self.hit.swap(true, Ordering::AcqRel) {
            #[expect(clippy::disallowed_methods, reason = "asked twice: whoever asks does not want to wait for files")]
            std::process::exit(130);
        }
        let watched = self.controls.lock().unwrap_or_else(PoisonError::into_inner);
        for controls in &*watched {
            controls.send(Command::Stop).ok();
        }
    }
}
