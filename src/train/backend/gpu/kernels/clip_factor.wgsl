// max_norm / (norm + 1e-6), at most 1, from all partial sums of squares. Buffers: partials, scalars. Words: 2 how many,
// 3 max_norm. One invocation.
@compute @workgroup_size(1)
fn main() {
    var sum = 0.0;
    for (var i = 0u; i < p(2u); i += 1u) { sum += bitcast<f32>(b0[i]); }
    let factor = bitcast<u32>(pf(3u) / (sqrt(sum) + 1e-6));
    // A NaN stays one; the factor is positive, so that bits compare like values.
    b1[CLIP] = select(factor, 0x3f800000u, factor > 0x3f800000u && !is_nan(factor));
    if (is_nan(bitcast<u32>(sum))) { b1[CLIP] = 0x7fc00000u; }
}
