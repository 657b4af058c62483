//! Common parts of indices get a name.
//!
//! Straight code that was written out from loops computes almost the same index again and again: neighbours differ by a constant,
//! neighbours in the next row by the length of a row, elements of one row share the start of the row. Such a part is computed once,
//! before the first statement of its block that needs it, as a person would write it. That may be where nothing is read after all, so a
//! part with a divisor that could be 0 keeps its place.
//!
//! It is more than a matter of taste: LLVM's SLP vectoriser makes vectors of sums that are alike, and a loop over work-items in which
//! there are vectors already is not vectorised any more.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::kernel::rewrite::Rewrite;
use crate::ir::kernel::{Buffer, BufferId, Expression, Statement, ValueType};
use crate::ir::names::Fresh;
use crate::ir::nat::{Nat, Var};

/// A part that fewer indices of a block share is not worth a name.
const WORTH_A_NAME: usize = 3;

/// Names common parts of indices; see the module documentation.
pub(crate) fn name_common_indices(
    body: Vec<Statement>,
    buffers: &[Buffer],
    sizes: &BTreeSet<Var>,
    fresh: &mut Fresh,
) -> Vec<Statement> {
    let mut hoist = Hoist { buffers, sizes, fresh };
    let body = hoist.block(body, Part::Stem);
    hoist.block(body, Part::Term)
}

/// Which part of an index is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All of it but what only numbers and sizes decide.
    Stem,
    /// A product that is no mere multiple of variables.
    Term,
}

impl Part {
    /// The parts of this kind in an index.
    fn of(self, index: &Nat, sizes: &BTreeSet<Var>) -> Vec<Nat> {
        match self {
            Part::Stem => {
                let is_of_the_place = |term: &Nat| !term.variables().is_subset(sizes);
                let terms = index.split_terms().into_iter().filter(is_of_the_place);
                let stem = terms.fold(Nat::zero(), |sum, term| sum + term);
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
    sizes: &'h BTreeSet<Var>,
    fresh: &'h mut Fresh,
}

impl Hoist<'_> {
    fn block(&mut self, block: Vec<Statement>, part: Part) -> Vec<Statement> {
        let sizes = self.sizes;
        let mut uses = Uses { part, sizes, found: BTreeMap::new() };
        block.iter().filter(|statement| statement.blocks().is_empty()).for_each(|statement| {
            uses.statement(statement);
        });
        let common: BTreeMap<Nat, BufferId> = uses
            .found
            .into_iter()
            .filter(|(_, (count, _))| *count >= WORTH_A_NAME)
            .map(|(nat, (_, buffer))| (nat, buffer))
            .collect();
        let mut named = Named { part, sizes, variables: BTreeMap::new() };
        let mut changed = Vec::new();
        for statement in block {
            match statement {
                around if !around.blocks().is_empty() => {
                    changed.push(around.map_blocks(|block| self.block(block, part)));
                }
                leaf => {
                    let mut needed = Uses { part, sizes, found: BTreeMap::new() };
                    needed.statement(&leaf);
                    for nat in needed.found.into_keys() {
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
        let name = self.buffers.get(buffer.0).map_or("index", |buffer| buffer.name.as_str());
        self.fresh.index(&format!("{name}_at"))
    }
}

/// Counts the parts of the indices in a statement.
struct Uses<'s> {
    part: Part,
    sizes: &'s BTreeSet<Var>,
    found: BTreeMap<Nat, (usize, BufferId)>,
}

impl Uses<'_> {
    fn count(&mut self, buffer: BufferId, index: &Nat) {
        for part in self.part.of(index, self.sizes) {
            self.found.entry(part).or_insert((0, buffer)).0 += 1;
        }
    }
}

impl Rewrite for Uses<'_> {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        self.count(buffer, &index);
        Expression::Load(buffer, index, ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        self.count(buffer, &index);
        Statement::Store(buffer, index, value)
    }
}

/// Puts names in the place of common parts.
struct Named<'s> {
    part: Part,
    sizes: &'s BTreeSet<Var>,
    variables: BTreeMap<Nat, Var>,
}

impl Named<'_> {
    fn index(&self, index: Nat) -> Nat {
        let parts = self.part.of(&index, self.sizes);
        let known = parts.iter().filter_map(|part| Some((part, self.variables.get(part)?)));
        known.fold(index.clone(), |index, (part, variable)| index - part + Nat::variable(variable))
    }
}

impl Rewrite for Named<'_> {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.index(index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.index(index), value)
    }
}
