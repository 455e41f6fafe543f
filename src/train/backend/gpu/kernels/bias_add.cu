// out[r, c] = x[r, c] + bias[c]. Buffers: x, bias, out. Words: 2 columns.
KERNEL bias_add(Args a) {
    FOR_EACH(i, a.p[0]) {
        float x = load(a.buffer[0], storage_of(a, 0), i), bias = load(a.buffer[1], storage_of(a, 1), i % a.p[2]);
        store(a.buffer[2], storage_of(a, 2), i, x + bias);
    }
}
