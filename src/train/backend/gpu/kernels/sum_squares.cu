// Sums of squares of a gradient, one for each block, in FP64. Buffers: grad, partials (FP64). Words: 2 the first partial.
KERNEL sum_squares(Args a) {
    __shared__ double sums[256];
    u32 storage = storage_of(a, 0);
    double sum = 0.0;
    FOR_EACH(i, a.p[0]) {
        double x = load(a.buffer[0], storage, i);
        sum += x * x;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (u32 half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) ((double*)a.buffer[1])[a.p[2] + blockIdx.x] = sums[0];
}
