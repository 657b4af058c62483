//! Divisibility as variables: if `N % 128 == 0` is known, `N` stands for `128 * q`, and the quotient `q` is a
//! variable of its own. Facts and questions are translated to quotients, answers back.

use std::cell::RefCell;

use super::expression::{Atom, Nat, Term};
use super::memo::Memo;
use super::polynomial::{factor_out, split};
use super::substitute::Substitution;
use super::variable::Var;

/// `divisor` divides `dividend`, and `var` is the quotient.
#[derive(Clone, Debug)]
struct Quotient {
    var: Var,
    divisor: Nat,
    dividend: Nat,
}

/// The quotients, and the variables that they define. Loops and conditions state no divisibility, so that all
/// knowledge inside of them has one translation, which remembers its answers.
#[derive(Default)]
pub(super) struct Translation {
    /// The values of variables that are defined by others.
    definitions: Substitution,
    /// The quotients of divisibility facts, in the order they were stated.
    quotients: Vec<Quotient>,
    /// The union of the masks of the variables that are defined by others.
    defined: u64,
    translated: Answers,
    restored: Answers,
}

/// What was translated in one direction. Sums are not remembered: two that are equal may have different names
/// for their indices.
type Answers = RefCell<Memo<Nat, Nat>>;

impl Clone for Translation {
    /// Without the answers: a clone is made to learn something.
    fn clone(&self) -> Self {
        let (definitions, quotients) = (self.definitions.clone(), self.quotients.clone());
        Translation { definitions, quotients, defined: self.defined, ..Translation::default() }
    }
}

impl Translation {
    /// The expression in terms of quotients.
    pub(super) fn translate(&self, n: &Nat) -> Nat {
        if self.keeps(n) {
            return n.clone();
        }
        remembered(&self.translated, n, || n.substitute(&self.definitions))
    }

    /// Whether the expression is the same in terms of quotients: it mentions no variable that is defined by
    /// others. It may say no wrongly: it compares bit masks.
    pub(super) fn keeps(&self, n: &Nat) -> bool {
        n.0.summary.mask & self.defined == 0
    }

    /// The expression with quotients written as divisions, or as the dividend where the divisor is a factor.
    pub(super) fn restore(&self, n: &Nat) -> Nat {
        let is_kept = |quotient: &Quotient| n.0.summary.mask & quotient.var.mask() == 0;
        if self.quotients.is_empty() || self.quotients.iter().all(is_kept) {
            return n.clone();
        }
        remembered(&self.restored, n, || restore(n, &self.quotients))
    }

    /// The same for only the quotients that were added since this translation was made from `known`.
    pub(super) fn restore_beyond(&self, known: &Translation, n: &Nat) -> Nat {
        restore(n, self.quotients.get(known.quotients.len()..).unwrap_or_default())
    }

    /// The variables that are defined by others, with their values.
    pub(super) fn definitions_of_variables(&self) -> impl Iterator<Item = (&Var, &Nat)> {
        self.definitions.iter()
    }

    /// The values of variables that are defined by others.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &Nat> {
        self.definitions.values()
    }

    /// A new variable for the quotient of a dividend by what divides it.
    pub(super) fn quotient(&mut self, divisor: &Nat, dividend: Nat) -> Var {
        let number = u32::try_from(self.quotients.len()).unwrap_or(u32::MAX);
        let var = Var::quotient(number);
        self.quotients.push(Quotient { var: var.clone(), divisor: divisor.clone(), dividend });
        self.restored.get_mut().clear();
        var
    }

    /// Defines a variable by an expression.
    pub(super) fn define(&mut self, var: &Var, value: &Nat) {
        for definition in self.definitions.values_mut() {
            *definition = definition.substitute_one(var, value);
        }
        self.definitions.insert(var.clone(), value.clone());
        self.defined |= var.mask();
        self.translated.get_mut().clear();
    }
}

/// The answer for an expression, which is computed once.
fn remembered(answers: &Answers, n: &Nat, compute: impl FnOnce() -> Nat) -> Nat {
    if n.has_sums() {
        return compute();
    }
    if let Some(known) = answers.borrow().get(n) {
        return known.clone();
    }
    let answer = compute();
    answers.borrow_mut().insert(n.clone(), answer.clone());
    answer
}

fn restore(n: &Nat, quotients: &[Quotient]) -> Nat {
    quotients.iter().rev().fold(n.clone(), |n, quotient| restore_one(&n, quotient))
}

fn restore_one(n: &Nat, quotient: &Quotient) -> Nat {
    if !n.mentions(&quotient.var) {
        return n.clone();
    }
    let own = Atom::Var(quotient.var.clone());
    // The operands of operations first, then the powers of the quotient itself.
    let is_changed = |term: &Term| !term.is_product_of_variables() && term.may_mention(&quotient.var);
    let total = n.with_terms_replaced(is_changed, |atom| match atom {
        Atom::Var(_) => None,
        _ => Some(atom.map(&mut |part| restore_one(part, quotient))),
    });
    let (with, without) = factor_out(&total, &own);
    if with.is_zero() {
        return total;
    }
    let (whole, part) = split(&with, &quotient.divisor);
    let exact = restore_one(&whole, quotient) * &quotient.dividend + without;
    match part.is_zero() {
        true => exact,
        false => exact + restore_one(&part, quotient) * quotient.dividend.divide(&quotient.divisor),
    }
}
