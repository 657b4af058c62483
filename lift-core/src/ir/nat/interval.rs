//! Constant bounds, and arithmetic with them.

/// Inclusive constant bounds, where there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

/// The smaller of two upper bounds; `None` is no bound.
pub(super) fn minimum(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The sum of two bounds; `None` where one is missing, or the sum overflows.
#[inline(always)]
pub(super) fn sum(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        _ => None,
    }
}

/// The product of two bounds; `None` where one is missing, or the product overflows.
fn product(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_mul(b),
        _ => None,
    }
}

impl Interval {
    pub(super) fn exactly(value: i128) -> Self {
        Self { low: Some(value), high: Some(value) }
    }

    /// Whether all numbers in it are known not to be negative.
    fn is_natural(self) -> bool {
        matches!(self.low, Some(0..))
    }

    fn negate(self) -> Self {
        Self { low: self.high.and_then(i128::checked_neg), high: self.low.and_then(i128::checked_neg) }
    }

    /// The product with a number that is not 0.
    pub(super) fn scale(self, factor: i128) -> Self {
        let scaled = |bound: Option<i128>| product(bound, Some(factor));
        match factor {
            1 => self,
            0.. => Self { low: scaled(self.low), high: scaled(self.high) },
            _ => Self { low: scaled(self.high), high: scaled(self.low) },
        }
    }

    pub(super) fn multiply(self, other: Self) -> Self {
        if self.is_natural() && other.is_natural() {
            return Self { low: product(self.low, other.low), high: product(self.high, other.high) };
        }
        if self.high.is_some_and(|high| high <= 0) {
            return self.negate().multiply_natural_or_any(other).negate();
        }
        self.multiply_natural_or_any(other)
    }

    /// The product where the first is natural, or both are bounded; otherwise the interval without bounds.
    fn multiply_natural_or_any(self, other: Self) -> Self {
        if self.is_natural() && other.is_natural() {
            return self.multiply(other);
        }
        if self.is_natural() && other.high.is_some_and(|high| high <= 0) {
            return self.multiply(other.negate()).negate();
        }
        if self.is_natural() {
            // A negative bound is smallest, and a positive one largest, where the natural number is largest.
            let (low, high) = (other.low.filter(|low| *low < 0), other.high.filter(|high| *high > 0));
            return Self { low: product(self.high, low), high: product(self.high, high) };
        }
        let corners =
            [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let products: Option<Vec<i128>> = corners.iter().map(|(a, b)| (*a)?.checked_mul((*b)?)).collect();
        products.map_or(Self::default(), |products| Self {
            low: products.iter().min().copied(),
            high: products.iter().max().copied(),
        })
    }

    /// An odd power, or any power of a natural number.
    pub(super) fn raise(self, power: u32) -> Self {
        let raised = |bound: Option<i128>| bound?.checked_pow(power);
        Self { low: raised(self.low), high: raised(self.high) }
    }
}
