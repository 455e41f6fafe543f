// out = x·inverse (x itself where that is 1), and found-inf is set if any x is not finite. Buffers: x, out, scalars.
KERNEL unscale(Args a) {
    u32* scalars = words(a, 2);
    float inverse = __uint_as_float(scalars[INVERSE]);
    bool found = false;
    FOR_EACH(i, a.p[0]) {
        u32 x = load_bits(a.buffer[0], storage_of(a, 0), i);
        found |= (x & INFINITY_BITS) == INFINITY_BITS;
        float wide = __uint_as_float(x);
        store(a.buffer[1], storage_of(a, 1), i, inverse == 1.0f ? wide : wide * inverse);
    }
    if (found) atomicOr(&scalars[FOUND_INF], 1u);
}
