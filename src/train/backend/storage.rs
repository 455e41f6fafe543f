//! Values as devices store them.

/// The nearest bfloat16, ties to even; a NaN stays one.
pub(super) fn bf16_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16; // wraps for NaN only, which is replaced below
    let quiet = (bits >> 16) | 0x40;
    let is_nan = bits & 0x7fff_ffff > 0x7f80_0000;
    (if is_nan { quiet } else { rounded }) as u16
}
