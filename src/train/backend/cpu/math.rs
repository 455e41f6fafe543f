//! `exp` and `ln` of our own: the platforms' libraries differ in their last bits, ours gives the same bits everywhere.
//!
//! Both are computed in FP64 from additions, multiplications and one division, which IEEE 754 fixes to the bit.

/// e^x. Relative error below 2^-45 for results in FP32's normal range; overflows and underflows as FP64 does.
///
/// x = n·ln 2 + r with |r| ≤ ln 2 / 2, and e^r from its Taylor polynomial of degree 12.
#[must_use]
#[inline]
pub fn exp(x: f64) -> f64 {
    const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52: adding it leaves the nearest integer in the low bits
    // Beyond these FP64 has no normal result; NaN passes the clamp.
    let x = x.clamp(-708.0, 709.0);
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut sum = 1.0 / 479_001_600.0;
    for inverse_factorial in INVERSE_FACTORIALS {
        sum = sum * r + inverse_factorial;
    }
    let exponent = (shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i64).wrapping_add(1023) as u64;
    sum * f64::from_bits(exponent << 52)
}

/// 1/11!, 1/10!, …, 1/0!.
const INVERSE_FACTORIALS: [f64; 12] = [
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// The natural logarithm of a positive normal number; absolute error below 2^-43. NaN stays NaN, infinity infinity, 0 gives
/// −∞ and negative numbers NaN.
///
/// x = m·2^k with m in [√½, √2), and ln m = 2·atanh((m − 1)/(m + 1)) from its series to the 17th power.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let bits = x.to_bits();
    let mut k = (bits >> 52) as i64 - 1023;
    let mut m = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if m >= std::f64::consts::SQRT_2 {
        m *= 0.5;
        k += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for odd in (1..=17).rev().step_by(2) {
        sum = sum * square + 1.0 / f64::from(odd);
    }
    k as f64 * std::f64::consts::LN_2 + 2.0 * s * sum
}
