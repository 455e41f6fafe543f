// out = max(x, 0); NaN stays NaN, whatever its sign. Buffers: x, out.
KERNEL relu(Args a) {
    FOR_EACH(i, a.p[0]) {
        u32 x = load_bits(a.buffer[0], storage_of(a, 0), i);
        bool clear = (x >> 31) && (x & 0x7fffffffu) <= INFINITY_BITS;
        store(a.buffer[1], storage_of(a, 1), i, __uint_as_float(clear ? 0u : x));
    }
}
