//! The names in a program: those that the user bound and never mentions, for rustc's own lint, and those of
//! types.
//!
//! The former are parameters of items and closures, and the names that `let` binds. Parameters of lambdas are
//! not among them: a function on positions takes as many as the primitive gives it, and names document them.
//! A name counts as mentioned wherever it stands, whatever it means there, so that a shadowed name is never
//! reported wrongly. rustc does the rest: `allow` and `expect` work as everywhere. Names that start with `_`
//! declare that they are not used.

use std::collections::BTreeSet;

use lift_core::front::syntax::{Expr, ExprKind, Item, Items, Pattern, PatternKind, TypeExpr, TypeExprKind};
use lift_core::ir::source::Source;
use lift_parser::Sources;
use proc_macro2::TokenStream;
use quote::quote;

use crate::place::identifier;

/// What a program binds and mentions.
#[derive(Default)]
struct Names<'s> {
    bound: Vec<(&'s str, Source)>,
    mentioned: BTreeSet<&'s str>,
    types: Vec<(&'s str, Source)>,
}

/// The names that an item mentions, in its body and around it.
pub(crate) fn mentioned_in(item: &Item) -> BTreeSet<&str> {
    Names::of_item(item).mentioned
}

/// The names of types in items, with their places.
pub(crate) fn types_in_items(items: &Items) -> Vec<(&str, Source)> {
    let mut types: Vec<(&str, Source)> =
        items.functions.iter().flat_map(|item| Names::of_item(item).types).collect();
    for constant in &items.constants {
        let mut names = Names::default();
        names.ty(&constant.ty);
        names.expr(&constant.value);
        types.append(&mut names.types);
    }
    types
}

/// The names that items mention, in functions and in the values of constants.
pub(crate) fn mentioned_in_items(items: &Items) -> BTreeSet<&str> {
    let mut mentioned: BTreeSet<&str> = items.functions.iter().flat_map(mentioned_in).collect();
    for constant in &items.constants {
        let mut names = Names::default();
        names.expr(&constant.value);
        mentioned.append(&mut names.mentioned);
    }
    mentioned
}

/// The names of types in an expression, with their places.
pub(crate) fn types_in_expression(expression: &Expr) -> Vec<(&str, Source)> {
    let mut names = Names::default();
    names.expr(expression);
    names.types
}

/// Bindings in the body of an item that nothing mentions.
pub(crate) fn in_item(item: &Item, sources: &Sources) -> TokenStream {
    Names::of_item(item).unused(sources)
}

/// Bindings in an expression, or parameters of a closure, that nothing mentions.
pub(crate) fn in_expression(expression: &Expr, sources: &Sources) -> TokenStream {
    let mut names = Names::default();
    if let ExprKind::Lambda(lambda) = &expression.kind {
        lambda.parameters.iter().for_each(|parameter| names.bind(parameter));
    }
    names.expr(expression);
    names.unused(sources)
}

impl<'s> Names<'s> {
    fn of_item(item: &'s Item) -> Names<'s> {
        let mut names = Names::default();
        item.parameters.iter().for_each(|parameter| names.ty(&parameter.ty));
        names.ty(&item.result);
        names.expr(&item.body);
        item.conditions.iter().for_each(|condition| names.expr(condition));
        let arguments = item.attributes.iter().flat_map(|attribute| &attribute.arguments);
        arguments.for_each(|(_, argument)| names.expr(argument));
        names
    }

    /// Variables of Rust that nobody uses, in a closure that nobody calls; empty if there are none.
    fn unused(self, sources: &Sources) -> TokenStream {
        let unused: Vec<_> = self
            .bound
            .iter()
            .filter(|(name, _)| !name.starts_with('_') && !self.mentioned.contains(name))
            .map(|(name, source)| identifier(name, sources.range(*source).first))
            .collect();
        if unused.is_empty() { TokenStream::new() } else { quote!(let _ = || { #(let #unused = 0u8;)* };) }
    }

    fn expr(&mut self, expr: &'s Expr) {
        match &expr.kind {
            ExprKind::Literal(..) | ExprKind::Error => {}
            ExprKind::Name(name) => {
                self.mentioned.insert(name);
            }
            ExprKind::Path(path) => self.types.extend(path.iter().map(|name| (name.as_str(), expr.source))),
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Call(function, arguments, _) => {
                self.expr(function);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::Lambda(lambda) => {
                lambda.parameters.iter().for_each(|parameter| self.pattern(parameter));
                self.expr(&lambda.body);
            }
            ExprKind::Pipe(left, right)
            | ExprKind::Shift(_, left, right)
            | ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Component(inner, _) | ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) => {
                self.expr(inner);
            }
            ExprKind::Cast(inner, ty) => {
                self.expr(inner);
                self.ty(ty);
            }
            ExprKind::Block(bindings, body) => {
                for binding in bindings {
                    self.bind(&binding.pattern);
                    self.pattern(&binding.pattern);
                    self.expr(&binding.value);
                }
                self.expr(body);
            }
            ExprKind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
        }
    }

    fn bind(&mut self, pattern: &'s Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.bound.push((name, pattern.source)),
            PatternKind::Wildcard => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => {
                parts.iter().for_each(|part| self.bind(part))
            }
            PatternKind::Typed(inner, _) => self.bind(inner),
        }
    }

    /// Collects the names that the types in a pattern mention.
    fn pattern(&mut self, pattern: &'s Pattern) {
        match &pattern.kind {
            PatternKind::Name(_) | PatternKind::Wildcard => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => {
                parts.iter().for_each(|part| self.pattern(part))
            }
            PatternKind::Typed(inner, ty) => {
                self.pattern(inner);
                self.ty(ty);
            }
        }
    }

    fn ty(&mut self, ty: &'s TypeExpr) {
        match &ty.kind {
            TypeExprKind::Name(name) => self.types.push((name, ty.source)),
            TypeExprKind::Error => {}
            TypeExprKind::Tuple(parts) => parts.iter().for_each(|part| self.ty(part)),
            TypeExprKind::Array { element, length, .. } => {
                self.ty(element);
                self.expr(length);
            }
        }
    }
}
