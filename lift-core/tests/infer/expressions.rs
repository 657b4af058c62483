//! Type inference, on programs as the user writes them: what they mean, what they leave to the launch, and
//! what each mistake gets.

use crate::support::{check, elaborated, infer, mistakes, signatures};
use proptest::prelude::*;

#[test]
fn lengths_follow_the_primitives() {
    check(
        signatures,
        &[
            (
                "map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))",
                "(a: [T0; len(a)]) -> [T0; len(a)]\n\
                 `pad(1, 1, clamp)` needs an array that is not empty, and its input has `len(a)` elements",
            ),
            (
                "fn mm<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
                     a >> map(|row| transpose(b) >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0)))
                 }",
                "(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]",
            ),
            (
                "fn t<const N: usize, const M: usize>(x: [[f32; M]; N]) -> [[f32; N]; M] {
                     x >> join >> gather(|i| i / N + (i % N) * M) >> split(N) >> mapWrg0(mapLcl0(id))
                 }",
                "(x: [[f32; M]; N]) -> [[f32; N]; M]",
            ),
            (
                "a >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0))",
                "(a: [[T0; len(a, 1)]; len(a)]) -> [[T0; len(a, 1)]; len(a)]\n\
                 `pad2(1, 1, mirror)` needs an array that is not empty, and its input has `len(a)` elements\n\
                 `pad2(1, 1, mirror)` needs an array that is not empty, and its input has `len(a, 1)` elements",
            ),
            (
                "a >> slide3(2, 1)",
                "(a: [[[T0..; len(a, 2)]; len(a, 1)]; len(a)]) -> \
                 [[[[[[T0..; 2]; 2]; 2]; len(a, 2) - 1]; len(a, 1) - 1]; len(a) - 1]\n\
                 `slide3(2, 1)` needs at least 2 elements, and its input has `len(a, 2)`\n\
                 `slide3(2, 1)` needs at least 2 elements, and its input has `len(a, 1)`\n\
                 `slide3(2, 1)` needs at least 2 elements, and its input has `len(a)`",
            ),
            (
                "padConstant3(1, 1, 0.0, a)",
                "(a: [[[T0; len(a, 2)]; len(a, 1)]; len(a)]) -> [[[T0; len(a, 2) + 2]; len(a, 1) + 2]; len(a) + 2]",
            ),
            (
                "|a: [[f32; 6]; 8]| tile(4, 2, a)",
                "(a: [[f32; 6]; 8]) -> [[[[f32; 2]; 4]; 3]; 2]",
            ),
            ("|a: [[f32; 6]; 8]| a >> tile(4, 2) >> untile", "(a: [[f32; 6]; 8]) -> [[f32; 6]; 8]"),
            ("|a: [[f32; 6]; 8]| slide2d(3, 1, 2, 2, a)", "(a: [[f32; 6]; 8]) -> [[[[f32; 2]; 3]; 3]; 6]"),
            ("|a: [[f32; 6]; 8]| pad2d(1, 2, 3, 4, clamp, wrap, a)", "(a: [[f32; 6]; 8]) -> [[f32; 13]; 11]"),
            ("zip3(a, b) >> map3(add)",
             "(a: [[[T0; len(a, 2)]; len(a, 1)]; len(a)], b: [[[T0; len(a, 2)]; len(a, 1)]; len(a)]) -> \
              [[[T0; len(a, 2)]; len(a, 1)]; len(a)]"),
        ],
    );
}

#[test]
fn unknown_lengths_are_solved() {
    check(
        signatures,
        &[
            ("zip(a, b) >> map(mult)", "(a: [T0; len(a)], b: [T0; len(a)]) -> [T0; len(a)]"),
            (
                "zip(a, slide(3, 1, b)) >> map(get(0))",
                "(a: [T0..; len(b) - 2], b: [T1..; len(b)]) -> [T0..; len(b) - 2]\n\
                 `slide(3, 1)` needs at least 3 elements, and its input has `len(b)`",
            ),
            (
                "zip(split(4, a), b) >> map(get(1))",
                "(a: [T0..; len(a)], b: [T1..; len(a) / 4]) -> [T1..; len(a) / 4]\n`split(4)` needs 4 to divide `len(a)`",
            ),
            ("zip([1, 2, 3], a) >> map(add)", "(a: [T0; 3]) -> [T0; 3]"),
        ],
    );
}

#[test]
fn slides_after_short_pads_still_need_the_rest() {
    let expected = "(a: [f32; N]) -> [[f32; 5]; N - 2]\n\
                    `pad(1, 1, clamp)` needs an array that is not empty, and its input has `N` elements\n\
                    `slide(5, 1)` needs at least 5 elements, and its input has `N + 2`";
    assert_eq!(signatures("|a: [f32; N]| a >> pad(1, 1, clamp) >> slide(5, 1)"), expected);
    let programs = infer("|a: [f32; N]| a >> pad(1, 1, clamp) >> slide(5, 1)").expect("it is right");
    let minima: Vec<u64> =
        programs.iter().flat_map(|program| &program.sizes).map(|size| size.minimum).collect();
    assert_eq!(minima, [3]);
}

#[test]
fn divisibility_is_left_to_the_launch_and_then_known() {
    check(
        signatures,
        &[
            (
                "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> split(4) >> join }",
                "(a: [f32; N]) -> [f32; N]\n`split(4)` needs 4 to divide `N`",
            ),
            (
                "fn f(n: size, a: [f32; 12]) -> [f32; 12] { a >> split(n) >> join }",
                "(n: size, a: [f32; 12]) -> [f32; 12]\n`split(n)` needs `n` to divide 12",
            ),
            (
                "split(n, a) >> map(reduce(add, 0))",
                "(n: size, a: [T0; len(a)]) -> [T0; len(a) / n]\n`split(n)` needs `n` to divide `len(a)`",
            ),
            ("|a: [f32; 4 * N]| split(4, a)", "(a: [f32; 4 * N]) -> [[f32; 4]; N]"),
            (
                "gather(stride(2), a) >> gather(rotate(k))",
                "(a: [T0..; len(a)], k: size) -> [T0..; len(a)]\n`stride(2)` needs 2 to divide `len(a)`",
            ),
            (
                "gather(|i| 5, a)",
                "(a: [T0..; len(a)]) -> [T0..; len(a)]\n\
                 `gather` needs every index `5` inside the array of `len(a)` elements",
            ),
        ],
    );
}

#[test]
fn parameters_stand_in_the_order_of_the_text() {
    check(
        signatures,
        &[
            ("map(|x| x * alpha, a)", "(alpha: T0, a: [T0; len(a)]) -> [T0; len(a)]"),
            ("map(|x| x as i32, a)", "(a: [T0; len(a)]) -> [i32; len(a)]"),
            ("|a: [f32; N], s: f32| map(|x| x * s * t, a)", "(a: [f32; N], s: f32, t: f32) -> [f32; N]"),
            (
                "|a, n: size| split(n, a)",
                "(a: [T0; len(a)], n: size) -> [[T0; n]; len(a) / n]\n`split(n)` needs `n` to divide `len(a)`",
            ),
            ("|a: [f32; n]| a", "(a: [f32; n], n: size) -> [f32; n]"),
            ("reverse(a)", "(a: [T0..; len(a)]) -> [T0..; len(a)]"),
            (
                "{ let f = |n, x| split(n, x); f(k, a) }",
                "(k: size, a: [T0..; len(a)]) -> [[T0..; k]; len(a) / k]\n`split(k)` needs `k` to divide `len(a)`",
            ),
            (
                "a >> split(k) >> map(|c| zip(c, w) >> map(mult) >> reduce(add, 0))",
                "(a: [T0; len(a)], k: size, w: [T0; k]) -> [T0; len(a) / k]\n\
                 `split(k)` needs `k` to divide `len(a)`",
            ),
        ],
    );
}

#[test]
fn sizes_are_compared_by_value() {
    check(
        signatures,
        &[
            (
                "fn f<const N: usize>(a: [f32; 3 * N]) -> [f32; 2 * N + N] { a }",
                "(a: [f32; 3 * N]) -> [f32; 3 * N]",
            ),
            (
                "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M * N] { join(a) }",
                "(a: [[f32; M]; N]) -> [f32; N * M]",
            ),
        ],
    );
}

#[test]
fn functions_are_inlined_and_nothing_is_computed_twice() {
    check(
        elaborated,
        &[
            (
                "map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))",
                "map(|x| reduceSequential(|acc, x| (acc + x), 0T0, x), slide[3, 1](pad[1, 1, clamp](a)))",
            ),
            (
                "zip(a, b) >> map(mult) >> reduce(add, 0)",
                "reduce(|acc, x| (acc + x), 0T0, map(|x| (x.0 * x.1), zip(a, b)))",
            ),
            (
                "{ let s = reduce(add, 0, a); map(|x| x / s, a) }",
                "let s = reduce(|acc, x| (acc + x), 0T0, a); map(|x| (x / s), a)",
            ),
            ("{ let sq = |x| x * x; map(|y| sq(y + 1), a) }", "map(|y| let x = (y + 1T0); (x * x), a)"),
            (
                "map(add(reduce(add, 0, b)), a)",
                "let value = reduce(|acc, x| (acc + x), 0T0, b); map(|x| (value + x), a)",
            ),
            (
                "{ let f = { let t = reduce(add, 0, b); |x| x * t }; map(f, a) }",
                "let t = reduce(|acc, x| (acc + x), 0T0, b); map(|x| (x * t), a)",
            ),
            (
                "map(|x| if x > 1 { let t = x * x; t * t } else { x }, a)",
                "map(|x| if (x > 1T0) { let t = (x * x); (t * t) } else { x }, a)",
            ),
            (
                "fn norm<const N: usize>(a: [f32; N]) -> [f32; N] { let s = reduce(add, 0, a); map(|x| x / s, a) }
                 fn k<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(sqrt) >> norm }",
                "let a = map(|x| sqrt(x), a); let s = reduce(|acc, x| (acc + x), 0f32, a); map(|x| (x / s), a)",
            ),
            (
                "fn sq(x: f32) -> f32 { x * x } fn other(x: f32) -> f32 { x }
                 fn tw(x: f32) -> f32 { sq(sq(x)) }
                 fn k<const N: usize>(a: [f32; N]) -> [f32; N] { map(tw, a) }",
                "map(|x| function1(x), a)",
            ),
        ],
    );
}

#[test]
fn the_ways_to_call_and_to_take_apart_are_the_same() {
    let product = "map(|x| (x.0 * x.1), zip(a, b))";
    check(
        elaborated,
        &[
            ("zip(a, b) >> map(mult)", product),
            ("zip(a, b) >> map(mul)", product),
            ("map(|x, y| x * y, zip(a, b))", product),
            ("map(|(x, y)| x * y)(zip(a, b))", product),
            ("{ let f = |x, y| x * y; zip(a, b) >> map(f) }", product),
            ("map(|x| { let (p, q) = x; p * q }, zip(a, b))", product),
            ("map(|x| x.0 * x.1, zip(a, b))", product),
            ("{ let (p, q) = (a, b); zip(p, q) >> map(mult) }", product),
            ("zip(a, b) >> (map(id) >> map(mult))", "map(|x| (x.0 * x.1), map(|x| x, zip(a, b)))"),
            ("reduce(|(acc, x)| acc + x, 0, a)", "reduce(|acc, x| (acc + x), 0T0, a)"),
            (
                "zip(zip(a, b), c) >> map(|((x, y), z)| x - y + z)",
                "map(|x| ((x.0.0 - x.0.1) + x.1), zip(zip(a, b), c))",
            ),
        ],
    );
}

#[test]
fn derived_primitives_are_compositions() {
    check(
        elaborated,
        &[
            ("slide2(3, 1, a)", "map(|x| transpose(x), slide[3, 1](map(|x| slide[3, 1](x), a)))"),
            ("pad2(1, 2, wrap, a)", "map(|x| pad[1, 2, wrap](x), pad[1, 2, wrap](a))"),
            ("reverse(a)", "gather[i -> len(a) - i - 1](a)"),
            ("map2(sqrt, a)", "map(|x| map(|x| sqrt(x), x), a)"),
            (
                "zip2(a, b) >> map2(add)",
                "map(|x| map(|x| (x.0 + x.1), x), map(|x| zip(x.0, x.1), zip(a, b)))",
            ),
            (
                "|a: [[f32; 6]; 8]| tile(4, 2, a)",
                "map(|x| map(|x| transpose(x), split[2](transpose(x))), split[4](a))",
            ),
            (
                "padConstant2(1, 1, 0, a)",
                "transpose(map(|x| padConstant(1, 1, 0T0, x), transpose(map(|x| padConstant(1, 1, 0T0, x), a))))",
            ),
        ],
    );
}

#[test]
fn memories_and_threads_are_kept() {
    check(
        elaborated,
        &[
            (
                "a >> mapWrg0(mapLcl0(toLocal(id))) >> toGlobal(mapSeq(id))",
                "toGlobal(mapSequential(|x| x, mapWorkGroup(0)(|x| mapLocal(0)(|x| toLocal(x), x), a)))",
            ),
            ("mapGlobal(id, a)", "mapGlobal(0)(|x| x, a)"),
        ],
    );
}

#[test]
fn literals_and_sizes_take_their_type_from_the_context() {
    check(
        elaborated,
        &[
            ("|a: [f64; 3]| map(|x| x + 1, a)", "map(|x| (x + 1f64), a)"),
            ("|a: [u8; 3]| map(|x| x + 1, a)", "map(|x| (x + 1u8), a)"),
            ("|a: [i32; N]| map(|x| x + N, a)", "map(|x| (x + size(N): i32), a)"),
            ("|a: [f32; N]| map(|x| x / (N + 1) as f32, a)", "map(|x| (x / (size(N + 1): size as f32)), a)"),
            ("|a: [i8; 3]| map(|x| x + -128, a)", "map(|x| (x + -128i8), a)"),
            ("map(|_| 1, a)", "map(|x| 1f32, a)"),
            ("|a: [i32; N]| reduce(add, N, a)", "reduce(|acc, x| (acc + x), size(N): i32, a)"),
            (
                "|a: [f32; N]| map(|x| if N > 3 { x } else { 0 }, a)",
                "map(|x| if (size(N): i64 > 3i64) { x } else { 0f32 }, a)",
            ),
        ],
    );
}

#[test]
fn names_in_scope_shadow_primitives() {
    check(
        elaborated,
        &[
            ("{ let map = |x| x; map(a) }", "a"),
            ("map(|join| join + 1, a)", "map(|join| (join + 1T0), a)"),
            (
                "{ let map = 1; slide2(2, 1, [[1, 2], [3, 4]]) }",
                "map(|x| transpose(x), slide[2, 1](map(|x| slide[2, 1](x), [[1i32, 2i32], [3i32, 4i32]])))",
            ),
            ("{ let k = 4; split(k, a) }", "split[4](a)"),
        ],
    );
}

#[test]
fn the_prelude_does_not_see_functions_of_the_program() {
    let own =
        "fn len(x: f32) -> f32 { x } fn add(x: f32, y: f32) -> f32 { x - y } fn max(x: i32) -> i32 { x }";
    for call in ["sort", "filter(|x| x > 0.0) >> |ys, _| ys", "argsort >> map(|i| i as f32)", "topK(N)"] {
        let text = format!("{own} fn f<const N: usize>(a: [f32; N]) -> [f32; N] {{ a >> {call} }}");
        assert!(infer(&text).is_ok(), "{}", mistakes(&text));
    }
    let text = format!(
        "{own} fn f<const N: usize>(starts: [u32; N + 1], a: [f32; 9]) -> [f32; N] {{ reduceSegments(mult, 1, starts, a) }}"
    );
    assert!(infer(&text).is_ok(), "{}", mistakes(&text));
}

#[test]
fn boundaries_are_functions_of_the_position() {
    check(
        elaborated,
        &[
            ("|a: [f32; 4]| pad(1, 2, |i, n| i % n, a)", "pad[1, 2, i -> i % 4](a)"),
            ("|a: [f32; 4]| gather(reverse >> reverse, a)", "gather[i -> i](a)"),
        ],
    );
}

#[test]
fn sizes_that_differ_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "fn f<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> f32 { zip(a, b) >> map(add) >> reduce(add, 0) }",
                "`zip(a, b)`: `zip` needs arrays of one length, but they are `[f32; N]` and `[f32; M]`: \
                 the length `N` is not `M`\nhelp: add `where N == M`",
            ),
            (
                "|a: [f32; 4], b: [f32; 5]| zip(a, b) >> map(add)",
                "`zip(a, b)`: `zip` needs arrays of one length, but they are `[f32; 4]` and `[f32; 5]`: \
                 the length 4 is not 5",
            ),
            (
                "fn f<const N: usize>(a: [f32; N], b: [f32; N + 1]) -> f32 { zip(a, b) >> map(mult) >> reduce(add, 0) }",
                "`zip(a, b)`: `zip` needs arrays of one length, but they are `[f32; N]` and `[f32; N + 1]`: \
                 the length `N` is not `N + 1`",
            ),
            (
                "fn f(a: [f32; 8]) -> [[f32; 4]; 3] { split(4, a) }",
                "`split(4, a)`: the declared result of `f` is `[[f32; 4]; 3]`, but its body gives \
                 `[[f32; 4]; 2]`: the length 2 is not 3",
            ),
            (
                "fn f<const N: usize, const M: usize>(a: [[f32; N]; M]) -> [[f32; N]; M] { transpose(a) }",
                "`transpose(a)`: the declared result of `f` is `[[f32; N]; M]`, but its body gives \
                 `[[f32; M]; N]`: the length `N` is not `M`\nhelp: `>> transpose` exchanges rows and columns",
            ),
            (
                "|a: [f32; 8]| split(3, a)",
                "`split(3, a)`: `split(3)`: 3 does not divide the length 8\nhelp: 1, 2, 4 and 8 would",
            ),
            (
                "|a: [f32; 3]| slide(5, 1, a)",
                "`slide(5, 1, a)`: `slide(5, 1)`: a window of 5 elements is larger than the array of 3\n\
                 help: `pad` makes an array larger",
            ),
            (
                "|a: [f32; 4]| slide(3, 2, a)",
                "`slide(3, 2, a)`: `slide(3, 2)`: the last window does not end with the array: windows of 3 elements \
                 at a distance of 2 leave some of the 4 elements over\nhelp: arrays of 3 and of 5 elements fit",
            ),
            (
                "gather(|i| i + 1, a)",
                "`|i| i + 1`: `gather`: position `len(a) - 1` is mapped to `len(a)`, outside the array of `len(a)` \
                 elements\nhelp: an index stays inside with `% n`, or with `min` and `max`",
            ),
            (
                "|a: [f32; 3]| gather(|i| 2 - 2 * i, a)",
                "`|i| 2 - 2 * i`: `gather`: position 2 is mapped to -2, outside the array of 3 elements\n\
                 help: an index stays inside with `% n`, or with `min` and `max`",
            ),
            (
                "pad(1, 2, |i, n| n, a)",
                "`|i, n| n`: `pad(1, 2, …)`: position -1 is mapped to `len(a)`, outside the array of `len(a)` elements\n\
                 help: an index stays inside with `% n`, or with `min` and `max`",
            ),
            (
                "pad(1, 1, clamp, [])",
                "`pad(1, 1, clamp, [])`: `pad(1, 1, clamp)`: the array is empty, so there is no element to repeat\n\
                 help: `padConstant` takes the added element",
            ),
            ("split(0, a)", "`split(0, a)`: `split(0)`: this size must be at least 1, and it is 0"),
            ("slide(2, 1 - 2, a)", "`1 - 2`: `slide`: a size cannot be negative, and this is -1"),
        ],
    );
}

#[test]
fn types_that_differ_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "fn f(a: [f32; 3]) -> [i32; 3] { a }",
                "`a`: the declared result of `f` is `[i32; 3]`, but its body gives `[f32; 3]`\n\
                 help: `as i32` converts a number",
            ),
            (
                "|a: [f32; 3], b: [i32; 3]| zip(a, b) >> map(|x, y| x + y)",
                "`x + y`: `+` takes operands of one type, but they are `f32` and `i32`\n\
                 help: `x as T` converts between number types",
            ),
            (
                "|a: [bool; 3]| map(|x| x + 1, a)",
                "`x`: `+` takes a number, but this is `bool`\nhelp: `if c { 1 } else { 0 }` makes a number of it",
            ),
            (
                "|a: [i32; 3]| map(sqrt, a)",
                "`sqrt`: `sqrt` takes a floating-point number, but this is `i32`\n\
                 help: a cast makes a float of it: `x as f32`",
            ),
            (
                "|a: [f32; 3]| sqrt(a)",
                "`a`: `sqrt` takes a floating-point number, but this is `[f32; 3]`\n\
                 help: `map` applies a function to every element of an array",
            ),
            (
                "|a: [f32; 3]| reduce(|acc, x| x > acc, 0, a)",
                "`|acc, x| x > acc`: the function of `reduce` gives `bool`, but the accumulator is `f32`\n\
                 help: `reduce(f, z)` starts with `z` and replaces it by `f(z, x)`: both have one type",
            ),
            (
                "transpose([1, 2])",
                "`transpose([1, 2])`: `transpose` needs an array of arrays, but this is `[_; 2]`\n\
                 help: `transpose(xs)` has the type `[[A; m]; n] -> [[A; n]; m]`",
            ),
            (
                "|a: [f32; 4]| slide2(3, 1, a)",
                "`slide2(3, 1, a)`: `slide2` needs an array of arrays, but this is `[f32; 4]`\n\
                 help: `slide2(size, step, xs)` has the type \
                 `size -> size -> [[A; m]; n] -> [[[[A; size]; size]; m']; n']`",
            ),
            (
                "|a: [[f32; 4]; 4]| padConstant(1, 1, 0.0, a)",
                "`0.0`: `padConstant` adds a floating-point number to an array of `[f32; 4]`\n\
                 help: `padConstant2` pads all dimensions",
            ),
            (
                "|a: [f32; N]| map(|x| x + N, a)",
                "`N`: `+` takes operands of one type, but this is a size, an integer\n\
                 help: a cast makes a float of it: `n as f32`",
            ),
            (
                "|a: [u8; 4]| map(|x| x + 300, a)",
                "`300`: the literal 300 does not fit `u8`\nhelp: `u8` holds 0 to 255",
            ),
            ("|a: [u8; 4]| map(|x| -x, a)", "`-x`: `-` takes signed numbers, but this is `u8`"),
            (
                "|a: [f32; 4]| map(|x| if x > 0 { x } else { false }, a)",
                "`false`: the branches of `if` have one type, but they are `f32` and `bool`",
            ),
            (
                "map(get(2), zip(a, b))",
                "`get(2)`: there is no component 2: the tuple is `(_, _)`\nhelp: components are numbered from 0 to 1",
            ),
        ],
    );
}

#[test]
fn wrong_calls_say_how_it_is_called() {
    let map_type = "`map(f, xs)` has the type `(A -> B) -> [A; n] -> [B; n]`";
    check(
        mistakes,
        &[
            ("mpa(|x| x, a)", "`mpa`: unknown function `mpa`\nhelp: there is a similar name: `map`"),
            (
                "a >> transpos",
                "`transpos`: unknown function `transpos`\nhelp: there is a similar name: `transpose`",
            ),
            (
                "map(a, |x| x)",
                &format!(
                    "`map(a, |x| x)`: the arguments of `map` are in another order than in `map(f, xs)`\nhelp: {map_type}"
                ),
            ),
            (
                "map(id, a, b)",
                &format!(
                    "`map(id, a, b)`: `map` takes 2 arguments, and is given 3\nhelp: {map_type}\n\
                     help: several arrays go through `zip`: `zip(a, b) >> map(f)`"
                ),
            ),
            ("map(id)", &format!("`map(id)`: `map` takes 2 arguments, and is given 1\nhelp: {map_type}")),
            (
                "zip(a)",
                "`zip(a)`: `zip` takes at least 2 arrays\n\
                 help: `zip(a, b)`; it cannot be given its arguments one after another",
            ),
            (
                "map(reduce(add), a)",
                "`reduce(add)`: `reduce` lacks an argument: `z` of `reduce(f, z, xs)`\n\
                 help: `z` is the value to start from, such as 0 for sums: `reduce(add, 0)`",
            ),
            (
                "map(clamp, a)",
                "`clamp`: `clamp` is a boundary\nhelp: it stands as an argument of `pad`: `pad(1, 1, clamp, xs)`\nhelp: `clampv(x, lo, hi)` limits a value",
            ),
            (
                "map(sqrt, zip)",
                "`zip`: the last argument of `map` is its data, but this is a function\n\
                 help: the function comes first and the data last: `map(f, xs)` has the type `(A -> B) -> [A; n] -> [B; n]`\n\
                 help: a Rust variable with the name of a function cannot be used here; rename it",
            ),
            (
                "map(iterate(3), a)",
                "`iterate(3)`: `iterate` lacks an argument: `f` of `iterate(m, f, xs)`\n\
                 help: `iterate(m, f, xs)` has the type \
                 `size -> ([A; n] -> [A; g(n)]) -> [A; n] -> [A; g(g(…n))]`",
            ),
            (
                "fn sq(x: f32) -> f32 { x * x } fn k(a: [f32; 3]) -> [f32; 3] { map(|x| sq(x, x), a) }",
                "`sq(x, x)`: `sq` takes 1 argument, and is given 2\nhelp: its parameters are `sq(x)`",
            ),
            (
                "fn sq(x: f32) -> f32 { x * x } fn k(a: [i32; 3]) -> [f32; 3] { map(sq, a) }",
                "`sq`: the parameter `x` of `sq` is `f32`, but this is `i32`\nhelp: `as f32` converts a number",
            ),
            (
                "fn chunk<const N: usize>(a: [f32; N]) -> [f32; N] { a >> split(4) >> join }
                 fn k(a: [f32; 6]) -> [f32; 6] { chunk(a) }",
                "`chunk(a)`: in this call of `chunk`: `split(4)`: 4 does not divide the length 6\n\
                 help: 1, 2, 3 and 6 would",
            ),
        ],
    );
}

#[test]
fn wrong_items_are_named() {
    check(
        mistakes,
        &[
            (
                "fn f<const N: usize>(a: [f32; N]) -> f32 { g(a) } fn g<const N: usize>(a: [f32; N]) -> f32 { f(a) }",
                "`f`: `f` calls `g`, which calls `f`: recursion is not possible in a kernel\n\
                 help: `map` and `reduce` repeat a computation",
            ),
            (
                "fn f<const N: usize, const M: usize>(a: [f32; N]) -> f32 { reduce(add, 0, a) }",
                "`M`: the size `M` occurs in no parameter\n\
                 help: a call could not tell its value; make it a parameter: `M: size`",
            ),
            (
                "fn f(a: [(f32, [f32; 2]); 3]) -> f32 { 1 }",
                "`a`: `a` is `[(f32, [f32; 2]); 3]`: arrays of tuples that hold arrays are not supported yet as parameters\n\
                 help: tuples of arrays and arrays of tuples of scalars can be passed and returned",
            ),
            (
                "fn sc(x: f32) -> f32 { reduce(add, 0, [x, x]) }",
                "`reduce(add, 0, [x, x])`: `sc` is a function on scalars, and this computes with arrays\n\
                 help: a function with an array among its parameters is a kernel, and may use all primitives",
            ),
        ],
    );
}

#[test]
fn every_independent_mistake_is_reported_once() {
    check(
        mistakes,
        &[
            (
                "fn f<const N: usize>(a: [f32; N]) -> f32 { let x = nothing; foo(a) + bar(x) }",
                "`nothing`: unknown name `nothing`\n\
                 help: an item sees its parameters and the other items; make it a parameter, or write the number\n`foo`: unknown function `foo`\n\
                 help: functions are those of the language, `|x| …`, and the items of this `lift!`\n\
                 `bar`: unknown function `bar`\nhelp: functions are those of the language, `|x| …`, and the items of this `lift!`",
            ),
            (
                "fn g(x: f32) -> f32 { x + true } fn f(a: [f32; 3]) -> [f32; 3] { map(g, a) >> map(|x| g(x) % true) }",
                "`true`: `+` takes a number, but this is `bool`\n\
                 help: `if c { 1 } else { 0 }` makes a number of it\n\
                 `true`: `%` takes a number, but this is `bool`\n\
                 help: `if c { 1 } else { 0 }` makes a number of it",
            ),
            (
                "|a: [f32; 8], b: [f32; 9]| zip(split(3, a), split(2, b)) >> map(mult)",
                "`split(3, a)`: `split(3)`: 3 does not divide the length 8\nhelp: 1, 2, 4 and 8 would\n\
                 `split(2, b)`: `split(2)`: 2 does not divide the length 9\nhelp: 1, 3 and 9 would",
            ),
        ],
    );
}

#[test]
fn functions_that_never_end_are_a_mistake() {
    for program in [
        "{ let g = |g| g(g); g(g) }",
        "{ let f = |g, x| map(|y| g(g, y), x); f(f, a) }",
        "{ let f = |g, x| reduceSeq(|acc, y| g(g, x), 0, x); f(f, a) }",
        "{ let f = |g, h| g(g, |x| h(h(x))); f(f, |x| x) }",
    ] {
        assert!(mistakes(program).contains("too large, or too deeply nested"), "{program}");
    }
}

/// Expressions made of the language's words, right or wrong.
fn expressions() -> impl Strategy<Value = String> {
    let atoms =
        "a|b|n|x|y|0|1|2|3|0.5|true|add|mult|id|sqrt|max|transpose|join|reverse|clamp|\\[1, 2, 3, 4\\]";
    atoms.prop_recursive(5, 24, 3, |inner| {
        let heads = "map|mapSeq|reduce|zip|split|join|transpose|gather|slide|pad|padConstant|get|toLocal|slide2|pad2|map2|tile|untile|add|f|scan|scanInclusive|iterate|scatter|concat|slice|len|at|atOr|head|last|generate|repeat|unzip|tuple|increase|increase2d|dotProduct|mapSeqUnroll|reduceSeqUnroll|reduceSeqPipelined|mapSeqSlide|tune";
        prop_oneof![
            (heads, prop::collection::vec(inner.clone(), 1..4))
                .prop_map(|(head, arguments)| format!("{head}({})", arguments.join(", "))),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left} >> {right})")),
            inner.clone().prop_map(|body| format!("(|x| {body})")),
            inner.clone().prop_map(|body| format!("(|x, y| {body})")),
            (inner.clone(), "[-+*/<]", inner.clone())
                .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
            (inner.clone(), inner.clone()).prop_map(|(value, body)| format!("{{ let f = {value}; {body} }}")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left}, {right})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(test, then, other)| format!("if {test} {{ {then} }} else {{ {other} }}")),
        ]
    })
}

proptest! {
    #[test]
    fn any_expression_is_typed_in_form_or_has_mistakes(text in expressions()) {
        if let Err(mistakes) = infer(&text) {
            prop_assert!(!mistakes.is_empty());
            for mistake in mistakes {
                prop_assert!(!mistake.message.contains("internal"), "{text}: {}", mistake.render());
            }
        }
    }
}

#[test]
fn elements_that_are_only_moved_may_be_rows() {
    check(
        signatures,
        &[
            ("reverse(a)", "(a: [T0..; len(a)]) -> [T0..; len(a)]"),
            ("transpose(a)", "(a: [[T0..; len(a, 1)]; len(a)]) -> [[T0..; len(a)]; len(a, 1)]"),
            (
                "zip(a, b) >> unzip",
                "(a: [T0..; len(a)], b: [T1..; len(a)]) -> ([T0..; len(a)], [T1..; len(a)])",
            ),
            (
                "map(|i| at(i, a), p)",
                "(a: [T0..; len(a)], p: [T1; len(p)]) -> [T0..; len(p)]\n\
                 `at` needs at least 1 element, and its input has `len(a)`",
            ),
        ],
    );
}

#[test]
fn elements_that_have_no_form_as_rows_are_numbers() {
    check(
        signatures,
        &[
            ("map(|x| x + x, a)", "(a: [T0; len(a)]) -> [T0; len(a)]"),
            ("map(|x| x == x, a)", "(a: [T0; len(a)]) -> [bool; len(a)]"),
            ("zip(a, b)", "(a: [T0; len(a)], b: [T1; len(a)]) -> [(T0, T1); len(a)]"),
            (
                "head(a)",
                "(a: [T0; len(a)]) -> T0\n`head` needs at least 1 element, and its input has `len(a)`",
            ),
            ("concat(a, [x])", "(a: [T0; len(a)], x: T0) -> [T0; len(a) + 1]"),
            ("mapGlb0(id, a)", "(a: [T0; len(a)]) -> [T0; len(a)]"),
        ],
    );
}
