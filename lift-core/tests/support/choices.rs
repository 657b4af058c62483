//! A sequence of choices, from a seed or from proptest.

/// A sequence of choices; behind its end all are zero.
pub(crate) struct Choices {
    values: std::vec::IntoIter<u32>,
}

impl Choices {
    /// The given choices.
    pub(crate) fn new(values: Vec<u32>) -> Choices {
        Choices { values: values.into_iter() }
    }

    /// Those of [`values`](Self::values).
    pub(crate) fn from_seed(seed: u64) -> Choices {
        Choices::new(Choices::values(seed))
    }

    /// As many choices as any program needs, from a seed (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
    pub(crate) fn values(seed: u64) -> Vec<u32> {
        const COUNT: u64 = 400;
        let choice = |position: u64| {
            let mut state = (seed << 32).wrapping_add(position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((state ^ (state >> 31)) >> 32) as u32
        };
        (0..COUNT).map(choice).collect()
    }

    /// A number below `bound`, which is at least one.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.values.next().unwrap_or(0) as usize % bound
    }

    /// One of several alternatives; there must be at least one.
    pub(crate) fn pick<T: Clone>(&mut self, alternatives: &[T]) -> T {
        alternatives[self.below(alternatives.len())].clone()
    }

    /// True once in `often` times, and never at the end of the sequence.
    pub(crate) fn one_in(&mut self, often: usize) -> bool {
        self.below(often) == often - 1
    }
}
