//! The time of simplification: measured and printed (`cargo test -- --nocapture cost`), not asserted, because
//! machines differ. The tests assert that nested expressions stay cheap.

#![allow(clippy::disallowed_types, reason = "it measures how long simplification takes")]

use std::time::Instant;

use super::*;

/// Indices as kernels contain them.
fn corpus() -> Vec<(&'static str, Nat)> {
    let Names { n, m, i, j, l, w, x, .. } = names();
    let row = &i * &m + &j;
    let padded = &i * (&m + number(2)) + &j;
    let transposed = div(&row, &m) + rem(&row, &m) * &n;
    let clamp = |index: Nat, size: &Nat| min(max(index, 0), size - number(1));
    let stencil = clamp(&i - number(1), &n) * &m + clamp(&j + number(1), &m);
    let tiled =
        (div(&i, 16) * div(&m, 16) + div(&j, 16)) * number(256) + rem(&i, 16) * number(16) + rem(&j, 16);
    let inside = Condition::LessOrEqual(number(1), i.clone()).and(less(&i, &n));
    vec![
        ("plain row", row.clone()),
        ("row / M", div(&row, &m)),
        ("row % M", rem(&row, &m)),
        ("padded row / (M + 2)", div(&padded, &m + number(2))),
        ("lane % 128", rem(&l + number(128) * &w, 128)),
        ("transposed", transposed.clone()),
        ("transposed twice", div(&transposed, &n) + rem(&transposed, &n) * &m),
        ("i / 4 * 4 + i % 4", div(&i, 4) * number(4) + rem(&i, 4)),
        ("tiled", tiled),
        ("clamped stencil", stencil),
        ("padding select", Nat::select(&inside, &(&i - number(1)), &number(0))),
        ("undecidable", div(&x + &j, &n) + rem(&x - &i, &m)),
        ("triangle", Nat::sum(&var(2), &number(0), &j, &(&i + number(1)))),
    ]
}

#[test]
fn cost_of_ordinary_indices_is_reported() {
    let ranges = names().ranges;
    for (name, index) in corpus() {
        let rounds = 200;
        let start = Instant::now();
        for _ in 0..rounds {
            std::hint::black_box(ranges.simplify(std::hint::black_box(&index)));
        }
        let each = start.elapsed() / rounds;
        println!("{name:24} {each:>10.1?}   {index}  =>  {}", ranges.simplify(&index));
    }
}

#[test]
fn deeply_nested_choices_and_divisions_stay_cheap() {
    let Names { n, m, i, j, x, ranges, .. } = names();
    let mut clamped = x.clone();
    let mut divided = &x + &i;
    let mut chosen = x.clone();
    for depth in 0..24 {
        clamped = min(max(&clamped + &i - number(1), 0), &n + number(depth) * &clamped);
        divided = div(&divided * &n + &i, &m) + rem(&divided, &n);
        chosen = Nat::select(&less(&(&chosen + &j), &n), &(&chosen + number(1)), &(&chosen * number(2)));
        for (name, expression) in [("clamped", &clamped), ("divided", &divided), ("chosen", &chosen)] {
            let start = Instant::now();
            std::hint::black_box(ranges.simplify(expression));
            let spent = start.elapsed();
            println!("{name} {depth}: {spent:?} for size {}", expression.0.size);
            assert!(spent.as_secs() < 5, "{name}, {depth} levels: {spent:?}");
        }
    }
}
