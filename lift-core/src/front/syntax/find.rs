//! Expressions by their places.

use super::{Expr, ExprKind, Pattern, PatternKind, TypeExpr, TypeExprKind};
use crate::ir::source::Source;

impl Expr {
    /// The expression at a place inside of this one, sizes in types included.
    pub fn find(&self, source: Source) -> Option<&Expr> {
        if self.source == source {
            return Some(self);
        }
        match &self.kind {
            ExprKind::Literal(..) | ExprKind::Name(_) | ExprKind::Path(_) | ExprKind::Error => None,
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => in_all(parts, source),
            ExprKind::Call(callee, arguments, _) => callee.find(source).or_else(|| in_all(arguments, source)),
            ExprKind::Lambda(lambda) => {
                let in_patterns = lambda.parameters.iter().find_map(|pattern| pattern.find(source));
                in_patterns.or_else(|| lambda.body.find(source))
            }
            ExprKind::Component(inner, _) | ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) => {
                inner.find(source)
            }
            ExprKind::Cast(inner, ty) => inner.find(source).or_else(|| ty.find(source)),
            ExprKind::Pipe(left, right)
            | ExprKind::Shift(_, left, right)
            | ExprKind::Binary(_, left, right) => left.find(source).or_else(|| right.find(source)),
            ExprKind::Block(bindings, body) => {
                let in_bindings = bindings
                    .iter()
                    .find_map(|binding| binding.pattern.find(source).or_else(|| binding.value.find(source)));
                in_bindings.or_else(|| body.find(source))
            }
            ExprKind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().find_map(|part| part.find(source))
            }
        }
    }
}

fn in_all(parts: &[Expr], source: Source) -> Option<&Expr> {
    parts.iter().find_map(|part| part.find(source))
}

impl Pattern {
    fn find(&self, source: Source) -> Option<&Expr> {
        match &self.kind {
            PatternKind::Name(_) | PatternKind::Wildcard => None,
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => {
                parts.iter().find_map(|part| part.find(source))
            }
            PatternKind::Typed(inner, ty) => inner.find(source).or_else(|| ty.find(source)),
        }
    }
}

impl TypeExpr {
    fn find(&self, source: Source) -> Option<&Expr> {
        match &self.kind {
            TypeExprKind::Name(_) | TypeExprKind::Error => None,
            TypeExprKind::Tuple(parts) => parts.iter().find_map(|part| part.find(source)),
            TypeExprKind::Array { element, length, .. } => {
                element.find(source).or_else(|| length.find(source))
            }
        }
    }
}
