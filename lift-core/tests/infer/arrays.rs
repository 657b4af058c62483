//! Type inference of the primitives that build arrays and take them apart: what they mean, what they leave to
//! the launch, and what each mistake gets.

use crate::support::{check, elaborated, infer, mistakes, signatures};
use proptest::prelude::*;

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

/// Where there are rows, `N` is at least 1, and a row may have `N - 1` elements. Where the rows become columns,
/// there are `N - 1` of them also if there are no rows.
#[test]
fn lengths_of_rows_become_outer_lengths_where_they_are_not_negative() {
    check(
        signatures,
        &[
            (
                "|a: [f32; N]| generate(min(1, N), |i| slice(0, N - 1, a))",
                "(a: [f32; N]) -> [[f32; N - 1]; min(1, N)]",
            ),
            (
                "|a: [f32; N]| generate(min(1, N), |i| slice(0, N - 1, a)) >> transpose",
                "(a: [f32; N]) -> [[f32; 1]; N - 1]\n\
                 `transpose` needs `N - 1` not to be negative",
            ),
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
            ("tuple(a, b).1", "b"),
            ("zip(a, b) >> map(|x| tuple(x.1, x.0) >> get(0))", "map(|x| x.1, zip(a, b))"),
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

proptest! {
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
