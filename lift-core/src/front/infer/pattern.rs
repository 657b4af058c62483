//! Patterns: the names in a pattern become components and elements of one variable.

use std::sync::Arc;

use super::annotation::is_size_name;
use super::environment::{Argument, Binding, Elaborated, Environment};
use super::error::{Error, Place, TypeMistake};
use super::inference::Inference;
use super::unknowns::{ArrayView, Mismatch};
use crate::front::syntax::{self, ExprKind, Pattern, PatternKind};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{self, Position};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    /// Binds a pattern to an argument, and returns the names in scope after it.
    pub(super) fn bind_pattern(
        &mut self,
        pattern: &'a Pattern,
        argument: Argument<'a>,
        scope: Environment<'a>,
    ) -> Environment<'a> {
        match (&pattern.kind, argument) {
            (
                PatternKind::Tuple(patterns),
                Argument::Syntax(syntax::Expr { kind: ExprKind::Tuple(components), .. }, environment),
            ) if patterns.len() == components.len() => {
                patterns.iter().zip(components).fold(scope, |scope, (pattern, component)| {
                    self.bind_pattern(pattern, Argument::Syntax(component, environment.clone()), scope)
                })
            }
            (PatternKind::Typed(pattern, written), argument)
                if is_size_name(written) && is_size(&argument) =>
            {
                self.bind_pattern(pattern, argument, scope)
            }
            (PatternKind::Typed(pattern, written), argument) => {
                let ty = self.written_type(written, &scope);
                let value = self.argument_value(argument);
                let value = self.annotated(value, &ty, written.source);
                self.bind_pattern(pattern, Argument::value(value), scope)
            }
            (PatternKind::Name(name), argument) => {
                let binding = self.binding(name, argument);
                scope.with(name, binding)
            }
            (PatternKind::Wildcard, argument) => {
                self.argument(argument);
                scope
            }
            (PatternKind::Array(patterns), argument) => {
                let value = self.argument_value(argument);
                let elements = self.elements(value, patterns, pattern);
                patterns.iter().zip(elements).fold(scope, |scope, (pattern, element)| {
                    self.bind_pattern(pattern, Argument::value(element), scope)
                })
            }
            (PatternKind::Tuple(patterns), argument) => {
                let value = self.argument_value(argument);
                let components = self.components(value, patterns.len(), pattern.source);
                patterns.iter().zip(components).fold(scope, |scope, (pattern, component)| {
                    self.bind_pattern(pattern, Argument::value(component), scope)
                })
            }
        }
    }

    fn binding(&mut self, name: &str, argument: Argument<'a>) -> Binding<'a> {
        let syntax = match &argument {
            Argument::Syntax(expr, environment) => Some((*expr, environment.clone())),
            Argument::Elaborated(_) => None,
        };
        match self.argument(argument) {
            Elaborated::Function(function) => Binding::Function(function),
            Elaborated::Value(value) => Binding::Value(self.bind(value, name), syntax),
        }
    }

    /// A value that is bound with a type annotation.
    fn annotated(&mut self, value: typed::Expr, ty: &Type, source: Source) -> typed::Expr {
        let value = self.fit(value, ty);
        let Err(mismatch) = self.unify(&value.ty, ty, "this pattern", source) else { return value };
        let mistake = TypeMistake::Annotated {
            written: self.known(ty),
            found: self.known(&value.ty),
            mismatch: self.simplified_mismatch(&flipped(mismatch)),
        };
        self.fail(Error::new(source, mistake))
    }

    /// The components of a tuple of `count`.
    pub(super) fn components(
        &mut self,
        tuple: typed::Expr,
        count: usize,
        source: Source,
    ) -> Vec<typed::Expr> {
        let fresh: Vec<Type> = (0..count).map(|_| self.unknowns.fresh()).collect();
        let expected = Type::Tuple(fresh.clone());
        if self.unify(&tuple.ty, &expected, "this pattern", source).is_err() {
            let ty = self.known(&tuple.ty);
            self.report(Error::new(source, TypeMistake::Pattern { count, ty }));
            return (0..count).map(|_| self.mistake(source)).collect();
        }
        if self.unknowns.is_mistake(&tuple.ty) {
            return (0..count).map(|_| self.mistake(source)).collect();
        }
        self.spread(tuple, fresh)
    }

    /// The elements of an array of as many as there are patterns.
    fn elements(&mut self, array: typed::Expr, patterns: &[Pattern], whole: &Pattern) -> Vec<typed::Expr> {
        let Some(ty) = self.array_of(&array, patterns.len(), whole) else {
            return patterns.iter().map(|pattern| self.mistake(pattern.source)).collect();
        };
        if let typed::ExprKind::ArrayLiteral(elements) = array.kind {
            return elements.into_iter().map(Arc::unwrap_or_clone).collect();
        }
        // An element of a variable costs nothing to repeat. It is not bound, so that nested patterns become
        // accesses of one variable.
        let array = if is_element_of_variable(&array) { array } else { self.bind(array, "elements") };
        let mut elements = Vec::new();
        for (position, pattern) in patterns.iter().enumerate() {
            let position = Nat::constant(position as i128);
            let element = ty.element_at(&position);
            let copy = self.copy(&array, pattern.source);
            let kind = typed::ExprKind::At(Position::Size(position), Arc::new(copy));
            elements.push(self.node(kind, element, pattern.source));
        }
        elements
    }

    /// The type of an array, which must have this length. `None` after a mistake.
    fn array_of(&mut self, array: &typed::Expr, count: usize, whole: &Pattern) -> Option<Arc<ArrayType>> {
        let mismatch = match self.as_array(&array.ty) {
            ArrayView::Array(ty) => {
                let length = Nat::constant(count as i128);
                match self.unify_sizes(&ty.length, &length, &spelling(whole), whole.source) {
                    Ok(()) => return Some(ty),
                    Err(mismatch) => mismatch,
                }
            }
            ArrayView::Mistake => return None,
            ArrayView::Other => Mismatch::Shape,
        };
        let (ty, remedy) = (self.known(&array.ty), self.clause_for(&mismatch));
        let mismatch = self.simplified_mismatch(&mismatch);
        self.report(Error::new(whole.source, TypeMistake::ArrayPattern { count, ty, mismatch, remedy }));
        None
    }

    /// The components of a tuple, given their types.
    pub(super) fn spread(&mut self, tuple: typed::Expr, types: Vec<Type>) -> Vec<typed::Expr> {
        if let typed::ExprKind::Tuple(components) = tuple.kind {
            return components.into_iter().map(Arc::unwrap_or_clone).collect();
        }
        let tuple = self.bind(tuple, "tuple");
        let mut components = Vec::new();
        for (position, ty) in types.into_iter().enumerate() {
            let copy = self.copy(&tuple, tuple.source);
            components.push(self.node(
                typed::ExprKind::Component(Arc::new(copy), position),
                ty,
                tuple.source,
            ));
        }
        components
    }

    /// The value, which must have this type; sizes become integers where one is expected.
    pub(super) fn expect(&mut self, value: typed::Expr, ty: &Type, place: Place) -> typed::Expr {
        let value = self.fit(value, ty);
        match self.unify(&value.ty, ty, &place.to_string(), value.source) {
            Ok(()) => value,
            Err(_) if self.unknowns.is_mistake(&value.ty) => self.mistake(value.source),
            Err(mismatch) => {
                let remedy = self.conversion_of(&value, ty).or_else(|| self.clause_for(&mismatch));
                let (wanted, found) = (self.known(ty), self.known(&value.ty));
                let mismatch = self.simplified_mismatch(&flipped(mismatch));
                let mistake = TypeMistake::Expected { place, wanted, found, mismatch, remedy };
                self.fail(Error::new(value.source, mistake))
            }
        }
    }
}

/// A pattern as the user wrote it, without types.
fn spelling(pattern: &Pattern) -> String {
    let all = |parts: &[Pattern]| parts.iter().map(spelling).collect::<Vec<_>>().join(", ");
    match &pattern.kind {
        PatternKind::Name(name) => name.clone(),
        PatternKind::Wildcard => "_".to_owned(),
        PatternKind::Tuple(parts) => format!("({})", all(parts)),
        PatternKind::Array(parts) => format!("[{}]", all(parts)),
        PatternKind::Typed(pattern, _) => spelling(pattern),
    }
}

/// Whether an array is a variable, or an element of one, perhaps of an element.
fn is_element_of_variable(array: &typed::Expr) -> bool {
    match &array.kind {
        typed::ExprKind::Variable(_) => true,
        typed::ExprKind::At(Position::Size(_), array) => is_element_of_variable(array),
        _ => false,
    }
}

/// Whether an argument is already known to be a size, as the position of an element is.
fn is_size(argument: &Argument<'_>) -> bool {
    match argument {
        Argument::Syntax(..) => false,
        Argument::Elaborated(elaborated) => match elaborated.as_ref() {
            Elaborated::Value(value) => value.ty == Type::Size,
            Elaborated::Function(_) => false,
        },
    }
}

fn flipped(mismatch: Mismatch) -> Mismatch {
    match mismatch {
        Mismatch::Shape => Mismatch::Shape,
        Mismatch::Size(left, right) => Mismatch::Size(right, left),
    }
}
