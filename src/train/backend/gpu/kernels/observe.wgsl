// One operation of the device's own, as it is. Buffers: a, b, c (those that it takes), out. Words: 2 which (0 FP32 to FP16,
// 1 FP16 to FP32, 2 a + b, 3 a·b, 4 a / b, 5 √a, 6 FP32 to BF16 in integers, 7 a·b + c).
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < p(0u); i += groups.x * 256u) {
        let bits = load0(i);
        let a = bitcast<f32>(bits);
        let b = bitcast<f32>(load1(i));
        var result = 0u;
        switch p(2u) {
            case 0u: { result = pack2x16float(vec2<f32>(a, 0.0)) & 0xffffu; }
            case 1u: { result = bitcast<u32>(unpack2x16float(bits).x); }
            case 2u: { result = bitcast<u32>(a + b); }
            case 3u: { result = bitcast<u32>(a * b); }
            case 4u: { result = bitcast<u32>(a / b); }
            case 5u: { result = bitcast<u32>(sqrt(a)); }
            case 6u: { result = bf16_from_f32(bits); }
            default: { result = bitcast<u32>(fma(a, b, bitcast<f32>(load2(i)))); }
        }
        b3[i] = result;
    }
}
