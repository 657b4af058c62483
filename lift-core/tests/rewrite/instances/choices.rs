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
    // A map in one branch only, of the other branch, of several arrays, and of what exists whatever is
    // chosen.
    instance(
        "mapOutsideIf",
        1,
        "|p: bool, a: [i32; N], b: [i32; N]| if p { a >> map(|x| x + 1) } else { b }",
    ),
    instance(
        "mapOutsideIf",
        1,
        "|p: bool, a: [i32; N], b: [i32; N]| if p { zip(b, a) >> map(|(x, y)| x * y) } else { a }",
    ),
    instance(
        "mapOutsideIf",
        1,
        "|p: bool, a: [i32; N], b: [i32; N], c: [i32; N]| if p { zip(b, a) >> map(|(x, y)| x * y) } else { c }",
    ),
    instance("mapOutsideIf", 1, "|p: bool, a: [i32; N]| if p { a >> map(|i => x| x * i as i32) } else { a }"),
    instance(
        "mapOutsideIf",
        1,
        "|a: [i32; N], b: [[i32; M]; N]| if N > 2 { b >> map(reduce(add, 0)) } else { a }",
    ),
    instance(
        "mapOutsideIf",
        1,
        "|p: bool, a: [(i32, f32); N], b: [(i32, f32); N]| \
         if p { if p { a } else { b } >> map(|(x, y)| (x + 1, y)) } else { a }",
    ),
    instance(
        "mapOutsideIf",
        1,
        "|a: [i32; N], b: [i32; N]| if (a >> reduce(add, 0)) > 3 { a >> map(|x| x + 1) } else { b >> scan(add, 0) }",
    ),
    instance("mapOutsideIf", 0, "|p: bool, a: [i32; N], b: [i32; N]| if p { a >> reverse } else { b }"),
    instance(
        "mapOutsideIf",
        0,
        "|a: [i32; N], b: [i32; M]| if N + 3 <= M { b >> slice(3, N) } else { a >> map(|x| x + 1) }",
    ),
    instance(
        "mapOutsideIf",
        0,
        "|a: [i32; N], b: [i32; M]| if M < N + 3 { a >> map(|x| x + 1) } else { b >> slice(3, N) }",
    ),
    instance(
        "mapOutsideIf",
        0,
        "|a: [i32; N], b: [i32; 2]| if N > 2 { a >> slice(1, 2) >> map(|x| x + 1) } else { b }",
    ),
    // One element, or none; what only a new element needs is computed there.
    instance(
        "chooseUpdate",
        1,
        "|a: [i32; N]| a >> reduce(|t, x| if x > 0 { t >> update(x, at(x, t) + 1) } else { t }, repeat(3, 0))",
    ),
    instance(
        "chooseUpdate",
        1,
        "|a: [i32; N]| a >> reduce(|t, x| if x > 0 { t } else { let y = 2 - x; t >> update(x + 1, y * y) }, \
         repeat(M, 0))",
    ),
    // Two elements, and a choice in a choice, which is an update after it.
    instance(
        "chooseUpdate",
        1,
        "|a: [u8; N]| a >> reduce(|t, x| if x % 2 == 0 { t >> update(x, at(x, t) + 1) } else { \
         let y = x / 2; t >> update(y, 5 - at(y, t)) }, repeat(3, 0))",
    ),
    instance(
        "chooseUpdate",
        1,
        "|a: [i32; N]| a >> reduce(|t, x| if x > 0 { if x > 1 { t >> update(0, x) } else { t } } else { \
         t >> update(x, at(2, t) - 1) }, [1, 2, 3])",
    ),
    // Rows, and parts of a tuple.
    instance(
        "chooseUpdate",
        1,
        "|a: [i32; N], t: [[i32; 2]; 3]| a >> reduce(|t, x| if x > 0 { t >> update(x, at(x - 1, t) >> reverse) } else { \
         t >> update(0, repeat(2, x)) }, t)",
    ),
    instance(
        "chooseUpdate",
        1,
        "|a: [i32; N], t: [[i32; 2]; M]| a >> reduce(|t, x| if x > 0 { t >> update(x, repeat(2, x)) } else { t }, t)",
    ),
    instance(
        "chooseUpdate",
        1,
        "|a: [i32; N]| { let t = a >> reduce(|(t, n), x| if x > 0 { let m = n + x; (t >> update(n, m), m) } else { \
         (t, n) }, (repeat(4, 0), 0)); t.0 >> map(|x| x + t.1) }",
    ),
    // Other arrays, more than one element, and a comparison of sizes.
    instance("chooseUpdate", 0, "|p: bool, a: [i32; N], b: [i32; N]| if p { a >> update(0, 1) } else { b }"),
    instance("chooseUpdate", 0, "|p: bool, a: [i32; N]| if p { a >> map(|x| x + 1) } else { a }"),
    instance("chooseUpdate", 0, "|a: [i32; N]| if N > 2 { a >> update(0, 1) } else { a }"),
    instance("chooseUpdate", 0, "|a: [i32; N]| a >> map(|x| if x > 0 { x } else { -x })"),
];
