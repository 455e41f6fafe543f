// out = A·B with A (M×K) and B (K×N), either stored transposed; tiles of 16×16. For operands that the library has no product
// for. Buffers: a, b, out. Words: 2 M, 3 K, 4 N, 5 a is transposed, 6 b is transposed, 7 FP32
// operands are rounded to TF32. Products are summed in order of k, BLOCK at a time, as on the processor.
#define TILE 16u
#define BLOCK 512u

// Element i, rounded to the nearest TF32 (FP32 without its last 13 fraction bits) where it is asked for.
DEVICE float operand(const Args& a, u32 buffer, u32 i) {
    u32 bits = load_bits(a.buffer[buffer], storage_of(a, buffer), i);
    bool round = a.p[7] && storage_of(a, buffer) == FP32 && (bits & 0x7fffffffu) <= INFINITY_BITS;
    return __uint_as_float(round ? (bits + 0xfffu + ((bits >> 13) & 1u)) & 0xffffe000u : bits);
}

KERNEL matmul(Args a) {
    __shared__ float left[TILE][TILE + 1], right[TILE][TILE + 1];
    u32 rows = a.p[2], depth = a.p[3], columns = a.p[4];
    u32 across = (columns + TILE - 1) / TILE, tiles = across * ((rows + TILE - 1) / TILE);
    u32 y = threadIdx.x / TILE, x = threadIdx.x % TILE;
    for (u32 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        u32 row = tile / across * TILE + y, column = tile % across * TILE + x;
        float sum = 0.0f, before = 0.0f;
        for (u32 start = 0; start < depth; start += TILE) {
            if (start % BLOCK == 0) {
                before += sum;
                sum = 0.0f;
            }
            u32 ka = start + x, kb = start + y;
            left[y][x] = row < rows && ka < depth
                ? operand(a, 0, a.p[5] ? ka * rows + row : row * depth + ka) : 0.0f;
            right[y][x] = kb < depth && column < columns
                ? operand(a, 1, a.p[6] ? column * depth + kb : kb * columns + column) : 0.0f;
            __syncthreads();
            for (u32 k = 0; k < TILE; k++) sum += left[y][k] * right[k][x];
            __syncthreads();
        }
        if (row < rows && column < columns) ((float*)a.buffer[2])[row * columns + column] = before + sum;
    }
}
