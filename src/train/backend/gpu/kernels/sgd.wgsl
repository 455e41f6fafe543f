// v = momentum·v + grad; update = −lr·v; weight += update; nothing if found-inf is set.
// Buffers: weight, grad, scalars, velocity, update. Words: 2 has velocity, 3 writes update, 4 momentum, 5 learning rate.
fn pair(w: u32) {
    let n = p(0u);
    let skip = b2[FOUND_INF] != 0u;
    var weight = vec2<u32>();
    var velocity = vec2<u32>();
    var change = vec2<u32>();
    for (var k = 0u; k < 2u; k += 1u) {
        let i = 2u * w + k;
        if (i >= n) { break; }
        if (skip) { continue; }
        var v = bitcast<f32>(load1(i));
        if (p(2u) == 1u) {
            let next = pf(4u) * bitcast<f32>(load3(i)) + v;
            velocity[k] = bitcast<u32>(next);
            v = bitcast<f32>(round_to(storage_of(3u), bitcast<u32>(next)));
        }
        let delta = v * -pf(5u);
        change[k] = bitcast<u32>(delta);
        weight[k] = bitcast<u32>(bitcast<f32>(load0(i)) + delta);
    }
    if (p(3u) == 1u) { store4(w, change); }
    if (skip) { return; }
    if (p(2u) == 1u) { store3(w, velocity); }
    store0(w, weight);
}
