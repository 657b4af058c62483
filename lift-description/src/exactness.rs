//! What a program asks of the arithmetic of a device.

use crate::{Notation, ScalarType};

/// The types with which a program computes so that every device must give the same bits, apart from those of
/// NaN. There are none for a program that lets each device round as it likes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exactness<N: Notation> {
    /// Operations on these give the number that is nearest to the exact result, also if it is subnormal.
    pub computed: N::List<ScalarType>,
    /// So do quotients and square roots of these, which devices may treat otherwise.
    pub divided: N::List<ScalarType>,
}
