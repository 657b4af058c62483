//! Unknown sizes, and sizes made equal.

use super::{Mismatch, Unknowns};
use crate::ir::nat::{
    Condition, Nat, Ranges, Requirement as SolutionRequirement, Solution, Substitution, Var, solve,
};
use crate::ir::typed::Requirement;

impl Unknowns {
    /// An unknown size without a name.
    pub(in crate::front::infer) fn fresh_size(&mut self, facts: &mut Ranges) -> Nat {
        self.declare_size("_", false, facts)
    }

    /// An unknown size for a size parameter of an item that is called.
    pub(in crate::front::infer) fn fresh_size_for(&mut self, name: &str, facts: &mut Ranges) -> Nat {
        self.declare_size(name, false, facts)
    }

    pub(super) fn declare_size(&mut self, name: &str, named: bool, facts: &mut Ranges) -> Nat {
        let variable = self.vars.fresh(name);
        facts.declare(&variable, Nat::zero(), None);
        self.open.insert(variable.clone(), named);
        Nat::variable(&variable)
    }

    /// The size with all solutions substituted.
    pub(in crate::front::infer) fn resolve_size(&self, size: &Nat) -> Nat {
        if self.sizes.is_empty() { size.clone() } else { size.substitute(&self.sizes) }
    }

    /// The condition with all solutions substituted.
    pub(in crate::front::infer) fn resolve_condition(&self, condition: &Condition) -> Condition {
        condition.substitute(&self.sizes)
    }

    /// The sizes without a value that are newer than the variable with this number.
    pub(in crate::front::infer) fn sizes_since(&self, number: u32) -> Vec<Var> {
        self.open.keys().chain(&self.passed).filter(|size| size.id() > number).cloned().collect()
    }

    /// Replaces a symbolic size by its value from here on.
    pub(in crate::front::infer) fn settle_size(&mut self, variable: &Var, value: &Nat) {
        self.solve_size(variable, value);
    }

    /// Whether this size is still open.
    pub(in crate::front::infer) fn is_open_size(&self, variable: &Var) -> bool {
        self.open.contains_key(variable)
    }

    /// Whether a size mentions one that a launch or a later equation decides.
    fn is_flexible(&self, size: &Nat) -> bool {
        size.variables()
            .iter()
            .any(|variable| self.open.contains_key(variable) || self.passed.contains(variable))
    }

    /// Makes two sizes equal: by the algebra, by solving for an open one, or, where the launch decides, by
    /// deferring the equation.
    pub(in crate::front::infer) fn unify_sizes(
        &mut self,
        left: &Nat,
        right: &Nat,
        facts: &mut Ranges,
    ) -> Result<(), Mismatch> {
        let (left, right) = (self.resolve_size(left), self.resolve_size(right));
        let decided = facts.is_equal(&left, &right);
        if decided == Some(true) {
            return Ok(());
        }
        for unknown in self.open_in(&left, &right) {
            if let Some(solution) = solve(&left, &right, &unknown)
                && self.is_unbound(&solution.value)
                && let Some(required) = required(&solution, facts)
            {
                self.solve_size(&unknown, &solution.value);
                self.deferred.extend(required);
                return Ok(());
            }
        }
        // A size that is the same at every position cannot equal one that is not.
        let differs = [&left, &right].iter().any(|size| !self.is_unbound(size));
        let waits = !differs || self.open_in(&left, &right).is_empty();
        if decided.is_none() && waits && (self.is_flexible(&left) || self.is_flexible(&right)) {
            self.deferred.push(Requirement::Equal(left, right));
            return Ok(());
        }
        Err(Mismatch::Size(left, right))
    }

    /// The open sizes of an equation in the order in which to solve for them: those without a name first,
    /// then the newest.
    fn open_in(&self, left: &Nat, right: &Nat) -> Vec<Var> {
        let mut candidates: Vec<Var> = left.variables().into_iter().chain(right.variables()).collect();
        candidates.retain(|variable| self.open.contains_key(variable));
        candidates.sort_by_key(|variable| {
            (self.open.get(variable).copied().unwrap_or(false), std::cmp::Reverse(variable.id()))
        });
        candidates.dedup();
        candidates
    }

    fn solve_size(&mut self, variable: &Var, value: &Nat) {
        let solution = Substitution::from([(variable.clone(), value.clone())]);
        for known in self.sizes.values_mut() {
            *known = known.substitute(&solution);
        }
        self.sizes.insert(variable.clone(), value.clone());
        self.open.remove(variable);
    }
}

/// What must hold for a solution to be the only one; `None` where the facts allow several.
fn required(solution: &Solution, facts: &Ranges) -> Option<Vec<Requirement>> {
    let mut required = Vec::new();
    for condition in &solution.requires {
        match condition {
            SolutionRequirement::Divides { divisor, dividend } => {
                required.push(Requirement::Divides(divisor.clone(), dividend.clone()));
            }
            SolutionRequirement::ExactDivision { divisor, dividend } => {
                if facts.divides(divisor, dividend) != Some(true) {
                    return None;
                }
            }
        }
    }
    required.push(Requirement::AtMost(Nat::zero(), solution.value.clone()));
    Some(required)
}

/// The name of a size that the user has not named: `len(a)`, `len(a, 1)`.
pub(in crate::front::infer) fn length_name(parameter: &str, depth: usize) -> String {
    if depth == 0 { format!("len({parameter})") } else { format!("len({parameter}, {depth})") }
}
