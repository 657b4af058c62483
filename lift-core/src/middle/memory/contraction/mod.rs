//! Array contraction: arrays between kernels that hold a few rows at a time instead of all.
//!
//! Lowering splits `map(|x| { let h = f(x); g(h) })` into a kernel that computes `h` for every `x` and one
//! that reads it. That takes memory for all rows of `h` at once, which may be far more than the inputs and
//! results of the program: the scores of an attention are `N * N` numbers, computed from `N * D`. In such
//! cases the kernels are launched for one portion of the rows after the other (strip-mining of the loop over
//! rows), and the arrays in between have room for the rows of one portion.
//!
//! Input: the bodies of kernels in launch order, in which every parallel loop has all its iterations. A *loop
//! over rows* is an outermost parallel loop; all loops over rows of one group of kernels have the same trip
//! count. Guarantees: in arrays that a group writes and several of its kernels access, each iteration of a
//! loop over rows accesses only its own row, so that portions are independent of each other. A kernel between
//! those of a group that does not depend on earlier kernels of the group is launched before the group.

mod contract;
mod groups;

use std::ops::Range;

use crate::flat::FlatMap;
use crate::ir::kernel::{Buffer, BufferId};
use crate::ir::nat::{Nat, Ranges};
use crate::options::BetweenKernels;

pub(crate) use contract::contract;
pub(crate) use groups::groups;

/// The most bytes of the contracted arrays of a group, unless one row is larger.
const MOST_BYTES: i128 = 1 << 29;

/// A user expects arrays of at most this many times the size of all inputs and results.
const USUAL: i128 = 4;

/// The limits that decide about contraction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// See [`MOST_BYTES`].
    bytes: i128,
    /// See [`USUAL`].
    usual: i128,
}

impl Budget {
    /// The limits that an option asks for; `None` if there is memory for everything.
    pub(crate) fn of(option: BetweenKernels) -> Option<Budget> {
        match option {
            BetweenKernels::Bounded => Some(Budget { bytes: MOST_BYTES, usual: USUAL }),
            BetweenKernels::Scarce(bytes) => Some(Budget { bytes: i128::from(bytes), usual: 0 }),
            BetweenKernels::Whole => None,
        }
    }
}

/// Kernels that are launched for one portion of their rows after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// All kernels from the first to the last, by position.
    kernels: Range<usize>,
    /// The positions of those that are launched before the group.
    before: Vec<usize>,
    /// The number of rows.
    rows: Nat,
    /// The contracted arrays, with the number of elements of a row.
    arrays: FlatMap<BufferId, Nat>,
}

impl Group {
    /// Brings a list with an item for each kernel into launch order.
    pub(crate) fn reorder<T: Clone>(&self, of_kernels: &mut [T]) {
        let order = self.before.iter().copied().chain(self.members());
        let ordered: Vec<T> = order.filter_map(|position| of_kernels.get(position).cloned()).collect();
        of_kernels.iter_mut().skip(self.kernels.start).zip(ordered).for_each(|(place, own)| *place = own);
    }

    /// The kernels that are launched portion by portion.
    pub(crate) fn members(&self) -> impl Iterator<Item = usize> {
        self.kernels.clone().filter(|position| !self.before.contains(position))
    }

    /// The largest number of rows of a portion: as many as fit into the limit, but at least one.
    fn most(&self, budget: Budget, buffers: &[Buffer], ranges: &Ranges) -> Nat {
        let of_row = self.arrays.iter().filter_map(|(id, row)| {
            let bytes = buffers.get(id.0)?.element.bytes();
            Some(row * Nat::constant(bytes))
        });
        let of_row = of_row.fold(Nat::zero(), |sum, bytes| sum + bytes);
        let fitting = Nat::constant(budget.bytes).divide(&Nat::max(&Nat::one(), &of_row));
        ranges.simplify(&Nat::max(&Nat::one(), &Nat::min(&self.rows, &fitting)))
    }
}
