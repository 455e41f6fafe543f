// One operation of the device's own, as it is. Buffers: a, b, c (those that it takes), out. Words: 2 which (0 FP32 to FP16,
// 1 FP16 to FP32, 2 a + b, 3 a·b, 4 a / b, 5 √a, 6 FP32 to BF16, 7 a·b + c).

// The device's own conversion where it has one, which it has from compute capability 8.0 on.
DEVICE u32 own_bf16_from_f32(u32 bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    u16 half;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(__uint_as_float(bits)));
    return half;
#else
    return bf16_from_f32(bits);
#endif
}

KERNEL observe(Args a) {
    FOR_EACH(i, a.p[0]) {
        u32 bits = words(a, 0)[i], result = 0u;
        float x = __uint_as_float(bits);
        float y = a.buffer[1] ? __uint_as_float(words(a, 1)[i]) : 0.0f;
        float z = a.buffer[2] ? __uint_as_float(words(a, 2)[i]) : 0.0f;
        switch (a.p[2]) {
            case 0: result = f16_from_f32(bits); break;
            case 1: result = f32_from_f16(bits & 0xffffu); break;
            case 2: result = __float_as_uint(x + y); break;
            case 3: result = __float_as_uint(x * y); break;
            case 4: result = __float_as_uint(x / y); break;
            case 5: result = __float_as_uint(sqrtf(x)); break;
            case 6: result = own_bf16_from_f32(bits); break;
            default: result = __float_as_uint(fmaf(x, y, z));
        }
        words(a, 3)[i] = result;
    }
}
