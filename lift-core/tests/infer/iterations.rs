//! Type inference of `iterate`: closed forms of lengths, and what has none.

use crate::support::{check, elaborated, mistakes, signatures};
use proptest::prelude::*;

#[test]
fn iterated_functions_have_a_closed_form() {
    check(
        signatures,
        &[
            ("iterate(3, map(|x| x * 2), a)", "(a: [T0; len(a)]) -> [T0; len(a)]"),
            (
                "|a: [f32; N], b: [f32; N]| iterate(10, |t| zip(t, b) >> map(add), a)",
                "(a: [f32; N], b: [f32; N]) -> [f32; N]",
            ),
            (
                "|a: [f32; 64]| iterate(6, |t| t >> split(2) >> map(reduce(add, 0)), a)",
                "(a: [f32; 64]) -> [f32; 1]",
            ),
            (
                "|a: [f32; N]| iterate(6, |t| t >> split(2) >> map(reduce(add, 0)), a)",
                "(a: [f32; N]) -> [f32; N / 64]\n\
                 `iterate(6)` needs 64 to divide `N`",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| t >> split(2) >> map(reduce(add, 0)), a)",
                "(a: [f32; N], m: size) -> [f32; N / pow(2, m)]\n\
                 `iterate(m)` needs `pow(2, m)` to divide `N`",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| t >> pad(1, 1, clamp), a)",
                "(a: [f32; N], m: size) -> [f32; N + 2 * m]\n\
                 `pad(1, 1, clamp)` needs an array that is not empty, and its input has `N + 2 * i` \
                 elements, for every `i` below `m`",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| t >> slide(3, 1) >> map(reduce(add, 0)), a)",
                "(a: [f32; N], m: size) -> [f32; N - 2 * m]\n\
                 `slide(3, 1)` needs at least 3 elements, and its input has `N - 2 * i`, for every `i` below \
                 `m`",
            ),
            (
                "|a: [f32; N]| iterate(4, |t| t >> slide(3, 1) >> map(reduce(add, 0)), a)",
                "(a: [f32; N]) -> [f32; N - 8]\n\
                 `slide(3, 1)` needs at least 3 elements, and its input has `N - 6`",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| t >> map(repeat(2)) >> join, a)",
                "(a: [f32; N], m: size) -> [f32; N * pow(2, m)]",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| concat(t, t, [1]), a)",
                "(a: [f32; N], m: size) -> [f32; N * pow(2, m) + pow(2, m) - 1]",
            ),
            (
                "|a: [f32; 15]| iterate(3, |t| t >> slide(3, 2) >> map(reduce(add, 0)), a)",
                "(a: [f32; 15]) -> [f32; 1]",
            ),
            (
                "|a: [[f32; M]; N], m: size| iterate(m, |t| concat(t, t), a)",
                "(a: [[f32; M]; N], m: size) -> [[f32; M]; N * pow(2, m)]",
            ),
        ],
    );
}

#[test]
fn types_under_iterate_mention_the_number_of_applications() {
    check(
        elaborated,
        &[
            (
                "|a: [f32; 64]| iterate(6, |t| t >> split(2) >> map(reduce(add, 0)), a)",
                "iterate[6](|t, i| map(|x| reduce(|acc, x| (acc + x), 0f32, x), split[2](t)): [f32; 64 / \
                 pow(2, i)] -> [f32; 32 / pow(2, i)], a)",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| t >> pad(1, 1, clamp), a)",
                "iterate[m](|t, i| pad[1, 1, clamp](t): [f32; N + 2 * i] -> [f32; N + 2 * i + 2], a)",
            ),
            (
                "|a: [f32; 15]| iterate(2, |t| t >> slide(3, 2) >> map(head), a)",
                "iterate[2](|t, i| map(|x| at[0](x), slide[3, 2](t)): [f32; if i == 0 { 15 } else { if i == \
                 1 { 7 } else { 3 } }] -> [f32; ((if i == 0 { 15 } else { if i == 1 { 7 } else { 3 } }) + 1) / \
                 2 - 1], a)",
            ),
            (
                "|a: [f32; N], k: size| iterate(k, |t| slide(3, 1, t) >> map(|w| iterate(k, padConstant(1, \
                 0, 0), w) >> head), a)",
                "iterate[k](|t, i| map(|w| at[0](iterate[k](|xs, i| padConstant(1, 0, 0f32, xs): [f32; i + \
                 3] -> [f32; i + 4], w)), slide[3, 1](t)): [f32; N - 2 * i] -> [f32; N - 2 * i - 2], a)",
            ),
        ],
    );
}

#[test]
fn wrong_iterations_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; 100]| iterate(6, |t| t >> split(2) >> map(reduce(add, 0)), a)",
                "`split(2)`: `split(2)`: 2 does not divide the length 25\n\
                 help: 1, 5 and 25 would",
            ),
            (
                "|a: [f32; N], m: size| iterate(m, |t| t >> slide(3, 2) >> map(reduce(add, 0)), a)",
                "`|t| t >> slide(3, 2) >> map(reduce(add, 0))`: `iterate(m)`: the length after any number of \
                 applications is not known: the function makes `(n + 1) / 2 - 1` elements of `n`\n\
                 help: `n + c`, `c * n` and `n / c` elements are possible, and any number of them where the \
                 number of applications is a literal up to 64",
            ),
            (
                "|a: [f32; N]| iterate(2, |t| t >> map(|x| x as i32), a)",
                "`|t| t >> map(|x| x as i32)`: the function of `iterate` makes `[i32; N]` of `[f32; N]`\n\
                 help: it is applied to its own result: only the outermost length may change",
            ),
            (
                "|a: [[f32; 3]; 3]| iterate(3, |t| map(|r| concat(r, r), t), a)",
                "`|t| map(|r| concat(r, r), t)`: the function of `iterate` makes `[[f32; 6]; 3]` of `[[f32; \
                 3]; 3]`\n\
                 help: it is applied to its own result: only the outermost length may change",
            ),
            (
                "|a: [[f32; 3]; 3]| iterate(3, |t| join(t), a)",
                "`|t| join(t)`: the function of `iterate` makes `[f32; 9]` of `[[f32; 3]; 3]`\n\
                 help: it is applied to its own result: only the outermost length may change",
            ),
            (
                "|a: [f32; 64], b: [f32; 64]| iterate(3, |t| zip(t, b) >> map(add) >> split(2) >> map(head), \
                 a)",
                "`zip(t, b)`: `zip` needs arrays of one length, but they are `[f32; n]` and `[f32; 64]`: the \
                 length `n` is not 64\n\
                 help: `n` stands for every length that `iterate(3)` goes through, since its function \
                 changes the length",
            ),
            (
                "iterate(3, |t| nothing(t), a)",
                "`nothing`: unknown function `nothing`\nhelp: functions are those of the language, `|x| …`, and the items of this `lift!`",
            ),
            (
                "iterate(2, map(sqrt), 3)",
                "`3`: `iterate` needs an array, but this is a number\n\
                 help: the data comes last: `iterate(m, f, xs)` has the type `size -> ([A; n] -> [A; g(n)]) -> [A; n] -> [A; \
                 g(g(…n))]`",
            ),
        ],
    );
}

/// Listing 1 of "Lift: A Functional Data-Parallel IR" (CGO 2017).
#[test]
fn the_partial_dot_product_of_the_paper_gives_one_number_for_a_group() {
    let text = "|x: [f32; 128 * N], y: [f32; 128 * N]| zip(x, y) >> split(128) >> mapWrg0(|chunk|
        chunk >> split(2) >> mapLcl0(|p| p >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
              >> iterate(6, |t| t >> split(2) >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
              >> mapLcl0(toGlobal(id))
    ) >> join";
    assert_eq!(signatures(text), "(x: [f32; 128 * N], y: [f32; 128 * N]) -> [f32; N]");
    let halving = "iterate[6](|t, i| mapLocal(0)(|p| toLocal(reduceSequential(|acc, x| (acc + x), 0f32, p)), \
                   split[2](t)): [f32; 64 / pow(2, i)] -> [f32; 32 / pow(2, i)], ";
    assert!(elaborated(text).contains(halving), "{}", elaborated(text));
}

proptest! {
    #[test]
    fn iterating_gives_the_length_that_applying_gives(
        length in 1_usize..40,
        count in 1_usize..5,
        function in prop::sample::select(vec![
            "split(2) >> map(head)",
            "split(3) >> map(head)",
            "padConstant(1, 2, 0)",
            "slide(3, 1) >> map(head)",
            "slide(3, 2) >> map(head)",
            "map(repeat(3)) >> join",
            "(|t| concat(t, t, [1]))",
            "map(sqrt)",
            "slice(0, 1)",
        ]),
    ) {
        let iterated = signatures(&format!("|a: [f32; {length}]| a >> iterate({count}, {function})"));
        let applied = signatures(&format!("|a: [f32; {length}]| a{}", format!(" >> {function}").repeat(count)));
        prop_assert_eq!(applied.contains("->"), iterated.contains("->"), "{} {}", applied, iterated);
        if applied.contains("->") {
            prop_assert_eq!(applied, iterated);
        }
    }
}

#[test]
fn a_function_that_is_applied_no_times_needs_nothing() {
    let blur = "|xs| pad(1, 1, clamp, xs) >> slide(3, 1) >> map(reduce(add, 0))";
    let of = |array: &str, count: &str| format!("|a: {array}, m: size| iterate({count}, {blur}, a)");
    check(
        signatures,
        &[
            (&of("[f32; 0]", "0"), "(a: [f32; 0], m: size) -> [f32; 0]"),
            (&of("[f32; N]", "0"), "(a: [f32; N], m: size) -> [f32; N]"),
            (
                &of("[f32; N]", "m"),
                "(a: [f32; N], m: size) -> [f32; N]\n\
                 `pad(1, 1, clamp)` needs an array that is not empty, and its input has `N` elements, where `m >= 1`",
            ),
            (
                &of("[f32; N]", "m + 1"),
                "(a: [f32; N], m: size) -> [f32; N]\n\
                 `pad(1, 1, clamp)` needs an array that is not empty, and its input has `N` elements",
            ),
            // Where the length changes: an index outside, and a permutation that is none.
            (
                "|a: [f32; 3]| iterate(0, |xs| xs >> gather(|i| i + 1) >> split(2) >> map(head), a)",
                "(a: [f32; 3]) -> [f32; 3]",
            ),
            ("|a: [f32; 3]| iterate(0, scatter(|i| 0), a)", "(a: [f32; 3]) -> [f32; 3]"),
            (
                "|a: [f32; N], b: [f32; M], m: size| iterate(m, |xs| concat(xs, [last(b)]), a)",
                "(a: [f32; N], b: [f32; M], m: size) -> [f32; N + m]\n\
                 `last` needs at least 1 element, and its input has `M`, where `m >= 1`",
            ),
        ],
    );
    // Its mistakes of types are mistakes all the same.
    check(
        mistakes,
        &[(
            "|a: [f32; 0]| iterate(0, split(2), a)",
            "`split(2)`: the function of `iterate` makes `[[f32; 2]; 0]` of `[f32; 0]`\n\
             help: it is applied to its own result: only the outermost length may change",
        )],
    );
}
