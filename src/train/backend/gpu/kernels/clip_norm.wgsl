// grad = grad·factor, unless the factor is 1. Buffers: grad (in place), scalars.
fn value(i: u32) -> u32 {
    let factor = bitcast<f32>(b1[CLIP]);
    let x = load0(i);
    if (factor == 1.0) { return x; }
    return bitcast<u32>(bitcast<f32>(x) * factor);
}
