//! Inline expressions and closures, in which free names stand for Rust variables.
//!
//! A Rust variable is a size if any of its uses demands one. If a use as a value came first, inference starts
//! again with what is known then.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::application::no_position;
use super::attributes::Directives;
use super::captures::Captures;
use super::environment::{Binding, Environment};
use super::error::{Error, Finished, ProgramMistake, Taker};
use super::free_names::names_in_type;
use super::generalise::{OpenElements, Outline, Slot};
use super::inference::Inference;
use super::item_table::ItemTable;
use super::unknowns::Origin;
use crate::front::syntax::{
    Expr, ExprKind, Lambda, Pattern, PatternKind, SIZE_NAMES, TypeExpr, TypeExprKind,
};
use crate::ir::nat::{Nat, Var, Vars};
use crate::ir::source::Source;
use crate::ir::typed;

/// Types an inline expression.
pub(super) fn infer_inline(expr: &Expr) -> Finished<typed::Program> {
    let items = ItemTable::default();
    let mut sizes = BTreeSet::new();
    loop {
        let captures = Captures::with_sizes(expr, &sizes);
        let mut inference = Inference::new(&items, Some(captures), Vars::default(), 0);
        let body = inference.in_frame(|this| this.value(expr, &Environment::empty()));
        if inference.finds_sizes(&mut sizes) {
            continue;
        }
        let parameters = inference.captured_slots(expr, &[], &body);
        let outline = Outline {
            name: "expression".to_owned(),
            parameters,
            sizes: Vec::new(),
            functions: Vec::new(),
            launches: Vec::new(),
            directives: Directives::default(),
            elements: OpenElements::OfAnyRank,
        };
        return inference.finish(outline, body);
    }
}

/// Types a closure.
pub(super) fn infer_closure(expr: &Expr) -> Finished<typed::Program> {
    let ExprKind::Lambda(Lambda { position, parameters: patterns, body }) = &expr.kind else {
        return Err(vec![Error::new(expr.source, ProgramMistake::NoClosure)]);
    };
    if let Some(position) = position {
        return Err(vec![no_position(position, Taker::Kernel)]);
    }
    let items = ItemTable::default();
    let mut captured_sizes = BTreeSet::new();
    loop {
        let captures = Captures::with_sizes(expr, &captured_sizes);
        let mut inference = Inference::new(&items, Some(captures), Vars::default(), 0);
        let (scope, sizes) = inference.closure_sizes(patterns);
        let (scope, mut parameters) = inference.closure_parameters(patterns, scope);
        let result = inference.in_frame(|this| this.value(body, &scope));
        if inference.finds_sizes(&mut captured_sizes) {
            continue;
        }
        let declared: Vec<&str> = sizes.iter().map(|(_, name)| name.as_str()).collect();
        parameters.extend(inference.captured_slots(expr, &declared, &result));
        let outline = Outline {
            name: "closure".to_owned(),
            parameters,
            sizes: sizes.clone(),
            functions: Vec::new(),
            launches: Vec::new(),
            directives: Directives::default(),
            elements: OpenElements::Scalars,
        };
        return inference.finish(outline, result);
    }
}

impl<'a> Inference<'a> {
    /// The undeclared upper-case names in the types of a closure's parameters are its size variables.
    fn closure_sizes(&mut self, patterns: &'a [Pattern]) -> (Environment<'a>, Vec<(Var, String)>) {
        let mut scope = Environment::empty();
        let mut sizes = Vec::new();
        for (_, ty, _) in patterns.iter().filter_map(parameter) {
            let Some(ty) = ty else { continue };
            for name in names_in_type(ty) {
                if name.starts_with(char::is_uppercase) && scope.get(name).is_none() {
                    let size = self.unknowns.vars.fresh(name);
                    self.facts.declare(&size, Nat::zero(), None);
                    scope = scope.with(name, Binding::Size(Nat::variable(&size)));
                    sizes.push((size, name.to_owned()));
                }
            }
        }
        (scope, sizes)
    }

    fn closure_parameters(
        &mut self,
        patterns: &'a [Pattern],
        mut scope: Environment<'a>,
    ) -> (Environment<'a>, Vec<Slot>) {
        let types = scope.clone();
        let mut slots = Vec::new();
        for pattern in patterns {
            let Some((name, written, source)) = parameter(pattern) else {
                self.report(Error::new(pattern.source, ProgramMistake::NoParameter));
                continue;
            };
            let variable = self.fresh_variable(name);
            if let Some(TypeExpr { kind: TypeExprKind::Name(ty), .. }) = written
                && SIZE_NAMES.contains(&ty.as_str())
            {
                let size = self.unknowns.vars.fresh(name);
                self.facts.declare(&size, Nat::zero(), None);
                scope = scope.with(name, Binding::Size(Nat::variable(&size)));
                slots.push(Slot::Size { variable, size, source });
                continue;
            }
            let ty = match written {
                Some(written) => self.written_type(written, &types),
                None => self.unknowns.fresh_of(Origin { parameter: Arc::from(name), depth: 0 }),
            };
            self.parameters.insert(variable.clone());
            let value = self.variable(&variable, &ty, source);
            scope = scope.with(name, Binding::Value(value, None));
            slots.push(Slot::Value { variable, ty, source });
        }
        (scope, slots)
    }
}

fn parameter(pattern: &Pattern) -> Option<(&str, Option<&TypeExpr>, Source)> {
    match &pattern.kind {
        PatternKind::Name(name) => Some((name, None, pattern.source)),
        PatternKind::Typed(inner, ty) => parameter(inner).map(|(name, _, source)| (name, Some(ty), source)),
        PatternKind::Wildcard | PatternKind::Tuple(_) | PatternKind::Array(_) => None,
    }
}
