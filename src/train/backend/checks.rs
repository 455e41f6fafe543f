//! What all backends refuse alike.

use crate::train::program::{Life, Program, TensorId};

/// Whether images and labels go together and with the program.
///
/// # Errors
/// One line saying what does not fit.
pub(super) fn check(program: &Program, images: &[f32], labels: &[u8]) -> Result<(), String> {
    let (pixels, classes) = ends(program);
    if images.len() != labels.len() * pixels {
        let (values, count) = (images.len(), labels.len());
        return Err(format!("{values} pixels for {count} labels; the network takes {pixels} pixels an image"));
    }
    match labels.iter().find(|&&label| usize::from(label) >= classes) {
        Some(label) => {
            Err(format!("label {label}, but the network has {classes} classes; give its last layer more outputs"))
        }
        None => Ok(()),
    }
}

/// Whether a batch has the size that the program was compiled for.
///
/// # Errors
/// One line with both sizes.
pub(super) fn check_batch(program: &Program, labels: &[u8]) -> Result<(), String> {
    let (count, batch) = (labels.len(), program.batch);
    if count == batch {
        return Ok(());
    }
    Err(format!("{count} images in a batch; the program was compiled for {batch}"))
}

/// Pixels of an image and classes of the network.
pub(super) fn ends(program: &Program) -> (usize, usize) {
    let columns = |id: TensorId| program.tensors[id.0].columns;
    (columns(program.images), columns(program.logits))
}

/// Whether a tensor may be read and written between steps.
///
/// # Errors
/// One line: no such tensor, or one that is recycled within a step.
pub(super) fn check_kept(program: &Program, id: TensorId) -> Result<(), String> {
    let Some(spec) = program.tensors.get(id.0) else {
        return Err(format!("tensor {} of {}: no such tensor", id.0, program.tensors.len()));
    };
    match spec.life {
        Life::Run(_) => Ok(()),
        Life::Step | Life::Probe => Err(format!(
            "{} is recycled within a step; keep it with Program::keep, or look at it with a probe",
            spec.name
        )),
    }
}

/// Whether so many values fill a tensor that may be written between steps.
///
/// # Errors
/// As [`check_kept`], or one line with both sizes.
pub(super) fn check_values(program: &Program, id: TensorId, values: &[f32]) -> Result<(), String> {
    check_kept(program, id)?;
    let spec = &program.tensors[id.0];
    if values.len() == spec.elements() {
        return Ok(());
    }
    Err(format!("{} values for {}, which has {}", values.len(), spec.name, spec.elements()))
}
