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

use std::cell::RefCell;
use std::rc::Rc;

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Buffer, BufferId, Expression, Statement, Stored, ValueType};
use crate::ir::names::Fresh;
use crate::ir::nat::{Memo, Nat, Var};

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
    let body = hoist.block(body, &Parts::new(Part::Stem, sizes));
    hoist.block(body, &Parts::new(Part::Term, sizes))
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

/// Takes indices apart into parts of one kind, each index only once.
struct Parts<'s> {
    part: Part,
    sizes: &'s FlatSet<Var>,
    known: RefCell<Memo<Nat, Rc<[Nat]>>>,
}

impl Parts<'_> {
    fn new(part: Part, sizes: &FlatSet<Var>) -> Parts<'_> {
        Parts { part, sizes, known: RefCell::default() }
    }

    fn of(&self, index: &Nat) -> Rc<[Nat]> {
        let mut known = self.known.borrow_mut();
        let parts = known.get_or_insert_with(index, || self.part.of(index, self.sizes).into());
        parts.clone()
    }
}

struct Hoist<'h> {
    buffers: &'h [Buffer],
    fresh: &'h mut Fresh,
}

impl Hoist<'_> {
    fn block(&mut self, block: Vec<Statement>, parts: &Parts<'_>) -> Vec<Statement> {
        let mut uses = Uses { parts, found: FlatMap::new() };
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
        let mut named = Named { parts, variables: FlatMap::new() };
        let mut changed = Vec::new();
        for statement in block {
            match statement {
                around if !around.is_leaf() => {
                    changed.push(around.map_blocks(|block| self.block(block, parts)));
                }
                leaf if common.is_empty() => changed.push(leaf),
                leaf => {
                    let mut needed = Uses { parts, found: FlatMap::new() };
                    needed.statement(&leaf);
                    for nat in needed.found.into_iter().map(|(nat, _)| nat) {
                        if let Some(buffer) = common.get(&nat).filter(|_| !named.variables.contains_key(&nat))
                        {
                            let index = self.fresh(*buffer);
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

    fn fresh(&mut self, buffer: BufferId) -> Var {
        let name = self.buffers.get(buffer.0).map_or("index", |buffer| &*buffer.name);
        self.fresh.index(&format!("{name}_at"))
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

/// Counts the parts of the indices in a statement.
struct Uses<'s> {
    parts: &'s Parts<'s>,
    found: FlatMap<Nat, (usize, BufferId)>,
}

impl Uses<'_> {
    /// Counts what is loaded before what is stored.
    fn statement(&mut self, statement: &Statement) {
        statement.each_part(&mut |part| {
            if let Expression::Load(buffer, index, _) = part {
                self.count(*buffer, index);
            }
        });
        if let Some(Stored { buffer, index, .. }) = statement.stored() {
            self.count(buffer, index);
        }
    }

    fn count(&mut self, buffer: BufferId, index: &Nat) {
        for part in self.parts.of(index).iter() {
            self.found.get_or_insert_with(part.clone(), || (0, buffer)).0 += 1;
        }
    }
}

/// Replaces common parts by their names.
struct Named<'s> {
    parts: &'s Parts<'s>,
    variables: FlatMap<Nat, Var>,
}

impl Named<'_> {
    fn index(&self, index: Nat) -> Nat {
        let parts = self.parts.of(&index);
        let known = parts.iter().filter_map(|part| Some((part, self.variables.get(part)?)));
        known.fold(index.clone(), |index, (part, variable)| index - part + Nat::variable(variable))
    }
}

impl Fold for Named<'_> {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.index(index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.index(index), value)
    }
}
