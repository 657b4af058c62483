//! Divides a reduction of a whole array among the work-items of the device.
//!
//! Undivided, one work-item would walk over the array. An associative and commutative operator may take the
//! elements in any order. So every work-item reduces a part of them, and the partial results are reduced in
//! turn. The initial value enters once, at the end.
//!
//! - Where the operator has an identity (`+`, `*`, `&&`, `||`), work-groups reduce consecutive pieces of the
//!   array: neighbouring work-items take neighbouring elements, then the group reduces its partial results in
//!   local memory by a tree. A second kernel of one group does the same with the results of the groups
//!   (compare Harris, *Optimizing parallel reduction in CUDA*, 2007).
//! - Any other operator (`min`, a function marked `#[assoc]` and `#[comm]`) starts from an element: a first
//!   kernel leaves [`PARTIAL_RESULTS`], a second one fewer, and one work-item reduces these.

use std::rc::Rc;

use super::build::{Builder, ceiling, length_of};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Function, Layout, MapKind, ReduceKind, Rows};
use crate::middle::laws::{Accumulation, Identity, Operator};

/// The most work-groups of the first kernel: enough for the largest devices, and few enough for one group to
/// reduce their results.
const GROUPS: i128 = 512;

/// Work-items of a group.
const ITEMS: i128 = 256;

/// The most partial results of the two kernels for operators without an identity.
const PARTIAL_RESULTS: [i128; 2] = [16384, 128];

/// One work-item reduces arrays that are known to be shorter.
pub(super) const WORTH_DIVIDING: i128 = 4096;

/// The divided reduction, as an array of one element. `None` if the reduction must be done in order or is not
/// worth dividing.
pub(super) fn divide(reduction: &Rc<Expr>, functions: &[Function], build: &mut Builder) -> Option<Rc<Expr>> {
    let ExprKind::Reduce(ReduceKind::Unspecified, function, initial, input) = &reduction.kind else {
        return None;
    };
    let array = input.ty.as_array()?;
    let is_short = array.length.as_constant().is_some_and(|length| length < WORTH_DIVIDING);
    if is_short || array.index.is_some() || !reduction.ty.is_element() || joins_uneven_rows(input) {
        return None;
    }
    let Accumulation { element, operator } = Accumulation::of(function, functions, &mut || build.fresh())?;
    let operator = Operator::of(&operator, functions).filter(|operator| operator.laws.commutative)?;
    let input = match element {
        Some(element) => build.map(element, input.clone()),
        None => input.clone(),
    };
    let mut division = Division { operator, build };
    let elements = division.build.variable("elements");
    let read = division.build.read(&elements, &input.ty, input.source);
    let total = match division.operator.identity.clone() {
        Some(identity) => division.by_groups(&read, initial, &identity),
        None => division.start_from_elements(&read, initial),
    };
    Some(division.build.bind(elements, input, total))
}

/// Whether an element lies in joined rows of different lengths, so that only a walk from the start finds it.
/// The row of an element of chunks is a quotient.
pub(super) fn joins_uneven_rows(expr: &Expr) -> bool {
    let is_uneven = |input: &Expr| {
        let are_chunks = |array| Rows::of(array).is_some_and(|rows| rows.chunk().is_some());
        input.ty.as_array().is_some_and(|array| array.index.is_some() && !are_chunks(array))
    };
    matches!(&expr.kind, ExprKind::Layout(Layout::Join, input) if is_uneven(input))
        || expr.children().into_iter().any(|child| joins_uneven_rows(child))
}

struct Division<'d, 'e> {
    operator: Operator<'e>,
    build: &'d mut Builder,
}

impl Division<'_, '_> {
    fn by_groups(&mut self, elements: &Rc<Expr>, initial: &Rc<Expr>, identity: &Identity) -> Rc<Expr> {
        let length = length_of(elements);
        let group = self.build.size("group");
        let rows = ceiling(&length, GROUPS * ITEMS);
        let piece = Nat::variable(&group) * &rows * Nat::constant(ITEMS);
        let shares = self.shares(elements, &piece, &rows, identity);
        let total = self.add_up(shares, ITEMS, |_, last| last);
        let needed = Nat::min(&Nat::constant(GROUPS), &ceiling(&length, ITEMS));
        let groups = self.build.distribute(MapKind::WorkGroup(0), Some(group), needed, total);
        let joined = self.build.join(groups);
        let variable = self.build.variable("partial");
        let partial = self.build.read(&variable, &joined.ty, joined.source);
        let shares = self.shares(&partial, &Nat::zero(), &Nat::constant(GROUPS / ITEMS), identity);
        let total = self.add_up(shares, ITEMS, |division, last| {
            let total = division.operator.apply(initial, &last);
            division.build.stored(AddressSpace::Global, total)
        });
        let groups = self.build.distribute(MapKind::WorkGroup(0), None, Nat::one(), total);
        let result = self.build.join(groups);
        self.build.bind(variable, joined, result)
    }

    /// The partial result of each work-item of a group, from the elements `item`, `item + ITEMS`, … of a
    /// piece.
    fn shares(&mut self, elements: &Rc<Expr>, piece: &Nat, rows: &Nat, identity: &Identity) -> Rc<Expr> {
        let length = length_of(elements);
        let item = self.build.size("item");
        let start = piece + Nat::variable(&item);
        let left = Nat::max(&(&length - &start), &Nat::zero());
        let count = Nat::min(rows, &ceiling(&left, ITEMS));
        let share = self.strided(elements, &start, ITEMS, count);
        let identity = self.build.identity(identity, self.operator.element(), elements.source);
        let reduced = self.sequentially(identity, share);
        let reduced = self.build.stored(AddressSpace::Local, reduced);
        self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(ITEMS), reduced)
    }

    /// The total of the partial results of a group, as an array of one element. Each level of the tree
    /// combines the second half with the first.
    fn add_up(
        &mut self,
        values: Rc<Expr>,
        count: i128,
        finish: impl FnOnce(&mut Self, Rc<Expr>) -> Rc<Expr>,
    ) -> Rc<Expr> {
        let variable = self.build.variable("sums");
        let read = self.build.read(&variable, &values.ty, values.source);
        let rest = match count {
            2 => {
                let item = self.build.size("item");
                let sum = self.halves(&read, &item, 1);
                let sum = finish(self, sum);
                self.build.distribute(MapKind::Local(0), Some(item), Nat::one(), sum)
            }
            _ => {
                let halved = self.half_of(&read, count, AddressSpace::Local);
                self.add_up(halved, count / 2, finish)
            }
        };
        self.build.bind(variable, values, rest)
    }

    /// Half as many values: the first half combined with the second.
    fn half_of(&mut self, values: &Rc<Expr>, count: i128, space: AddressSpace) -> Rc<Expr> {
        let item = self.build.size("item");
        let sum = self.halves(values, &item, count / 2);
        let sum = self.build.stored(space, sum);
        self.build.distribute(MapKind::Local(0), Some(item), Nat::constant(count / 2), sum)
    }

    fn halves(&mut self, values: &Rc<Expr>, item: &Var, half: i128) -> Rc<Expr> {
        let left = self.build.at(values, Nat::variable(item));
        let right = self.build.at(values, Nat::variable(item) + Nat::constant(half));
        self.operator.apply(&left, &right)
    }

    fn start_from_elements(&mut self, elements: &Rc<Expr>, initial: &Rc<Expr>) -> Rc<Expr> {
        let mut bound = Vec::new();
        let mut elements = elements.clone();
        for most in PARTIAL_RESULTS {
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
    fn partial_results(&mut self, elements: &Rc<Expr>, most: i128) -> Rc<Expr> {
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
    fn strided(&mut self, elements: &Rc<Expr>, start: &Nat, stride: i128, count: Nat) -> Rc<Expr> {
        let step = self.build.size("step");
        let position = start + Nat::constant(stride) * Nat::variable(&step);
        let element = self.build.at(elements, position);
        self.build.generate(step, count, element)
    }

    fn sequentially(&mut self, initial: Rc<Expr>, elements: Rc<Expr>) -> Rc<Expr> {
        self.build.reduce_in_order(self.operator.function, initial, elements)
    }
}
