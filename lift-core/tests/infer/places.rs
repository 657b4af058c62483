//! Fields of Rust variables in expressions and closures.

use crate::support::{check, elaborated, mistakes, signatures};

#[test]
fn a_place_is_an_argument_with_a_readable_name() {
    check(
        signatures,
        &[
            ("map(|x| x * self.k, self.a)", "(self_k: T0, self_a: [T0; len(self_a)]) -> [T0; len(self_a)]"),
            ("map(|x| x * v.k + v.k, a)", "(v_k: T0, a: [T0; len(a)]) -> [T0; len(a)]"),
            ("map(|x| x * v.0 + self.1, a)", "(v_0: T0, self_1: T0, a: [T0; len(a)]) -> [T0; len(a)]"),
            ("map(|x| x * p.inner.0.k, a)", "(p_inner_0_k: T0, a: [T0; len(a)]) -> [T0; len(a)]"),
            // Something else has the name.
            ("map(|v_k| v_k * v.k, a)", "(v_k_: T0, a: [T0; len(a)]) -> [T0; len(a)]"),
            ("a.b_c + a_b.c + a_b_c", "(a_b_c_: T0, a_b_c__: T0, a_b_c: T0) -> T0"),
            // What stands somewhere by itself is passed as a whole.
            ("{ let (x, _) = v; x * v.1 }", "(v: (T0, T0)) -> T0"),
            ("len(self.rows.to)", "(self_rows_to: [T0..; len(self_rows_to)]) -> u64"),
            // The fields that are needed as sizes are sizes.
            (
                "split(self.n, a)",
                "(self_n: size, a: [T0..; len(a)]) -> [[T0..; self_n]; len(a) / self_n]\n`split(self_n)` needs `self_n` to divide `len(a)`",
            ),
            (
                "at(v.0, a) + v.0",
                "(v_0: size, a: [T0; len(a)]) -> T0\n`at(v_0)` needs at least `v_0 + 1` elements, and its input has `len(a)`",
            ),
            (
                "|a: [f32; self.n]| map(|x| x * self.k, a)",
                "(a: [f32; self_n], self_n: size, self_k: f32) -> [f32; self_n]",
            ),
        ],
    );
}

#[test]
fn fields_of_anything_else_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "map(|p| p.x, points)",
                "`x`: `.x` is no component of a tuple\nhelp: components are `.0`, `.1`, …; a method needs its `()`",
            ),
            (
                "{ let x = self.k; x.y }",
                "`y`: `.y` is no component of a tuple\nhelp: components are `.0`, `.1`, …; a method needs its `()`",
            ),
            (
                "fn f(x: f32) -> f32 { x * params.k }",
                "`params`: unknown name `params`\n\
                 help: an item sees its parameters and the other items; make it a parameter, or write the number",
            ),
            ("map(self.f, points)", "`self.f`: a function is needed here, but this is `_`"),
        ],
    );
    assert_eq!(elaborated("map(|x| -self.k * x, a)"), "map(|x| (Negate(self_k) * x), a)");
}
