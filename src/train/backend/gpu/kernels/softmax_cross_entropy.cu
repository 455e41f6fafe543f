// Per row: its cross-entropy in nats, and grad = (softmax − onehot)·factor with factor = f32(S·weight) / rows; FP64 inside,
// with an exp and a ln of our own that give the same bits everywhere.
// Buffers: logits, labels, grad, losses (FP64), scalars. Words: 2 rows, 3 classes, 4 weight, 5 scaled.

// From a Taylor polynomial of degree 12 after taking out powers of two; good to 2^-45.
DEVICE double exponential(double x) {
    const double log2_e = 1.4426950408889634, round = 6755399441055744.0;
    const double ln2_high = __longlong_as_double(0x3fe62e42fee00000ll), ln2_low = __longlong_as_double(0x3dea39ef35793c76ll);
    const double factors[12] = {1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0,
                                1.0 / 120.0,      1.0 / 24.0,      1.0 / 6.0,      0.5,           1.0,          1.0};
    // NaN passes: it fails both comparisons.
    x = x < -708.0 ? -708.0 : x;
    x = x > 709.0 ? 709.0 : x;
    double shifted = x * log2_e + round, n = shifted - round;
    double r = (x - n * ln2_high) - n * ln2_low;
    double sum = 1.0 / 479001600.0;
    for (int i = 0; i < 12; i++) sum = sum * r + factors[i];
    long long exponent = __double_as_longlong(shifted) - __double_as_longlong(round) + 1023;
    return sum * __longlong_as_double((long long)((u64)exponent << 52));
}

// 2·atanh((m − 1)/(m + 1)) + k·ln 2, good to 2^-43.
DEVICE double logarithm(double x) {
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(x >= 0.0)) return __longlong_as_double(0x7ff8000000000000ll);
    if (x == 0.0) return -infinity;
    if (x == infinity) return x;
    u64 bits = (u64)__double_as_longlong(x);
    long long k = (long long)(bits >> 52) - 1023;
    double m = __longlong_as_double((long long)((bits & ((1ull << 52) - 1)) | (1023ull << 52)));
    if (m >= 1.4142135623730951) {
        m *= 0.5;
        k += 1;
    }
    double s = (m - 1.0) / (m + 1.0), square = s * s, sum = 0.0;
    for (int odd = 17; odd > 0; odd -= 2) sum = sum * square + 1.0 / odd;
    return (double)k * 0.6931471805599453 + 2.0 * s * sum;
}

KERNEL softmax_cross_entropy(Args a) {
    u32 rows = a.p[2], classes = a.p[3], storage = storage_of(a, 0);
    float seed = a.p[5] ? __uint_as_float(words(a, 4)[SCALE]) * pf(a, 4) : pf(a, 4);
    float factor = seed / (float)rows;
    const u32* labels = words(a, 1);
    float* grad = (float*)a.buffer[2];
    double* losses = (double*)a.buffer[3];
    FOR_EACH(row, rows) {
        u32 first = row * classes;
        float top = __uint_as_float(0xff800000u);
        for (u32 c = 0; c < classes; c++) top = fmaxf(top, load(a.buffer[0], storage, first + c));
        double largest = top, sum = 0.0;
        for (u32 c = 0; c < classes; c++) sum += exponential((double)load(a.buffer[0], storage, first + c) - largest);
        losses[row] = logarithm(sum) + largest - (double)load(a.buffer[0], storage, first + labels[row]);
        for (u32 c = 0; c < classes; c++) {
            float probability = (float)(exponential((double)load(a.buffer[0], storage, first + c) - largest) / sum);
            grad[first + c] = (probability - (c == labels[row] ? 1.0f : 0.0f)) * factor;
        }
    }
}
