//! Reductions of each pair of a row and a column, which two classes of forms are about: `blocks` for few pairs,
//! and `product_tiles` for many.

use super::survey::{Load, Reduction};
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind};

/// A reduction of each pair of a row and a column.
pub(super) struct Pairs<'r> {
    pub(super) rows: &'r Nat,
    pub(super) columns: &'r Nat,
    /// Whether the elements of some array of rows lie side by side in memory.
    pub(super) are_rows_dense: bool,
    /// Whether the elements of all columns do.
    pub(super) are_columns_dense: bool,
}

impl Pairs<'_> {
    /// The pairs, if there are rows, which neighbouring work-items share, and columns. What belongs to both
    /// would be read for each pair, whatever a group does.
    pub(super) fn of(reduction: &Reduction) -> Option<Pairs<'_>> {
        let [.., rows, columns] = reduction.work_items.as_slice() else { return None };
        let strides = |load: &Load| match load.across.as_slice() {
            [.., of_rows, of_columns] => Some((*of_rows, *of_columns)),
            _ => None,
        };
        let is_of_row =
            |load: &&Load| matches!(strides(load), Some((rows, Stride::Zero)) if rows != Stride::Zero);
        let is_of_column =
            |load: &&Load| matches!(strides(load), Some((Stride::Zero, columns)) if columns != Stride::Zero);
        let is_of_both = |load: &Load| !matches!(strides(load), Some((Stride::Zero, _) | (_, Stride::Zero)));
        let loads = || reduction.loads.iter();
        let is_dense = |load: &Load| load.along == Stride::One;
        let are_pairs = loads().any(|load| is_of_row(&load))
            && loads().any(|load| is_of_column(&load))
            && !loads().any(is_of_both);
        let are_rows_dense = loads().filter(is_of_row).any(is_dense);
        let are_columns_dense = loads().filter(is_of_column).all(is_dense);
        are_pairs.then_some(Pairs { rows, columns, are_rows_dense, are_columns_dense })
    }
}

/// The size in bytes of what a reduction gives.
pub(super) fn bytes_of_result(expr: &Expr, source: Source) -> Option<i128> {
    match expr.kind {
        ExprKind::Reduce(..) if expr.source == source => expr.ty.constant_bytes(),
        _ => expr.children().find_map(|child| bytes_of_result(child, source)),
    }
}
