// libcublas: the products. Operands are packed as floats into panels; a tile of results stays in registers. Products are
// summed in order of k, 512 at a time and fused with the sum, whatever the matrix around them: as the CPU backend does
// on x86-64, so that whole runs can be compared bit by bit. The real library may sum in any order.
#include "gemm.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#include "formats.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr int TILE_ROWS = 16, TILE_COLUMNS = 6;
constexpr int64_t PANEL_BYTES_A = 192 << 10, PANEL_BYTES_B = 4 << 20;

using Tile = void (*)(const float*, const float*, long, float*);

namespace everywhere {
#define TILE_LANES 4
#include "tile.inl"
#undef TILE_LANES
}  // namespace everywhere

#if defined(__x86_64__) && !defined(EMULATOR_PORTABLE)
#define EMULATOR_AVX2
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#define TILE_LANES 8
#define TILE_F16C
namespace avx2 {
#include "tile.inl"
}  // namespace avx2
#undef TILE_LANES
#undef TILE_F16C
#pragma GCC pop_options
#endif

Tile choose(bool half) {
#ifdef EMULATOR_AVX2
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (fast) return avx2::tile_for(half);
#endif
    return everywhere::tile_for(half);
}

struct Free {
    void operator()(float* data) const { free(data); }
};
using Panel = std::unique_ptr<float[], Free>;

Panel panel(int64_t floats) {
    size_t bytes = (size_t(floats) * 4 + 63) / 64 * 64;
    return Panel(static_cast<float*>(aligned_alloc(64, std::max<size_t>(bytes, 64))));
}

struct AsFloat {
    static float get(float value) { return value; }
    using Stored = float;
};
struct AsTf32 {
    static float get(float value) { return round_to_tf32(value); }
    using Stored = float;
};
struct AsHalf {
    static float get(uint16_t value) { return half_to_float(value); }
    using Stored = uint16_t;
};
struct AsBfloat {
    static float get(uint16_t value) { return bfloat_to_float(value); }
    using Stored = uint16_t;
};

/// Packs `lines` lines of k values (rows of op(A) or columns of op(B)) into panels of WIDTH lines, zeros at the end.
/// `along_lines`: neighbours in memory belong to different lines.
template <class As, int WIDTH>
void pack(const void* source, int64_t leading, bool along_lines, int64_t first, int64_t lines, int64_t k, float* to) {
    auto* data = static_cast<const typename As::Stored*>(source) + (along_lines ? first : first * leading);
    for (int64_t line = 0; line < lines; line += WIDTH, to += WIDTH * k) {
        int width = int(std::min<int64_t>(WIDTH, lines - line));
        if (along_lines) {
            for (int64_t step = 0; step < k; step++) {
                const auto* from = data + line + step * leading;
                if (width == WIDTH) {
                    for (int i = 0; i < WIDTH; i++) to[step * WIDTH + i] = As::get(from[i]);
                } else {
                    for (int i = 0; i < WIDTH; i++) to[step * WIDTH + i] = i < width ? As::get(from[i]) : 0;
                }
            }
        } else {
            for (int i = 0; i < WIDTH; i++) {
                const auto* from = data + (line + i) * leading;
                for (int64_t step = 0; step < k; step++) to[step * WIDTH + i] = i < width ? As::get(from[step]) : 0;
            }
        }
    }
}

template <int WIDTH>
void pack_any(const Gemm& g, const void* source, int64_t leading, bool along, int64_t first, int64_t lines, float* to) {
    if (g.operands == R_16F) return pack<AsHalf, WIDTH>(source, leading, along, first, lines, g.k, to);
    if (g.operands == R_16BF) return pack<AsBfloat, WIDTH>(source, leading, along, first, lines, g.k, to);
    if (g.tf32) return pack<AsTf32, WIDTH>(source, leading, along, first, lines, g.k, to);
    pack<AsFloat, WIDTH>(source, leading, along, first, lines, g.k, to);
}

struct ToFloat {
    static float put(float value) { return value; }
    static float get(float value) { return value; }
    using Stored = float;
};
struct ToHalf {
    static uint16_t put(float value) { return float_to_half(value); }
    static float get(uint16_t value) { return half_to_float(value); }
    using Stored = uint16_t;
};
struct ToBfloat {
    static uint16_t put(float value) { return float_to_bfloat(value); }
    static float get(uint16_t value) { return bfloat_to_float(value); }
    using Stored = uint16_t;
};

/// alpha and beta on one tile. With beta = 0 the old result is not read: it may be anything, NaN too.
template <class To>
void store(const Gemm& g, const float* tile, void* matrix, int64_t row, int64_t column) {
    int64_t rows = std::min<int64_t>(TILE_ROWS, g.m - row), columns = std::min<int64_t>(TILE_COLUMNS, g.n - column);
    for (int64_t j = 0; j < columns; j++, tile += TILE_ROWS) {
        auto* to = static_cast<typename To::Stored*>(matrix) + row + (column + j) * g.ldc;
        if (g.half) {
            for (int64_t i = 0; i < rows; i++) {
                float value = round_to_half(g.alpha * tile[i]);
                if (g.beta != 0) value = round_to_half(value + round_to_half(g.beta * To::get(to[i])));
                to[i] = To::put(value);
            }
        } else if (g.beta != 0) {
            for (int64_t i = 0; i < rows; i++) to[i] = To::put(g.alpha * tile[i] + g.beta * To::get(to[i]));
        } else {
            for (int64_t i = 0; i < rows; i++) to[i] = To::put(g.alpha * tile[i]);
        }
    }
}

void store_any(const Gemm& g, const float* tile, void* matrix, int64_t row, int64_t column) {
    if (g.result == R_16F) return store<ToHalf>(g, tile, matrix, row, column);
    if (g.result == R_16BF) return store<ToBfloat>(g, tile, matrix, row, column);
    store<ToFloat>(g, tile, matrix, row, column);
}

int64_t block_of(int64_t bytes, int64_t k, int64_t step, int64_t all) {
    int64_t lines = std::max<int64_t>(bytes / 4 / std::max<int64_t>(k, 1) / step, 1) * step;
    return std::min(lines, (all + step - 1) / step * step);
}

void multiply_one(const Gemm& g, const void* a, const void* b, void* c) {
    Tile tile = choose(g.half);
    bool empty = g.k == 0 || g.alpha == 0;  // then A and B are not read
    int64_t rows = block_of(PANEL_BYTES_A, g.k, TILE_ROWS, g.m);
    int64_t columns = block_of(PANEL_BYTES_B, g.k, TILE_COLUMNS, g.n);
    Panel packed_a = panel(empty ? 0 : rows * g.k), packed_b = panel(empty ? 0 : columns * g.k);
    alignas(64) float out[TILE_ROWS * TILE_COLUMNS] = {};
    for (int64_t column = 0; column < g.n; column += columns) {
        int64_t width = std::min(columns, g.n - column);
        if (!empty) pack_any<TILE_COLUMNS>(g, b, g.ldb, g.transpose_b, column, width, packed_b.get());
        for (int64_t row = 0; row < g.m; row += rows) {
            int64_t height = std::min(rows, g.m - row);
            if (!empty) pack_any<TILE_ROWS>(g, a, g.lda, !g.transpose_a, row, height, packed_a.get());
            for (int64_t j = 0; j < width; j += TILE_COLUMNS)
                for (int64_t i = 0; i < height; i += TILE_ROWS) {
                    if (!empty) tile(packed_a.get() + i * g.k, packed_b.get() + j * g.k, long(g.k), out);
                    store_any(g, out, c, row + i, column + j);
                }
        }
    }
}

}  // namespace

void multiply(const Gemm& g) {
    int64_t in = bytes_of(g.operands), out = bytes_of(g.result);
    for (int64_t i = 0; i < g.batch; i++)
        multiply_one(g, static_cast<const char*>(g.a) + i * g.stride_a * in,
                     static_cast<const char*>(g.b) + i * g.stride_b * in,
                     static_cast<char*>(g.c) + i * g.stride_c * out);
}
