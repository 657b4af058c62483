//! Transposes rows that neighbouring work-items read side by side.
//!
//! If each work-item of a dimension reduces a row of its own (`keys >> map(|key| dotProduct(query, key))`),
//! neighbours read elements that lie a row apart. On a GPU such loads are not coalesced, and on a processor
//! they do not form vectors. If many iterations of the loops around read the array, a transposed copy pays:
//! making it costs about as much as reading the array once. (Data layout transformation; Sung, Stratton, Hwu,
//! *Data layout transformation exploiting memory-level parallelism in structured grid many-core
//! applications*, PACT 2010; Futhark does the same, Henriksen et al., *Purely functional GPU-programming with
//! nested parallelism*, PLDI 2017, section 5.2.)
//!
//! Input and output: a lowered program that did not use the hierarchy before it was lowered.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::build::Builder;
use super::produce::completed;
use super::reads::collect_reads;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, Variable};
use crate::ir::types::Type;

/// An array that is read at most this often is not worth a copy.
const FEW_READERS: i128 = 8;

/// Transposes such arrays of a lowered program.
pub(super) fn transpose_rows(body: &Rc<Expr>, open_ranks: &BTreeSet<usize>, build: &mut Builder) -> Rc<Expr> {
    Transposition { build, open_ranks }.whole(body)
}

struct Transposition<'b> {
    build: &'b mut Builder,
    /// See [`Program::open_ranks`](crate::ir::typed::Program::open_ranks).
    open_ranks: &'b BTreeSet<usize>,
}

/// What is known about the functions around an expression.
#[derive(Clone, Default)]
struct Around {
    bound: BTreeSet<u32>,
    /// Whether the maps around read an array often enough to be worth a copy.
    is_read_often: bool,
}

impl Transposition<'_> {
    /// An expression outside of all functions. Its copies are bound before it.
    fn whole(&mut self, expr: &Rc<Expr>) -> Rc<Expr> {
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let mut all = Vec::new();
                for binding in bindings {
                    let value = self.with_copies(&binding.value, &mut all);
                    all.push(binding.with_value(value));
                }
                let body = self.whole(body);
                expr.with_kind(ExprKind::bound(all, body))
            }
            ExprKind::Iterate(count, function, input) => {
                let body = self.whole(&function.body);
                let function = Lambda { body, ..function.clone() };
                expr.with_kind(ExprKind::Iterate(count.clone(), function, input.clone()))
            }
            _ => {
                let mut copies = Vec::new();
                let changed = self.with_copies(expr, &mut copies);
                self.build.bind_all(copies, changed)
            }
        }
    }

    fn with_copies(&mut self, expr: &Rc<Expr>, copies: &mut Vec<Binding>) -> Rc<Expr> {
        match &expr.kind {
            ExprKind::Iterate(..) | ExprKind::Let { .. } => self.whole(expr),
            _ => self.inside(expr, &Around::default(), copies),
        }
    }

    fn inside(&mut self, expr: &Rc<Expr>, around: &Around, copies: &mut Vec<Binding>) -> Rc<Expr> {
        if let ExprKind::Map(MapKind::Global(0), function, input) = &expr.kind
            && let ExprKind::Variable(array) = &input.kind
            && around.is_read_often
            && !around.bound.contains(&array.id)
            && are_reduced(function, &input.ty)
        {
            let transposed = self.transposed(array, input, copies);
            let kind = ExprKind::Map(MapKind::Global(0), function.clone(), transposed);
            return expr.with_kind(kind);
        }
        let mut within = around.clone();
        match &expr.kind {
            ExprKind::Map(kind, function, input) => {
                within.bound.extend(function.parameters.iter().map(|(variable, _)| variable.id));
                let count = input.ty.as_array().and_then(|array| array.length.as_constant());
                within.is_read_often |=
                    matches!(kind, MapKind::Global(_)) && count.is_none_or(|count| count > FEW_READERS);
            }
            ExprKind::Let { bindings, .. } => {
                within.bound.extend(bindings.iter().map(|binding| binding.variable.id))
            }
            // In other functions, each work-item reads for itself.
            ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..) | ExprKind::Generate(..) => {
                return expr.clone();
            }
            _ => {}
        }
        expr.with_children(&mut |child| self.inside(child, &within, copies))
    }

    /// Binds a transposed copy of an array. Returns an expression that reads the copy as the original.
    fn transposed(&mut self, array: &Variable, rows: &Rc<Expr>, copies: &mut Vec<Binding>) -> Rc<Expr> {
        let columns = self.build.transpose(rows.clone());
        let variable = self.build.variable(&format!("{}_turned", array.name));
        let read = self.build.read(&variable, &columns.ty, rows.source);
        let value = completed(&columns, self.open_ranks, self.build);
        copies.push(Binding { variable, value });
        self.build.transpose(read)
    }
}

/// Whether a function reduces the row that it takes.
fn are_reduced(function: &Lambda, rows: &Type) -> bool {
    let is_matrix = rows.as_array().is_some_and(|array| {
        let row = array.element.as_array();
        array.index.is_none()
            && row.is_some_and(|row| row.index.is_none() && matches!(row.element, Type::Scalar(_)))
    });
    let [(row, _)] = function.parameters.as_slice() else { return false };
    is_matrix && function.index.is_none() && function.body.ty.is_element() && is_reduced(&function.body, row)
}

fn is_reduced(expr: &Expr, row: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Reduce(_, _, _, input) => {
            let mut read = BTreeSet::new();
            collect_reads(input, &mut read);
            read.contains(&row.id)
        }
        _ => expr.children().into_iter().any(|child| is_reduced(child, row)),
    }
}
