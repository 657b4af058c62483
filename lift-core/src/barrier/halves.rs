//! Whether accesses to the two halves of one buffer stay apart.
//!
//! The steps of an `iterate` read one half of a buffer, `i % 2`, and write the other, `(i + 1) % 2` (`codegen::iterate`). In one step these
//! are different elements, whoever accesses them; between steps they are not. Everything is proved for even and for odd steps, from the
//! ranges of the loops around both accesses.

use std::collections::BTreeSet;

use super::{Access, Placement};
use crate::nat::{Atom, Condition, Nat, Ranges, Substitution, Var};

impl Placement<'_> {
    /// Whether two accesses in one step of a loop around them never concern the same element; `carried` is the loop, if any, in
    /// different steps of which they are made.
    pub(super) fn in_different_halves(&self, first: &Access, second: &Access, carried: Option<&Var>) -> bool {
        let is_common = |variable: &Var| {
            let own = |access: &Access| {
                access
                    .steps
                    .iter()
                    .map(|(step, _)| step)
                    .chain(access.items.values().map(|(item, _)| item))
                    .any(|own| own == variable)
            };
            carried != Some(variable) && !own(first) && !own(second)
        };
        let parities: BTreeSet<Var> =
            parities(&first.index).intersection(&parities(&second.index)).cloned().collect();
        parities.iter().filter(|variable| is_common(variable)).any(|step| {
            [Nat::zero(), Nat::one()].iter().all(|parity| self.are_apart(first, second, step, parity))
        })
    }

    fn are_apart(&self, first: &Access, second: &Access, step: &Var, parity: &Nat) -> bool {
        let mut fresh = (self.next_variable..).map(|id| Var::new(id + 1, "other"));
        let mut ranges = self.ranges.clone();
        let mut names = Substitution::new();
        if let Some(half) = fresh.next() {
            ranges.declare(&half, Nat::zero(), None);
            let value = Nat::constant(2) * Nat::variable(&half) + parity;
            if let Some(extent) = self.steps_around.get(step) {
                ranges.assume(&Condition::Less(value.clone(), extent.clone()));
            }
            names.insert(step.clone(), value);
        }
        let mut place = |access: &Access, ranges: &mut Ranges| {
            let mut own = names.clone();
            for (variable, extent) in access.items.values().chain(&access.steps) {
                let Some(other) = fresh.next() else { continue };
                let extent = extent.substitute(&own);
                // A closed form of the step says less of the item than what it is below at every step.
                let extent = ranges.upper_bound(&extent).unwrap_or(extent);
                ranges.declare(&other, Nat::zero(), Some(extent));
                own.insert(variable.clone(), Nat::variable(&other));
            }
            access.index.substitute(&own)
        };
        let (one, other) = (place(first, &mut ranges), place(second, &mut ranges));
        let (one, other) = (ranges.simplify(&one), ranges.simplify(&other));
        let ends_before = |start: &Nat, lanes: u8, next: &Nat| {
            let end = start + Nat::constant(i128::from(lanes));
            let bounds = || Some((ranges.upper_bound(&end)?, ranges.lower_bound(next)?));
            ranges.is_at_most(&end, next) == Some(true)
                || bounds().is_some_and(|(end, next)| ranges.is_at_most(&end, &next) == Some(true))
        };
        ends_before(&one, first.lanes, &other) || ends_before(&other, second.lanes, &one)
    }
}

/// The variables whose parity decides an index.
fn parities(index: &Nat) -> BTreeSet<Var> {
    let atoms = index.terms().iter().flat_map(|term| &term.factors).map(|(atom, _)| atom);
    let halved = atoms.filter_map(|atom| match atom {
        Atom::Modulo(dividend, divisor) if divisor.as_constant() == Some(2) => Some(dividend.variables()),
        _ => None,
    });
    halved.flatten().collect()
}
