//! Reductions that work-items share: of rows, each by a group, and of a whole array by two kernels.
//!
//! The work-items of a group take the elements in turn, so that neighbours read neighbours, and leave their
//! results in local memory (Harris, *Optimizing parallel reduction in CUDA*, 2007; CGO 2017, figure 7). A few
//! work-items reduce these in the same way, and all of them what is left: two barriers, where a tree of
//! halves has one for each level. The operator has to be associative and commutative. Rows may have any
//! length.

use super::super::mismatch::Mismatch;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind};
use super::super::rules;
use super::super::strategy::Strategy;
use super::NamedStrategy;
use super::parts::{at_reduction, in_dimension, sized, sizes};
use crate::ir::nat::Nat;
use crate::ir::typed::alpha::alpha_eq;
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
            Ok(rows_in_groups(items, &Kept::No).where_it_is(reductions).innermost())
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
            Ok(short_rows_in_groups(rows, items, &Kept::No).where_it_is(reductions).innermost())
        }
        _ => Err(Mismatch::Arguments),
    },
};

/// A group for several rows, which it keeps in registers.
pub const ROWS_IN_REGISTERS: NamedStrategy = NamedStrategy {
    name: "rowsInRegisters",
    summary: "The same as shortRowsInGroups, for rows of at most `room` elements: a row that is used several \
              times is read once, and each work-item keeps its elements of it in registers.",
    origin: "XLA's fused softmax; for several rows of any length that fits: new",
    parameters: &[("rows", Kind::Size), ("items", Kind::Size), ("room", Kind::Size)],
    make: |_, arguments| {
        let [rows, items, room] = sizes(arguments)?;
        let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
        let kept = Kept::Registers { room, width: 1 };
        Ok(several_rows(&rows, &items, &kept).where_it_is(reductions).innermost())
    },
};

/// A group for several rows, whose elements it loads at once.
pub const ROWS_AT_ONCE: NamedStrategy = NamedStrategy {
    name: "rowsAtOnce",
    summary: "The same as shortRowsInGroups, for rows of at most `room` elements: each work-item loads all its \
              elements of a row before it needs the first.",
    origin: "`GuardWithIf` of Halide (PLDI 2013), for several rows of any length that fits: new",
    parameters: &[("rows", Kind::Size), ("items", Kind::Size), ("room", Kind::Size)],
    make: |_, arguments| {
        let [rows, items, room] = sizes(arguments)?;
        let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
        Ok(several_rows(&rows, &items, &Kept::Once(room)).where_it_is(reductions).innermost())
    },
};

/// A group for several rows, which it keeps in registers as vectors.
pub const ROWS_IN_VECTOR_REGISTERS: NamedStrategy = NamedStrategy {
    name: "rowsInVectorRegisters",
    summary: "The same as rowsInRegisters, for rows that vectors of `width` elements fill: work-items load, \
              compute and store vectors.",
    origin: "XLA's fused softmax; CGO 2017, section 3.2 (vectors)",
    parameters: &[("rows", Kind::Size), ("items", Kind::Size), ("room", Kind::Size), ("width", Kind::Width)],
    make: |_, arguments| match arguments {
        [Argument::Size(rows), Argument::Size(items), Argument::Size(room), Argument::Width(width)] => {
            let reductions = Pattern::map_of_reductions(MapKind::Unspecified);
            let kept = Kept::Registers { room: room.clone(), width: *width };
            Ok(several_rows(rows, items, &kept).where_it_is(reductions).innermost())
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
            Ok(rows_in_groups(items, &Kept::Local(room.clone())).where_it_is(reductions).innermost())
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
            Ok(short_rows_in_groups(rows, items, &Kept::Local(room.clone()))
                .where_it_is(reductions)
                .innermost())
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
        rows_in_groups(&combining, &Kept::No).in_input(),
    ]);
    let in_two_kernels = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        Strategy::with(&rules::PARTIAL_REDUCE_UNEVEN, Argument::Size(piece)),
        rows_in_groups(items, &Kept::No).in_input(),
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

/// A map whose function reduces arrays, once or several times: a group computes each of its elements.
fn rows_in_groups(items: &Nat, kept: &Kept) -> Strategy {
    shared_rows(items, kept, &in_dimension(&rules::MAP_WRG, 0))
}

/// The same for several elements, each by the work-items of a row of the group.
fn short_rows_in_groups(rows: &Nat, items: &Nat, kept: &Kept) -> Strategy {
    let row = shared_rows(items, kept, &in_dimension(&rules::MAP_LCL, 1));
    Strategy::in_order([
        sized(&rules::SPLIT_JOIN_UNEVEN, rows),
        Strategy::in_order([in_dimension(&rules::MAP_WRG, 0), row.in_function()]).in_input(),
    ])
}

/// Groups for this number of rows.
fn several_rows(rows: &Nat, items: &Nat, kept: &Kept) -> Strategy {
    let groups = match rows.as_constant() {
        Some(1) => rows_in_groups(items, kept),
        _ => short_rows_in_groups(rows, items, kept),
    };
    match kept {
        // Said of all rows at once, the bound holds for rows of different lengths, too.
        Kept::Registers { room, width } => {
            let bounded = sized(&rules::ROWS_OF_AT_MOST, room).tried();
            let vectors = if *width > 1 { in_vectors(*width) } else { Strategy::Sequence(Vec::new()) };
            Strategy::in_order([bounded, vectors, groups])
        }
        Kept::No | Kept::Local(_) | Kept::Once(_) => groups,
    }
}

/// A map whose function reduces arrays. `workers` gives it its workers, and work-items share the reductions.
fn shared_rows(items: &Nat, kept: &Kept, workers: &Strategy) -> Strategy {
    let computed_once = Strategy::rule(&rules::LET_STAGE).outermost().in_function().repeated(MOST_REDUCTIONS);
    let open = Pattern::Reduce(ReduceKind::Unspecified);
    let (reduction, shared) = match kept {
        Kept::No => (shared_among(items), among_items(workers)),
        Kept::Local(room) => (shared_among(items), among_items_with_copies(workers, room)),
        Kept::Registers { room, .. } => {
            (shared_among(items), among_items_with_registers(workers, items, room))
        }
        Kept::Once(room) => (filled_and_shared_among(items, room), among_filled_items(workers, items, room)),
    };
    let of_one_value = |singled: Strategy| {
        Strategy::in_order([
            singled.in_function(),
            Strategy::rule(&rules::MAP_OF_HEAD),
            shared.clone().in_input(),
        ])
        .where_it_is(Pattern::Map(MapKind::Unspecified).with_body(Pattern::Element))
    };
    let singled = Strategy::rule(&rules::REDUCE_TO_ARRAY).outermost();
    // What is made of several reductions that `let`s bind.
    let made_of_several = Strategy::rule(&rules::VALUE_TO_ARRAY).at_result();
    Strategy::in_order([
        computed_once,
        reduction.where_it_is(open).outside_functions().in_function(),
        Strategy::Choice(vec![
            of_one_value(singled.clone().at_result()),
            of_one_value(made_of_several),
            of_one_value(singled),
            shared,
        ]),
    ])
}

/// The rows of a map are vectors, and so is everything that its function makes of their elements.
fn in_vectors(width: u8) -> Strategy {
    let everywhere = |strategy: Strategy| strategy.outside_functions().in_function();
    let rules = [
        &rules::AS_SCALAR_AFTER_MAP,
        &rules::AS_SCALAR_AFTER_LET,
        &rules::REDUCE_VECTORS,
        &rules::REMOVE_INVERSES,
    ];
    Strategy::in_order([
        Strategy::with(&rules::ROWS_OF_VECTORS, Argument::Width(width)),
        everywhere(Strategy::rule(&rules::REDUCE_MAP_FISSION)).tried(),
        everywhere(Strategy::Choice(rules.map(Strategy::rule).into())).repeated(MOST_VECTORS),
    ])
}

/// The most steps by which scalars become vectors.
const MOST_VECTORS: u32 = 16;

/// The same for a map over arrays of at most `room` elements, which the work-items of a group copy first.
fn among_items_with_copies(workers: &Strategy, room: &Nat) -> Strategy {
    let copy = vec![
        Argument::Space(AddressSpace::Local),
        Argument::Map(MapKind::Local(0)),
        Argument::Map(MapKind::Sequential),
        Argument::Width(1),
    ];
    Strategy::in_order([
        sized(&rules::ROWS_OF_AT_MOST, room),
        among_items(workers),
        Strategy::Apply(&rules::COPY_ELEMENTS, copy),
    ])
}

/// The same, with registers for `room` elements. The elements of a result that is an array are computed by
/// the work-items that have what they are made of.
fn among_items_with_registers(workers: &Strategy, items: &Nat, room: &Nat) -> Strategy {
    let dealt = Strategy::in_order([sized(&rules::DEAL_OUT, items), own_elements().in_input()]);
    let of_vectors = dealt.clone().in_input().where_it_is(Pattern::AsScalar);
    let single = elements_in_turn().where_it_is(Pattern::Single);
    let keep = |rule| {
        let arguments = [items, room].map(|size| Argument::Size(size.clone())).into();
        Strategy::Apply(rule, arguments).in_function().repeated(MOST_KEPT)
    };
    Strategy::in_order([
        shared_by(workers, Strategy::Choice(vec![single, of_vectors, dealt, one_value()])),
        // What is computed of rows first: it takes them.
        keep(&rules::KEEP_BOUND),
        keep(&rules::KEEP_ROW),
    ])
}

/// The same for arrays that are filled up to `room` elements, and so are results.
fn among_filled_items(workers: &Strategy, items: &Nat, room: &Nat) -> Strategy {
    let filled = Strategy::in_order([sized(&rules::FILL_UP, room), side_by_side(items).in_input()]);
    // Below the `slice`, the `join` and the `transpose`.
    let array = Strategy::in_order([filled, own_elements().in_input().in_input().in_input()]);
    shared_by(workers, Strategy::Choice(vec![array, one_value()]))
}

/// A map of arrays: each work-item computes the elements of its own one.
fn own_elements() -> Strategy {
    Strategy::in_order([
        in_dimension(&rules::MAP_LCL, 0),
        Strategy::rule(&rules::MAP_SEQ).in_function(),
        Strategy::rule(&rules::TO_GLOBAL),
    ])
}

/// Registers have room for a few arrays.
const MOST_KEPT: u32 = 4;

/// The reductions of a map whose elements are tuples with several of them get names: what is made of them is
/// one value then, which one work-item writes. `None` for other maps.
pub(crate) fn reductions_bound(map: &Expr) -> Option<Strategy> {
    let body = map.function_body().filter(|body| matches!(body.kind, ExprKind::Tuple(_)))?;
    let mut found = Vec::new();
    collect_reductions(body, &Path::root(), &mut found);
    let is_several = found.len() > 1;
    // Each comes before the body of those that have a name already.
    let bind = |(bound, (place, _))| {
        let bind = Strategy::with(&rules::LET_INTRODUCE, Argument::Place(place));
        let after = match bound {
            0 => Path::root(),
            _ => Path::root().child(bound),
        };
        Strategy::At(after, Box::new(bind))
    };
    let steps = found.into_iter().enumerate().map(bind).collect();
    is_several.then(|| Strategy::Sequence(steps).in_function().tried())
}

/// The different reductions that stand in no function, with the first place of each.
fn collect_reductions<'e>(expr: &'e Expr, here: &Path, found: &mut Vec<(Path, &'e Expr)>) {
    if let ExprKind::Reduce(ReduceKind::Unspecified, ..) = expr.kind {
        if !found.iter().any(|(_, other)| alpha_eq(other, expr)) {
            found.push((here.clone(), expr));
        }
        return;
    }
    for (position, child) in expr.children().enumerate() {
        if !expr.is_function_body(position) {
            collect_reductions(child, &here.child(position), found);
        }
    }
}

/// How groups share rows.
pub(crate) struct RowGroups {
    /// The rows of a group.
    pub(crate) rows: Nat,
    /// The work-items for each row.
    pub(crate) items: Nat,
    /// Where the rows are while the group computes with them.
    pub(crate) kept: Kept,
}

/// Where a group has the rows that it computes with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In global memory.
    No,
    /// In local memory, with room for this many elements of a row.
    Local(Nat),
    /// In the registers of the work-items.
    Registers {
        /// How many elements of a row there is room for.
        room: Nat,
        /// The width of the vectors that the elements are kept in; 1 for scalars.
        width: u8,
    },
    /// Nowhere: work-items load all their elements at once, of rows with at most this number of them.
    Once(Nat),
}

/// The same for the innermost of several maps, at the place `map`, with groups in as many dimensions as there
/// are maps. `outer` are the places of the maps around it.
pub(crate) fn rows_in_grid_of_groups(map: &Path, outer: &[Path], groups: &RowGroups) -> Strategy {
    let RowGroups { rows, items, kept } = groups;
    let at = |place: &Path, strategy| Strategy::At(place.clone(), Box::new(strategy));
    let is_one = rows.as_constant() == Some(1);
    let (name, sizes, width) = match (kept, is_one) {
        (Kept::No, true) => (ROWS_IN_GROUPS.name, vec![items], 1),
        (Kept::No, false) => (SHORT_ROWS_IN_GROUPS.name, vec![rows, items], 1),
        (Kept::Local(room), true) => (KEPT_ROWS_IN_GROUPS.name, vec![items, room], 1),
        (Kept::Local(room), false) => (KEPT_SHORT_ROWS_IN_GROUPS.name, vec![rows, items, room], 1),
        (Kept::Registers { room, width: 1 }, _) => (ROWS_IN_REGISTERS.name, vec![rows, items, room], 1),
        (Kept::Once(room), _) => (ROWS_AT_ONCE.name, vec![rows, items, room], 1),
        (Kept::Registers { room, width }, _) => {
            (ROWS_IN_VECTOR_REGISTERS.name, vec![rows, items, room], *width)
        }
    };
    let width = (width > 1).then_some(Argument::Width(width));
    let arguments = sizes.into_iter().cloned().map(Argument::Size).chain(width).collect();
    let mut steps = vec![at(map, several_rows(rows, items, kept))];
    for (dimension, place) in (1..).zip(outer.iter().rev()) {
        steps.push(at(place, in_dimension(&rules::MAP_WRG, dimension)));
    }
    Strategy::Sequence(steps).named(name, arguments)
}

/// More reductions that mention nothing of the functions around them stay where they are.
const MOST_REDUCTIONS: u32 = 8;

/// Each of `items` work-items reduces elements on its own. Some of them reduce the results, and each
/// work-item what these leave: all need it, and two barriers will do.
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

/// The same for reductions of at most `room` elements: each work-item takes the same number of them, which is
/// a constant.
pub(super) fn filled_and_shared_among(items: &Nat, room: &Nat) -> Strategy {
    let few = items.as_constant().and_then(rules::combining).map_or(items.clone(), Nat::constant);
    Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        sized(&rules::FILL_UP_REDUCE, room),
        sized(&rules::CYCLIC_REDUCE, items),
        sized(&rules::CYCLIC_REDUCE, &few),
        Strategy::rule(&rules::REDUCE_SEQ),
    ])
}

/// A map of all columns: each work-item takes every `items`-th of them.
pub(super) fn side_by_side(items: &Nat) -> Strategy {
    Strategy::in_order([
        sized(&rules::SPLIT_JOIN, items),
        Strategy::rule(&rules::TRANSPOSE_BOTH_SIDES).in_input(),
    ])
}

/// What each work-item reduces, or combines of what others have left, stays in local memory.
pub(super) fn by_item() -> Strategy {
    Strategy::in_order([
        in_dimension(&rules::MAP_LCL, 0),
        Strategy::in_order([Strategy::rule(&rules::REDUCE_SEQ), Strategy::rule(&rules::TO_LOCAL)])
            .in_function(),
    ])
    .where_it_is(Pattern::Map(MapKind::Unspecified).with_body(Pattern::Reduce(ReduceKind::Unspecified)))
    .outside_functions()
}

/// A map of such reductions, with its workers. The work-items share the elements of the result.
fn among_items(workers: &Strategy) -> Strategy {
    shared_by(workers, Strategy::Choice(vec![elements_in_turn(), one_value()]))
}

/// A map whose elements the work-items of a group compute in turn.
fn elements_in_turn() -> Strategy {
    Strategy::in_order([in_dimension(&rules::MAP_LCL, 0), Strategy::rule(&rules::TO_GLOBAL)])
}

/// A result that is one value, or is there already: work-items copy it.
fn one_value() -> Strategy {
    let copy = vec![Argument::Space(AddressSpace::Global), Argument::Map(MapKind::Local(0))];
    Strategy::Apply(&rules::COPY_TO, copy)
}

/// A map of such reductions, with its workers. `array` says who computes an array that is a result, or one of
/// several; numbers, and arrays of a few of them, are there already: the first work-item writes them.
fn shared_by(workers: &Strategy, array: Strategy) -> Strategy {
    let nobody = Strategy::Sequence(Vec::new());
    let array = Strategy::Choice(vec![nobody.where_it_is(Pattern::ArrayLiteral), array]);
    let result = Strategy::Choice(vec![array.clone(), array.in_components()]);
    Strategy::in_order([workers.clone(), Strategy::in_order([by_item(), result.at_result()]).in_function()])
}
