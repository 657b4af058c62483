//! Reductions of each pair of a row and a column, the subject of two classes of forms: `blocks` for few
//! pairs, and `product_tiles` for many.

use super::Candidate;
use super::left_out::Reason;
use super::reductions::has_open_reduction;
use super::survey::{Load, Reduction};
use crate::compiled::Selection;
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Program};
use crate::middle::rewrite::{Argument, Rewriter, Strategy};

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
    /// The pairs, if there are rows, which neighbouring work-items share, and columns. Elements that only
    /// one pair takes have no reuse, and there is no form for them.
    pub(super) fn of<'r>(reduction: &'r Reduction, program: &Program) -> Option<Pairs<'r>> {
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
        let are_columns_dense =
            loads().filter(is_of_column).all(is_dense) || are_rows_of_parameter(program, reduction.source);
        are_pairs.then_some(Pairs { rows, columns, are_rows_dense, are_columns_dense })
    }

    /// The number of results: of pairs, for all products if there are several.
    pub(super) fn results(&self, reduction: &Reduction) -> Nat {
        reduction.work_items.iter().fold(Nat::one(), |results, items| results * items)
    }
}

/// Whether the innermost map around a reduction takes the rows of a parameter. The plain form may read a
/// transposed copy of it, in which the survey finds columns.
fn are_rows_of_parameter(program: &Program, source: Source) -> bool {
    let ids: Vec<u32> = program.parameters.iter().map(|parameter| parameter.variable.id).collect();
    let input = input_of_innermost_map(&program.body, source).flatten();
    input.is_some_and(|input| matches!(&input.kind, ExprKind::Variable(read) if ids.contains(&read.id)))
}

/// The input of the innermost map around a reduction, if there is one; `None` where there is no reduction.
fn input_of_innermost_map(expr: &Expr, source: Source) -> Option<Option<&Expr>> {
    match &expr.kind {
        ExprKind::Reduce(..) if expr.source == source => Some(None),
        ExprKind::Map(_, function, input) => match input_of_innermost_map(&function.body, source) {
            Some(None) => Some(Some(input)),
            Some(inner) => Some(inner),
            None => input_of_innermost_map(input, source),
        },
        _ => expr.children().find_map(|child| input_of_innermost_map(child, source)),
    }
}

/// The only reduction of a program.
///
/// # Errors
/// Says what there is instead.
pub(super) fn only(reductions: &[Reduction]) -> Result<&Reduction, Reason> {
    match reductions {
        [reduction] => Ok(reduction),
        [] => Err(Reason::NothingReduced),
        _ => Err(Reason::NoPairs),
    }
}

/// The form that a strategy makes of a program, if it fits and may ever be chosen.
pub(super) fn made(program: &Program, strategy: &Strategy, selection: Selection) -> Option<Candidate> {
    let mut rewriter = Rewriter::new(program);
    rewriter.run(strategy).ok()?;
    let made = rewriter.rewritten();
    if has_open_reduction(&made.program.body) {
        return None;
    }
    let form = Candidate::rewritten(selection, made).ok()?;
    form.is_ever_chosen(program).then_some(form)
}

/// A number as an argument of a strategy.
pub(super) fn size(number: i128) -> Argument {
    Argument::Size(Nat::constant(number))
}

/// The size in bytes of what a reduction gives.
pub(super) fn bytes_of_result(expr: &Expr, source: Source) -> Option<i128> {
    match expr.kind {
        ExprKind::Reduce(..) if expr.source == source => expr.ty.constant_bytes(),
        _ => expr.children().find_map(|child| bytes_of_result(child, source)),
    }
}
