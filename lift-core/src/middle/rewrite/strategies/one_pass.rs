//! Rows that are reduced, and then add something to every column: `A^T (A x)`, the gradient of a sum over the
//! rows of a matrix. The rows are read once (`onePass`).
//!
//! A group takes rows one after the other, and its work-items share each: they keep it in registers while
//! they reduce it, and then add it to the sums of the columns, which stay in registers until the group has
//! taken its last row. While a row is computed with, the next one is loaded. A second kernel adds up what the
//! groups leave for each column. Rows are filled up, so that the numbers of registers are constants for any
//! length.

use super::super::mismatch::Mismatch;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind};
use super::super::rules;
use super::super::strategy::Strategy;
use super::NamedStrategy;
use super::columns::{first_reduction, results};
use super::parts::{at_next_map, at_reduction, cancelled, in_dimension, place, sized, sizes};
use super::reductions::{by_item, filled_and_shared_among, side_by_side};
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, MapKind, Path, Program, ReduceKind};

/// Two kernels: groups take rows, and work-items the results for each column.
pub const ONE_PASS_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "onePassInGroups",
    summary: "At most `groups` groups of `items` work-items read each row of at most `room` elements once: they \
              reduce it, and combine its elements with the reductions of the columns.",
    origin: "register blocking (GPGPU 2016) of a reduction that a group shares (CGO 2017, figure 7); for rows \
             that are reduced and added up in one pass: new",
    parameters: &[("groups", Kind::Size), ("items", Kind::Size), ("room", Kind::Size)],
    make: one_pass_in_groups,
};

fn one_pass_in_groups(program: &Program, arguments: &[Argument]) -> Result<Strategy, Mismatch> {
    let [groups, items, room] = sizes(arguments)?;
    let Some((place, rows)) = columns(&program.body) else {
        return Err(Mismatch::form("a program that reduces columns at last", &program.body, 0));
    };
    let piece = (rows + &groups - Nat::one()).divide(&groups);
    Ok(Strategy::in_order([
        by_rows(),
        at_reduction(sized(&rules::PARTIAL_REDUCE_LANES, &piece)),
        // What follows each reduction.
        Strategy::rule(&rules::MAP_FUSION).tried().at_result(),
        at_next_map(Strategy::in_order([
            chunks(&items, &room).in_input().in_input(),
            results(&place, COLUMNS),
        ])),
    ]))
}

/// The place of the reduction in the function of the last map of a program, and the number of its elements.
fn columns(expr: &Expr) -> Option<(Path, &Nat)> {
    match &expr.kind {
        ExprKind::Let { body, .. } => columns(body),
        // All columns at once.
        ExprKind::Reduce(ReduceKind::Unspecified, _, _, array) if expr.ty.as_array().is_some() => {
            Some((Path::root(), &array.ty.as_array()?.length))
        }
        _ if Pattern::map_of_reductions(MapKind::Unspecified).matches(expr) => {
            let (place, reduction) = first_reduction(expr.function_body()?, &Path::root())?;
            let ExprKind::Reduce(_, _, _, array) = &reduction.kind else { return None };
            Some((place, &array.ty.as_array()?.length))
        }
        _ => expr.children().find_map(|child| columns(child)),
    }
}

/// The reductions of all columns become one of the rows, which computes what is needed of a row when it
/// comes.
fn by_rows() -> Strategy {
    let fused = Strategy::rule(&rules::REDUCE_MAP_FUSION).outermost().in_function().tried();
    let interchanged =
        Strategy::in_order([fused, Strategy::rule(&rules::MAP_REDUCE_INTERCHANGE), cancelled()]);
    let interchanged = at_next_map(interchanged).at_result().tried();
    Strategy::in_order([interchanged, Strategy::rule(&rules::ONE_PASS).outermost()])
}

/// Groups take chunks of rows. The columns that are added are left out when the results are read.
fn chunks(items: &Nat, room: &Nat) -> Strategy {
    Strategy::in_order([
        sized(&rules::FILL_UP_LANES, room).in_function(),
        Strategy::with(&rules::MAP_FISSION, place(&[0])),
        Strategy::in_order([in_dimension(&rules::MAP_WRG, 0), chunk(items, room).in_function()]).in_input(),
    ])
}

/// The columns for a group that puts the results of groups together: those that a GPU reads in lockstep.
const COLUMNS: i128 = 32;

/// Registers have room for one more array beside the row, the next row and the sums.
const MOST_KEPT: u32 = 1;

/// The rows of a chunk, by a group.
fn chunk(items: &Nat, room: &Nat) -> Strategy {
    let workers =
        Strategy::in_order([in_dimension(&rules::MAP_LCL, 0), Strategy::rule(&rules::MAP_SEQ).in_function()]);
    let copy = vec![Argument::Space(AddressSpace::Global), Argument::Map(MapKind::Local(0))];
    let lanes = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_SEQ_PIPELINED),
        workers.at_result().in_function(),
        Strategy::Apply(&rules::COPY_TO, copy),
    ]);
    Strategy::in_order([
        Strategy::in_order([
            sized(&rules::COPY_FILLED, items),
            reduced(items, room),
            side_by_side(items).at_result(),
        ])
        .in_function(),
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT).outermost(),
        Strategy::rule(&rules::ACCUMULATOR_LAYOUT).outermost(),
        Strategy::rule(&rules::LAYOUT_OF_REPEAT).outermost().repeated(2),
        lanes.where_it_is(Pattern::AnyReduce).outermost(),
        // What all rows are combined with.
        Strategy::Apply(&rules::KEEP_ZIPPED, [items, room].map(|size| Argument::Size(size.clone())).into())
            .repeated(MOST_KEPT),
    ])
}

/// The reductions of a row: each work-item reduces its elements, some of them the results, and all of them
/// what these leave.
fn reduced(items: &Nat, room: &Nat) -> Strategy {
    let open = Pattern::Reduce(ReduceKind::Unspecified);
    let shared = filled_and_shared_among(items, room).where_it_is(open).outside_functions();
    Strategy::in_order([shared, by_item()])
}
