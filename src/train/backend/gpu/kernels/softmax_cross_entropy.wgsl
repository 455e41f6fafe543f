// Per row: its cross-entropy in nats, and grad = (softmax − onehot)·factor with factor = f32(S·weight) / rows.
// Buffers: logits, labels, grad, losses, scalars. Words: 2 rows, 3 classes, 4 weight, 5 scaled.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let rows = p(2u);
    let classes = p(3u);
    var seed = pf(4u);
    if (p(5u) == 1u) { seed *= bitcast<f32>(b4[SCALE]); }
    let factor = seed / f32(rows);
    for (var row = id.x; row < rows; row += groups.x * 256u) {
        let first = row * classes;
        // Like a maximum that ignores NaN; a NaN or +infinity still ends up in the sum.
        var largest = bitcast<f32>(0xff800000u);
        var spoiled = false;
        for (var c = 0u; c < classes; c += 1u) {
            let bits = load0(first + c);
            if (is_nan(bits) || bits == INFINITY_BITS) { spoiled = true; } else { largest = max(largest, bitcast<f32>(bits)); }
        }
        var sum = 0.0;
        for (var c = 0u; c < classes; c += 1u) { sum += exp(bitcast<f32>(load0(first + c)) - largest); }
        let label = b1[row];
        let loss = log(sum) + (largest - bitcast<f32>(load0(first + label)));
        // A row of −infinity alone is as undefined as one with a NaN.
        spoiled = spoiled || bitcast<u32>(largest) == 0xff800000u;
        b3[row] = select(bitcast<u32>(loss), 0x7fc00000u, spoiled);
        for (var c = 0u; c < classes; c += 1u) {
            let probability = exp(bitcast<f32>(load0(first + c)) - largest) / sum;
            let gradient = (probability - select(0.0, 1.0, c == label)) * factor;
            b2[first + c] = select(bitcast<u32>(gradient), 0x7fc00000u, spoiled);
        }
    }
}
