// Clears what the step is going to report and the found-inf flag, and notes the scale. Buffers: results, scalars.
// Words: 2 how many words of results.
KERNEL begin_step(Args a) {
    u32 *results = words(a, 0), *scalars = words(a, 1);
    FOR_EACH(i, a.p[2]) results[i] = i == 1 ? scalars[SCALE] : 0u;
    if (blockIdx.x == 0 && threadIdx.x == 0) scalars[FOUND_INF] = 0u;
}
