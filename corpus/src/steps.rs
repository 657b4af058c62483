//! Programs whose accumulators are tuples. A step moves their components, exchanges, drops or mixes them.
//! There is a program for every step in every reduction and scan, outside and inside of maps, and there are
//! arrays of tuples that are computed again and again.

/// A step of an accumulator `s` with an element `x` of type `T`, its first value, and what is told of it in
/// the end. Other names than these do not occur in the texts.
struct Step {
    step: &'static str,
    initial: &'static str,
    result: &'static str,
}

const fn step(step: &'static str, initial: &'static str, result: &'static str) -> Step {
    Step { step, initial, result }
}

const TWO: &str = "[s.0 as i32, s.1 as i32]";
const THREE: &str = "[s.0 as i32, s.1 as i32, s.2 as i32]";
const FOUR: &str = "[s.0 as i32, s.1 as i32, s.2 as i32, s.3 as i32]";

const STEPS: [Step; 16] = [
    step("(x, s.0)", "(0, 0)", TWO),
    step("(s.1, s.0)", "(1, 2)", TWO),
    step("(s.1, x)", "(1, 2)", TWO),
    step("(s.0 + s.1, s.0)", "(1, 1)", TWO),
    step("(s.1, s.0 + s.1)", "(0, 1)", TWO),
    step("(s.0 + x, s.0 + s.1)", "(0, 0)", TWO),
    step("(s.2, s.0, s.1)", "(1, 2, 3)", THREE),
    step("(s.1, s.2, s.0 * 3 + s.1 - x)", "(0, 1, 2)", THREE),
    step("(s.1, s.0, s.3 + x, s.2)", "(1, 2, 3, 4)", FOUR),
    step("(s.3, s.1 + s.2 * x, s.1, s.2)", "(1, 2, 3, 4)", FOUR),
    step("((s.1, s.0.0), s.0.1 + x)", "((1, 2), 3)", "[s.0.0 as i32, s.0.1 as i32, s.1 as i32]"),
    step(
        "(s.1, (s.0.1, x), s.0.0)",
        "((1, 2), (3, 4), 5)",
        "[s.0.0 as i32, s.0.1 as i32, s.1.0 as i32, s.1.1 as i32]",
    ),
    step("if x > 2 { (s.1, s.0) } else { (x, s.1 + x) }", "(1, 2)", TWO),
    step("(if x > 2 { s.1 } else { s.0 }, if s.0 > s.1 { s.0 } else { x })", "(5, 2)", TWO),
    step("{ let t = s.0 * 2 + x; let u = t - s.1; (u, s.0, t + u) }", "(1, 2, 3)", THREE),
    step("(at(s.1 as i32, [x, s.0, 3, 1, 4]), s.0, reduce(add, s.1, [s.0, s.2, x]))", "(1, 2, 3)", THREE),
];

/// Types of `x`: as `a as T` makes them of small numbers.
const TYPES: [&str; 10] = ["i32", "u8", "f32", "i64", "i16", "u32", "f64", "u64", "i8", "u16"];

/// Where a step `S` is done, from `Z` on; `R` is the result.
const PLACES: [&str; 12] = [
    "|a: [i32; N]| { let s = a >> map(|y| y as T) >> reduce(S, Z); R }",
    "|a: [i32; N]| { let s = a >> map(|y| y as T) >> reduceSeq(S, Z); R }",
    "|a: [i32; 5]| { let s = a >> map(|y| y as T) >> reduceSeqUnroll(S, Z); R }",
    "|a: [i32; N]| { let s = a >> map(|y| y as T) >> reduceSeqPipelined(S, Z); R }",
    "|a: [[i32; N]; M]| a >> map(|row| { let next = S; let s = row >> map(|y| y as T) >> reduceWhile(|q, y| (y != 3, next(q, y)), Z); R })",
    "|a: [i32; N]| a >> map(|y| y as T) >> scan(S, Z) >> map(|s| R)",
    "|a: [i32; N]| a >> map(|y| y as T) >> scanSeq(S, Z) >> map(|s| R)",
    "|a: [[i32; N]; M]| a >> map(|row| { let s = row >> map(|y| y as T) >> reduceSeq(S, Z); R })",
    "|a: [[i32; 6]; M]| a >> mapGlb0(|row| { let s = row >> map(|y| y as T) >> reduceSeqUnroll(S, Z); R })",
    "|a: [[[i32; N]; 4]; M]| a >> mapWrg0(mapLcl0(|row| { let s = row >> map(|y| y as T) >> reduceSeqPipelined(S, Z); R }))",
    "|a: [[i32; N]; M]| a >> map(|row| row >> map(|y| y as T) >> scanSeq(S, Z) >> map(|s| R))",
    "|a: [[i32; N]; M]| { let s = a >> reduceSeq(|r, row| row >> map(|y| y as T) >> reduceSeq(S, r), Z); R }",
];

/// What else is assigned at once: vectors, results of user functions, elements of arrays that accumulate or
/// iterate.
const OTHERS: [&str; 22] = [
    // The result is the tuple itself.
    "|a: [i32; N]| a >> reduceSeq(|s, x| (x, s.0), (0, 0))",
    "|a: [[f32; N]; M]| a >> map(reduceSeq(|s, x| (s.1 + x, s.2, s.0), (1, 2, 3)))",
    "fn next(s: (i32, i32), x: i32) -> (i32, i32) { (s.1, s.0 + x) }
     fn f<const N: usize>(a: [i32; N]) -> (i32, i32) { a >> reduce(next, (0, 1)) }",
    "fn next(s: (i32, i32), x: i32) -> (i32, i32) { (s.1, s.0 + x) }
     fn f<const N: usize, const M: usize>(a: [[i32; N]; M]) -> [(i32, i32); M] { a >> map(reduceSeq(|s, x| next(next((s.1, s.0), x), 3), (0, 1))) }",
    "fn next(s: (f32, f32), x: f32) -> (f32, f32) { if x < s.0 { (s.1, s.0) } else { (x, s.0) } }
     fn f<const N: usize>(a: [f32; N]) -> [(f32, f32); N] { a >> scanSeq(next, (0, 1)) }",
    // Every prefix, with the element itself as the first one.
    "|a: [i32; N], b: [i32; N]| zip(a, b) >> scanInclusive(|s, x| (s.1 + x.0, s.0))",
    "|a: [[f32; N]; M], b: [[f32; N]; M]| zip2(a, b) >> map(scanInclusive(|s, x| (x.1, s.0 + s.1)))",
    // Vectors.
    "|a: [i32x4; N]| { let s = a >> reduceSeq(|s, x| (x, s.0), (at(0, [1, 2, 3, 4] >> asVector(4)), at(0, [1, 2, 3, 4] >> asVector(4)))); [s.0, s.1] }",
    "|a: [f32x4; N]| { let s = a >> reduce(|s, x| (s.1, s.0 + x), (at(0, [1, 2, 3, 4] >> asVector(4)), at(0, [1, 2, 3, 4] >> asVector(4)))); [s.0, s.1] }",
    "|a: [[u32x2; N]; M]| a >> map(|row| { let s = row >> reduceSeq(|s, x| (s.1 * x, s.2, s.0 + s.1), (at(1, [1, 2, 3, 4] >> asVector(2)), at(1, [1, 2, 3, 4] >> asVector(2)), at(1, [1, 2, 3, 4] >> asVector(2)))); [s.0, s.1, s.2] })",
    "|a: [i32x4; N]| a >> scanSeq(|s, x| (if x < 3 { s.1 } else { x }, s.0), (at(0, [1, 2, 3, 4] >> asVector(4)), at(0, [1, 2, 3, 4] >> asVector(4)))) >> map(|s| [s.0, s.1])",
    // Components of different types change places.
    "|a: [i32; N]| { let s = a >> reduceSeq(|s, x| (s.1 as f32, s.0 as i32 + x), (1, 2)); [s.0 as i32, s.1] }",
    "|a: [i32; N]| { let s = a >> scanSeq(|s, x| (s.1, s.0 != s.1 && x > 2), (true, false)) >> map(|s| if s.0 { 1 } else { if s.1 { 2 } else { 3 } }); s }",
    // Arrays of tuples that accumulate.
    "|a: [[i32; 4]; N]| a >> reduceSeq(|s, row| zip(s, row) >> map(|p, x| (p.1, p.0 + x)), zip([1, 2, 3, 4], [5, 6, 7, 8])) >> map(|p| [p.0, p.1])",
    "|a: [[i32; 4]; N]| a >> reduceSeq(|s, row| zip(s >> gather(rotate(1)), row) >> map(|p, x| (p.1, p.0 + x)), zip([1, 2, 3, 4], [5, 6, 7, 8])) >> map(|p| [p.0, p.1])",
    "|a: [[[i32; M]; N]; 2]| a >> map(|rows| rows >> reduceSeq(|s, row| zip(s, row) >> mapSeq(|p, x| (p.1 - x, p.0)), zip(repeat(M, 1), repeat(M, 2))) >> map(|p| [p.0, p.1]))",
    "|a: [[[i32; 8]; N]; M]| a >> mapWrg0(|rows| rows >> reduceSeq(|s, row| zip(s, row) >> toLocal(mapLcl0(|p, x| (p.1 - x, p.0))), zip(repeat(8, 1), repeat(8, 2))) >> mapLcl0(|p| toGlobal(id)(p.0 * 3 + p.1)))",
    // Iterations.
    "|a: [i32; N], b: [i32; N]| iterate(7, |s| s >> map(|p| (p.1, p.0 + p.1)), zip(a, b)) >> map(|p| [p.0, p.1])",
    "|a: [i32; N], b: [i32; N]| iterate(20, |s| s >> map(|p| (p.1, p.0 + p.1)), zip(a, b)) >> map(|p| [p.0, p.1])",
    "|a: [[i32; 5]; N], b: [[i32; 5]; N]| zip2(a, b) >> map(|row| iterate(20, |s| s >> mapSeq(|p| (p.1, p.0 + p.1)), row) >> map(|p| [p.0, p.1]))",
    "|a: [[i32; 5]; N], b: [[i32; 5]; N]| zip2(a, b) >> map(|row| iterate(20, |s| s >> gather(rotate(1)) >> mapSeq(|p| (p.1, p.0 - p.1)), row) >> map(|p| [p.0, p.1]))",
    "|a: [i32; N], b: [i32; N]| zip(a, b) >> pad(1, 1, wrap) >> mapSeqSlide(|w| { let s = w >> reduceSeq(|s, p| (s.1 + p.0, s.0 - p.1), (0, 1)); s.0 * 10 + s.1 }, 3, 1)",
];

/// The texts of all programs: every step in half of the places, and in every place half of the steps.
pub fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for (number, step) in STEPS.iter().enumerate() {
        for (position, place) in PLACES.iter().enumerate().skip(number % 2).step_by(2) {
            let element = TYPES[(number * PLACES.len() + position) % TYPES.len()];
            let function = format!("|s, x| {}", step.step);
            let parts = [("T", element), ("S", &function), ("Z", step.initial), ("R", step.result)];
            texts.push(parts.iter().fold((*place).to_owned(), |text, (name, part)| with(&text, name, part)));
        }
    }
    texts.extend(OTHERS.map(str::to_owned));
    texts
}

/// The text with each word `name` replaced by `part`.
fn with(text: &str, name: &str, part: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let words = text.split_inclusive(|character| !is_word(character));
    let replaced = words.map(|word| match word.strip_prefix(name) {
        Some(rest) if rest.chars().all(|character| !is_word(character)) => format!("{part}{rest}"),
        _ => word.to_owned(),
    });
    replaced.collect()
}
