//! Tests of where barriers stand, on hand-made kernels.

mod rows;

use super::*;
use crate::ir::kernel::examples::in_order;
use crate::ir::kernel::{self, BufferRole, Order, Unrolling, Variable};
use crate::ir::scalar::{Literal, ScalarType};
use crate::options::Barriers;

const ITEMS: i128 = 64;

fn buffers() -> Vec<Buffer> {
    let buffer = |name: &str, role| Buffer {
        name: name.into(),
        element: ScalarType::F32,
        length: Nat::constant(ITEMS),
        role,
    };
    vec![
        buffer("input", BufferRole::Parameter(0)),
        buffer("tile", BufferRole::Local),
        buffer("result", BufferRole::Result(0)),
        buffer("temporary", BufferRole::Temporary(0)),
        buffer("other_tile", BufferRole::Local),
    ]
}

const INPUT: BufferId = BufferId(0);
const TILE: BufferId = BufferId(1);
const RESULT: BufferId = BufferId(2);
const TEMPORARY: BufferId = BufferId(3);
const OTHER_TILE: BufferId = BufferId(4);

/// The memories that each barrier orders, in program order.
fn fences(body: &[Statement]) -> Vec<Vec<AddressSpace>> {
    let spaces = kernel::nested(body).filter_map(|statement| match statement {
        Statement::Barrier { spaces, .. } => Some(spaces.clone()),
        _ => None,
    });
    spaces.collect()
}

/// `for every work-item: to[to index] = from[from index]`
fn copy(id: u32, trip: Trip, from: (BufferId, fn(Nat) -> Nat), to: (BufferId, fn(Nat) -> Nat)) -> Statement {
    let item = Var::new(id, format!("l_id{id}"));
    let index = Nat::variable(&item);
    let value = Expression::Load(from.0, (from.1)(index.clone()), ScalarType::F32.into());
    Statement::Loop(Loop {
        workers: Workers::Local(0),
        index: item,
        extent: Nat::constant(ITEMS),
        trip,
        unrolling: Unrolling::AsItLikes,
        order: Order::Stated,
        origin: "mapLcl0".to_string(),
        source: Source::UNKNOWN,
        body: vec![Statement::Store(to.0, (to.1)(index), value)],
    })
}

fn in_time(id: u32, body: Vec<Statement>) -> Statement {
    let step = Var::new(id, format!("i{id}"));
    in_order(&step, Nat::constant(8), body)
}

fn same(index: Nat) -> Nat {
    index
}

fn reversed(index: Nat) -> Nat {
    Nat::constant(ITEMS - 1) - index
}

fn count(body: &[Statement]) -> usize {
    fences(body).len()
}

fn placed_for(
    local: [u64; 3],
    body: Vec<Statement>,
    barriers: Barriers,
) -> Result<Vec<Statement>, Unreachable> {
    let ranges = Ranges::new();
    let dimensions =
        (0u8..).zip(local).filter(|(_, items)| *items > 1).map(|(dimension, _)| dimension).collect();
    place_barriers(body, &buffers(), &Group { dimensions, ranges: &ranges, newest_variable: 1000 }, barriers)
}

fn placed(body: Vec<Statement>) -> Vec<Statement> {
    placed_for([64, 1, 1], body, Barriers::WhereNeeded).expect("every work-item arrives")
}

/// The place of a barrier that not all work-items would reach.
fn place_of_mistake(local: [u64; 3], body: Vec<Statement>) -> Option<Source> {
    placed_for(local, body, Barriers::WhereNeeded).err().map(|unreachable| unreachable.source)
}

#[test]
fn reading_what_another_work_item_wrote_needs_a_barrier() {
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TILE, same)),
        copy(2, Trip::One, (TILE, reversed), (RESULT, same)),
    ]);
    assert_eq!(count(&body), 1);
    assert!(matches!(&body[1], Statement::Barrier { spaces, .. } if spaces == &[AddressSpace::Local]));
}

#[test]
fn reading_back_what_the_same_work_item_wrote_needs_none() {
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TILE, same)),
        copy(2, Trip::One, (TILE, same), (RESULT, same)),
    ]);
    assert_eq!(count(&body), 0);
}

#[test]
fn a_tile_refilled_in_every_step_needs_a_barrier_before_it_is_read_and_one_before_it_is_refilled() {
    let body = placed(vec![in_time(
        9,
        vec![
            copy(1, Trip::One, (INPUT, same), (TILE, same)),
            copy(2, Trip::One, (TILE, reversed), (RESULT, same)),
        ],
    )]);
    assert_eq!(count(&body), 2);
}

#[test]
fn a_tile_with_two_halves_that_steps_use_by_turns_needs_one_barrier_a_step_and_one_where_the_steps_begin_again()
 {
    let here = |index| half(9, 0, index);
    let there = |index| half(9, 0, Nat::constant(ITEMS - 1) - index);
    let steps = || {
        vec![in_time(
            9,
            vec![
                copy(1, Trip::One, (INPUT, same), (TILE, here)),
                copy(2, Trip::One, (TILE, there), (RESULT, same)),
            ],
        )]
    };
    assert_eq!(count(&placed(steps())), 1);
    // The last inner iteration of one outer iteration and the first of the next may use the same half.
    assert_eq!(count(&placed(vec![in_time(8, steps())])), 2);
}

#[test]
fn halves_that_the_steps_of_one_loop_use_by_turns_do_not_keep_apart_the_steps_of_another() {
    // An iteration of the inner loop writes in one half where the next one reads in the other.
    fn place_of_step() -> Nat {
        Nat::constant(ITEMS) * Nat::variable(&Var::new(9, "i9"))
    }
    let before = |index| half(8, 0, Nat::constant(ITEMS - 1) - index) + place_of_step();
    let after = |index| half(8, 1, index) + place_of_step();
    let inner = in_time(9, vec![copy(1, Trip::One, (TILE, before), (TILE, after))]);
    let body = placed(vec![in_time(8, vec![inner])]);
    let [Statement::Loop(outer)] = body.as_slice() else { panic!("{body:?}") };
    let [Statement::Loop(inner)] = outer.body.as_slice() else { panic!("{body:?}") };
    assert!(matches!(inner.body.last(), Some(Statement::Barrier { .. })), "{body:?}");
}

#[test]
fn barriers_stand_between_loops_over_work_items_that_do_not_divide_evenly() {
    let body = placed(vec![
        copy(1, Trip::Any, (INPUT, same), (TILE, same)),
        copy(2, Trip::Any, (TILE, reversed), (RESULT, same)),
    ]);
    assert_eq!(count(&body), 1);
    assert!(matches!(body[1], Statement::Barrier { .. }));
}

#[test]
fn a_barrier_that_not_all_work_items_reach_is_refused() {
    let both = vec![
        copy(1, Trip::One, (INPUT, same), (TILE, same)),
        copy(2, Trip::One, (TILE, reversed), (RESULT, same)),
    ];
    let condition = Expression::Literal(Literal::Bool(true), ScalarType::Bool);
    let body = vec![Statement::If(condition, both, Vec::new())];
    assert_eq!(place_of_mistake([64, 1, 1], body), Some(Source::UNKNOWN));
}

#[test]
fn one_work_item_needs_no_barrier() {
    let body = vec![
        copy(1, Trip::Any, (INPUT, same), (TILE, same)),
        copy(2, Trip::Any, (TILE, reversed), (RESULT, same)),
    ];
    let body = placed_for([1, 1, 1], body, Barriers::WhereNeeded).expect("there is nobody to wait for");
    assert_eq!(count(&body), 0);
}

#[test]
fn writes_before_a_loop_that_may_run_no_step_are_still_pending_after_it() {
    let step = Var::new(7, "i");
    let copies = vec![
        copy(3, Trip::One, (INPUT, same), (TILE, same)),
        copy(4, Trip::One, (TILE, reversed), (RESULT, same)),
    ];
    let maybe = in_order(&step, Nat::variable(&Var::new(8, "N")), copies);
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TILE, same)),
        maybe,
        copy(2, Trip::One, (TILE, reversed), (RESULT, reversed)),
    ]);
    let before_the_last = body.iter().rev().nth(1);
    assert!(matches!(before_the_last, Some(Statement::Barrier { .. })), "{body:#?}");
}

/// A loop in time whose iterations may be the last ones.
fn ending_early(id: u32, source: Source, body: Vec<Statement>) -> Statement {
    match in_time(id, body) {
        Statement::Loop(repetition) => Statement::Loop(Loop { source, ..repetition }),
        other => other,
    }
}

/// Leaves the loop around unless an element holds, which all work-items read.
fn goes_on_if(buffer: BufferId) -> Statement {
    let element = Expression::Load(buffer, Nat::zero(), ScalarType::F32.into());
    Statement::BreakUnless(Expression::Cast(ScalarType::Bool, Box::new(element)))
}

#[test]
fn writes_before_a_loop_that_may_end_in_its_first_step_are_still_pending_after_it() {
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TILE, same)),
        ending_early(
            9,
            Source::UNKNOWN,
            vec![
                goes_on_if(INPUT),
                copy(3, Trip::One, (INPUT, same), (OTHER_TILE, same)),
                copy(4, Trip::One, (OTHER_TILE, reversed), (RESULT, same)),
            ],
        ),
        copy(2, Trip::One, (TILE, reversed), (RESULT, reversed)),
    ]);
    let before_the_last = body.iter().rev().nth(1);
    assert!(matches!(before_the_last, Some(Statement::Barrier { .. })), "{body:#?}");
}

#[test]
fn what_a_step_reads_before_it_is_the_last_one_is_still_pending_after_the_loop() {
    let body = placed(vec![
        ending_early(
            9,
            Source::UNKNOWN,
            vec![
                copy(3, Trip::One, (INPUT, same), (TILE, same)),
                goes_on_if(TILE),
                copy(4, Trip::One, (TILE, reversed), (RESULT, same)),
            ],
        ),
        copy(2, Trip::One, (INPUT, same), (TILE, same)),
    ]);
    // Steps have a barrier at their end, which the last one does not reach.
    assert!(matches!(body.as_slice(), [_, Statement::Barrier { .. }, _]), "{body:#?}");
}

#[test]
fn a_loop_that_some_work_items_may_leave_earlier_holds_no_barrier_and_is_named() {
    let steps = |source| {
        ending_early(
            9,
            source,
            vec![
                goes_on_if(INPUT),
                copy(3, Trip::One, (INPUT, same), (TILE, same)),
                copy(4, Trip::One, (TILE, reversed), (RESULT, same)),
            ],
        )
    };
    let in_rows = vec![rows(7, Trip::One, vec![steps(Source(7))])];
    assert_eq!(place_of_mistake([64, 8, 1], in_rows), Some(Source(7)));
    assert_eq!(place_of_mistake([64, 1, 1], vec![steps(Source(7))]), None);
}

#[test]
fn what_only_the_first_work_item_of_a_dimension_writes_needs_no_barrier_from_step_to_step() {
    let body = vec![in_time(9, vec![copy(1, Trip::Any, (INPUT, same), (RESULT, same))])];
    let body = placed_for([64, 2, 1], body, Barriers::WhereNeeded).expect("there is one writer");
    assert_eq!(count(&body), 0);
}

#[test]
fn an_element_that_one_work_item_writes_and_all_read_needs_a_barrier() {
    fn first(_: Nat) -> Nat {
        Nat::zero()
    }
    let mut write = copy(1, Trip::AtMostOne, (INPUT, first), (TILE, first));
    if let Statement::Loop(repetition) = &mut write {
        repetition.extent = Nat::one();
    }
    let body = placed(vec![write, copy(2, Trip::One, (TILE, first), (RESULT, same))]);
    assert_eq!(count(&body), 1);
}

#[test]
fn a_vector_and_a_scalar_at_one_address_are_not_the_same_elements() {
    // Every work-item writes four elements, and reads one of them or one of its neighbours' elements.
    let vectors = |id: u32, from: BufferId, to: BufferId, (stride, lanes): (i128, u8)| {
        let item = Var::new(id, format!("l_id{id}"));
        let index = Nat::constant(stride) * Nat::variable(&item);
        let ty = crate::ir::kernel::ValueType { scalar: ScalarType::F32, lanes };
        Statement::Loop(Loop {
            workers: Workers::Local(0),
            index: item,
            extent: Nat::constant(ITEMS),
            trip: Trip::One,
            unrolling: Unrolling::AsItLikes,
            order: Order::Stated,
            origin: "mapLcl0".to_string(),
            source: Source::UNKNOWN,
            body: vec![Statement::Store(to, index.clone(), Expression::Load(from, index, ty))],
        })
    };
    let widths =
        |written, read| placed(vec![vectors(1, INPUT, TILE, written), vectors(2, TILE, RESULT, read)]);
    assert_eq!(count(&widths((4, 4), (4, 4))), 0);
    assert_eq!(count(&widths((4, 4), (4, 1))), 0);
    assert_eq!(count(&widths((4, 4), (1, 1))), 1);
    assert_eq!(count(&widths((4, 4), (3, 1))), 1);
    assert_eq!(count(&widths((4, 4), (4, 8))), 1);
}

/// An index in a half of the buffer that depends on the iteration of the loop around: the half that it reads
/// (`later` is 0), or the one that it writes (1).
fn half(step: u32, later: i128, index: Nat) -> Nat {
    let step = Nat::variable(&Var::new(step, format!("i{step}")));
    (step + Nat::constant(later)).modulo(&Nat::constant(2)) * Nat::constant(ITEMS) + index
}

#[test]
fn the_halves_of_a_buffer_that_change_places_need_one_barrier_a_step() {
    let before = |index| half(9, 0, Nat::constant(ITEMS - 1) - index);
    let after = |index| half(9, 1, index);
    let body = placed(vec![in_time(9, vec![copy(1, Trip::One, (TILE, before), (TILE, after))])]);
    assert_eq!(count(&body), 1, "{body:?}");
    // Work-items with several iterations read one half while others write the other.
    let body = placed(vec![in_time(9, vec![copy(1, Trip::AnyUniform, (TILE, before), (TILE, after))])]);
    assert_eq!(count(&body), 1, "{body:?}");
}

#[test]
fn halves_that_do_not_change_places_need_a_barrier_between_reading_and_writing() {
    let here = |index| half(9, 0, index);
    let there = |index| half(9, 0, Nat::constant(ITEMS - 1) - index);
    let body = vec![
        copy(1, Trip::One, (TILE, there), (RESULT, same)),
        copy(2, Trip::One, (INPUT, same), (TILE, here)),
    ];
    let body = placed(vec![in_time(9, body)]);
    let [Statement::Loop(steps)] = body.as_slice() else { panic!("{body:?}") };
    // It also stands between what an iteration writes and what the next iteration but one reads in the same
    // half.
    assert!(matches!(steps.body.as_slice(), [_, Statement::Barrier { .. }, _]), "{body:?}");
}

#[test]
fn a_loop_that_is_longer_for_some_work_items_holds_no_barrier_and_is_named() {
    let item = Var::new(1, "l_id1");
    let row = Statement::Loop(Loop {
        workers: Workers::Sequential,
        index: Var::new(2, "i"),
        extent: Nat::variable(&item) + Nat::one(),
        trip: Trip::Any,
        origin: "mapSeq".to_string(),
        source: Source(7),
        unrolling: Unrolling::AsItLikes,
        order: Order::Stated,
        body: vec![
            copy(3, Trip::One, (INPUT, same), (TILE, same)),
            copy(4, Trip::One, (TILE, reversed), (RESULT, same)),
        ],
    });
    let rows = Statement::Loop(Loop {
        workers: Workers::Local(1),
        index: item,
        extent: Nat::constant(4),
        trip: Trip::One,
        origin: "mapLcl1".to_string(),
        source: Source::UNKNOWN,
        unrolling: Unrolling::AsItLikes,
        order: Order::Stated,
        body: vec![row],
    });
    assert_eq!(place_of_mistake([64, 4, 1], vec![rows]), Some(Source(7)));
}

#[test]
fn a_barrier_orders_no_memory_that_nobody_needs_ordered() {
    // The temporary is read, and this kernel has not written it.
    let body = placed(vec![
        copy(1, Trip::One, (TEMPORARY, reversed), (TILE, same)),
        copy(2, Trip::One, (TILE, reversed), (RESULT, same)),
    ]);
    assert_eq!(fences(&body), [[AddressSpace::Local]]);
    // It is written, and each work-item reads its own element.
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TEMPORARY, same)),
        copy(2, Trip::One, (INPUT, same), (TILE, same)),
        copy(3, Trip::One, (TILE, reversed), (OTHER_TILE, same)),
        copy(4, Trip::One, (TEMPORARY, same), (RESULT, same)),
    ]);
    assert_eq!(fences(&body), [[AddressSpace::Local]]);
}

#[test]
fn one_barrier_orders_two_memories_rather_than_two_barriers_one_each() {
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TEMPORARY, same)),
        copy(2, Trip::One, (INPUT, same), (TILE, same)),
        copy(3, Trip::One, (TILE, reversed), (RESULT, same)),
        copy(4, Trip::One, (TEMPORARY, reversed), (RESULT, same)),
    ]);
    assert_eq!(fences(&body), [[AddressSpace::Global, AddressSpace::Local]]);
}

#[test]
fn each_barrier_orders_what_it_is_there_for() {
    let body = placed(vec![
        copy(1, Trip::One, (INPUT, same), (TEMPORARY, same)),
        copy(2, Trip::One, (TEMPORARY, reversed), (TILE, same)),
        copy(3, Trip::One, (TILE, reversed), (RESULT, same)),
    ]);
    assert_eq!(fences(&body), [[AddressSpace::Global], [AddressSpace::Local]]);
}

/// `for every row of work-items: body`
fn rows(id: u32, trip: Trip, body: Vec<Statement>) -> Statement {
    Statement::Loop(Loop {
        workers: Workers::Local(1),
        index: Var::new(id, format!("l_id{id}")),
        extent: Nat::constant(8),
        trip,
        unrolling: Unrolling::AsItLikes,
        order: Order::Stated,
        origin: "mapLcl1".to_string(),
        source: Source::UNKNOWN,
        body,
    })
}

/// The kinds of the statements of a loop's body.
fn kinds(statement: &Statement) -> Vec<&'static str> {
    let Statement::Loop(repetition) = statement else { return Vec::new() };
    let kind = |statement: &Statement| match statement {
        Statement::Barrier { .. } => "barrier",
        Statement::If(..) => "if",
        Statement::Declare(_, None) => "declaration",
        _ => "other",
    };
    repetition.body.iter().map(kind).collect()
}

#[test]
fn where_not_all_work_items_have_a_step_all_go_along_to_its_barriers() {
    let body = || {
        vec![
            copy(1, Trip::One, (INPUT, same), (TILE, same)),
            copy(2, Trip::One, (TILE, reversed), (RESULT, same)),
        ]
    };
    for trip in [Trip::Any, Trip::AtMostOne] {
        let placed = placed_for([64, 3, 1], vec![rows(9, trip, body())], Barriers::WhereNeeded)
            .expect("all work-items go along");
        let steps = kinds(&placed[0]);
        assert_eq!(steps.first_chunk(), Some(&["if", "barrier", "if"]), "{steps:?}");
        assert!(matches!(&placed[0], Statement::Loop(Loop { trip: Trip::Rounds, .. })));
    }
    let all = placed_for([64, 8, 1], vec![rows(9, Trip::One, body())], Barriers::WhereNeeded)
        .expect("all work-items have a row");
    assert_eq!(kinds(&all[0]), ["other", "barrier", "other"]);
}

#[test]
fn what_is_used_behind_the_barrier_of_a_round_is_declared_for_all() {
    let variable = || Variable { name: "x".into(), ty: ScalarType::F32.into() };
    let one = Expression::Literal(Literal::Integer(1), ScalarType::F32);
    let body = vec![
        Statement::Declare(variable(), Some(one)),
        copy(1, Trip::One, (INPUT, same), (TILE, same)),
        copy(2, Trip::One, (TILE, reversed), (RESULT, same)),
        Statement::Assign(variable(), Expression::Variable(variable())),
    ];
    let placed = placed_for([64, 3, 1], vec![rows(9, Trip::Any, body)], Barriers::WhereNeeded)
        .expect("all work-items go along");
    let steps = kinds(&placed[0]);
    assert_eq!(steps.first_chunk(), Some(&["declaration", "if", "barrier", "if"]), "{steps:?}");
}

#[test]
fn rows_of_a_tile_that_each_step_has_to_itself_need_no_barrier_between_the_steps() {
    fn in_row(index: Nat) -> Nat {
        Nat::variable(&Var::new(9, "l_id9")) * Nat::constant(ITEMS) + index
    }
    fn reversed_in_row(index: Nat) -> Nat {
        in_row(reversed(index))
    }
    let body = vec![
        copy(1, Trip::One, (INPUT, same), (TILE, in_row)),
        copy(2, Trip::One, (TILE, reversed_in_row), (RESULT, same)),
    ];
    let placed = placed_for([64, 3, 1], vec![rows(9, Trip::Any, body)], Barriers::WhereNeeded)
        .expect("all work-items go along");
    assert_eq!(kinds(&placed[0]), ["if", "barrier", "if"]);
}

#[test]
fn behind_a_barrier_in_a_loop_all_work_items_leave_a_loop_over_them_at_once() {
    let body = |trip| {
        vec![copy(1, trip, (INPUT, same), (TILE, same)), copy(2, trip, (TILE, reversed), (RESULT, same))]
    };
    let trips = |body: &[Statement]| -> Vec<Trip> {
        let trip = |statement: &Statement| match statement {
            Statement::Loop(repetition) if repetition.workers != Workers::Sequential => Some(repetition.trip),
            _ => None,
        };
        crate::ir::kernel::nested(body).filter_map(trip).collect()
    };
    let repeated = placed(vec![in_time(9, body(Trip::Any))]);
    assert_eq!(trips(&repeated), [Trip::Any, Trip::Rounds], "{repeated:?}");
    let even = placed(vec![in_time(9, body(Trip::AnyUniform))]);
    assert_eq!(trips(&even), [Trip::AnyUniform, Trip::AnyUniform], "{even:?}");
    // Outside of a loop, a work-item may leave the loop whenever it likes.
    assert_eq!(trips(&placed(body(Trip::Any))), [Trip::Any, Trip::Any]);
}

/// The first element of a row for each work-item, in rows that are longer by one in each step, and the one
/// `further` behind it.
fn of_growing_row(index: Nat, further: impl FnOnce(&Nat) -> Nat) -> Nat {
    let length = Nat::variable(&Var::new(9, "i9")) + Nat::one();
    &length * index + further(&length)
}

/// Where rows grow from step to step, a work-item finds elements in its row that another one had before.
#[test]
fn rows_that_grow_from_step_to_step_need_a_barrier_a_step() {
    let first = |index| of_growing_row(index, |_| Nat::zero());
    let last = |index| of_growing_row(index, |length| length - Nat::one());
    for read in [first as fn(Nat) -> Nat, last] {
        let body = vec![
            copy(1, Trip::One, (INPUT, same), (TILE, first)),
            copy(2, Trip::One, (TILE, read), (RESULT, same)),
        ];
        let body = placed(vec![in_time(9, body)]);
        let [Statement::Loop(steps)] = body.as_slice() else { panic!("{body:?}") };
        assert!(matches!(steps.body.as_slice(), [_, _, Statement::Barrier { .. }]), "{body:?}");
    }
}

/// Rows of one length in every step, and rows of a place that moves on by steps, belong to one work-item.
#[test]
fn rows_of_one_length_need_no_barrier_from_step_to_step() {
    let row = |index: Nat| index * Nat::constant(4);
    let within = |index: Nat| index * Nat::constant(4) + Nat::constant(3);
    let moved = |index: Nat| Nat::variable(&Var::new(9, "i9")) * Nat::constant(4 * ITEMS) + index;
    for (written, read) in [(row as fn(Nat) -> Nat, within as fn(Nat) -> Nat), (moved, moved)] {
        let body = vec![
            copy(1, Trip::One, (INPUT, same), (TILE, written)),
            copy(2, Trip::One, (TILE, read), (RESULT, same)),
        ];
        assert_eq!(count(&placed(vec![in_time(9, body)])), 0);
    }
}
