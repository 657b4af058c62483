//! Segments, whose elements lanes reduce in turns, or that groups read in tiles.

use lift_core::middle::rewrite::Argument;

use super::{Instance, size, with};

fn two() -> Vec<Argument> {
    vec![size(2)]
}

fn three() -> Vec<Argument> {
    vec![size(3)]
}

/// Groups of two work-items, and tiles of four elements.
fn two_and_four() -> Vec<Argument> {
    vec![size(2), size(4)]
}

fn three_and_three() -> Vec<Argument> {
    vec![size(3), size(3)]
}

fn two_and_three() -> Vec<Argument> {
    vec![size(2), size(3)]
}

pub(super) const INSTANCES: &[Instance] = &[
    with("longSegmentsApart", two, 1, "|e: [i32; N], a: [i32; M]| reduceSegments(add, 5, e, a)"),
    with("longSegmentsApart", two, 1, "|e: [i32; N], a: [i32; M]| reduceSegments(|s, x| s * 2 + x, 3, e, a)"),
    with(
        "longSegmentsApart",
        three,
        1,
        "|e: [i32; N], a: [f32; M]| reduceSegments(|(s, c), x| (s + x * x, c + 1), (1, 0), e, a)",
    ),
    with(
        "longSegmentsApart",
        two,
        1,
        "|e: [[i32; M]; N], a: [i32; M]| e >> map(|e| reduceSegments(mult, 1, e, a))",
    ),
    // A segment uses its number as a number.
    with(
        "longSegmentsApart",
        two,
        1,
        "|e: [u32; N], a: [i32; M]| generate(N, |i| {
             let first = min(at(i, e) as i64, M as i64);
             let count = M as i64 - first;
             repeat(M, 0i32) >> reduceWhile(|k => s, _|
                 (k as i64 < count, s + atOr(first + k as i64, 0, a)), i as i32) })",
    ),
    // Nothing says where a segment begins, or its elements lie where an index of the program is needed.
    with(
        "longSegmentsApart",
        two,
        0,
        "|e: [i32; N]| e >> map(|x| { let count = x as i64;
             e >> reduceWhile(|k => s, y| (k as i64 < count, s + y), 0) })",
    ),
    with(
        "longSegmentsApart",
        two,
        0,
        "|e: [i64; N], a: [[i32; 3]; N]| generate(N, |i| {
             let first = at(i, e);
             let count = N as i64 - first;
             repeat(N, 0i32) >> reduceWhile(|k => s, _|
                 (k as i64 < count, s + atOr(first + k as i64, 0, generate(N, |j| at(0, at(j % (i + 1), a))))), 0) })",
    ),
    with("segmentsInTiles", two_and_four, 1, "|e: [i32; N], a: [i32; M]| reduceSegments(add, 5, e, a)"),
    with("segmentsInTiles", three_and_three, 1, "|e: [u64; N], a: [i32; M]| reduceSegments(min, 1, e, a)"),
    with(
        "segmentsInTiles",
        two_and_four,
        1,
        "|e: [i32; N], a: [f32; M]| reduceSegments(|(s, c), x| (s + x * x, c + 1), (1, 0), e, a)",
    ),
    with(
        "segmentsInTiles",
        three_and_three,
        1,
        "|e: [i32; N], a: [i32; M], b: [i32; M], c: [i32; N]|
             zip(a, b) >> map(|x, y| x * at(y, c)) >> reduceSegments(add, 0, e)",
    ),
    // Segments of another length than their array, anywhere.
    with(
        "segmentsInTiles",
        two_and_four,
        1,
        "|e: [i64; N], c: [i64; N], a: [i32; M]| generate(N, |i| {
             let first = min(max(at(i, e), 0), M as i64);
             let last = at(i, c);
             let count = last - first;
             repeat(5, 0i32) >> reduceWhile(|k => s, _| (k as i64 < count, s + atOr(first + k as i64, 0, a)), 0) })",
    ),
    // They begin at positions that may be anything.
    with(
        "segmentsInTiles",
        two_and_four,
        0,
        "|e: [i64; N], c: [i64; N], a: [i32; M]| generate(N, |i| {
             let first = at(i, e);
             let last = at(i, c);
             let count = last - first;
             repeat(5, 0i32) >> reduceWhile(|k => s, _| (k as i64 < count, s + atOr(first + k as i64, 0, a)), 0) })",
    ),
    // An element contributes what depends on its segment, or on its position there.
    with(
        "segmentsInTiles",
        two_and_four,
        0,
        "|e: [u32; N], a: [i32; M]| generate(N, |i| {
             let first = min(at(i, e) as i64, M as i64);
             let count = M as i64 - first;
             repeat(M, 0i32) >> reduceWhile(|k => s, _|
                 (k as i64 < count, s + i as i32 * atOr(first + k as i64, 0, a)), 0) })",
    ),
    with(
        "segmentsInTiles",
        two_and_four,
        0,
        "|e: [u32; N], a: [i32; M]| generate(N, |i| {
             let first = min(at(i, e) as i64, M as i64);
             let count = M as i64 - first;
             repeat(M, 0i32) >> reduceWhile(|k => s, _|
                 (k as i64 < count, s + k as i32 * atOr(first + k as i64, 0, a)), 0) })",
    ),
    // In a function, without an operator whose order is open, and with tiles that are not shared out evenly.
    with(
        "segmentsInTiles",
        two_and_four,
        0,
        "|e: [[i32; M]; N], a: [i32; M]| e >> map(|e| reduceSegments(mult, 1, e, a))",
    ),
    with("segmentsInTiles", two_and_four, 0, "|e: [i32; N], a: [i32; M]| reduceSegments(sub, 0, e, a)"),
    with("segmentsInTiles", two_and_three, 0, "|e: [i32; N], a: [i32; M]| reduceSegments(add, 0, e, a)"),
    with("segmentByLanes", two, 1, "|e: [i32; N], a: [i32; M]| reduceSegments(add, 5, e, a)"),
    with("segmentByLanes", three, 1, "|e: [i32; N], a: [i32; M]| reduceSegments(min, 1, e, a)"),
    with(
        "segmentByLanes",
        three,
        1,
        "|e: [i32; N]| reduceSegments(|s, x| max(s, x * x), 3, e, map(|x| x + 1, e))",
    ),
    with(
        "segmentByLanes",
        two,
        1,
        "|e: [i32; N], a: [f32; M]| reduceSegments(|(s, c), x| (s + x * x, c + 1), (1, 0), e, a)",
    ),
    with(
        "segmentByLanes",
        two,
        1,
        "|e: [[i32; M]; N], a: [i32; M]| e >> map(|e| reduceSegments(mult, 1, e, a))",
    ),
    with(
        "segmentByLanes",
        three,
        1,
        "|e: [i32; N], a: [(i32, f32); M]| reduceSegments(|(s, m), (x, y)| (s + x, max(m, y)), (1, 2.0), e, a)",
    ),
    // Its order is fixed, its start is work, or it is another loop.
    with("segmentByLanes", two, 0, "|e: [i32; N], a: [i32; M]| reduceSegments(sub, 0, e, a)"),
    with("segmentByLanes", two, 0, "|e: [i32; N], a: [i32; M]| reduceSegments(|s, x| s * 2 + x, 0, e, a)"),
    with(
        "segmentByLanes",
        two,
        0,
        "|e: [i32; N]| e >> map(|x| { let last = min(x as i64, N as i64);
             iterateWhile(N, |(k, _)| k < last, |(k, s)| (k + 1, s + 1), (x as i64, 0)).1 })",
    ),
    with(
        "segmentByLanes",
        two,
        0,
        "|e: [i32; N]| e >> map(|x| { let count = x as i64;
             e >> reduceWhile(|k => s, y| (k as i64 < count, s + y), 0) })",
    ),
    with(
        "segmentByLanes",
        two,
        0,
        "|e: [i32; N]| e >> map(|x| { let count = x as i64;
             e >> reduceWhile(|k => s, y| (k as i64 < count, s + at(k, e)), 0) })",
    ),
    with(
        "segmentByLanes",
        two,
        1,
        "|e: [i32; N]| e >> map(|x| { let count = x as i64;
             e >> reduceWhile(|k => s, y| (k as i64 < count, s + at(k as i64, e)), 0) })",
    ),
];
