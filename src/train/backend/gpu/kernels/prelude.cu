// Arguments and number formats of every kernel. No header is needed: NVRTC alone compiles this.

struct Args {
    void* buffer[8];
    unsigned int p[24];
};

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long long u64;

#define FP32 0u
#define FP16 1u
#define BF16 2u
#define INFINITY_BITS 0x7f800000u

// Words of the device's scalars.
#define SCALE 0
#define INVERSE 1
#define TRACKER 2
#define HYSTERESIS 3
#define FOUND_INF 4
#define LOSS 5
#define TAKEN 6
#define STEP_LOW 7
#define STEP_HIGH 8
#define CLIP 9

#define DEVICE static __device__ __forceinline__
#define KERNEL extern "C" __global__ void __launch_bounds__(256)

// Element by element over all blocks, whatever their number.
#define FOR_EACH(i, n) \
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)

DEVICE u32 storage_of(const Args& a, u32 buffer) { return (a.p[1] >> (4 * buffer)) & 15; }
DEVICE float pf(const Args& a, u32 i) { return __uint_as_float(a.p[i]); }
DEVICE u32* words(const Args& a, u32 buffer) { return (u32*)a.buffer[buffer]; }

// The nearest FP16, ties to even: the device's own conversion, or the same in integers.
DEVICE u32 f16_from_f32(u32 bits) {
#ifdef __CUDA_ARCH__
    u16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(__uint_as_float(bits)));
    return half;
#else
    u32 sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > INFINITY_BITS) return sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu);
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
    if (magnitude >= 0x38800000u) return sign | ((magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13);
    if (magnitude <= 0x33000000u) return sign;
    u32 drop = 126u - (magnitude >> 23), significand = (magnitude & 0x7fffffu) | 0x800000u;
    u32 kept = significand >> drop, rest = significand - (kept << drop), half = 1u << (drop - 1);
    return sign | (kept + (rest > half || (rest == half && (kept & 1u))));
#endif
}

DEVICE u32 f32_from_f16(u32 half) {
#ifdef __CUDA_ARCH__
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"((u16)half));
    return __float_as_uint(wide);
#else
    u32 sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) return sign | INFINITY_BITS | ((magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x400u) return sign | ((magnitude << 13) + 0x38000000u);
    if (magnitude == 0u) return sign;
    u32 top = 31u - __clz((int)magnitude);
    return sign | ((top + 103u) << 23) | ((magnitude << (23u - top)) & 0x7fffffu);
#endif
}

DEVICE u32 bf16_from_f32(u32 bits) {
    if ((bits & 0x7fffffffu) > INFINITY_BITS) return (bits >> 16) | 0x40u;
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

DEVICE u32 narrow(u32 storage, u32 bits) { return storage == FP16 ? f16_from_f32(bits) : bf16_from_f32(bits); }
DEVICE u32 widen(u32 storage, u32 half) { return storage == FP16 ? f32_from_f16(half) : half << 16; }
DEVICE u32 round_bits(u32 storage, u32 bits) { return storage == FP32 ? bits : widen(storage, narrow(storage, bits)); }
DEVICE float round_to(u32 storage, float x) { return __uint_as_float(round_bits(storage, __float_as_uint(x))); }

// Element i of a buffer as the bits of an FP32, and as a value.
DEVICE u32 load_bits(const void* buffer, u32 storage, u32 i) {
    return storage == FP32 ? ((const u32*)buffer)[i] : widen(storage, ((const u16*)buffer)[i]);
}
DEVICE float load(const void* buffer, u32 storage, u32 i) { return __uint_as_float(load_bits(buffer, storage, i)); }

// Rounds to nearest even and stores.
DEVICE void store(void* buffer, u32 storage, u32 i, float x) {
    if (storage == FP32) ((float*)buffer)[i] = x;
    else ((u16*)buffer)[i] = (u16)narrow(storage, __float_as_uint(x));
}

// x + y rounded to odd: rounding that to FP16 gives the FP16 nearest to the exact sum.
DEVICE float add_to_odd(float x, float y) {
    float sum = x + y, back = sum - x, error = (x - (sum - back)) + (y - back);
    u32 bits = __float_as_uint(sum), off = __float_as_uint(error);
    bool fix = (off & 0x7fffffffu) != 0u && (off & INFINITY_BITS) != INFINITY_BITS && (bits & 1u) == 0u;
    if (!fix) return sum;
    return __uint_as_float((off >> 31) == (bits >> 31) ? bits + 1u : bits - 1u);
}
