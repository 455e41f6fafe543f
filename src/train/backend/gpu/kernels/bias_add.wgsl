// out[r, c] = x[r, c] + bias[c]. Buffers: x, bias, out. Words: 2 columns.
fn value(i: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(load0(i)) + bitcast<f32>(load1(i % p(2u))));
}
