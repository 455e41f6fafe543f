//! The subset that comes with the program, so that the first run needs no download.

use super::find::{Files, dataset};
use super::{Dataset, Split};

/// 600 training and 100 test images of each of the ten classes of Fashion-MNIST (MIT, © 2017 Zalando SE).
const FILES: Files<&[u8]> = Files {
    train_images: include_bytes!("../../assets/data/train-images-idx3-ubyte.gz"),
    train_labels: include_bytes!("../../assets/data/train-labels-idx1-ubyte.gz"),
    test_images: include_bytes!("../../assets/data/t10k-images-idx3-ubyte.gz"),
    test_labels: include_bytes!("../../assets/data/t10k-labels-idx1-ubyte.gz"),
};

/// The embedded data: 6,000 training and 1,000 test images of 28 × 28 bytes, every class equally often.
/// Decompressing them takes a few hundredths of a second; keep the result.
#[must_use]
pub fn embedded() -> Dataset {
    let empty = Split { images: Vec::new(), labels: Vec::new(), rows: 28, columns: 28 };
    // The files are part of the program and a test reads them, so the error branch is never taken.
    dataset("Fashion-MNIST, embedded subset", &FILES).unwrap_or_else(|_| Dataset {
        name: "Fashion-MNIST, embedded subset (damaged)".to_owned(),
        train: empty.clone(),
        test: empty,
    })
}
