//! Reductions of whole arrays, divided.

use lift_core::middle::rewrite::Argument;

use super::{Instance, instance, size, with};

/// So few that the sizes of the instances leave groups and work-items without elements, give others one, and
/// others several.
fn four_groups_of_two() -> Vec<Argument> {
    vec![size(4), size(2)]
}

fn two_groups_of_two() -> Vec<Argument> {
    vec![size(2), size(2)]
}

fn two_parts() -> Vec<Argument> {
    vec![size(2)]
}

/// Three groups of two, with an entry for each key.
fn one_entry() -> Vec<Argument> {
    vec![size(3), size(2), size(1)]
}

fn three_entries() -> Vec<Argument> {
    vec![size(3), size(2), size(3)]
}

/// Two groups of four.
fn of_four() -> Vec<Argument> {
    vec![size(2), size(4), size(1)]
}

fn of_four_in_turn() -> Vec<Argument> {
    vec![size(2), size(4), size(3)]
}

fn three_of_two() -> Vec<Argument> {
    vec![size(3), size(2)]
}

/// So small that the sizes of the instances have several tiles, and a shorter last one.
fn tiles_of_four() -> Vec<Argument> {
    vec![size(4), size(1), size(2)]
}

fn tiles_of_eight() -> Vec<Argument> {
    vec![size(4), size(2), size(4)]
}

pub(super) const INSTANCES: &[Instance] = &[
    with("reduceByGroups", four_groups_of_two, 1, "|a: [i32; N]| a >> reduce(add, 5)"),
    with("reduceByGroups", two_groups_of_two, 1, "|a: [i32; N]| a >> reduce(mult, 2)"),
    with(
        "reduceByGroups",
        two_groups_of_two,
        1,
        "|a: [(i32, i32); N]| a >> reduce(|s, (x, y)| s + x * y, 1)",
    ),
    with("reduceByGroups", || vec![size(4), size(4)], 1, "|a: [bool; N]| a >> reduce(|s, x| s && x, true)"),
    with(
        "reduceByGroups",
        four_groups_of_two,
        1,
        "|a: [(i32, f32); N]| a >> map(|(x, y)| (x, y + 1)) >> reduce(|s, x| (s.0 * x.0, s.1 + x.1), (1, 2))",
    ),
    with(
        "reduceByGroups",
        two_groups_of_two,
        1,
        "|a: [[i32; M]; N]| a >> join >> map(|i => x| x * i as i32) >> reduce(add, 0)",
    ),
    with("reduceByGroups", two_groups_of_two, 1, "|a: [i32; N]| a >> reduce(min, 7)"),
    with("reduceByGroups", two_groups_of_two, 1, "|a: [i32; N], z: i32| a >> reduce(min, z * z)"),
    with("reduceByGroups", four_groups_of_two, 1, "|a: [i32; N], z: i32| a >> reduce(|s, x| max(s, x * x), z)"),
    with(
        "reduceByGroups",
        two_groups_of_two,
        1,
        "|a: [(i32, i32); N]| a >> reduce(|(s, m), (x, y)| (s + x, max(m, y)), (5, -9))",
    ),
    with("reduceByGroups", two_groups_of_two, 1, "|a: [i32; 9]| a >> reduce(max, at(2, a))"),
    // Of one function and one result only, and only outside of functions.
    with("reduceByGroups", two_groups_of_two, 0, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(add, 0))"),
    // Small arrays, whose elements are combined each by itself.
    with(
        "reduceByGroups",
        two_groups_of_two,
        1,
        "|a: [[i32; 3]; N]| a >> reduce(|s, x| zip(s, x) >> map(|s, x| s + x * x), [1, 2, 3])",
    ),
    with("reduceByGroups", two_groups_of_two, 1, "|a: [i32; N]| a >> reduce(|[s, p], x| [s + x, x * p], [2, 3])"),
    with(
        "reduceByItems",
        three_of_two,
        1,
        "|a: [[i32; 2]; N]| a >> reduce(|[s, m], [x, y]| [s + x, max(m, y)], [1, 2])",
    ),
    // A work-item has no room for these in registers, and their elements change places.
    with(
        "reduceByGroups",
        two_groups_of_two,
        0,
        "|a: [[i32; 17]; N]| a >> reduce(|s, x| zip(s, x) >> map(add), repeat(17, 0))",
    ),
    with("reduceByGroups", two_groups_of_two, 0, "|a: [i32; N]| a >> reduce(|[s, p], x| [p + x, s + x], [2, 3])"),
    with("reduceByGroups", two_groups_of_two, 0, "|a: [i32; N]| a >> reduceSeq(add, 0)"),
    with("reduceByGroups", two_groups_of_two, 0, "|a: [i32; N]| a >> reduce(|s, x| s - x, 7)"),
    with("reduceByGroups", two_groups_of_two, 0, "|a: [i => [i32; i + 1]; N]| a >> join >> reduce(add, 0)"),
    // Groups of groups would be left over, and a tree has two branches.
    with("reduceByGroups", three_of_two, 0, "|a: [i32; N]| a >> reduce(add, 0)"),
    with("reduceByGroups", || vec![size(3), size(3)], 0, "|a: [i32; N]| a >> reduce(add, 0)"),
    with("reduceByItems", three_of_two, 1, "|a: [i32; N]| a >> reduce(min, 2)"),
    with("reduceByItems", two_groups_of_two, 1, "|a: [i32; N]| a >> reduce(|s, x| max(s, x * x), 7)"),
    with("reduceByItems", || vec![size(1), size(1)], 1, "|a: [i32; N]| a >> reduce(add, 3)"),
    with(
        "reduceByItems",
        three_of_two,
        1,
        "#[assoc] #[comm]
         fn further(a: (i32, i32), b: (i32, i32)) -> (i32, i32) { if a.0 < b.0 { b } else { if b.0 < a.0 { a }
             else { (a.0, max(a.1, b.1)) } } }
         fn furthest<const N: usize>(a: [(i32, i32); N]) -> (i32, i32) { a >> reduce(further, (0, 0)) }",
    ),
    with(
        "reduceByItems",
        three_of_two,
        0,
        "#[assoc]
         fn first(a: i32, b: i32) -> i32 { if a != 0 { a } else { b } }
         fn found<const N: usize>(a: [i32; N]) -> i32 { a >> reduce(first, 0) }",
    ),
    with("reduceByItems", three_of_two, 0, "|a: [[i32; M]; N]| a >> map(|r| r >> reduce(min, 0))"),
    with("reduceByKeyInParts", two_parts, 1, "|k: [i32; N], a: [i32; N]| reduceByKey(2, add, 5, k, a)"),
    with("reduceByKeyInParts", two_parts, 1, "|k: [i32; N], a: [i32; N]| reduceByKey(M, max, 2, k, a)"),
    with("reduceByKeyInParts", two_parts, 1, "|k: [i32; N]| histogram(1, k)"),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [f32; N]| reduceByKey(1, |(s, c), x| (s + x, c + 1), (0, 0), k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|t: [i32; M], a: [i32; N]| a >> map(|x| x + 1)
             >> reduce(|t, x| { let y = x * x; update(y, at(y, t) * y, t) }, map(|x| x + 2, t))",
    ),
    // Entries that are combined part by part: some parts have an identity, others start from the value before.
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [(i32, i32); N]| reduceByKey(2, |(s, m), (x, y)| (s + x, max(m, y)), (1, 2), k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|t: [(i32, i32); M], k: [i32; N]|
             k >> reduce(|t, k| { let x = at(k, t); update(k, (min(x.0, k), x.1 * k), t) }, t)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [[i32; 2]; N]| reduceByKey(2, |[s, t], [x, y]| [s + x, t + y * y], [1, 2], k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [[i32; 3]; N]| reduceByKey(2, |[s, m, p], [x, y, z]| [s + x, max(m, y), z * p], [0, 2, 3], k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [i32; N]| reduceByKey(2, |[s, q], x| [s + x, q * x], [1, 2], k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [[i32; M]; N]| reduceByKey(2, |s, x| zip(s, x) >> map(|s, x| s + x * x), repeat(M, 1), k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], w: [i32; M], a: [[i32; M]; N]|
             reduceByKey(2, |s, x| zip(x, s, w) >> map(|i => (x, s, w)| max(x * w + i as i32, s)), repeat(M, 1), k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        1,
        "|k: [i32; N], a: [[[i32; 2]; M]; N]| reduceByKey(
             2, |s, x| zip(s, x) >> map(|s, x| zip(s, x) >> map(|s, x| s + 2 * x)), repeat(M, repeat(2, 1)), k, a)",
    ),
    // Parts that change places, depend on others, or are combined by another operator.
    with(
        "reduceByKeyInParts",
        two_parts,
        0,
        "|k: [i32; N], a: [[i32; 2]; N]| reduceByKey(2, |[s, t], [x, y]| [t + x, s + y], [1, 2], k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        0,
        "|k: [i32; N], a: [[i32; 2]; N]| reduceByKey(2, |[s, t], [x, y]| [s + x, t + y * s], [1, 2], k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        0,
        "|k: [i32; N], a: [[i32; 2]; N]| reduceByKey(2, |s, x| zip(s, x) >> map(|t, x| t + x * at(0, s)), [1, 2], k, a)",
    ),
    with(
        "reduceByKeyInParts",
        two_parts,
        0,
        "|k: [i32; N], a: [[i32; 2]; N]| reduceByKey(2, |s, x| zip(s, x) >> map(|s, x| x - s), [1, 2], k, a)",
    ),
    // Its order is fixed, its operator is not associative, it reads other entries, or a work-item does it.
    with(
        "reduceByKeyInParts",
        two_parts,
        0,
        "|k: [i32; N]| k >> reduceSeq(|t, x| update(x, at(x, t) + 1, t), repeat(2, 0))",
    ),
    with("reduceByKeyInParts", two_parts, 0, "|k: [i32; N], a: [i32; N]| reduceByKey(2, sub, 0, k, a)"),
    with(
        "reduceByKeyInParts",
        two_parts,
        0,
        "|k: [i32; N]| k >> reduce(|t, x| update(x, at(0, t) + 1, t), repeat(2, 0))",
    ),
    with("reduceByKeyInParts", two_parts, 0, "|k: [[i32; M]; N]| k >> map(histogram(2))"),
    // One entry for each key, and several.
    with("reduceByKeyInGroups", one_entry, 1, "|k: [i32; N], a: [i32; N]| reduceByKey(2, add, 5, k, a)"),
    with("reduceByKeyInGroups", one_entry, 1, "|k: [i32; N], a: [i32; N]| reduceByKey(3, max, 2, k, a)"),
    with("reduceByKeyInGroups", one_entry, 1, "|k: [i32; N]| histogram(1, k)"),
    with(
        "reduceByKeyInGroups",
        one_entry,
        1,
        "|k: [i32; N], a: [i32; N]| reduceByKey(2, |(s, c, m), x| (s + x, 1 + c, m & x), (0, 0, 7), k, a)",
    ),
    with(
        "reduceByKeyInGroups",
        one_entry,
        1,
        "|k: [i32; N], a: [(i32, i32); N]| reduceByKey(2, |(s, m), (x, y)| (s + x, max(m, y)), (1, 2), k, a)",
    ),
    with("reduceByKeyInGroups", three_entries, 1, "|k: [i32; N], a: [i32; N]| reduceByKey(2, add, 5, k, a)"),
    with("reduceByKeyInGroups", three_entries, 1, "|k: [i32; N], a: [i32; N]| reduceByKey(3, max, 2, k, a)"),
    with("reduceByKeyInGroups", three_entries, 1, "|k: [i32; N]| histogram(1, k)"),
    with(
        "reduceByKeyInGroups",
        three_entries,
        1,
        "|k: [i32; N], a: [i32; N]| reduceByKey(2, |(s, c, m), x| (s + x, 1 + c, m & x), (0, 0, 7), k, a)",
    ),
    with(
        "reduceByKeyInGroups",
        three_entries,
        1,
        "|k: [i32; N], a: [(i32, i32); N]| reduceByKey(2, |(s, m), (x, y)| (s + x, max(m, y)), (1, 2), k, a)",
    ),
    with(
        "reduceByKeyInGroups",
        three_entries,
        1,
        "|t: [i32; 3], k: [i32; N]| k >> reduce(|t, x| update(x, max(at(x, t), x * x), t), t >> map(|x| x - 1))",
    ),
    // Narrow elements are read four at a time, but where groups do not begin with four.
    with("reduceByKeyInGroups", of_four, 1, "|k: [u8; N]| histogram(2, k)"),
    with("reduceByKeyInGroups", of_four_in_turn, 1, "|k: [u8; N]| histogram(3, k)"),
    with("reduceByKeyInGroups", of_four_in_turn, 1, "|k: [[i16; M]; N]| k >> join >> histogram(4)"),
    with("reduceByKeyInGroups", three_entries, 1, "|k: [u16; N]| histogram(8, k)"),
    with("reduceByKeyInGroups", of_four, 1, "|k: [i8; N]| k >> map(|x| x - 1) >> histogram(2)"),
    // The length of the table is no number, its elements are no integers, or another operator combines them.
    with("reduceByKeyInGroups", one_entry, 0, "|k: [i32; N], a: [i32; N]| reduceByKey(M, max, 2, k, a)"),
    with("reduceByKeyInGroups", one_entry, 0, "|k: [i32; N], a: [f32; N]| reduceByKey(2, add, 0, k, a)"),
    with("reduceByKeyInGroups", one_entry, 0, "|k: [i32; N], a: [i32; N]| reduceByKey(2, mult, 1, k, a)"),
    with("reduceByKeyInGroups", one_entry, 0, "|k: [[i32; M]; N]| k >> map(histogram(2))"),
    instance("reduceByKeyTogether", 1, "|k: [i32; N], a: [i32; N]| reduceByKey(M, max, 2, k, a)"),
    instance(
        "reduceByKeyTogether",
        1,
        "|k: [(i32, i32); N]| k >> reduce(|t, (i, j)| update(i, update(j, at(j, at(i, t)) + 3, at(i, t)), t),
             repeat(M, repeat(2, 1)))",
    ),
    instance(
        "reduceByKeyTogether",
        1,
        "|t: [i32; M], a: [i32; N]| a >> map(|x| x + 1)
             >> reduce(|t, x| { let y = x * x; update(y, at(y, t) ^ y ^ 3, t) }, map(|x| x + 2, t))",
    ),
    instance("reduceByKeyTogether", 0, "|k: [i32; N], a: [i64; N]| reduceByKey(2, add, 0, k, a)"),
    instance(
        "reduceByKeyTogether",
        0,
        "|k: [i32; N]| k >> reduce(|t, x| update(x, at(0, t) + 1, t), repeat(2, 0))",
    ),
    with("scanByTiles", tiles_of_four, 1, "|a: [i32; N]| a >> scan(add, 5)"),
    with("scanByTiles", tiles_of_eight, 1, "|a: [i32; N]| a >> scan(max, 3)"),
    with("scanByTiles", tiles_of_four, 1, "|a: [i32; N]| a >> map(|x| x * x) >> scanInclusive(add)"),
    with(
        "scanByTiles",
        tiles_of_four,
        3,
        "|a: [i32; N]| a >> scan(add, 0) >> map(|x| x + 1) >> map(|x| (x, x * x))",
    ),
    with(
        "scanByTiles",
        tiles_of_four,
        1,
        "#[assoc]
         fn then(a: (i32, i32), b: (i32, i32)) -> (i32, i32) { (a.0 * b.0, a.1 * b.0 + b.1) }
         fn composed<const N: usize>(a: [(i32, i32); N]) -> [(i32, i32); N] { a >> scan(then, (1, 0)) }",
    ),
    with(
        "scanByTiles",
        tiles_of_four,
        1,
        "|a: [i32; N]| { let s = a >> scanInclusive(add); zip(a, s) >> map(|x, y| x * y) }",
    ),
    // What is combined is computed of each element first.
    with("scanByTiles", tiles_of_four, 1, "|a: [i32; N]| a >> scan(|s, x| s + x * x, 5)"),
    with("scanByTiles", tiles_of_eight, 1, "|a: [i32; N]| a >> scanInclusive(|s, x| max(3 * x, s))"),
    with("scanByTiles", tiles_of_four, 1, "|a: [i32; N]| a >> map(|x| x + 1) >> scanInclusive(|s, x| s + x * x)"),
    with("scanByTiles", tiles_of_four, 2, "|a: [i32; N]| a >> scan(|i => s, x| s + x * i as i32, 1) >> map(|x| x + 1)"),
    with("scanByTiles", tiles_of_four, 1, "|a: [f32; N]| a >> scan(|(n, s), x| (n + 1, s + x), (0, 1.0))"),
    // Its order is fixed, its operator is not associative, or a work-item does it.
    with("scanByTiles", tiles_of_four, 0, "|a: [i32; N]| a >> scan(|s, x| s + x * s, 1)"),
    with("scanByTiles", tiles_of_four, 0, "|a: [i32; N]| a >> scanSeq(add, 0)"),
    with("scanByTiles", tiles_of_four, 0, "|a: [i32; N]| a >> scan(|s, x| s - x, 0)"),
    with("scanByTiles", tiles_of_four, 0, "|a: [[i32; M]; N]| a >> map(|r| r >> scan(add, 0))"),
    with("scanByTiles", || vec![size(4), size(1), size(3)], 0, "|a: [i32; N]| a >> scan(add, 0)"),
    with("scanRowsByTiles", tiles_of_four, 1, "|a: [[i32; M]; N]| a >> map(scan(add, 5))"),
    with("scanRowsByTiles", tiles_of_eight, 1, "|a: [[i32; M]; N]| a >> map(|r| r >> scanInclusive(|s, x| max(3 * x, s)))"),
    with(
        "scanRowsByTiles",
        tiles_of_four,
        1,
        "#[assoc]
         fn then(a: (i32, i32), b: (i32, i32)) -> (i32, i32) { (a.0 * b.0, a.1 * b.0 + b.1) }
         fn composed<const N: usize, const M: usize>(a: [[(i32, i32); M]; N]) -> [[(i32, i32); M]; N] {
             a >> map(scan(then, (1, 0))) }",
    ),
    with("scanRowsByTiles", || vec![size(48), size(1), size(24)], 1, "|a: [[i32; M]; N]| a >> map(scan(add, 5))"),
    with("scanRowsByTiles", || vec![size(64), size(1), size(8)], 1, "|a: [[i32; M]; N]| a >> map(scanInclusive(add))"),
    // What is the same for a row is computed where it is needed.
    with(
        "scanRowsByTiles",
        tiles_of_four,
        1,
        "|a: [[i32; M]; N], w: [i32; N]| zip(a, w) >> map(|r, w| { let v = w * w;
             r >> map(|x| x * w) >> scan(|s, x| s + x * v, v) >> map(|x| x + v) >> map(|x| (x, w)) })",
    ),
    with("scanRowsByTiles", tiles_of_four, 1, "|a: [[i32; M]; N]| a >> transpose >> map(scan(add, 0))"),
    with(
        "scanRowsByTiles",
        tiles_of_four,
        1,
        "|a: [[i32; 9]; N]| a >> map(|r| { let v = at(8, r); let w = v * v + at(1, r);
             r >> map(|x| x + w) >> scanInclusive(|s, x| s + x * v) >> map(|x| (x, v, w)) })",
    ),
    with("scanRowsByTiles", tiles_of_four, 0, "|a: [[i32; M]; N], w: [i32; N]| zip(a, w) >> map(|r, w| r >> scan(|s, x| s * w + x, 0))"),
    with("scanRowsByTiles", tiles_of_four, 0, "|a: [[i32; M]; N]| a >> map(scanSeq(add, 0))"),
    with("scanRowsByTiles", tiles_of_four, 0, "|a: [i32; N]| a >> scan(add, 0)"),
    with("scanRowsInGroups", tiles_of_four, 1, "|a: [[i32; 3]; N]| a >> map(scan(add, 5))"),
    with("scanRowsInGroups", tiles_of_eight, 1, "|a: [[i32; 8]; N]| a >> map(scanInclusive(add)) >> transpose"),
    with("scanRowsInGroups", tiles_of_eight, 1, "|a: [[i32; M]; N]| a >> map(|r| r >> scan(max, 3) >> map(|x| x + 1))"),
    with("scanRowsInGroups", tiles_of_four, 0, "|a: [[i32; 5]; N]| a >> map(scan(add, 5))"),
];
