// out = A·B where every partial sum, in order of k, is rounded to FP16. For operands that the library has no such product for.
// Buffers: a, b, out. Words: 0 M·N, 2 M, 3 K, 4 N, 5 a is transposed, 6 b is transposed.
KERNEL matmul_fp16(Args a) {
    u32 rows = a.p[2], depth = a.p[3], columns = a.p[4];
    FOR_EACH(i, a.p[0]) {
        u32 row = i / columns, column = i % columns;
        float sum = 0.0f;
        for (u32 k = 0; k < depth; k++) {
            float x = load(a.buffer[0], storage_of(a, 0), a.p[5] ? k * rows + row : row * depth + k);
            float y = load(a.buffer[1], storage_of(a, 1), a.p[6] ? column * depth + k : k * columns + column);
            sum = round_to(FP16, add_to_odd(sum, x * y));
        }
        ((float*)a.buffer[2])[i] = sum;
    }
}
