// Adam with bias correction, in torch's order of operations; nothing if found-inf is set.
// Buffers: weight, grad, scalars, first moment, second moment, update, corrections (by the number of steps taken: step size,
// √(1 − β2^t)). Words: 2 writes update, 3 β1, 4 1 − β1, 5 β2, 6 1 − β2, 7 ε, 8 the last correction.
KERNEL adam(Args a) {
    const u32* scalars = words(a, 2);
    bool skip = scalars[FOUND_INF];
    const float* corrections = (const float*)a.buffer[6] + 2 * min(scalars[TAKEN], a.p[8]);
    float step_size = corrections[0], correction = corrections[1];
    u32 first = storage_of(a, 3), second = storage_of(a, 4);
    FOR_EACH(i, a.p[0]) {
        float delta = 0.0f;
        if (!skip) {
            float grad = load(a.buffer[1], storage_of(a, 1), i);
            float m = round_to(first, pf(a, 3) * load(a.buffer[3], first, i) + pf(a, 4) * grad);
            float v = round_to(second, pf(a, 5) * load(a.buffer[4], second, i) + pf(a, 6) * grad * grad);
            store(a.buffer[3], first, i, m);
            store(a.buffer[4], second, i, v);
            float denominator = round_to(second, round_to(second, sqrtf(v) / correction) + pf(a, 7));
            delta = -step_size * (m / denominator);
            store(a.buffer[0], storage_of(a, 0), i, load(a.buffer[0], storage_of(a, 0), i) + delta);
        }
        if (a.p[2]) ((float*)a.buffer[5])[i] = delta;
    }
}
