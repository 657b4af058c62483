//! Indices with names.
//!
//! A layout mentions the index that it is read at once or several times: `mirror` four times, `join` twice, once for the row and
//! once for the place in it. Along a chain of layouts the formula of an index would therefore double with every layout, and so would the
//! time to simplify it. A formula that passes a size gets a name: the kernel computes it once, and further layouts mention the name.
//! Shorter formulas stay as they are, because the algebra simplifies only what it sees.
//!
//! What must stay true: a name is declared in the block at hand, before what mentions it, and means the same as its formula there. Where
//! a view leaves its block, as an array that is there under a condition does, the names of the block are declared outside of it.

use super::generator::Generator;
use super::generator::NamedIndex;
use crate::ir::kernel::{Statement, Workers};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::AddressSpace;
use crate::middle::view::View;

/// The size from which on a formula gets a name. The formulas of ordinary programs, two-dimensional stencils among them, stay below 60.
const LARGE: u32 = 64;

/// The same for a formula that is mentioned several times at once.
const LARGE_OPERAND: u32 = 24;

/// A longer bound would cost more than it is worth.
const LARGEST_BOUND: u32 = 16;

impl Generator<'_> {
    /// The index at which a view is accessed: a name where its formula is large.
    pub(super) fn named_for(&mut self, view: &View, index: &Nat) -> Nat {
        let passes_on = match view {
            // These mention it once, in an address or for what is behind them.
            View::Memory(..) | View::Constant(_) | View::Zipped(_) | View::Component(..) => true,
            // Its row is found by what the formula is made of.
            View::Joined { rows, .. } => rows.index.is_some(),
            View::Shifted { .. }
            | View::Rows { .. }
            | View::Partitioned { .. }
            | View::Vectors { .. }
            | View::Components { .. }
            | View::Transposed(_)
            | View::Column(..)
            | View::Reordered(..)
            | View::Padded { .. }
            | View::PaddedConstant { .. }
            | View::Guarded { .. }
            | View::Mapped { .. }
            | View::Generated { .. }
            | View::Concatenated(_)
            | View::Shared { .. }
            | View::Selected(..) => false,
        };
        if passes_on { index.clone() } else { self.named_beyond(LARGE, view, index) }
    }

    /// A formula that the walk to an element of a view is about to mention several times.
    pub(super) fn named_operand(&mut self, view: &View, index: &Nat) -> Nat {
        self.named_beyond(LARGE_OPERAND, view, index)
    }

    /// A position that lies in `0..length`. Where formulas have names already, this one gets a name sooner: the name is known to lie there,
    /// while a formula of names may not show it.
    pub(super) fn named_position(&mut self, view: &View, position: Nat, length: &Nat) -> Nat {
        let size = if self.named.is_empty() { LARGE } else { LARGE_OPERAND };
        if !self.wants_name(size, view, &position) {
            return position;
        }
        self.name(&position, Some(self.ranges.simplify(length)))
    }

    fn named_beyond(&mut self, size: u32, view: &View, index: &Nat) -> Nat {
        if !self.wants_name(size, view, index) {
            return index.clone();
        }
        let bound = self.bound_of(index);
        self.name(index, bound)
    }

    /// Whether a formula is larger than this, and may have a name.
    fn wants_name(&self, size: u32, view: &View, index: &Nat) -> bool {
        // Whose element of a private array it is shows in the formula.
        let is_divided = || {
            self.around.iter().any(|around| matches!(around.workers, Workers::Local(_)))
                && self.space_of_view(view) == Some(AddressSpace::Private)
        };
        index.is_larger_than(size) && !is_divided()
    }

    /// A name for a formula, or the one that it has already.
    fn name(&mut self, value: &Nat, bound: Option<Nat>) -> Nat {
        if let Some(known) = self.named.iter().find(|known| &known.value == value) {
            return known.name.clone();
        }
        let index = self.fresh.index("position");
        let name = Nat::variable(&index);
        let statement = Statement::DeclareValue { index, value: value.clone(), bound };
        self.ranges.learn(&statement);
        self.block.push(statement);
        self.named.push(NamedIndex { value: value.clone(), name: name.clone() });
        name
    }

    /// What an index is below, where it is not negative and a short formula says so.
    fn bound_of(&self, index: &Nat) -> Option<Nat> {
        if self.ranges.is_non_negative(index) != Some(true) {
            return None;
        }
        let last = self.ranges.upper_bound(index).filter(|last| !last.is_larger_than(LARGEST_BOUND))?;
        Some(last + Nat::one())
    }

    /// Declares a name of a block outside of the block. Its value does not count where the block is not executed, but must exist there.
    pub(super) fn declare_outside(&mut self, index: Var, value: &Nat) {
        let value = self.ranges.simplify(&value.made_total());
        let statement = Statement::DeclareValue { index, value, bound: None };
        self.ranges.learn(&statement);
        self.block.push(statement);
    }

    /// Declares the names of blocks outside of them, where the blocks declare nothing but names; else the blocks stay as they are.
    pub(super) fn keep_names(&mut self, blocks: [&mut Vec<Statement>; 2]) {
        let is_name = |statement: &Statement| matches!(statement, Statement::DeclareValue { .. });
        if !blocks.iter().all(|block| block.iter().all(is_name)) {
            return;
        }
        for statement in blocks.into_iter().flat_map(std::mem::take) {
            if let Statement::DeclareValue { index, value, .. } = statement {
                self.declare_outside(index, &value);
            }
        }
    }
}
