//! Random numbers that a seed determines.

/// A sequence of numbers (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of one case of a seed; neighbouring cases have nothing in common.
    pub(crate) fn new(seed: u64, case: u64) -> Random {
        let mut random = Random(seed);
        Random(random.next() ^ Random(case).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut state = self.0;
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    }

    /// A number below `bound`, which is at least one.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// One of several elements; there must be at least one.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
