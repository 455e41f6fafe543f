// Per row: its cross-entropy in nats, and grad = (softmax − onehot)·factor with factor = f32(S·weight) / rows.
// The processor computes the softmax in FP64 and rounds once. WGSL has no FP64: here a number is the sum of two FP32
// (Dekker 1971), good to 2^-44, which rounds to the same FP32 but for one value in some hundred thousand.
// Buffers: logits, labels, grad, losses, scalars. Words: 2 rows, 3 classes, 4 weight, 5 scaled.

// x + y, and what the sum's rounding left out (Knuth's two-sum).
fn sum_of(x: f32, y: f32) -> vec2<f32> {
    let sum = opaque(x + y);
    let back = opaque(sum - x);
    let rest = opaque(sum - back);
    return vec2<f32>(sum, opaque(x - rest) + opaque(y - back));
}
// The same for |x| ≥ |y|.
fn sorted_sum(x: f32, y: f32) -> vec2<f32> {
    let sum = opaque(x + y);
    return vec2<f32>(sum, y - opaque(sum - x));
}
// The upper half of a significand and the lower one (Veltkamp).
fn halves(x: f32) -> vec2<f32> {
    let large = opaque(4097.0 * x);
    let upper = opaque(large - opaque(large - x));
    return vec2<f32>(upper, x - upper);
}
// x·y, and what the product's rounding left out.
fn product_of(x: f32, y: f32) -> vec2<f32> {
    let product = opaque(x * y);
    let a = halves(x);
    let b = halves(y);
    let first = opaque(opaque(a.x * b.x) - product);
    return vec2<f32>(product, opaque(opaque(first + a.x * b.y) + a.y * b.x) + a.y * b.y);
}
fn add(x: vec2<f32>, y: vec2<f32>) -> vec2<f32> {
    let sum = sum_of(x.x, y.x);
    return sorted_sum(sum.x, sum.y + (x.y + y.y));
}
fn multiply(x: vec2<f32>, y: vec2<f32>) -> vec2<f32> {
    let product = product_of(x.x, y.x);
    return sorted_sum(product.x, product.y + (x.x * y.y + x.y * y.x));
}
// Corrected twice, so that a division that errs in its last bits does no harm.
fn divide(x: vec2<f32>, y: vec2<f32>) -> vec2<f32> {
    let first = opaque(x.x / y.x);
    let rest = add(x, multiply(vec2<f32>(-first, 0.0), y));
    let second = opaque(rest.x / y.x);
    let last = add(rest, multiply(vec2<f32>(-second, 0.0), y)).x / y.x;
    return add(sum_of(first, second), vec2<f32>(last, 0.0));
}

struct Power { significand: vec2<f32>, exponent: i32 }

// e^x for x ≤ 0: e^r·2^n with x = n·ln 2 + r, e^r from its Taylor polynomial of degree 12.
fn power_of_e(x: vec2<f32>) -> Power {
    // FP32 has nothing as small; −infinity comes here too.
    if (x.x < -150.0) { return Power(vec2<f32>(), 0); }
    var inverse_factorials = array<vec2<f32>, 12>(
        vec2<f32>(2.5052108e-08, 4.417623e-16), vec2<f32>(2.755732e-07, -7.575112e-15),
        vec2<f32>(2.7557319e-06, 3.7935712e-14), vec2<f32>(2.4801588e-05, -3.406996e-13),
        vec2<f32>(0.0001984127, -2.7255969e-12), vec2<f32>(0.0013888889, -3.3631094e-11),
        vec2<f32>(0.008333334, -4.346172e-10), vec2<f32>(0.041666668, -1.2417635e-09),
        vec2<f32>(0.16666667, -4.967054e-09), vec2<f32>(0.5, 0.0), vec2<f32>(1.0, 0.0), vec2<f32>(1.0, 0.0));
    let n = round(x.x * 1.442695);
    // ln 2 in three parts; n times the first is exact.
    var r = add(x, vec2<f32>(-n * 0.69314575, 0.0));
    r = add(r, product_of(-n, 1.4286068e-06));
    r = add(r, vec2<f32>(-n * 5.497923e-14, 0.0));
    var sum = vec2<f32>(2.0876756e-09, 1.1082839e-16);
    for (var i = 0u; i < 12u; i += 1u) { sum = add(multiply(sum, r), inverse_factorials[i]); }
    return Power(sum, i32(n));
}
// 2^n, in two steps where FP32 has no normal number as small.
fn scaled(x: vec2<f32>, n: i32) -> vec2<f32> {
    let first = max(n, -100);
    return x * bitcast<f32>(u32(first + 127) << 23u) * bitcast<f32>(u32(max(n - first, -100) + 127) << 23u);
}

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
        var sum = vec2<f32>();
        for (var c = 0u; c < classes; c += 1u) {
            let power = power_of_e(sum_of(bitcast<f32>(load0(first + c)), -largest));
            sum = add(sum, scaled(power.significand, power.exponent));
        }
        let label = b1[row];
        let loss = log(sum.x) + (largest - bitcast<f32>(load0(first + label)));
        // A row of −infinity alone is as undefined as one with a NaN.
        spoiled = spoiled || bitcast<u32>(largest) == 0xff800000u;
        b3[row] = select(bitcast<u32>(loss), 0x7fc00000u, spoiled);
        for (var c = 0u; c < classes; c += 1u) {
            let power = power_of_e(sum_of(bitcast<f32>(load0(first + c)), -largest));
            let probability = scaled(divide(power.significand, sum), power.exponent).x;
            let gradient = (probability - select(0.0, 1.0, c == label)) * factor;
            b2[first + c] = select(bitcast<u32>(gradient), 0x7fc00000u, spoiled);
        }
    }
}
