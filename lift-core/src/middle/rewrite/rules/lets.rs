//! `let`s: what is bound in the value of another `let`, and tuples of arrays that a `let` binds.
//!
//! Each value is computed as often as before: a `let` in a value is evaluated each time that the value is.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Redex, Rule};
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::{Binding, Expr, ExprKind, Variable};

/// The `let`s of the values of a `let` stand before it.
pub const LET_OF_LET: Rule = Rule {
    name: "letOfLet",
    statement: "{ let x = { let y = e; v }; w } = { let y = e; let x = v; w }",
    origin: "let-floating (Peyton Jones, Partain, Santos, ICFP 1996)",
    parameters: &[],
    regroups: false,
    apply: let_of_let,
};

/// Each component of a tuple with an array in it is bound alone.
pub const LET_OF_TUPLE: Rule = Rule {
    name: "letOfTuple",
    statement: "{ let t = (x, y); w(t.0, t.1) } = { let t_0 = x; let t_1 = y; w(t_0, t_1) }, where x or y is \
                an array",
    origin: "scalar replacement of aggregates",
    parameters: &[],
    regroups: false,
    apply: let_of_tuple,
};

fn let_of_let(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Let { bindings, body } = &redex.expr.kind else { return Err(redex.is_not("a `let`")) };
    let mut flat = Vec::new();
    for binding in bindings {
        match &binding.value.kind {
            ExprKind::Let { bindings: inner, body } => {
                flat.extend(inner.iter().cloned());
                flat.push(binding.with_value(body.clone()));
            }
            _ => flat.push(binding.clone()),
        }
    }
    if flat.len() == bindings.len() {
        return Err(Mismatch::form("a `let` whose value has a `let`", redex.expr, 1));
    }
    Ok(build.bind_all(flat, body.clone())?)
}

fn let_of_tuple(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Let { bindings, body } = &redex.expr.kind else { return Err(redex.is_not("a `let`")) };
    let is_tuple = |binding: &Binding| is_tuple_of_arrays(&binding.value);
    let Some(position) = bindings.iter().position(is_tuple) else {
        return Err(Mismatch::form("a `let` of a tuple with an array", redex.expr, 1));
    };
    let Binding { variable, value } = &bindings[position];
    let ExprKind::Tuple(parts) = &value.kind else { return Err(Mismatch::form("a tuple", value, 1)) };
    let mut apart: Vec<Binding> = bindings[..position].to_vec();
    let mut reads = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let own = build.variable(&format!("{}_{number}", variable.name));
        reads.push(build.read(&own, &part.ty));
        apart.push(Binding { variable: own, value: part.clone() });
    }
    for later in &bindings[position + 1..] {
        apart.push(later.with_value(with_parts(&later.value, variable, &reads, build)?));
    }
    let body = with_parts(body, variable, &reads, build)?;
    Ok(build.bind_all(apart, body)?)
}

/// Whether an expression is a tuple that is written out and has an array in it.
pub(in crate::middle) fn is_tuple_of_arrays(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Tuple(_)) && !expr.ty.is_element()
}

/// An expression in which the parts of a tuple stand for a variable.
fn with_parts(expr: &Arc<Expr>, tuple: &Variable, parts: &[Arc<Expr>], build: &mut Build<'_>) -> Built {
    let is_tuple = |expr: &Expr| matches!(&expr.kind, ExprKind::Variable(read) if read.id == tuple.id);
    if let ExprKind::Component(whole, position) = &expr.kind
        && is_tuple(whole)
        && let Some(part) = parts.get(*position)
    {
        return Ok(part.clone());
    }
    if is_tuple(expr) {
        return build.tuple(parts.to_vec());
    }
    let mut refused = None;
    let changed = expr.with_children(&mut |child| match with_parts(child, tuple, parts, build) {
        Ok(changed) => changed,
        Err(mismatch) => {
            refused = Some(mismatch);
            child.clone()
        }
    });
    match refused {
        Some(mismatch) => Err(mismatch),
        None => Ok(changed),
    }
}
