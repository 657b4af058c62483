//! Tests of rows that work-items have to themselves.

use super::*;

/// The length of the row of each work-item.
const ROW: i128 = 8;

/// `for every work-item, for every step: to[to index] = from[from index]`, where an index is that of a work-item
/// and of a step.
fn rows_copied(id: u32, from: (BufferId, Place), to: (BufferId, Place)) -> Statement {
    let (item, step) = (Var::new(id, format!("l_id{id}")), Var::new(id + 1, format!("i{id}")));
    let at = |place: Place| place(Nat::variable(&item), Nat::variable(&step));
    let value = Expression::Load(from.0, at(from.1), ScalarType::F32.into());
    let stored = vec![Statement::Store(to.0, at(to.1), value)];
    let looped = |workers, index: &Var, extent, origin: &str, body| {
        Statement::Loop(Loop {
            workers,
            index: index.clone(),
            extent: Nat::constant(extent),
            trip: Trip::One,
            unrolling: Unrolling::AsItLikes,
            order: Order::Stated,
            origin: origin.to_string(),
            source: Source::UNKNOWN,
            body,
        })
    };
    let steps = looped(Workers::Sequential, &step, ROW, "mapSeq", stored);
    looped(Workers::Local(0), &item, ITEMS, "mapLcl0", vec![steps])
}

/// Where a work-item stores or loads in a step.
type Place = fn(Nat, Nat) -> Nat;

fn forwards(item: Nat, step: Nat) -> Nat {
    item * Nat::constant(ROW) + step
}

fn forwards_in_reverse(item: Nat, step: Nat) -> Nat {
    forwards(item, Nat::constant(ROW - 1) - step)
}

fn backwards(item: Nat, step: Nat) -> Nat {
    forwards(Nat::constant(ITEMS - 1) - item, step)
}

fn backwards_in_reverse(item: Nat, step: Nat) -> Nat {
    backwards(item, Nat::constant(ROW - 1) - step)
}

fn side_by_side(item: Nat, step: Nat) -> Nat {
    step * Nat::constant(ITEMS) + item
}

fn side_by_side_in_reverse(item: Nat, step: Nat) -> Nat {
    side_by_side(item, Nat::constant(ROW - 1) - step)
}

/// Rows that share elements with those of their neighbours.
fn overlapping(item: Nat, step: Nat) -> Nat {
    item * Nat::constant(ROW / 2) + step
}

fn overlapping_in_reverse(item: Nat, step: Nat) -> Nat {
    overlapping(item, Nat::constant(ROW - 1) - step)
}

/// The number of barriers between rows that are written and rows that are read.
fn between_rows(written: Place, read: Place) -> usize {
    let body = vec![
        rows_copied(1, (INPUT, forwards), (TEMPORARY, written)),
        rows_copied(11, (TEMPORARY, read), (RESULT, forwards)),
    ];
    count(&placed(body))
}

#[test]
fn rows_that_work_items_have_to_themselves_need_no_barrier_however_they_lie() {
    assert_eq!(between_rows(forwards, forwards_in_reverse), 0);
    assert_eq!(between_rows(backwards, backwards_in_reverse), 0);
    assert_eq!(between_rows(side_by_side, side_by_side_in_reverse), 0);
}

#[test]
fn rows_of_other_work_items_need_a_barrier() {
    assert_eq!(between_rows(overlapping, overlapping_in_reverse), 1);
    assert_eq!(between_rows(forwards, backwards), 1);
    assert_eq!(between_rows(forwards, side_by_side), 1);
    assert_eq!(between_rows(backwards, side_by_side_in_reverse), 1);
}
