//! `iterate`: a function applied again and again, to arrays whose length may change with every application.
//!
//! The function is typed for the first length. If it keeps the length, that is all. Otherwise it is typed for
//! a symbolic length `n`, and gives an array of length `g(n)`. The length after `i` applications is the
//! closed form of `g` applied `i` times (CGO 2017, section 3.2), which replaces `n`. What the function needs
//! of `n` is needed of every length that occurs, and of none if the function is never applied.
//!
//! `|k => xs| …` also gets the number of the application, and keeps the length.

use std::sync::Arc;

use super::super::environment::{Argument, Function};
use super::super::error::{ArrayMistake, Error, Taker};
use super::super::inference::Inference;
use super::super::need::{Need, Reason};
use super::super::unknowns::{ArrayView, Mismatch};
use super::call::Call;
use crate::ir::nat::{Atom, Condition, Nat, Ranges, Substitution, Var};
use crate::ir::source::Source;
use crate::ir::typed::result::{Purpose, array};
use crate::ir::typed::{self, ExprKind, Lambda, Requirement, is_linear};
use crate::ir::types::Type;

/// Up to this literal number of applications, the lengths are listed one by one.
const CHECKED_COUNT: i128 = 64;

/// A call of `iterate`, or of `iterateWhile` of an array.
struct IterateCall {
    /// The primitive, as it was written.
    name: &'static str,
    /// How often the function is applied.
    count: Nat,
    /// The type of the elements.
    element: Type,
    /// The length before the first application.
    first: Nat,
    /// The number of applications so far.
    index: Var,
    /// Where the function was written.
    function: Source,
    /// The call, as messages write it.
    written: String,
}

impl<'a> Inference<'a> {
    /// `size -> ([A; n] -> [A; g(n)]) -> [A; n] -> [A; g(g(…n))]`
    pub(super) fn iterate(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.regular(call, &data);
        let mut given = given.into_iter();
        let (Some(count), Some(function)) = (given.next(), given.next()) else {
            return self.mistake(call.source);
        };
        let count = self.natural_argument(count, "iterate");
        let Some(function) = self.function_argument(function) else {
            return self.mistake(call.source);
        };
        let (Some((element, first)), Some(count)) = (array, count) else {
            return self.mistake(call.source);
        };
        let written = self.written_call(call, &[count.to_string()]);
        let named = function.position().filter(|_| function.mentions_position());
        let index = self.unknowns.vars.fresh(named.map_or("i", |position| &position.name));
        let name = self.written_name(call);
        let iterate = IterateCall { name, count, element, first, index, function: function.source, written };
        if iterate.count.as_constant() == Some(0) {
            return self.never_applied(&iterate, function, data);
        }
        match self.iterated(&iterate, function) {
            Some(lambda) => {
                let asked = &mut self.asked(&iterate.written, call.source);
                let Ok(ty) = array::iterated(&iterate.count, &lambda, asked) else {
                    return self.mistake(call.source);
                };
                self.node(ExprKind::Iterate(iterate.count, lambda, Arc::new(data)), ty, call.source)
            }
            None => self.mistake(call.source),
        }
    }

    /// `iterateWhile` of an array: `size -> ([A; n] -> bool) -> ([A; n] -> [A; n]) -> [A; n] -> [A; n]`
    pub(super) fn iterate_array_while(
        &mut self,
        call: &Call,
        limit: Option<Nat>,
        [condition, function]: [Argument<'a>; 2],
        data: typed::Expr,
    ) -> typed::Expr {
        let name = self.written_name(call);
        let array = self.regular(call, &data);
        let condition = self.function_without_position(condition, Taker::Primitive(name));
        let function = self.function_without_position(function, Taker::Primitive(name));
        let (Some((element, first)), Some(count), Some(condition), Some(function)) =
            (array, limit, condition, function)
        else {
            return self.mistake(call.source);
        };
        let index = self.unknowns.vars.fresh("i");
        let (written, source) = (name.to_owned(), function.source);
        let iterate = IterateCall { name, count, element, first, index, function: source, written };
        let applied = self.is_applied(&iterate);
        let both = self.under_condition(applied.as_ref(), |this| {
            let (next, length) = this.application(&iterate, function, &iterate.first);
            let goes_on = this.condition_of(call, condition, &data)?;
            Some((next, length?, goes_on))
        });
        let Some((next, length, goes_on)) = both else { return self.mistake(call.source) };
        if self.facts.is_equal(&length, &self.simplified(&iterate.first)) != Some(true) {
            let mistake = ArrayMistake::Repeated {
                name,
                found: self.known(&next.body.ty),
                initial: self.known(&data.ty),
                mismatch: Mismatch::Size(length, iterate.first),
            };
            return self.fail(Error::new(source, mistake));
        }
        let mut condition = goes_on.body;
        if let ([(array, ty)], [(asked, _)]) = (next.parameters.as_slice(), goes_on.parameters.as_slice()) {
            let array = self.variable(array, ty, source);
            condition = condition.replace(asked, &Arc::new(array));
        }
        let ty = data.ty.clone();
        let body = self.node(ExprKind::EndUnless(condition, next.body), ty.clone(), source);
        let lambda = Lambda { parameters: next.parameters, index: next.index, body: Arc::new(body) };
        self.node(ExprKind::Iterate(iterate.count, lambda, Arc::new(data)), ty, call.source)
    }

    /// `iterate(0, f, xs)`, which is `xs`. The function is typed for its mistakes only, and needs nothing of
    /// sizes.
    fn never_applied(
        &mut self,
        iterate: &IterateCall,
        function: Function<'a>,
        data: typed::Expr,
    ) -> typed::Expr {
        self.unreached += 1;
        let (lambda, length) = self.application(iterate, function, &iterate.first);
        self.unreached -= 1;
        if length.is_none() || self.unknowns.is_mistake(&lambda.body.ty) {
            return self.mistake(data.source);
        }
        data
    }

    /// The function, typed for the length before every application. `None` after a mistake.
    fn iterated(&mut self, iterate: &IterateCall, function: Function<'a>) -> Option<Lambda> {
        let before = self.snapshot();
        let known = self.errors.len();
        let applied = self.is_applied(iterate);
        let (lambda, length) = self.under_condition(applied.as_ref(), |this| {
            this.application(iterate, function.clone(), &iterate.first)
        });
        if self.errors.len() > known {
            return None;
        }
        let length = length?;
        let keeps_length = self.facts.is_equal(&length, &self.simplified(&iterate.first)) == Some(true);
        if keeps_length || iterate.count.as_constant() == Some(1) {
            return Some(lambda);
        }
        if let Some(position) = function.position().filter(|_| function.mentions_position()) {
            let mistake = ArrayMistake::CountedLengths { step: position.name.clone(), next: length };
            self.report(Error::new(position.source, mistake));
            return None;
        }
        self.restore(before);
        self.iterated_over_lengths(iterate, function)
    }

    /// The condition that the function is applied at all; `None` where that is certain.
    fn is_applied(&self, iterate: &IterateCall) -> Option<Condition> {
        let applied = Condition::LessOrEqual(Nat::one(), iterate.count.clone());
        (self.facts.decide(&applied) != Some(true)).then_some(applied)
    }

    fn iterated_over_lengths(&mut self, iterate: &IterateCall, function: Function<'a>) -> Option<Lambda> {
        let symbol = self.unknowns.vars.fresh("n");
        let outside = self.enter();
        self.facts.declare(&symbol, Nat::zero(), None);
        let known = self.errors.len();
        let (lambda, next) = self.application(iterate, function, &Nat::variable(&symbol));
        let needs = self.leave(outside);
        if self.errors.len() > known {
            for error in self.errors.iter_mut().skip(known) {
                error.for_every_length_of.get_or_insert_with(|| iterate.written.clone());
            }
            return None;
        }
        let next = next?;
        let Some(closed) = closed_form(&next, &symbol, iterate, &self.facts) else {
            let mistake = ArrayMistake::IteratedLengths { call: iterate.written.clone(), next };
            self.report(Error::new(iterate.function, mistake));
            return None;
        };
        for need in needs {
            self.need_for_every_length(need, &symbol, &closed, iterate)?;
        }
        self.unknowns.settle_size(&symbol, &closed);
        Some(lambda)
    }

    /// The function applied to an array of some length, and the length of the result, which is `None` after a
    /// mistake.
    fn application(
        &mut self,
        iterate: &IterateCall,
        function: Function<'a>,
        length: &Nat,
    ) -> (Lambda, Option<Nat>) {
        let parameter = Type::array(iterate.element.clone(), length.clone());
        let parameters = [("xs", parameter.clone())];
        let lambda = match function.mentions_position() {
            true => {
                let function = function.at(&Nat::variable(&iterate.index));
                self.under_index(&iterate.index, &iterate.count, |this| this.lambda(function, &parameters))
            }
            false => self.lambda(function.at(&Nat::zero()), &parameters),
        };
        let lambda = Lambda { index: Some(iterate.index.clone()), ..lambda };
        let length = match self.as_array(&lambda.body.ty) {
            ArrayView::Mistake => None,
            ArrayView::Array(array) if array.index.is_some() => {
                self.other_elements(iterate, &lambda, &parameter)
            }
            ArrayView::Array(array) => {
                let length = array.length.clone();
                match self.unify(&array.element, &iterate.element, &iterate.written, iterate.function) {
                    Ok(()) => Some(self.simplified(&length)),
                    Err(_) => self.other_elements(iterate, &lambda, &parameter),
                }
            }
            ArrayView::Other => self.other_elements(iterate, &lambda, &parameter),
        };
        (lambda, length)
    }

    fn other_elements(&mut self, iterate: &IterateCall, lambda: &Lambda, parameter: &Type) -> Option<Nat> {
        let (found, parameter) = (self.known(&lambda.body.ty), self.known(parameter));
        let mistake = ArrayMistake::Iterated { name: iterate.name, found, parameter };
        self.report(Error::new(iterate.function, mistake));
        None
    }

    /// Demands of every length what was needed of the symbolic one. `None` if it never holds.
    fn need_for_every_length(
        &mut self,
        need: Need,
        symbol: &Var,
        closed: &Nat,
        iterate: &IterateCall,
    ) -> Option<()> {
        if !need.requirement.mentions(symbol) {
            return match self.is_applied(iterate) {
                Some(applied) => self.need_where(&applied, need),
                None => self.need(need),
            };
        }
        let at = |index: &Nat| {
            let length = closed.substitute(&Substitution::from([(iterate.index.clone(), index.clone())]));
            let substitution = Substitution::from([(symbol.clone(), length)]);
            need.map(|size| size.substitute(&substitution), |held| held.substitute(&substitution))
        };
        if let Some(all) = all_divisions(&at(&Nat::variable(&iterate.index)), iterate) {
            return self.need(all);
        }
        let ends = match &need.requirement {
            Requirement::AtMost(least, most) => is_linear(&(most - least), symbol, &self.facts),
            Requirement::Equal(..)
            | Requirement::Divides(..)
            | Requirement::Holds(_)
            | Requirement::Permutation { .. } => false,
        };
        match iterate.count.as_constant() {
            Some(0) => Some(()),
            Some(count) if ends => {
                self.need(at(&Nat::constant(count - 1)))?;
                self.need(at(&Nat::zero()))
            }
            Some(count) if count <= CHECKED_COUNT => {
                (0..count).try_for_each(|index| self.need(at(&Nat::constant(index))))
            }
            _ => {
                let (count, held) = (&iterate.count, |index: &Nat| at(index).requirement.condition());
                let both = || Some(held(&Nat::zero())?.and(held(&(count - Nat::one()))?));
                let requirement = match both().filter(|_| ends) {
                    Some(both) => {
                        Requirement::Holds(Condition::LessOrEqual(count.clone(), Nat::zero()).or(both))
                    }
                    None => {
                        let general = at(&Nat::variable(&iterate.index)).requirement;
                        general.for_every(&iterate.index, &Nat::zero(), count, &self.facts)
                    }
                };
                let general = at(&Nat::variable(&iterate.index));
                self.need(general.for_every(requirement, &iterate.index, count))
            }
        }
    }
}

/// A need of the length after any number of applications, where one division needs all others.
fn all_divisions(general: &Need, iterate: &IterateCall) -> Option<Need> {
    let requirement = general.requirement.every_division(&iterate.index, &iterate.count)?;
    let reason = Reason::Primitive(Purpose::SameSize);
    Some(Need { requirement, reason, call: iterate.written.clone(), source: general.source })
}

/// The length after `iterate.index` applications, if one application makes `next` elements of `symbol`.
fn closed_form(next: &Nat, symbol: &Var, iterate: &IterateCall, facts: &Ranges) -> Option<Nat> {
    let (first, index) = (&iterate.first, Nat::variable(&iterate.index));
    if let Some(divisor) = divisor_of(next, symbol) {
        return Some(first.divide(&divisor.pow(&index)));
    }
    let at = |value: &Nat| next.substitute(&Substitution::from([(symbol.clone(), value.clone())]));
    let length = Nat::variable(symbol);
    let factor = facts.simplify(&(at(&(&length + Nat::one())) - next));
    let offset = facts.simplify(&at(&Nat::zero()));
    let is_linear =
        !factor.mentions(symbol) && facts.is_equal(&(&factor * length + &offset), next) == Some(true);
    if is_linear {
        match (factor.as_constant(), offset.as_constant()) {
            (Some(1), _) => return Some(first + offset * index),
            (_, Some(0)) => return Some(first * factor.pow(&index)),
            (Some(2..), _) => {
                let power = factor.pow(&index);
                let sum = (&power - Nat::one()).divide(&(factor - Nat::one()));
                return Some(first * power + offset * sum);
            }
            _ => {}
        }
    }
    one_by_one(next, symbol, iterate, facts)
}

/// The `c` of `n / c`.
fn divisor_of(next: &Nat, symbol: &Var) -> Option<Nat> {
    let [term] = next.terms() else { return None };
    match (term.coefficient, term.factors.as_slice()) {
        (1, [(Atom::Divide(dividend, divisor), 1)])
            if dividend.as_variable() == Some(symbol) && !divisor.mentions(symbol) =>
        {
            Some(divisor.clone())
        }
        _ => None,
    }
}

/// The length as a choice between the lengths after each number of applications, up to a literal one.
fn one_by_one(next: &Nat, symbol: &Var, iterate: &IterateCall, facts: &Ranges) -> Option<Nat> {
    let count = iterate.count.as_constant().filter(|count| *count <= CHECKED_COUNT)?;
    let mut lengths = vec![iterate.first.clone()];
    for _ in 0..count {
        let last = lengths.last()?;
        let length = next.substitute(&Substitution::from([(symbol.clone(), last.clone())]));
        lengths.push(facts.simplify(&length));
    }
    let last = lengths.pop()?;
    let index = Nat::variable(&iterate.index);
    Some(lengths.into_iter().enumerate().rev().fold(last, |later, (position, length)| {
        let position = Nat::constant(i128::try_from(position).unwrap_or(i128::MAX));
        Nat::select(&Condition::Equal(index.clone(), position), &length, &later)
    }))
}
