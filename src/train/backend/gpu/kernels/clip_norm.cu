// grad = grad·factor, unless the factor is 1. Buffers: grad (in place), scalars.
KERNEL clip_norm(Args a) {
    float factor = __uint_as_float(words(a, 1)[CLIP]);
    if (factor == 1.0f) return;
    u32 storage = storage_of(a, 0);
    FOR_EACH(i, a.p[0]) store(a.buffer[0], storage, i, load(a.buffer[0], storage, i) * factor);
}
