//! Patterns that take arrays apart: elements of one variable, and lengths that they state.

use crate::support::{check, elaborated, mistakes, signatures};

#[test]
fn the_names_of_a_pattern_are_elements() {
    check(
        elaborated,
        &[
            (
                "map(|[x, _, y]| x + y, slide(3, 1, a))",
                "map(|x| let x = at[0](x); let y = at[2](x); (x + y), slide[3, 1](a))",
            ),
            // Nested patterns are elements of one variable.
            (
                "map(|[[_, n, _], [w, _, e]]| n + w * e, a)",
                "map(|x| let n = at[1](at[0](x)); let w = at[0](at[1](x)); let e = at[2](at[1](x)); (n + (w * e)), a)",
            ),
            (
                "map(|[(x, i), (y, _)]| x * i + y, split(2, zip(a, b)))",
                "map(|x| let tuple = at[0](x); let tuple = at[1](x); ((tuple.0 * tuple.1) + tuple.0), split[2](zip(a, b)))",
            ),
            (
                "map(|([x, y], z): ([f32; 2], f32)| x + y + z, zip(split(2, a), b))",
                "map(|x| let x = at[0](x.0); let y = at[1](x.0); ((x + y) + x.1), zip(split[2](a), b))",
            ),
            (
                "{ let [first, second] = split(n, a); zip(first, second) }",
                "let elements = split[n](a); let first = at[0](elements); let second = at[1](elements); zip(first, second)",
            ),
            // Nothing makes an array of what is taken apart again.
            (
                "{ let [x, y]: [f32; 2] = [at(0, a), at(1, a)]; x + y }",
                "let x = at[0](a); let y = at[1](a); (x + y)",
            ),
            (
                "reduce(|s, [x, y]| s + x * y, 0, split(2, a))",
                "reduce(|s, x| let x = at[0](x); let y = at[1](x); (s + (x * y)), 0T0, split[2](a))",
            ),
        ],
    );
}

#[test]
fn a_pattern_states_a_length() {
    check(
        signatures,
        &[
            ("{ let [x, y] = a; x + y }", "(a: [T0; 2]) -> T0"),
            ("map(|[x, y]| x + y, a)", "(a: [[T0; 2]; len(a)]) -> [T0; len(a)]"),
            (
                "map(|[x, y]| x + y, slide(n, 1, a))",
                "(n: size, a: [T0; len(a)]) -> [T0; len(a) - 1]\n\
                 `slide(n, 1)` needs at least `n` elements, and its input has `len(a)`\n\
                 `[x, y]` needs `n` to equal 2",
            ),
            (
                "fn f<const N: usize>(a: [i => [f32; i + 1]; N]) -> f32 where N == 2 { let [[x], [y, z]] = a; x + y + z }",
                "(a: [i => [f32; i + 1]; N]) -> f32\n`f` is only for `N == 2`",
            ),
        ],
    );
}

#[test]
fn a_pattern_of_another_length_or_type_is_a_mistake() {
    check(
        mistakes,
        &[
            (
                "map2(|[[_, n, _], [w, c], [_, s, _]]| n + w + c + s, slide2(3, 1, m))",
                "`[w, c]`: this pattern takes an array of 2 elements, but the value is `[_; 3]`: the length 3 is not 2",
            ),
            (
                "fn f<const N: usize>(a: [f32; N]) -> f32 { let [x, y] = a; x + y }",
                "`[x, y]`: this pattern takes an array of 2 elements, but the value is `[f32; N]`: the length `N` is not 2\n\
                 help: add `where N == 2`",
            ),
            (
                "fn f(x: f32) -> f32 { let [a, b] = x; a + b }",
                "`[a, b]`: this pattern takes an array of 2 elements, but the value is `f32`",
            ),
            ("gather(|[i]| i, a)", "`[i]`: a position is one number, and cannot be taken apart"),
            (
                "{ let [] = xs; 1 }",
                "`[]`: a pattern of an array has at least one element\nhelp: `_` takes an array of any length",
            ),
        ],
    );
}
