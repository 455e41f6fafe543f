// Sums of squares of a gradient, one for each workgroup. Buffers: grad, partials. Words: 2 the first partial.
var<workgroup> sums: array<f32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32,
        @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    var sum = 0.0;
    for (var i = id.x; i < p(0u); i += groups.x * 256u) {
        let x = bitcast<f32>(load0(i));
        sum += x * x;
    }
    sums[at] = sum;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (at < half) { sums[at] += sums[at + half]; }
        workgroupBarrier();
    }
    if (at == 0u) { b1[p(2u) + group.x] = bitcast<u32>(sums[0]); }
}
