//! IDX reading and the embedded images.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use halfscope::data::{Idx, IdxError, embedded, find};

#[test]
fn embedded_subset_is_balanced() {
    let data = embedded();
    for (split, each) in [(&data.train, 600), (&data.test, 100)] {
        assert_eq!(split.images.len(), split.len() * 28 * 28);
        for class in 0..10 {
            let of_class: Vec<_> = split.labels.iter().filter(|label| **label == class).collect();
            assert_eq!(of_class.len(), each);
        }
    }
    assert_eq!(data.name, "Fashion-MNIST, embedded subset (6000 + 1000)");
    // The first training image of the published files is an ankle boot (class 9).
    assert_eq!(data.train.labels[0], 9);
}

fn idx(element: u8, shape: &[u32], data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, element, shape.len() as u8];
    for size in shape {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend(data);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn idx_reads_plain_and_gzipped() {
    let plain = idx(8, &[2, 1, 3], &[1, 2, 3, 4, 5, 6]);
    let expected = Idx { shape: vec![2, 1, 3], data: vec![1, 2, 3, 4, 5, 6] };
    assert_eq!(Idx::parse(&plain, 3), Ok(expected.clone()));
    assert_eq!(Idx::parse(&gzip(&plain), 3), Ok(expected));
}

#[test]
fn idx_refuses_what_is_damaged() {
    let good = idx(8, &[4], &[0, 1, 2, 3]);
    assert_eq!(Idx::parse(&[], 1), Err(IdxError::NotIdx));
    assert_eq!(Idx::parse(b"PNG stuff", 1), Err(IdxError::NotIdx));
    assert_eq!(Idx::parse(&idx(0x0d, &[4], &[0; 16]), 1), Err(IdxError::ElementType(0x0d)));
    assert_eq!(Idx::parse(&good, 3), Err(IdxError::Rank { found: 1, wanted: 3 }));
    assert_eq!(Idx::parse(&good[..6], 1), Err(IdxError::Truncated { wanted: 4, found: 2 }));
    assert_eq!(Idx::parse(&good[..good.len() - 1], 1), Err(IdxError::Truncated { wanted: 4, found: 3 }));
    assert_eq!(Idx::parse(&[&good[..], &[9]].concat(), 1), Err(IdxError::TooLong { wanted: 4 }));
    assert_eq!(Idx::parse(&idx(8, &[u32::MAX, u32::MAX, u32::MAX], &[]), 3), Err(IdxError::TooLarge));
    let packed = gzip(&good);
    assert!(matches!(Idx::parse(&packed[..packed.len() - 5], 1), Err(IdxError::Gzip(_))));
}

/// A folder of its own under the target directory, empty.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&path).ok();
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn folders_are_found_and_faults_named() {
    let dir = folder("data-idx");
    let error = find(Some(&dir.join("nowhere"))).unwrap_err();
    assert!(error.contains("no such folder") && !error.contains('\n'), "{error}");

    let error = find(Some(&dir)).unwrap_err();
    assert!(error.contains("train-images-idx3-ubyte.gz (or train-images-idx3-ubyte) is missing"), "{error}");

    fs::write(dir.join("train-images-idx3-ubyte"), idx(8, &[2, 2, 2], &[7; 8])).unwrap();
    fs::write(dir.join("train-labels-idx1-ubyte.gz"), gzip(&idx(8, &[2], &[3, 9]))).unwrap();
    fs::write(dir.join("t10k-images-idx3-ubyte.gz"), gzip(&idx(8, &[1, 2, 2], &[5; 4]))).unwrap();
    fs::write(dir.join("t10k-labels-idx1-ubyte"), idx(8, &[1], &[0])).unwrap();
    let data = find(Some(&dir)).unwrap();
    assert_eq!((data.name.as_str(), data.train.labels.as_slice()), ("data-idx (2 + 1)", [3, 9].as_slice()));

    for (labels, reason) in [
        (idx(8, &[2], &[3, 10]), "label 1 is 10"),
        (idx(8, &[3], &[3, 1, 1]), "3 labels for the 2 images"),
        (idx(8, &[2, 2, 2], &[7; 8]), "3 dimensions (images) where 1 (labels) are needed"),
    ] {
        fs::write(dir.join("train-labels-idx1-ubyte.gz"), gzip(&labels)).unwrap();
        let error = find(Some(&dir)).unwrap_err();
        assert!(error.contains(reason) && error.contains("train-labels"), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}
