// One operation of the device's own, as it is. Buffers: a, b, out. Words: 2 which (0 FP32 to FP16, 1 FP16 to FP32, 2 a + b,
// 3 a·b, 4 a / b, 5 √a).
KERNEL observe(Args a) {
    FOR_EACH(i, a.p[0]) {
        u32 bits = words(a, 0)[i];
        float x = __uint_as_float(bits), y = __uint_as_float(words(a, 1)[i]), result = 0.0f;
        u32 narrowed = 0;
        switch (a.p[2]) {
            case 0: narrowed = f16_from_f32(bits); break;
            case 1: result = __uint_as_float(f32_from_f16(bits & 0xffffu)); break;
            case 2: result = x + y; break;
            case 3: result = x * y; break;
            case 4: result = x / y; break;
            default: result = sqrtf(x);
        }
        words(a, 2)[i] = a.p[2] == 0 ? narrowed : __float_as_uint(result);
    }
}
