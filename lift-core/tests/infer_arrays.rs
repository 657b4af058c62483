//! Type inference of the primitives that build, take apart and repeat: what they mean, what they leave to the
//! launch, and what each mistake gets; `where` clauses and fixed launches.

#[path = "infer/support.rs"]
mod support;

use lift_core::nat::Nat;
use lift_core::typed::Program;
use proptest::prelude::*;
use support::{elaborated, infer, mistakes, signatures};

/// Checks one kind of result on many programs.
fn check(show: fn(&str) -> String, cases: &[(&str, &str)]) {
    for (program, expected) in cases {
        assert_eq!(show(program), *expected, "\nin {program}");
    }
}

#[test]
fn concatenated_arrays_have_the_sum_of_the_lengths() {
    check(
        signatures,
        &[
            ("concat(a, b)", "(a: [T0..; len(a)], b: [T0..; len(b)]) -> [T0..; len(a) + len(b)]"),
            ("b >> concat(a)", "(b: [T0..; len(b)], a: [T0..; len(a)]) -> [T0..; len(b) + len(a)]"),
            ("|a: [f32; 3], b: [f32; N]| concat(a, b, a)", "(a: [f32; 3], b: [f32; N]) -> [f32; N + 6]"),
            (
                "|a: [[f32; M]; 3], b: [[f32; M]; N]| concat(a, b)",
                "(a: [[f32; M]; 3], b: [[f32; M]; N]) -> [[f32; M]; N + 3]",
            ),
        ],
    );
}

#[test]
fn slices_and_positions_lie_inside_or_the_launch_checks_it() {
    check(
        signatures,
        &[
            ("|a: [f32; 5]| slice(2, 3, a)", "(a: [f32; 5]) -> [f32; 3]"),
            (
                "slice(2, 3, a)",
                "(a: [T0..; len(a)]) -> [T0..; 3]\n\
                 `slice(2, 3)` needs at least 5 elements, and its input has `len(a)`",
            ),
            (
                "|a: [f32; 8], k: size| slice(k, 4, a)",
                "(a: [f32; 8], k: size) -> [f32; 4]\n\
                 `slice(k, 4)` needs at least `k + 4` elements, and its input has 8",
            ),
            (
                "at(3, a)",
                "(a: [T0; len(a)]) -> T0\n\
                 `at(3)` needs at least 4 elements, and its input has `len(a)`",
            ),
            (
                "at(k + 1, a)",
                "(k: size, a: [T0; len(a)]) -> T0\n\
                 `at(k + 1)` needs at least `k + 2` elements, and its input has `len(a)`",
            ),
            (
                "a >> map(at(1))",
                "(a: [[T0..; len(a, 1)]; len(a)]) -> [T0..; len(a)]\n\
                 `at(1)` needs at least 2 elements, and its input has `len(a, 1)`",
            ),
            (
                "|a: [[f32; 4]; N]| a >> map(last) >> head",
                "(a: [[f32; 4]; N]) -> f32\n\
                 `head` needs at least 1 element, and its input has `N`",
            ),
            (
                "|a: [f32; N], k: size| generate(k, |i| at(i, a))",
                "(a: [f32; N], k: size) -> [f32; k]\n\
                 `at(i)` needs at least `i + 1` elements, and its input has `N`, for every `i` below `k`",
            ),
            (
                "|a: [f32; N]| generate(N, |i| if i > 0 { at(i - 1, a) } else { 0 })",
                "(a: [f32; N]) -> [f32; N]",
            ),
            (
                "|a: [f32; N]| generate(N, |i| generate(N, |j| at(i + j, a)))",
                "(a: [f32; N]) -> [[f32; N]; N]\n\
                 `at(i + j)` needs at least `i + j + 1` elements, and its input has `N`, for every `j` below \
                 `N`, for every `i` below `N`",
            ),
            ("generate(0, |i| at(i, a))", "(a: [T0..; len(a)]) -> [T0..; 0]"),
        ],
    );
}

#[test]
fn positions_are_sizes_or_integers_computed_from_data() {
    check(
        elaborated,
        &[
            ("at(2, a)", "at[2](a)"),
            ("at(len(a) - k, a)", "at[len(a) - k](a)"),
            ("{ let k = 3; at(k, a) }", "at[3](a)"),
            ("map(|i| at(i, xs), is)", "map(|i| at(i, xs), is)"),
            ("map(|i| at(i + 1, xs), is)", "map(|i| at((i + 1T1), xs), is)"),
            (
                "|xs: [f32; N], is: [i32; M]| map(|i| atOr(i + 1, 0, xs), is)",
                "map(|i| atOr((i + 1i32), 0f32, xs), is)",
            ),
            (
                "|a: [f32; N]| generate(N, |i| atOr(i - 1, 0, a))",
                "generate[N](|i| atOr(size(i - 1): i64, 0f32, a))",
            ),
            ("a >> atOr(n, 0.5)", "atOr(n, 0.5T0, a)"),
            ("generate(len(a), |i| at(len(a) - 1 - i, a))", "generate[len(a)](|i| at[len(a) - i - 1](a))"),
        ],
    );
}

#[test]
fn lengths_are_sizes_everywhere() {
    check(
        signatures,
        &[
            ("len(a) + 1", "(a: [T0..; len(a)]) -> u64"),
            (
                "split(len(b), a) >> map(|c| zip(c, b) >> map(add))",
                "(b: [T0; len(b)], a: [T0; len(a)]) -> [[T0; len(b)]; len(a) / len(b)]\n\
                 `split(len(b))` needs `len(b)` to divide `len(a)`",
            ),
            ("a >> split(a >> len)", "(a: [T0..; len(a)]) -> [[T0..; len(a)]; 1]"),
            ("a >> map(len)", "(a: [[T0..; len(a, 1)]; len(a)]) -> [i32; len(a)]"),
            ("{ let n = len(a); a >> map(|x| x / n as f32) }", "(a: [f32; len(a)]) -> [f32; len(a)]"),
            ("{ let b = map(sqrt, a); len(b) }", "(a: [T0; len(a)]) -> u64"),
            (
                "generate(len(a) - 1, |i| at(i + 1, a) - at(i, a))",
                "(a: [T0; len(a)]) -> [T0; len(a) - 1]\n\
                 `generate` needs `len(a) - 1` not to be negative",
            ),
        ],
    );
}

#[test]
fn generated_and_repeated_arrays_have_the_given_length() {
    check(
        elaborated,
        &[
            ("generate(n, |i| i)", "generate[n](|i| size(i): i32)"),
            (
                "generate(4, |i: usize| (i, 2 * i)) >> map(get(1))",
                "map(|x| x.1, generate[4](|i| (size(i): i32, size(2 * i): i32)))",
            ),
            (
                "generate(n, |i| generate(m, |j| (i * m + j) as f32 * alpha))",
                "generate[n](|i| generate[m](|j| ((size(i * m + j): size as f32) * alpha)))",
            ),
            (
                "|a: [f32; N]| generate(N, |i| reduce(add, 0, slice(0, i + 1, a)))",
                "generate[N](|i| reduce(|acc, x| (acc + x), 0f32, slice[0, i + 1](a)))",
            ),
            ("repeat(n, 1.5)", "repeat[n](1.5f32)"),
            ("|a: [f32; N]| map(repeat(2), a) >> join", "join(map(|x| repeat[2](x), a))"),
        ],
    );
}

#[test]
fn tuples_of_arrays_are_taken_apart() {
    check(
        elaborated,
        &[
            (
                "zip(a, b) >> unzip >> |(x, y)| zip(y, x) >> map(sub)",
                "let tuple = unzip(zip(a, b)); map(|x| (x.0 - x.1), zip(tuple.1, tuple.0))",
            ),
            (
                "{ let (x, y, z) = unzip(zip(a, b, c)); zip(z, x) >> map(add) }",
                "let tuple = unzip(zip(a, b, c)); map(|x| (x.0 + x.1), zip(tuple.2, tuple.0))",
            ),
            ("tuple(a, b).1", "(a, b).1"),
            ("zip(a, b) >> map(|x| tuple(x.1, x.0) >> get(0))", "map(|x| (x.1, x.0).0, zip(a, b))"),
        ],
    );
}

#[test]
fn prefixes_keep_the_length() {
    check(
        elaborated,
        &[
            ("scan(add, 0, a)", "scanExclusive(|acc, x| (acc + x), 0T0, a)"),
            (
                "scanSeq(|acc, x| acc + x as i32, 0, a)",
                "scanExclusiveSequential(|acc, x| (acc + (x as i32)), 0i32, a)",
            ),
            ("scanInclusive(max, a)", "scanInclusive(|acc, x| max(acc, x), 0T0, a)"),
            ("|a: [bool; N]| scanInclusive(|x, y| x && y, a)", "scanInclusive(|x, y| (x && y), false, a)"),
            (
                "zip(a, b) >> scanInclusive(|x, y| (x.0 + y.0, y.1)) >> map(get(0))",
                "map(|x| x.0, scanInclusive(|x, y| ((x.0 + y.0), y.1), (0T0, 0T1), zip(a, b)))",
            ),
            (
                "|a: [[f32; 3]; N]| scanInclusive(|x, y| zip(x, y) >> map(add), a)",
                "scanInclusive(|x, y| map(|x| (x.0 + x.1), zip(x, y)), repeat[3](0f32), a)",
            ),
        ],
    );
}

#[test]
fn permutations_are_proved() {
    check(
        elaborated,
        &[
            ("|a: [f32; N]| scatter(reverse, a)", "scatter[i -> N - i - 1](a)"),
            ("|a: [f32; N]| scatter(rotate(k), a)", "scatter[i -> (k + i) % N](a)"),
            ("|a: [f32; 3 * N]| scatter(stride(3), a)", "scatter[i -> i / N + 3 * (i % N)](a)"),
            ("|a: [f32; N]| scatter(|i| (i + 3) % N, a)", "scatter[i -> (i + 3) % N](a)"),
            ("|a: [f32; N]| scatter(|i| N - 1 - i, a)", "scatter[i -> N - i - 1](a)"),
            ("|a: [f32; 6]| scatter(|i| (i * 5) % 6, a)", "scatter[i -> 5 * i % 6](a)"),
            ("|a: [f32; N * M]| scatter(|i| i / N + (i % N) * M, a)", "scatter[i -> M * (i % N) + i / N](a)"),
            ("|a: [f32; 2 * N]| scatter(|i| i + 1 - 2 * (i % 2), a)", "scatter[i -> i + 1 - 2 * (i % 2)](a)"),
            (
                "|a: [f32; 4 * N]| scatter(|i| i / 4 * 4 + 3 - i % 4, a)",
                "scatter[i -> 4 * (i / 4) + 3 - i % 4](a)",
            ),
        ],
    );
}

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
                 1 { 7 } else { 3 } }] -> [f32; (if i == 0 { 15 } else { if i == 1 { 7 } else { 3 } } + 1) / \
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
fn the_rest_of_the_prelude_is_compositions() {
    check(
        elaborated,
        &[
            ("increase2d(0, 0, 0, 2, a)", "map(|x| increase[0, 2](x), increase[0, 0](a))"),
            ("dotProduct(a, b)", "reduce(|acc, x| (acc + x), 0T0, map(|x| (x.0 * x.1), zip(a, b)))"),
            ("b >> dotProduct(a)", "reduce(|acc, x| (acc + x), 0T0, map(|x| (x.0 * x.1), zip(a, b)))"),
            (
                "mapSeqSlide(reduceSeq(add, 0), 3, 1, a)",
                "mapSliding(|x| reduceSequential(|acc, x| (acc + x), 0T0, x), slide[3, 1](a))",
            ),
            (
                "|a: [f32; N]| a >> split(4) >> map(mapSeqUnroll(sqrt) >> reduceSeqUnroll(add, 0))",
                "map(|x| reduceUnrolled(|acc, x| (acc + x), 0f32, mapUnrolled(|x| sqrt(x), x)), split[4](a))",
            ),
            ("split(tune(T, [4, 8]), a) >> map(split(tune(T, [4, 8])))", "map(|x| split[4](x), split[4](a))"),
            ("|a: [i32; N]| map(|x| x + tune(T, [4, 8]), a)", "map(|x| (x + size(4): i32), a)"),
        ],
    );
}

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
fn wrong_positions_and_lengths_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; 4]| slice(2, 3, a)",
                "`slice(2, 3, a)`: `slice(2, 3)` ends at 5, after the array of 4 elements\n\
                 help: `slice(start, len)` takes `len` elements from position `start` on, counted from 0",
            ),
            (
                "|a: [f32; 3]| at(3, a)",
                "`at(3, a)`: `at(3)`: there is no such element in an array of 3 elements\n\
                 help: positions are counted from 0 to 2",
            ),
            ("|a: [f32; 3]| at(-1, a)", "`-1`: `at`: a size cannot be negative, and this is -1"),
            ("head([])", "`head([])`: `head`: the array is empty"),
            ("last([])", "`last([])`: `last`: the array is empty"),
            (
                "|a: [f32; N]| generate(N, |i| at(i - 1, a))",
                "`i - 1`: `at` needs `i - 1` not to be negative; that fails where `i` is 0",
            ),
            (
                "|a: [f32; 4]| generate(5, |i| at(i, a))",
                "`at(i, a)`: `at(i)` needs at least `i + 1` elements, and its input has 4; that fails where \
                 `i` is 4",
            ),
            ("at(1.5, a)", "`1.5`: `at` takes an integer, but this is a floating-point number"),
            ("map(|x| at(x, a), [0.5])", "`x`: `at` takes an integer, but this is a floating-point number"),
            ("generate(1 - 2, |i| i)", "`1 - 2`: `generate`: a size cannot be negative, and this is -1"),
            (
                "mapSeqUnroll(sqrt, a)",
                "`mapSeqUnroll(sqrt, a)`: `mapSeqUnroll` makes straight-line code, for a length that is a \
                 number, and this one is `len(a)`\n\
                 help: `mapSeq` makes a loop; `split(4)` makes chunks whose length is a number",
            ),
            (
                "|a: [f32; N]| reduceSeqUnroll(add, 0, a)",
                "`reduceSeqUnroll(add, 0, a)`: `reduceSeqUnroll` makes straight-line code, for a length that \
                 is a number, and this one is `N`\n\
                 help: `reduceSeq` makes a loop; `split(4)` makes chunks whose length is a number",
            ),
            (
                "iterate(3, |t| zip(t, b) >> map(add) >> split(2) >> map(head), a)",
                "`b`: `b` would need a length of its own at every position or step: it is used as `[T0; \
                 len(a) / pow(2, i)]`",
            ),
        ],
    );
}

#[test]
fn wrong_elements_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; 3], b: [i32; N]| concat(a, b)",
                "`concat(a, b)`: `concat` needs arrays with elements of one type, but they are `[f32; 3]` \
                 and `[i32; N]`",
            ),
            (
                "|a: [[f32; 3]; 3], b: [[f32; 4]; 3]| concat(a, b)",
                "`concat(a, b)`: `concat` needs arrays with elements of one type, but they are `[[f32; 3]; \
                 3]` and `[[f32; 4]; 3]`: the length 3 is not 4",
            ),
            (
                "concat(1, a)",
                "`1`: `concat` needs an array, but this is a number\n\
                 help: `concat(a, b, …)` has the type `[A; n] -> [A; m] -> [A; n + m]`",
            ),
            (
                "unzip(a)",
                "`a`: `unzip` needs an array of tuples, but this is `[_; len(a)]`\n\
                 help: `unzip(xs)` has the type `[(A, B); n] -> ([A; n], [B; n])`",
            ),
            (
                "|a: [f32; 3]| atOr(1, true, a)",
                "`true`: an element of the array is `f32`, but this is `bool`\nhelp: `if c { 1 } else { 0 }` makes a number of a truth value",
            ),
            (
                "scan(|acc, x| x > acc, 0, a)",
                "`|acc, x| x > acc`: the function of `scan` gives `bool`, but the accumulator is a number\n\
                 help: `scan(f, z)` starts with `z` and replaces it by `f(z, x)`: both have one type",
            ),
            (
                "|a: [f32; 3]| scanInclusive(|acc, x| x > acc, a)",
                "`|acc, x| x > acc`: the function of `scanInclusive` gives `bool`, but an element is `f32`\n\
                 help: `scanInclusive(f)` combines elements: all have one type; `scan(f, z)` starts with any \
                 `z`",
            ),
            (
                "|a: [f32; 3], b: [f32; 4]| dotProduct(a, b)",
                "`dotProduct(a, b)`: `dotProduct` needs arrays of one length, but they are `[f32; 3]` and \
                 `[f32; 4]`: the length 3 is not 4",
            ),
        ],
    );
}

#[test]
fn a_permutation_that_is_not_proved_is_checked_at_the_launch() {
    check(
        signatures,
        &[
            (
                "|a: [f32; N]| scatter(|i| (i * 7) % N, a)",
                "(a: [f32; N]) -> [f32; N]\n\
                 `scatter` needs `|i| 7 * i % N` to be a permutation of the positions of `N` elements",
            ),
            (
                "|a: [f32; 5000]| scatter(|i| (i * 3) % 5000, a)",
                "(a: [f32; 5000]) -> [f32; 5000]\n\
                 `scatter` needs `|i| 3 * i % 5000` to be a permutation of the positions of 5000 elements",
            ),
        ],
    );
}

#[test]
fn wrong_permutations_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; 6]| scatter(|i| (i * 2) % 6, a)",
                "`|i| (i * 2) % 6`: `scatter`: positions 0 and 3 are both mapped to 0: this is no \
                 permutation\n\
                 help: `reverse`, `stride(s)`, `rotate(k)` and functions that undo themselves are \
                 permutations; `gather(f)` takes any function, and reads where `scatter` would write",
            ),
            (
                "|a: [f32; N]| scatter(|i| i / 2, a)",
                "`|i| i / 2`: `scatter`: positions 0 and 1 are both mapped to 0: this is no permutation\n\
                 help: `reverse`, `stride(s)`, `rotate(k)` and functions that undo themselves are \
                 permutations; `gather(f)` takes any function, and reads where `scatter` would write",
            ),
            (
                "|a: [f32; N]| generate(N, |k| scatter(|i| (i * (k + 1)) % N, a))",
                "`|i| (i * (k + 1)) % N`: `scatter` needs `|i| (k * i + i) % N` to be a permutation of the \
                 positions of `N` elements, for every `k` below `N`, which could not be proved\n\
                 help: a condition on positions must hold by itself: it cannot be checked before the launch",
            ),
            (
                "|a: [f32; N]| scatter(|i| i + 1, a)",
                "`|i| i + 1`: `scatter`: position `N - 1` is mapped to `N`, outside the array of `N` \
                 elements\n\
                 help: an index stays inside with `% n`, or with `min` and `max`",
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
                "`t >> split(2)`: `split(2)`: 2 does not divide the length 25\n\
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
            ("iterate(3, |t| nothing(t), a)", "`nothing`: unknown function `nothing`"),
            (
                "iterate(2, map(sqrt), 3)",
                "`3`: `iterate` needs an array, but this is a number\n\
                 help: the data comes last: `iterate(m, f, xs)` has the type `size -> ([A; n] -> [A; g(n)]) -> [A; n] -> [A; \
                 g(g(…n))]`",
            ),
        ],
    );
}

#[test]
fn wrong_calls_of_the_new_primitives_say_how_they_are_called() {
    check(
        mistakes,
        &[
            (
                "tuple(a)",
                "`tuple(a)`: `tuple` takes at least 2 values\n\
                 help: `tuple(a, b)`; it cannot be given its arguments one after another",
            ),
            (
                "concat(a)",
                "`concat(a)`: `concat` takes 2 arguments, and is given 1\n\
                 help: `concat(a, b, …)` has the type `[A; n] -> [A; m] -> [A; n + m]`",
            ),
            ("generate(4, add)", "`add`: `add` takes 2 arguments, and is given one value of type `size`"),
            ("generate(4, 3)", "`3`: a function is needed here, but this is a number"),
            (
                "repeat(2, map)",
                "`map`: the last argument of `repeat` is its data, but this is a function\n\
                 help: `repeat(n, x)` has the type `size -> A -> [A; n]`\n\
                 help: a Rust variable with the name of a function cannot be used here; rename it",
            ),
            (
                "genrate(4, |i| i)",
                "`genrate`: unknown function `genrate`\n\
                 help: there is a similar name: `generate`",
            ),
            (
                "mapSeqUnrol(id, a)",
                "`mapSeqUnrol`: unknown function `mapSeqUnrol`\n\
                 help: there is a similar name: `mapSeqUnroll`",
            ),
            (
                "len(a, b)",
                "`len(a, b)`: `len` takes 1 argument, and is given 2\n\
                 help: `len(xs)` has the type `[A; n] -> size`",
            ),
            (
                "map(|x| (x, [1, 2]), a)",
                "`map(|x| (x, [1, 2]), a)`: the result is `[(T0, [f32; 2]); len(a)]`: arrays of tuples that hold arrays are \
                 not supported yet as results\n\
                 help: tuples of arrays and arrays of tuples of scalars can be passed and returned",
            ),
            (
                "tune(3, [4])",
                "`3`: the first argument of `tune` is a name for the choice\n\
                 help: `tune(TILE, [8, 16, 32])`",
            ),
            (
                "tune(T, [])",
                "`[]`: `tune` needs at least one choice\n\
                 help: `tune(TILE, [8, 16, 32])`: the first is used where nothing is tuned",
            ),
            (
                "tune(T, [n])",
                "`n`: a choice of `tune` is a number\n\
                 help: `tune(TILE, [8, 16, 32])`: the first is used where nothing is tuned",
            ),
            (
                "split(tune(T, [4, 8]), a) >> map(split(tune(T, [4])))",
                "`tune(T, [4])`: `T` has the choices [4, 8] elsewhere\n\
                 help: one name is one choice in the whole kernel; use another name for another choice",
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
                 help: declare it: `<const K: usize>` after the function's name",
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

#[test]
fn wrong_launches_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "#[launch(local = 64, global = 100)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`launch`: `launch`: groups of 64 work-items do not fill 100",
            ),
            (
                "#[launch(local = N, globl = 100)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`N`: a number of work-items in a group is a number, and at least 1\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension\n\
                 `globl`: `launch` has no `globl`: it fixes `local` and `global`\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension",
            ),
            (
                "#[launch(local = (1, 2, 3, 4), local = 0, 7)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] \
                 { a }",
                "`(1, 2, 3, 4)`: a launch has up to 3 dimensions, and these are 4\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension\n\
                 `0`: a number of work-items in a group is a number, and at least 1\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension\n\
                 `7`: this says neither `local =` nor `global =`\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension",
            ),
            (
                "#[launch(global = M)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`M`: unknown size `M`\n\
                 help: declare it: `<const M: usize>` after the function's name",
            ),
            (
                "#[launch] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }",
                "`launch`: `launch` fixes nothing here\n\
                 help: `#[launch(local = (16, 8), global = (N, M))]`, dimension 0 first; a number for one \
                 dimension",
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

/// The one program of a text that is right.
fn program(text: &str) -> Program {
    let programs = infer(text).expect("it is right");
    programs.into_iter().next_back().expect("there is one")
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

#[test]
fn a_fixed_launch_has_three_dimensions() {
    let text = "#[launch(local = (16, 8), global = (M, N / 2))]
                fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a }";
    let program = program(text);
    let size = |name: &str| {
        let size = program.sizes.iter().find(|size| size.name == name).expect("it is declared");
        Nat::variable(&size.variable)
    };
    let global = [size("M"), size("N").divide(&Nat::constant(2)), Nat::one()];
    let launch = program.launch(0).expect("it is fixed");
    assert_eq!((launch.local, launch.global.clone()), (Some([16, 8, 1]), Some(global)));
    let obligations: Vec<&str> =
        program.obligations.iter().map(|obligation| obligation.text.as_str()).collect();
    assert!(obligations.contains(&"`launch` needs 16 to divide `M`"), "{obligations:?}");
}

#[test]
fn several_launches_are_one_for_each_kernel() {
    let program =
        program("#[launch(local = 64)] #[launch()] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }");
    let local: Vec<_> = (0..3).map(|kernel| program.launch(kernel).map(|launch| launch.local)).collect();
    assert_eq!(local, [Some(Some([64, 1, 1])), Some(None), None]);
}

#[test]
fn one_launch_is_that_of_all_kernels() {
    let program = program("#[launch(local = 64)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }");
    assert!(
        (0..3).all(|kernel| program.launch(kernel).is_some_and(|launch| launch.local == Some([64, 1, 1])))
    );
}

#[test]
fn a_launch_may_fix_the_groups_alone() {
    let program = program("#[launch(local = 64)] fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a }");
    let launch = program.launch(0).expect("it is fixed");
    assert_eq!((launch.local, launch.global.clone()), (Some([64, 1, 1]), None));
}

#[test]
fn clauses_give_the_smallest_size() {
    let program = program("fn f<const N: usize>(a: [f32; N]) -> [f32; N] where N > 4, 3 <= 2 * N { a }");
    assert_eq!(program.sizes.first().map(|size| size.minimum), Some(5));
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

    #[test]
    fn scatter_takes_permutations_and_nothing_else(
        length in 1_usize..14,
        factor in 0_usize..14,
        offset in 0_usize..14,
    ) {
        let mut places: Vec<usize> = (0..length).map(|position| (position * factor + offset) % length).collect();
        places.sort_unstable();
        let is_permutation = places == (0..length).collect::<Vec<usize>>();
        let text = format!("|a: [f32; {length}]| scatter(|i| (i * {factor} + {offset}) % {length}, a)");
        prop_assert_eq!(infer(&text).is_ok(), is_permutation);
    }

    #[test]
    fn positions_in_generated_arrays_are_proved_or_refuted(
        length in 1_i32..8,
        count in 1_i32..8,
        factor in -2_i32..3,
        offset in -3_i32..8,
    ) {
        let inside = (0..count).all(|i| (0..length).contains(&(i * factor + offset)));
        let text = format!("|a: [f32; {length}]| generate({count}, |i| at({factor} * i + {offset}, a))");
        prop_assert_eq!(infer(&text).is_ok(), inside, "{}", signatures(&text));
        prop_assert!(!inside || signatures(&text).lines().count() == 1, "{}", signatures(&text));
    }
}
