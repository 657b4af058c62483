//! `let`s.

use lift_core::middle::rewrite::Argument;

use super::{Instance, instance, place, with};

/// The whole expression.
fn whole() -> Vec<Argument> {
    vec![place(&[]), place(&[])]
}

/// The body of a map, to before the map.
fn body_before_map() -> Vec<Argument> {
    vec![place(&[]), place(&[1])]
}

/// What is on the right side of the body of a map.
fn operand_before_map() -> Vec<Argument> {
    vec![place(&[]), place(&[1, 1])]
}

/// The first value of a `let` in the value of another.
fn first_of_let_before_first() -> Vec<Argument> {
    vec![place(&[0]), place(&[0, 0])]
}

fn second_before_first() -> Vec<Argument> {
    vec![place(&[0]), place(&[1])]
}

pub(super) const INSTANCES: &[Instance] = &[
    instance(
        "letOfLet",
        1,
        "|a: [i32; N]| { let b = { let c = a >> map(|x| x + 1); zip(a, c) >> map(|(x, y)| x * y) }; \
         b >> reverse }",
    ),
    instance(
        "letOfLet",
        2,
        "|a: [i32; N]| { let s = { let t = { let u = a >> reduce(add, 0); u * u }; t + t * t }; \
         a >> map(|x| x + s) }",
    ),
    instance(
        "letOfLet",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| { let s = { let t = r >> reduce(add, 0); t * t }; s + s * s })",
    ),
    instance(
        "letOfLet",
        0,
        "|a: [i32; N]| { let s = a >> reduce(add, 0); a >> map(|x| { let y = x + s; y * y }) }",
    ),
    instance(
        "letOfTuple",
        1,
        "|a: [i32; N]| { let t = (a >> map(|x| x + 1), a >> reduce(add, 0)); t.0 >> map(|x| x + t.1) }",
    ),
    // The tuple as a whole, as the value of another, and tuples in tuples.
    instance(
        "letOfTuple",
        1,
        "|a: [i32; N]| { let t = (a >> map(|x| x + 1), (2, a >> reverse)); let u = t; \
         (u.0, zip(t.1.1, u.1.1) >> map(|(x, y)| x * t.1.0 - y)) }",
    ),
    instance(
        "letOfTuple",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| { let t = (r >> reverse, 3); \
         zip(t.0, r) >> map(|(x, y)| x + y * t.1) })",
    ),
    instance(
        "letOfTuple",
        0,
        "|a: [i32; N]| { let t = (a >> reduce(add, 0), 2); a >> map(|x| x * t.0 + t.1 * t.0) }",
    ),
    with(
        "letFloat",
        body_before_map,
        1,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| { let s = b >> reduce(add, 0); x * s + s })",
    ),
    with(
        "letFloat",
        operand_before_map,
        1,
        "|a: [i32; N], b: [i32; M]| a >> map(|x| x * (b >> reduce(add, 0)))",
    ),
    with(
        "letFloat",
        operand_before_map,
        1,
        "|a: [[i32; M]; N], b: [i32; M]| a >> map(|r| r >> map(|x| x + (b >> reduce(add, 0))))",
    ),
    with(
        "letFloat",
        first_of_let_before_first,
        1,
        "|a: [i32; N]| { let b = { let c = a >> map(|x| x + 1); c >> reverse }; b >> map(|x| x * x) }",
    ),
    with(
        "letFloat",
        second_before_first,
        1,
        "|a: [i32; N]| { let s = a >> reduce(add, 0); let t = a >> reduce(max, 0); a >> map(|x| x * s + t) }",
    ),
    with("letFloat", whole, 1, "|a: [i32; N]| a >> reverse"),
    // It mentions what is bound between.
    with("letFloat", operand_before_map, 0, "|a: [i32; N]| a >> map(|x| x * (x + 1))"),
    with(
        "letFloat",
        second_before_first,
        0,
        "|a: [i32; N]| { let s = a >> reduce(add, 0); let t = a >> reduce(max, s); a >> map(|x| x * s + t) }",
    ),
    with(
        "letFloat",
        operand_before_map,
        0,
        "|a: [i32; N], b: [i32; N]| a >> map(|i => x| x * (b >> slice(0, i) >> reduce(add, 0)))",
    ),
];
