// out = round(x) to the storage of out. Buffers: x, out, scalars.
// Words: 2 stochastic, 3 flush, 4 and 5 the seed, 6 and 7 the place of the instruction (low, high).

fn mul_wide(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return vec2<u32>(a * b, (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}
// 64-bit integers as (low, high).
fn mul64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_wide(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}
fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}
fn xor_shifted(a: vec2<u32>, by: u32) -> vec2<u32> {
    return a ^ vec2<u32>((a.x >> by) | (a.y << (32u - by)), a.y >> by);
}
fn rotate_left(a: vec2<u32>, by: u32) -> vec2<u32> {
    return vec2<u32>((a.x << by) | (a.y >> (32u - by)), (a.y << by) | (a.x >> (32u - by)));
}
fn split_mix(state: vec2<u32>) -> vec2<u32> {
    var mixed = add64(state, vec2<u32>(0x7f4a7c15u, 0x9e3779b9u));
    mixed = mul64(xor_shifted(mixed, 30u), vec2<u32>(0x1ce4e5b9u, 0xbf58476du));
    mixed = mul64(xor_shifted(mixed, 27u), vec2<u32>(0x133111ebu, 0x94d049bbu));
    return xor_shifted(mixed, 31u);
}
fn random_bits(element: u32) -> u32 {
    let step = rotate_left(vec2<u32>(b2[STEP_LOW], b2[STEP_HIGH]), 20u);
    // Rotating by 44 is exchanging the halves and rotating by 12.
    let place = rotate_left(vec2<u32>(p(7u), p(6u)), 12u);
    let key = split_mix(vec2<u32>(p(4u), p(5u)) ^ step ^ place);
    return split_mix(key ^ mul64(vec2<u32>(element, 0u), vec2<u32>(0x53a21f4bu, 0xd1290ff8u))).y;
}

// Up with the probability of what is discarded, in steps of 2^-32; else down, in magnitude.
fn stochastic(bits: u32, storage: u32, random: u32) -> u32 {
    let fraction_bits = select(7u, 10u, storage == FP16);
    let least = select(-126, -14, storage == FP16);
    let infinity = select(0x7f80u, 0x7c00u, storage == FP16);
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if (magnitude > INFINITY_BITS) { return sign | infinity | (1u << (fraction_bits - 1u)); }
    let field = magnitude >> 23u;
    let significand = (magnitude & 0x7fffffu) | select(0x800000u, 0u, field == 0u);
    let exponent = i32(max(field, 1u)) - 127;
    let steps_of = max(exponent, least);
    let drop = min(23u - fraction_bits + u32(steps_of - exponent), 63u);
    var kept = 0u;
    var threshold = 0u;
    if (drop < 32u) {
        kept = significand >> drop;
        threshold = (significand - (kept << drop)) << (32u - drop);
    } else {
        threshold = significand >> (drop - 32u);
    }
    let base = u32(steps_of - least) << fraction_bits;
    return sign | min(base + kept + select(0u, 1u, random < threshold), infinity);
}

fn value(i: u32) -> u32 {
    let x = load0(i);
    let storage = storage_of(1u);
    if (storage == FP32) {
        return select(x, x & 0x80000000u, p(3u) == 1u && (x & INFINITY_BITS) == 0u);
    }
    var half = 0u;
    if (p(2u) == 1u) { half = stochastic(x, storage, random_bits(i)); } else { half = narrow(storage, x); }
    let field = select(0x7f80u, 0x7c00u, storage == FP16);
    if (p(3u) == 1u && (half & field) == 0u) { half &= 0x8000u; }
    return widen(storage, half);
}
