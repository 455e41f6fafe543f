// Reports the loss, the growth tracker and whether the step was skipped. Buffers: results, scalars. One invocation.
@compute @workgroup_size(1)
fn main() {
    b0[0] = b1[LOSS];
    b0[2] = b1[TRACKER];
    b0[3] = b1[FOUND_INF];
}
