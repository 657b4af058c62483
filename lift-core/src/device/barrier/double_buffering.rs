//! Whether accesses to the two halves of a double buffer stay apart.
//!
//! Each application in an `iterate` reads one half of a buffer, `i % 2`, and writes the other, `(i + 1) % 2`
//! (`codegen::iterate`). Within one application these are different elements, whoever accesses them; between
//! applications they are not. A double-buffered tile (`software_pipelining`) is written and read in the half
//! `i % 2` by one iteration, and in the other half by the next one. Iterations further apart have the barrier
//! of an iteration between them. Everything is proved for even and for odd iterations, from the ranges of the
//! loops around both accesses.

use std::cell::LazyCell;

use super::flow::{Access, Carried, Placement};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::nat::{Atom, Condition, Nat, Substitution, Var};

/// Tells, for every pair of accesses from two lists, whether they are to different halves.
///
/// Unrolled loops access a buffer at addresses that differ by constants. Such accesses are joined into one
/// access to everything between the first and the last address. Where the joined access is in another half,
/// one proof covers all pairs.
pub(super) struct Halves<'a> {
    stretches: Lazily<'a>,
    carried: Option<Carried<'a>>,
    /// The answers for pairs of joined accesses.
    known: FlatMap<(usize, usize), bool>,
}

impl<'a> Halves<'a> {
    pub(super) fn of(earlier: &'a [Access], later: &'a [Access], carried: Option<Carried<'a>>) -> Halves<'a> {
        let stretches = LazyCell::new(Box::new(move || [earlier, later].map(Stretches::of)) as Box<_>);
        Halves { stretches, carried, known: FlatMap::new() }
    }

    /// Whether the accesses at these positions never concern the same element.
    pub(super) fn are_different(&mut self, placement: &Placement<'_>, first: usize, second: usize) -> bool {
        let [earlier, later] = &*self.stretches;
        let (Some(one), Some(other)) = (earlier.around(first), later.around(second)) else {
            return false;
        };
        let different =
            |first: &Access, second: &Access| placement.in_different_halves(first, second, self.carried);
        let all =
            *self.known.get_or_insert_with((one.number, other.number), || different(one.all, other.all));
        let is_one_pair = one.all.lanes == one.own.lanes && other.all.lanes == other.own.lanes;
        all || !is_one_pair && different(one.own, other.own)
    }
}

/// The joined accesses of the two lists, computed on demand: most pairs of statements have no accesses that
/// could conflict.
type Lazily<'a> = LazyCell<[Stretches<'a>; 2], Box<dyn FnOnce() -> [Stretches<'a>; 2] + 'a>>;

/// Accesses, where those whose addresses differ by constants are joined.
struct Stretches<'a> {
    accesses: &'a [Access],
    /// For each access, the position of the joined one.
    numbers: Vec<usize>,
    /// The joined accesses, each to all scalars from the first to the last.
    all: Vec<Access>,
}

/// An access and the joined access that covers it.
struct Around<'s> {
    own: &'s Access,
    all: &'s Access,
    number: usize,
}

impl<'a> Stretches<'a> {
    fn of(accesses: &'a [Access]) -> Stretches<'a> {
        let mut stretches = Stretches { accesses, numbers: Vec::new(), all: Vec::new() };
        for access in accesses {
            let number = stretches.all.iter().position(|all| all.may_reach_to(access));
            match number.and_then(|number| stretches.all.get_mut(number)) {
                Some(all) => all.reach_to(access),
                None => stretches.all.push(access.clone()),
            }
            stretches.numbers.push(number.unwrap_or(stretches.all.len() - 1));
        }
        stretches
    }

    fn around(&self, position: usize) -> Option<Around<'_>> {
        let number = *self.numbers.get(position)?;
        Some(Around { own: self.accesses.get(position)?, all: self.all.get(number)?, number })
    }
}

impl Access {
    /// Whether another access differs only in a constant of its address, in its width, and in the names of
    /// the loop indices around it.
    fn may_reach_to(&self, other: &Access) -> bool {
        let is_alike = self.buffer == other.buffer
            && self.touch == other.touch
            && self.items == other.items
            && self.loops.len() == other.loops.len()
            && self.index.variable_terms().len() == other.index.variable_terms().len();
        if !is_alike {
            return false;
        }
        let mut renaming = Substitution::new();
        for ((own, own_extent), (loop_index, extent)) in self.loops.iter().zip(&other.loops) {
            if &extent.substitute(&renaming) != own_extent {
                return false;
            }
            if own != loop_index {
                renaming.insert(loop_index.clone(), Nat::variable(own));
            }
        }
        let (own, others) = (self.index.constant_term(), other.index.constant_term());
        &self.index - Nat::constant(own) == (&other.index - Nat::constant(others)).substitute(&renaming)
    }

    /// Extends this access to the scalars of another one, and all in between; see
    /// [`may_reach_to`](Self::may_reach_to).
    fn reach_to(&mut self, other: &Access) {
        let (own, others) = (self.index.constant_term(), other.index.constant_term());
        let end = |first: i128, access: &Access| first.saturating_add(i128::from(access.lanes));
        let end = end(own, self).max(end(others, other));
        self.index = &self.index + Nat::constant(others.min(own) - own);
        self.lanes = u64::try_from(end.saturating_sub(own.min(others))).unwrap_or(u64::MAX);
    }
}

impl Placement<'_> {
    /// Whether two accesses never concern the same element. They are made in one iteration of the loops
    /// around them both or, where they are made in different iterations of a loop, in one iteration and the
    /// next.
    fn in_different_halves(&self, first: &Access, second: &Access, carried: Option<Carried<'_>>) -> bool {
        let meets_only_next = carried.is_some_and(|carried| carried.ordered.contains(&first.space));
        let is_common = |variable: &&Var| {
            let is_carried = carried.is_some_and(|carried| carried.loop_index == *variable);
            let is_own = |access: &Access| access.variables().any(|(own, _)| own == *variable);
            (!is_carried || meets_only_next) && !is_own(first) && !is_own(second)
        };
        let carried = carried.map(|carried| carried.loop_index);
        let parities = parities(&first.index);
        parities.intersection(&self::parities(&second.index)).filter(is_common).any(|loop_index| {
            [Nat::zero(), Nat::one()]
                .iter()
                .all(|parity| self.are_apart([first, second], loop_index, parity, carried))
        })
    }

    /// The same where the iteration of a loop is even or odd. Where that loop carries the first access to the
    /// second, the second one is made in the next iteration. Where it is another loop, the two may be in any
    /// two iterations of it.
    fn are_apart(
        &self,
        [first, second]: [&Access; 2],
        loop_index: &Var,
        parity: &Nat,
        carried: Option<&Var>,
    ) -> bool {
        let mut fresh = (self.newest_variable..).map(|id| Var::new(id + 1, "other"));
        let mut ranges = self.ranges.clone();
        let Some(half) = fresh.next() else { return false };
        ranges.declare(&half, Nat::zero(), None);
        let first_iteration = Nat::constant(2) * Nat::variable(&half) + parity;
        let second_iteration =
            if carried == Some(loop_index) { &first_iteration + Nat::one() } else { first_iteration.clone() };
        if let Some(extent) = self.loops_around.get(loop_index) {
            ranges.assume(&Condition::Less(second_iteration.clone(), extent.clone()));
        }
        let other = carried.filter(|carried| *carried != loop_index);
        let other = other.and_then(|carried| self.loops_around.get(carried).map(|extent| (carried, extent)));
        let mut place = |access: &Access, at: Nat| {
            let mut own = Substitution::from([(loop_index.clone(), at)]);
            for (variable, extent) in access.variables().chain(other) {
                let Some(other) = fresh.next() else { continue };
                let extent = extent.substitute(&own);
                // A closed form of the extent says less about the item than its bound over all iterations.
                let extent = ranges.upper_bound(&extent).unwrap_or(extent);
                ranges.declare(&other, Nat::zero(), Some(extent));
                own.insert(variable.clone(), Nat::variable(&other));
            }
            // What one work-item computes says nothing about what another one computes.
            for (variable, bound) in
                self.computed.iter().filter(|(variable, _)| access.index.mentions(variable))
            {
                let Some(other) = fresh.next() else { continue };
                if let Some(bound) = bound {
                    ranges.declare(&other, Nat::zero(), Some(bound.substitute(&own)));
                }
                own.insert(variable.clone(), Nat::variable(&other));
            }
            access.index.substitute(&own)
        };
        let (one, other) = (place(first, first_iteration), place(second, second_iteration));
        let (one, other) = (ranges.simplify(&one), ranges.simplify(&other));
        let ends_before = |start: &Nat, lanes: u64, next: &Nat| {
            let end = start + Nat::constant(i128::from(lanes));
            let bounds = || Some((ranges.upper_bound(&end)?, ranges.lower_bound(next)?));
            ranges.proves_at_most(&end, next)
                || bounds().is_some_and(|(end, next)| ranges.proves_at_most(&end, &next))
        };
        ends_before(&one, first.lanes, &other) || ends_before(&other, second.lanes, &one)
    }
}

impl Access {
    /// The loops around it, over work-items and in time, with their extents.
    fn variables(&self) -> impl Iterator<Item = (&Var, &Nat)> {
        self.items.values().chain(&self.loops).map(|(variable, extent)| (variable, extent))
    }
}

/// The variables whose parity decides an index.
fn parities(index: &Nat) -> FlatSet<Var> {
    let atoms = index.terms().iter().flat_map(|term| &term.factors).map(|(atom, _)| atom);
    let halved = atoms.filter_map(|atom| match atom {
        Atom::Modulo(dividend, divisor) if divisor.as_constant() == Some(2) => Some(dividend.variables()),
        _ => None,
    });
    halved.flatten().collect()
}
