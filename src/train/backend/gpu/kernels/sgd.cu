// v = momentum·v + grad; update = −lr·v; weight += update; nothing if found-inf is set.
// Buffers: weight, grad, scalars, velocity, update. Words: 2 has velocity, 3 writes update, 4 momentum, 5 learning rate.
KERNEL sgd(Args a) {
    bool skip = words(a, 2)[FOUND_INF];
    u32 state = storage_of(a, 3);
    FOR_EACH(i, a.p[0]) {
        float delta = 0.0f;
        if (!skip) {
            float v = load(a.buffer[1], storage_of(a, 1), i);
            if (a.p[2]) {
                v = round_to(state, pf(a, 4) * load(a.buffer[3], state, i) + v);
                store(a.buffer[3], state, i, v);
            }
            delta = v * -pf(a, 5);
            store(a.buffer[0], storage_of(a, 0), i, load(a.buffer[0], storage_of(a, 0), i) + delta);
        }
        if (a.p[3]) ((float*)a.buffer[4])[i] = delta;
    }
}
