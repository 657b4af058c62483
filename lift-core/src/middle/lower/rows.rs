//! Maps over joined rows of different lengths become maps over the rows.
//!
//! Divided among work-items, a map over the elements of `join(rows)` would have to find the row of every
//! element, for which there is no formula (see `codegen::rows`). So `map(f) . join` becomes
//! `join . map(map(f))`, the map fission of FHPNC 2019, section 4.4, read from right to left. Then rows and
//! the positions in them are loops of their own, and the result is written row by row.

use std::rc::Rc;

use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind, NodeId, Program, Rows, Variable};
use crate::ir::types::Type;

/// The same program with high-level maps over the rows instead of over their elements.
pub(super) fn map_rows(program: &Program) -> Program {
    let mut next_id = program.next_id;
    let body = rewrite(&program.body, &mut next_id);
    program.with_body(body, next_id)
}

/// The rows of different lengths of a `join`, unless they lie end to end already.
pub(super) fn scattered_rows(expr: &Expr) -> Option<&Rc<Expr>> {
    let ExprKind::Layout(Layout::Join, rows) = &expr.kind else { return None };
    let is_stored = matches!(&rows.kind, ExprKind::Variable(_) | ExprKind::Layout(Layout::Partition(_), _));
    let is_uneven = rows.ty.as_array().and_then(Rows::of).is_some_and(|rows| rows.index.is_some());
    (is_uneven && !is_stored).then_some(rows)
}

fn rewrite(expr: &Rc<Expr>, next_id: &mut u32) -> Rc<Expr> {
    let expr = expr.with_children(&mut |child| rewrite(child, next_id));
    let ExprKind::Map(MapKind::Unspecified, function, input) = &expr.kind else { return expr };
    match scattered_rows(input) {
        Some(rows) if function.index.is_none() || is_regular(input) => {
            over_rows(&expr, function, rows, next_id).unwrap_or_else(|| expr.clone())
        }
        Some(_) | None => expr,
    }
}

/// Whether the elements of an array have one type, so that a function on them knows its position only because
/// the user has named it.
fn is_regular(array: &Expr) -> bool {
    array.ty.as_array().is_some_and(|array| array.index.is_none())
}

/// `join(map(map(function), rows))`
fn over_rows(expr: &Rc<Expr>, function: &Lambda, rows: &Rc<Expr>, next_id: &mut u32) -> Option<Rc<Expr>> {
    let array = rows.ty.as_array()?;
    let mut fresh = || {
        *next_id += 1;
        *next_id - 1
    };
    let index = Var::new(fresh(), "i");
    let row_ty = array.element_at(&Nat::variable(&index));
    let length = row_ty.as_array()?.length.clone();
    let row = Variable { id: fresh(), name: "row".into() };
    let function = match &function.index {
        None => function.clone(),
        Some(position) => {
            let column = Var::new(fresh(), position.name());
            let joined = Rows::of(array)?.start(&Nat::variable(&index)) + Nat::variable(&column);
            let function = function.substitute(&Substitution::from([(position.clone(), joined)]));
            Lambda { index: Some(column), ..function }
        }
    };
    let mut node = |kind, ty| Rc::new(Expr { id: NodeId(fresh()), ty, source: expr.source, kind });
    let read = node(ExprKind::Variable(row.clone()), row_ty.clone());
    let mapped = match &function.index {
        None => Type::array(function.body.ty.clone(), length),
        Some(column) => Type::array_at(column, function.body.ty.clone(), length),
    };
    let body = node(ExprKind::Map(MapKind::Unspecified, function, read), mapped.clone());
    let each = Lambda { parameters: vec![(row, row_ty)], index: Some(index.clone()), body };
    let ty = Type::array_at(&index, mapped, array.length.clone());
    let all = node(ExprKind::Map(MapKind::Unspecified, each, rows.clone()), ty);
    Some(node(ExprKind::Layout(Layout::Join, all), expr.ty.clone()))
}
