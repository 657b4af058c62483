//! `let`s stand around the expressions that they are evaluated for, not inside them.
//!
//! `f({ let y = e; v })` is `{ let y = e; f(v) }`: both compute `y` once each time that this place is reached. Functions, and what is
//! computed under a condition, are other places, which `let`s do not leave. Afterwards neither the value of a `let` nor an array
//! that a primitive takes is a `let`, so that who asks how often an array is computed sees the array. Calls of functions, whose parameters are `let`s,
//! are as good as their bodies.

use super::uses_hierarchy;
use crate::typed::{Binding, Expr, ExprKind, Lambda, Program};

/// The same program with its `let`s as far outside as they can be without being computed more or less often. A program that says who
/// computes what is taken at its word.
pub(super) fn float(program: &Program) -> Program {
    if uses_hierarchy(&program.body) {
        return program.clone();
    }
    Program { body: floated(&program.body), ..program.clone() }
}

/// An expression and the `let`s of its place.
fn floated(expr: &Expr) -> Expr {
    let mut bindings = Vec::new();
    let inner = rest(expr, &mut bindings);
    match bindings.is_empty() {
        true => inner,
        false => Expr { kind: ExprKind::bound(bindings, inner), ..expr.clone() },
    }
}

/// What is left of an expression when the `let`s of its place stand before it.
fn rest(expr: &Expr, before: &mut Vec<Binding>) -> Expr {
    match &expr.kind {
        ExprKind::Let { bindings, body } => {
            for binding in bindings {
                let value = rest(&binding.value, before);
                before.push(binding.with_value(value));
            }
            rest(body, before)
        }
        _ => expr.with_children(&mut |child| match is_at_same_place(child, expr) {
            true => rest(child, before),
            false => floated(child),
        }),
    }
}

/// Whether a part of an expression is computed once each time that the expression is reached.
fn is_at_same_place(child: &Expr, parent: &Expr) -> bool {
    let is = |other: &Expr| std::ptr::eq(child, other);
    match &parent.kind {
        ExprKind::If(condition, ..) => is(condition),
        ExprKind::Map(_, Lambda { body, .. }, _)
        | ExprKind::Reduce(_, Lambda { body, .. }, _, _)
        | ExprKind::Scan(_, Lambda { body, .. }, _, _)
        | ExprKind::Iterate(_, Lambda { body, .. }, _)
        | ExprKind::Generate(_, Lambda { body, .. })
        | ExprKind::Lanewise(Lambda { body, .. }, _) => !is(body),
        _ => true,
    }
}
