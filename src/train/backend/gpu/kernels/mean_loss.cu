// The mean of the rows' losses (FP64, in order), to the device's loss scalar. Buffers: losses (FP64), scalars.
// Words: 2 rows. One block.
KERNEL mean_loss(Args a) {
    __shared__ double piece[256];
    const double* losses = (const double*)a.buffer[0];
    u32 rows = a.p[2];
    double sum = 0.0;
    for (u32 first = 0; first < rows; first += 256) {
        u32 count = min(rows - first, 256u);
        if (threadIdx.x < count) piece[threadIdx.x] = losses[first + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) for (u32 i = 0; i < count; i++) sum += piece[i];
        __syncthreads();
    }
    if (threadIdx.x == 0) words(a, 1)[LOSS] = __float_as_uint((float)(sum / (double)rows));
}
