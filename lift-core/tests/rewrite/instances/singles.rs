//! Instances of rules about arrays of one element.

use super::{Instance, instance};

pub(super) const INSTANCES: &[Instance] = &[
    // From the identity of the operator, from another value, and for an operator without laws.
    instance("reduceOfOne", 1, "|a: [i32; N]| a >> slice(0, 1) >> reduce(add, 0)"),
    instance("reduceOfOne", 1, "|a: [i32; N]| a >> slice(1, 1) >> reduce(add, 5)"),
    instance("reduceOfOne", 1, "|a: [[i32; 1]; N]| a >> map(|r| r >> reduceSeq(|acc, x| 3 * acc - x, 2))"),
    instance(
        "reduceOfOne",
        1,
        "|a: [(i32, i32); N]| a >> slice(0, 1) >> reduce(|(s, t), (x, y)| (s + x, t * y), (0, 1))",
    ),
    instance("reduceOfOne", 0, "|a: [i32; N]| a >> reduce(add, 0)"),
    instance("mapOfHead", 1, "|a: [[i32; 1]; N]| a >> map(|r| r >> at(0))"),
    instance(
        "mapOfHead",
        1,
        "|a: [[i32; M]; N], c: [i32; N]| zip(a, c) >> map(|(r, y)| 2 * (r >> slice(0, 1) >> at(0)) - y)",
    ),
    instance("mapOfHead", 1, "|a: [[i32; 1]; N]| a >> map(|i => r| (at(0, r) * i as i32, at(0, r)))"),
    // Of a `let`, the body, or what it binds first.
    instance("mapOfHead", 1, "|a: [[i32; 1]; N]| a >> map(|r| { let x = r >> at(0); x * x })"),
    instance(
        "mapOfHead",
        1,
        "|a: [[i32; 1]; N], c: [[i32; 1]; N]| zip(a, c) >> map(|(r, s)| { let x = at(0, r); at(0, s) * x })",
    ),
    // Of an operand that is a `let`, what it binds comes first.
    instance(
        "mapOfHead",
        1,
        "|a: [[i32; 1]; N], c: i32| a >> map(|r| c - 2 * { let s = r >> map(|x| x + c); at(0, s) })",
    ),
    instance("mapOfHead", 0, "|a: [[i32; 1]; N]| a >> map(|r| { let x = at(0, r); [x, x] })"),
    instance("mapOfHead", 0, "|a: [[i32; M]; N]| a >> map(|r| r >> at(0))"),
    // Not in any case.
    instance("mapOfHead", 0, "|a: [[i32; 1]; N], c: bool| a >> map(|r| if c { at(0, r) } else { 1 })"),
    instance("arrayOfHead", 1, "|a: [i32; N]| [a >> slice(0, 1) >> map(|x| x * x) >> at(0)]"),
    instance("arrayOfHead", 0, "|a: [i32; N]| [a >> at(0)]"),
    instance("arrayOfHead", 0, "|a: [i32; 1]| [a >> at(0), a >> at(0)]"),
    instance("valueToArray", 3, "|x: i32, y: i32| x + y"),
    instance("valueToArray", 0, "|a: [[i32; 2]; 3]| a"),
    instance("reduceInOneRow", 1, "|a: [i32; N]| a >> reduce(|acc, x| 2 * acc - x, 1)"),
    instance("reduceInOneRow", 1, "|a: [i => [i32; i + 1]; N]| a >> map(|r| r >> reduceSeq(add, 0))"),
    // Rows without elements.
    instance(
        "reduceInOneRow",
        1,
        "|a: [i32; N]| a >> partition(3, |i| if i == 1 { N } else { 0 }) >> map(|r| r >> reduce(add, 2))",
    ),
    instance("reduceInOneRow", 1, "|a: [i32; N]| a >> reduce(|i => acc, x| acc + x * i as i32, 0)"),
    instance("reduceInOneRow", 0, "|a: [i32; N]| a >> scan(add, 0)"),
];
