// The mean of the rows' losses, to the device's loss scalar. Buffers: losses, scalars. Words: 2 rows. One workgroup.
var<workgroup> sums: array<f32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) at: u32) {
    let rows = p(2u);
    var sum = 0.0;
    for (var row = at; row < rows; row += 256u) { sum += bitcast<f32>(b0[row]); }
    sums[at] = sum;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (at < half) { sums[at] += sums[at + half]; }
        workgroupBarrier();
    }
    if (at == 0u) { b1[LOSS] = bitcast<u32>(sums[0] / f32(rows)); }
}
