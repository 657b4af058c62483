//! Element types that items declare: what is known of them, and what a bound does not give.

use lift_core::ir::scalar::ScalarClass;

use crate::support::{check, infer, mistakes, signatures};

#[test]
fn a_declared_type_keeps_its_bound() {
    for (bound, class) in [
        ("Number", ScalarClass::Number),
        ("Float", ScalarClass::Float),
        ("lift::Integer", ScalarClass::Integer),
        ("Element", ScalarClass::Any),
        ("Number + Float", ScalarClass::Float),
        ("Element + Number", ScalarClass::Number),
    ] {
        let text = format!("fn f<T: {bound}, const N: usize>(a: [T; N]) -> [T; N] {{ reverse(a) }}");
        let programs = infer(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let classes: Vec<ScalarClass> =
            programs.iter().flat_map(|program| &program.type_parameters).map(|found| found.class).collect();
        assert_eq!(classes, [class], "{text}");
    }
}

#[test]
fn declared_types_are_those_of_the_arguments() {
    check(
        signatures,
        &[
            (
                "fn axpy<T: Float, const N: usize>(k: T, x: [T; N], y: [T; N]) -> [T; N] { zip(x, y) >> map(|x, y| k * x + y) }",
                "(k: T0, x: [T0; N], y: [T0; N]) -> [T0; N]",
            ),
            (
                "fn f<T, U, const N: usize>(a: [T; N], b: [U; N]) -> [(U, T); N] where N % 2 == 0, T: Number, U: Element { zip(b, a) }",
                "(a: [T0; N], b: [T1; N]) -> [(T1, T0); N]\n`f` is only for `N % 2 == 0`",
            ),
            (
                "fn f<T: Float, const N: usize>(a: [T; N]) -> T { reduce(add, 0.5, map(|x: T| x / 3 + (N as T), a)) }",
                "(a: [T0; N]) -> T0",
            ),
            // A call says what the types of the callee are.
            (
                "fn square<T: Number>(x: T) -> T { x * x }\n\
                 fn f<T: Integer, const N: usize>(a: [T; N]) -> [T; N] { map(|x| square(x) & 3, a) }\n\
                 fn g<const N: usize>(a: [f64; N]) -> [f64; N] { map(square, a) }",
                "(a: [T0; N]) -> [T0; N]\n(a: [f64; N]) -> [f64; N]",
            ),
        ],
    );
}

#[test]
fn what_a_bound_does_not_give_names_the_bound_that_does() {
    check(
        mistakes,
        &[
            (
                "fn f<T: Number>(x: T) -> T { sqrt(x) }",
                "`x`: `sqrt` takes a floating-point number, but this is `T`\nhelp: write the bound `T: Float`",
            ),
            (
                "fn f<T: Number>(x: T) -> T { x & 3 }",
                "`x`: `&` takes an integer or a truth value, but this is `T`\nhelp: write the bound `T: Integer`",
            ),
            (
                "fn f<T: Element>(x: T, y: T) -> T { if x < y { x } else { y } }",
                "`x`: `<` takes a number, but this is `T`\nhelp: write the bound `T: Number`",
            ),
            (
                "fn f<T: Number>(x: T) -> T { x * 0.5 }",
                "`x * 0.5`: `*` takes operands of one type, but they are `T` and a floating-point number\nhelp: write the bound `T: Float`",
            ),
            (
                "fn f<T: Number, const N: usize>(a: [T; N]) -> T { reduce(add, 0.5, a) }",
                "`add`: `+` takes operands of one type, but they are a floating-point number and `T`\nhelp: write the bound `T: Float`",
            ),
            (
                "fn g<T: Float>(x: T) -> T { sqrt(x) } fn f<T: Number>(x: T) -> T { g(x) }",
                "`x`: the parameter `x` of `g` is a floating-point number, but this is `T`\nhelp: write the bound `T: Float`",
            ),
            (
                "fn f<T: Integer>(x: T) -> T { sqrt(x) }",
                "`x`: `sqrt` takes a floating-point number, but this is `T`\nhelp: `as f32` converts a number",
            ),
            (
                "fn f<T: Number, U: Number>(x: T, y: U) -> T { x * y }",
                "`x * y`: `*` takes operands of one type, but they are `T` and `U`\nhelp: `x as T` converts between number types",
            ),
            (
                "fn f<T: Number>(x: T) -> f32 { x }",
                "`x`: the declared result of `f` is `f32`, but its body gives `T`\nhelp: `as f32` converts a number",
            ),
            (
                "fn f<T: Number>(x: T, y: f32) -> T { y as T + x }",
                "`y as T`: `as T` converts floats only if `T` is a float\nhelp: write the bound `T: Float`, or convert to an integer first: `x as i32 as T`",
            ),
            (
                "fn f<T: Element>(x: T, y: i32) -> T { y as T }",
                "`y as T`: `as` makes numbers, and `T` may be none\nhelp: write the bound `T: Number`",
            ),
            (
                "fn f<T: Float + Integer>(x: T) -> T { x }",
                "`Integer`: no type is what all bounds of `T` ask for\nhelp: integers have no `sqrt`, and floats have no operators on bits",
            ),
            (
                "fn f<T: Number>(x: f32) -> f32 { x }",
                "`T`: the type `T` occurs in no parameter\nhelp: a call could not tell what it is; write the type out",
            ),
            ("fn f<T: Number, T: Float>(x: T) -> T { x }", "`T`: two generics are named `T`"),
            (
                "#[assoc] fn f<T: Number>(x: T, y: T) -> T { x + y }",
                "`assoc`: `f` is generic and a part of whatever calls it, so that a law of it means nothing\nhelp: write a function for each type that needs the law",
            ),
            (
                "fn f(x: f32) -> f32 where U: Number { x }",
                "`U`: `U` is no type of this function, and has no bounds\nhelp: declare it behind the function's name: `<U: Float>`",
            ),
        ],
    );
}
