//! The engine: the experiment as data, the program of ops, loss scaling, backends, and the session thread that runs it.
//!
//! The trainer never sees egui and never prints: [`Command`]s go in, [`Report`]s come out.

pub mod backend;
pub mod config;
pub mod devices;
pub mod presets;
pub mod program;
pub mod recording;
pub mod report;
pub mod rng;
pub mod scaler;
pub mod session;

pub use config::{BackendKind, PrecisionPolicy, RunConfig};
pub use recording::Recording;
pub use report::Report;
pub use session::{Command, Controls, Session, SessionOptions};
