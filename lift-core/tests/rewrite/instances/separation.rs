//! Instances of the separation of maps.

use super::{Instance, instance, place, with};

pub(super) const INSTANCES: &[Instance] = &[
    with(
        "letTogether",
        || vec![place(&[0, 1])],
        1,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; let z = y + 1; y * z })",
    ),
    // What stands between the parts is computed for both, and for what follows.
    with(
        "letTogether",
        || vec![place(&[0, 2])],
        1,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; let c = y + 1; let z = c * y; z + y + c })",
    ),
    // One value, with what it is computed of.
    with("letTogether", || vec![place(&[0])], 1, "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })"),
    // Outside of functions, and a tuple.
    with(
        "letTogether",
        || vec![place(&[0, 1])],
        1,
        "|a: [i32; N]| { let s = reduce(add, 0, a); let t = (s, s + 1); a >> map(|x| x * t.1 + s) }",
    ),
    // An array is no single value.
    with(
        "letTogether",
        || vec![place(&[0])],
        0,
        "|a: [[i32; M]; N]| a >> map(|r| { let s = r >> map(|x| x * x) >> store; s >> map(|x| x + 1) })",
    ),
    with(
        "letTogether",
        || vec![place(&[1, 0])],
        0,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; let z = y + 1; y * z })",
    ),
    with(
        "letTogether",
        || vec![place(&[0, 1])],
        0,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })",
    ),
    with("letTogether", || vec![place(&[])], 0, "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })"),
    //
    with(
        "mapLetFission",
        || vec![place(&[0])],
        1,
        "|a: [[i32; M]; N]| a >> map(|r| { let s = r >> map(|x| x * x) >> store; \
         s >> map(|x| x + (s >> reduce(add, 0))) })",
    ),
    // A single value, and the element itself beside it.
    with(
        "mapLetFission",
        || vec![place(&[0])],
        1,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })",
    ),
    // The first part is computed for both maps; seen through a layout.
    with(
        "mapLetFission",
        || vec![place(&[1])],
        1,
        "|a: [[i32; M]; N]| a >> map(|r| { let m = r >> reduce(max, 0); let s = r >> map(|x| x - m) >> store; \
         s >> map(|x| x + m) }) >> transpose",
    ),
    // Of a `zip`, each map reads what it needs.
    with(
        "mapLetFission",
        || vec![place(&[0])],
        1,
        "|a: [i32; N], b: [i32; N], c: [i32; N]| zip(a, b, c) >> map(|(x, y, z)| { let s = z * z; s + y })",
    ),
    // The element of the `zip` as a whole.
    with(
        "mapLetFission",
        || vec![place(&[0])],
        1,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|p| { let s = p.0 * p.1; let q = if s > 3 { p } else { (s, s) }; \
         q.0 + q.1 })",
    ),
    // An array that is computed, for both maps.
    with(
        "mapLetFission",
        || vec![place(&[0])],
        1,
        "|a: [i32; N]| a >> map(|x| x + 1) >> map(|x| { let y = x * x; y * y + x })",
    ),
    // Both maps know their position.
    with(
        "mapLetFission",
        || vec![place(&[0])],
        1,
        "|a: [i32; N]| a >> map(|i => x| { let y = x * i as i32; y * y + i as i32 })",
    ),
    with("mapLetFission", || vec![place(&[0])], 0, "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1))"),
    with(
        "mapLetFission",
        || vec![place(&[1])],
        0,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })",
    ),
    with(
        "mapLetFission",
        || vec![place(&[0, 0])],
        0,
        "|a: [i32; N]| a >> map(|x| { let y = x * x; y * y + x })",
    ),
    // Rows of lengths of their own, in the array and in what is bound.
    with(
        "mapLetFission",
        || vec![place(&[0])],
        0,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| { let s = reduce(add, 0, row); s * s })",
    ),
    with(
        "mapLetFission",
        || vec![place(&[0])],
        0,
        "|a: [i32; N]| a >> map(|i => x| { let s = a >> slice(0, i) >> map(|y| x * y) >> store; s >> reduce(add, 0) })",
    ),
    //
    instance("mapStored", 1, "|a: [i32; N]| a >> map(|x| x * x) >> map(|x| x + 1)"),
    instance("mapStored", 1, "|a: [i32; N]| a >> reverse >> map(|x| x + 1)"),
    instance("mapStored", 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    instance("mapStored", 0, "|a: [i32; N]| a >> map(|x| x + 1) >> reduce(add, 0)"),
];
