//! Sizes as constants of the runtime's `Size`.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::nat::{Atom, Condition, Nat, Term, Var};
use lift_core::ir::source::Source;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::context::Result;
use crate::mistake::Mistake;

/// Prints sizes of one program. The output expects the runtime's private module under the name `__lift`.
#[derive(Clone)]
pub(crate) struct SizePrinter {
    /// The variables by their slots: the program's size variables, then the indices of the surrounding sums.
    slots: Vec<Var>,
}

impl SizePrinter {
    /// A printer for a program with these size variables.
    pub(crate) fn new(sizes: impl IntoIterator<Item = Var>) -> SizePrinter {
        SizePrinter { slots: sizes.into_iter().collect() }
    }

    /// The slot of a variable.
    pub(crate) fn slot(&self, variable: &Var) -> Result<Literal> {
        // An index shadows a variable with the same name, so the innermost slot counts.
        self.slots
            .iter()
            .rposition(|slot| slot == variable)
            .map(Literal::usize_unsuffixed)
            .ok_or_else(|| internal(&format!("the size variable `{}` is unknown", variable.name())))
    }

    /// A size.
    pub(crate) fn size(&self, nat: &Nat) -> Result<TokenStream> {
        // The runtime shows formulas in this order: positive terms first and constants last, as a person
        // writes.
        let mut ordered: Vec<&Term> = nat.terms().iter().collect();
        ordered.sort_by_key(|term| (term.coefficient < 0, term.factors.is_empty()));
        let terms = ordered.into_iter().map(|term| self.term(term)).collect::<Result<Vec<_>>>()?;
        Ok(match terms.as_slice() {
            [] => constant(0)?,
            [term] => term.clone(),
            terms => quote!(__lift::Size::Add(&[#(#terms),*])),
        })
    }

    /// Several sizes, as a slice.
    pub(crate) fn sizes<'a>(&self, nats: impl IntoIterator<Item = &'a Nat>) -> Result<TokenStream> {
        let sizes = nats.into_iter().map(|nat| self.size(nat)).collect::<Result<Vec<_>>>()?;
        Ok(quote!(&[#(#sizes),*]))
    }

    fn term(&self, term: &Term) -> Result<TokenStream> {
        let mut factors = Vec::new();
        if term.coefficient != 1 || term.factors.is_empty() {
            factors.push(constant(term.coefficient)?);
        }
        for (atom, power) in &term.factors {
            let atom = self.atom(atom)?;
            factors.push(match power {
                1 => atom,
                power => {
                    let power = constant(i128::from(*power))?;
                    quote!(__lift::Size::Power(&#atom, &#power))
                }
            });
        }
        Ok(match factors.as_slice() {
            [factor] => factor.clone(),
            factors => quote!(__lift::Size::Multiply(&[#(#factors),*])),
        })
    }

    fn atom(&self, atom: &Atom) -> Result<TokenStream> {
        match atom {
            Atom::Var(variable) => {
                let slot = self.slot(variable)?;
                Ok(quote!(__lift::Size::Variable(#slot)))
            }
            Atom::Divide(left, right) => self.pair(&quote!(Divide), left, right),
            Atom::Modulo(left, right) => self.pair(&quote!(Remainder), left, right),
            Atom::Minimum(left, right) => self.pair(&quote!(Minimum), left, right),
            Atom::Maximum(left, right) => self.pair(&quote!(Maximum), left, right),
            Atom::Power(base, exponent) => self.pair(&quote!(Power), base, exponent),
            Atom::Log2(operand) => {
                let operand = self.size(operand)?;
                Ok(quote!(__lift::Size::Log2(&#operand)))
            }
            Atom::Sum { index, from, to, body } => self.sum(index, from, to, body),
            Atom::Select(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.size(then)?, self.size(otherwise)?);
                Ok(quote!(__lift::Size::If(&#condition, &#then, &#otherwise)))
            }
        }
    }

    fn pair(&self, operation: &TokenStream, left: &Nat, right: &Nat) -> Result<TokenStream> {
        let (left, right) = (self.size(left)?, self.size(right)?);
        Ok(quote!(__lift::Size::#operation(&#left, &#right)))
    }

    /// The slot of a new index, and the printer for its scope.
    pub(crate) fn with_index(&self, index: &Var) -> (Literal, SizePrinter) {
        let slot = Literal::usize_unsuffixed(self.slots.len());
        let mut inside = self.clone();
        inside.slots.push(index.clone());
        (slot, inside)
    }

    fn sum(&self, index: &Var, from: &Nat, to: &Nat, body: &Nat) -> Result<TokenStream> {
        let (from, to) = (self.size(from)?, self.size(to)?);
        let (slot, inside) = self.with_index(index);
        let body = inside.size(body)?;
        Ok(quote!(__lift::Size::Sum { slot: #slot, from: &#from, to: &#to, body: &#body }))
    }

    /// A comparison of sizes.
    pub(crate) fn condition(&self, condition: &Condition) -> Result<TokenStream> {
        let compare = |operation: TokenStream, left: &Nat, right: &Nat| {
            let (left, right) = (self.size(left)?, self.size(right)?);
            Ok(quote!(__lift::Condition::#operation(&#left, &#right)))
        };
        let join = |operation: TokenStream, left: &Condition, right: &Condition| {
            let (left, right) = (self.condition(left)?, self.condition(right)?);
            Ok(quote!(__lift::Condition::#operation(&#left, &#right)))
        };
        match condition {
            Condition::Less(left, right) => compare(quote!(Less), left, right),
            Condition::LessOrEqual(left, right) => compare(quote!(LessOrEqual), left, right),
            Condition::Equal(left, right) => compare(quote!(Equal), left, right),
            Condition::And(left, right) => join(quote!(And), left, right),
            Condition::Or(left, right) => join(quote!(Or), left, right),
            Condition::Not(inner) => {
                let inner = self.condition(inner)?;
                Ok(quote!(__lift::Condition::Not(&#inner)))
            }
        }
    }
}

/// A number.
pub(crate) fn constant(value: i128) -> Result<TokenStream> {
    let value = i64::try_from(value).map_err(|_| vec![Mistake::LargeSize(value).at(Source::UNKNOWN)])?;
    let value = Literal::i64_unsuffixed(value);
    Ok(quote!(__lift::Size::Constant(#value)))
}

fn internal(what: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::internal(Source::UNKNOWN, what)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(nat: &Nat, sizes: &[Var]) -> String {
        let tokens = SizePrinter::new(sizes.iter().cloned()).size(nat).expect("printable");
        tokens
            .to_string()
            .replace("__lift :: Size :: ", "")
            .replace("__lift :: Condition :: ", "")
            .replace(' ', "")
    }

    #[test]
    fn sizes_are_printed_as_constants_over_slots() {
        let (n, m) = (Var::new(0, "N"), Var::new(1, "M"));
        let (x, y) = (Nat::variable(&n), Nat::variable(&m));
        let slots = [n.clone(), m];
        for (nat, expected) in [
            (Nat::zero(), "Constant(0)"),
            (Nat::constant(-3), "Constant(-3)"),
            (x.clone(), "Variable(0)"),
            (&x * &x, "Power(&Variable(0),&Constant(2))"),
            (Nat::min(&x, &y), "Minimum(&Variable(0),&Variable(1))"),
            (Nat::constant(3) * &y, "Multiply(&[Constant(3),Variable(1)])"),
            (x.divide(&y), "Divide(&Variable(0),&Variable(1))"),
        ] {
            assert_eq!(printed(&nat, &slots), expected);
        }
    }

    #[test]
    fn the_index_of_a_sum_takes_the_next_slot() {
        let (n, i) = (Var::new(0, "N"), Var::new(7, "i"));
        let body = Nat::min(&Nat::variable(&i), &Nat::constant(5));
        let sum = Nat::sum(&i, &Nat::zero(), &Nat::variable(&n), &body);
        let text = printed(&sum, &[n]);
        assert!(text.starts_with("Sum{slot:1,from:&Constant(0),to:&Variable(0),"), "{text}");
        assert!(text.contains("Variable(1)"), "{text}");
    }
}
