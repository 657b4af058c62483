//! Evaluation under an assignment, and the variables that an expression mentions.

use std::cell::Cell;

use super::expression::{Atom, Condition, Nat, Term};
use super::variable::Var;
use crate::flat::FlatSet;

/// Sums over more indices than this have no value. The limit is lower in tests: random tests do not wait for
/// long sums.
const SUM_LIMIT: i128 = if cfg!(test) { 1 << 8 } else { 1 << 24 };

/// The most summands, over all sums of an expression, for a value that is needed only for a guess.
const FEW_SUMMANDS: i128 = 1 << 8;

impl Nat {
    /// The value under an assignment. `None` where a variable has no value, where an intermediate result
    /// leaves the 128-bit integers, and where the expression itself has no value: a division by zero, a
    /// negative exponent, a logarithm of a number below 1. Only the chosen branch of a selection counts.
    pub fn evaluate(&self, assignment: &impl Fn(&Var) -> Option<i128>) -> Option<i128> {
        evaluate(self, &Scope::Outermost { assignment, summands: None })
    }

    /// The same for the compiler's guesses, which do not wait for long sums: these have no value.
    pub(crate) fn evaluate_soon(&self, assignment: &impl Fn(&Var) -> Option<i128>) -> Option<i128> {
        evaluate(self, &Scope::Outermost { assignment, summands: Some(&Cell::new(FEW_SUMMANDS)) })
    }

    /// The variables that the value depends on; indices bound by sums are not among them.
    pub fn variables(&self) -> FlatSet<Var> {
        let mut variables = FlatSet::new();
        collect_variables(self, &mut variables);
        variables
    }

    /// Adds the variables that the value depends on.
    pub(crate) fn collect_variables(&self, variables: &mut FlatSet<Var>) {
        collect_variables(self, variables);
    }

    /// Whether its value depends on a comparison: by a minimum, a maximum, a choice, or a division by
    /// something that is no number.
    pub fn compares(&self) -> bool {
        self.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| atom.compares())
    }

    /// The parts whose value depends on a comparison, at every depth.
    pub fn comparisons(&self, found: &mut FlatSet<Nat>) {
        for (atom, _) in
            self.terms().iter().flat_map(|term| &term.factors).filter(|(atom, _)| atom.compares())
        {
            match atom {
                Atom::Divide(a, b) | Atom::Modulo(a, b) if b.as_constant().is_some() => a.comparisons(found),
                Atom::Minimum(a, b) | Atom::Maximum(a, b) | Atom::Divide(a, b) | Atom::Modulo(a, b) => {
                    found.insert(Nat::from_atom(atom.clone()));
                    a.comparisons(found);
                    b.comparisons(found);
                }
                Atom::Select(_, a, b) => {
                    found.insert(Nat::from_atom(atom.clone()));
                    a.comparisons(found);
                    b.comparisons(found);
                }
                Atom::Power(a, b) => {
                    a.comparisons(found);
                    b.comparisons(found);
                }
                Atom::Log2(a) => a.comparisons(found),
                Atom::Var(_) | Atom::Sum { .. } => {}
            }
        }
    }

    /// The number of divisions to compute it as written, including remainders.
    pub fn divisions(&self) -> usize {
        let factors = self.terms().iter().flat_map(|term| &term.factors);
        factors.map(|(atom, _)| atom.divisions()).sum()
    }

    /// Whether the value depends on this variable.
    pub fn mentions(&self, var: &Var) -> bool {
        self.0.summary.mask & var.mask() != 0
            && self.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| atom.mentions(var))
    }
}

impl Atom {
    /// Whether its value depends on a comparison.
    fn compares(&self) -> bool {
        match self {
            Atom::Minimum(..) | Atom::Maximum(..) | Atom::Select(..) => true,
            Atom::Divide(a, b) | Atom::Modulo(a, b) => a.compares() || b.as_constant().is_none(),
            Atom::Power(a, b) => a.compares() || b.compares(),
            Atom::Log2(a) => a.compares(),
            Atom::Var(_) | Atom::Sum { .. } => false,
        }
    }

    /// The number of divisions to compute it as written.
    fn divisions(&self) -> usize {
        match self {
            Atom::Var(_) => 0,
            Atom::Divide(a, b) | Atom::Modulo(a, b) => 1 + a.divisions() + b.divisions(),
            Atom::Minimum(a, b) | Atom::Maximum(a, b) | Atom::Power(a, b) => a.divisions() + b.divisions(),
            Atom::Log2(a) => a.divisions(),
            Atom::Sum { index: _, from, to, body } => from.divisions() + to.divisions() + body.divisions(),
            Atom::Select(condition, a, b) => {
                let compared: usize = condition.operands().into_iter().map(Nat::divisions).sum();
                compared + a.divisions() + b.divisions()
            }
        }
    }

    /// Whether the value depends on this variable.
    pub(super) fn mentions(&self, var: &Var) -> bool {
        match self {
            Atom::Var(own) => own == var,
            Atom::Divide(a, b)
            | Atom::Modulo(a, b)
            | Atom::Minimum(a, b)
            | Atom::Maximum(a, b)
            | Atom::Power(a, b) => a.mentions(var) || b.mentions(var),
            Atom::Log2(a) => a.mentions(var),
            Atom::Sum { index, from, to, body } => {
                from.mentions(var) || to.mentions(var) || (index != var && body.mentions(var))
            }
            Atom::Select(condition, a, b) => condition.mentions(var) || a.mentions(var) || b.mentions(var),
        }
    }
}

impl Condition {
    /// The truth value under an assignment, `None` as for expressions. The right side of `and` and `or`
    /// counts only where the left one does not decide.
    pub fn evaluate(&self, assignment: &impl Fn(&Var) -> Option<i128>) -> Option<bool> {
        evaluate_condition(self, &Scope::Outermost { assignment, summands: None })
    }

    /// The same for the compiler's guesses, which do not wait for long sums: these have no value.
    pub(super) fn evaluate_soon(&self, assignment: &impl Fn(&Var) -> Option<i128>) -> Option<bool> {
        evaluate_condition(self, &Scope::Outermost { assignment, summands: Some(&Cell::new(FEW_SUMMANDS)) })
    }

    /// The variables that the truth value depends on.
    pub fn variables(&self) -> FlatSet<Var> {
        let mut variables = FlatSet::new();
        for operand in self.operands() {
            collect_variables(operand, &mut variables);
        }
        variables
    }

    /// Whether the truth value depends on this variable.
    pub fn mentions(&self, var: &Var) -> bool {
        self.operands().iter().any(|operand| operand.mentions(var))
    }
}

impl Term {
    /// The variables that its value depends on.
    pub(crate) fn variables(&self) -> FlatSet<Var> {
        let mut variables = FlatSet::new();
        self.collect_variables(&mut variables);
        variables
    }

    fn collect_variables(&self, variables: &mut FlatSet<Var>) {
        let mut factors = self.factors.as_slice();
        while let [(atom, _), behind @ ..] = factors {
            collect_variables_of_atom(atom, variables);
            factors = behind;
        }
    }
}

fn collect_variables(n: &Nat, variables: &mut FlatSet<Var>) {
    let mut terms = n.terms();
    while let [term, behind @ ..] = terms {
        term.collect_variables(variables);
        terms = behind;
    }
}

fn collect_variables_of_atom(atom: &Atom, variables: &mut FlatSet<Var>) {
    match atom {
        Atom::Var(var) => {
            if !variables.contains(var) {
                variables.insert(var.clone());
            }
        }
        Atom::Divide(a, b)
        | Atom::Modulo(a, b)
        | Atom::Minimum(a, b)
        | Atom::Maximum(a, b)
        | Atom::Power(a, b) => {
            collect_variables(a, variables);
            collect_variables(b, variables);
        }
        Atom::Log2(a) => collect_variables(a, variables),
        Atom::Sum { index, from, to, body } => {
            collect_variables(from, variables);
            collect_variables(to, variables);
            let mut inside = body.variables();
            inside.remove(index);
            variables.extend(inside);
        }
        Atom::Select(condition, a, b) => {
            variables.extend(condition.variables());
            collect_variables(a, variables);
            collect_variables(b, variables);
        }
    }
}

/// An assignment, extended by the indices of the sums around.
enum Scope<'a, F> {
    Outermost {
        assignment: &'a F,
        /// The number of summands that may still be evaluated, if all sums together have a limit.
        summands: Option<&'a Cell<i128>>,
    },
    Index {
        var: &'a Var,
        value: i128,
        outer: &'a Scope<'a, F>,
    },
}

impl<F: Fn(&Var) -> Option<i128>> Scope<'_, F> {
    /// Allows `count` summands; `None` where these are too many.
    fn take_summands(&self, count: i128) -> Option<()> {
        match self {
            Scope::Outermost { summands: None, .. } => (count <= SUM_LIMIT).then_some(()),
            Scope::Outermost { summands: Some(summands), .. } => {
                summands.set(summands.get().checked_sub(count).filter(|left| *left >= 0)?);
                Some(())
            }
            Scope::Index { outer, .. } => outer.take_summands(count),
        }
    }

    fn value(&self, var: &Var) -> Option<i128> {
        match self {
            Scope::Outermost { assignment, .. } => assignment(var),
            Scope::Index { var: index, value, outer } => {
                if *index == var {
                    Some(*value)
                } else {
                    outer.value(var)
                }
            }
        }
    }
}

fn evaluate<F: Fn(&Var) -> Option<i128>>(n: &Nat, scope: &Scope<'_, F>) -> Option<i128> {
    let mut total: i128 = 0;
    for term in n.terms() {
        let mut product = term.coefficient;
        for (atom, power) in &term.factors {
            product = product.checked_mul(evaluate_atom(atom, scope)?.checked_pow(*power)?)?;
        }
        total = total.checked_add(product)?;
    }
    Some(total)
}

fn evaluate_atom<F: Fn(&Var) -> Option<i128>>(atom: &Atom, scope: &Scope<'_, F>) -> Option<i128> {
    match atom {
        Atom::Var(var) => scope.value(var),
        Atom::Divide(a, b) => evaluate(a, scope)?.checked_div_euclid(evaluate(b, scope)?),
        Atom::Modulo(a, b) => evaluate(a, scope)?.checked_rem_euclid(evaluate(b, scope)?),
        Atom::Minimum(a, b) => Some(evaluate(a, scope)?.min(evaluate(b, scope)?)),
        Atom::Maximum(a, b) => Some(evaluate(a, scope)?.max(evaluate(b, scope)?)),
        Atom::Power(a, b) => evaluate(a, scope)?.checked_pow(u32::try_from(evaluate(b, scope)?).ok()?),
        Atom::Log2(a) => evaluate(a, scope)?.checked_ilog2().map(i128::from),
        Atom::Sum { index, from, to, body } => {
            let (from, to) = (evaluate(from, scope)?, evaluate(to, scope)?);
            scope.take_summands(to.checked_sub(from)?.max(0))?;
            (from..to).try_fold(0_i128, |total, value| {
                total.checked_add(evaluate(body, &Scope::Index { var: index, value, outer: scope })?)
            })
        }
        Atom::Select(condition, a, b) => {
            if evaluate_condition(condition, scope)? {
                evaluate(a, scope)
            } else {
                evaluate(b, scope)
            }
        }
    }
}

fn evaluate_condition<F: Fn(&Var) -> Option<i128>>(
    condition: &Condition,
    scope: &Scope<'_, F>,
) -> Option<bool> {
    match condition {
        Condition::Less(a, b) => Some(evaluate(a, scope)? < evaluate(b, scope)?),
        Condition::LessOrEqual(a, b) => Some(evaluate(a, scope)? <= evaluate(b, scope)?),
        Condition::Equal(a, b) => Some(evaluate(a, scope)? == evaluate(b, scope)?),
        Condition::And(a, b) => Some(evaluate_condition(a, scope)? && evaluate_condition(b, scope)?),
        Condition::Or(a, b) => Some(evaluate_condition(a, scope)? || evaluate_condition(b, scope)?),
        Condition::Not(a) => Some(!evaluate_condition(a, scope)?),
    }
}
