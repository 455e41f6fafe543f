// Adam with bias correction, in torch's order of operations; nothing if found-inf is set.
// Buffers: weight, grad, scalars, first moment, second moment, update, corrections (by the number of steps taken: step size,
// √(1 − β2^t)). Words: 2 writes update, 3 β1, 4 1 − β1, 5 β2, 6 1 − β2, 7 ε, 8 the last correction.
fn pair(w: u32) {
    let n = p(0u);
    let skip = b2[FOUND_INF] != 0u;
    let at = 2u * min(b2[TAKEN], p(8u));
    let step_size = bitcast<f32>(b6[at]);
    let correction = bitcast<f32>(b6[at + 1u]);
    var weight = vec2<u32>();
    var first = vec2<u32>();
    var second = vec2<u32>();
    var change = vec2<u32>();
    for (var k = 0u; k < 2u; k += 1u) {
        let i = 2u * w + k;
        if (i >= n) { break; }
        if (skip) { continue; }
        let grad = bitcast<f32>(load1(i));
        first[k] = bitcast<u32>(pf(3u) * bitcast<f32>(load3(i)) + pf(4u) * grad);
        second[k] = bitcast<u32>(pf(5u) * bitcast<f32>(load4(i)) + pf(6u) * grad * grad);
        let m = bitcast<f32>(round_to(storage_of(3u), first[k]));
        let v = bitcast<f32>(round_to(storage_of(4u), second[k]));
        var denominator = round_to(storage_of(4u), bitcast<u32>(sqrt(v) / correction));
        denominator = round_to(storage_of(4u), bitcast<u32>(bitcast<f32>(denominator) + pf(7u)));
        // Compilers may assume that 0/0 does not happen, and it does: with FP16 moments ε is zero.
        let undefined = (bitcast<u32>(m) & 0x7fffffffu) == 0u && (denominator & 0x7fffffffu) == 0u;
        let delta = -step_size * (m / bitcast<f32>(denominator));
        change[k] = select(bitcast<u32>(delta), 0x7fc00000u, undefined);
        weight[k] = select(bitcast<u32>(bitcast<f32>(load0(i)) + delta), 0x7fc00000u, undefined);
    }
    if (p(2u) == 1u) { store5(w, change); }
    if (skip) { return; }
    store3(w, first);
    store4(w, second);
    store0(w, weight);
}
