//! What all lanes of a session must have in common, and what the data must have for them.

use crate::data::Dataset;
use crate::train::config::RunConfig;

/// A field in which a lane differs from the first, with both values in words.
type Difference = (&'static str, String, String);

/// Checks every lane by itself, all lanes against each other, and all against the data.
///
/// # Errors
/// One line naming the lane and the field.
pub fn check(lanes: &[RunConfig], data: &Dataset) -> Result<(), String> {
    let Some(first) = lanes.first() else {
        return Err("there is no lane to run; give at least one".to_owned());
    };
    for (index, lane) in lanes.iter().enumerate() {
        let wrong = |what: String| format!("lane {index} (`{}`): {what}", lane.lane);
        lane.validate().map_err(wrong)?;
        if let Some((field, own, shared)) = difference(lane, first) {
            return Err(wrong(format!("{field} is {own} but lane 0 has {shared}; all lanes share the same batches")));
        }
    }
    check_data(first, data).map_err(|what| format!("lane 0 (`{}`): {what}", first.lane))
}

fn difference(lane: &RunConfig, first: &RunConfig) -> Option<Difference> {
    fn words<T: PartialEq + std::fmt::Debug>(field: &'static str, own: &T, first: &T) -> Option<Difference> {
        (own != first).then(|| (field, format!("{own:?}"), format!("{first:?}")))
    }
    words("seed", &lane.seed, &first.seed)
        .or_else(|| words("steps", &lane.steps, &first.steps))
        .or_else(|| words("batch", &lane.batch, &first.batch))
        .or_else(|| words("train_images", &lane.train_images, &first.train_images))
        .or_else(|| words("normalise", &lane.normalise, &first.normalise))
        .or_else(|| words("model.widths[0]", &lane.model.widths.first(), &first.model.widths.first()))
}

fn check_data(lane: &RunConfig, data: &Dataset) -> Result<(), String> {
    let available = data.train.len();
    if data.test.is_empty() {
        return Err(format!("{} has no test images; choose another data set", data.name));
    }
    if let Some(wanted) = lane.train_images.filter(|&wanted| wanted > available) {
        return Err(format!("train_images is {wanted} but {} has {available}; ask for no more", data.name));
    }
    let images = lane.train_images.unwrap_or(available);
    if lane.batch > images {
        return Err(format!("batch is {} but there are {images} images; take a smaller batch", lane.batch));
    }
    let (inputs, pixels) = (lane.model.widths.first().copied().unwrap_or(0), data.train.pixels());
    if inputs != pixels {
        return Err(format!("model.widths starts with {inputs} but an image has {pixels} pixels; start with {pixels}"));
    }
    Ok(())
}
