//! Whether what replaces an entry of a table may be written over it while it is computed.
//!
//! It may where each number is computed from the one that it replaces, and from nothing else of the table:
//! `update(k, zip(at(k, sums), x) >> map(add), sums)`. Parts of a tuple are written one after the other, so
//! that each may depend on its own old one only.

use std::sync::Arc;

use crate::ir::typed::binders::mentions;
use crate::ir::typed::keyed::combination;
use crate::ir::typed::{Expr, ExprKind, Lambda, Variable};

/// Whether a step that updates one entry may do so in place.
pub(super) fn may_overwrite(step: &Lambda) -> bool {
    let (Some((table, _)), Some(new)) = (step.parameters.first(), combination(step)) else { return false };
    Overwritten { entry: table }.may_become(&new, &mut Vec::new())
}

/// An entry that is written while what replaces it is computed.
struct Overwritten<'v> {
    entry: &'v Variable,
}

impl Overwritten<'_> {
    /// Whether this expression may be written over the part of the entry at a path of components.
    fn may_become(&self, expr: &Arc<Expr>, path: &mut Vec<usize>) -> bool {
        if !mentions(expr, self.entry) {
            return true;
        }
        if let Some(read) = self.path_of(expr) {
            return read == *path;
        }
        match &expr.kind {
            ExprKind::Tuple(parts) => parts.iter().enumerate().all(|(position, part)| {
                path.push(position);
                let may = self.may_become(part, path);
                path.pop();
                may
            }),
            ExprKind::Map(_, function, input) => {
                function.body.ty.is_element()
                    && !mentions(&function.body, self.entry)
                    && self.may_become(input, path)
            }
            // Elements at one position, the old one among them.
            ExprKind::Zip(parts) => parts.iter().all(|part| self.may_become(part, path)),
            _ => expr.ty.is_element() && self.reads_only(expr, path),
        }
    }

    /// Whether an expression reads no other part of the entry, which is a number or a vector then.
    fn reads_only(&self, expr: &Arc<Expr>, path: &[usize]) -> bool {
        match self.path_of(expr) {
            Some(read) => read == path && expr.ty.is_element(),
            None => expr.children().all(|child| self.reads_only(child, path)),
        }
    }

    /// The components that lead to the part of the entry that an expression is.
    fn path_of(&self, expr: &Expr) -> Option<Vec<usize>> {
        match &expr.kind {
            ExprKind::Variable(variable) if variable.id == self.entry.id => Some(Vec::new()),
            ExprKind::Component(whole, position) => {
                let mut path = self.path_of(whole)?;
                path.push(*position);
                Some(path)
            }
            _ => None,
        }
    }
}
