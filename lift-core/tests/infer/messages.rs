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
    "chunks_exact",
    "sorted",
    "sort_by_key",
    "compress",
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
    "powf",
    "ln",
    "signum",
    "recip",
    "mul_add",
    "fract",
    "is_nan",
    "isfinite",
    "isinf",
    "round_ties_even",
    "gamma",
    "ln_gamma",
    "pown",
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
    "exp_m1",
    "ln_1p",
    "sin_cos",
    "to_radians",
    "to_degrees",
    "abs_diff",
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
        let message = mistakes(&format!("fn k<const N: usize>(xs: [f32; N]) -> f32 {{ {name}(xs) }}"));
        let start = format!("`{name}` is written `");
        let written = message.split_once(&start).and_then(|(_, rest)| rest.split_once('`'));
        let Some((written, _)) = written else { panic!("nothing is recommended for `{name}`: {message}") };
        let program = in_context(written);
        assert!(infer(&program).is_ok(), "`{written}`: {}", mistakes(&program));
    }
}

#[test]
fn what_is_recommended_for_a_shift_names_what_is_written() {
    let help = |body: &str| {
        let message =
            mistakes(&format!("fn k<const N: usize>(x: u32, k: [u32; N]) -> [u32; N] {{ {body} }}"));
        message.lines().nth(1).unwrap_or_default().to_owned()
    };
    check(
        help,
        &[
            ("map(|y| y >> 3, k)", "help: write `shr(y, 3)`"),
            ("map(|y| y >> x, k)", "help: write `shr(y, x)`"),
            ("map(|y| (x + y) >> y, k)", "help: write `shr(x + y, y)`"),
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
            ("a >> pad(1, 1) >> head", "`pad(1, 1)`: `pad` lacks an argument: `b` of `pad(l, r, b, xs)`"),
            (
                "a >> pad(1, clamp) >> head",
                "`pad(1, clamp)`: `pad` lacks an argument: `r` of `pad(l, r, b, xs)`",
            ),
            ("pad(1, 1, a) >> head", "`pad(1, 1, a)`: `pad` lacks an argument: `b` of `pad(l, r, b, xs)`"),
            (
                "a >> padConstant(1, 1) >> head",
                "`padConstant(1, 1)`: `padConstant` lacks an argument: `v` of `padConstant(l, r, v, xs)`",
            ),
            (
                "a >> slide(3) >> join >> head",
                "`slide(3)`: `slide` lacks an argument: `step` of `slide(size, step, xs)`",
            ),
            ("a >> slide >> join >> head", "`slide`: `slide` takes 3 arguments, and is given 1"),
            (
                "a >> iterate(|x| x) >> head",
                "`iterate(|x| x)`: `iterate` lacks an argument: `m` of `iterate(m, f, xs)`",
            ),
            (
                "a >> iterate(3) >> head",
                "`iterate(3)`: `iterate` lacks an argument: `f` of `iterate(m, f, xs)`",
            ),
            ("a >> reduce(add)", "`reduce(add)`: `reduce` lacks an argument: `z` of `reduce(f, z, xs)`"),
            ("a >> reduce(0)", "`reduce(0)`: `reduce` lacks an argument: `f` of `reduce(f, z, xs)`"),
            (
                "rows >> map(reduce(add)) >> head",
                "`reduce(add)`: `reduce` lacks an argument: `z` of `reduce(f, z, xs)`",
            ),
            ("a >> at(0, rows)", "`at(0, rows)`: a function is needed here, but this is `[f32; N]`"),
            (
                "a >> reduce(0, add)",
                "`reduce(0, add)`: the arguments of `reduce` are in another order than in `reduce(f, z, xs)`",
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

/// A program with a mistake, a part of what it gets, and the program that follows the advice.
struct Advice {
    wrong: &'static str,
    said: &'static str,
    right: &'static str,
}

const ADVICE: &[Advice] = &[
    Advice {
        wrong: "fn f<const N: usize>(xs: [f32; N], p: [u32; N]) -> [f32; N] { xs >> scatter(|i| at(i, p)) }",
        said: "help: nothing is written at positions that are data; `map(|i| at(i, xs), q)` reads at those of `q`",
        right: "fn f<const N: usize>(xs: [f32; N], q: [u32; N]) -> [f32; N] { map(|i| at(i, xs), q) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [u8; N]) -> u32 { reduce(add, 0, a) }",
        said: "help: `map(|x| x as u32)` converts the elements before they are combined",
        right: "fn f<const N: usize>(a: [u8; N]) -> u32 { a >> map(|x| x as u32) >> reduce(add, 0) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [[u8; 4]; N]) -> [u32; N] { a >> map(scanInclusive(add) >> last) }",
        said: "help: `map(|x| x as u32)` converts the elements before they are combined",
        right: "fn f<const N: usize>(a: [[u8; 4]; N]) -> [u32; N] { a >> map(map(|x| x as u32) >> scanInclusive(add) >> last) }",
    },
    // What is not combined is converted as it is.
    Advice {
        wrong: "fn f<const N: usize>(a: [u8; N]) -> [u32; N] { map(|x| x + 1, a) }",
        said: "help: `as u32` converts a number",
        right: "fn f<const N: usize>(a: [u8; N]) -> [u32; N] { map(|x| (x + 1) as u32, a) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f32; N]) -> [f32; N - R + 1] { a >> slide(R, 1) >> map(reduce(add, 0)) }",
        said: "`R`: unknown size `R`\nhelp: make it a parameter, `R: size`, or a constant of this `lift!`, `const R: usize = …;`",
        right: "fn f<const N: usize>(R: size, a: [f32; N]) -> [f32; N - R + 1] { a >> slide(R, 1) >> map(reduce(add, 0)) }",
    },
    Advice {
        wrong: "fn f(a: [f32; N]) -> f32 { a >> reduce(add, 0) }",
        said: "help: declare it: `<const N: usize>` after the function's name",
        right: "fn f<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(add, 0) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { map(|x| x * alpha, a) }",
        said: "`alpha`: unknown name `alpha`\nhelp: an item sees its parameters and the other items; make it a parameter",
        right: "fn f<const N: usize>(alpha: f32, a: [f32; N]) -> [f32; N] { map(|x| x * alpha, a) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f64; N]) -> [f64; N] { map(|x| x * PI, a) }",
        said: "`PI` is written `3.141592653589793`",
        right: "fn f<const N: usize>(a: [f64; N]) -> [f64; N] { map(|x| x * 3.141592653589793, a) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(n: i32, a: [f32; N]) -> [[f32; n]; N / n] { a >> split(n) }",
        said: "help: make the parameter a size: `n: size`",
        right: "fn f<const N: usize>(n: size, a: [f32; N]) -> [[f32; n]; N / n] { a >> split(n) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> slide(3, 1) >> map(reduce(add, 0)) }",
        said: "help: `pad(1, 1, clamp)` before `slide` makes as many windows as the array has elements",
        right: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0)) }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> slide(4, 1) >> map(reduce(add, 0)) }",
        said: "help: `pad(1, 2, clamp)` before `slide`",
        right: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> pad(1, 2, clamp) >> slide(4, 1) >> map(reduce(add, 0)) }",
    },
    Advice {
        wrong: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> slide2(3, 1) >> map2(join >> reduce(add, 0)) }",
        said: "help: `pad2(1, 1, clamp)` before `slide2`",
        right: "fn f<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] { a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(join >> reduce(add, 0)) }",
    },
    Advice {
        wrong: "|a: [f32; N]| map(|x| { let k = 3; k.rotate_left(5) as f32 + x }, a)",
        said: "help: write `rotl(x, k)`",
        right: "|a: [f32; N]| map(|x| { let k = 3; rotl(k, 5) as f32 + x }, a)",
    },
    Advice {
        wrong: "|a: [f32; N]| map(|x| { let k = 3; k.wrapping_add(5) as f32 + x }, a)",
        said: "help: write `x + y`",
        right: "|a: [f32; N]| map(|x| { let k = 3; (k + 5) as f32 + x }, a)",
    },
    // Of an array, the method is another one.
    Advice {
        wrong: "|a: [u64; N]| a.rotate_left(5)",
        said: "help: `rotate_left` is written `gather(rotate(n), xs)`",
        right: "|a: [u64; N]| gather(rotate(5), a)",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f32; N]) -> f32 { reduce(max, f32::MINIMUM, a) }",
        said: "`f32::MINIMUM`: there is no constant `f32::MINIMUM`\nhelp: `f32` has MIN, MAX, ",
        right: "fn f<const N: usize>(a: [f32; N]) -> f32 { reduce(max, f32::MIN, a) }",
    },
    Advice {
        wrong: "|a: [f64; N]| map(|x| x / consts::PI, a)",
        said: "help: there is a similar name: `std::f32::consts::PI`",
        right: "|a: [f64; N]| map(|x| x / std::f64::consts::PI, a)",
    },
    Advice {
        wrong: "|a: [f32; N]| map(|x| f32::max(x, 0), a)",
        said: "functions have no paths here, and so there is no `f32::max`\nhelp: write `max`",
        right: "|a: [f32; N]| map(|x| max(x, 0), a)",
    },
    Advice {
        wrong: "fn f(x: f32) -> f32 { config::FACTOR * x }",
        said: "declare any other inside of `lift!`, `const FACTOR: f32 = …;`",
        right: "const FACTOR: f32 = 2; fn f(x: f32) -> f32 { FACTOR * x }",
    },
    Advice {
        wrong: "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { map(|x| x * self.k, a) }",
        said: "`self`: a function of `lift!` has no `self`\nhelp: make the field a parameter; in an expression",
        right: "map(|x| x * self.k, a)",
    },
    Advice {
        wrong: "{ let s = 1; while s < 3 { s += 1; } s }",
        said: "`while`: there are no loops\nhelp: `iterate(n, f, xs)` applies a function `n` times to an array",
        right: "|xs: [f32; 4], z: f32| (iterate(3, map(|x| 2 * x), xs), reduceSeq(|s, x| if s < 3 { s + x } else { s }, z, xs))",
    },
    // A Rust variable is a size in all its uses, so that this is right.
    Advice { wrong: "at(0, [x]) + at(x, [1.5])", said: "", right: "at(0, [x]) + at(x, [1, 2])" },
];

#[test]
fn advice_leads_to_what_was_meant() {
    for Advice { wrong, said, right } in ADVICE {
        let message = mistakes(wrong);
        assert!(!message.is_empty() && message.contains(said), "{wrong}: {message}");
        assert!(infer(right).is_ok(), "{right}: {}", mistakes(right));
    }
}

#[test]
fn a_parameter_that_is_no_size_gets_one_message() {
    let message =
        mistakes("fn f<const N: usize>(n: i32, a: [f32; N]) -> [[f32; n]; N / n] { a >> split(n) }");
    assert_eq!(message.matches("a size is needed here").count(), 1, "{message}");
}

#[test]
fn an_accumulator_without_a_memory_is_advised_what_has_one() {
    let program = |array: &str, body: &str, result: &str| {
        let sizes = if array == "D" { "const N: usize, const D: usize" } else { "const N: usize" };
        format!("fn f<{sizes}>(a: [[f32; {array}]; N]) -> {result} {{ {body} }}")
    };
    let compiled = |text: &str| {
        let programs = infer(text).unwrap_or_else(|_| panic!("{}", mistakes(text)));
        programs.iter().try_for_each(|program| lift_core::compile(program).map(drop))
    };
    let both = |length: &str| {
        format!(
            "a >> reduceSeq(|s, x| (zip(s.0, x) >> map(add) >> toPrivate(id), s.1 + 1), (repeat({length}, 0), 0))"
        )
    };
    let messages = compiled(&program("D", &both("D"), "([f32; D], f32)")).expect_err("its length is unknown");
    let help = messages.iter().filter_map(|message| message.help.as_deref()).collect::<String>();
    assert!(help.contains("make the length of the array in the accumulator a number"), "{help}");
    assert!(help.contains("a reduction each"), "{help}");
    let each =
        "(a >> reduceSeq(|s, x| zip(s, x) >> map(add), repeat(D, 0)), a >> reduceSeq(|s, x| s + 1, 0))";
    for right in [program("4", &both("4"), "([f32; 4], f32)"), program("D", each, "([f32; D], f32)")] {
        assert_eq!(compiled(&right), Ok(()), "{right}");
    }
}

#[test]
fn a_mistake_in_a_pipeline_is_underlined_where_the_call_is() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; 12]|
                     a
                         >> map(|x| x + 1)
                         >> split(3)
                         >> join
                         >> asVector(8)",
                "`asVector(8)`: `asVector(8)`: 8 does not divide the length 12\nnote: what reaches it is `[f32; 12]`, from `join`\n\
                 help: 2 and 4 would; `padConstant` makes an array longer",
            ),
            (
                "|a: [f32; 8]| a >> slide(3, 1) >> sqrt",
                "`sqrt`: `sqrt` takes a floating-point number, but what reaches it is `[[f32; 3]; 6]`\n\
                 note: it comes from `slide(3, 1)`\n\
                 help: `map2` applies a function to every element of an array",
            ),
            (
                "|a: [f32; 8]| a >> reduce(add, 0) >> split(2)",
                "`split(2)`: `split` needs an array, but what reaches it is `f32`\nnote: it comes from `reduce(add, 0)`\n\
                 help: `split(m, xs)` has the type `size -> [A; m * k] -> [[A; m]; k]`",
            ),
            // A composition; each of its parts is a call.
            (
                "|a: [[f32; 8]; 2]| a >> map(slide(3, 1) >> map(reduce(add, 0)) >> split(4))",
                "`split(4)`: `split(4)`: 4 does not divide the length 6\nnote: what reaches it is `[f32; 6]`, from `map(…)`\n\
                 help: 1, 2, 3 and 6 would",
            ),
            // What a function is given by name stands beside it.
            ("|a: [f32; 8]| a >> split(3)", "`split(3)`: `split(3)`: 3 does not divide the length 8\nhelp: 1, 2, 4 and 8 would"),
            // An item.
            (
                "fn halves<const N: usize>(a: [f32; N]) -> [f32; N / 2] { a >> split(2) >> map(reduce(add, 0)) }
                 fn f(a: [f32; 8]) -> [f32; 3] { a >> slide(2, 1) >> map(head) >> halves }",
                "`halves`: in this call of `halves`: `split(2)`: 2 does not divide the length 7\n\
                 note: what reaches it is `[f32; 7]`, from `map(head)`\nhelp: 1 and 7 would",
            ),
            (
                "fn f(a: [f32; 8]) -> [f32; 3] { a >> slide(2, 1) >> map(head) >> split(7) >> map(reduce(add, 0)) }",
                "`map(reduce(add, 0))`: the declared result of `f` is `[f32; 3]`, but its body gives `[f32; 1]`: the length 1 is not 3",
            ),
        ],
    );
}
