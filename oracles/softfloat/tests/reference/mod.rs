//! Berkeley SoftFloat 3 under a rounding mode and a tininess rule, and inputs for both kinds of test.

use halfscope::format::{Format, Rounding, Status, Tininess};
use softfloat_sys as sf;

/// Our directions and SoftFloat's.
pub const MODES: [(Rounding, u8); 6] = [
    (Rounding::Rne, sf::softfloat_round_near_even),
    (Rounding::Rna, sf::softfloat_round_near_maxMag),
    (Rounding::Rtz, sf::softfloat_round_minMag),
    (Rounding::Rup, sf::softfloat_round_max),
    (Rounding::Rdn, sf::softfloat_round_min),
    (Rounding::Rto, sf::softfloat_round_odd),
];

/// Our tininess rules and SoftFloat's.
pub const TININESS: [(Tininess, u8); 2] = [
    (Tininess::After, sf::softfloat_tininess_afterRounding),
    (Tininess::Before, sf::softfloat_tininess_beforeRounding),
];

/// Runs one SoftFloat operation under a mode and rule; its result and flags.
pub fn softfloat(mode: u8, tininess: u8, operation: impl FnOnce() -> u64) -> (u64, Status) {
    // SAFETY: the helpers write and read thread-local bytes of the library.
    unsafe {
        sf::softfloat_roundingMode_write_helper(mode);
        sf::softfloat_detectTininess_write_helper(tininess);
        sf::softfloat_exceptionFlags_write_helper(0);
    }
    let bits = operation();
    // SAFETY: as above.
    let raised = unsafe { sf::softfloat_exceptionFlags_read_helper() };
    let mut status = Status::NONE;
    for (flag, ours) in [
        (sf::softfloat_flag_invalid, Status::INVALID),
        (sf::softfloat_flag_infinite, Status::DIVIDE_BY_ZERO),
        (sf::softfloat_flag_overflow, Status::OVERFLOW),
        (sf::softfloat_flag_underflow, Status::UNDERFLOW),
        (sf::softfloat_flag_inexact, Status::INEXACT),
    ] {
        if raised & flag != 0 {
            status |= ours;
        }
    }
    (bits, status)
}

/// SplitMix64.
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Zeros, infinities, quiet and signalling NaNs with payloads, the ends of the range.
pub fn edges(format: Format) -> Vec<u64> {
    let infinity = format.infinity_code().unwrap();
    let quiet = 1 << (format.fraction_bits() - 1);
    let magnitudes = [0, 1, format.min_normal_code() - 1, format.min_normal_code(), format.max_finite_code(), infinity];
    let nans = [1, 2, quiet - 1, quiet, quiet | 1, 2 * quiet - 1].map(|fraction| infinity | fraction);
    magnitudes.into_iter().chain(nans).flat_map(|code| [code, code | format.sign_bit()]).collect()
}
