// out = A·B where every partial sum, in order of k, is rounded to FP16.
// Buffers: a, b, out. Words: 0 M·N, 2 M, 3 K, 4 N, 5 a is transposed, 6 b is transposed.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < p(0u); i += groups.x * 256u) {
        let row = i / p(4u);
        let column = i % p(4u);
        var sum = 0.0;
        for (var k = 0u; k < p(3u); k += 1u) {
            let a = bitcast<f32>(load0(select(row * p(3u) + k, k * p(2u) + row, p(5u) == 1u)));
            let b = bitcast<f32>(load1(select(k * p(4u) + column, column * p(3u) + k, p(6u) == 1u)));
            sum = bitcast<f32>(round_to(FP16, bitcast<u32>(add_to_odd(sum, a * b))));
        }
        b2[i] = bitcast<u32>(sum);
    }
}
