//! Large index formulas get names (common subexpressions of indices).
//!
//! Some layouts mention the index that they are read at several times: `mirror` four times, `join` twice, for
//! the row and for the position in it. Along a chain of such layouts an index formula would double with every
//! layout, and so would the time to simplify it. So a formula that exceeds a size gets a name: the kernel
//! computes it once, and further layouts mention the name. Smaller formulas stay as they are, because the
//! algebra simplifies only what it sees.
//!
//! What must stay true: a name is declared in the current block, before it is mentioned, and has the value of
//! its formula there. If a view leaves its block, as a view under a condition does, the names of the block
//! are declared outside of it.

use super::generator::Generator;
use super::generator::NamedIndex;
use crate::ir::kernel::{Statement, Workers};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::AddressSpace;
use crate::middle::view::View;

/// Formulas larger than this get a name. The formulas of ordinary programs, such as two-dimensional stencils,
/// stay below 60.
const LARGE: u32 = 64;

/// The same for a formula that is about to be mentioned several times.
const LARGE_OPERAND: u32 = 24;

/// The largest upper bound that is recorded for a name. Larger ones cost more time than they save.
const LARGEST_BOUND: u32 = 16;

impl Generator<'_> {
    /// The index at which a view is accessed, or its name if the formula is large.
    pub(super) fn named_for(&mut self, view: &View, index: &Nat) -> Nat {
        let passes_on = match view {
            // These mention the index at most once.
            View::Memory(..) | View::Constant(_) | View::Zipped(_) | View::Component(..) => true,
            // The row is found in the terms of the formula, which a name would hide.
            View::Joined { rows, .. } => rows.index.is_some(),
            View::Shifted { .. }
            | View::Rows { .. }
            | View::Partitioned { .. }
            | View::Interleaved { .. }
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

    /// A formula that is about to be mentioned several times, or its name if it is large.
    pub(super) fn named_operand(&mut self, view: &View, index: &Nat) -> Nat {
        self.named_beyond(LARGE_OPERAND, view, index)
    }

    /// A position in `0..length`, or its name if it is large. Once there are names, a smaller formula gets
    /// one as well: the bound is recorded for the name, while a formula of names may not show it.
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

    /// Whether a formula is larger than `size` and may have a name.
    fn wants_name(&self, size: u32, view: &View, index: &Nat) -> bool {
        // The formula of an index into a private array shows which work-item the element belongs to; a name
        // would hide it.
        let is_divided = || {
            self.around.iter().any(|around| matches!(around.workers, Workers::Local(_)))
                && self.space_of_view(view) == Some(AddressSpace::Private)
        };
        index.is_larger_than(size) && !is_divided()
    }

    /// The name of a formula; declares one if it has none.
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

    /// A position from data, with a name.
    pub(super) fn position_from_data(&mut self, wanted: &str, position: &Nat) -> Nat {
        let bound = self.bound_of(position);
        let index = self.fresh.index(wanted);
        let statement = Statement::DeclareValue { index: index.clone(), value: position.clone(), bound };
        self.ranges.learn(&statement);
        self.block.push(statement);
        self.positions_from_data.insert(index.clone());
        Nat::variable(&index)
    }

    /// An exclusive upper bound of an index, if the index is not negative and the bound is a short formula.
    fn bound_of(&self, index: &Nat) -> Option<Nat> {
        if !self.ranges.proves_non_negative(index) {
            return None;
        }
        let last = self.ranges.upper_bound(index).filter(|last| !last.is_larger_than(LARGEST_BOUND))?;
        Some(last + Nat::one())
    }

    /// Declares a name of an inner block in the current one. Where the inner block is not executed, the value
    /// does not matter, but it must exist.
    pub(super) fn declare_outside(&mut self, index: Var, value: &Nat) {
        let value = self.ranges.simplify(&value.made_total());
        let statement = Statement::DeclareValue { index, value, bound: None };
        self.ranges.learn(&statement);
        self.block.push(statement);
    }

    /// Moves the names of two blocks into the current block, if the blocks contain nothing but declarations
    /// of names.
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
