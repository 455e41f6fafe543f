// Put in front of every kernel source: CUDA's words for g++.
// All threads of a block run on one OS thread and give way only at a barrier or a warp collective, so the atomics are
// plain reads and writes. __CUDA_ARCH__ stays undefined: sources take their portable code instead of PTX.
// __global__ and __launch_bounds__ stay undefined here: nvrtc.cpp reads both off the preprocessed text.
#pragma once
#include "abi.h"

#define __device__ __attribute__((unused))
#define __host__
#define __constant__ __attribute__((unused))
// In .bss under the name of its function: the driver finds it there and poisons it before every block.
#define __shared__ static __attribute__((used))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))

typedef __SIZE_TYPE__ size_t;

static EmuIndex emu_index;
static EmuBlock* emu_block;
extern "C" EmuIndex* emu_index_address() { return &emu_index; }

#define threadIdx emu_index.thread
#define blockIdx emu_index.block
#define blockDim emu_index.block_size
#define gridDim emu_index.grid
#define warpSize 32

/// Starts the block's threads one after another. A thread that waits keeps this call on its fibre; the driver then
/// enters the loop again on another fibre, which goes on with the next thread.
template <class Call>
static inline void emu_each_thread(EmuBlock* block, Call call) {
    emu_block = block;
    unsigned int thread;
    while ((thread = block->next) < block->count) {
        block->next = thread + 1;
        if (block->reverse) thread = block->count - 1 - thread;
        block->current = thread;
        unsigned int x = emu_index.block_size.x, y = emu_index.block_size.y;
        if (x == block->count) {
            emu_index.thread = {thread, 0, 0};
        } else {
            emu_index.thread = {thread % x, thread / x % y, thread / x / y};
        }
        call();
        block->exited[thread >> 5] |= 1u << (thread & 31);
        block->gone++;
    }
}

// --- barriers and warp collectives ---

static inline void emu_barrier(int line) {
    EmuDim me = emu_index.thread;
    emu_block->barrier(line);
    emu_index.thread = me;
}

static inline unsigned long long emu_warp(int operation, unsigned int mask, unsigned long long value,
                                          unsigned int argument, int line) {
    EmuDim me = emu_index.thread;
    unsigned long long result = emu_block->warp(operation, mask, value, argument, line);
    emu_index.thread = me;
    return result;
}

template <class T>
static inline T emu_shuffle(int operation, unsigned int mask, int line, T value, unsigned int argument,
                            int width = 32) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 4 or 8 bytes");
    if (width != 32) __builtin_trap();
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = emu_warp(operation, mask, bits, argument, line);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

#define __syncthreads() emu_barrier(__LINE__)
#define __shfl_sync(mask, ...) emu_shuffle(EMU_SHUFFLE, mask, __LINE__, __VA_ARGS__)
#define __shfl_down_sync(mask, ...) emu_shuffle(EMU_SHUFFLE_DOWN, mask, __LINE__, __VA_ARGS__)
#define __shfl_up_sync(mask, ...) emu_shuffle(EMU_SHUFFLE_UP, mask, __LINE__, __VA_ARGS__)
#define __shfl_xor_sync(mask, ...) emu_shuffle(EMU_SHUFFLE_XOR, mask, __LINE__, __VA_ARGS__)
#define __ballot_sync(mask, test) ((unsigned int)emu_warp(EMU_BALLOT, mask, (test) ? 1 : 0, 0, __LINE__))
#define __any_sync(mask, test) (__ballot_sync(mask, test) != 0)
#define __all_sync(mask, test) (__ballot_sync(mask, !(test)) == 0)
#define __syncwarp(...) ((void)emu_warp(EMU_WARP_BARRIER, ~0u __VA_OPT__(&) __VA_ARGS__, 0, 0, __LINE__))

static inline void __threadfence() { __asm__ volatile("" ::: "memory"); }
static inline void __threadfence_block() { __asm__ volatile("" ::: "memory"); }

// --- atomics ---

template <class T> struct EmuSame { typedef T type; };
#define EMU_ATOMIC(name, change)                                             \
    template <class T>                                                       \
    static inline T name(T* address, typename EmuSame<T>::type value) {      \
        T old = *address;                                                    \
        *address = change;                                                   \
        return old;                                                          \
    }
EMU_ATOMIC(atomicAdd, old + value)
EMU_ATOMIC(atomicSub, old - value)
EMU_ATOMIC(atomicMin, value < old ? value : old)
EMU_ATOMIC(atomicMax, value > old ? value : old)
EMU_ATOMIC(atomicOr, old | value)
EMU_ATOMIC(atomicAnd, old & value)
EMU_ATOMIC(atomicXor, old ^ value)
EMU_ATOMIC(atomicExch, value)
template <class T>
static inline T atomicCAS(T* address, typename EmuSame<T>::type compare, typename EmuSame<T>::type value) {
    T old = *address;
    if (old == compare) *address = value;
    return old;
}

// --- bits ---

static inline int __popc(unsigned int v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __clz(int v) { return v ? __builtin_clz((unsigned int)v) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
static inline int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
template <class T> static inline T __ldg(const T* address) { return *address; }

#define EMU_BITS(name, from, to)            \
    static inline to name(from v) {         \
        to r;                               \
        __builtin_memcpy(&r, &v, sizeof r); \
        return r;                           \
    }
EMU_BITS(__float_as_uint, float, unsigned int)
EMU_BITS(__uint_as_float, unsigned int, float)
EMU_BITS(__float_as_int, float, int)
EMU_BITS(__int_as_float, int, float)
EMU_BITS(__double_as_longlong, double, long long)
EMU_BITS(__longlong_as_double, long long, double)

// --- arithmetic: every operation rounds once to nearest ---

// As PTX min and max: a NaN loses against a number, -0 is below +0, two NaNs give the canonical one.
static inline float fminf(float a, float b) {
    if (a != a) return b != b ? __uint_as_float(0x7fffffffu) : b;
    if (a == b) return __uint_as_float(__float_as_uint(a) | __float_as_uint(b));
    return b < a ? b : a;
}
static inline float fmaxf(float a, float b) {
    if (a != a) return b != b ? __uint_as_float(0x7fffffffu) : b;
    if (a == b) return __uint_as_float(__float_as_uint(a) & __float_as_uint(b));
    return b > a ? b : a;
}
static inline double fmin(double a, double b) {
    if (a == b) return __longlong_as_double(__double_as_longlong(a) | __double_as_longlong(b));
    return a != a || b < a ? b : a;
}
static inline double fmax(double a, double b) {
    if (a == b) return __longlong_as_double(__double_as_longlong(a) & __double_as_longlong(b));
    return a != a || b > a ? b : a;
}
static inline float sqrtf(float v) { return __builtin_sqrtf(v); }
static inline double sqrt(double v) { return __builtin_sqrt(v); }
static inline float fabsf(float v) { return __builtin_fabsf(v); }
static inline double fabs(double v) { return __builtin_fabs(v); }
static inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float floorf(float v) { return __builtin_floorf(v); }
static inline float ceilf(float v) { return __builtin_ceilf(v); }
static inline float truncf(float v) { return __builtin_truncf(v); }
static inline float rintf(float v) { return __builtin_rintf(v); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float v) { return __builtin_sqrtf(v); }
static inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline float __double2float_rn(double v) { return (float)v; }

#define EMU_MIN_MAX(a_type, b_type, type)                                                                    \
    static inline type min(a_type a, b_type b) { return (type)b < (type)a ? (type)b : (type)a; }             \
    static inline type max(a_type a, b_type b) { return (type)b > (type)a ? (type)b : (type)a; }
EMU_MIN_MAX(int, int, int)
EMU_MIN_MAX(unsigned int, unsigned int, unsigned int)
EMU_MIN_MAX(int, unsigned int, unsigned int)
EMU_MIN_MAX(unsigned int, int, unsigned int)
EMU_MIN_MAX(long, long, long)
EMU_MIN_MAX(unsigned long, unsigned long, unsigned long)
EMU_MIN_MAX(long long, long long, long long)
EMU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
