// out = x·inverse (x itself where that is 1), and found-inf is set if any x is not finite. Buffers: x, out, scalars (atomic).
fn value(i: u32) -> u32 {
    let x = load0(i);
    if ((x & INFINITY_BITS) == INFINITY_BITS) { atomicOr(&b2[FOUND_INF], 1u); }
    let inverse = bitcast<f32>(atomicLoad(&b2[INVERSE]));
    if (inverse == 1.0) { return x; }
    return bitcast<u32>(bitcast<f32>(x) * inverse);
}
