//! Where data sets lie on a disk: `--data DIR`, the system's folder, or the embedded subset.

use std::fs;
use std::path::{Path, PathBuf};

use super::idx::Idx;
use super::{Dataset, Split, embedded};

/// Where Debian's package `dataset-fashion-mnist` puts the full set.
pub const SYSTEM_FOLDER: &str = "/usr/share/datasets/fashion-mnist";

/// The four files of a data set of the MNIST family.
pub(super) struct Files<T> {
    pub(super) train_images: T,
    pub(super) train_labels: T,
    pub(super) test_images: T,
    pub(super) test_labels: T,
}

/// The data set in `folder` (four IDX files under their usual names, gzipped or not). With no folder: the full set where
/// [`SYSTEM_FOLDER`] has it, else the embedded subset. Where the same numbers are wanted on every machine, such as in the
/// demo, ask for [`embedded`] instead.
///
/// # Errors
/// One line that names the file, says what is wrong with it and what to do.
pub fn find(folder: Option<&Path>) -> Result<Dataset, String> {
    let Some(folder) = folder.or_else(|| Some(Path::new(SYSTEM_FOLDER)).filter(|folder| folder.is_dir())) else {
        return Ok(embedded());
    };
    if !folder.is_dir() {
        return Err(format!(
            "data folder {}: there is no such folder; leave --data out to use the embedded images",
            folder.display()
        ));
    }
    let open = |name: &str| -> Result<(PathBuf, Vec<u8>), String> {
        let path = [format!("{name}.gz"), name.to_owned(), name.replacen("-idx", ".idx", 1)]
            .iter()
            .map(|file| folder.join(file))
            .find(|path| path.is_file())
            .ok_or_else(|| {
                format!(
                    "data folder {}: {name}.gz (or {name}) is missing; it needs the four files of the MNIST family",
                    folder.display()
                )
            })?;
        let bytes = fs::read(&path).map_err(|error| format!("{}: cannot be read ({error})", path.display()))?;
        Ok((path, bytes))
    };
    let files = Files {
        train_images: open("train-images-idx3-ubyte")?,
        train_labels: open("train-labels-idx1-ubyte")?,
        test_images: open("t10k-images-idx3-ubyte")?,
        test_labels: open("t10k-labels-idx1-ubyte")?,
    };
    let name =
        folder.file_name().map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
    let split = |images: &(PathBuf, Vec<u8>), labels: &(PathBuf, Vec<u8>)| {
        split((&images.0.display().to_string(), &images.1), (&labels.0.display().to_string(), &labels.1))
    };
    let train = split(&files.train_images, &files.train_labels)?;
    let test = split(&files.test_images, &files.test_labels)?;
    check(&name, train, test)
}

/// A data set from the bytes of its four files.
pub(super) fn dataset(name: &str, files: &Files<&[u8]>) -> Result<Dataset, String> {
    let train = split(("training images", files.train_images), ("training labels", files.train_labels))?;
    let test = split(("test images", files.test_images), ("test labels", files.test_labels))?;
    check(name, train, test)
}

fn check(name: &str, train: Split, test: Split) -> Result<Dataset, String> {
    if (train.rows, train.columns) != (test.rows, test.columns) {
        return Err(format!(
            "{name}: training images are {} × {} pixels but test images {} × {}; the files do not belong together",
            train.rows, train.columns, test.rows, test.columns
        ));
    }
    Ok(Dataset { name: format!("{name} ({} + {})", train.len(), test.len()), train, test })
}

/// One split from its two files, each with the name that an error calls it by.
fn split(images: (&str, &[u8]), labels: (&str, &[u8])) -> Result<Split, String> {
    let read = |(name, bytes): (&str, &[u8]), rank| {
        Idx::parse(bytes, rank).map_err(|error| format!("{name}: {error}; get the file anew"))
    };
    let (pixels, classes) = (read(images, 3)?, read(labels, 1)?);
    let [count, rows, columns] = pixels.shape[..] else { return Err(format!("{}: not three dimensions", images.0)) };
    if count != classes.data.len() {
        return Err(format!(
            "{}: {} labels for the {count} images of {}; the files do not belong together",
            labels.0,
            classes.data.len(),
            images.0
        ));
    }
    if count == 0 || rows * columns == 0 {
        return Err(format!("{}: it holds no images", images.0));
    }
    if let Some((index, class)) = classes.data.iter().enumerate().find(|(_, class)| **class > 9) {
        return Err(format!("{}: label {index} is {class}; classes go from 0 to 9", labels.0));
    }
    Ok(Split { images: pixels.data, labels: classes.data, rows, columns })
}
