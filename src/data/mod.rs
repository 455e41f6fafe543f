//! Images to train on: IDX files (gzipped too) and the embedded Fashion-MNIST subset.
//!
//! The command line and the window ask [`find`] for a data set and hand it to a training session as bytes; how pixels
//! become inputs is the session's business.
//!
//! ```
//! let data = halfscope::data::embedded();
//! assert_eq!((data.train.len(), data.test.len()), (6_000, 1_000));
//! assert_eq!(data.train.image(0).len(), 28 * 28);
//! ```

mod embedded;
mod find;
mod idx;

pub use embedded::embedded;
pub use find::{SYSTEM_FOLDER, find};
pub use idx::{Idx, IdxError};

/// Images and labels for training and testing, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// What it is, such as `Fashion-MNIST, embedded subset (6000 + 1000)`.
    pub name: String,
    /// For training.
    pub train: Split,
    /// For testing.
    pub test: Split,
}

/// One split: `labels.len()` images of `rows × columns` bytes, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Pixels, image after image.
    pub images: Vec<u8>,
    /// Class of each image, 0 to 9.
    pub labels: Vec<u8>,
    /// Rows of an image.
    pub rows: usize,
    /// Columns of an image.
    pub columns: usize,
}

impl Split {
    /// How many images there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Bytes of one image.
    #[must_use]
    pub fn pixels(&self) -> usize {
        self.rows * self.columns
    }

    /// The pixels of image `index`, row by row.
    ///
    /// # Panics
    /// When there is no such image.
    #[must_use]
    pub fn image(&self, index: usize) -> &[u8] {
        let size = self.pixels();
        &self.images[index * size..(index + 1) * size]
    }
}
