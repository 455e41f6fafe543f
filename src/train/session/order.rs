//! Which images make up which batch.

use crate::train::rng::Rng;

/// The random stream of the first epoch; initial weights use those from 0.
const FIRST_STREAM: u64 = 1 << 32;

/// The order of the training images: a fresh shuffle every epoch, decided by the seed alone.
///
/// Epoch e (from 0) is the Fisher–Yates shuffle of `0..images` by the random stream 2^32 + e of the seed. Batches are cut from it in order; what does not fill a batch is left
/// out of that epoch, as `DataLoader(shuffle=True, drop_last=True)` of PyTorch does. So the images of a step depend on
/// nothing that ran before, and every lane, thread count and backend sees the same.
///
/// ```
/// use halfscope::train::session::ImageOrder;
/// let mut order = ImageOrder::new(7, 10, 5);
/// let mut epoch: Vec<u32> = [order.batch(1).to_vec(), order.batch(2).to_vec()].concat();
/// epoch.sort();
/// assert_eq!(epoch, (0..10).collect::<Vec<u32>>());
/// ```
#[derive(Debug, Clone)]
pub struct ImageOrder {
    seed: u64,
    batch: usize,
    epoch: Option<u64>,
    shuffled: Vec<u32>,
}

impl ImageOrder {
    /// The order of `images` images in batches of `batch`, of which at least one must fit.
    ///
    /// # Panics
    /// When `batch` is 0 or larger than `images`.
    #[must_use]
    pub fn new(seed: u64, images: usize, batch: usize) -> Self {
        assert!(batch > 0 && batch <= images, "a batch of {batch} out of {images} images");
        Self { seed, batch, epoch: None, shuffled: (0..images as u32).collect() }
    }

    /// Indices of the images of `step`, counted from 1.
    pub fn batch(&mut self, step: u64) -> &[u32] {
        let per_epoch = (self.shuffled.len() / self.batch) as u64;
        let index = step.saturating_sub(1);
        let epoch = index / per_epoch;
        if self.epoch != Some(epoch) {
            self.shuffle(epoch);
        }
        let start = (index % per_epoch) as usize * self.batch;
        &self.shuffled[start..start + self.batch]
    }

    fn shuffle(&mut self, epoch: u64) {
        for (index, slot) in (0..).zip(self.shuffled.iter_mut()) {
            *slot = index;
        }
        Rng::stream(self.seed, FIRST_STREAM.wrapping_add(epoch)).shuffle(&mut self.shuffled);
        self.epoch = Some(epoch);
    }
}
