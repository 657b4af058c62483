//! The value of a `let` is no `let` itself.
//!
//! `{ let x = { let y = e; v }; w }` is `{ let y = e; let x = v; w }`: both compute `y` once each time that this place is reached.
//! Afterwards whoever asks how often the value of a `let` is computed sees the value. Calls of functions, whose parameters are `let`s, are
//! as good as their bodies there.

use super::uses_hierarchy;
use crate::typed::{Binding, Expr, ExprKind, Program};

/// The same program without `let`s in the values of others. A program that says who computes what is taken at its word.
pub(super) fn flatten(program: &Program) -> Program {
    if uses_hierarchy(&program.body) {
        return program.clone();
    }
    Program { body: flattened(&program.body), ..program.clone() }
}

fn flattened(expr: &Expr) -> Expr {
    let mut before = Vec::new();
    let inner = rest(expr, &mut before);
    match before.is_empty() {
        true => inner,
        false => Expr { kind: ExprKind::bound(before, inner), ..expr.clone() },
    }
}

/// What is left of an expression when its `let`s stand before it.
fn rest(expr: &Expr, before: &mut Vec<Binding>) -> Expr {
    let ExprKind::Let { bindings, body } = &expr.kind else { return expr.with_children(&mut flattened) };
    for binding in bindings {
        let value = rest(&binding.value, before);
        before.push(binding.with_value(value));
    }
    rest(body, before)
}
