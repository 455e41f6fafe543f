// Arguments and number formats of every kernel. Values travel as the bits of an FP32, u32, so that no compiler may take a
// NaN, an infinity or a subnormal for granted; only arithmetic turns them into f32.

struct Args { words: array<vec4<u32>, 6> }
@group(0) @binding(8) var<uniform> args: Args;

// Word i of the arguments. Word 0 is the number of elements, word 1 the storage of each buffer, four bits each.
fn p(i: u32) -> u32 { return args.words[i / 4u][i % 4u]; }
fn pf(i: u32) -> f32 { return bitcast<f32>(p(i)); }
fn storage_of(buffer: u32) -> u32 { return (p(1u) >> (4u * buffer)) & 15u; }

const FP32: u32 = 0u;
const FP16: u32 = 1u;
const BF16: u32 = 2u;
const INFINITY_BITS: u32 = 0x7f800000u;

// Words of the device's scalars.
const SCALE: u32 = 0u;
const INVERSE: u32 = 1u;
const TRACKER: u32 = 2u;
const HYSTERESIS: u32 = 3u;
const FOUND_INF: u32 = 4u;
const LOSS: u32 = 5u;
const TAKEN: u32 = 6u;
const STEP_LOW: u32 = 7u;
const STEP_HIGH: u32 = 8u;
const CLIP: u32 = 9u;

fn is_nan(bits: u32) -> bool { return (bits & 0x7fffffffu) > INFINITY_BITS; }

// The nearest FP16, ties to even, in integers: WGSL's own conversion may round either way and flush subnormals.
fn f16_from_f32(bits: u32) -> u32 {
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if (magnitude > INFINITY_BITS) { return sign | 0x7e00u | ((magnitude >> 13u) & 0x3ffu); }
    if (magnitude >= 0x477ff000u) { return sign | 0x7c00u; }
    if (magnitude >= 0x38800000u) {
        return sign | ((magnitude + 0xfffu + ((magnitude >> 13u) & 1u) - 0x38000000u) >> 13u);
    }
    if (magnitude <= 0x33000000u) { return sign; }
    // Below 2^-14: count steps of 2^-24.
    let drop = 126u - (magnitude >> 23u);
    let significand = (magnitude & 0x7fffffu) | 0x800000u;
    let kept = significand >> drop;
    let rest = significand - (kept << drop);
    let half = 1u << (drop - 1u);
    return sign | (kept + select(0u, 1u, rest > half || (rest == half && (kept & 1u) == 1u)));
}

fn f32_from_f16(bits: u32) -> u32 {
    let sign = (bits & 0x8000u) << 16u;
    let magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u) { return sign | INFINITY_BITS | ((magnitude & 0x3ffu) << 13u); }
    if (magnitude >= 0x400u) { return sign | ((magnitude << 13u) + 0x38000000u); }
    if (magnitude == 0u) { return sign; }
    let top = 31u - countLeadingZeros(magnitude);
    return sign | ((top + 103u) << 23u) | ((magnitude << (23u - top)) & 0x7fffffu);
}

fn bf16_from_f32(bits: u32) -> u32 {
    if (is_nan(bits)) { return (bits >> 16u) | 0x40u; }
    return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}

// A narrow storage's bits of a value, and back.
fn narrow(storage: u32, bits: u32) -> u32 { return select(bf16_from_f32(bits), f16_from_f32(bits), storage == FP16); }
fn widen(storage: u32, half: u32) -> u32 { return select(half << 16u, f32_from_f16(half), storage == FP16); }

// The nearest TF32, ties to even: FP32 without its last 13 fraction bits.
fn tf32(bits: u32) -> u32 {
    if (is_nan(bits)) { return bits; }
    return (bits + 0xfffu + ((bits >> 13u) & 1u)) & 0xffffe000u;
}

// Rounded to a storage and back.
fn round_to(storage: u32, bits: u32) -> u32 {
    if (storage == FP32) { return bits; }
    return widen(storage, narrow(storage, bits));
}

// The same value, in a form that no compiler sees through: the last word of the arguments is always 0. Drivers simplify
// (x + y) - x to y as if there were no rounding.
fn opaque(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p(23u)); }

// x + y rounded to odd: rounding that to FP16 gives the FP16 nearest to the exact sum.
fn add_to_odd(x: f32, y: f32) -> f32 {
    let sum = opaque(x + y);
    let back = opaque(sum - x);
    let rest = opaque(sum - back);
    let error_bits = bitcast<u32>(opaque(x - rest) + opaque(y - back));
    let bits = bitcast<u32>(sum);
    let fix = (error_bits & 0x7fffffffu) != 0u && (error_bits & INFINITY_BITS) != INFINITY_BITS && (bits & 1u) == 0u;
    let away = (error_bits >> 31u) == (bits >> 31u);
    return bitcast<f32>(select(bits, select(bits - 1u, bits + 1u, away), fix));
}
