//! `if`s between arrays.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance(
        "chooseElements",
        1,
        "|p: bool, a: [i32; N], b: [i32; N]| if p { a } else { b >> map(|x| x + 1) }",
    ),
    instance(
        "chooseElements",
        2,
        "|p: bool, q: bool, a: [i32; N]| if p { if q { a } else { a >> reverse } } else { a >> scan(add, 0) }",
    ),
    instance(
        "chooseElements",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| if (r >> reduce(add, 0)) > 3 { r >> reverse } else { r })",
    ),
    instance(
        "chooseElements",
        1,
        "|p: bool, a: [i => [i32; i + 1]; N]| if p { a } else { a >> map(map(|x| -x)) }",
    ),
    // Tuples of arrays, and arrays of tuples.
    instance(
        "chooseElements",
        1,
        "|p: bool, a: [i32; N], b: [i32; N]| { let t = if p { (a, b, 1) } else { (b, a, 2) }; \
         zip(t.0, t.1) >> map(|(x, y)| x - y * t.2) }",
    ),
    instance(
        "chooseElements",
        1,
        "|p: bool, a: [(i32, f32); N]| if p { a } else { a >> reverse } >> map(|(x, y)| x)",
    ),
    // Under a condition on sizes, branches exist for all sizes, or only where they are chosen.
    instance("chooseElements", 1, "|a: [i32; N], b: [i32; N]| if N > 2 { a >> scan(add, 0) } else { b }"),
    instance("chooseElements", 1, "|a: [i32; N], b: [i32; 2]| if N > 2 { a >> slice(1, 2) } else { b }"),
    instance("chooseElements", 0, "|a: [i32; N]| a >> map(|x| if x > 0 { x } else { -x })"),
    instance(
        "chooseElements",
        0,
        "|a: [(i32, i32); N]| a >> map(|(x, y)| if x > 0 { (x, y) } else { (y, x) })",
    ),
];
