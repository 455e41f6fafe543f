// out = grad where output > 0 or is NaN, else +0. Buffers: grad, output, out.
fn value(i: u32) -> u32 {
    let output = load1(i);
    let passes = is_nan(output) || (output != 0u && (output >> 31u) == 0u);
    return select(0u, load0(i), passes);
}
