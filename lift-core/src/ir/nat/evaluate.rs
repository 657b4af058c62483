//! Evaluation under an assignment, substitution, and the variables that an expression mentions.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::expression::{Atom, Condition, Nat, Node};
use super::variable::Var;

/// Values for variables, which replace them all at once.
pub type Substitution = BTreeMap<Var, Nat>;

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
    pub(super) fn evaluate_soon(&self, assignment: &impl Fn(&Var) -> Option<i128>) -> Option<i128> {
        evaluate(self, &Scope::Outermost { assignment, summands: Some(&Cell::new(FEW_SUMMANDS)) })
    }

    /// The expression with variables replaced, all at once.
    pub fn substitute(&self, substitution: &Substitution) -> Nat {
        if substitution.is_empty() { self.clone() } else { Replacement::new(substitution).replace(self) }
    }

    /// The expression with one variable replaced.
    pub(super) fn substitute_one(&self, var: &Var, value: &Nat) -> Nat {
        if self.0.mask & var.mask() == 0 {
            return self.clone();
        }
        self.substitute(&BTreeMap::from([(var.clone(), value.clone())]))
    }

    /// The variables that the value depends on; indices bound by sums are not among them.
    pub fn variables(&self) -> BTreeSet<Var> {
        let mut variables = BTreeSet::new();
        collect_variables(self, &mut variables);
        variables
    }

    /// Whether its value depends on a comparison: by a minimum, a maximum, a choice, or a division by
    /// something that is no number.
    pub fn compares(&self) -> bool {
        self.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| atom.compares())
    }

    /// The parts whose value depends on a comparison, at every depth.
    pub fn comparisons(&self, found: &mut BTreeSet<Nat>) {
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
        self.0.mask & var.mask() != 0
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

    /// The condition with variables replaced, all at once.
    pub fn substitute(&self, substitution: &Substitution) -> Condition {
        let replacement = Replacement::new(substitution);
        self.map_operands(&mut |operand| replacement.replace(operand))
    }

    /// The variables that the truth value depends on.
    pub fn variables(&self) -> BTreeSet<Var> {
        let mut variables = BTreeSet::new();
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

fn collect_variables(n: &Nat, variables: &mut BTreeSet<Var>) {
    for (atom, _) in n.terms().iter().flat_map(|term| &term.factors) {
        match atom {
            Atom::Var(var) => {
                variables.insert(var.clone());
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

/// Parts up to this size are replaced wherever they occur: that takes less time than looking for them.
const SMALL: u32 = 16;

/// One run of a substitution: large shared parts are replaced once.
struct Replacement<'a> {
    substitution: &'a Substitution,
    mask: u64,
    /// The results for nodes that the expression keeps alive.
    done: RefCell<HashMap<*const Node, Nat>>,
}

impl<'a> Replacement<'a> {
    fn new(substitution: &'a Substitution) -> Self {
        let mask = substitution.keys().fold(0, |mask, var| mask | var.mask());
        Self { substitution, mask, done: RefCell::default() }
    }

    fn replace(&self, n: &Nat) -> Nat {
        if n.0.mask & self.mask == 0 {
            return n.clone();
        }
        if n.0.size <= SMALL {
            return self.replace_terms(n);
        }
        let node = Rc::as_ptr(&n.0);
        if let Some(done) = self.done.borrow().get(&node) {
            return done.clone();
        }
        let total = self.replace_terms(n);
        self.done.borrow_mut().insert(node, total.clone());
        total
    }

    /// The sum of the terms that stay, which are in order already, and the other terms, replaced.
    fn replace_terms(&self, n: &Nat) -> Nat {
        let stays = |(atom, _): &(Atom, u32)| matches!(atom, Atom::Var(var) if var.mask() & self.mask == 0);
        let (mut staying, mut others) = (Vec::new(), Vec::new());
        for term in n.terms() {
            match term.factors.iter().all(stays) {
                true => staying.push(term.clone()),
                false => others.push(term),
            }
        }
        let product = |term| Nat::product_of(term, |atom| self.replace_atom(atom));
        others.into_iter().fold(Nat::from_sorted(staying), |total, term| total + product(term))
    }

    fn replace_atom(&self, atom: &Atom) -> Nat {
        match atom {
            Atom::Var(var) => self.substitution.get(var).cloned().unwrap_or_else(|| Nat::variable(var)),
            Atom::Sum { index, from, to, body } => {
                let (from, to) = (self.replace(from), self.replace(to));
                let (index, body) = self.replace_under(index, body);
                Nat::sum(&index, &from, &to, &body)
            }
            Atom::Divide(..)
            | Atom::Modulo(..)
            | Atom::Minimum(..)
            | Atom::Maximum(..)
            | Atom::Power(..)
            | Atom::Log2(..)
            | Atom::Select(..) => atom.map(&mut |part| self.replace(part)),
        }
    }

    /// The body of a sum with variables replaced, and its index, renamed where a value mentions it.
    fn replace_under(&self, index: &Var, body: &Nat) -> (Var, Nat) {
        let captured =
            self.substitution.iter().any(|(var, value)| body.mentions(var) && value.mentions(index));
        if !captured && !self.substitution.contains_key(index) {
            return (index.clone(), self.replace(body));
        }
        let mut level =
            self.substitution.values().fold(body.0.levels, |level, value| level.max(value.0.levels));
        loop {
            let renamed = Var::bound(level, index.shared_name());
            let is_taken = |n: &Nat| n.mentions(&renamed);
            if !is_taken(body)
                && !self.substitution.iter().any(|(var, value)| *var == renamed || is_taken(value))
            {
                let mut substitution = self.substitution.clone();
                substitution.insert(index.clone(), Nat::variable(&renamed));
                return (renamed, body.substitute(&substitution));
            }
            level = level.saturating_add(1);
        }
    }
}

impl Atom {
    /// The operation applied to other operands; an index bound by a sum stays.
    pub(super) fn map(&self, replace: &mut impl FnMut(&Nat) -> Nat) -> Nat {
        match self {
            Atom::Var(var) => Nat::variable(var),
            Atom::Divide(a, b) => replace(a).divide(&replace(b)),
            Atom::Modulo(a, b) => replace(a).modulo(&replace(b)),
            Atom::Minimum(a, b) => Nat::min(&replace(a), &replace(b)),
            Atom::Maximum(a, b) => Nat::max(&replace(a), &replace(b)),
            Atom::Power(a, b) => replace(a).pow(&replace(b)),
            Atom::Log2(a) => replace(a).log2(),
            Atom::Sum { index, from, to, body } => {
                Nat::sum(index, &replace(from), &replace(to), &replace(body))
            }
            Atom::Select(condition, a, b) => {
                Nat::select(&condition.map_operands(replace), &replace(a), &replace(b))
            }
        }
    }
}
