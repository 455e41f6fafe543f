// out = grad where output > 0 or is NaN, else +0. Buffers: grad, output, out.
KERNEL relu_grad(Args a) {
    FOR_EACH(i, a.p[0]) {
        u32 output = load_bits(a.buffer[1], storage_of(a, 1), i);
        bool passes = (output & 0x7fffffffu) > INFINITY_BITS || (output != 0u && !(output >> 31));
        u32 grad = load_bits(a.buffer[0], storage_of(a, 0), i);
        store(a.buffer[2], storage_of(a, 2), i, __uint_as_float(passes ? grad : 0u));
    }
}
