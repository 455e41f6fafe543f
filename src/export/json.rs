//! A picture as one JSON object, for scripts.

use serde::Serialize;

use crate::figure::GradientPicture;
use crate::histogram::{Advice, ClassCounts, Rule, Source, Stage, Target};
use crate::train::recording::relative_exponent;

#[derive(Serialize)]
struct Object<'a> {
    tensor: &'a str,
    lane: &'a str,
    dataset: &'a str,
    source: Source,
    stage: Stage,
    /// Null for all steps added up.
    step: Option<u64>,
    /// The loss scale that the values carry.
    taken_at: f32,
    target: Target,
    rule: Rule,
    /// The loss scale that the classes are told for: 2^this; null where the carried scale is no power of two,
    /// so that only its multiples by powers of two can be told.
    scale_exponent: Option<i32>,
    values: u64,
    classes: ClassCounts,
    /// Shares of the finite non-zero values, 0 to 1; null where there are none.
    lost_of_nonzero: Option<f64>,
    lost_of_all: Option<f64>,
    lost_upstream: Option<u64>,
    amax: Option<f64>,
    amin: Option<f64>,
    advice: Option<Band<'a>>,
    bins: Vec<Bin>,
}

#[derive(Serialize)]
struct Bin {
    exponent: i32,
    count: u64,
    classes: ClassCounts,
}

/// Advised scales as exponents of two. `low` above `high`: none is, and the two tensors stand against each other.
#[derive(Serialize)]
struct Band<'a> {
    low: i32,
    high: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    low_tensor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high_tensor: Option<&'a str>,
}

/// The counts, shares and bins of a picture as one JSON object on one line. Exponents of bins are those of |x|·S.
#[must_use]
pub fn json(picture: &GradientPicture<'_>) -> String {
    let exponent = relative_exponent(picture.taken_at, picture.scale_exponent);
    let histogram = picture.histogram;
    let classes = picture.classes();
    let bins = histogram.bins(picture.target, picture.shift(), picture.rule).into_iter();
    let object = Object {
        tensor: picture.tensor,
        lane: picture.lane,
        dataset: picture.dataset,
        source: picture.source,
        stage: picture.stage,
        step: picture.step,
        taken_at: picture.taken_at,
        target: picture.target,
        rule: picture.rule,
        scale_exponent: exponent.map(|_| picture.scale_exponent),
        values: histogram.total(),
        classes,
        lost_of_nonzero: classes.lost_of_nonzero(),
        lost_of_all: classes.lost_of_all(),
        lost_upstream: picture.lost_upstream,
        amax: histogram.amax(),
        amin: histogram.amin(),
        advice: picture.advice.and_then(band),
        bins: bins
            .map(|bin| Bin { exponent: bin.exponent, count: bin.classes.total(), classes: bin.classes })
            .collect(),
    };
    serde_json::to_string(&object).unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()))
}

fn band(advice: &Advice) -> Option<Band<'_>> {
    match advice {
        Advice::Band { low, high } => Some(Band { low: *low, high: *high, low_tensor: None, high_tensor: None }),
        Advice::Empty { low, low_tensor, high, high_tensor } => {
            Some(Band { low: *low, high: *high, low_tensor: Some(low_tensor), high_tensor: Some(high_tensor) })
        }
        Advice::NoData => None,
    }
}
