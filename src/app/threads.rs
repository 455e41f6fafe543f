//! The window's own threads. Painting never waits: reading, writing and dialogs happen here, each on a thread with a
//! name, and what comes of it is taken in by the next frame.

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context as TaskContext, Poll, Wake, Waker};
use std::thread::{Builder, Thread};

use super::hardware::Told;
use super::model::WitnessQuestion;
use crate::data::Dataset;
use crate::format::Witness;
use crate::observe::Place;
use crate::train::devices::Devices;
use crate::train::{Recording, Session};

/// What a thread brought back.
#[derive(Debug)]
pub enum Done {
    /// The images, or one line that says why not.
    Data(Result<Arc<Dataset>, String>),
    /// What lanes can run on.
    Devices(Arc<Devices>),
    /// A session that trains, or one line that says why not.
    Started(Result<Session, String>),
    /// A recorded run, or one line that says why not.
    Opened(PathBuf, Result<Box<Recording>, String>),
    /// Where a figure went, or one line that says why it did not.
    Exported(Result<PathBuf, String>),
    /// The smallest number that a chain spoils, or one line that says why it was not searched.
    Witness(WitnessQuestion, Result<Witness, String>),
    /// What a device says while it is asked.
    Observed(Place, Told),
    /// A dialog was closed without an answer.
    Cancelled,
    /// Something was put away; nothing follows.
    Retired,
}

/// Sends what a job has to say before it is done.
#[derive(Debug, Clone)]
pub struct Teller {
    ctx: egui::Context,
    sender: Sender<Done>,
}

impl Teller {
    /// Sends it and wakes the window.
    pub fn tell(&self, done: Done) {
        // A window that was closed in the meantime no longer listens, and that is fine.
        self.sender.send(done).ok();
        self.ctx.request_repaint();
    }
}

/// Starts threads and collects what they bring back.
#[derive(Debug)]
pub struct Threads {
    ctx: egui::Context,
    sender: Sender<Done>,
    receiver: Receiver<Done>,
}

impl Threads {
    /// Threads that wake this context when they are done.
    #[must_use]
    pub fn new(ctx: &egui::Context) -> Self {
        let (sender, receiver) = channel();
        Self { ctx: ctx.clone(), sender, receiver }
    }

    /// Runs `job` on a thread called `halfscope NAME`.
    ///
    /// # Errors
    /// One line when the system gives no thread.
    pub fn spawn(&self, name: &str, job: impl FnOnce() -> Done + Send + 'static) -> Result<(), String> {
        let teller = self.teller();
        let started = Builder::new().name(format!("halfscope {name}")).spawn(move || teller.tell(job()));
        started.map(drop).map_err(|error| format!("the system gives no thread for “{name}”: {error}"))
    }

    /// What a job that has more than one thing to say says them with.
    #[must_use]
    pub fn teller(&self) -> Teller {
        Teller { ctx: self.ctx.clone(), sender: self.sender.clone() }
    }

    /// What has come back since the last call.
    #[must_use]
    pub fn finished(&self) -> Vec<Done> {
        self.receiver.try_iter().collect()
    }
}

/// Waits for a future on this thread. The system's dialogs are futures that must be made on the main thread, and may
/// be waited for on any.
pub fn wait<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = TaskContext::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}
