//! Time per op, added up over the steps that were timed.

use crate::train::report::{OpTime, ProfileReport};

/// How long the ops of a lane take.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpTimes {
    steps: u64,
    /// Slowest first.
    ops: Vec<OpTime>,
}

impl OpTimes {
    /// Takes in the times of more steps.
    pub fn add(&mut self, profile: ProfileReport) {
        self.steps += profile.steps;
        for new in profile.ops {
            match self.ops.iter_mut().find(|known| known.op == new.op && known.layer == new.layer) {
                Some(known) => known.seconds += new.seconds,
                None => self.ops.push(new),
            }
        }
        self.ops.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    }

    /// How many steps were timed.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The ops, slowest first, with their seconds a step.
    #[must_use]
    pub fn a_step(&self) -> Vec<OpTime> {
        let mean = |op: &OpTime| OpTime { seconds: op.seconds / self.steps.max(1) as f64, ..op.clone() };
        self.ops.iter().map(mean).collect()
    }

    /// Seconds that all ops of a step take together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.ops.iter().map(|op| op.seconds).sum::<f64>() / self.steps.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(op: &str, layer: &str, seconds: f64) -> OpTime {
        OpTime { op: op.into(), layer: layer.into(), seconds }
    }

    #[test]
    fn times_of_several_steps_are_averaged_slowest_first() {
        let mut times = OpTimes::default();
        times.add(ProfileReport { lane: 0, steps: 1, ops: vec![op("cast", "fc1", 3.0), op("matmul", "fc1", 2.0)] });
        times.add(ProfileReport { lane: 0, steps: 1, ops: vec![op("cast", "fc1", 1.0), op("matmul", "fc1", 6.0)] });
        assert_eq!(times.a_step(), [op("matmul", "fc1", 4.0), op("cast", "fc1", 2.0)]);
        assert_eq!((times.steps(), times.total()), (2, 6.0));
    }
}
