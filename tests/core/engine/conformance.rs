//! The suite once more for every other backend: this binary runs itself with another one chosen, so that whatever is asked of
//! the processor is asked of a graphics processor too.

use std::process::Command;

use halfscope::train::backend::{Availability, availability};
use halfscope::train::config::BackendKind;

use super::support::BACKEND;
use crate::cuda_emulator;
use crate::support::{TemporaryFolder, require, say, skipped};

/// What is asked of every backend, by the start of the tests' names.
const SUITE: [&str; 5] =
    ["engine::agreement", "engine::casts", "engine::gradients", "engine::invariants", "engine::ops"];

/// Runs the suite on a backend, with more environment.
pub(crate) fn run_suite(kind: BackendKind, environment: &[(&str, &std::path::Path)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(SUITE).env(BACKEND, kind.name());
    command.envs(environment.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{text}{}", kind.name(), String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains(" 0 passed"), "no test ran: {text}");
}

#[test]
fn wgpu_passes_the_suite() {
    match availability(BackendKind::Wgpu) {
        Availability::Ready { device } => {
            say(&format!("on {device}"));
            run_suite(BackendKind::Wgpu, &[]);
        }
        Availability::Missing { reason } => {
            assert!(!require("wgpu"), "{reason}");
            skipped("wgpu", &reason);
        }
    }
}

/// The whole host path of CUDA, and the same kernel sources compiled for the processor.
#[test]
fn emulated_cuda_passes_the_suite() {
    match cuda_emulator::build() {
        Ok(folder) => {
            let cache = TemporaryFolder::new("kernels");
            run_suite(BackendKind::Cuda, &[("LD_LIBRARY_PATH", &folder), ("HALFSCOPE_CACHE", &cache)]);
        }
        Err(reason) => {
            assert!(!require("cuda-emulator"), "{reason}");
            skipped("cuda-emulator", &reason);
        }
    }
}

/// On a machine that has one.
#[test]
fn real_cuda_passes_the_suite() {
    match availability(BackendKind::Cuda) {
        Availability::Ready { device } => {
            say(&format!("on {device}"));
            run_suite(BackendKind::Cuda, &[]);
        }
        Availability::Missing { reason } => {
            assert!(!require("cuda"), "{reason}");
            skipped("cuda", &reason);
        }
    }
}
