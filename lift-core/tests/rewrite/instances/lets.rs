//! `let`s.

use super::{Instance, instance};

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
];
