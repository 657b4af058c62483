//! Messages that recommend something: what they recommend works.

use crate::support::{check, infer, mistakes};

/// Names from Rust's iterators and slices, from `f32` and from NumPy that have a counterpart.
const NAMES: &[&str] = &[
    "sum",
    "product",
    "prod",
    "fold",
    "maximum",
    "minimum",
    "any",
    "all",
    "rev",
    "flip",
    "windows",
    "chunks",
    "chunks_exact",
    "enumerate",
    "arange",
    "zeros",
    "flatten",
    "flat_map",
    "take",
    "skip",
    "step_by",
    "first",
    "nth",
    "is_empty",
    "chain",
    "for_each",
    "mapv",
    "cumsum",
    "rotate_left",
    "roll",
    "matvec",
    "powi",
    "powf",
    "ln",
    "signum",
    "recip",
    "mul_add",
    "hypot",
    "fract",
    "is_nan",
    "square",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "fabs",
    "fmin",
    "fmax",
    "inf",
    "nan",
    "mean",
    "norm",
    "matmul",
    "swapaxes",
    "clip",
];

/// Where the names that help lines use mean what their letters say.
fn in_context(expression: &str) -> String {
    format!(
        "|xs: [f32; N], ys: [f32; N], xss: [[f32; N]; M], yss: [[f32; M]; N], x: f32, y: f32, n: size| {{
             let f = |x| x;
             let op = |a, b| a + 2 * b;
             let c = |x| x > 0;
             {expression}
         }}"
    )
}

#[test]
fn what_is_recommended_for_a_name_from_elsewhere_compiles() {
    for name in NAMES {
        let message = mistakes(&format!("fn k<const N: usize>(xs: [f32; N]) -> f32 {{ xs.{name}() }}"));
        let start = format!("`{name}` is written `");
        let written = message.split_once(&start).and_then(|(_, rest)| rest.split_once('`'));
        let Some((written, _)) = written else { panic!("nothing is recommended for `{name}`: {message}") };
        let program = in_context(written);
        assert!(infer(&program).is_ok(), "`{written}`: {}", mistakes(&program));
    }
}

#[test]
fn what_is_recommended_for_a_bitwise_operator_compiles() {
    check(
        |program| infer(program).err().map(|_| mistakes(program)).unwrap_or_default(),
        &[
            ("|x: [u32; N]| map(|x| x % 16, x)", ""),
            ("|x: [u32; N]| map(|x| x * 8, x)", ""),
            ("|x: [u32; N]| map(|x| x / 8, x)", ""),
            ("|x: [u32; N]| map(|x| 4294967295 - x, x)", ""),
            ("|x: [u64; N]| map(|x| 18446744073709551615 - x, x)", ""),
            ("|x: [u8; N]| map(|x| 255 - x, x)", ""),
            ("|x: [i8; N]| map(|x| -1 - x, x)", ""),
            ("|a: [bool; N], b: [bool; N]| zip(a, b) >> map(|a, b| a != b)", ""),
        ],
    );
}

/// The first line that a body gets.
fn first_mistake(body: &str) -> String {
    let program =
        format!("fn k<const N: usize>(a: [f32; N], rows: [[f32; N]; N], x: f32) -> f32 {{ {body} }}");
    mistakes(&program).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn what_is_missing_follows_from_what_is_given() {
    check(
        first_mistake,
        &[
            (
                "a >> pad(1, 1) >> head",
                "`a >> pad(1, 1)`: `pad` lacks an argument: `b` of `pad(l, r, b, xs)`",
            ),
            (
                "a >> pad(1, clamp) >> head",
                "`a >> pad(1, clamp)`: `pad` lacks an argument: `r` of `pad(l, r, b, xs)`",
            ),
            ("pad(1, 1, a) >> head", "`pad(1, 1, a)`: `pad` lacks an argument: `b` of `pad(l, r, b, xs)`"),
            (
                "a >> padConstant(1, 1) >> head",
                "`a >> padConstant(1, 1)`: `padConstant` lacks an argument: `v` of `padConstant(l, r, v, xs)`",
            ),
            (
                "a >> slide(3) >> join >> head",
                "`a >> slide(3)`: `slide` lacks an argument: `step` of `slide(size, step, xs)`",
            ),
            ("a >> slide >> join >> head", "`a >> slide`: `slide` takes 3 arguments, and is given 1"),
            (
                "a >> iterate(|x| x) >> head",
                "`a >> iterate(|x| x)`: `iterate` lacks an argument: `m` of `iterate(m, f, xs)`",
            ),
            (
                "a >> iterate(3) >> head",
                "`a >> iterate(3)`: `iterate` lacks an argument: `f` of `iterate(m, f, xs)`",
            ),
            ("a >> reduce(add)", "`a >> reduce(add)`: `reduce` lacks an argument: `z` of `reduce(f, z, xs)`"),
            ("a >> reduce(0)", "`a >> reduce(0)`: `reduce` lacks an argument: `f` of `reduce(f, z, xs)`"),
            (
                "rows >> map(reduce(add)) >> head",
                "`reduce(add)`: `reduce` lacks an argument: `z` of `reduce(f, z, xs)`",
            ),
            ("a >> at(0, rows)", "`at(0, rows)`: a function is needed here, but this is `[f32; N]`"),
            (
                "a >> reduce(0, add)",
                "`a >> reduce(0, add)`: the arguments of `reduce` are in another order than in `reduce(f, z, xs)`",
            ),
            ("at(a, 0)", "`at(a, 0)`: the arguments of `at` are in another order than in `at(i, xs)`"),
            (
                "reduce(|a, b| a, a)",
                "`reduce(|a, b| a, a)`: `reduce` lacks an argument: `z` of `reduce(f, z, xs)`",
            ),
            ("map(|x| x)", "`map(|x| x)`: `map` takes 2 arguments, and is given 1"),
            (
                "slide(3, 1) >> join >> head",
                "`slide(3, 1) >> join >> head`: this composition is a function, and a value is needed here",
            ),
        ],
    );
}

#[test]
fn positions_that_are_data_are_no_sizes() {
    let gathered = |positions: &str| {
        let text = format!(
            "fn k<const N: usize>(a: [f32; N], p: [u32; N]) -> [f32; N] {{ a >> gather({positions}) }}"
        );
        mistakes(&text)
    };
    for positions in ["|i| at(i, p)", "|i| p >> at(i)"] {
        let message = gathered(positions);
        assert!(message.contains("this is an element of `p`, which is data"), "{message}");
        assert!(message.contains("`map(|i| at(i, xs), p)`"), "{message}");
    }
    // One mistake, one message: the arguments are not looked at as sizes.
    let message = gathered("|i| reduce(add, 0, p)");
    assert!(message.contains("this is a value of type `u32`, and a size is needed here"), "{message}");
    assert_eq!(message.matches("needed here").count(), 1, "{message}");
    assert!(!message.contains("unknown"), "{message}");
}

#[test]
fn an_array_is_not_taken_apart_by_a_lambda() {
    let message = mistakes(
        "fn k<const N: usize>(a: [f32; N]) -> f32 { a >> slide(2, 1) >> map(|x, y| y - x) >> head }",
    );
    assert!(message.contains("`at(0, xs)` is the first element of an array"), "{message}");
}

#[test]
fn a_literal_that_would_be_infinite_does_not_fit() {
    let literal = |scalar: &str, literal: &str| {
        mistakes(&format!(
            "fn k<const N: usize>(a: [{scalar}; N]) -> [{scalar}; N] {{ a >> map(|x| x - {literal}) }}"
        ))
    };
    let message = literal("f32", "3.5e38");
    assert!(
        message
            .contains("the literal 3.5e38 does not fit `f32`\nhelp: `f32` holds numbers up to 3.4028235e38"),
        "{message}"
    );
    assert!(literal("f64", "1e400").contains("does not fit `f64`"));
    assert!(literal("f16", "65520").contains("does not fit `f16`\nhelp: `f16` holds numbers up to 65504"));
    for (scalar, text) in [("f16", "65519"), ("f32", "3.4028235e38"), ("f32", "1e-60"), ("f64", "1e300")] {
        let program = format!("|a: [{scalar}; N]| map(|x| x - {text}, a)");
        assert!(infer(&program).is_ok(), "{}", mistakes(&program));
    }
}

#[test]
fn help_for_matrices_reaches_their_elements() {
    let matrix = |body: &str| {
        mistakes(&format!("fn k<const N: usize>(a: [[f32; N]; N]) -> [[f32; N]; N] {{ {body} }}"))
    };
    assert!(matrix("a + a").contains("`zip2(a, b) >> map2(|x, y| x + y)`"), "{}", matrix("a + a"));
    assert!(matrix("2 * a").contains("`map2` applies"), "{}", matrix("2 * a"));
}
