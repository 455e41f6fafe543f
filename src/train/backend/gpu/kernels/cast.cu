// out = round(x) to the storage of out. Buffers: x, out, scalars.
// Words: 2 stochastic, 3 flush, 4 and 5 the seed, 6 and 7 the place of the instruction (low, high).

DEVICE u64 split_mix(u64 state) {
    u64 mixed = state + 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    return mixed ^ (mixed >> 31);
}
DEVICE u64 rotate_left(u64 x, u32 by) { return (x << by) | (x >> (64 - by)); }
DEVICE u64 pair(u32 low, u32 high) { return ((u64)high << 32) | low; }

// Up with the probability of what is discarded, in steps of 2^-32; else down, in magnitude.
DEVICE u32 stochastic(u32 bits, u32 storage, u32 random) {
    u32 fraction_bits = storage == FP16 ? 10u : 7u, infinity = storage == FP16 ? 0x7c00u : 0x7f80u;
    int least = storage == FP16 ? -14 : -126;
    u32 sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > INFINITY_BITS) return sign | infinity | (1u << (fraction_bits - 1));
    u32 field = magnitude >> 23, significand = (magnitude & 0x7fffffu) | (field ? 0x800000u : 0u);
    int exponent = (int)max(field, 1u) - 127, steps_of = max(exponent, least);
    u32 drop = min(23u - fraction_bits + (u32)(steps_of - exponent), 63u);
    u32 kept = drop < 32u ? significand >> drop : 0u;
    u32 threshold = drop < 32u ? (significand - (kept << drop)) << (32u - drop) : significand >> (drop - 32u);
    u32 base = (u32)(steps_of - least) << fraction_bits;
    return sign | min(base + kept + (random < threshold ? 1u : 0u), infinity);
}

KERNEL cast(Args a) {
    u32 from = storage_of(a, 0), to = storage_of(a, 1);
    bool at_random = a.p[2], flush = a.p[3];
    const u32* scalars = words(a, 2);
    u64 step = pair(scalars[STEP_LOW], scalars[STEP_HIGH]);
    u64 key = split_mix(pair(a.p[4], a.p[5]) ^ rotate_left(step, 20) ^ rotate_left(pair(a.p[6], a.p[7]), 44));
    FOR_EACH(i, a.p[0]) {
        u32 x = load_bits(a.buffer[0], from, i);
        if (to == FP32) {
            words(a, 1)[i] = flush && (x & INFINITY_BITS) == 0u ? x & 0x80000000u : x;
            continue;
        }
        u32 random = at_random ? (u32)(split_mix(key ^ (u64)i * 0xd1290ff853a21f4bull) >> 32) : 0u;
        u32 half = at_random ? stochastic(x, to, random) : narrow(to, x);
        if (flush && (half & (to == FP16 ? 0x7c00u : 0x7f80u)) == 0u) half &= 0x8000u;
        ((u16*)a.buffer[1])[i] = (u16)half;
    }
}
