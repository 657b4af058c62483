//! Loop-invariant code motion, of the clamped parts of indices.
//!
//! The tiles and blocks at the edges of an array repeat its last row or column, so that their indices have
//! terms as `M * min(N - 1, 64 * group + row)`. Such a term costs several instructions and does not change in
//! the loop that walks along the row. It is computed before the outermost loop that does not change it, as a
//! person would write it. OpenCL compilers do that, too, but not always before they arrange the loads of a
//! loop: on an H200, products with two and four vectors of 8192 elements take 0.95 and 0.93 times as long.
//!
//! Other terms that depend on a comparison, as a choice, are moved, too. Loops that are unrolled as a whole
//! keep their terms: the compiler sees straight code there anyway, and a stencil in three dimensions took
//! 1.05 times as long with names. A term whose divisor could be 0 stays in place, because the loop may have
//! no iteration.

use super::context::Resources;
use super::index_parts::{Named, Parts, Uses, named_for};
use crate::flat::FlatSet;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{Loop, Statement, Trip, Unrolling, any};
use crate::ir::nat::{Nat, Var};

/// Computes clamped parts of indices before the loops that do not change them; see the module documentation.
pub(crate) fn hoist_invariant_indices(body: Vec<Statement>, resources: Resources<'_>) -> Vec<Statement> {
    let mut motion = Motion { clamped: Parts::new(clamped), resources };
    motion.block(body)
}

/// The terms of an index that depend on comparisons.
fn clamped(index: &Nat) -> Vec<Nat> {
    index.split_terms().into_iter().filter(|term| term.compares() && term.is_total()).collect()
}

struct Motion<'m> {
    clamped: Parts<'m>,
    resources: Resources<'m>,
}

impl Motion<'_> {
    fn block(&mut self, block: Vec<Statement>) -> Vec<Statement> {
        let mut changed = Vec::with_capacity(block.len());
        for statement in block {
            let statements = match &statement {
                Statement::Loop(repetition) if repeats(repetition) => self.before(&statement, &mut changed),
                _ => vec![statement],
            };
            changed.extend(statements.into_iter().map(|inside| inside.map_blocks(|block| self.block(block))));
        }
        changed
    }

    /// A loop without the terms that it does not change, after declarations of these.
    fn before(&mut self, repetition: &Statement, declarations: &mut Vec<Statement>) -> Vec<Statement> {
        let (mut uses, mut changing) = (Uses::new(&self.clamped), FlatSet::<Var>::new());
        any(std::slice::from_ref(repetition), &mut |statement| {
            uses.statement(statement);
            changing.extend(statement.declared_index().cloned());
            false
        });
        let mut named = Named::new(&self.clamped);
        for (term, (_, buffer)) in uses.found {
            if term.variables().iter().all(|variable| !changing.contains(variable)) {
                let index = named_for(buffer, self.resources.buffers, self.resources.fresh);
                let (declared, value) = (index.clone(), term.clone());
                declarations.push(Statement::DeclareValue { index: declared, value, bound: None });
                named.variables.insert(term, index);
            }
        }
        named.statement(repetition)
    }
}

/// Whether a loop is one in the code that a device executes.
fn repeats(repetition: &Loop) -> bool {
    !matches!(repetition.trip, Trip::One | Trip::AtMostOne) && repetition.unrolling != Unrolling::Whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::examples::{assign, in_order};
    use crate::ir::kernel::{Buffer, BufferId, BufferRole, Expression};
    use crate::ir::names::{Fresh, Names, ReservedWords};
    use crate::ir::scalar::ScalarType;

    static NO_WORDS: ReservedWords = ReservedWords { has: |_| false, has_family: |_| false };

    fn n() -> Nat {
        Nat::variable(&Var::new(1, "n"))
    }

    fn i() -> Var {
        Var::new(2, "i")
    }

    fn j() -> Var {
        Var::new(3, "j")
    }

    /// The last element of an array with `n` elements, or the element at an index.
    fn clamped_at(index: &Nat) -> Nat {
        Nat::min(&(n() - Nat::one()), index)
    }

    fn load(index: Nat) -> Statement {
        assign("x", Expression::Load(BufferId(0), index, ScalarType::F32.into()))
    }

    fn moved(body: Vec<Statement>) -> Vec<Statement> {
        let role = BufferRole::Parameter(0);
        let mut buffers = vec![Buffer { name: "a".into(), element: ScalarType::F32, length: n(), role }];
        let mut fresh = Fresh::new(Names::new(&NO_WORDS), 100);
        hoist_invariant_indices(body, Resources { buffers: &mut buffers, fresh: &mut fresh })
    }

    /// The numbers of declarations before the loop and in it.
    fn declared(body: &[Statement]) -> [usize; 2] {
        let count = |block: &[Statement]| {
            block.iter().filter(|statement| matches!(statement, Statement::DeclareValue { .. })).count()
        };
        let inside = body.iter().flat_map(Statement::blocks).map(count).sum();
        [count(body), inside]
    }

    #[test]
    fn a_clamped_term_is_computed_before_the_loops_that_do_not_change_it() {
        let row = clamped_at(&Nat::constant(7));
        let index = &row * n() + Nat::variable(&j()) + clamped_at(&Nat::variable(&i()));
        let inner = in_order(&j(), n(), vec![load(index)]);
        let body = moved(vec![in_order(&i(), n(), vec![inner])]);
        // The row before both loops, and the column in the outer one.
        assert_eq!(declared(&body), [1, 1], "{body:?}");
        assert!(matches!(&body[0], Statement::DeclareValue { value, .. } if *value == row * n()), "{body:?}");
        let mut clamps = 0;
        any(&body, &mut |statement| {
            statement.each_part(&mut |part| {
                clamps += usize::from(matches!(part, Expression::Load(_, index, _) if index.compares()));
            });
            false
        });
        assert_eq!(clamps, 0, "{body:?}");
    }

    #[test]
    fn terms_stay_in_loops_that_change_them_and_in_straight_code() {
        let of_loop = vec![in_order(&i(), n(), vec![load(clamped_at(&Nat::variable(&i())))])];
        assert_eq!(moved(of_loop.clone()), of_loop);
        let mut whole = in_order(&i(), Nat::constant(4), vec![load(clamped_at(&Nat::constant(7)))]);
        if let Statement::Loop(repetition) = &mut whole {
            repetition.unrolling = Unrolling::Whole;
        }
        assert_eq!(moved(vec![whole.clone()]), [whole]);
        let straight = vec![load(clamped_at(&Nat::constant(7)))];
        assert_eq!(moved(straight.clone()), straight);
    }

    /// A loop without iterations divides by nothing.
    #[test]
    fn a_divisor_that_could_be_zero_stays_in_the_loop() {
        let divided = Nat::min(&Nat::constant(7), &Nat::constant(100).divide(&n()));
        let body = vec![in_order(&i(), n(), vec![load(divided + Nat::variable(&i()))])];
        assert_eq!(moved(body.clone()), body);
    }
}
