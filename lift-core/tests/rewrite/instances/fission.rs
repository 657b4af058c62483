//! Instances of fission.

use super::{Instance, instance, place, with};

pub(super) const INSTANCES: &[Instance] = &[
    // `(x + 1) * 2`: the place is the sum, and the element is used in it alone.
    with("mapFission", || vec![place(&[0])], 1, "|a: [i32; N]| a >> map(|x| (x + 1) * 2)"),
    // The element is used on both sides.
    with("mapFission", || vec![place(&[1])], 1, "|a: [i32; N]| a >> map(|x| x * (x + 1))"),
    with("mapFission", || vec![place(&[1])], 1, "|a: [i32; N]| a >> reverse >> map(|x| x * (x + 1))"),
    // The reduction of rows after what is computed of their elements.
    with(
        "mapFission",
        || vec![place(&[0])],
        1,
        "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x * x) >> reduce(add, 0))",
    ),
    // Rows of lengths of their own.
    with(
        "mapFission",
        || vec![place(&[0])],
        1,
        "|m: [i => [i32; i + 1]; N], v: [i32; N]|
            m >> map(|row| zip(row, v >> slice(0, len(row))) >> reduce(|s, (x, y)| s + x * y, 0))",
    ),
    // Both parts know their position.
    with(
        "mapFission",
        || vec![place(&[0])],
        1,
        "|a: [i32; N]| a >> map(|i => x| (x + i as i32) * (i as i32 + 2))",
    ),
    // Out of a function that does not depend on its own element.
    with(
        "mapFission",
        || vec![place(&[1, 1])],
        1,
        "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x * (reduce(add, 0, row))))",
    ),
    // What a `let` names.
    with("mapFission", || vec![place(&[0])], 1, "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })"),
    // The inner expression mentions the element of the inner function.
    with(
        "mapFission",
        || vec![place(&[1, 1])],
        0,
        "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x * (x + 1)))",
    ),
    // What is computed only sometimes stays where it is.
    with("mapFission", || vec![place(&[1])], 0, "|a: [i32; N]| a >> map(|x| if x > 0 { x * x } else { 0 })"),
    with("mapFission", || vec![place(&[0])], 0, "|a: [i32; N]| a >> map(|x| x * 2)"),
    //
    instance("reduceMapFission", 1, "|a: [i32; N]| a >> reduce(|s, x| s + x * x, 0)"),
    instance("reduceMapFission", 1, "|a: [i32; N]| a >> reduceSeq(|s, x| x * 2 + s, 7)"),
    instance(
        "reduceMapFission",
        1,
        "|a: [[f32; M]; N], v: [f32; M]| a >> map(|row| zip(row, v) >> reduce(|s, (x, y)| s + x * y, 0.0))",
    ),
    // A component at a time.
    instance("reduceMapFission", 1, "|a: [i32; N]| a >> reduce(|s, x| (s.0 + x, max(s.1, x * x)), (0, 0))"),
    // The element knows its position, the operator does not.
    instance(
        "reduceMapFission",
        1,
        "|m: [i => [i32; i + 1]; N]| m >> reduce(|s, row| s + reduce(max, 0, row) * len(row) as i32, 0)",
    ),
    // An array as the accumulator.
    instance(
        "reduceMapFission",
        1,
        "|a: [[i32; M]; N]|
            a >> reduce(|s, row| zip(s, row >> map(|x| x * x)) >> map(|(x, y)| x + y), repeat(M, 0))",
    ),
    instance("reduceMapFission", 1, "|a: [i32; N]| a >> reduce(|s, x| { let y = x * x; s + y * y }, 3)"),
    instance(
        "reduceMapFission",
        1,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> reduce(|s, (x, y)| { let d = x - y; let e = d * x; s + d * e }, 0)",
    ),
    instance("reduceMapFission", 1, "|a: [i32; N]| a >> reduce(|s, x| s + x * x + x + 1, 0)"),
    instance(
        "reduceMapFission",
        1,
        "|a: [i32; N]| a >> reduce(|(s, m), x| { let d = x - 3; (s + d * d + x, max(m, d)) }, (1, -9))",
    ),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(|s, x| s - x - 1, 0)"),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(|s, x| { let t = s + x; t * x }, 0)"),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(|s, x| { let t = s * 2; x + t }, 0)"),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(|s, x| s + x + s, 0)"),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(add, 0)"),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(|s, x| s * 2 + x * x, 0)"),
    instance("reduceMapFission", 0, "|a: [i32; N]| a >> reduce(|s, x| s + x * s, 0)"),
];
