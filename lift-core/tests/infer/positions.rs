//! Position-dependent arrays (Pizzuti, Steuwer, Dubach, FHPNC 2019): the types of figures 6, 7 and 9 as
//! written and shown, the typing rules of figure 8, and what each mistake gets.

use crate::support::{check, elaborated, infer, mistakes, signatures};

#[test]
fn the_papers_types_are_written_as_they_are_shown() {
    check(
        signatures,
        &[
            ("|a: [i => [f32; i + 1]; 4]| a", "(a: [i => [f32; i + 1]; 4]) -> [i => [f32; i + 1]; 4]"),
            (
                "|a: [i => [j => [i32; sum(i, |k| if k == 0 { 2 } else { 1 }) + j + 1]; if i == 0 { 2 } else { 1 }]; 3]| a",
                "(a: [i => [j => [i32; i + j + (if 0 < i { 1 } else { 0 }) + 1]; if i == 0 { 2 } else { 1 }]; 3]) -> [i => [j => [i32; i + j + (if 0 < i { 1 } else { 0 }) + 1]; if i == 0 { 2 } else { 1 }]; 3]",
            ),
            ("|a: [i32; 6]| partition(3, |i| i + 1, a)", "(a: [i32; 6]) -> [i => [i32; i + 1]; 3]"),
            (
                "|a: [i => [f32; i + 1]; 4]| partition(3, |i| if i == 0 { 2 } else { 1 }, a)",
                "(a: [i => [f32; i + 1]; 4]) -> [i => [j => [f32; i + j + (if 0 < i { 1 } else { 0 }) + 1]; if i == 0 { 2 } else { 1 }]; 3]",
            ),
            (
                "|t: [i => [f32; pow(2, i)]; L]| t",
                "(t: [i => [f32; pow(2, i)]; L]) -> [i => [f32; pow(2, i)]; L]",
            ),
            ("|u: [i => [f32; N - i]; N]| u", "(u: [i => [f32; N - i]; N]) -> [i => [f32; N - i]; N]"),
            (
                "|b: [i => [f32; min(i + K + 1, N) - max(i - K, 0)]; N], k: [f32; K]| b >> map(reduce(add, 0))",
                "(b: [i => [f32; min(K + i + 1, N) - max(0, i - K)]; N], k: [f32; K]) -> [f32; N]",
            ),
            (
                "|m: [[i => [f32; i + 1]; N]; B]| m",
                "(m: [[i => [f32; i + 1]; N]; B]) -> [[i => [f32; i + 1]; N]; B]",
            ),
            ("|m: [i => f32; N]| m", "(m: [f32; N]) -> [f32; N]"),
            (
                "fn f<const N: usize>(m: [i => [f32; i + 1]; N]) -> [row => [f32; row + 1]; N] { m >> map(map(|x| x * 2)) }",
                "(m: [i => [f32; i + 1]; N]) -> [row => [f32; row + 1]; N]",
            ),
        ],
    );
}

#[test]
fn functions_are_typed_at_the_position() {
    check(
        signatures,
        &[
            (
                "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0))",
                "(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N]",
            ),
            (
                "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(padConstant(0, N - len(row), 0, row), v) >> map(mult))",
                "(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [[f32; N]; N]",
            ),
            (
                "|m: [i => [f32; N - i]; N]| m >> map(map(|x| x + 1))",
                "(m: [i => [f32; N - i]; N]) -> [i => [f32; N - i]; N]",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> map(pad(1, 1, clamp))",
                "(m: [i => [f32; i + 1]; 8]) -> [i => [f32; i + 3]; 8]",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> reduce(|acc, row| acc + reduce(add, 0, row), 0)",
                "(m: [i => [f32; i + 1]; N]) -> f32",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> map(|row| (row, len(row))) >> unzip",
                "(m: [i => [f32; i + 1]; N]) -> ([i => [f32; i + 1]; N], [i32; N])",
            ),
            (
                "|m: [i => [f32; i + 1]; N], u: [row => [f32; row + 1]; N]| zip(m, u) >> map(|(a, b)| zip(a, b) >> map(add))",
                "(m: [i => [f32; i + 1]; N], u: [row => [f32; row + 1]; N]) -> [i => [f32; i + 1]; N]",
            ),
            (
                "|m: [i => [f32; i + 1]; N], u: [i => [f32; i + 1]; N]| zip2(m, u) >> map2(add)",
                "(m: [i => [f32; i + 1]; N], u: [i => [f32; i + 1]; N]) -> [i => [f32; i + 1]; N]",
            ),
            (
                "|m: [i => [f32; 2 * i + 2]; N]| m >> map(split(2))",
                "(m: [i => [f32; 2 * i + 2]; N]) -> [i => [[f32; 2]; i + 1]; N]",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> map(scanInclusive(add))",
                "(m: [i => [f32; i + 1]; N]) -> [i => [f32; i + 1]; N]",
            ),
            (
                "|m: [[i => [f32; i + 1]; N]; B]| m >> map(map(reduce(add, 0)))",
                "(m: [[i => [f32; i + 1]; N]; B]) -> [[f32; N]; B]",
            ),
            ("|a: [f32; N]| generate(N, |i| slice(0, i + 1, a))", "(a: [f32; N]) -> [i => [f32; i + 1]; N]"),
            (
                "fn tri<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N] { m >> map(reduce(add, 0)) } fn g(m: [k => [f32; k + 1]; 7]) -> [f32; 7] { tri(m) }",
                "(m: [i => [f32; i + 1]; N]) -> [f32; N]\n\
                 (m: [k => [f32; k + 1]; 7]) -> [f32; 7]",
            ),
        ],
    );
}

#[test]
fn layouts_move_the_lengths_with_the_rows() {
    check(
        signatures,
        &[
            (
                "|m: [i => [f32; N - i]; N]| m >> gather(reverse)",
                "(m: [i => [f32; N - i]; N]) -> [i => [f32; i + 1]; N]",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> scatter(rotate(2)) >> map(reduce(add, 0))",
                "(m: [i => [f32; i + 1]; 8]) -> [f32; 8]",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> split(2)",
                "(m: [i => [f32; i + 1]; 8]) -> [i => [j => [f32; 2 * i + j + 1]; 2]; 4]",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> slide(3, 1)",
                "(m: [i => [f32; i + 1]; 8]) -> [i => [j => [f32; i + j + 1]; 3]; 6]",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> slice(2, 3)",
                "(m: [i => [f32; i + 1]; 8]) -> [i => [f32; i + 3]; 3]",
            ),
            ("|m: [i => [f32; i + 1]; 8]| m >> at(3)", "(m: [i => [f32; i + 1]; 8]) -> [f32; 4]"),
            ("|m: [i => [f32; i + 1]; 8]| m >> last", "(m: [i => [f32; i + 1]; 8]) -> [f32; 8]"),
            (
                "|m: [i => [[f32; i + 1]; 3]; N]| m >> transpose",
                "(m: [i => [[f32; i + 1]; 3]; N]) -> [[i => [f32; i + 1]; N]; 3]",
            ),
        ],
    );
}

#[test]
fn joined_rows_have_the_sum_of_their_lengths() {
    check(
        signatures,
        &[
            ("|a: [i => [f32; i + 1]; N]| join(a)", "(a: [i => [f32; i + 1]; N]) -> [f32; (N * N + N) / 2]"),
            (
                "|t: [i => [f32; pow(2, i)]; n]| join(t)",
                "(t: [i => [f32; pow(2, i)]; n], n: size) -> [f32; pow(2, n) - 1]",
            ),
            (
                "|m: [i => [f32; 2 * i + 2]; N]| m >> map(split(2)) >> map(join) >> join",
                "(m: [i => [f32; 2 * i + 2]; N]) -> [f32; N * N + N]",
            ),
            (
                "|a: [i => [f32; i + 1]; 4]| partition(3, |i| if i == 0 { 2 } else { 1 }, a) >> join",
                "(a: [i => [f32; i + 1]; 4]) -> [i => [f32; i + 1]; 4]",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> split(2) >> join",
                "(m: [i => [f32; i + 1]; 8]) -> [i => [f32; i + 1]; 8]",
            ),
            (
                "|m: [[i => [f32; i + 1]; N]; B]| m >> map(join) >> join",
                "(m: [[i => [f32; i + 1]; N]; B]) -> [f32; B * ((N * N + N) / 2)]",
            ),
            (
                "|m: [[i => [f32; i + 1]; N]; B]| m >> join",
                "(m: [[i => [f32; i + 1]; N]; B]) -> [i => [f32; i % N + 1]; B * N]",
            ),
            ("|a: [i32; 6]| a >> partition(3, |i| i + 1) >> join", "(a: [i32; 6]) -> [i32; 6]"),
        ],
    );
}

#[test]
fn the_rows_of_a_partition_take_all_elements() {
    check(
        signatures,
        &[
            (
                "|a: [i32; N]| a >> partition(3, |i| i + 1)",
                "(a: [i32; N]) -> [i => [i32; i + 1]; 3]\n\
                 `partition(3, …)` makes rows of 6 elements in all, and its input has `N`",
            ),
            (
                "|a: [i32; N], k: size| a >> partition(k, |i| i + 1)",
                "(a: [i32; N], k: size) -> [i => [i32; i + 1]; k]\n\
                 `partition(k, …)` makes rows of `(k * k + k) / 2` elements in all, and its input has `N`",
            ),
            ("partition(3, |i| i + 1, a)", "(a: [T0; 6]) -> [i => [T0; i + 1]; 3]"),
            ("partition(n, |i| i + 1, a)", "(n: size, a: [T0; (n * n + n) / 2]) -> [i => [T0; i + 1]; n]"),
            (
                "|a: [f32; N]| a >> pad(1, 1, clamp) >> slide(3, 1) >> partition(3, caseSplit(1, N - 2, 1)) >> map(map(reduce(add, 0))) >> join",
                "(a: [f32; N]) -> [f32; N]\n\
                 `pad(1, 1, clamp)` needs an array that is not empty, and its input has `N` elements\n\
                 `caseSplit` needs `N - 2` not to be negative",
            ),
            (
                "|a: [f32; 30]| a >> partition(20, |i| if i < 10 { 1 } else { 2 })",
                "(a: [f32; 30]) -> [i => [f32; if i < 10 { 1 } else { 2 }]; 20]",
            ),
            (
                "|a: [f32; N]| a >> partition(20, |i| if i >= 10 { 1 } else { 2 })",
                "(a: [f32; N]) -> [i => [f32; if 9 < i { 1 } else { 2 }]; 20]\n\
                 `partition(20, …)` makes rows of 30 elements in all, and its input has `N`",
            ),
            (
                "|a: [f32; N]| a >> partition(N, |i| if i % 2 == 0 { 1 } else { 2 })",
                "(a: [f32; N]) -> [i => [f32; if i % 2 == 0 { 1 } else { 2 }]; N]\n\
                 `partition(N, …)` makes rows of `(N + 1) / 2 + 2 * (N / 2)` elements in all, and its input has `N`",
            ),
            (
                "|a: [f32; N]| a >> partition(40, |i| if i < 10 && i > 3 { 1 } else { 2 })",
                "(a: [f32; N]) -> [i => [f32; if i < 10 && 3 < i { 1 } else { 2 }]; 40]\n\
                 `partition(40, …)` makes rows of 74 elements in all, and its input has `N`",
            ),
            (
                "|a: [f32; N]| a >> partition(N, |i| i * i)",
                "(a: [f32; N]) -> [i => [f32; i * i]; N]\n\
                 `partition(N, …)` makes rows of `(2 * N * N * N + N - 3 * N * N) / 6` elements in all, and its input has `N`",
            ),
            (
                "|m: [i => [f32; 3 - i]; N]| m",
                "(m: [i => [f32; 3 - i]; N]) -> [i => [f32; 3 - i]; N]\n\
                 the length `3 - i` of an array must not be negative, for every `i` below `N`",
            ),
        ],
    );
}

#[test]
fn mistakes_with_positions_name_the_sizes_at_the_position() {
    check(
        mistakes,
        &[
            (
                "|a: [i32; 7]| a >> partition(3, |i| i + 1)",
                "`partition(3, |i| i + 1)`: `partition(3, …)`: the rows have 6 elements in all, but the array has 7",
            ),
            (
                "|a: [f32; N]| a >> partition(3, caseSplit(1, N - 2))",
                "`caseSplit(1, N - 2)`: `caseSplit` gives the lengths of 2 rows, but `partition` makes 3",
            ),
            (
                "|a: [f32; 10]| a >> partition(3, |i| a)",
                "`a`: this is a value of type `[f32; 10]`, and a size is needed here\n\
                 help: a size is known before the program starts: a number, a `const` generic, or a `usize` of Rust",
            ),
            (
                "|a: [f32; 10]| a >> partition(3, add)",
                "`add`: `add` is no function on positions\n\
                 help: positions are mapped by `|i| …` with size arithmetic, `reverse`, `stride(s)` or `rotate(k)`",
            ),
            (
                "|a: [f32; 10]| a >> partition(3, |i, j| i)",
                "`|i, j| i`: this function on positions takes 2 parameters, and 1 is needed\n\
                 help: `|i| …` takes a position alone; other sizes are used by their names, or as `len(xs)`",
            ),
            (
                "|a: [f32; 10]| a >> partition(4, |i| i - 1)",
                "`|i| i - 1`: `partition(4, …)` needs `i - 1` not to be negative; that fails where `i` is 0",
            ),
            (
                "caseSplit(1, 2, 3)",
                "`caseSplit`: `caseSplit` is a function on positions\n\
                 help: it stands as an argument of `partition`: `partition(3, caseSplit(a, b, c), xs)`",
            ),
            (
                "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(row, v) >> map(mult) >> reduce(add, 0))",
                "`zip(row, v)`: `zip` needs arrays of one length, but they are `[f32; i + 1]` and `[f32; N]`: the length `i + 1` is not `N`",
            ),
            (
                "|m: [i => [f32; i + 1]; N], u: [i => [f32; N - i]; N]| zip(m, u) >> map(|(a, b)| zip(a, b))",
                "`zip(a, b)`: `zip` needs arrays of one length, but they are `[f32; i + 1]` and `[f32; N - i]`: the length `i + 1` is not `N - i`",
            ),
            (
                "|m: [i => [f32; i + 1]; N], u: [i => [f32; N - i]; N]| zip(m, u)",
                "`zip(m, u)`: the result is `[i => ([f32; i + 1], [f32; N - i]); N]`: arrays of tuples that hold arrays are not supported yet as results\n\
                 help: tuples of arrays and arrays of tuples of scalars can be passed and returned",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| transpose(m)",
                "`transpose(m)`: `transpose` needs rows of one length, but row `i` of `[i => [f32; i + 1]; N]` has `i + 1` elements\n\
                 help: `padConstant(0, n - len(row), z)` makes rows of one length",
            ),
            (
                "|m: [i => [f32; i + 1]; 8]| m >> pad(1, 1, clamp)",
                "`pad(1, 1, clamp)`: `pad` needs elements of one type, but the lengths in `[i => [f32; i + 1]; 8]` depend on the position\n\
                 help: inside a `map` over this array, a row is an array like any other",
            ),
            (
                "|m: [i => [f32; i + 1]; 8], p: i32| m >> at(p)",
                "`at(p)`: `at` needs elements of one type, but the lengths in `[i => [f32; i + 1]; 8]` depend on the position\n\
                 help: inside a `map` over this array, a row is an array like any other",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| concat(m, m)",
                "`concat(m, m)`: `concat` needs elements of one type, but the lengths in `[i => [f32; i + 1]; N]` depend on the position\n\
                 help: inside a `map` over this array, a row is an array like any other",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> iterate(2, |x| x)",
                "`iterate(2, |x| x)`: `iterate` needs elements of one type, but the lengths in `[i => [f32; i + 1]; N]` depend on the position\n\
                 help: inside a `map` over this array, a row is an array like any other",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> scan(|a, r| a + len(r) as f32, 0)",
                "`scan(|a, r| a + len(r) as f32, 0)`: `scan` needs elements of one type, but the lengths in `[i => [f32; i + 1]; N]` depend on the position\n\
                 help: inside a `map` over this array, a row is an array like any other",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> map(|r| r >> split(2))",
                "`split(2)`: `split(2)` needs 2 to divide `i + 1`; that fails where `i` is 0",
            ),
            (
                "|m: [i => [f32; i + 1]; N]| m >> slide2(3, 1)",
                "`slide2(3, 1)`: `slide2(3, 1)` needs at least 3 elements, and its input has `i + 1`; that fails where `i` is 0",
            ),
            (
                "|m: [i => [f32; i - 1]; N]| m",
                "`i - 1`: the length `i - 1` of an array must not be negative; that fails where `i` is 0",
            ),
            (
                "|m: [i => [f32; 3 - i]; 5]| m",
                "`3 - i`: the length `3 - i` of an array must not be negative; that fails where `i` is 4",
            ),
            (
                "|m: [i => [f32; sum(i)]; 5]| m",
                "`sum(i)`: `sum` takes 2 arguments, and is given 1\n\
                 help: `sum(n, |k| …)` adds a size for every `k` below `n`",
            ),
            (
                "fn f<const N: usize>(m: [i => [f32; i + 1]; N]) -> [i => [f32; i + 2]; N] { m >> map(map(|x| x * 2)) }",
                "`map(map(|x| x * 2))`: the declared result of `f` is `[i => [f32; i + 2]; N]`, but its body gives `[i => [f32; i + 1]; N]`: the length `i + 1` is not `i + 2`",
            ),
            (
                "fn f<const N: usize>(m: [i => [f32; i + 1]; N]) -> [[f32; N]; N] { m }",
                "`m`: the declared result of `f` is `[[f32; N]; N]`, but its body gives `[i => [f32; i + 1]; N]`: the length `i + 1` is not `N`",
            ),
            (
                "fn sq<const N: usize, const M: usize>(m: [[f32; M]; N]) -> [f32; N] { m >> map(reduce(add, 0)) } fn g<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N] { sq(m) }",
                "`m`: the parameter `m` of `sq` is `[[f32; M]; N]`, but this is `[i => [f32; i + 1]; N]`: the length `M` is not `i + 1`",
            ),
        ],
    );
}

#[test]
fn functions_know_the_position_only_where_elements_differ() {
    check(
        elaborated,
        &[
            ("|m: [i => [f32; i + 1]; N]| map(map(sqrt), m)", "map(|x, i| map(|x| sqrt(x), x), m)"),
            ("|m: [[f32; M]; N]| map(map(sqrt), m)", "map(|x| map(|x| sqrt(x), x), m)"),
            ("|a: [f32; 6]| partition(3, |i| i + 1, a)", "partition[3, i -> i + 1](a)"),
            (
                "|a: [f32; N]| partition(3, caseSplit(1, N - 2, 1), a)",
                "partition[3, i -> if i < 1 { 1 } else { if i < 2 { N - 2 } else { 1 } }](a)",
            ),
        ],
    );
    assert!(infer("|m: [i => [f32; i + 1]; N]| m").is_ok());
}
