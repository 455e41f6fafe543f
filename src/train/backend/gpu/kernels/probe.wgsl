// The exponent histogram of a tensor, as rows of nine significand classes, and how many values are zero in it but not in
// its twin. Buffers: tensor, twin, results (atomic). Words: 2 where the counts begin, 3 has a twin.
const HEAD: u32 = 8u;
const CLASSES: u32 = 9u;
const COUNTERS: u32 = 2493u; // 277 exponents, -149 to 127
var<workgroup> counters: array<atomic<u32>, 2493>;
var<workgroup> head: array<atomic<u32>, 8>;

// The class of a significand, from its top eleven fraction bits and a sticky bit.
fn class_of(code: u32) -> u32 {
    return select(0u, 1u, code >= 1u) + select(0u, 1u, code >= 0xc00u) + select(0u, 1u, code >= 0xd01u)
        + select(0u, 1u, code >= 0xe00u) + select(0u, 1u, code >= 0xfe0u) + select(0u, 1u, code >= 0xff0u)
        + select(0u, 1u, code >= 0xffcu) + select(0u, 1u, code >= 0xffeu);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32,
        @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = at; i < COUNTERS; i += 256u) { atomicStore(&counters[i], 0u); }
    if (at < HEAD) { atomicStore(&head[at], 0u); }
    workgroupBarrier();
    var zeros = 0u;
    var lost = 0u;
    var largest = 0u;
    var least = 0u; // of the complement, so that the largest is kept of both
    for (var i = id.x; i < p(0u); i += groups.x * 256u) {
        let bits = load0(i);
        let magnitude = bits & 0x7fffffffu;
        if (magnitude == 0u) {
            zeros += 1u;
            if (p(3u) == 1u && (load1(i) & 0x7fffffffu) != 0u) { lost += 1u; }
        } else if (magnitude > INFINITY_BITS) {
            atomicAdd(&head[1], 1u);
        } else if (magnitude == INFINITY_BITS) {
            atomicAdd(&head[2u + (bits >> 31u)], 1u);
        } else {
            largest = max(largest, magnitude);
            least = max(least, ~magnitude);
            // The row, counted from exponent -149; a subnormal's fraction is moved up until its first one falls out.
            var row = (magnitude >> 23u) + 22u;
            var fraction = magnitude & 0x7fffffu;
            if (magnitude < 0x800000u) {
                let top = 31u - countLeadingZeros(magnitude);
                row = top;
                fraction = (magnitude << (23u - top)) & 0x7fffffu;
            }
            let code = ((fraction >> 12u) << 1u) | select(0u, 1u, (fraction & 0xfffu) != 0u);
            atomicAdd(&counters[row * CLASSES + class_of(code)], 1u);
        }
    }
    if (zeros > 0u) { atomicAdd(&head[0], zeros); }
    if (lost > 0u) { atomicAdd(&head[6], lost); }
    atomicMax(&head[4], least);
    atomicMax(&head[5], largest);
    workgroupBarrier();
    let to = p(2u);
    for (var i = at; i < COUNTERS; i += 256u) {
        let count = atomicLoad(&counters[i]);
        if (count > 0u) { atomicAdd(&b2[to + HEAD + i], count); }
    }
    if (at < HEAD) {
        let count = atomicLoad(&head[at]);
        if (at == 4u || at == 5u) { atomicMax(&b2[to + at], count); } else if (count > 0u) { atomicAdd(&b2[to + at], count); }
    }
}
