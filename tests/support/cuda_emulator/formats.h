// FP16, BF16 and TF32 on the CPU, without branches so that loops over them become vector code.
#pragma once
#include <cstdint>
#include <cstring>

static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static inline float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline float half_to_float(uint16_t half) {
    // The exponent moves by 112; a product with a power of two does it and is exact for subnormals too.
    float scaled = from_bits(uint32_t(half & 0x7fff) << 13) * 0x1p112f;
    uint32_t bits = (half & 0x7c00) == 0x7c00 ? 0x7f800000u | uint32_t(half & 0x3ff) << 13 : bits_of(scaled);
    return from_bits(bits | uint32_t(half & 0x8000) << 16);
}

/// The nearest FP16 value, as a float: ties to even, infinity from 65520 on.
static inline float round_to_half(float value) {
    uint32_t bits = bits_of(value), sign = bits & 0x80000000u, size = bits ^ sign;
    uint32_t normal = (size + 0xfff + (size >> 13 & 1)) & ~0x1fffu;
    normal = normal >= 0x47800000u ? 0x7f800000u : normal;
    // 0.5 has the spacing of FP16's subnormals in its last place.
    uint32_t small = bits_of((from_bits(size) + 0.5f) - 0.5f);
    uint32_t rounded = size < 0x38800000u ? small : normal;
    rounded = size > 0x7f800000u ? size | 0x400000u : rounded;
    return from_bits(rounded | sign);
}

/// Of a value that round_to_half left.
static inline uint16_t half_bits(float rounded) {
    uint32_t bits = bits_of(rounded), size = bits & 0x7fffffffu;
    uint32_t half = size >= 0x7f800000u  ? (size > 0x7f800000u ? 0x7fffu : 0x7c00u)
                    : size < 0x38800000u ? uint32_t(from_bits(size) * 0x1p24f)
                                         : (size - 0x38000000u) >> 13;
    return uint16_t(half | (bits >> 16 & 0x8000));
}

static inline uint16_t float_to_half(float value) { return half_bits(round_to_half(value)); }

static inline float bfloat_to_float(uint16_t bits) { return from_bits(uint32_t(bits) << 16); }

static inline uint16_t float_to_bfloat(float value) {
    uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Ten fraction bits, ties away from zero (cvt.rna.tf32).
static inline float round_to_tf32(float value) {
    uint32_t bits = bits_of(value);
    bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    return finite ? from_bits((bits + 0x1000) & ~0x1fffu) : value;
}
