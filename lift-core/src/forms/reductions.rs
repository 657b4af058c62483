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
//! row that its function takes several times is read once and kept in registers, as in XLA's fused softmax,
//! or in local memory, where there is room for it. In other programs each stage is rewritten by itself, while
//! the program is lowered ([`Cooperation`]); what rows give is a stage there, if it is reduced again. On
//! processors a work-item is faster alone ([`row_vectors`](super::row_vectors)) with rows.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::defaults::{LONG_COLUMN, MANY_COLUMNS, PIECES};
use super::left_out::{Class, LeftOut, Reason};
use super::row_defaults::{
    KEPT_BYTES, KEPT_LOCAL_ROWS, KEPT_LONG_ROWS, KEPT_REGISTER_ROWS, LONG_ROW, LONG_ROWS, LocalRows,
    MEDIUM_ROWS, NARROW_ROWS, REDUCED_ROWS, ROW_BESIDE_COLUMNS, ROW_BESIDE_OTHERS, RegisterRows, RowsAtOnce,
    SHORT_REDUCED_ROW, SHORT_ROW, SHORT_ROW_VECTORS, SHORT_ROWS, SHORT_WRITTEN_ROW,
};
use super::survey::{Load, Reduction};
use super::taken_rows::{
    groups_take_rows_again, mentions, mentions_outside_functions, row_of, row_taken_again,
    takes_large_scalars, takes_tuple,
};
use super::{Candidate, at_least, at_most, different};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::kernel::accesses::Stride;
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::binders;
use crate::ir::typed::{
    Application, Binding, DIMENSIONS, Expr, ExprKind, Launch, MapKind, Path, Pinning, Program, ReduceKind,
    Variable,
};
use crate::ir::types::Type;
use crate::middle::lower::{Cooperation, Group, flat_let, holds_reduced_rows, rearranged, rows_fused};
use crate::middle::rewrite::rules::{LET_INLINE, MAP_FUSION, MAP_FUSION_IN_ZIP};
use crate::middle::rewrite::strategies::{Kept, reductions_bound, rows_in_grid_of_groups};
use crate::middle::rewrite::{Argument, Rewriter, Strategy};
use crate::threads::Threads;

/// The forms for the reductions of a program, in the order in which they are tried. Where others reduce rows
/// and columns `in_one_pass`, what is left are short rows, and those that fill no group's registers: groups
/// for rows alone are no faster then than those that cut the columns, too.
pub(super) fn forms(
    program: &Program,
    reductions: &[Reduction],
    in_one_pass: bool,
    threads: Threads,
) -> Vec<Candidate> {
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
        (_, true) => return rows_only(program, reductions, threads),
        (true, false) => vec![("columns", columns)],
    };
    possible(program, wanted, threads)
}

/// The forms of a program that reduces rows and no columns. Rows that are read several times are kept: in
/// registers, and in local memory if they are long, or if a work-item takes elements of others.
fn rows_only(program: &Program, reductions: &[Reduction], threads: Threads) -> Vec<Candidate> {
    let in_registers = up_to_the_last(kept_in_registers(program, reductions, threads));
    if in_registers.last().is_some_and(|last| last.selection.is_unconditional()) {
        return in_registers;
    }
    let in_local_memory = match in_registers.is_empty() {
        true => kept_in_local_memory(program, reductions, &KEPT_LOCAL_ROWS),
        false => kept_in_local_memory(program, reductions, &[KEPT_LONG_ROWS]),
    };
    let rows = |group, least| Shared::rows(reductions, group, least);
    let others = match in_registers.is_empty() && in_local_memory.is_empty() {
        true => {
            let RowsAtOnce { name, group, least, least_rows, .. } = MEDIUM_ROWS;
            let once = |map: &Expr| Some(Kept::Once(room_at_once(map, &MEDIUM_ROWS)));
            let medium =
                || whole_form(program, name, rows(group, least).of_many(reductions, least_rows), &once);
            let short = match holds_reduced_rows(&program.body) {
                true => rows(SHORT_ROWS, SHORT_REDUCED_ROW),
                false => Shared::rows_from(reductions, SHORT_ROWS, |row| SHORT_ROW / rows_read(row)),
            };
            let (long, short) = (vec![("rows", rows(LONG_ROWS, LONG_ROW))], vec![("shortRows", short)]);
            let ((medium, long, narrow), (vectors, short)) = threads.both(
                || (medium(), possible(program, long, Threads::ONE), narrow_rows(program, reductions)),
                || (short_vectors(program, reductions), possible(program, short, Threads::ONE)),
            );
            medium.into_iter().chain(long).chain(narrow).chain(vectors).chain(short).collect()
        }
        false => possible(program, vec![("rows", rows(LONG_ROWS, SHORT_ROW))], threads),
    };
    in_registers.into_iter().chain(in_local_memory).chain(up_to_the_last(others)).collect()
}

/// A form that is always possible and worth it leaves nothing to others. Those that keep rows in local memory
/// are not possible on devices with little of it.
fn up_to_the_last(mut forms: Vec<Candidate>) -> Vec<Candidate> {
    let last = forms.iter().position(|form| form.selection.is_unconditional());
    forms.truncate(last.map_or(forms.len(), |last| last + 1));
    forms
}

/// Groups keep rows that are read several times in registers: each work-item takes its elements alone.
fn kept_in_registers(program: &Program, reductions: &[Reduction], threads: Threads) -> Vec<Candidate> {
    let form = |form: &RegisterRows| {
        let least = least_kept(program, reductions);
        let shared = Shared::rows(reductions, form.group, form.least.map_or(least, |own| own.min(least)));
        let kept = |map: &Expr| {
            let row = row_taken_again(map)?;
            if form.of_constant_length && row.length.as_constant().is_none() {
                return None;
            }
            Some(registers(form, map))
        };
        whole_form(program, form.name, shared, &kept)
            .filter(|form| !groups_take_rows_again(&form.program.body))
    };
    threads.map(&KEPT_REGISTER_ROWS, form).into_iter().flatten().collect()
}

/// The form in which few work-items share a narrow row, which is taken once.
fn narrow_rows(program: &Program, reductions: &[Reduction]) -> Option<Candidate> {
    if holds_reduced_rows(&program.body) {
        return None;
    }
    let form = &NARROW_ROWS;
    let mut shared = Shared::rows(reductions, form.group, form.least).of_many(reductions, form.least_rows);
    shared.thresholds.extend(reductions.iter().filter_map(|row| at_most(&row.length, form.most)));
    whole_form(program, form.name, shared, &|_| Some(Kept::No))
}

/// The form in which groups load short rows, which are taken once, as vectors.
fn short_vectors(program: &Program, reductions: &[Reduction]) -> Option<Candidate> {
    let form = &SHORT_ROW_VECTORS;
    let shared = Shared::rows(reductions, form.group, form.least.unwrap_or(SHORT_ROW));
    let large = Cell::new(false);
    let kept = |map: &Expr| {
        large.set(takes_large_scalars(map));
        reduces_own_rows_to_scalars(map).then(|| registers(form, map))
    };
    let mut candidate = whole_form(program, form.name, shared, &kept)?;
    // Rows that are taken once need no registers, so that the strategy may take longer ones.
    let room = if large.get() { form.room / 2 } else { form.room };
    let short = reductions.iter().filter_map(|row| at_most(&row.length, room));
    candidate.selection.thresholds = different(candidate.selection.thresholds.into_iter().chain(short));
    let has_vectors = takes_vectors(&candidate.program.body);
    (has_vectors && candidate.is_ever_chosen(program)).then_some(candidate)
}

/// Whether a function takes vectors. A function that asks for the position of its element takes scalars, also
/// of rows that are loaded as vectors.
fn takes_vectors(expr: &Expr) -> bool {
    let is_vector = |(_, ty): &(Variable, Type)| matches!(ty, Type::Vector(..));
    let takes = |application: Application<'_>| application.function().parameters.iter().any(is_vector);
    expr.application().is_some_and(takes) || expr.children().any(|child| takes_vectors(child))
}

/// Whether the function of a map reduces rows of its own elements, each to a scalar: there are no vectors of
/// tuples, nor of what lies elsewhere.
fn reduces_own_rows_to_scalars(map: &Expr) -> bool {
    let (Some(input), Some(body)) = (map.input(), map.function_body()) else { return false };
    let Some(element) = input.ty.as_array().map(|array| &array.element) else { return false };
    let parts = match element {
        Type::Tuple(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let lengths: Vec<&Nat> = parts.iter().filter_map(|part| Some(&part.as_array()?.length)).collect();
    let is_own = |reduction: &&Expr| {
        let row = reduction.input().and_then(|row| row.ty.as_array());
        matches!(reduction.ty, Type::Scalar(_)) && row.is_some_and(|row| lengths.contains(&&row.length))
    };
    let mut reduced = Vec::new();
    collect_reductions(body, &mut reduced);
    reduced.iter().all(is_own)
}

fn collect_reductions<'e>(expr: &'e Expr, reduced: &mut Vec<&'e Expr>) {
    if matches!(expr.kind, ExprKind::Reduce(..)) {
        reduced.push(expr);
    }
    expr.children().for_each(|child| collect_reductions(child, reduced));
}

/// What a work-item has registers for, of the rows that a map takes.
fn registers(form: &RegisterRows, map: &Expr) -> Kept {
    let (room, width) = match form.width > 1 && takes_large_scalars(map) {
        true => (form.room / 2, form.width / 2),
        false => (form.room, form.width),
    };
    Kept::Registers { room: Nat::constant(room), width }
}

/// Groups keep rows that are read several times in local memory.
fn kept_in_local_memory(program: &Program, reductions: &[Reduction], forms: &[LocalRows]) -> Vec<Candidate> {
    let form = |form: &LocalRows| {
        let least = least_kept(program, reductions).max(form.least);
        let shared = Shared::rows(reductions, form.group, least);
        whole_form(program, form.name, shared, &|map| room_in_local_memory(map, form.group))
    };
    forms.iter().filter_map(form).collect()
}

/// From this length on, it is worth it to keep rows.
fn least_kept(program: &Program, reductions: &[Reduction]) -> i128 {
    if are_written(program, reductions) { SHORT_WRITTEN_ROW } else { SHORT_ROW }
}

/// Whether the result has rows, too, and not only a few numbers for each row that is reduced.
fn are_written(program: &Program, reductions: &[Reduction]) -> bool {
    let written = |reduction: &Reduction| has_rows(&program.body.ty, reduction.work_items.len());
    reductions.iter().all(written)
}

/// Whether the elements in the first `dimensions` dimensions of a result, or of one of several results, are
/// rows that may be long.
fn has_rows(ty: &Type, dimensions: usize) -> bool {
    match ty {
        Type::Tuple(parts) => parts.iter().any(|part| has_rows(part, dimensions)),
        Type::Array(array) if dimensions == 0 => may_have(&array.length, SHORT_WRITTEN_ROW),
        Type::Array(array) => has_rows(&array.element, dimensions - 1),
        Type::Scalar(_) | Type::Vector(..) | Type::Size => false,
    }
}

/// The number of dimensions of an array; of several arrays, the largest.
fn most_dimensions(ty: &Type) -> usize {
    match ty {
        Type::Tuple(parts) => parts.iter().map(most_dimensions).max().unwrap_or_default(),
        Type::Array(_) | Type::Scalar(_) | Type::Vector(..) | Type::Size => ty.rank(),
    }
}

/// Those of these forms in which something is shared.
fn possible(program: &Program, mut wanted: Vec<(&str, Shared)>, threads: Threads) -> Vec<Candidate> {
    wanted.retain(|(_, shared)| !shared.is_empty());
    threads.map(&wanted, |(name, shared)| form(program, name, shared.clone()))
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
        Shared::rows_from(reductions, group, |_| least)
    }

    /// The same where the least number of elements depends on the row.
    fn rows_from(reductions: &[Reduction], group: Group, least: impl Fn(&Reduction) -> i128) -> Shared {
        let may_be_long = |row: &&Reduction| may_have(&row.length, least(row));
        let rows: Vec<&Reduction> =
            reductions.iter().filter(|reduction| is_row(reduction)).filter(may_be_long).collect();
        let of_row = |row: &Reduction| if is_of_results(row, &rows) { REDUCED_ROWS } else { group };
        let groups = rows.iter().map(|row| (row.source, of_row(row))).collect();
        Shared {
            cooperation: Cooperation { rows: groups, reduced_rows_apart: true, ..Cooperation::default() },
            thresholds: long_rows(&rows, least),
        }
    }

    /// The same where each row is one of at least `least`.
    fn of_many(mut self, reductions: &[Reduction], least: i128) -> Shared {
        let shared = reductions.iter().filter(|row| self.cooperation.rows.contains_key(&row.source));
        let many = shared.filter_map(|row| {
            let count = row.work_items.iter().fold(Nat::one(), |count, rows| count * rows);
            at_least(&count, least)
        });
        self.thresholds.extend(many);
        self
    }

    fn columns(reductions: &[Reduction]) -> Shared {
        let columns: Vec<&Reduction> = reductions.iter().filter(|reduction| is_column(reduction)).collect();
        let pieces = columns.iter().map(|column| (column.source, PIECES)).collect();
        Shared {
            cooperation: Cooperation { columns: pieces, reduced_rows_apart: true, ..Cooperation::default() },
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

/// What work-items share of what a program reduces beside products or scans of rows, and from which lengths
/// of rows on that is worth it. There are no such conditions for columns: what their pieces cost where these
/// are short is little beside the others.
pub(super) fn beside_others(reductions: &[&Reduction]) -> (Cooperation, Vec<Guard>) {
    let reductions: Vec<Reduction> = reductions.iter().copied().cloned().collect();
    let rows = Shared::rows(&reductions, SHORT_ROWS, ROW_BESIDE_OTHERS);
    let thresholds = rows.thresholds.clone();
    (rows.and(Shared::columns(&reductions)).cooperation, thresholds)
}

/// How columns that a program reduces are cut into pieces, and from which sizes on that is worth it; `None`
/// if it reduces none.
pub(super) fn columns_in_pieces(reductions: &[Reduction]) -> Option<(Cooperation, Vec<Guard>)> {
    let columns = Shared::columns(reductions);
    (!columns.is_empty()).then_some((columns.cooperation, columns.thresholds))
}

/// The form in which groups share a reduction, if there are sizes for which it is chosen.
pub(super) fn in_groups(
    program: &Program,
    name: &str,
    reduction: &Reduction,
    group: Group,
    thresholds: Vec<Guard>,
) -> Option<Candidate> {
    let rows = BTreeMap::from([(reduction.source, group)]);
    let cooperation = Cooperation { rows, reduced_rows_apart: true, ..Cooperation::default() };
    let form = form(program, name, Shared { cooperation, thresholds });
    form.is_ever_chosen(program).then_some(form)
}

fn form(program: &Program, name: &str, shared: Shared) -> Candidate {
    let devices = shared.devices();
    let Shared { cooperation, thresholds } = shared;
    let selection = Selection { thresholds: different(thresholds), ..Selection::new(name, devices) };
    whole(program, &cooperation, &selection, &|_| Some(Kept::No))
        .filter(|form| form.is_ever_chosen(program))
        .unwrap_or_else(|| Candidate { cooperation, ..Candidate::new(selection, program.clone()) })
}

/// The same for a program that is one map. `kept` says for the map where groups have its rows; without an
/// answer, there is no form.
fn whole_form(
    program: &Program,
    name: &str,
    shared: Shared,
    kept: &dyn Fn(&Expr) -> Option<Kept>,
) -> Option<Candidate> {
    if shared.is_empty() {
        return None;
    }
    let Shared { cooperation, thresholds } = shared;
    let selection =
        Selection { thresholds: different(thresholds), ..Selection::new(name, DeviceClass::Accelerator) };
    let form = whole(program, &cooperation, &selection, kept)?;
    form.is_ever_chosen(program).then_some(form)
}

/// The number of elements of a row that work-items load. Of rows whose length is a constant, they load no more
/// than they need.
fn room_at_once(map: &Expr, form: &RowsAtOnce) -> Nat {
    let items = i128::from(form.group.items);
    let length = map.input().and_then(|rows| row_of(rows.ty.as_array()?.element.clone()));
    let needed =
        length.and_then(|length| length.as_constant()).map(|length| (length + items - 1) / items * items);
    Nat::constant(needed.map_or(form.room, |needed| needed.clamp(items, form.room)))
}

/// The local memory of a group, if the function of a map takes its row more than once.
fn room_in_local_memory(map: &Expr, group: Group) -> Option<Kept> {
    // One array, which may take all of it.
    let row = row_taken_again(map).filter(|_| !takes_tuple(map))?;
    let Type::Scalar(element) = row.element else { return None };
    Some(Kept::Local(Nat::constant(KEPT_BYTES / (element.bytes() * i128::from(group.rows)))))
}

/// The form of a program that is one map over rows, or becomes one by fusion, and whose reductions are all
/// among these. `kept` says for the map where groups have its rows; without an answer, there is no form.
fn whole(
    program: &Program,
    cooperation: &Cooperation,
    selection: &Selection,
    kept: &dyn Fn(&Expr) -> Option<Kept>,
) -> Option<Candidate> {
    let start = || {
        let mut rewriter = Rewriter::new(program);
        while let Some(steps) = flat_let(rewriter.body()) {
            rewriter.run(&steps).ok()?;
        }
        if let Some(fused) = rows_fused(rewriter.body()) {
            rewriter.run(&fused).ok()?;
        }
        Some(rewriter)
    };
    one_map(start()?, cooperation, selection, kept).or_else(|| {
        let fusions = [&MAP_FUSION, &MAP_FUSION_IN_ZIP].map(Strategy::rule);
        let mut rewriter = start()?;
        while is_taken_once(rewriter.body()) {
            rewriter.run(&Strategy::with(&LET_INLINE, Argument::Size(Nat::zero()))).ok()?;
        }
        rewriter.run(&Strategy::Choice(fusions.into()).repeated(MOST_FUSIONS)).ok()?;
        one_map(rewriter, cooperation, selection, kept)
    })
}

/// Whether a program is a `let` whose first value stands once in what follows, and in no function.
fn is_taken_once(body: &Expr) -> bool {
    let ExprKind::Let { bindings, .. } = &body.kind else { return false };
    bindings.first().is_some_and(|Binding { variable, .. }| {
        mentions(body, variable) == 1 && mentions_outside_functions(body, variable) == 1
    })
}

/// Longer chains of maps after a reduction stay as they are.
const MOST_FUSIONS: u32 = 8;

/// The same for a program that is one map.
fn one_map(
    mut rewriter: Rewriter<'_>,
    cooperation: &Cooperation,
    selection: &Selection,
    kept: &dyn Fn(&Expr) -> Option<Kept>,
) -> Option<Candidate> {
    let group = cooperation.rows.values().next()?;
    let program = rewriter.program();
    let mut places = Vec::new();
    let (mut map, mut here) = (&program.body, Path::root());
    // One pass makes several results, which may lie elsewhere.
    while let Some(input) = unzipped_or_rearranged(map) {
        (map, here) = (input, here.child(0));
    }
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
    if places.len() > usize::from(DIMENSIONS)
        || most_dimensions(&body.ty) > 1
        || !are_among(body, &cooperation.rows)
        || reduces_elements(body)
    {
        return None;
    }
    let (innermost, outer) = places.split_last()?;
    let kept = kept(map)?;
    let launches = match kept {
        Kept::Registers { .. } | Kept::Once(_) => vec![launch_of(*group, &program)],
        Kept::No | Kept::Local(_) => Vec::new(),
    };
    let strategy = rows_in_grid_of_groups(innermost, outer, &group.sharing(kept));
    let bound = reductions_bound(map).map(|bound| Strategy::At(innermost.clone(), Box::new(bound)));
    if let Some(bound) = bound {
        rewriter.run(&bound).ok()?;
    }
    rewriter.run(&strategy).ok()?;
    let made = rewriter.rewritten();
    // A reduction in a function, which depends on that function, is left to every work-item.
    if has_open_reduction(&made.program.body) {
        return None;
    }
    let mut form = Candidate::rewritten(selection.clone(), made).ok()?;
    form.program.launches = launches;
    Some(form)
}

/// The input of an expression that only says where the elements of its input lie.
fn unzipped_or_rearranged(expr: &Expr) -> Option<&Arc<Expr>> {
    match &expr.kind {
        ExprKind::Unzip(input) => Some(input),
        _ => rearranged(expr),
    }
}

/// The launch in which each work-item has a place of its own in a group: registers are counted for it.
fn launch_of(group: Group, program: &Program) -> Launch {
    let local = Some([u64::from(group.items), u64::from(group.rows), 1]);
    Launch { local, global: None, pinning: Pinning::Pinned, source: program.body.source }
}

fn has_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..)) || expr.children().any(|child| has_reduction(child))
}

pub(super) fn has_open_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..))
        || expr.children().any(|child| has_open_reduction(child))
}

/// Whether the function of a map inside an expression reduces something of its element: there are several
/// rows then.
fn reduces_elements(expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Map(_, function, _) => {
            function.parameters.iter().any(|(element, _)| holds_reduction_of(&function.body, element))
        }
        _ => false,
    };
    here || expr.children().any(|child| reduces_elements(child))
}

fn holds_reduction_of(expr: &Expr, element: &Variable) -> bool {
    matches!(expr.kind, ExprKind::Reduce(..)) && binders::mentions(expr, element)
        || expr.children().any(|child| holds_reduction_of(child, element))
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

/// The conditions that rows have their least numbers of elements, where sizes decide. Rows of what other rows
/// are reduced to do not matter: they take little time beside these.
pub(super) fn long_rows(rows: &[&Reduction], least: impl Fn(&Reduction) -> i128) -> Vec<Guard> {
    let first = rows.iter().filter(|row| !is_of_results(row, rows));
    first.filter_map(|row| at_least(&row.length, least(row))).collect()
}

/// Whether a reduction takes as many elements as one of these has results.
fn is_of_results(reduction: &Reduction, rows: &[&Reduction]) -> bool {
    rows.iter().any(|row| gives_as_many(row, reduction))
}

/// Whether one reduction has as many results as another one has elements.
fn gives_as_many(reduction: &Reduction, other: &Reduction) -> bool {
    let product = |numbers: &[Nat]| numbers.iter().fold(Nat::one(), |product, number| product * number);
    product(&reduction.work_items) == product(&other.work_items) * &other.length
}

/// The number of rows of its own that a work-item reads side by side.
fn rows_read(reduction: &Reduction) -> i128 {
    let own = |load: &&Load| load.along == Stride::One && no_row_of_load(load).is_none();
    i128::try_from(reduction.loads.iter().filter(own).count()).unwrap_or(1).max(1)
}

/// Whether a number may be at least this.
pub(super) fn may_have(length: &Nat, least: i128) -> bool {
    length.as_constant().is_none_or(|length| length >= least)
}

/// The classes that none of these reductions is of, with the reason for each reduction.
pub(super) fn left_out(program: &Program, reductions: &[Reduction]) -> Vec<LeftOut> {
    let least = least_kept(program, reductions);
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
