//! `gather` and functions on positions.

use super::super::environment::{Argument, Binding, Environment, Function, Head};
use super::super::error::{Access, DataFound, Error, PositionMistake, Taker};
use super::super::inference::Inference;
use super::call::Call;
use crate::front::syntax::{Expr, ExprKind as Syntax, Pattern, PatternKind};
use crate::ir::nat::Nat;
use crate::ir::primitive::Primitive;
use crate::ir::source::Source;
use crate::ir::typed::result::Mismatch;
use crate::ir::typed::result::positions::{Positions, stride_fills};
use crate::ir::typed::{self, IndexFunction, IndexFunctionKind, Layout};
use crate::ir::types::Type;

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
        self.satisfied_layout(call, Layout::Gather(function), &array, data)
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
        let function = self.function_without_position(argument, Taker::OfPositions)?;
        let positions = Positions::all(length);
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
            Syntax::Lambda(lambda) => (indexed_name(&lambda.body)?, lambda.body.source),
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
        if name == "rotate" {
            return Some(IndexFunction::rotate(index, &size, length));
        }
        let call = format!("stride({size})");
        stride_fills(&size, length, &mut self.asked(&call, source)).ok()?;
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
            need.requirement.assume(&mut self.facts);
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
            PatternKind::Tuple(_) | PatternKind::Array(_) => {
                self.report(Error::new(pattern.source, PositionMistake::Tuple));
                None
            }
        }
    }

    /// Demands that a function stays inside an array. `None` when it never does.
    pub(super) fn stays_inside(
        &mut self,
        function: &IndexFunction,
        positions: &Positions,
        call: &str,
        source: Source,
    ) -> Option<()> {
        let inside = function.stays_inside(positions, &mut self.asked(call, source));
        inside.map_err(|mismatch| self.report_image(mismatch, call, source)).ok()
    }

    /// Reports where a function maps positions that it should not map there.
    pub(super) fn report_image(&mut self, mismatch: Mismatch, call: &str, source: Source) {
        let call = call.to_owned();
        let mistake = match mismatch {
            Mismatch::Outside { position, image, length } => {
                PositionMistake::Outside { call, position, image, length }
            }
            Mismatch::NeverInside(length) => PositionMistake::NeverInside { call, length },
            Mismatch::Collision { first, second, image } => {
                PositionMistake::Collision { call, first, second, image }
            }
            // Nothing but a need is left, and one that never holds was reported where it was demanded.
            _ => return,
        };
        self.report(Error::new(source, mistake));
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
        PatternKind::Wildcard | PatternKind::Tuple(_) | PatternKind::Array(_) => None,
    }
}
