// Clears what the step is going to report and the found-inf flag, and notes the scale. Buffers: results, scalars.
// Words: 2 how many words of results.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < p(2u); i += groups.x * 256u) { b0[i] = select(0u, b1[SCALE], i == 1u); }
    if (id.x == 0u) { b1[FOUND_INF] = 0u; }
}
