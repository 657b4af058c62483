//! Reductions of whole arrays, divided among the work-items of the device.
//!
//! An associative and commutative operator may take the elements in any order. So every work-item reduces a
//! part of them, and the partial results are reduced in turn. The initial value enters at the end, and before
//! that only where it changes nothing.
//!
//! - Where parts may start from an identity of the operator, or from the initial value as with `max`,
//!   work-groups reduce consecutive pieces of the array: neighbouring work-items take neighbouring elements
//!   and leave their results in local memory, a few work-items reduce these in the same way, and one what they
//!   leave. A second kernel of one group does the same with the results of the groups (compare Harris,
//!   *Optimizing parallel reduction in CUDA*, 2007).
//! - Any other operator starts from an element: a first kernel leaves some partial results, a second one
//!   fewer, and one work-item reduces these.
//!
//! Each is a chain of partial reductions, interchanges and lowerings in one rule: a program with a reduction
//! meets it in every expansion. Its right side is made by [`Builder`], which proves no positions: that
//! `group * rows * items + item + items * step` lies in the array for all steps below the number of elements
//! that are left is beyond the algebra of sizes. The instances evaluate it for all small cases instead.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Redex, Rule};
use super::parts::{constants, is_outside_functions};
use super::reduction::{combining, start_of_parts};
use crate::ir::nat::Nat;
use crate::ir::typed::binders::refreshed;
use crate::ir::typed::build::Build;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Layout, MapKind, ReduceKind, Rows};
use crate::ir::types::Type;
use crate::middle::laws::{Accumulation, Axioms, Operator};
use crate::middle::stated::{Builder, ceiling, length_of};

/// A number of groups reduces an array, each the elements of a chunk, and one group reduces their results.
pub const REDUCE_BY_GROUPS: Rule = Rule {
    name: "reduceByGroups",
    statement: "reduce(op, z) = chunks(n) >> mapWrg0(|c| c >> deinterleave(items) >> \
                mapLcl0(reduceSeq(op, e)) >> deinterleave(few) >> mapLcl0(reduceSeq(op)) >> \
                reduceSeq(op)) >> join >> (the same in one group) >> op(z), for at most `groups` chunks",
    origin: "Harris, Optimizing parallel reduction in CUDA, 2007; ICFP 2015, section 4.1",
    parameters: &[Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let [groups, items] = constants(arguments)?;
        if !(u128::try_from(items).is_ok_and(u128::is_power_of_two) && items > 1 && groups % items == 0) {
            let wanted = "there is a power of two of work-items, which divides the number of groups";
            return Err(Mismatch::condition(wanted, redex.expr));
        }
        divided(redex, build, |division, elements, initial| {
            let start = start_of_parts(&division.operator, initial)?.clone();
            let start = division.build.start(&start, initial);
            Some(division.by_groups(elements, initial, &start, Groups { groups, items }))
        })
    },
};

/// A number of work-items reduces an array, fewer reduce their results, and one the results of these. Each
/// starts from an element.
pub const REDUCE_BY_ITEMS: Rule = Rule {
    name: "reduceByItems",
    statement: "reduce(op, z) = deinterleave(m) >> mapGlb0(|p| reduceSeq(op, p[0], p[1..])) >> \
                deinterleave(n) >> mapGlb0(|p| reduceSeq(op, p[0], p[1..])) >> reduceSeq(op, z), without \
                empty parts",
    origin: "ICFP 2015, section 4.1 (partial reduction, reordered by a stride), without an identity",
    parameters: &[Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let most = constants(arguments)?;
        divided(redex, build, |division, elements, initial| {
            Some(division.start_from_elements(elements, initial, most))
        })
    },
};

/// The reduction as an element of an array that the device makes. `divide` makes it from the elements and the
/// initial value.
fn divided(
    redex: &Redex<'_>,
    build: &mut Build<'_>,
    divide: impl FnOnce(&mut Division<'_, '_>, &Arc<Expr>, &Arc<Expr>) -> Option<Arc<Expr>>,
) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Reduce(ReduceKind::Unspecified, function, initial, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `reduce`, whose order is open"));
    };
    if !is_outside_functions(redex) {
        return Err(Mismatch::condition(
            "the whole device computes it, outside of all functions",
            redex.expr,
        ));
    }
    if !may_be_divided(redex.expr) {
        let wanted = "elements of one type are reduced to one, and lie where a formula says";
        return Err(Mismatch::condition(wanted, redex.expr));
    }
    let axioms = Axioms::of_place(build);
    let divided = build.prover().numbered(|next_id| {
        let mut builder = Builder { next_id: *next_id };
        let Accumulation { element, operator } =
            Accumulation::derived(function, axioms, &mut || builder.fresh())?;
        let operator = Operator::derived(&operator, axioms).filter(|operator| operator.laws.commutative)?;
        let input = match element {
            Some(element) => builder.map(element, input.clone()),
            None => input.clone(),
        };
        let elements = builder.variable("elements");
        let read = builder.read(&elements, &input.ty, input.source);
        let mut division = Division { operator, build: &mut builder };
        let total = divide(&mut division, &read, initial)?;
        let total = builder.bind(elements, input, total);
        let total = builder.at(&total, Nat::zero());
        *next_id = builder.next_id;
        Some(total)
    });
    divided.ok_or_else(|| {
        let wanted = "the operator is known to be associative and commutative, and its parts have \
                      something to start from if groups take them";
        Mismatch::condition(wanted, redex.expr)
    })
}

/// Whether a reduction has a form that may be divided, whatever its operator is: elements of one type are
/// reduced to one, and each can be found without its neighbours.
pub(in crate::middle) fn may_be_divided(reduction: &Expr) -> bool {
    let ExprKind::Reduce(ReduceKind::Unspecified, _, _, input) = &reduction.kind else { return false };
    let is_regular = input.ty.as_array().is_some_and(|array| array.index.is_none());
    is_regular && is_small(&reduction.ty) && !joins_uneven_rows(input)
}

/// Whether a work-item keeps values of a type in registers.
pub(in crate::middle) fn is_small(ty: &Type) -> bool {
    ty.is_element() || ty.constant_bytes().is_some_and(|bytes| bytes <= MOST_BYTES)
}

/// The most bytes of an accumulator that holds arrays. Each of the 256 work-items of a group has one in
/// registers and one in local memory, and devices have at least 32 KiB of that.
const MOST_BYTES: i128 = 64;

/// Whether an element lies in joined rows of different lengths, so that only a walk from the start finds it.
/// The row of an element of chunks is a quotient.
pub(in crate::middle) fn joins_uneven_rows(expr: &Expr) -> bool {
    let is_uneven = |input: &Expr| {
        let are_chunks = |array| Rows::of(array).is_some_and(|rows| rows.chunk().is_some());
        input.ty.as_array().is_some_and(|array| array.index.is_some() && !are_chunks(array))
    };
    matches!(&expr.kind, ExprKind::Layout(Layout::Join, input) if is_uneven(input))
        || expr.children().any(|child| joins_uneven_rows(child))
}

/// The most groups, and the work-items of each.
#[derive(Clone, Copy)]
struct Groups {
    groups: i128,
    items: i128,
}

struct Division<'d, 'e> {
    operator: Operator<'e>,
    build: &'d mut Builder,
}

impl Division<'_, '_> {
    fn by_groups(
        &mut self,
        elements: &Arc<Expr>,
        initial: &Arc<Expr>,
        start: &Arc<Expr>,
        Groups { groups, items }: Groups,
    ) -> Arc<Expr> {
        let length = length_of(elements);
        let group = self.build.size("group");
        let rows = ceiling(&length, groups * items);
        let piece = Nat::variable(&group) * &rows * Nat::constant(items);
        let shares = self.shares(elements, &piece, &rows, start, items);
        let total = self.add_up(shares, items, |_, last| last);
        let needed = Nat::min(&Nat::constant(groups), &ceiling(&length, items));
        let all = self.build.distribute(MapKind::WorkGroup(0), Some(group), needed, total);
        let joined = self.build.join(all);
        let variable = self.build.variable("partial");
        let partial = self.build.read(&variable, &joined.ty, joined.source);
        let shares = self.shares(&partial, &Nat::zero(), &Nat::constant(groups / items), start, items);
        let total = self.add_up(shares, items, |division, last| {
            // The operator may mention its operand more than once.
            let total = division.build.variable("total");
            let read = division.build.read(&total, &last.ty, last.source);
            let whole = division.applied(initial, &read);
            let whole = division.build.bind(total, last, whole);
            division.build.stored(AddressSpace::Global, whole)
        });
        let all = self.build.distribute(MapKind::WorkGroup(0), None, Nat::one(), total);
        let result = self.build.join(all);
        self.build.bind(variable, joined, result)
    }

    /// The partial result of each work-item of a group, from `initial` and the elements `item`,
    /// `item + items`, … of a piece.
    fn shares(
        &mut self,
        elements: &Arc<Expr>,
        piece: &Nat,
        rows: &Nat,
        initial: &Arc<Expr>,
        items: i128,
    ) -> Arc<Expr> {
        let length = length_of(elements);
        let item = self.build.size("item");
        let start = piece + Nat::variable(&item);
        let left = Nat::max(&(&length - &start), &Nat::zero());
        let count = Nat::min(rows, &ceiling(&left, items));
        let share = self.strided(elements, &start, items, count);
        let initial = self.build.renumbered(initial);
        let reduced = self.sequentially(initial, share);
        let reduced = self.build.stored(AddressSpace::Local, reduced);
        self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(items), reduced)
    }

    /// The total of the partial results of a group, as an array of one element. Few work-items reduce them
    /// to few results, where there are many; few divides `count`, because both are powers of two.
    fn add_up(
        &mut self,
        values: Arc<Expr>,
        count: i128,
        finish: impl FnOnce(&mut Self, Arc<Expr>) -> Arc<Expr>,
    ) -> Arc<Expr> {
        let variable = self.build.variable("sums");
        let read = self.build.read(&variable, &values.ty, values.source);
        let rest = match combining(count) {
            None => {
                let others = self.strided(&read, &Nat::one(), 1, Nat::constant(count - 1));
                let first = self.build.at(&read, Nat::zero());
                let total = self.sequentially(first, others);
                let total = finish(self, total);
                self.build.distribute(MapKind::Local(0), None, Nat::one(), total)
            }
            Some(few) => {
                let item = self.build.size("item");
                let start = Nat::variable(&item) + Nat::constant(few);
                let others = self.strided(&read, &start, few, Nat::constant(count / few - 1));
                let first = self.build.at(&read, Nat::variable(&item));
                let reduced = self.sequentially(first, others);
                let reduced = self.build.stored(AddressSpace::Local, reduced);
                let results =
                    self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(few), reduced);
                self.add_up(results, few, finish)
            }
        };
        self.build.bind(variable, values, rest)
    }

    fn start_from_elements(
        &mut self,
        elements: &Arc<Expr>,
        initial: &Arc<Expr>,
        most: [i128; 2],
    ) -> Arc<Expr> {
        let mut bound = Vec::new();
        let mut elements = elements.clone();
        for most in most {
            let partial = self.partial_results(&elements, most);
            let variable = self.build.variable("partial");
            elements = self.build.read(&variable, &partial.ty, partial.source);
            bound.push(Binding { variable, value: partial });
        }
        let total = self.sequentially(initial.clone(), elements);
        let total = self.build.array_of_one(total);
        let total = self.build.stored(AddressSpace::Global, total);
        self.build.bind_all(bound, total)
    }

    /// Reduces every `most`-th element to one partial result, so that there are at most `most` of them.
    fn partial_results(&mut self, elements: &Arc<Expr>, most: i128) -> Arc<Expr> {
        let length = length_of(elements);
        let item = self.build.size("item");
        let start = Nat::variable(&item);
        let first = self.build.at(elements, start.clone());
        let others = (&length - &start - Nat::one()).divide(&Nat::constant(most));
        let share = self.strided(elements, &(start + Nat::constant(most)), most, others);
        let reduced = self.sequentially(first, share);
        let count = Nat::min(&Nat::constant(most), &length);
        self.build.distribute(MapKind::Global(0), Some(item), count, reduced)
    }

    /// Every `stride`-th element from `start` on.
    fn strided(&mut self, elements: &Arc<Expr>, start: &Nat, stride: i128, count: Nat) -> Arc<Expr> {
        let step = self.build.size("step");
        let position = start + Nat::constant(stride) * Nat::variable(&step);
        let element = self.build.at(elements, position);
        self.build.generate(step, count, element)
    }

    fn sequentially(&mut self, initial: Arc<Expr>, elements: Arc<Expr>) -> Arc<Expr> {
        let operator = self.build.copy_of(self.operator.function);
        self.build.reduce_in_order(&operator, initial, elements)
    }

    /// The operator, applied to two operands.
    fn applied(&mut self, left: &Arc<Expr>, right: &Arc<Expr>) -> Arc<Expr> {
        let function = self.operator.function;
        let mut applied = refreshed(&function.body, &mut self.build.next_id);
        for ((parameter, _), argument) in function.parameters.iter().zip([left, right]) {
            applied = applied.replace(parameter, argument);
        }
        applied
    }
}
