//! The number core against exhaustive walks, an independent implementation and public bug reports.

mod arithmetic;
mod block;
mod cases;
mod census;
mod chain;
mod code;
mod custom;
mod exhaustive;
mod names;
mod nearest;
mod oracle;
mod refused;
mod reported;
mod shortcuts;
mod source;
mod sweep;
mod text;

/// A small generator for test inputs: the same sequence every time (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
