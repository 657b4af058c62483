//! The cost of simplification, in steps that do not depend on the machine: the eliminations of proofs, and
//! the parts that are simplified. A bound here is what the expression takes now; a change that takes more
//! must be worth it.

use super::super::simplify::Simplifier;
use super::*;

/// What one run of simplification takes.
#[derive(Debug, PartialEq, Eq)]
struct Cost {
    /// The eliminations of all proofs.
    eliminations: u32,
    /// The parts whose simplest form was computed.
    parts: usize,
}

/// The cost of simplifying an expression when nothing is remembered from other ones.
fn cost(ranges: &Ranges, index: &Nat) -> Cost {
    let mut run = Simplifier::new(ranges.facts());
    run.simplify(index);
    Cost { eliminations: run.prover.spent(), parts: run.parts() }
}

/// Indices as kernels contain them, with the most eliminations and parts that each may take.
fn indices() -> Vec<(&'static str, Nat, u32, usize)> {
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
        ("plain row", row.clone(), 0, 0),
        ("row / M", div(&row, &m), 1, 3),
        ("row % M", rem(&row, &m), 1, 3),
        ("padded row / (M + 2)", div(&padded, &m + number(2)), 1, 3),
        ("lane % 128", rem(&l + number(128) * &w, 128), 0, 3),
        ("transposed", transposed.clone(), 1, 4),
        ("transposed twice", div(&transposed, &n) + rem(&transposed, &n) * &m, 2, 8),
        ("i / 4 * 4 + i % 4", div(&i, 4) * number(4) + rem(&i, 4), 0, 4),
        ("tiled", tiled, 1, 6),
        ("clamped stencil", stencil, 2, 10),
        ("padding select", Nat::select(&inside, &(&i - number(1)), &number(0)), 1, 4),
        ("undecidable", div(&x + &j, &n) + rem(&x - &i, &m), 0, 3),
        ("triangle", Nat::sum(&var(2), &number(0), &j, &(&i + number(1))), 0, 5),
    ]
}

#[test]
fn ordinary_indices_take_few_steps() {
    let ranges = names().ranges;
    let costs = indices().into_iter().map(|(name, index, eliminations, parts)| {
        let cost = cost(&ranges, &index);
        let kept = cost.eliminations <= eliminations && cost.parts <= parts;
        (!kept).then(|| format!("{name}: {cost:?} for {index}"))
    });
    assert_eq!(costs.flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// The most eliminations that a nested expression may take, however deep it is.
const MOST_ELIMINATIONS: u32 = 14;
/// The most parts for each level.
const MOST_PARTS_PER_LEVEL: usize = 8;

#[test]
fn deeply_nested_choices_and_divisions_take_steps_in_proportion_to_their_depth() {
    let Names { n, m, i, j, w, x, ranges, .. } = names();
    let mut wrong = Vec::new();
    for start in [x, w] {
        let mut clamped = start.clone();
        let mut divided = &start + &i;
        let mut chosen = start.clone();
        for depth in 0..24 {
            clamped = min(max(&clamped + &i - number(1), 0), &n + number(depth) * &clamped);
            divided = div(&divided * &n + &i, &m) + rem(&divided, &n);
            chosen = Nat::select(&less(&(&chosen + &j), &n), &(&chosen + number(1)), &(&chosen * number(2)));
            for (name, expression) in [("clamped", &clamped), ("divided", &divided), ("chosen", &chosen)] {
                let cost = cost(&ranges, expression);
                let levels = depth as usize + 1;
                if cost.eliminations > MOST_ELIMINATIONS || cost.parts > MOST_PARTS_PER_LEVEL * levels {
                    let size = expression.0.summary.size;
                    wrong.push(format!("{name} of {start}, {levels} levels of size {size}: {cost:?}"));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
