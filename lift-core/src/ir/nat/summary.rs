//! What is known of an expression without a walk over it.
//!
//! Sums and products keep the summary of their parts. It must follow from the parts alone: equal expressions
//! have equal summaries.

/// An odd number whose bits look random; the fractional part of the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The answers that are kept for a sum, a product or a factor.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The union of the masks of the variables inside.
    pub(super) mask: u64,
    /// One more than the highest level of a sum inside, 0 without sums.
    pub(super) levels: u32,
    /// The number of variables, numbers and operations; shared parts count as often as they occur.
    pub(super) size: u32,
    /// Whether there are only variables and numbers inside.
    pub(super) is_plain: bool,
    /// The same number for equal expressions, and most often another one for others.
    pub(super) hash: u64,
}

/// What has a summary.
pub trait Summarise {
    /// Its summary.
    fn summary(&self) -> Summary;
}

impl Summary {
    /// The summary of no parts at all.
    pub(super) const NOTHING: Summary = Summary { mask: 0, levels: 0, size: 0, is_plain: true, hash: 0 };

    /// The summary of a variable.
    pub(super) fn variable(mask: u64, number: u32) -> Summary {
        let mut summary = Summary { mask, size: 1, ..Summary::NOTHING };
        summary.tell_apart(u64::from(number));
        summary
    }

    /// The summary of an operation before its operands are added. Its own size is that without them.
    pub(super) fn operation(number: u64, size: u32) -> Summary {
        let mut summary = Summary { size, is_plain: false, ..Summary::NOTHING };
        summary.tell_apart(number);
        summary
    }

    /// Adds a part that occurs several times in succession.
    pub(super) fn add(&mut self, part: Summary, times: u32) {
        self.mask |= part.mask;
        if part.levels > self.levels {
            self.levels = part.levels;
        }
        self.size = self.size.saturating_add(part.size.saturating_mul(times));
        self.is_plain &= part.is_plain;
        self.tell_apart(part.hash.wrapping_add(u64::from(times)));
    }

    /// Adds a product that is a term of a sum.
    pub(super) fn add_term(&mut self, factors: &Summary, coefficient: i128) {
        self.mask |= factors.mask;
        if factors.levels > self.levels {
            self.levels = factors.levels;
        }
        self.size = self.size.saturating_add(factors.size).saturating_add(1);
        self.is_plain &= factors.is_plain;
        // The upper half of a coefficient hardly ever says more than its sign.
        self.hash = mix(mix(self.hash, factors.hash), coefficient as u64);
    }

    /// Adds the index that a sum binds, whose name does not matter.
    pub(super) fn bind(&mut self, mask: u64, level: Option<u32>) {
        self.mask |= mask;
        let own = level.map_or(0, |level| level.saturating_add(1));
        self.levels = self.levels.max(own);
    }

    /// Makes the hash depend on one more number.
    pub(super) fn tell_apart(&mut self, number: u64) {
        self.hash = mix(self.hash, number);
    }
}

/// A hash that depends on one more number.
#[inline(always)]
pub(super) fn mix(hash: u64, number: u64) -> u64 {
    let product = (hash ^ number).wrapping_mul(SPREAD);
    product ^ product >> 32
}
