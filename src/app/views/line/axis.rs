//! The axis of the number line: from values to places and back, linear or in powers of two.

/// A stretch of the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    /// Its ends: values, or their log2.
    pub low: f64,
    pub high: f64,
    /// Whether it is log2 of the magnitude.
    pub log: bool,
}

/// A mark on the axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    /// 0 at the left end, 1 at the right.
    pub at: f64,
    pub label: String,
}

impl Axis {
    /// The value at a place, 0 to 1.
    pub(super) fn value(self, at: f64) -> f64 {
        let place = self.low + (self.high - self.low) * at;
        if self.log { place.exp2() } else { place }
    }

    /// Where a value is, 0 to 1 inside the stretch; `None` where it has no place, as 0 on a log axis.
    pub(super) fn place(self, value: f64) -> Option<f64> {
        let place = if self.log { value.log2() } else { value };
        let at = (place - self.low) / (self.high - self.low);
        at.is_finite().then_some(at)
    }

    /// Smaller or larger by a factor, what is at the place `at` staying where it is.
    pub(super) fn zoomed(self, factor: f64, at: f64) -> Self {
        let fixed = self.low + (self.high - self.low) * at;
        let (low, high) = (fixed - (fixed - self.low) * factor, fixed + (self.high - fixed) * factor);
        // Beyond this the ends are the same number.
        let least = fixed.abs().max(f64::MIN_POSITIVE) * 1e-13;
        if high - low > least && (high - low).is_finite() { Self { low, high, ..self } } else { self }
    }

    /// Moved by a part of its length.
    pub(super) fn moved(self, part: f64) -> Self {
        let by = (self.high - self.low) * part;
        Self { low: self.low + by, high: self.high + by, ..self }
    }

    /// Round numbers along the axis, about `wanted` of them.
    pub(super) fn marks(self, wanted: f64) -> Vec<Mark> {
        let rough = (self.high - self.low) / wanted.max(2.0);
        if !(rough.is_finite() && rough > 0.0) {
            return Vec::new();
        }
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let step = if self.log { step.ceil() } else { step };
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        let mark = |at: i64| {
            let place = at as f64 * step;
            let label = if self.log { format!("2^{place}") } else { plain(place, step) };
            Mark { at: (place - self.low) / (self.high - self.low), label }
        };
        // A stretch far from zero has more steps behind it than can be counted; it has no round numbers to show.
        if last.saturating_sub(first) > 200 { Vec::new() } else { (first..=last).map(mark).collect() }
    }
}

/// A round number with as many digits as its steps need.
fn plain(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = -step.log10().floor();
    if value.abs() >= 1e6 || value.abs() < 1e-4 {
        let digits = (value.abs().log10().floor() - step.log10().floor()).clamp(0.0, 15.0) as usize;
        return format!("{value:.digits$e}");
    }
    format!("{value:.0$}", digits.clamp(0.0, 15.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_inside() {
        let labels = |axis: Axis| axis.marks(5.0).into_iter().map(|mark| mark.label).collect::<Vec<_>>();
        assert_eq!(labels(Axis { low: -1.0, high: 1.0, log: false }), ["-1.0", "-0.5", "0", "0.5", "1.0"]);
        assert_eq!(labels(Axis { low: -24.0, high: 16.0, log: true }), ["2^-20", "2^-10", "2^0", "2^10"]);
        assert_eq!(labels(Axis { low: -65504.0, high: 65504.0, log: false }).len(), 3);
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let axis = Axis { low: 0.0, high: 8.0, log: false };
        let near = axis.zoomed(0.5, 0.25);
        assert_eq!(near.value(0.25), axis.value(0.25));
        assert_eq!((near.low, near.high), (1.0, 5.0));
        let mut deep = axis;
        (0..200).for_each(|_| deep = deep.zoomed(0.5, 0.3));
        assert!(deep.low < deep.high);
    }
}
