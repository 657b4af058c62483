//! The free variables of what the user wrote.

use std::collections::BTreeSet;

use crate::front::syntax::{
    Binding, Expr, ExprKind, Identifier, Item, Pattern, PatternKind, TypeExpr, TypeExprKind,
};
use crate::ir::source::Source;

/// The names in the sizes of a type, in order.
pub(super) fn names_in_type(ty: &TypeExpr) -> Vec<&str> {
    match &ty.kind {
        TypeExprKind::Name(_) | TypeExprKind::Error => Vec::new(),
        TypeExprKind::Tuple(components) => components.iter().flat_map(names_in_type).collect(),
        TypeExprKind::Array { index, element, length } => {
            let mut names: Vec<&str> = free_names(length, &[]).into_iter().map(|(name, _)| name).collect();
            let inner = names_in_type(element);
            names.extend(
                inner.into_iter().filter(|name| index.as_ref().is_none_or(|index| index.name != *name)),
            );
            names
        }
    }
}

/// The names that an expression uses and does not bind, each once, in the order of the text.
pub(super) fn free_names<'s>(expr: &'s Expr, bound: &[&'s str]) -> Vec<(&'s str, Source)> {
    let mut walk = Walk { bound: bound.to_vec(), ..Walk::default() };
    walk.expr(expr);
    walk.free
}

/// The free variables of an expression and the places that it uses, by their paths, each once, in the order of
/// the text.
pub(super) fn free_variables<'s>(expr: &'s Expr, bound: &[&'s str]) -> Vec<(String, Source)> {
    let mut walk = Walk { bound: bound.to_vec(), ..Walk::default() };
    walk.expr(expr);
    walk.variables
}

/// The names in an expression.
pub(super) struct Names<'s> {
    /// All names that it uses or binds.
    pub(super) all: BTreeSet<&'s str>,
    /// Those that it uses and does not bind, and that stand somewhere by themselves.
    pub(super) whole: BTreeSet<&'s str>,
}

/// The names in an expression.
pub(super) fn names_in(expr: &Expr) -> Names<'_> {
    let mut walk = Walk::default();
    walk.expr(expr);
    let bound = walk.all_bound.into_iter().map(|(name, _)| name);
    Names { all: walk.seen.into_iter().chain(bound).collect(), whole: walk.whole }
}

/// The names that an item binds anywhere: sizes, parameters, variables and positions.
pub(super) fn bound_names(item: &Item) -> Vec<(&str, Source)> {
    let mut walk = Walk::default();
    item.generics.iter().for_each(|generic| walk.identifier(generic));
    for parameter in &item.parameters {
        walk.identifier(&parameter.name);
        walk.ty(&parameter.ty);
    }
    walk.ty(&item.result);
    walk.expr(&item.body);
    walk.all_bound
}

#[derive(Default)]
struct Walk<'s> {
    /// The names that are bound here.
    bound: Vec<&'s str>,
    /// The names that were bound anywhere so far.
    all_bound: Vec<(&'s str, Source)>,
    seen: BTreeSet<&'s str>,
    free: Vec<(&'s str, Source)>,
    /// The names that stand somewhere by themselves, and not only before a field or a component.
    whole: BTreeSet<&'s str>,
    /// The paths of free variables and of places.
    variables: Vec<(String, Source)>,
}

impl<'s> Walk<'s> {
    fn expr(&mut self, expr: &'s Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                if self.name(name, expr.source) {
                    self.whole.insert(name);
                }
            }
            ExprKind::Literal(..) | ExprKind::Path(_) | ExprKind::Error => {}
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Call(callee, arguments, _) => {
                self.expr(callee);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::Lambda(lambda) => self.scoped(|walk| {
                lambda.position.iter().for_each(|position| walk.identifier(position));
                lambda.parameters.iter().for_each(|pattern| walk.pattern(pattern));
                walk.expr(&lambda.body);
            }),
            ExprKind::Pipe(left, right)
            | ExprKind::Shift(_, left, right)
            | ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Component(operand, _) | ExprKind::Field(operand, _) => match expr.place() {
                Some(place) => {
                    if self.name(place.name, place.root.source) {
                        self.variable(place.path, expr.source);
                    }
                }
                None => self.expr(operand),
            },
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand, _) => self.expr(operand),
            ExprKind::Block(bindings, body) => self.scoped(|walk| {
                for Binding { pattern, value } in bindings {
                    walk.expr(value);
                    walk.pattern(pattern);
                }
                walk.expr(body);
            }),
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
        }
    }

    /// A use of a name. Returns whether it is free here.
    fn name(&mut self, name: &'s str, source: Source) -> bool {
        if self.bound.contains(&name) {
            return false;
        }
        if self.seen.insert(name) {
            self.free.push((name, source));
            self.variable(name.to_owned(), source);
        }
        true
    }

    fn variable(&mut self, path: String, source: Source) {
        if self.variables.iter().all(|(known, _)| *known != path) {
            self.variables.push((path, source));
        }
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        visit(self);
        self.bound.truncate(depth);
    }

    fn identifier(&mut self, identifier: &'s Identifier) {
        self.bind(&identifier.name, identifier.source);
    }

    fn bind(&mut self, name: &'s str, source: Source) {
        self.bound.push(name);
        self.all_bound.push((name, source));
    }

    fn pattern(&mut self, pattern: &'s Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.bind(name, pattern.source),
            PatternKind::Wildcard => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => {
                parts.iter().for_each(|part| self.pattern(part))
            }
            PatternKind::Typed(inner, ty) => {
                self.ty(ty);
                self.pattern(inner);
            }
        }
    }

    fn ty(&mut self, ty: &'s TypeExpr) {
        match &ty.kind {
            TypeExprKind::Name(_) | TypeExprKind::Error => {}
            TypeExprKind::Tuple(parts) => parts.iter().for_each(|part| self.ty(part)),
            TypeExprKind::Array { index, element, length } => {
                self.expr(length);
                self.scoped(|walk| {
                    index.iter().for_each(|index| walk.identifier(index));
                    walk.ty(element);
                });
            }
        }
    }
}
