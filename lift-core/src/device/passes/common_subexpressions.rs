//! Common subexpressions of indices: common parts get a name.
//!
//! Straight code that was written out from loops computes similar indices again and again. Neighbours differ
//! by a constant, neighbours in the next row by the length of a row, and elements of one row share the start
//! of the row. Such a part is computed once, before the first statement of its block that needs it, as a
//! person would write it. That may be at a point where nothing is read after all. So a part with a divisor
//! that could be 0 stays in place.
//!
//! This is more than a matter of taste: LLVM's SLP vectoriser makes vectors of sums that are alike, and a
//! loop over work-items with vectors in it is no longer vectorised.

use super::index_parts::{Named, Parts, Uses, named_for};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Buffer, BufferId, Expression, Statement};
use crate::ir::names::Fresh;
use crate::ir::nat::{Nat, Var};

/// Parts that fewer indices of a block share get no name.
const WORTH_A_NAME: usize = 3;

/// Names common parts of indices; see the module documentation.
pub(crate) fn eliminate_common_subexpressions(
    body: Vec<Statement>,
    buffers: &[Buffer],
    sizes: &FlatSet<Var>,
    fresh: &mut Fresh,
) -> Vec<Statement> {
    let mut hoist = Hoist { buffers, fresh };
    let parts = |part: Part| Parts::new(move |index: &Nat| part.of(index, sizes));
    let body = hoist.block(body, &parts(Part::Stem));
    hoist.block(body, &parts(Part::Term))
}

/// Which part of an index is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All of it except the terms that consist of constants and sizes.
    Stem,
    /// A product that is more than a multiple of variables.
    Term,
}

impl Part {
    /// The parts of this kind in an index.
    fn of(self, index: &Nat, sizes: &FlatSet<Var>) -> Vec<Nat> {
        match self {
            Part::Stem => {
                let stem = index.with_terms(|term| !term.variables().is_subset(sizes));
                if stem.terms().len() > 1 && stem.is_total() { vec![stem] } else { Vec::new() }
            }
            Part::Term => {
                let is_simple = |nat: &Nat| nat.terms().iter().all(|term| term.is_product_of_variables());
                let is_worth_it = |term: &Nat| !is_simple(term) && term.is_total();
                index.split_terms().into_iter().filter(is_worth_it).collect()
            }
        }
    }
}

struct Hoist<'h> {
    buffers: &'h [Buffer],
    fresh: &'h mut Fresh,
}

impl Hoist<'_> {
    fn block(&mut self, block: Vec<Statement>, parts: &Parts<'_>) -> Vec<Statement> {
        let mut uses = Uses::new(parts);
        if has_indices(&block, WORTH_A_NAME) {
            let leaves = block.iter().filter(|statement| statement.is_leaf());
            leaves.for_each(|statement| uses.statement(statement));
        }
        let common: FlatMap<Nat, BufferId> = uses
            .found
            .into_iter()
            .filter(|(_, (count, _))| *count >= WORTH_A_NAME)
            .map(|(nat, (_, buffer))| (nat, buffer))
            .collect();
        let mut named = Named::new(parts);
        let mut changed = Vec::new();
        for statement in block {
            match statement {
                around if !around.is_leaf() => {
                    changed.push(around.map_blocks(|block| self.block(block, parts)));
                }
                leaf if common.is_empty() => changed.push(leaf),
                leaf => {
                    let mut needed = Uses::new(parts);
                    needed.statement(&leaf);
                    for nat in needed.found.into_iter().map(|(nat, _)| nat) {
                        if let Some(buffer) = common.get(&nat).filter(|_| !named.variables.contains_key(&nat))
                        {
                            let index = named_for(*buffer, self.buffers, self.fresh);
                            let (declared, value) = (index.clone(), nat.clone());
                            changed.push(Statement::DeclareValue { index: declared, value, bound: None });
                            named.variables.insert(nat, index);
                        }
                    }
                    changed.extend(named.statement(&leaf));
                }
            }
        }
        changed
    }
}

/// Whether the leaves of a block have at least `wanted` indices.
fn has_indices(block: &[Statement], wanted: usize) -> bool {
    let mut count = 0;
    block.iter().filter(|statement| statement.is_leaf()).any(|leaf| {
        count += usize::from(leaf.stored().is_some());
        let mut is_load = |part: &Expression| {
            count += usize::from(matches!(part, Expression::Load(..)));
            count >= wanted
        };
        leaf.expressions().iter().any(|expression| expression.any(&mut is_load)) || count >= wanted
    })
}
