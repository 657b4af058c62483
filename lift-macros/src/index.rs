//! Formulas over the numbers of steps, as Rust that computes them in 64 bits.
//!
//! They stand in user functions, whose loops count their steps. A number that 64 bits do not hold wraps, as all
//! integers do.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::nat::{Atom, Condition, Nat, Term, Var};
use lift_core::ir::source::Source;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::context::Result;

/// The variable of Rust for the number of a step, an `i64`.
pub(crate) fn variable(index: &Var) -> Ident {
    format_ident!("__step_{}", index.id(), span = Span::mixed_site())
}

/// The value of a formula, an `i64`.
pub(crate) fn value(nat: &Nat, source: Source) -> Result<TokenStream> {
    let terms = nat.terms().iter().map(|term| self::term(term, source)).collect::<Result<Vec<_>>>()?;
    Ok(match terms.split_first() {
        None => quote!(0i64),
        Some((first, others)) => quote!(#first #(.wrapping_add(#others))*),
    })
}

fn term(term: &Term, source: Source) -> Result<TokenStream> {
    let Ok(coefficient) = i64::try_from(term.coefficient) else {
        return Err(vec![Diagnostic::internal(source, "a coefficient of an index is too large")]);
    };
    let mut factors = Vec::new();
    for (atom, power) in &term.factors {
        let atom = self::atom(atom, source)?;
        factors.extend((0..*power).map(|_| atom.clone()));
    }
    if coefficient != 1 || factors.is_empty() {
        let coefficient = Literal::i64_suffixed(coefficient);
        factors.insert(0, quote!((#coefficient)));
    }
    Ok(match factors.split_first() {
        None => quote!(1i64),
        Some((first, others)) => quote!(#first #(.wrapping_mul(#others))*),
    })
}

fn atom(atom: &Atom, source: Source) -> Result<TokenStream> {
    let pair = |left, right| -> Result<(TokenStream, TokenStream)> {
        Ok((value(left, source)?, value(right, source)?))
    };
    Ok(match atom {
        Atom::Var(index) => {
            let name = variable(index);
            quote!(#name)
        }
        Atom::Divide(left, right) => {
            let (left, right) = pair(left, right)?;
            quote!((#left).wrapping_div_euclid(#right))
        }
        Atom::Modulo(left, right) => {
            let (left, right) = pair(left, right)?;
            quote!((#left).wrapping_rem_euclid(#right))
        }
        Atom::Minimum(left, right) => {
            let (left, right) = pair(left, right)?;
            quote!(::core::cmp::Ord::min(#left, #right))
        }
        Atom::Maximum(left, right) => {
            let (left, right) = pair(left, right)?;
            quote!(::core::cmp::Ord::max(#left, #right))
        }
        Atom::Power(base, exponent) => {
            let (base, exponent) = pair(base, exponent)?;
            quote!((#base).wrapping_pow((#exponent) as ::core::primitive::u32))
        }
        Atom::Log2(operand) => {
            let operand = value(operand, source)?;
            quote!(::core::primitive::i64::from((#operand).checked_ilog2().unwrap_or(0)))
        }
        Atom::Sum { index, from, to, body } => {
            let (from, to) = pair(from, to)?;
            let (name, body) = (variable(index), value(body, source)?);
            quote!(((#from)..(#to)).fold(0i64, |__sum, #name| __sum.wrapping_add(#body)))
        }
        Atom::Select(condition, then, otherwise) => {
            let condition = self::condition(condition, source)?;
            let (then, otherwise) = pair(then, otherwise)?;
            quote!((if #condition { #then } else { #otherwise }))
        }
    })
}

fn condition(condition: &Condition, source: Source) -> Result<TokenStream> {
    let compared = |left: &Nat, symbol: TokenStream, right: &Nat| {
        let (left, right) = (value(left, source)?, value(right, source)?);
        Ok(quote!((#left) #symbol (#right)))
    };
    match condition {
        Condition::Less(left, right) => compared(left, quote!(<), right),
        Condition::LessOrEqual(left, right) => compared(left, quote!(<=), right),
        Condition::Equal(left, right) => compared(left, quote!(==), right),
        Condition::And(left, right) => {
            let (left, right) = (self::condition(left, source)?, self::condition(right, source)?);
            Ok(quote!((#left && #right)))
        }
        Condition::Or(left, right) => {
            let (left, right) = (self::condition(left, source)?, self::condition(right, source)?);
            Ok(quote!((#left || #right)))
        }
        Condition::Not(inner) => {
            let inner = self::condition(inner, source)?;
            Ok(quote!(!(#inner)))
        }
    }
}
