//! Instances of split-join and strip-mining.

use super::{Instance, instance, size, with};

pub(super) const INSTANCES: &[Instance] = &[
    with("dealOut", || vec![size(4)], 1, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("dealOut", || vec![size(3)], 2, "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + 1))"),
    with(
        "dealOut",
        || vec![size(3)],
        1,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| (x + y, x * y))",
    ),
    with("dealOut", || vec![size(4)], 1, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with("dealOut", || vec![size(2)], 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
    with("dealOut", || vec![size(0)], 0, "|a: [i32; 6]| a >> map(|x| x + 1)"),
    with("splitJoin", || vec![size(4)], 1, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("splitJoin", || vec![size(2)], 2, "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + 1))"),
    with(
        "splitJoin",
        || vec![size(3)],
        1,
        "|a: [i32; N], b: [i32; N]| zip(a, b) >> map(|(x, y)| (x + y, x * y))",
    ),
    // Rows of lengths of their own.
    with(
        "splitJoin",
        || vec![size(2)],
        1,
        "|m: [i => [i32; i + 1]; N], v: [i32; N]|
            m >> map(|row| zip(row, v >> slice(0, len(row))) >> reduce(|s, (x, y)| s + x * y, 0))",
    ),
    with("splitJoin", || vec![size(4)], 1, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with("splitJoin", || vec![size(2)], 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
    with("splitJoin", || vec![size(4)], 0, "|a: [i32; 6]| a >> map(|x| x + 1)"),
    with("splitJoin", || vec![size(0)], 0, "|a: [i32; 6]| a >> map(|x| x + 1)"),
    //
    with("splitJoinUneven", || vec![size(4)], 1, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("splitJoinUneven", || vec![size(4)], 1, "|a: [i32; 6]| a >> map(|x| x + 1)"),
    with("splitJoinUneven", || vec![size(3)], 2, "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + 1))"),
    with(
        "splitJoinUneven",
        || vec![size(2)],
        1,
        "|m: [i => [i32; i + 1]; N], v: [i32; N]|
            m >> map(|row| zip(row, v >> slice(0, len(row))) >> reduce(|s, (x, y)| s + x * y, 0))",
    ),
    with("splitJoinUneven", || vec![size(4)], 1, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with("splitJoinUneven", || vec![size(4)], 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
    with("splitJoinUneven", || vec![size(0)], 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    //
    instance("joinSplit", 1, "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + 1))"),
    instance("joinSplit", 1, "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> map(|x| x + 1))"),
    instance("joinSplit", 2, "|a: [[[i32; 2]; M]; N]| a >> map(|p| p >> map(|row| row >> map(|x| x + 1)))"),
    instance(
        "joinSplit",
        1,
        "|a: [[i32; M]; N]| a >> map(|i => row| row >> map(|k => x| x * (i as i32) - k as i32))",
    ),
    // The function of an element mentions the length of its row, which depends on the row.
    instance(
        "joinSplit",
        0,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> map(|x| x + len(row) as i32))",
    ),
    instance("joinSplit", 0, "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + reduce(add, 0, row)))"),
    instance("joinSplit", 0, "|a: [[i32; M]; N]| a >> map(|row| row >> reverse >> map(|x| x + 1))"),
    //
    with("splitJoinId", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(add, 0)"),
    with("splitJoinId", || vec![size(2)], 3, "|a: [[i32; M]; N]| a >> map(|row| row >> reduce(add, 0))"),
    with("splitJoinId", || vec![size(2)], 0, "|a: i32| a + 1"),
    //
    with("stripMine", || vec![size(4)], 1, "|a: [i32; N]| a >> reduce(add, 0)"),
    with("stripMine", || vec![size(2)], 1, "|a: [i32; N]| a >> reduceSeq(|s, x| s * 2 - x, 1)"),
    with(
        "stripMine",
        || vec![size(3)],
        1,
        "|a: [[f32; M]; N], v: [f32; M]| a >> map(|row| zip(row, v) >> reduce(|s, (x, y)| s + x * y, 0.0))",
    ),
    with(
        "stripMine",
        || vec![size(2)],
        1,
        "|m: [i => [i32; i + 1]; N]| m >> reduce(|s, row| s + at(len(row) - 1, row) * len(row) as i32, 0)",
    ),
    with("stripMine", || vec![size(2)], 1, "|a: [i32; N]| a >> reduce(|i => s, x| s * 2 + x * i as i32, 0)"),
    with("stripMine", || vec![size(4)], 0, "|a: [i32; 6]| a >> reduce(add, 0)"),
    with("stripMine", || vec![size(4)], 0, "|a: [i32; N]| a >> scan(add, 0)"),
    //
    with("stripMineUneven", || vec![size(4)], 1, "|a: [i32; N]| a >> reduceSeq(|s, x| s * 2 - x, 1)"),
    with("stripMineUneven", || vec![size(4)], 1, "|a: [i32; 6]| a >> reduce(add, 0)"),
    with(
        "stripMineUneven",
        || vec![size(2)],
        1,
        "|m: [i => [i32; i + 1]; N]| m >> map(|row| row >> reduce(|s, x| s * 2 + x, 0))",
    ),
    with("stripMineUneven", || vec![size(4)], 0, "|a: [i32; N]| a >> map(|x| x + 1)"),
    //
    instance("joinBeforeReduce", 1, "|a: [[i32; M]; N]| a >> join >> reduce(|s, x| 2 * s - x, 1)"),
    instance(
        "joinBeforeReduce",
        1,
        "|a: [[i32; M]; N]| a >> join >> reduceSeq(|i => s, x| 2 * s + x * i as i32, 1)",
    ),
    instance(
        "joinBeforeReduce",
        1,
        "|m: [i => [i32; i + 1]; N]| m >> join >> reduce(|i => s, x| 2 * s + x * i as i32, 1)",
    ),
    instance("joinBeforeReduce", 0, "|a: [[i32; M]; N]| a >> transpose >> join >> map(|x| x + 1)"),
    //
    instance(
        "reduceJoin",
        1,
        "|a: [[i32; M]; N]| a >> reduce(|s, row| row >> reduce(|s, x| s * 2 - x, s), 1)",
    ),
    instance(
        "reduceJoin",
        1,
        "|m: [i => [i32; i + 1]; N]| m >> reduceSeq(|s, row| row >> reduceSeq(|s, x| s * 2 - x, s), 1)",
    ),
    instance("reduceJoin", 0, "|a: [[i32; M]; N]| a >> reduce(|s, row| row >> reduceSeq(add, s), 1)"),
    instance("reduceJoin", 0, "|a: [[i32; M]; N]| a >> reduce(|s, row| s + reduce(add, 0, row), 1)"),
    instance(
        "reduceJoin",
        0,
        "|a: [[i32; M]; N]| a >> reduce(|s, row| row >> reduce(|t, x| t + x * s, s), 1)",
    ),
    with("joinSplitId", Vec::new, 2, "|a: [[i32; M]; N]| a >> map(map(|x| x + 1))"),
    with("joinSplitId", Vec::new, 1, "|a: [[i32; M]; N]| a >> map(|row| row >> reduce(add, 0))"),
    with("joinSplitId", Vec::new, 0, "|a: [i => [i32; i + 1]; N]| a >> map(|row| row >> reduce(add, 0))"),
];
