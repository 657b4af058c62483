//! Variables of size and index expressions, and a supply of fresh ones.
//!
//! Only the number identifies a variable; the name is the user's, and only for printing. Numbers from
//! 2^31 on are reserved: indices bound by sums and the simplifier's own variables live there, which is how
//! two sums that differ only in the name of their index become structurally equal.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::memo::Hashed;
use super::summary::mix;

/// The first number of an index bound by a sum.
const BOUND: u32 = 0x8000_0000;
/// The first number of a sum's index while the simplifier works inside the sum.
const OPENED: u32 = 0xA000_0000;
/// The first number of a variable whose value is `n / d`, where `d` is known to divide `n`.
const QUOTIENT: u32 = 0xC000_0000;
/// A variable: a size such as `N`, or an index such as `i`.
#[derive(Clone)]
pub struct Var {
    id: u32,
    name: Arc<str>,
}

impl Var {
    /// The variable with this number, which must be below 2^31, shown under this name.
    pub fn new(id: u32, name: impl Into<Arc<str>>) -> Self {
        Self { id, name: name.into() }
    }

    /// The number that identifies the variable.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The name it is shown under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The index of a sum that contains `level` levels of sums.
    pub(super) fn bound(level: u32, name: &Arc<str>) -> Self {
        Self { id: BOUND.wrapping_add(level), name: name.clone() }
    }

    /// The level of an index bound by a sum.
    pub(super) fn bound_level(&self) -> Option<u32> {
        (self.id >= BOUND && self.id < OPENED).then(|| self.id - BOUND)
    }

    /// This index of a sum, while the simplifier works `depth` sums deep.
    pub(super) fn opened(&self, depth: u32) -> Self {
        Self { id: OPENED.wrapping_add(depth), name: self.name.clone() }
    }

    /// The number-th quotient of a set of divisibility facts.
    pub(super) fn quotient(number: u32) -> Self {
        Self { id: QUOTIENT.wrapping_add(number), name: Arc::from("quotient") }
    }

    /// The name, shared.
    pub(super) fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// A one-bit summary, so that most questions about mentioned variables need no walk.
    pub(super) fn mask(&self) -> u64 {
        1 << (self.id.wrapping_add(self.id >> 28) % 64)
    }
}

impl PartialEq for Var {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Var {}

impl PartialOrd for Var {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Var {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl Hashed for Var {
    fn kept_hash(&self) -> u64 {
        mix(0, u64::from(self.id))
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}#{}", self.name, self.id)
    }
}

impl fmt::Display for Var {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// A supply of fresh variables, numbered from 0 upwards.
#[derive(Clone, Debug, Default)]
pub struct Vars {
    next: u32,
}

impl Vars {
    /// A variable that this supply has not given before.
    pub fn fresh(&mut self, name: &str) -> Var {
        let id = self.next;
        self.next = self.next.saturating_add(1);
        Var::new(id, name)
    }
}
