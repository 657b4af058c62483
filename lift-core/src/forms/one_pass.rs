//! The forms that read rows once where a program reduces them, and then columns with what they give: `A^T (A
//! x)`, the gradient of a sum over the rows of a matrix. If rows and columns are reduced one after the other,
//! the matrix is read twice. A group keeps a row in registers, so that rows have a longest length.

use super::defaults::{COLUMNS_OF_RESULTS, MANY_ROWS, ONE_PASSES, OnePass, REGISTER_BYTES};
use super::left_out::Reason;
use super::reductions::{has_open_reduction, is_column, is_row, may_have};
use super::survey::Reduction;
use super::{Candidate, at_least};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{ExprKind, Launch, MapKind, ParameterType, Pinning, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::strategies::ONE_PASS_IN_GROUPS;
use crate::middle::rewrite::{Argument, Rewriter};

/// The forms of a program that reduces rows and then columns, in the order in which they are tried.
///
/// # Errors
/// Says why there is none.
pub(super) fn forms(program: &Program, reductions: &[Reduction]) -> Result<Vec<Candidate>, Reason> {
    if reductions.is_empty() {
        return Err(Reason::NothingReduced);
    }
    let row = reductions.iter().find(|reduction| is_row(reduction));
    let Some(row) = row.filter(|_| reductions.iter().any(is_column)) else {
        return Err(Reason::NotRowsThenColumns);
    };
    if !fits_registers(program) {
        return Err(Reason::LargeElements);
    }
    let form = |pass: &OnePass| {
        let is_long = at_least(&row.length, pass.least);
        let thresholds = is_long.into_iter().chain(worth_many(row, pass)).collect();
        let selection = Selection { thresholds, ..Selection::new(pass.name, DeviceClass::Accelerator) };
        may_have(&row.length, pass.least).then(|| made(program, pass, &row.length, selection)).flatten()
    };
    let forms: Vec<Candidate> = ONE_PASSES.iter().filter_map(form).collect();
    if forms.is_empty() { Err(Reason::NotRowsThenColumns) } else { Ok(forms) }
}

/// That there are not too many rows for their length.
fn worth_many(row: &Reduction, pass: &OnePass) -> Option<Guard> {
    let [rows] = row.work_items.as_slice() else { return None };
    let least = pass.least_of_many;
    let are_few = Condition::LessOrEqual(rows.clone(), Nat::constant(MANY_ROWS));
    let are_long = at_least(&row.length, least)?;
    match are_few.as_constant() {
        Some(true) => None,
        Some(false) => Some(are_long),
        None => {
            let text = format!("({rows} <= {MANY_ROWS} || {})", are_long.text);
            Some(Guard { text, condition: Condition::Or(are_few.into(), are_long.condition.into()) })
        }
    }
}

/// Whether the elements of matrices, and the sums of columns, are small enough for the registers of a
/// work-item that keeps several of each.
fn fits_registers(program: &Program) -> bool {
    let matrices = program.parameters.iter().filter_map(|parameter| match &parameter.ty {
        ParameterType::Value(ty) => (ty.rank() > 1).then_some(ty),
        ParameterType::Size(_) => None,
    });
    let mut types = matrices.chain([&program.body.ty]);
    types.all(|ty| bytes_of_element(ty).is_some_and(|bytes| bytes <= REGISTER_BYTES))
}

/// The size in bytes of what an array has rows of, or of a single value.
fn bytes_of_element(ty: &Type) -> Option<i128> {
    match ty {
        Type::Array(array) => bytes_of_element(&array.element),
        _ => ty.constant_bytes(),
    }
}

/// The form with such groups for rows of this length, if the strategy makes it. Rows whose length is a
/// constant fill no more registers than they need.
fn made(program: &Program, pass: &OnePass, length: &Nat, selection: Selection) -> Option<Candidate> {
    let OnePass { groups, items, room, .. } = *pass;
    let needed = length.as_constant().map(|length| (length + items - 1) / items * items);
    let room = needed.map_or(room, |needed| needed.clamp(items, room));
    let arguments = [groups, items, room].map(|argument| Argument::Size(Nat::constant(argument))).into();
    let mut rewriter = Rewriter::new(program);
    rewriter.run(&ONE_PASS_IN_GROUPS.of(program, arguments).ok()?).ok()?;
    let made = rewriter.rewritten();
    // Two kernels, and nothing that is computed besides.
    let is_whole = matches!(&made.program.body.kind, ExprKind::Layout(_, groups)
        if matches!(&groups.kind, ExprKind::Map(MapKind::WorkGroup(_), ..)));
    if !is_whole || has_open_reduction(&made.program.body) {
        return None;
    }
    let mut form = Candidate::rewritten(selection, made).ok()?;
    let launch = |local| Launch {
        local: Some(local),
        global: None,
        pinning: Pinning::Pinned,
        source: program.body.source,
    };
    form.program.launches = vec![launch([u64::try_from(items).ok()?, 1, 1]), launch(COLUMNS_OF_RESULTS)];
    form.is_ever_chosen(program).then_some(form)
}
