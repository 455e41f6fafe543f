// The exponent histogram of a tensor, as rows of nine significand classes, and how many values are zero in it but not in
// its twin. Buffers: tensor, twin, results. Words: 2 where the counts begin, 3 has a twin.
#define HEAD 8u
#define CLASSES 9u
#define COUNTERS 2493u // 277 exponents, -149 to 127

// The class of a significand, from its top eleven fraction bits and a sticky bit.
DEVICE u32 class_of(u32 code) {
    return (code >= 1u) + (code >= 0xc00u) + (code >= 0xd01u) + (code >= 0xe00u) + (code >= 0xfe0u) + (code >= 0xff0u) +
           (code >= 0xffcu) + (code >= 0xffeu);
}

KERNEL probe(Args a) {
    // Two sets of counters, taken in turn by warps: neighbouring values often want the same one.
    __shared__ u32 counters[2][COUNTERS];
    __shared__ u32 head[HEAD];
    for (u32 i = threadIdx.x; i < 2 * COUNTERS; i += blockDim.x) counters[0][i] = 0;
    if (threadIdx.x < HEAD) head[threadIdx.x] = 0;
    __syncthreads();
    u32* mine = counters[(threadIdx.x / 32) % 2];
    u32 storage = storage_of(a, 0), other = storage_of(a, 1);
    u32 zeros = 0, lost = 0, largest = 0, least = 0; // least is of the complement, so that the largest is kept of both
    FOR_EACH(i, a.p[0]) {
        u32 bits = load_bits(a.buffer[0], storage, i), magnitude = bits & 0x7fffffffu;
        if (magnitude == 0) {
            zeros++;
            lost += a.p[3] && (load_bits(a.buffer[1], other, i) & 0x7fffffffu) != 0;
        } else if (magnitude > INFINITY_BITS) {
            atomicAdd(&head[1], 1u);
        } else if (magnitude == INFINITY_BITS) {
            atomicAdd(&head[2 + (bits >> 31)], 1u);
        } else {
            largest = max(largest, magnitude);
            least = max(least, ~magnitude);
            // The row, counted from exponent -149; a subnormal's fraction is moved up until its first one falls out.
            u32 row = (magnitude >> 23) + 22, fraction = magnitude & 0x7fffffu;
            if (magnitude < 0x800000u) {
                row = 31 - __clz((int)magnitude);
                fraction = (magnitude << (23 - row)) & 0x7fffffu;
            }
            u32 code = ((fraction >> 12) << 1) | ((fraction & 0xfffu) != 0);
            atomicAdd(&mine[row * CLASSES + class_of(code)], 1u);
        }
    }
    if (zeros) atomicAdd(&head[0], zeros);
    if (lost) atomicAdd(&head[6], lost);
    if (least) atomicMax(&head[4], least);
    if (largest) atomicMax(&head[5], largest);
    __syncthreads();
    u32* results = words(a, 2) + a.p[2];
    for (u32 i = threadIdx.x; i < COUNTERS; i += blockDim.x) {
        u32 count = counters[0][i] + counters[1][i];
        if (count) atomicAdd(&results[HEAD + i], count);
    }
    if (threadIdx.x < HEAD && head[threadIdx.x]) {
        if (threadIdx.x == 4 || threadIdx.x == 5) atomicMax(&results[threadIdx.x], head[threadIdx.x]);
        else atomicAdd(&results[threadIdx.x], head[threadIdx.x]);
    }
}
