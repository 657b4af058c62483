//! What is said about sizes beside types: `where` clauses, what they make known, what they leave to the
//! launch and what each mistake gets; the choices of `tune`.

use crate::support::{check, infer, mistakes, signatures};
use lift_core::ir::typed::Program;

#[test]
fn clauses_are_known_and_checked_at_the_launch() {
    check(
        signatures,
        &[
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 128 == 0 { a >> split(128) >> join }",
                "(a: [f32; N]) -> [f32; N]\n\
                 `f` is only for `N % 128 == 0`",
            ),
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N / 4 * 4] where N % 4 == 0 { a }",
                "(a: [f32; N]) -> [f32; N]\n\
                 `f` is only for `N % 4 == 0`",
            ),
            (
                "fn f<const N: usize, const M: usize>(a: [f32; N - 3], b: [f32; M]) -> f32 where N >= 3, M > \
                 2 && N - 3 == M { dotProduct(a, b) }",
                "(a: [f32; N - 3], b: [f32; M]) -> f32\n\
                 `f` is only for `N >= 3`\n\
                 `f` is only for `M > 2`\n\
                 `f` is only for `N - 3 == M`",
            ),
            (
                "fn f(m: size, a: [f32; 12]) -> [f32; 12] where 12 % m == 0, m < 5 || m == 12 { a >> \
                 split(m) >> join }",
                "(m: size, a: [f32; 12]) -> [f32; 12]\n\
                 `f` is only for `12 % m == 0`\n\
                 `f` is only for `m < 5 || m == 12`",
            ),
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 0, (N + 1) * 2 > 3 { a }",
                "(a: [f32; N]) -> [f32; N]\n\
                 `f` is only for `(N + 1) * 2 > 3`",
            ),
            (
                "fn g<const N: usize>(a: [f32; N]) -> [f32; N] where N % 4 == 0 { a } fn f<const M: \
                 usize>(a: [f32; 2 * M]) -> [f32; 2 * M] { g(a) }",
                "(a: [f32; N]) -> [f32; N]\n\
                 `g` is only for `N % 4 == 0`\n\
                 (a: [f32; 2 * M]) -> [f32; 2 * M]\n\
                 `g` is only for `N % 4 == 0`",
            ),
            (
                "fn g<const N: usize>(a: [f32; N]) -> [f32; N] where N % 4 == 0 { a } fn f<const M: \
                 usize>(a: [f32; 8 * M]) -> [f32; 8 * M] { g(a) }",
                "(a: [f32; N]) -> [f32; N]\n\
                 `g` is only for `N % 4 == 0`\n\
                 (a: [f32; 8 * M]) -> [f32; 8 * M]",
            ),
        ],
    );
}

#[test]
fn wrong_clauses_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N < 0 { a }",
                "`N < 0`: `where N < 0` never holds",
            ),
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N < K { a }",
                "`K`: unknown size `K`\n\
                 help: make it a parameter, `K: size`, or a constant of this `lift!`, `const K: usize = …;`: an item sees no constants of Rust",
            ),
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N % 0 == 1 { a }",
                "`N % 0`: `N % 0`: this size must be at least 1, and it is 0",
            ),
            (
                "fn g<const N: usize>(a: [f32; N]) -> [f32; N] where N % 4 == 0 { a } fn f(a: [f32; 6]) -> \
                 [f32; 6] { g(a) }",
                "`g(a)`: in this call of `g`: `where N % 4 == 0` does not hold: 4 does not divide 6",
            ),
            (
                "fn f(x: f32) -> f32 where 1 < 2 { x }",
                "`1 < 2`: `f` is a function on scalars, and has no sizes to state conditions on",
            ),
        ],
    );
}

#[test]
fn mistakes_that_a_clause_would_repair_say_so() {
    check(
        mistakes,
        &[
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N / 4 * 4] { a }",
                "`a`: the declared result of `f` is `[f32; 4 * (N / 4)]`, but its body gives `[f32; N]`: the \
                 length `N` is not `4 * (N / 4)`\n\
                 help: add `where N % 4 == 0`",
            ),
            (
                "fn f<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> f32 { dotProduct(a, b) }",
                "`dotProduct(a, b)`: `dotProduct` needs arrays of one length, but they are `[f32; N]` and \
                 `[f32; M]`: the length `N` is not `M`\n\
                 help: add `where N == M`",
            ),
        ],
    );
}

/// The one program of a text that is right.
fn program(text: &str) -> Program {
    let programs = infer(text).expect("it is right");
    programs.into_iter().next_back().expect("there is one")
}

#[test]
fn clauses_give_the_smallest_size() {
    let program = program("fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N > 4, 3 <= 2 * N { a }");
    assert_eq!(program.sizes.first().map(|size| size.minimum), Some(5));
}

#[test]
fn choices_are_listed_once_with_the_default_first() {
    let text =
        "split(tune(T, [4, 8]), a) >> map(split(tune(S, [2]))) >> map(map(split(tune(T, [4, 8]) / 4)))";
    let tunables = program(text).tunables;
    let listed: Vec<(&str, &[u64])> =
        tunables.iter().map(|tunable| (tunable.name.as_str(), tunable.values.as_slice())).collect();
    assert_eq!(listed, [("T", [4, 8].as_slice()), ("S", [2].as_slice())]);
}
