// out[0, c] = Σ_r x[r, c], in order of r; with FP16 accumulation every partial sum is rounded to FP16.
// Buffers: x, out. Words: 2 rows, 3 columns, 4 FP16 accumulation.
KERNEL sum_rows(Args a) {
    u32 rows = a.p[2], columns = a.p[3], storage = storage_of(a, 0);
    FOR_EACH(column, columns) {
        float sum = 0.0f;
        for (u32 row = 0; row < rows; row++) {
            float x = load(a.buffer[0], storage, row * columns + column);
            sum = a.p[4] ? round_to(FP16, add_to_odd(sum, x)) : sum + x;
        }
        ((float*)a.buffer[1])[column] = sum;
    }
}
