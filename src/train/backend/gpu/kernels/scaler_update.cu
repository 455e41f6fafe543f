// Counts the step as taken or skipped and moves the loss scaler on. Buffers: scalars. One thread.
// Words: 2 rules (0 none or static, 1 torch's, 2 DeepSpeed's), 3 and 4 the growth factor, 5 and 6 the backoff factor (FP64,
// low and high word), 7 growth interval or window, 8 floor or smallest scale, 9 hysteresis, 10 consecutive hysteresis.

// A scale times a factor in FP64, stored as FP32.
DEVICE float times(u32 scale, u32 low, u32 high) {
    return (float)((double)__uint_as_float(scale) * __longlong_as_double((long long)(((u64)high << 32) | low)));
}
DEVICE u32 backed_off(const Args& a, u32 scale) {
    return __float_as_uint(fmaxf(times(scale, a.p[5], a.p[6]), pf(a, 8)));
}
DEVICE u32 grown(const Args& a, u32 scale) {
    u32 grown = __float_as_uint(times(scale, a.p[3], a.p[4]));
    return grown == INFINITY_BITS ? scale : grown;
}
DEVICE u32 one_more(u32 count) { return count == 0xffffffffu ? count : count + 1; }

DEVICE void take_torch_step(const Args& a, u32* s, bool found) {
    u32 clean = one_more(s[TRACKER]);
    bool grows = !found && clean == a.p[7];
    if (found) s[SCALE] = backed_off(a, s[SCALE]);
    if (grows) s[SCALE] = grown(a, s[SCALE]);
    s[TRACKER] = found || grows ? 0u : clean;
}

DEVICE void take_deepspeed_step(const Args& a, u32* s, bool found) {
    u32 hysteresis = a.p[9], before = s[TRACKER];
    if (found) {
        if (hysteresis == 1 || s[HYSTERESIS] == 1) s[SCALE] = backed_off(a, s[SCALE]);
        else s[HYSTERESIS] -= 1;
        s[TRACKER] = 0;
        return;
    }
    bool grows = before > 0 && before % a.p[7] == 0;
    if (grows) s[SCALE] = grown(a, s[SCALE]);
    if (grows || a.p[10]) s[HYSTERESIS] = hysteresis;
    s[TRACKER] = one_more(before);
}

KERNEL scaler_update(Args a) {
    if (threadIdx.x > 0) return;
    u32* s = words(a, 0);
    bool found = s[FOUND_INF];
    if (!found) s[TAKEN] += 1;
    s[STEP_LOW] += 1;
    if (s[STEP_LOW] == 0) s[STEP_HIGH] += 1;
    if (a.p[2] == 0) return;
    if (a.p[2] == 1) take_torch_step(a, s, found);
    else take_deepspeed_step(a, s, found);
    s[INVERSE] = __float_as_uint((float)(1.0 / (double)__uint_as_float(s[SCALE])));
}
