//! Seeded random numbers: the same on every machine, for initial weights, the order of the images, stochastic rounding.
//!
//! A stream is xoshiro256++ (Blackman and Vigna 2019), its state filled by `SplitMix64` as its authors advise. Stochastic
//! rounding needs a number per element whatever thread gets there first, so it hashes the element's place instead.
//!
//! ```
//! use halfscope::train::rng::Rng;
//!
//! let mut order: Vec<u32> = (0..10).collect();
//! Rng::stream(7, 0).shuffle(&mut order);
//! let mut again: Vec<u32> = (0..10).collect();
//! Rng::stream(7, 0).shuffle(&mut again);
//! assert_eq!(order, again);
//! ```

/// A stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

/// One step of `SplitMix64`: moves the state on and returns 64 well-mixed bits.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Rng {
    /// The stream with this number of this seed. Streams of one seed are independent of each other.
    #[must_use]
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut number = stream;
        let mut filler = seed ^ split_mix(&mut number);
        Self { state: std::array::from_fn(|_| split_mix(&mut filler)) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c2, d2) = (c ^ a, d ^ b);
        self.state = [a ^ d2, b ^ c2, c2 ^ (b << 17), d2.rotate_left(45)];
        result
    }

    /// Uniform in [0, 1), a multiple of 2^-24.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }

    /// Uniform in 0..`bound` (0 for a bound of 0), without bias: Lemire's multiplication with rejection.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            if wide as u64 >= unfair {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Puts items in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// 32 random bits for one element of one cast in one step: a function of its place alone.
#[must_use]
pub const fn element_bits(key: u64, element: u64) -> u32 {
    let mut state = key ^ element.wrapping_mul(0xd129_0ff8_53a2_1f4b);
    (split_mix(&mut state) >> 32) as u32
}

/// The key of [`element_bits`] for one instruction of one step.
#[must_use]
pub const fn step_key(seed: u64, step: u64, instruction: u64) -> u64 {
    let mut state = seed ^ step.rotate_left(20) ^ instruction.rotate_left(44);
    split_mix(&mut state)
}
