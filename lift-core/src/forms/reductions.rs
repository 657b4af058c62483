//! Forms in which work-items cooperate on reductions that one work-item of the plain form does alone.
//!
//! - *Rows*: their elements lie side by side in memory. If one work-item reduces a row alone, neighbouring
//!   work-items read elements that are a row apart, and a GPU fetches a whole cache line for each of them. In
//!   these forms the work-items of a group share a row, so that neighbours read neighbours. (TVM's rules for
//!   matrix-vector products and XLA's emitter of row reductions decide alike.)
//! - *Columns*: neighbouring work-items read neighbours already, but there are often fewer columns than a GPU
//!   has work-items. In these forms each column is cut into pieces. Processors profit, too: the pieces that
//!   lie beside each other are read while they are in the cache.
//!
//! A program that is one map, whose function reduces a row once or several times, is rewritten as a whole. A
//! row that its function takes several times is read once and kept in local memory, where that has room for
//! it (XLA's fused softmax keeps rows in registers, for lengths that are constants). In other programs each
//! stage is rewritten by itself, while the program is lowered ([`Cooperation`]). On processors a work-item is
//! faster alone ([`row_vectors`](super::row_vectors)) with rows.

use std::collections::BTreeMap;

use super::defaults::{
    KEPT_BYTES, KEPT_ROWS, LONG_COLUMN, LONG_ROW, LONG_ROWS, MANY_COLUMNS, PIECES, ROW_BESIDE_COLUMNS,
    SHORT_ROW, SHORT_ROWS, SHORT_WRITTEN_ROW,
};
use super::left_out::{Class, LeftOut, Reason};
use super::survey::{Load, Reduction};
use super::{Candidate, at_least, different};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::{DIMENSIONS, Expr, ExprKind, MapKind, Path, Program, ReduceKind, Variable};
use crate::ir::types::Type;
use crate::middle::lower::{Cooperation, Group};
use crate::middle::rewrite::rules::{MAP_FUSION, MAP_FUSION_IN_ZIP};
use crate::middle::rewrite::strategies::rows_in_grid_of_groups;
use crate::middle::rewrite::{Rewriter, Strategy};

/// The forms for the reductions of a program, in the order in which they are tried. Where others reduce rows
/// and columns `in_one_pass`, what is left are short rows, and those that fill no group's registers: groups
/// for rows alone are no faster then than those that cut the columns, too.
pub(super) fn forms(program: &Program, reductions: &[Reduction], in_one_pass: bool) -> Vec<Candidate> {
    let columns = Shared::columns(reductions);
    let rows_beside_columns = Shared::rows(reductions, LONG_ROWS, ROW_BESIDE_COLUMNS);
    let wanted = match (rows_beside_columns.is_empty(), columns.is_empty()) {
        (false, false) if in_one_pass => {
            let thresholds = rows_beside_columns.thresholds.clone();
            let both = Shared { thresholds, ..rows_beside_columns.and(columns.clone()) };
            vec![("rowsAndColumns", both), ("columns", columns)]
        }
        (false, false) => vec![
            ("rowsAndColumns", rows_beside_columns.clone().and(columns.clone())),
            ("rows", rows_beside_columns),
            ("columns", columns),
        ],
        (_, true) => return rows_only(program, reductions),
        (true, false) => vec![("columns", columns)],
    };
    possible(program, wanted)
}

/// The forms of a program that reduces rows and no columns. Rows that are read several times are kept, where
/// local memory has room for them.
fn rows_only(program: &Program, reductions: &[Reduction]) -> Vec<Candidate> {
    let rows = |group, least| Shared::rows(reductions, group, least);
    let kept = [("keptShortRows", SHORT_ROWS), ("keptRows", KEPT_ROWS)];
    let least_kept = if are_written(program, reductions) { SHORT_WRITTEN_ROW } else { SHORT_ROW };
    let mut forms: Vec<Candidate> = kept
        .into_iter()
        .filter_map(|(name, group)| kept_form(program, name, rows(group, least_kept), group))
        .collect();
    let mut in_memory = possible(
        program,
        match forms.is_empty() {
            true => vec![("rows", rows(LONG_ROWS, LONG_ROW)), ("shortRows", rows(SHORT_ROWS, SHORT_ROW))],
            false => vec![("rows", rows(LONG_ROWS, SHORT_ROW))],
        },
    );
    // A form that is always possible and worth it leaves nothing to others. Those that keep rows are not
    // possible on devices with little local memory.
    let last = in_memory.iter().position(|form| form.selection.is_unconditional());
    in_memory.truncate(last.map_or(in_memory.len(), |last| last + 1));
    forms.extend(in_memory);
    forms
}

/// Whether the result has rows, too, and not only a number for each row that is reduced.
fn are_written(program: &Program, reductions: &[Reduction]) -> bool {
    reductions.iter().all(|reduction| program.body.ty.rank() > reduction.work_items.len())
}

/// Those of these forms in which something is shared.
fn possible(program: &Program, wanted: Vec<(&str, Shared)>) -> Vec<Candidate> {
    let wanted = wanted.into_iter().filter(|(_, shared)| !shared.is_empty());
    wanted.map(|(name, shared)| form(program, name, shared)).collect()
}

/// What work-items share in a form, and from which sizes on that is worth it.
#[derive(Clone)]
struct Shared {
    cooperation: Cooperation,
    thresholds: Vec<Guard>,
}

impl Shared {
    /// Groups for all rows that may have at least `least` elements.
    fn rows(reductions: &[Reduction], group: Group, least: i128) -> Shared {
        let may_be_long = |row: &&Reduction| may_have(&row.length, least);
        let rows: Vec<&Reduction> =
            reductions.iter().filter(|reduction| is_row(reduction)).filter(may_be_long).collect();
        let groups = rows.iter().map(|row| (row.source, group)).collect();
        Shared {
            cooperation: Cooperation { rows: groups, ..Cooperation::default() },
            thresholds: rows.iter().filter_map(|row| at_least(&row.length, least)).collect(),
        }
    }

    fn columns(reductions: &[Reduction]) -> Shared {
        let columns: Vec<&Reduction> = reductions.iter().filter(|reduction| is_column(reduction)).collect();
        let pieces = columns.iter().map(|column| (column.source, PIECES)).collect();
        Shared {
            cooperation: Cooperation { columns: pieces, ..Cooperation::default() },
            thresholds: columns.iter().flat_map(|column| worth_cutting(column)).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.cooperation.is_none()
    }

    /// The devices that gain by it: on processors, a work-item is faster with a row of its own.
    fn devices(&self) -> DeviceClass {
        match self.cooperation.rows.is_empty() {
            true => DeviceClass::Any,
            false => DeviceClass::Accelerator,
        }
    }

    fn and(mut self, other: Shared) -> Shared {
        self.cooperation.rows.extend(other.cooperation.rows);
        self.cooperation.columns.extend(other.cooperation.columns);
        self.thresholds.extend(other.thresholds);
        self
    }
}

fn form(program: &Program, name: &str, shared: Shared) -> Candidate {
    let devices = shared.devices();
    let Shared { cooperation, thresholds } = shared;
    let selection = Selection { thresholds: different(thresholds), ..Selection::new(name, devices) };
    whole(program, &cooperation, &selection, &|_| Some(None))
        .filter(|form| form.is_ever_chosen(program))
        .unwrap_or_else(|| Candidate { cooperation, ..Candidate::new(selection, program.clone()) })
}

/// The same for a program that reads rows several times; groups keep them in local memory.
fn kept_form(program: &Program, name: &str, shared: Shared, group: Group) -> Option<Candidate> {
    let Shared { cooperation, thresholds } = shared;
    let selection =
        Selection { thresholds: different(thresholds), ..Selection::new(name, DeviceClass::Accelerator) };
    let form = whole(program, &cooperation, &selection, &|map| room_for_rows(map, group).map(Some))?;
    form.is_ever_chosen(program).then_some(form)
}

/// The number of elements of a row that the local memory of a group has room for, where the function of a map
/// mentions its row more than once.
fn room_for_rows(map: &Expr, group: Group) -> Option<i128> {
    let ExprKind::Map(_, function, _) = &map.kind else { return None };
    let [(row, Type::Array(array))] = function.parameters.as_slice() else { return None };
    let Type::Scalar(element) = array.element else { return None };
    let is_read_again = mentions(&function.body, row) > 1;
    is_read_again.then(|| KEPT_BYTES / (element.bytes() * i128::from(group.rows)))
}

/// How often an expression mentions a variable.
fn mentions(expr: &Expr, variable: &Variable) -> usize {
    match &expr.kind {
        ExprKind::Variable(mentioned) => usize::from(mentioned.id == variable.id),
        _ => expr.children().map(|child| mentions(child, variable)).sum(),
    }
}

/// The form of a program that is one map over rows, or becomes one by fusion, and whose reductions are all
/// among these. `room` says for the map whether groups keep its rows, and how long these may be; without an
/// answer, there is no form.
fn whole(
    program: &Program,
    cooperation: &Cooperation,
    selection: &Selection,
    room: &dyn Fn(&Expr) -> Option<Option<i128>>,
) -> Option<Candidate> {
    one_map(Rewriter::new(program), cooperation, selection, room).or_else(|| {
        let fusions = [&MAP_FUSION, &MAP_FUSION_IN_ZIP].map(Strategy::rule);
        let mut rewriter = Rewriter::new(program);
        rewriter.run(&Strategy::Choice(fusions.into()).repeated(MOST_FUSIONS)).ok()?;
        one_map(rewriter, cooperation, selection, room)
    })
}

/// Longer chains of maps after a reduction stay as they are.
const MOST_FUSIONS: u32 = 8;

/// The same for a program that is one map.
fn one_map(
    mut rewriter: Rewriter<'_>,
    cooperation: &Cooperation,
    selection: &Selection,
    room: &dyn Fn(&Expr) -> Option<Option<i128>>,
) -> Option<Candidate> {
    let group = cooperation.rows.values().next()?;
    let program = rewriter.program();
    let mut places = Vec::new();
    let mut map = &program.body;
    let mut here = Path::root();
    loop {
        let ExprKind::Map(MapKind::Unspecified, function, _) = &map.kind else { return None };
        places.push(here.clone());
        // Maps around make arrays of what the innermost one makes.
        let is_outer = matches!(function.body.kind, ExprKind::Map(MapKind::Unspecified, ..))
            && !has_reduction(function.body.input()?);
        if !is_outer || !has_reduction(function.body.function_body()?) {
            break;
        }
        here = here.child(map.children().len() - 1);
        map = &function.body;
    }
    let body = map.function_body()?;
    if places.len() > usize::from(DIMENSIONS) || body.ty.rank() > 1 || !are_among(body, &cooperation.rows) {
        return None;
    }
    let (innermost, outer) = places.split_last()?;
    let strategy = rows_in_grid_of_groups(innermost, outer, &group.sharing(room(map)?));
    rewriter.run(&strategy).ok()?;
    let made = rewriter.rewritten();
    // A reduction in a function, which depends on that function, is left to every work-item.
    if has_open_reduction(&made.program.body) {
        return None;
    }
    Candidate::rewritten(selection.clone(), made).ok()
}

fn has_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..)) || expr.children().any(|child| has_reduction(child))
}

pub(super) fn has_open_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..))
        || expr.children().any(|child| has_open_reduction(child))
}

/// Whether all loops of an expression are these reductions.
fn are_among(expr: &Expr, rows: &BTreeMap<Source, Group>) -> bool {
    let is_other = match &expr.kind {
        ExprKind::Reduce(kind, ..) => *kind != ReduceKind::Unspecified || !rows.contains_key(&expr.source),
        ExprKind::Scan(..) | ExprKind::Iterate(..) => true,
        _ => false,
    };
    !is_other && expr.children().all(|child| are_among(child, rows))
}

/// That columns are long, and few.
fn worth_cutting(column: &Reduction) -> Vec<Guard> {
    let few = column.work_items.iter().filter_map(|columns| {
        let condition = Condition::Less(columns.clone(), Nat::constant(MANY_COLUMNS));
        let text = format!("{columns} < {MANY_COLUMNS}");
        (condition.as_constant() != Some(true)).then_some(Guard { text, condition })
    });
    at_least(&column.length, LONG_COLUMN).into_iter().chain(few).collect()
}

/// Whether a reduction goes down a column: neighbouring work-items load what lies side by side.
pub(super) fn is_column(reduction: &Reduction) -> bool {
    no_column(reduction).is_none()
}

/// Why a reduction does not go down a column.
fn no_column(reduction: &Reduction) -> Option<Reason> {
    let Reduction { length, loads, .. } = reduction;
    if !may_have(length, LONG_COLUMN) {
        return Some(Reason::ShortColumn);
    }
    if !loads.iter().any(|load| load.across == [Stride::One] && is_apart(&load.along)) {
        let beside = loads.iter().filter(|load| load.across.last() == Some(&Stride::One));
        let dimensions = beside.map(|load| load.across.len()).min();
        return Some(match dimensions {
            None => Reason::NotAcrossColumns,
            Some(1) => Reason::NotDownColumns,
            Some(_) => Reason::SeveralDimensions,
        });
    }
    let is_torn_apart = |load: &Load| load.across.last().is_some_and(is_apart);
    loads.iter().any(is_torn_apart).then_some(Reason::OtherRows)
}

fn is_apart(stride: &Stride) -> bool {
    matches!(stride, Stride::Other | Stride::Constant(_))
}

/// Whether a reduction goes along a row of its own: the elements that it loads lie side by side, and
/// neighbouring work-items load elements that do not.
pub(super) fn is_row(reduction: &Reduction) -> bool {
    no_row(reduction).is_none()
}

/// Why a reduction does not go along a row of its own.
pub(super) fn no_row(reduction: &Reduction) -> Option<Reason> {
    let mut along = reduction.loads.iter().filter(|load| load.along == Stride::One).map(no_row_of_load);
    match along.next() {
        None => return Some(Reason::NotAlongRows),
        Some(first) if first.is_some() && !along.any(|reason| reason.is_none()) => return first,
        Some(_) => {}
    }
    // What neighbours read side by side already would be torn apart.
    let goes_across = |load: &Load| {
        !matches!(load.along, Stride::Zero | Stride::One) && load.across.last() == Some(&Stride::One)
    };
    reduction.loads.iter().any(goes_across).then_some(Reason::OtherColumns)
}

/// Why the row that a load goes along is not a work-item's own.
fn no_row_of_load(load: &Load) -> Option<Reason> {
    match load.across.last() {
        None => Some(Reason::OneRow),
        Some(_) if load.across.contains(&Stride::Zero) => Some(Reason::SharedRow),
        Some(Stride::Zero | Stride::One) => Some(Reason::NeighboursAlready),
        Some(Stride::Constant(_) | Stride::Other) => None,
    }
}

/// Whether a number may be at least this.
pub(super) fn may_have(length: &Nat, least: i128) -> bool {
    length.as_constant().is_none_or(|length| length >= least)
}

/// The classes that none of these reductions is of, with the reason for each reduction.
pub(super) fn left_out(program: &Program, reductions: &[Reduction]) -> Vec<LeftOut> {
    let least = if are_written(program, reductions) { SHORT_WRITTEN_ROW } else { SHORT_ROW };
    let no_long_row = |reduction: &Reduction| {
        no_row(reduction)
            .or_else(|| (!may_have(&reduction.length, least)).then_some(Reason::ShortRow { least }))
    };
    let of_class = |class, reason: &dyn Fn(&Reduction) -> Option<Reason>| {
        let left_out = |reduction: &Reduction| {
            reason(reduction).map(|reason| LeftOut { class, of: Some(reduction.source), reason })
        };
        // There is a form as soon as one reduction is of the class.
        reductions.iter().map(left_out).collect::<Option<Vec<LeftOut>>>().unwrap_or_default()
    };
    let (rows, columns) = (of_class(Class::Rows, &no_long_row), of_class(Class::Columns, &no_column));
    rows.into_iter().chain(columns).collect()
}
