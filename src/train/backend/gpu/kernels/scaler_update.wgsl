// Counts the step as taken or skipped and moves the loss scaler on. Buffers: scalars. One invocation.
// Words: 2 rules (0 none or static, 1 torch's, 2 DeepSpeed's), 3 and 4 the growth factor, 5 and 6 the backoff factor (FP64,
// low and high word), 7 growth interval or window, 8 floor or smallest scale, 9 hysteresis, 10 consecutive hysteresis.

fn mul_wide(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return vec2<u32>(a * b, (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

fn nearest(kept: u32, rest: u32, half: u32) -> u32 {
    return select(0u, 1u, rest > half || (rest == half && (kept & 1u) == 1u));
}

// A normal positive FP32 times a normal positive FP64, rounded to FP64 and then to FP32, in integers. What would be
// subnormal is 0: no scale is that small.
fn times(scale: u32, low: u32, high: u32) -> u32 {
    let significand = (scale & 0x7fffffu) | 0x800000u;
    let by_low = mul_wide(significand, low);
    let by_high = mul_wide(significand, (high & 0xfffffu) | 0x100000u);
    var product = vec3<u32>(by_low.x, by_low.y + by_high.x, by_high.y);
    if (product.y < by_low.y) { product.z += 1u; }
    var exponent = i32(scale >> 23u) - 150 + i32(high >> 20u) - 1075 + 76;
    if ((product.z & 0x1000u) == 0u) {
        product = (product << vec3<u32>(1u)) | vec3<u32>(0u, product.x >> 31u, product.y >> 31u);
        exponent -= 1;
    }
    // To 53 bits: 24 of 77 are dropped.
    var upper = (product.y >> 24u) | (product.z << 8u);
    var lower = (product.x >> 24u) | (product.y << 8u);
    let before = lower;
    lower += nearest(lower, product.x & 0xffffffu, 0x800000u);
    if (lower < before) { upper += 1u; }
    if (upper == 0x200000u) {
        upper = 0x100000u;
        exponent += 1;
    }
    // To 24 bits: 29 more.
    let kept = (upper << 3u) | (lower >> 29u);
    let rounded = kept + nearest(kept, lower & 0x1fffffffu, 0x10000000u);
    let field = exponent + 127;
    if (field <= 0) { return 0u; }
    if (field >= 255) { return INFINITY_BITS; }
    // A carry out of the significand moves into the exponent by itself.
    return min((u32(field) << 23u) + (rounded - 0x800000u), INFINITY_BITS);
}

// 1/scale to the nearest FP32, by long division.
fn reciprocal(scale: u32) -> u32 {
    let significand = (scale & 0x7fffffu) | 0x800000u;
    var field = 253 - i32(scale >> 23u);
    var quotient = 0u;
    var rest = 0x800000u;
    for (var i = 0u; i < 24u; i += 1u) {
        rest *= 2u;
        quotient *= 2u;
        if (rest >= significand) {
            rest -= significand;
            quotient += 1u;
        }
    }
    if (significand == 0x800000u) {
        field += 1;
        quotient = 0x800000u;
        rest = 0u;
    }
    if (field >= 1) {
        return (u32(field) << 23u) + (quotient - 0x800000u) + select(0u, 1u, 2u * rest > significand);
    }
    let drop = u32(1 - field);
    let kept = quotient >> drop;
    let half = 1u << (drop - 1u);
    let below = quotient - (kept << drop);
    return kept + select(0u, 1u, below > half || (below == half && (rest > 0u || (kept & 1u) == 1u)));
}

fn take_torch_step(found: bool) {
    if (found) {
        b0[SCALE] = max(times(b0[SCALE], p(5u), p(6u)), p(8u));
        b0[TRACKER] = 0u;
        return;
    }
    let clean = b0[TRACKER] + select(1u, 0u, b0[TRACKER] == 0xffffffffu);
    if (clean != p(7u)) {
        b0[TRACKER] = clean;
        return;
    }
    let grown = times(b0[SCALE], p(3u), p(4u));
    if (grown != INFINITY_BITS) { b0[SCALE] = grown; }
    b0[TRACKER] = 0u;
}

fn take_deepspeed_step(found: bool) {
    let hysteresis = p(9u);
    if (found) {
        if (hysteresis == 1u || b0[HYSTERESIS] == 1u) {
            b0[SCALE] = max(times(b0[SCALE], p(5u), p(6u)), p(8u));
        } else {
            b0[HYSTERESIS] -= 1u;
        }
        b0[TRACKER] = 0u;
        return;
    }
    let before = b0[TRACKER];
    let grows = before > 0u && before % p(7u) == 0u;
    if (grows) {
        let grown = times(b0[SCALE], p(3u), p(4u));
        if (grown != INFINITY_BITS) { b0[SCALE] = grown; }
    }
    if (grows || p(10u) == 1u) { b0[HYSTERESIS] = hysteresis; }
    b0[TRACKER] = before + select(1u, 0u, before == 0xffffffffu);
}

@compute @workgroup_size(1)
fn main() {
    let found = b0[FOUND_INF] != 0u;
    if (!found) { b0[TAKEN] += 1u; }
    b0[STEP_LOW] += 1u;
    if (b0[STEP_LOW] == 0u) { b0[STEP_HIGH] += 1u; }
    if (p(2u) == 0u) { return; }
    if (p(2u) == 1u) { take_torch_step(found); } else { take_deepspeed_step(found); }
    b0[INVERSE] = reciprocal(b0[SCALE]);
}
