// out[0, c] = Σ_r x[r, c], in order of r; with FP16 accumulation every partial sum is rounded to FP16.
// Buffers: x, out. Words: 2 rows, 3 columns, 4 FP16 accumulation.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let columns = p(3u);
    for (var column = id.x; column < columns; column += groups.x * 256u) {
        var sum = 0.0;
        for (var row = 0u; row < p(2u); row += 1u) {
            let x = bitcast<f32>(load0(row * columns + column));
            if (p(4u) == 1u) {
                sum = bitcast<f32>(round_to(FP16, bitcast<u32>(add_to_odd(sum, x))));
            } else {
                sum += x;
            }
        }
        b1[column] = bitcast<u32>(sum);
    }
}
