//! The reach of a formula, from the reaches of its variables.

use super::dominance::rounded_up;
use super::reach::{Reach, largest, natural, positive, smallest};
use super::{Extents, Steps, Unbounded};
use crate::ir::nat::{Atom, Nat, Ranges, Term};

impl Extents {
    /// The reach of a formula.
    pub(super) fn reach(&mut self, formula: &Nat, ranges: &Ranges) -> Result<Reach, Unbounded> {
        if let Some(known) = self.known.get(formula) {
            return Ok(known.clone());
        }
        let mut sum: Option<Reach> = None;
        for term in formula.terms() {
            let reach = self.reach_of_term(term, ranges)?;
            sum = Some(match sum {
                None => reach,
                Some(sum) => Reach { above: sum.above + reach.above, below: sum.below + reach.below },
            });
        }
        let mut sum = sum.unwrap_or_else(|| Reach::up_to(Nat::zero()));
        let number = formula.constant_term();
        if number < 0 && formula.as_constant().is_none() {
            sum.above = sum.above + Nat::constant(number);
        }
        self.known.insert(formula.clone(), sum.clone());
        Ok(sum)
    }

    fn reach_of_term(&mut self, term: &Term, ranges: &Ranges) -> Result<Reach, Unbounded> {
        let magnitude = term.coefficient.saturating_abs();
        let product = match term.factors.as_slice() {
            [(atom, 1)] => self.reach_of_atom(atom, ranges)?.scale(magnitude),
            factors => {
                let mut product = Reach::up_to(Nat::constant(magnitude));
                let known = self.known_product(factors);
                if let Some((_, most)) = &known {
                    product = product.times(&Reach::up_to(most.clone()));
                }
                for (position, (atom, power)) in factors.iter().enumerate() {
                    let is_known = known.as_ref().is_some_and(|(known, _)| known.contains(&position));
                    let factor = self.reach_of_atom(atom, ranges)?;
                    for _ in u32::from(is_known)..*power {
                        product = product.times(&factor);
                    }
                }
                product
            }
        };
        Ok(match term.coefficient < 0 {
            true => Reach { above: product.below, below: product.above },
            false => product,
        })
    }

    /// Two of these factors, a variable and its step, and the most that their product is.
    fn known_product(&self, factors: &[(Atom, u32)]) -> Option<([usize; 2], Nat)> {
        factors.iter().enumerate().find_map(|(position, (atom, _))| {
            let Atom::Var(variable) = atom else { return None };
            let Steps { step, most } = self.variables.get(variable)?.steps.as_ref()?;
            let of_step = factors.iter().position(|(atom, _)| atom == step)?;
            Some(([position, of_step], most.clone()))
        })
    }

    /// What a variable in `0..end` is at most, times its step. Where `end` is a quotient, or 1 more, the step
    /// is the divisor, and the product is at most the dividend.
    pub(super) fn steps_below(&mut self, end: &Nat, ranges: &Ranges) -> Option<Steps> {
        let quotient = end - &Nat::constant(end.constant_term());
        let (dividend, divisor) = quotient.as_quotient()?;
        let step = divisor.as_atom()?.clone();
        let is_quotient = end.constant_term() <= 1 && self.reach(divisor, ranges).ok()?.is_non_negative();
        let most = self.reach(dividend, ranges).ok()?.above;
        is_quotient.then_some(Steps { step, most })
    }

    fn reach_of_atom(&mut self, atom: &Atom, ranges: &Ranges) -> Result<Reach, Unbounded> {
        Ok(match atom {
            Atom::Var(variable) => match self.variables.get(variable) {
                Some(bound) => bound.reach.clone(),
                None if self.sizes.contains(variable) => Reach::up_to(Nat::variable(variable)),
                None => return Err(Unbounded(variable.clone())),
            },
            Atom::Divide(dividend, divisor) => {
                let by = self.reach(divisor, ranges)?;
                let of = self.reach(dividend, ranges)?;
                let least = if by.is_non_negative() { self.least_divisor(divisor) } else { None };
                let quotient = |of: &Nat| least.as_ref().map_or_else(|| of.clone(), |least| of.divide(least));
                match of.is_non_negative() && by.is_non_negative() {
                    true => Reach::up_to(quotient(&of.above)),
                    // The quotient is rounded down.
                    false => Reach {
                        above: quotient(&of.above) + Nat::one(),
                        below: quotient(&of.below) + Nat::one(),
                    },
                }
            }
            Atom::Modulo(dividend, divisor) => {
                let of = self.reach(dividend, ranges)?;
                let largest = self.reach(divisor, ranges)?.magnitude() - Nat::one();
                Reach::up_to(if of.is_non_negative() { smallest(&of.above, &largest) } else { largest })
            }
            Atom::Minimum(left, right) => {
                let (left, right) = (self.operand(left, ranges)?, self.operand(right, ranges)?);
                Reach {
                    above: smallest(&left.above, &right.above),
                    below: largest(&left.below, &right.below),
                }
            }
            Atom::Maximum(left, right) => {
                let (left, right) = (self.operand(left, ranges)?, self.operand(right, ranges)?);
                Reach {
                    above: largest(&left.above, &right.above),
                    below: smallest(&left.below, &right.below),
                }
            }
            Atom::Select(_, then, otherwise) => {
                let (then, otherwise) = (self.reach(then, ranges)?, self.reach(otherwise, ranges)?);
                Reach {
                    above: largest(&then.above, &otherwise.above),
                    below: largest(&then.below, &otherwise.below),
                }
            }
            // The form in which the algebra leaves an expression unsimplified.
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => self.reach(base, ranges)?,
            Atom::Power(base, exponent) => {
                let (base, exponent) = (self.reach(base, ranges)?, self.reach(exponent, ranges)?);
                let power = base.magnitude().pow(&natural(&exponent.above)) + Nat::one();
                match base.is_non_negative() {
                    true => Reach::up_to(power),
                    false => Reach { above: power.clone(), below: power },
                }
            }
            Atom::Log2(operand) => Reach::up_to(positive(&self.reach(operand, ranges)?.above).log2()),
            Atom::Sum { index, from, to, body } => {
                // The closed form, as it is printed.
                match ranges.closed_sum(index, from, to, body) {
                    Some(closed) => self.reach(&closed, ranges)?,
                    None => return Err(Unbounded(index.clone())),
                }
            }
        })
    }

    /// The reach of an operand of a comparison, without rounding, so that it can be compared.
    fn operand(&mut self, operand: &Nat, ranges: &Ranges) -> Result<Reach, Unbounded> {
        let Reach { above, below } = self.reach(operand, ranges)?;
        Ok(Reach { above: rounded_up(&above), below: rounded_up(&below) })
    }

    /// A lower bound of a divisor, in terms of sizes, which is at least 1 where they are; `None` where only 1
    /// is known.
    fn least_divisor(&self, divisor: &Nat) -> Option<Nat> {
        if let [term] = divisor.terms()
            && !term.is_product_of_variables()
        {
            let least_powers =
                term.factors.iter().map(|(atom, power)| least_factor(atom).saturating_pow(*power));
            let least = least_powers.fold(term.coefficient, i128::saturating_mul);
            return (least > 0).then(|| Nat::constant(least));
        }
        let is_size = divisor.variables().iter().all(|variable| self.sizes.contains(variable));
        let is_product_of_sizes = |term: &Term| term.is_product_of_variables() && term.coefficient > 0;
        if !is_size || divisor.terms().iter().any(|term| !term.is_product_of_variables()) {
            return None;
        }
        if let [term] = divisor.terms() {
            return is_product_of_sizes(term).then(|| divisor.clone());
        }
        // A term that grows with a size also grows where a size of 0 is replaced by 1. Only one such term is
        // kept, which is 0 otherwise.
        let grows = |term: &&Term| term.coefficient > 0 && !term.factors.is_empty();
        let kept = divisor.terms().iter().find(grows)?;
        let negative = divisor.terms().iter().filter(|term| term.coefficient < 0);
        let least =
            negative.fold(Nat::from_term(kept.clone()), |sum, term| sum + Nat::from_term(term.clone()));
        Some(positive(&least))
    }
}

/// A lower bound of a factor of a number that is at least 1, where no factor is negative.
fn least_factor(atom: &Atom) -> i128 {
    match atom {
        Atom::Maximum(left, right) => {
            let numbers = [left, right].into_iter().filter_map(|operand| operand.as_constant());
            numbers.fold(1, i128::max)
        }
        _ => 1,
    }
}
