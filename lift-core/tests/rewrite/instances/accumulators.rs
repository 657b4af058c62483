//! Instances of rules about accumulators that are arrays.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    instance(
        "accumulatorLayout",
        1,
        "|a: [[i32; M]; N], z: [i32; M]| \
         a >> reduce(|acc, row| zip(acc, row) >> map(|(s, x)| 2 * s + x) >> reverse, z)",
    ),
    instance(
        "accumulatorLayout",
        1,
        "|a: [i32; N], z: [[i32; 3]; 3]| \
         a >> reduceSeq(|acc, x| acc >> map(map(|s| 2 * s + x)) >> transpose, z)",
    ),
    instance(
        "accumulatorLayout",
        1,
        "|a: [i32; N], z: [[i32; M]; 2]| a >> reduce(|acc, x| acc >> map(map(|s| s + x)) >> map(reverse), z)",
    ),
    // The accumulator in a row, and as vectors.
    instance(
        "accumulatorLayout",
        1,
        "|a: [[[i32; 2]; 3]; N], z: [[i32; 2]; 3]| a >> reduce(|acc, t| \
         zip(acc, t) >> map(|(r, s)| zip(r, s) >> map(|(x, y)| x * 2 - y)) >> join >> split(2), z)",
    ),
    instance(
        "accumulatorLayout",
        1,
        "|a: [[i32; 8]; N]| \
         a >> reduce(|acc, r| zip(acc >> asVector(4), r >> asVector(4)) >> map(add) >> asScalar, repeat(8, 0))",
    ),
    // A step binds a value first.
    instance(
        "accumulatorLayout",
        1,
        "|a: [[i32; M]; N], z: [i32; M]| a >> reduce(|acc, row| { let m = row >> reduce(max, 0); \
         zip(acc, row) >> map(|(s, x)| m * s + x) >> reverse }, z)",
    ),
    // The accumulator is read twice.
    instance(
        "accumulatorLayout",
        1,
        "|a: [i32; N], z: [i32; M]| \
         a >> reduce(|acc, x| acc >> map(|s| s + x + (acc >> reduce(max, 0))) >> reverse, z)",
    ),
    instance(
        "accumulatorLayout",
        0,
        "|a: [[i32; M]; N]| a >> reduce(|acc, row| zip(acc, row) >> map(|(s, x)| s + x), repeat(M, 0))",
    ),
    instance(
        "accumulatorLayout",
        0,
        "|a: [i32; N], z: [i32; M]| a >> reduce(|acc, x| acc >> map(|s| s + x) >> gather(|i| i / 2), z)",
    ),
];
