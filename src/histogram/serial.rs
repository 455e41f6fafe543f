//! The counters on disk: only exponents that occur, trailing zeros of a row cut.
//!
//! ```text
//! {"zeros":12,"nan":0,"pos_inf":0,"neg_inf":0,"amin":1e-9,"amax":0.5,"bins":{"-30":[0,1],"-1":[1]}}
//! ```

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ExponentHistogram;
use super::advice::exponent_of;
use super::exponent_histogram::EXPONENTS;
use super::significand::CLASSES;

#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(default, skip_serializing_if = "is_zero")]
    zeros: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    nan: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pos_inf: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    neg_inf: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amin: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amax: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    bins: BTreeMap<i32, Vec<u64>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Serialize for ExponentHistogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cut = |row: &[u64; CLASSES]| {
            let used = row.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
            row[..used].to_vec()
        };
        let stored = Stored {
            zeros: self.zeros,
            nan: self.nan,
            pos_inf: self.pos_inf,
            neg_inf: self.neg_inf,
            amin: self.amin(),
            amax: self.amax(),
            bins: self.occupied().map(|(exponent, row)| (exponent, cut(row))).collect(),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ExponentHistogram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        restore(Stored::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Checks everything a histogram promises: foreign text may claim anything.
fn restore(stored: Stored) -> Result<ExponentHistogram, String> {
    let mut histogram = ExponentHistogram {
        zeros: stored.zeros,
        nan: stored.nan,
        pos_inf: stored.pos_inf,
        neg_inf: stored.neg_inf,
        ..ExponentHistogram::default()
    };
    let mut total = [stored.zeros, stored.nan, stored.pos_inf, stored.neg_inf].into_iter().try_fold(0, add)?;
    let bins: Vec<(i32, Vec<u64>)> =
        stored.bins.into_iter().filter(|(_, counts)| counts.iter().any(|count| *count > 0)).collect();
    for (exponent, counts) in &bins {
        if !EXPONENTS.contains(exponent) {
            return Err(format!("histogram: no finite value has the exponent {exponent} (from -1074 to 1023)"));
        }
        if counts.len() > CLASSES {
            return Err(format!(
                "histogram: {} counts at exponent {exponent}, at most {CLASSES} mean something",
                counts.len()
            ));
        }
        total = counts.iter().copied().try_fold(total, add)?;
    }
    let (Some((low, _)), Some((high, _))) = (bins.first(), bins.last()) else {
        return match (stored.amin, stored.amax) {
            (None, None) => Ok(histogram),
            _ => Err("histogram: amin or amax is given, but no bin counts a value".to_owned()),
        };
    };
    let (Some(amin), Some(amax)) = (stored.amin, stored.amax) else {
        return Err("histogram: bins are given, but amin or amax is missing".to_owned());
    };
    let fits = |x: f64, exponent: i32| x.is_finite() && x > 0.0 && exponent_of(x) == exponent;
    if !(fits(amin, *low) && fits(amax, *high) && amin <= amax) {
        return Err(format!("histogram: amin {amin:e} and amax {amax:e} do not belong to the bins {low} to {high}"));
    }
    histogram.note_magnitudes(amin, amax);
    histogram.make_room(*low..=*high);
    for (exponent, counts) in &bins {
        let mut row = [0; CLASSES];
        row[..counts.len()].copy_from_slice(counts);
        histogram.add_row(*exponent, &row);
    }
    Ok(histogram)
}

fn add(sum: u64, count: u64) -> Result<u64, String> {
    sum.checked_add(count).ok_or_else(|| "histogram: the counts add up to more than 2^64 values".to_owned())
}
