//! Numbers that every formula has: a few of them make up most numbers, and so they are shared.

use super::expression::Nat;

/// The smallest number that is shared.
const FIRST: i128 = -8;
/// How many numbers are shared.
const COUNT: usize = 73;

thread_local! {
    static SHARED: [Nat; COUNT] = std::array::from_fn(|position| Nat::unshared(FIRST + position as i128));
}

impl Nat {
    /// A number.
    pub fn constant(value: i128) -> Self {
        if FIRST <= value && value < FIRST + COUNT as i128 {
            SHARED.with(|shared| shared[(value - FIRST) as usize].clone())
        } else {
            Nat::unshared(value)
        }
    }

    /// 0.
    pub fn zero() -> Self {
        Self::constant(0)
    }

    /// 1.
    pub fn one() -> Self {
        Self::constant(1)
    }
}
