//! Which images make up which batch.

/// The order of the training images: a fresh shuffle every epoch, decided by the seed alone.
///
/// Epoch e (from 0) is the Fisher–Yates shuffle of `0..images` driven by SplitMix64 (Steele, Lea & Flood, OOPSLA 2014)
/// started at a value mixed from the seed and e. Batches are cut from it in order; what does not fill a batch is left
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
        // two rounds of mixing: neighbouring seeds and epochs must not give related orders
        let mut random = SplitMix64(SplitMix64(self.seed).next() ^ epoch.wrapping_mul(0xd134_2543_de82_ef95));
        for (index, slot) in (0..).zip(self.shuffled.iter_mut()) {
            *slot = index;
        }
        for last in (1..self.shuffled.len()).rev() {
            self.shuffled.swap(last, random.below(last as u64 + 1) as usize);
        }
        self.epoch = Some(epoch);
    }
}

/// SplitMix64: a counter and a mixing function.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in `0..bound`, up to a bias below bound/2^64.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
