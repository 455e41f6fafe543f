// out = max(x, 0); NaN stays NaN, whatever its sign. Buffers: x, out.
fn value(i: u32) -> u32 {
    let x = load0(i);
    return select(x, 0u, (x >> 31u) == 1u && !is_nan(x));
}
