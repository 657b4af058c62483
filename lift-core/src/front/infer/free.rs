//! Inline expressions and closures: names that stand for Rust variables.
//!
//! Whether a Rust variable is a size does not depend on the order of its uses: it is one wherever some use demands a size. Where a
//! use as a value came first, inference begins anew with what is known then.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::attributes::Directives;
use super::environment::{Binding, Environment};
use super::error::{Error, ProgramMistake};
use super::generalise::{Finished, OpenElements, Outline, Slot};
use super::items::ItemTable;
use super::unknowns::Origin;
use super::written::SIZE_NAMES;
use super::{Inference, no_names};
use crate::front::syntax::{
    Binding as LetBinding, Expr, ExprKind, Pattern, PatternKind, TypeExpr, TypeExprKind,
};
use crate::ir::nat::{Nat, Var, Vars};
use crate::ir::source::Source;
use crate::ir::typed::{self, Variable};
use crate::ir::types::Type;

/// The Rust variables that an expression uses.
#[derive(Clone, Default)]
pub(super) struct Captures {
    used: BTreeMap<String, Capture>,
    /// Those that are sizes for a use further on.
    demanded: BTreeSet<String>,
}

/// A Rust variable.
#[derive(Clone)]
pub(super) struct Capture {
    /// The variable.
    pub(super) variable: Variable,
    /// Its type.
    pub(super) ty: Type,
    /// The size it is, where it is one.
    pub(super) size: Option<Var>,
}

impl Captures {
    /// No Rust variable so far; `demanded` are those that are known to be sizes.
    fn with_sizes(demanded: &BTreeSet<String>) -> Captures {
        Captures { used: BTreeMap::new(), demanded: demanded.clone() }
    }
}

impl Inference<'_> {
    /// Whether a name that means nothing else is a Rust variable.
    pub(super) fn is_capturable(&self, name: &str) -> bool {
        self.captures.is_some()
            && !Self::is_reserved(name)
            && !super::message::is_function_of_the_language(name)
            && self.items.position(name).is_none()
    }

    /// Whether a variable is a Rust variable.
    pub(super) fn is_captured(&self, variable: &Variable) -> bool {
        let captured = self.captures.as_ref().and_then(|captures| captures.used.get(&*variable.name));
        captured.is_some_and(|capture| capture.variable == *variable)
    }

    /// A use of a Rust variable as a value.
    pub(super) fn captured(&mut self, name: &str, source: Source) -> typed::Expr {
        let Some((variable, ty, size)) = self.capture(name) else { return self.mistake(source) };
        match size {
            Some(size) => self.size_value(Nat::variable(&size), source),
            None => self.variable(&variable, &ty, source),
        }
    }

    /// A use of a Rust variable as a size. None where it was used as a value before, which [`Self::finds_sizes`] says.
    pub(super) fn captured_size(&mut self, name: &str) -> Option<Nat> {
        let captures = self.captures.as_mut()?;
        if !captures.used.contains_key(name) {
            captures.demanded.insert(name.to_owned());
        }
        let (_, _, size) = self.capture(name)?;
        if size.is_none() {
            self.late_sizes.insert(name.to_owned());
        }
        size.map(|size| Nat::variable(&size))
    }

    /// Whether Rust variables were used as values before they were used as sizes. They are added to `sizes`, with which
    /// inference begins anew.
    fn finds_sizes(&mut self, sizes: &mut BTreeSet<String>) -> bool {
        let known = sizes.len();
        sizes.append(&mut self.late_sizes);
        sizes.len() > known
    }

    fn capture(&mut self, name: &str) -> Option<(Variable, Type, Option<Var>)> {
        let captures = self.captures.as_ref()?;
        if let Some(capture) = captures.used.get(name) {
            return Some((capture.variable.clone(), capture.ty.clone(), capture.size.clone()));
        }
        let is_size = captures.demanded.contains(name);
        let variable = self.fresh_variable(name);
        let (ty, size) = if is_size {
            let size = self.unknowns.vars.fresh(name);
            self.facts.declare(&size, Nat::zero(), None);
            self.unknowns.passed.push(size.clone());
            (Type::Size, Some(size))
        } else {
            (self.unknowns.fresh_of(Origin { parameter: Rc::from(name), depth: 0 }), None)
        };
        let capture = Capture { variable: variable.clone(), ty: ty.clone(), size: size.clone() };
        self.captures.as_mut()?.used.insert(name.to_owned(), capture);
        Some((variable, ty, size))
    }

    /// The Rust variables that were used, in the order of their first use in the text. One that the result does not depend on,
    /// such as `a` in `(a, b).1`, may be anything.
    fn captured_slots(&self, expr: &Expr, bound: &[&str], result: &typed::Expr) -> Vec<Slot> {
        let Some(captures) = &self.captures else { return Vec::new() };
        free_names(expr, bound)
            .into_iter()
            .filter_map(|(name, source)| {
                let capture = captures.used.get(name)?;
                if self.unknowns.is_open(&capture.ty) && !mentions(result, &capture.variable) {
                    return None;
                }
                let (variable, source) = (capture.variable.clone(), source);
                Some(match &capture.size {
                    Some(size) => Slot::Size { variable, size: size.clone(), source },
                    None => Slot::Value { variable, ty: capture.ty.clone(), source },
                })
            })
            .collect()
    }
}

/// Types an inline expression.
pub(super) fn infer_inline(expr: &Expr) -> Finished<typed::Program> {
    let items = ItemTable::default();
    let mut sizes = BTreeSet::new();
    loop {
        let captures = Captures::with_sizes(&sizes);
        let mut inference = Inference::new(&items, Some(captures), Vars::default(), 0);
        let body = inference.in_frame(|this| this.value(expr, &no_names()));
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
    let ExprKind::Lambda(patterns, body) = &expr.kind else {
        return Err(vec![Error::new(expr.source, ProgramMistake::NoClosure)]);
    };
    let items = ItemTable::default();
    let mut captured_sizes = BTreeSet::new();
    loop {
        let captures = Captures::with_sizes(&captured_sizes);
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
        let mut scope = no_names();
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
                None => self.unknowns.fresh_of(Origin { parameter: Rc::from(name), depth: 0 }),
            };
            self.parameters.insert(variable.clone());
            let value = self.variable(&variable, &ty, source);
            scope = scope.with(name, Binding::Value(value, None));
            slots.push(Slot::Value { variable, ty, source });
        }
        (scope, slots)
    }
}

fn mentions(expr: &typed::Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, typed::ExprKind::Variable(found) if found == variable)
        || expr.children().into_iter().any(|child| mentions(child, variable))
}

fn parameter(pattern: &Pattern) -> Option<(&str, Option<&TypeExpr>, Source)> {
    match &pattern.kind {
        PatternKind::Name(name) => Some((name, None, pattern.source)),
        PatternKind::Typed(inner, ty) => parameter(inner).map(|(name, _, source)| (name, Some(ty), source)),
        PatternKind::Wildcard | PatternKind::Tuple(_) => None,
    }
}

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
    let mut walk = Walk { bound: bound.to_vec(), seen: BTreeSet::new(), free: Vec::new() };
    walk.expr(expr);
    walk.free
}

struct Walk<'s> {
    bound: Vec<&'s str>,
    seen: BTreeSet<&'s str>,
    free: Vec<(&'s str, Source)>,
}

impl<'s> Walk<'s> {
    fn expr(&mut self, expr: &'s Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                if !self.bound.contains(&name.as_str()) && self.seen.insert(name) {
                    self.free.push((name, expr.source));
                }
            }
            ExprKind::Literal(..) | ExprKind::Error => {}
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Call(callee, arguments, _) => {
                self.expr(callee);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::Lambda(patterns, body) => self.scoped(|walk| {
                patterns.iter().for_each(|pattern| walk.pattern(pattern));
                walk.expr(body);
            }),
            ExprKind::Pipe(left, right) | ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Component(operand, _) | ExprKind::Unary(_, operand) | ExprKind::Cast(operand, _) => {
                self.expr(operand);
            }
            ExprKind::Block(bindings, body) => self.scoped(|walk| {
                for LetBinding { pattern, value } in bindings {
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

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        visit(self);
        self.bound.truncate(depth);
    }

    fn pattern(&mut self, pattern: &'s Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.bound.push(name),
            PatternKind::Wildcard => {}
            PatternKind::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
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
                    walk.bound.extend(index.as_ref().map(|index| index.name.as_str()));
                    walk.ty(element);
                });
            }
        }
    }
}
