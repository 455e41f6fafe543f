//! What a plan needs of a graphics processor.

use super::launch::Launch;
use crate::train::backend::Memory;

/// A piece of a device's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) struct Buffer(pub usize);

/// A graphics processor with the buffers and lists of one plan; all go with it. What is run, written and read back is done in
/// the order of the calls. Errors are one line; after one the device may be lost, and every later call fails.
pub(in super::super) trait Device: Send {
    /// Allocates bytes (a multiple of four), zeroed.
    fn allocate(&mut self, bytes: u64) -> Result<Buffer, String>;

    /// Writes bytes (a multiple of four) to the start of a buffer.
    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<(), String>;

    /// Reads the first bytes of a buffer (a multiple of four), waiting for all that was run before.
    fn read(&mut self, buffer: Buffer, bytes: u64) -> Result<Vec<u8>, String>;

    /// Makes a list of launches ready to be run many times. Returns its number: 0, 1, …
    fn prepare(&mut self, launches: &[Launch]) -> Result<usize, String>;

    /// Starts a list.
    fn run(&mut self, list: usize) -> Result<(), String>;

    /// Runs a list launch by launch, waiting for each. Returns the seconds that each took.
    fn run_timed(&mut self, list: usize) -> Result<Vec<f64>, String>;

    /// Starts copying the first bytes of a buffer out, as they are after all that was run before.
    fn fetch(&mut self, buffer: Buffer, bytes: u64) -> Result<(), String>;

    /// The bytes of the oldest [`fetch`](Device::fetch) that was not handed out yet; `None` while it is not done.
    fn fetched(&mut self) -> Result<Option<Vec<u8>>, String>;

    /// Blocks of 256 threads that keep the whole device busy.
    fn blocks(&self) -> u32;

    /// What is used and free.
    fn memory(&self) -> Memory;
}
