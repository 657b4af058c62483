//! Names that stand for Rust variables, and paths that stand for their fields.
//!
//! One is a size if any of its uses demands one, whichever use comes first.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::captures::Capture;
use super::free_names::free_variables;
use super::generalise::Slot;
use super::inference::Inference;
use super::unknowns::Origin;
use crate::front::syntax::Expr;
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::vocabulary::{is_function_of_the_language, is_reserved};
use crate::ir::source::Source;
use crate::ir::typed::{self, Variable};
use crate::ir::types::Type;

impl Inference<'_> {
    /// Whether a name has no other meaning, so that it can be a Rust variable.
    pub(super) fn is_capturable(&self, name: &str) -> bool {
        self.captures.is_some()
            && !is_reserved(name)
            && !is_function_of_the_language(name)
            && self.items.position(name).is_none()
    }

    /// The name or the path of a Rust variable or place, if a variable is one.
    pub(super) fn path_of_captured(&self, variable: &Variable) -> Option<String> {
        self.captures.as_ref()?.path_of(variable)
    }

    /// A use of a Rust variable or place as a value.
    pub(super) fn captured(&mut self, name: &str, source: Source) -> typed::Expr {
        let Some((variable, ty, size)) = self.capture(name) else { return self.mistake(source) };
        match size {
            Some(size) => self.size_value(Nat::variable(&size), source),
            None => self.variable(&variable, &ty, source),
        }
    }

    /// A use of a Rust variable or place as a size. `None` if an earlier use took it for a value, which
    /// [`Self::finds_sizes`] reports.
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

    /// Whether Rust variables were used as values before they were used as sizes. They are added to `sizes`,
    /// and inference starts again with these.
    pub(super) fn finds_sizes(&mut self, sizes: &mut BTreeSet<String>) -> bool {
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
        let readable = captures.readable_name(name);
        let variable = self.fresh_variable(&readable);
        let (ty, size) = if is_size {
            let size = self.unknowns.vars.fresh(&readable);
            self.facts.declare(&size, Nat::zero(), None);
            self.unknowns.passed.push(size.clone());
            (Type::Size, Some(size))
        } else {
            (self.unknowns.fresh_of(Origin { parameter: Arc::from(readable), depth: 0 }), None)
        };
        let capture = Capture { variable: variable.clone(), ty: ty.clone(), size: size.clone() };
        self.captures.as_mut()?.used.insert(name.to_owned(), capture);
        Some((variable, ty, size))
    }

    /// The Rust variables and places that were used, in the order of their first use in the text. A variable
    /// of unknown type that the result does not depend on, such as `a` in `(a, b).1`, is left out.
    pub(super) fn captured_slots(&self, expr: &Expr, bound: &[&str], result: &typed::Expr) -> Vec<Slot> {
        let Some(captures) = &self.captures else { return Vec::new() };
        free_variables(expr, bound)
            .into_iter()
            .filter_map(|(path, source)| {
                let capture = captures.used.get(&path)?;
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

fn mentions(expr: &typed::Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, typed::ExprKind::Variable(found) if found == variable)
        || expr.children().any(|child| mentions(child, variable))
}
