// max_norm / (norm + 1e-6), at most 1, from all partial sums of squares. Buffers: partials (FP64), scalars.
// Words: 2 how many, 3 max_norm. One thread.
KERNEL clip_factor(Args a) {
    if (threadIdx.x > 0) return;
    const double* partials = (const double*)a.buffer[0];
    double sum = 0.0;
    for (u32 i = 0; i < a.p[2]; i++) sum += partials[i];
    float factor = pf(a, 3) / ((float)sqrt(sum) + 1e-6f);
    words(a, 1)[CLIP] = __float_as_uint(factor > 1.0f ? 1.0f : factor);
}
