//! Flattens `let`s: afterwards the value of a `let` contains no `let` (let-floating from let), and is no
//! tuple of arrays.
//!
//! `{ let x = { let y = e; v }; w }` is `{ let y = e; let x = v; w }`: both compute `y` once each time that
//! the expression is evaluated. Afterwards, whoever asks how often the value of a `let` is computed sees the
//! value itself. Inlined calls, whose parameters are `let`s, thus count like their bodies.
//!
//! `{ let t = (x, y); w }` with an array in the tuple is `{ let t_0 = x; let t_1 = y; w }`, where `w` reads
//! `t_0` for `t.0`. So lowering decides about each component as if it had been bound alone.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::hierarchy::uses_hierarchy;
use crate::ir::typed::{Binding, Expr, ExprKind, Program, Variable};
use crate::middle::stated::Builder;

/// The same program with flat `let`s. A program that uses the hierarchy is taken at its word.
pub(super) fn flatten(program: &Program) -> Program {
    if uses_hierarchy(&program.body) {
        return program.clone();
    }
    let mut flattening =
        Flattening { build: Builder { next_id: program.next_id }, taken_apart: BTreeMap::new() };
    let body = flattening.flattened(&program.body);
    program.with_body(body, flattening.build.next_id)
}

struct Flattening {
    build: Builder,
    /// The tuples that were taken apart, by the variables that they were bound to.
    taken_apart: BTreeMap<u32, Rc<Expr>>,
}

impl Flattening {
    fn flattened(&mut self, expr: &Rc<Expr>) -> Rc<Expr> {
        let mut before = Vec::new();
        let inner = self.rest(expr, &mut before);
        match before.is_empty() {
            true => inner,
            false => expr.with_kind(ExprKind::bound(before, inner)),
        }
    }

    /// Moves the `let`s of an expression to `before`; returns the rest.
    fn rest(&mut self, expr: &Rc<Expr>, before: &mut Vec<Binding>) -> Rc<Expr> {
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                for binding in bindings {
                    let value = self.rest(&binding.value, before);
                    self.bind(&binding.variable, value, before);
                }
                self.rest(body, before)
            }
            ExprKind::Variable(variable) => {
                self.taken_apart.get(&variable.id).cloned().unwrap_or_else(|| expr.clone())
            }
            ExprKind::Component(tuple, position) => {
                let tuple = self.flattened(tuple);
                match &tuple.kind {
                    ExprKind::Tuple(parts) if self.is_taken_apart(expr) => {
                        parts.get(*position).cloned().unwrap_or_else(|| expr.clone())
                    }
                    _ => expr.with_kind(ExprKind::Component(tuple, *position)),
                }
            }
            _ => expr.with_children(&mut |child| self.flattened(child)),
        }
    }

    /// Whether a component belongs to a tuple that was taken apart, or to a tuple in it.
    fn is_taken_apart(&self, component: &Expr) -> bool {
        match &component.kind {
            ExprKind::Component(tuple, _) => self.is_taken_apart(tuple),
            ExprKind::Variable(variable) => self.taken_apart.contains_key(&variable.id),
            _ => false,
        }
    }

    /// Binds a value, or the parts of a tuple.
    fn bind(&mut self, variable: &Variable, value: Rc<Expr>, before: &mut Vec<Binding>) {
        let ExprKind::Tuple(parts) = &value.kind else {
            before.push(Binding { variable: variable.clone(), value });
            return;
        };
        if value.ty.is_element() {
            before.push(Binding { variable: variable.clone(), value });
            return;
        }
        let mut read = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            let own = self.build.variable(&format!("{}_{position}", variable.name));
            read.push(self.build.read(&own, &part.ty, part.source));
            let part = self.rest(part, before);
            self.bind(&own, part, before);
        }
        // A part may be a tuple that was taken apart as well.
        let read = read.into_iter().map(|part| self.rest(&part, &mut Vec::new())).collect();
        self.taken_apart.insert(variable.id, value.with_kind(ExprKind::Tuple(read)));
    }
}
