//! Seconds by instruction, gathered by op and layer.

use std::collections::BTreeMap;

use crate::train::program::Program;
use crate::train::report::OpTime;

/// What a backend does around the instructions of a step.
const AROUND: &str = "begin and end";

/// Gathers seconds; each comes with the index of its instruction, or `None` for what belongs to none. Slowest first.
pub(super) fn by_op(program: &Program, seconds: impl IntoIterator<Item = (Option<usize>, f64)>) -> Vec<OpTime> {
    let mut sums: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for (index, seconds) in seconds {
        let instruction = index.and_then(|index| program.instructions.get(index));
        let name =
            instruction.map_or((AROUND, ""), |instruction| (instruction.op.name(), program.layer_of(&instruction.op)));
        *sums.entry(name).or_default() += seconds;
    }
    let time = |((op, layer), seconds): ((&str, &str), f64)| OpTime { op: op.into(), layer: layer.into(), seconds };
    let mut ops: Vec<OpTime> = sums.into_iter().map(time).collect();
    ops.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    ops
}
