//! Functions that know the position of the element they are given: `|i => x| …`.

use crate::support::{check, elaborated, mistakes, signatures};

#[test]
fn the_position_is_a_size() {
    check(
        elaborated,
        &[
            ("|a: [f32; N]| map(|i => x| x * i as f32, a)", "map(|x, i| (x * (size(i): size as f32)), a)"),
            ("|a: [f32; N]| map(|i => x| x * 2, a)", "map(|x| (x * 2f32), a)"),
            ("|a: [f32; N], b: [f32; N]| map(|i => x| x * at(i, b), a)", "map(|x, i| (x * at[i](b)), a)"),
            (
                "|a: [(f32, f32); N]| map(|i => (x, y)| if i < 3 { x } else { y }, a)",
                "map(|x, i| if (size(i): i64 < 3i64) { x.0 } else { x.1 }, a)",
            ),
            (
                "|a: [(f32, f32); N]| map(|i => x, y| if i < 3 { x } else { y }, a)",
                "map(|x, i| if (size(i): i64 < 3i64) { x.0 } else { x.1 }, a)",
            ),
            (
                "|a: [f32; N]| a >> reduce(|i => acc, x| acc + x * i as f32, 0)",
                "reduce(|acc, x, i| (acc + (x * (size(i): size as f32))), 0f32, a)",
            ),
            (
                "|a: [f32; N]| a >> scan(|i => acc, x| acc + x * i as f32, 0)",
                "scanExclusive(|acc, x, i| (acc + (x * (size(i): size as f32))), 0f32, a)",
            ),
            (
                "|a: [f32; N]| a >> scanInclusive(|i => acc, x| if i < 3 { acc } else { x })",
                "scanInclusive(|acc, x, i| if (size(i): i64 < 3i64) { acc } else { x }, 0f32, a)",
            ),
            (
                "|a: [f32; N]| a >> mapSeqSlide(|i => w| head(w) * i as f32, 3, 1)",
                "mapSliding(|w, i| (at[0](w) * (size(i): size as f32)), slide[3, 1](a))",
            ),
            (
                "|a: [f32; N]| a >> map((|i => x| x * i as f32) >> (|j => x| x + j as f32))",
                "map(|x, i| let x = (x * (size(i): size as f32)); (x + (size(i): size as f32)), a)",
            ),
            (
                "|a: [[f32; M]; N]| a >> map(|i => row| row >> map(|j => x| x * (i * M + j) as f32))",
                "map(|row, i| map(|x, j| (x * (size(M * i + j): size as f32)), row), a)",
            ),
            (
                "|a: [f32; N]| { let f = |i => x| x + i as f32; map(f, a) >> mapSeq(f) }",
                "mapSequential(|x, i| (x + (size(i): size as f32)), map(|x, i| (x + (size(i): size as f32)), a))",
            ),
            (
                "|a: [f32; N]| { let f = |i => y, x| x * y + i as f32; map(f(2), a) }",
                "map(|x, i| ((x * 2f32) + (size(i): size as f32)), a)",
            ),
        ],
    );
}

#[test]
fn results_may_differ_in_length_by_position() {
    check(
        signatures,
        &[
            ("|a: [f32; N]| map(|i => x| slice(0, i + 1, a), a)", "(a: [f32; N]) -> [i => [f32; i + 1]; N]"),
            ("|a: [f32; N]| map(|i => x| i, a)", "(a: [f32; N]) -> [i32; N]"),
            (
                "|m: [row => [f32; row + 1]; N]| m >> map(|i => row| row >> map(|x| x * i as f32))",
                "(m: [row => [f32; row + 1]; N]) -> [i => [f32; i + 1]; N]",
            ),
            (
                "|a: [f32; 8], b: [f32; 9]| map(|i => x| x * at(i + 1, b), a)",
                "(a: [f32; 8], b: [f32; 9]) -> [f32; 8]",
            ),
        ],
    );
}

#[test]
fn there_is_no_position_where_nothing_is_an_element() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; N]| iterateWhile(3, |x| reduce(add, 0, x) > 1, |i => x| x, a)",
                "`i`: `iterateWhile` applies its function to no element of an array: there is no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|a: [f32; N]| a >> toLocal(|i => x| x)",
                "`i`: `toLocal` applies its function to no element of an array: there is no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|a: [f32; 4]| a >> asVector(4) >> map(vectorize(4, |i => x| x))",
                "`i`: `vectorize` applies its function to no element of an array: there is no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|a: [f32; 4]| a >> asVector(4) >> map(mapVec(|i => x| x))",
                "`i`: `mapVec` applies its function to no element of an array: there is no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|a: [[f32; M]; N]| a >> map2(|i => x| x)",
                "`i`: an element has several positions under `map2`, and `i` is a single one\n\
                 help: `map(|i => row| row >> map(|j => x| …))` names the position in each dimension",
            ),
            (
                "|a: [f32; N]| a >> gather(|i => j| j)",
                "`i`: a function on positions is applied to no element of an array: there is no position `i` beside its parameters\n\
                 help: `|i| …` takes the position as its parameter",
            ),
            (
                "|a: [f32; N]| a >> pad(1, 1, |i => j, n| 0)",
                "`i`: a function on positions is applied to no element of an array: there is no position `i` beside its parameters\n\
                 help: `|i| …` takes the position as its parameter",
            ),
            (
                "|a: [f32; 3]| a >> partition(2, |i => j| j + 1)",
                "`i`: a function on positions is applied to no element of an array: there is no position `i` beside its parameters\n\
                 help: `|i| …` takes the position as its parameter",
            ),
            (
                "|a: [f32; N]| generate(N, |i => j| 1)",
                "`i`: a function on positions is applied to no element of an array: there is no position `i` beside its parameters\n\
                 help: `|i| …` takes the position as its parameter",
            ),
            (
                "|a: [f32; sum(3, |i => j| j)]| a",
                "`i`: a function on positions is applied to no element of an array: there is no position `i` beside its parameters\n\
                 help: `|i| …` takes the position as its parameter",
            ),
            (
                "|a: [f32; N]| { let f = |i => x| x; f(a) }",
                "`i`: a function that is called has no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|a: [f32; N]| a >> (|i => x| x)",
                "`i`: a function that is called has no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|i => a: [f32; N]| a",
                "`i`: a kernel has no position `i`\n\
                 help: `map`, `reduce` and `scan` of all kinds give the position of each element: `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of the step: `iterate(m, |k => xs| …)`",
            ),
            (
                "|a: [f32; N]| a >> reduce(|i => acc| acc, 0)",
                "`|i => acc| acc`: this lambda takes 1 argument, and is given 2",
            ),
            (
                "|a: [f32; N], b: [f32; N]| a >> map(|i => x| at(i + 1, b))",
                "`at(i + 1, b)`: `at(i + 1)` needs at least `i + 2` elements, and its input has `N`; that fails where `i` is N - 1",
            ),
            (
                "|a: [f32; N], b: [f32; N]| a >> reduce(|i => acc, x| slice(0, i, b), b)",
                "`|i => acc, x| slice(0, i, b)`: the function of `reduce` gives `[f32; i]`, but the accumulator is `[f32; N]`: the length `i` is not `N`\n\
                 help: `reduce(f, z)` starts with `z` and replaces it by `f(z, x)`: both have one type",
            ),
        ],
    );
}
