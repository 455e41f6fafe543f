// The inner loops of a product: TILE_ROWS x TILE_COLUMNS results. Included once for each instruction set, with
// TILE_LANES floats in a vector; two vectors of rows by all columns are as many sums as there are registers for.
// Panels: for each step of k, TILE_ROWS values of A one after another, TILE_COLUMNS of B.

typedef float Vector __attribute__((vector_size(TILE_LANES * 4), may_alias));

#ifdef TILE_F16C
static inline Vector to_half_and_back(Vector value) {
    return Vector(_mm256_cvtph_ps(_mm256_cvtps_ph(__m256(value), _MM_FROUND_TO_NEAREST_INT)));
}
#else
typedef int32_t Bits __attribute__((vector_size(TILE_LANES * 4)));

/// round_to_half of formats.h, on vectors.
static inline Vector to_half_and_back(Vector value) {
    Bits sign = Bits(value) & INT32_MIN, size = Bits(value) ^ sign;
    Bits normal = (size + 0xfff + (size >> 13 & 1)) & ~0x1fff;
    normal = normal >= 0x47800000 ? Bits{} + 0x7f800000 : normal;
    Bits small = Bits((Vector(size) + 0.5f) - 0.5f);
    Bits rounded = size < 0x38800000 ? small : normal;
    rounded = size > 0x7f800000 ? size | 0x400000 : rounded;
    return Vector(rounded | sign);
}
#endif

static inline Vector add_product(Vector sum, Vector a, float b) { return sum + a * b; }

/// As hardware that keeps every product and every partial sum in FP16.
static inline Vector add_product_half(Vector sum, Vector a, float b) {
    return to_half_and_back(sum + to_half_and_back(a * b));
}

/// Sums of BLOCK products are added up; with `add_product_half` every partial sum is an FP16 and there is one block.
template <Vector add(Vector, Vector, float), long BLOCK>
static inline void multiply_rows(const float* a, const float* b, long k, float* out) {
    for (long start = 0; start < k; start += BLOCK) {
        Vector sum[TILE_COLUMNS][2] = {};
        for (long step = start; step < k && step - start < BLOCK; step++, a += TILE_ROWS, b += TILE_COLUMNS) {
            Vector low = *reinterpret_cast<const Vector*>(a), high = *reinterpret_cast<const Vector*>(a + TILE_LANES);
#pragma GCC unroll 6
            for (int column = 0; column < TILE_COLUMNS; column++) {
                sum[column][0] = add(sum[column][0], low, b[column]);
                sum[column][1] = add(sum[column][1], high, b[column]);
            }
        }
        for (int column = 0; column < TILE_COLUMNS; column++)
            for (int half = 0; half < 2; half++) {
                Vector* to = reinterpret_cast<Vector*>(out + column * TILE_ROWS + half * TILE_LANES);
                *to = start ? *to + sum[column][half] : sum[column][half];
            }
    }
}

template <Vector add(Vector, Vector, float), long BLOCK>
static void multiply_tile(const float* a, const float* b, long k, float* out) {
    for (int row = 0; row < TILE_ROWS; row += 2 * TILE_LANES) multiply_rows<add, BLOCK>(a + row, b, k, out + row);
}

static Tile tile_for(bool half) { return half ? multiply_tile<add_product_half, LONG_MAX> : multiply_tile<add_product, 512>; }
