//! Reductions that work-items share: of rows, each by a group, and of a whole array by two kernels.
//!
//! The work-items of a group take the elements in turn, so that neighbours read neighbours, and leave their
//! results in local memory (Harris, *Optimizing parallel reduction in CUDA*, 2007; CGO 2017, figure 7). A few
//! work-items reduce these in the same way, and all of them what is left: two barriers, where a tree of halves
//! has one for each level. The operator has to be associative and commutative. Rows may have any length.

use super::super::mismatch::Mismatch;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind};
use super::super::rules;
use super::super::strategy::Strategy;
use super::NamedStrategy;
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, MapKind, Path, Program, ReduceKind};

/// A group for each row.
pub const ROWS_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "rowsInGroups",
    summary: "A group of `items` work-items computes each reduction of a map of reductions.",
    origin: "CGO 2017, figure 7; for rows of any length: new",
    parameters: &[("items", Kind::Size)],
    make: |_, arguments| match arguments {
        [Argument::Size(items)] => {
            let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
            Ok(rows_in_groups(items, None).where_it_is(reductions).innermost())
        }
        _ => Err(Mismatch::Arguments),
    },
};

/// A group for several rows.
pub const SHORT_ROWS_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "shortRowsInGroups",
    summary: "A group computes `rows` reductions of a map of reductions, each by `items` work-items.",
    origin: "XLA's emitter of row reductions; for rows of any length and any number: new",
    parameters: &[("rows", Kind::Size), ("items", Kind::Size)],
    make: |_, arguments| match arguments {
        [Argument::Size(rows), Argument::Size(items)] => {
            let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
            Ok(short_rows_in_groups(rows, items, None).where_it_is(reductions).innermost())
        }
        _ => Err(Mismatch::Arguments),
    },
};

/// A group for each row, which it keeps in local memory.
pub const KEPT_ROWS_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "keptRowsInGroups",
    summary: "The same as rowsInGroups, for rows of at most `room` elements, which a group reads once and \
              keeps in local memory.",
    origin: "XLA's fused softmax; for rows of any length that fits: new",
    parameters: &[("items", Kind::Size), ("room", Kind::Size)],
    make: |_, arguments| match arguments {
        [Argument::Size(items), Argument::Size(room)] => {
            let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
            Ok(rows_in_groups(items, Some(room)).where_it_is(reductions).innermost())
        }
        _ => Err(Mismatch::Arguments),
    },
};

/// A group for several rows, which it keeps in local memory.
pub const KEPT_SHORT_ROWS_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "keptShortRowsInGroups",
    summary: "The same as shortRowsInGroups, for rows of at most `room` elements, which a group reads once \
              and keeps in local memory.",
    origin: "XLA's fused softmax; for several rows of any length that fits: new",
    parameters: &[("rows", Kind::Size), ("items", Kind::Size), ("room", Kind::Size)],
    make: |_, arguments| match arguments {
        [Argument::Size(rows), Argument::Size(items), Argument::Size(room)] => {
            let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
            Ok(short_rows_in_groups(rows, items, Some(room)).where_it_is(reductions).innermost())
        }
        _ => Err(Mismatch::Arguments),
    },
};

/// Two kernels: groups reduce pieces of the array, and one group what they leave.
pub const REDUCE_IN_GROUPS: NamedStrategy = NamedStrategy {
    name: "reduceInGroups",
    summary: "At most `groups` groups of `items` work-items reduce pieces of an array; one group reduces \
              their results.",
    origin: "ICFP 2015, section 4.1 (partial reduction); Harris 2007; for any length: new",
    parameters: &[("groups", Kind::Size), ("items", Kind::Size)],
    make: reduce_in_groups,
};

fn reduce_in_groups(program: &Program, arguments: &[Argument]) -> Result<Strategy, Mismatch> {
    let [Argument::Size(groups), Argument::Size(items)] = arguments else {
        return Err(Mismatch::Arguments);
    };
    let Some(length) = first_reduced(&program.body) else {
        return Err(Mismatch::form("a program with a `reduce` of an array", &program.body, 0));
    };
    let piece = (length + groups - Nat::one()).divide(groups);
    // Work-items without a result to combine would need an identity of the operator.
    let combining = match (items.as_constant(), groups.as_constant()) {
        (Some(items), Some(groups)) if 0 < groups && groups < items => Nat::constant(1 << groups.ilog2()),
        _ => items.clone(),
    };
    let results = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_IN_ONE_ROW),
        rows_in_groups(&combining, None).in_input(),
    ]);
    let in_two_kernels = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        Strategy::with(&rules::PARTIAL_REDUCE_UNEVEN, Argument::Size(piece)),
        rows_in_groups(items, None).in_input(),
        results,
    ]);
    // The result may be asked for as an array.
    let as_array = Strategy::rule(&rules::ARRAY_OF_HEAD).outermost().tried();
    Ok(Strategy::in_order([at_reduction(in_two_kernels), as_array]))
}

/// The length of the first array that is reduced, outer ones first.
fn first_reduced(expr: &Expr) -> Option<&Nat> {
    match &expr.kind {
        ExprKind::Reduce(_, _, _, array) => array.ty.as_array().map(|array| &array.length),
        _ => expr.children().find_map(|child| first_reduced(child)),
    }
}

fn at_reduction(strategy: Strategy) -> Strategy {
    strategy.where_it_is(Pattern::AnyReduce).outermost()
}

/// A map whose function reduces arrays, once or several times: a group computes each of its elements. Where
/// local memory has `room`, it keeps what it reads there.
fn rows_in_groups(items: &Nat, room: Option<&Nat>) -> Strategy {
    shared_rows(items, room, &Strategy::with(&rules::MAP_WRG, Argument::Dimension(0)))
}

/// The same for several elements, each by the work-items of a row of the group.
fn short_rows_in_groups(rows: &Nat, items: &Nat, room: Option<&Nat>) -> Strategy {
    let row = shared_rows(items, room, &Strategy::with(&rules::MAP_LCL, Argument::Dimension(1)));
    Strategy::in_order([
        Strategy::with(&rules::SPLIT_JOIN_UNEVEN, Argument::Size(rows.clone())),
        Strategy::in_order([Strategy::with(&rules::MAP_WRG, Argument::Dimension(0)), row.in_function()])
            .in_input(),
    ])
}

/// A map whose function reduces arrays. `workers` gives it its workers, and work-items share the reductions.
fn shared_rows(items: &Nat, room: Option<&Nat>, workers: &Strategy) -> Strategy {
    let computed_once = Strategy::rule(&rules::LET_STAGE).outermost().in_function().repeated(MOST_REDUCTIONS);
    let open = Pattern::Reduce(ReduceKind::Unspecified);
    let shared = match room {
        None => among_items(workers),
        Some(room) => among_items_with_copies(workers, room),
    };
    let of_one_value = |singled: Strategy| {
        Strategy::in_order([
            singled.in_function(),
            Strategy::rule(&rules::MAP_OF_HEAD),
            shared.clone().in_input(),
        ])
    };
    let singled = Strategy::rule(&rules::REDUCE_TO_ARRAY).outermost();
    Strategy::in_order([
        computed_once,
        shared_among(items).where_it_is(open).outside_functions().in_function(),
        Strategy::Choice(vec![of_one_value(singled.clone().at_result()), of_one_value(singled), shared]),
    ])
}

/// The same for a map over arrays of at most `room` elements, which the work-items of a group copy first.
fn among_items_with_copies(workers: &Strategy, room: &Nat) -> Strategy {
    let copy = vec![
        Argument::Space(AddressSpace::Local),
        Argument::Map(MapKind::Local(0)),
        Argument::Map(MapKind::Sequential),
        Argument::Width(1),
    ];
    Strategy::in_order([
        Strategy::with(&rules::ROWS_OF_AT_MOST, Argument::Size(room.clone())),
        among_items(workers),
        Strategy::Apply(&rules::COPY_ELEMENTS, copy),
    ])
}

/// How groups share rows.
pub(crate) struct RowGroups {
    /// The rows of a group.
    pub(crate) rows: Nat,
    /// The work-items for each row.
    pub(crate) items: Nat,
    /// The elements of a row that local memory has room for, where rows are kept there.
    pub(crate) room: Option<Nat>,
}

/// The same for the innermost of several maps, at the place `map`, with groups in as many dimensions as there
/// are maps. `outer` are the places of the maps around it.
pub(crate) fn rows_in_grid_of_groups(map: &Path, outer: &[Path], groups: &RowGroups) -> Strategy {
    let RowGroups { rows, items, room } = groups;
    let at = |place: &Path, strategy| Strategy::At(place.clone(), Box::new(strategy));
    let room = room.as_ref();
    let (name, kept_name, mut arguments, strategy) = match rows.as_constant() {
        Some(1) => {
            let strategy = rows_in_groups(items, room);
            (ROWS_IN_GROUPS.name, KEPT_ROWS_IN_GROUPS.name, vec![items], strategy)
        }
        _ => {
            let strategy = short_rows_in_groups(rows, items, room);
            (SHORT_ROWS_IN_GROUPS.name, KEPT_SHORT_ROWS_IN_GROUPS.name, vec![rows, items], strategy)
        }
    };
    arguments.extend(room);
    let name = if room.is_some() { kept_name } else { name };
    let mut steps = vec![at(map, strategy)];
    for (dimension, place) in (1..).zip(outer.iter().rev()) {
        steps.push(at(place, Strategy::with(&rules::MAP_WRG, Argument::Dimension(dimension))));
    }
    Strategy::Sequence(steps).named(name, arguments.into_iter().cloned().map(Argument::Size).collect())
}

/// More reductions that mention nothing of the functions around them stay where they are.
const MOST_REDUCTIONS: u32 = 8;

/// Each of `items` work-items reduces elements on its own. Some of them reduce the results, and each work-item
/// what these leave: all need it, and two barriers will do.
fn shared_among(items: &Nat) -> Strategy {
    let fused = Strategy::in_order([
        Strategy::rule(&rules::MAP_F_BEFORE_DEINTERLEAVE).in_input(),
        Strategy::rule(&rules::MAP_FUSION),
        Strategy::rule(&rules::REDUCE_MAP_FUSION).in_function(),
    ]);
    Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        Strategy::with(&rules::CYCLIC_REDUCE, Argument::Size(items.clone())),
        fused.tried().in_input(),
        items.as_constant().and_then(rules::combining).map_or(Strategy::Sequence(Vec::new()), |few| {
            Strategy::with(&rules::CYCLIC_REDUCE, Argument::Size(Nat::constant(few)))
        }),
        Strategy::rule(&rules::REDUCE_SEQ),
    ])
}

/// A map of such reductions, with its workers. What a work-item reduces or combines stays in local memory,
/// and the work-items share the elements of the result.
fn among_items(workers: &Strategy) -> Strategy {
    let by_item = Strategy::with(&rules::MAP_LCL, Argument::Dimension(0));
    let kept = Strategy::in_order([Strategy::rule(&rules::REDUCE_SEQ), Strategy::rule(&rules::TO_LOCAL)]);
    let reductions = Strategy::in_order([by_item.clone(), kept.in_function()])
        .where_it_is(Pattern::Map(MapKind::Unspecified).with_body(Pattern::Reduce(ReduceKind::Unspecified)));
    let result = Strategy::Choice(vec![
        Strategy::in_order([by_item, Strategy::rule(&rules::TO_GLOBAL)]),
        Strategy::Apply(
            &rules::COPY_TO,
            vec![Argument::Space(AddressSpace::Global), Argument::Map(MapKind::Local(0))],
        ),
    ]);
    Strategy::in_order([
        workers.clone(),
        Strategy::in_order([reductions.outside_functions(), result.at_result()]).in_function(),
    ])
}
