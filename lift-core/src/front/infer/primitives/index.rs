//! `gather` and functions on positions.

use super::super::assumption::learn_position;
use super::super::environment::{Argument, Binding, Environment, Function, Head};
use super::super::error::{Access, DataFound, Error, PositionMistake};
use super::super::inference::Inference;
use super::super::need::{Need, Reason};
use super::super::requirement::assume;
use super::call::Call;
use crate::front::syntax::{Expr, ExprKind as Syntax, Pattern, PatternKind};
use crate::ir::nat::{Atom, Condition, Nat, Ranges, Substitution, Var};
use crate::ir::primitive::Primitive;
use crate::ir::source::Source;
use crate::ir::typed::{self, IndexFunction, IndexFunctionKind, Layout, Requirement};
use crate::ir::types::Type;

/// Functions that divide by a number up to this one are examined for every remainder.
const CHECKED_DIVISOR: i128 = 64;

/// Up to this literal length of an array, every index is checked.
const CHECKED_LENGTH: i128 = 256;

impl<'a> Inference<'a> {
    /// `[A; n] -> [A; n]`, where `out[i] = in[f(i)]`.
    pub(super) fn gather(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let array = self.array(call, &data);
        let (Some(array), Some(argument)) = (array, given.into_iter().next()) else {
            return self.mistake(call.source);
        };
        let length = array.length.clone();
        let written = self.written_call(call, &[]);
        let Some(function) = self.position_function(argument, &length, Access::Read, &written) else {
            return self.mistake(call.source);
        };
        let ty = match &array.index {
            None => data.ty.clone(),
            Some(_) => self.moved(&array, &length, |position| function.apply(position)),
        };
        self.layout(call, Layout::Gather(function), data, ty)
    }

    pub(super) fn position_function(
        &mut self,
        argument: Argument<'a>,
        length: &Nat,
        access: Access,
        written: &str,
    ) -> Option<IndexFunction> {
        if let Argument::Syntax(expr, names) = &argument {
            match &expr.kind {
                Syntax::Name(name) => match (names.get(name).cloned(), name.as_str()) {
                    (Some(Binding::Alias(aliased)), _) => {
                        return self.position_function(aliased, length, access, written);
                    }
                    (Some(_), _) => {}
                    (None, "reverse") => {
                        let index = self.unknowns.vars.fresh("i");
                        return Some(IndexFunction::reverse(index, length));
                    }
                    (None, _) => {}
                },
                Syntax::Call(callee, arguments, _) => {
                    if let (Some(name), [argument]) = (permutation(callee, names), arguments.as_slice()) {
                        return self.permutation(name, argument, names, length, expr.source);
                    }
                }
                _ => {}
            }
        }
        let source = argument.source();
        if let Some(error) = self.positions_as_data(&argument, access, written) {
            self.report(error);
            return None;
        }
        let function = self.function_argument(argument)?;
        let positions = Positions { from: Nat::zero(), to: length.clone(), length: length.clone() };
        let function = self.index_function(function, &[], &positions, source)?;
        self.stays_inside(&function, &positions, written, source)?;
        Some(function)
    }

    /// The mistake of positions that are data in the place of a function on positions: an array of positions,
    /// or a function that reads one.
    fn positions_as_data(&self, argument: &Argument<'a>, access: Access, written: &str) -> Option<Error> {
        let Argument::Syntax(expr, names) = argument else { return None };
        let (name, source) = match &expr.kind {
            Syntax::Name(name) => (name, expr.source),
            Syntax::Lambda(_, body) => (indexed_name(body)?, body.source),
            _ => return None,
        };
        let Some(Binding::Value(value, _)) = names.get(name) else { return None };
        let Type::Array(_) = self.unknowns.outermost(&value.ty) else { return None };
        let found = match &expr.kind {
            Syntax::Name(_) => DataFound::Array(self.known(&value.ty)),
            _ => DataFound::Element,
        };
        let (call, name) = (written.to_owned(), name.clone());
        Some(Error::new(source, PositionMistake::Data { call, name, found, access }))
    }

    /// `stride(s)` and `rotate(k)`.
    fn permutation(
        &mut self,
        name: &str,
        argument: &'a Expr,
        names: &Environment<'a>,
        length: &Nat,
        source: Source,
    ) -> Option<IndexFunction> {
        let size = self.natural(argument, names, name)?;
        let index = self.unknowns.vars.fresh("i");
        self.facts.declare(&index, Nat::zero(), Some(length.clone()));
        if name == "rotate" {
            return Some(IndexFunction::rotate(index, &size, length));
        }
        let call = format!("stride({size})");
        if size.as_constant() == Some(0) {
            self.positive(&size, &call, source)?;
        }
        let requirement = Requirement::Divides(size.clone(), length.clone());
        self.need(Need { requirement, reason: Reason::StrideFills, call, source })?;
        Some(IndexFunction::stride(index, &size, length))
    }

    /// A user's function on a position and, for a boundary, on the length (`more`). What it needs is needed
    /// only if there is a position.
    pub(super) fn index_function(
        &mut self,
        function: Function<'a>,
        more: &[Nat],
        positions: &Positions,
        source: Source,
    ) -> Option<IndexFunction> {
        let name = match &function.head {
            Head::Closure(closure) => closure.patterns.first().and_then(parameter_name).unwrap_or("i"),
            _ => "i",
        };
        let index = self.unknowns.vars.fresh(name);
        let outside = self.facts.clone();
        let earlier = self.needs.len();
        positions.learn(&index, &mut self.facts);
        let mut sizes = vec![Nat::variable(&index)];
        sizes.extend(more.iter().cloned());
        let body = self
            .apply_to_sizes(&function, &sizes, &positions.length, source)
            .map(|body| self.simplified(&body));
        self.facts = outside;
        for need in self.needs.iter().skip(earlier) {
            assume(&need.requirement, &mut self.facts);
        }
        Some(IndexFunction { kind: IndexFunctionKind::Custom, index, body: body? })
    }

    pub(in crate::front::infer) fn apply_to_sizes(
        &mut self,
        function: &Function<'a>,
        sizes: &[Nat],
        length: &Nat,
        source: Source,
    ) -> Option<Nat> {
        match &function.head {
            Head::Closure(closure) if function.given.is_empty() => {
                if closure.patterns.len() != sizes.len() {
                    let (takes, given) = (closure.patterns.len(), sizes.len());
                    self.report(Error::new(source, PositionMistake::Parameters { takes, given }));
                    return None;
                }
                let mut scope = closure.environment.clone();
                for (pattern, size) in closure.patterns.iter().zip(sizes) {
                    scope = self.bind_position(pattern, size, scope)?;
                }
                self.size(closure.body, &scope)
            }
            Head::Identity => sizes.first().cloned(),
            Head::Primitive(row) if row.primitive == Primitive::Reverse && function.given.is_empty() => {
                Some(length - Nat::one() - sizes.first()?)
            }
            Head::Composition(first, second) => {
                let position = self.apply_to_sizes(first, sizes, length, source)?;
                self.apply_to_sizes(second, &[position], length, source)
            }
            Head::Closure(_)
            | Head::Primitive(_)
            | Head::Builtin(..)
            | Head::Operator(..)
            | Head::Negate
            | Head::Item(_) => {
                let callee = self.callee(&function.head);
                self.report(Error::new(source, PositionMistake::Function(callee)));
                None
            }
        }
    }

    fn bind_position(
        &mut self,
        pattern: &'a Pattern,
        size: &Nat,
        scope: Environment<'a>,
    ) -> Option<Environment<'a>> {
        match &pattern.kind {
            PatternKind::Name(name) => Some(scope.with(name, Binding::Size(size.clone()))),
            PatternKind::Wildcard => Some(scope),
            PatternKind::Typed(pattern, _) => self.bind_position(pattern, size, scope),
            PatternKind::Tuple(_) => {
                self.report(Error::new(pattern.source, PositionMistake::Tuple));
                None
            }
        }
    }

    /// Demands `0 <= f(i) < length` for all positions. `None` when it never holds.
    pub(super) fn stays_inside(
        &mut self,
        function: &IndexFunction,
        positions: &Positions,
        call: &str,
        source: Source,
    ) -> Option<()> {
        let Positions { from, to, length } = positions;
        if self.unreached > 0 || self.facts.is_at_most(to, from) == Some(true) {
            return Some(());
        }
        let mut facts = self.facts.clone();
        facts.assume(&Condition::Less(from.clone(), to.clone()));
        if let Some((position, image)) = outside_at_an_end(function, positions, &facts) {
            let (call, length) = (call.to_owned(), length.clone());
            self.report(Error::new(source, PositionMistake::Outside { call, position, image, length }));
            return None;
        }
        let starts_at_zero = from.as_constant() == Some(0);
        let always_inside = starts_at_zero
            && for_every_remainder(function, to, &facts, |facts, position| {
                facts.decide(&inside(&at(function, position), length)) == Some(true)
            });
        if always_inside {
            return Some(());
        }
        positions.learn(&function.index, &mut facts);
        let inside = inside(&function.body, length);
        match facts.decide(&inside) {
            Some(true) => Some(()),
            Some(false) => {
                let (call, length) = (call.to_owned(), length.clone());
                self.report(Error::new(source, PositionMistake::NeverInside { call, length }));
                None
            }
            None => {
                let requirement = for_all_positions(function, positions, &inside, &facts);
                let reason = Reason::IndexInside(function.body.clone(), length.clone());
                self.need(Need { requirement, reason, call: call.to_owned(), source })
            }
        }
    }
}

/// The positions `from..to` that an index function is given, of an array of `length` elements.
pub(super) struct Positions {
    /// The first.
    pub(super) from: Nat,
    /// One past the last.
    pub(super) to: Nat,
    /// The length of the array.
    pub(super) length: Nat,
}

impl Positions {
    /// Learns that `index` is one of the positions.
    pub(super) fn learn(&self, index: &Var, facts: &mut Ranges) {
        learn_position(index, &self.from, &self.to, facts);
    }
}

fn permutation<'a>(callee: &'a Expr, names: &Environment<'_>) -> Option<&'a str> {
    match &callee.kind {
        Syntax::Name(name) if names.get(name).is_none() && (name == "stride" || name == "rotate") => {
            Some(name)
        }
        _ => None,
    }
}

/// The name of the array that an expression reads at one position: `at(i, xs)`, `xs >> at(i)`.
fn indexed_name(expr: &Expr) -> Option<&String> {
    let is_at = |callee: &Expr| matches!(&callee.kind, Syntax::Name(name) if name == "at" || name == "atOr");
    let (callee, array) = match &expr.kind {
        Syntax::Call(callee, arguments, _) => (callee, arguments.last()?),
        Syntax::Pipe(array, function) => match &function.kind {
            Syntax::Call(callee, _, _) => (callee, array.as_ref()),
            _ => return None,
        },
        _ => return None,
    };
    match &array.kind {
        Syntax::Name(name) if is_at(callee) => Some(name),
        _ => None,
    }
}

fn parameter_name(pattern: &Pattern) -> Option<&str> {
    match &pattern.kind {
        PatternKind::Name(name) => Some(name),
        PatternKind::Typed(pattern, _) => parameter_name(pattern),
        PatternKind::Wildcard | PatternKind::Tuple(_) => None,
    }
}

fn inside(index: &Nat, length: &Nat) -> Condition {
    Condition::LessOrEqual(Nat::zero(), index.clone()).and(Condition::Less(index.clone(), length.clone()))
}

/// Where a function maps a position.
pub(super) fn at(function: &IndexFunction, position: &Nat) -> Nat {
    function.body.substitute(&Substitution::from([(function.index.clone(), position.clone())]))
}

/// A position that is certainly mapped outside. The first and the last are tried, and all of them between
/// literal bounds.
fn outside_at_an_end(function: &IndexFunction, positions: &Positions, facts: &Ranges) -> Option<(Nat, Nat)> {
    let Positions { from, to, length } = positions;
    let mut candidates = vec![from.clone(), to - Nat::one()];
    if let (Some(first), Some(end)) = (from.as_constant(), to.as_constant())
        && end.saturating_sub(first) <= CHECKED_LENGTH
    {
        candidates = (first..end).map(Nat::constant).collect();
    }
    candidates.into_iter().find_map(|position| {
        let value = facts.simplify(&at(function, &position));
        (facts.decide(&inside(&value, length)) == Some(false)).then_some((facts.simplify(&position), value))
    })
}

/// Whether something holds at all positions `0..length`. It is decided for every remainder by the number that
/// an index function divides by: `i / 4 * 4 + 3 - i % 4` is four linear functions.
pub(super) fn for_every_remainder(
    function: &IndexFunction,
    length: &Nat,
    facts: &Ranges,
    holds: impl Fn(&Ranges, &Nat) -> bool,
) -> bool {
    let mut divisors = Vec::new();
    collect_divisors(&function.body, &function.index, &mut divisors);
    let Some(divisor) = divisors.iter().filter_map(Nat::as_constant).max() else { return false };
    if !(2..=CHECKED_DIVISOR).contains(&divisor) {
        return false;
    }
    (0..divisor).all(|remainder| {
        let mut facts = facts.clone();
        let position = Nat::variable(&function.index) * Nat::constant(divisor) + Nat::constant(remainder);
        facts.declare(&function.index, Nat::zero(), None);
        facts.assume(&Condition::Less(position.clone(), length.clone()));
        holds(&facts, &position)
    })
}

/// What the index is divided by.
pub(super) fn collect_divisors(size: &Nat, index: &Var, divisors: &mut Vec<Nat>) {
    for (atom, _) in size.terms().iter().flat_map(|term| &term.factors) {
        if let Atom::Divide(dividend, divisor) | Atom::Modulo(dividend, divisor) = atom {
            if dividend.mentions(index) && !divisors.contains(divisor) {
                divisors.push(divisor.clone());
            }
            collect_divisors(dividend, index, divisors);
        }
    }
}

/// What the launch checks so that every position is mapped inside: both ends for a linear function, else
/// every position.
fn for_all_positions(
    function: &IndexFunction,
    positions: &Positions,
    inside_there: &Condition,
    facts: &Ranges,
) -> Requirement {
    let Positions { from, to, length } = positions;
    let next = at(function, &(Nat::variable(&function.index) + Nat::one()));
    let growth = facts.simplify(&(next - &function.body));
    if !growth.mentions(&function.index) {
        let ends = inside(&at(function, from), length).and(inside(&at(function, &(to - Nat::one())), length));
        return Requirement::Holds(Condition::LessOrEqual(to.clone(), from.clone()).or(ends));
    }
    let failures = Nat::select(inside_there, &Nat::zero(), &Nat::one());
    Requirement::Equal(Nat::sum(&function.index, from, to, &failures), Nat::zero())
}
