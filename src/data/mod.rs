//! IDX files (gzipped too) and the embedded Fashion-MNIST subset.

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
