// Reports the loss, the growth tracker and whether the step was skipped. Buffers: results, scalars. One thread.
KERNEL end_step(Args a) {
    if (threadIdx.x > 0) return;
    u32 *results = words(a, 0), *scalars = words(a, 1);
    results[0] = scalars[LOSS];
    results[2] = scalars[TRACKER];
    results[3] = scalars[FOUND_INF];
}
