//! Numbers and sizes: what a Rust variable is, what type a literal has, and sizes that are computed with.

use crate::support::{check, elaborated, mistakes, signatures};

#[test]
fn a_rust_variable_is_a_size_whatever_the_order_of_its_uses() {
    let orders = [
        [
            "{ let x = n as i64; let r = repeat(n, 1.0); (x, r) }",
            "{ let r = repeat(n, 1.0); let x = n as i64; (x, r) }",
        ],
        [
            "{ let x = n as f32; let r = repeat(n, 1.0); (x, r) }",
            "{ let r = repeat(n, 1.0); let x = n as f32; (x, r) }",
        ],
        [
            "{ let s = split(n, map(|x| x + n, a)); s }",
            "{ let c = split(n, a); join(c) >> map(|x| x + n) >> split(n) }",
        ],
        [
            "{ let y = n + 1; (repeat(n, 0.5), repeat(y, 0.5)) }",
            "{ let r = repeat(n, 0.5); let y = n + 1; (r, repeat(y, 0.5)) }",
        ],
        ["{ let y = n; (y as f32, at(n, a)) }", "{ let x = at(n, a); let y = n; (y as f32, x) }"],
        [
            "{ let f = |m| (m as f32, repeat(m, 0.5)); f(n) }",
            "{ let f = |m| { let r = repeat(m, 0.5); (m as f32, r) }; f(n) }",
        ],
    ];
    let parameters_of = |program: &str| {
        let signature = signatures(program);
        assert!(signature.contains("n: size"), "{program}: {signature}");
        let (parameters, result) = signature.split_once(" -> ").expect("it is typed");
        let mut parameters: Vec<String> =
            parameters.trim_matches(['(', ')']).split(", ").map(str::to_owned).collect();
        parameters.sort();
        (parameters, result.lines().next().map(str::to_owned))
    };
    for [one, other] in orders {
        assert_eq!(parameters_of(one), parameters_of(other), "{one} and {other}");
    }
    // Arithmetic on a variable that no other use makes a size.
    assert_eq!(signatures("{ let y = 2 * n + 1; repeat(y, 0.5) }"), "(n: size) -> [f32; 2 * n + 1]");
    check(
        mistakes,
        &[
            (
                "split(n, n)",
                "`n`: `split` needs an array, but this is `size`\nhelp: `split(m, xs)` has the type `size -> [A; m * k] -> [[A; m]; k]`",
            ),
            (
                "(map(|x| x * n, [0.5]), repeat(n, 1))",
                "`n`: `*` takes operands of one type, but this is a size, an integer\nhelp: a cast makes a float of it: `n as f32`",
            ),
        ],
    );
    check(elaborated, &[("repeat(n, n as f32)", "repeat[n]((size(n): size as f32))")]);
}

#[test]
fn functions_of_sizes_are_sizes_where_they_are_computed_with() {
    check(
        elaborated,
        &[
            ("|a: [i32; N]| map(|x| x + pow(N, 2), a)", "map(|x| (x + size(N * N): i32), a)"),
            (
                "|a: [f32; N]| map(|x| pow(2, N) as f32 * x, a)",
                "map(|x| ((size(pow(2, N)): size as f32) * x), a)",
            ),
            ("|a: [u64; N]| map(|x| x + log2(N), a)", "map(|x| (x + size(log2(N)): u64), a)"),
            ("|a: [i32; N]| map(|x| min(N, 3) + x, a)", "map(|x| (size(min(3, N)): i32 + x), a)"),
            ("|a: [i32; N]| map(|x| max(x, N), a)", "map(|x| max(x, size(N): i32), a)"),
            ("|a: [f32; N]| map(|x| pow(x, 2), a)", "map(|x| pow(x, 2f32), a)"),
        ],
    );
    check(
        signatures,
        &[
            (
                "|a: [i32; N]| map(|x| x + log2(N), a)",
                "(a: [i32; N]) -> [i32; N]\n`log2(N)` needs `N` to be positive",
            ),
            (
                "|a: [i32; N]| map(|x| x + pow(2, N - 5), a)",
                "(a: [i32; N]) -> [i32; N]\n`pow` needs `N - 5` not to be negative",
            ),
        ],
    );
    check(
        mistakes,
        &[(
            "|a: [f32; N]| map(|x| pow(x, N), a)",
            "`N`: `pow` takes operands of one type, but this is a size, an integer\nhelp: a cast makes a float of it: `n as f32`",
        )],
    );
}

#[test]
fn a_literal_that_nothing_types_is_an_integer_where_only_integers_surround_it() {
    let of = |element: &str, body: &str| format!("|a: [{element}; N]| {body}");
    let cases: &[(&str, &str, &str)] = &[
        // The type of the elements, the program, the type of its elements.
        ("i32", "a >> map(|x| at(x, [10, 20, 30]))", "i32"),
        ("u8", "a >> map(|x| at(x, [10, 20, 30]))", "i32"),
        ("i64", "a >> map(|x| at(x, [10, 20, 30]) as f32 / 3)", "f32"),
        ("i32", "{ let table = [10, 20, 30]; a >> map(|x| at(x, table)) }", "i32"),
        ("i32", "map(|_| 1, a)", "i32"),
        ("i32", "map(|x| if x > 0 { 1 } else { 0 }, a)", "i32"),
        ("i32", "a >> map(|x| at(x, [0.5, 1]))", "f32"),
        ("f32", "map(|_| 1, a)", "f32"),
        ("f32", "map(|x| if x > 0 { 1 } else { 0 }, a)", "f32"),
        ("f32", "map(|x| 2 * x, a)", "f32"),
        ("i32", "map(|x| x as f32 * (1 / 2), a)", "f32"),
        ("i32", "map(|_| (1 / 2) as f32, a)", "f32"),
        ("bool", "map(|x| if x { 1 } else { 0 }, a)", "i32"),
    ];
    for (element, body, expected) in cases {
        let program = of(element, body);
        assert_eq!(signatures(&program), format!("(a: [{element}; N]) -> [{expected}; N]"), "{program}");
    }
    check(
        elaborated,
        &[
            ("|a: [f32; N]| reduce(add, 0, a)", "reduce(|acc, x| (acc + x), 0f32, a)"),
            ("reduce(add, 0, a)", "reduce(|acc, x| (acc + x), 0T0, a)"),
            ("map(|x| x * 2, a)", "map(|x| (x * 2T0), a)"),
            // What the argument is decides, and it may be a float.
            ("map(|x| if x > 0 { 1 } else { 0 }, a)", "map(|x| if (x > 0T0) { 1f32 } else { 0f32 }, a)"),
            (
                "map(|x| if x % 2 == 0 { at(x, [7, 8]) } else { 0 }, a)",
                "map(|x| if ((x % 2T0) == 0T0) { at(x, [7i32, 8i32]) } else { 0i32 }, a)",
            ),
            ("[1, 2]", "[1i32, 2i32]"),
            // Integers beside floats elsewhere: the smallest expression around decides.
            (
                "|a: [i32; 2], b: [f32; 2]| (a >> map(|x| at(x, [1, 2])), b)",
                "(map(|x| at(x, [1i32, 2i32]), a), b)",
            ),
        ],
    );
    let too_large = mistakes("|a: [i32; N]| a >> map(|x| at(x, [1, 3000000000]))");
    assert!(too_large.contains("the literal 3000000000 does not fit `i32`"), "{too_large}");
}

/// Each receiver is elaborated once: a chain of methods takes no more than the sum of its parts.
#[test]
fn long_chains_of_methods_are_typed() {
    let chain = ".wrapping_mul(2654435761).rotate_left(13).wrapping_add(x)".repeat(30);
    assert_eq!(mistakes(&format!("|a: [u32; N]| a >> map(|x| x{chain})")), "");
}
