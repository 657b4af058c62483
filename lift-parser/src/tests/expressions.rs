//! Precedence and the forms of expressions.

use lift_core::front::syntax::{ExprKind, Input, Lambda};

use super::parenthesised;
use crate::parse_text;

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(&parenthesised(text), expected, "{text}");
    }
}

#[test]
fn operators_bind_as_in_rust_and_pipe_binds_weakest() {
    table(&[
        ("a + b * c", "(a + (b * c))"),
        ("a * b + c", "((a * b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b % c", "((a / b) % c)"),
        ("-a * b", "(Negate(a) * b)"),
        ("!a && b", "(Not(a) && b)"),
        ("- -a", "Negate(Negate(a))"),
        ("a || b && c == d + 1", "(a || (b && (c == (d + 1))))"),
        ("a < b || c >= d", "((a < b) || (c >= d))"),
        ("a >> f >> g", "((a >> f) >> g)"),
        ("a + b >> f", "((a + b) >> f)"),
        ("a || b >> f", "((a || b) >> f)"),
        ("a as f32 + b", "((a as f32) + b)"),
        ("-a as i32 as f32", "((Negate(a) as i32) as f32)"),
        ("a as f32 < b", "((a as f32) < b)"),
        ("(a + b) * c", "((a + b) * c)"),
    ]);
}

#[test]
fn operators_on_bits_bind_as_in_rust() {
    table(&[
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a & b ^ c | d", "(((a & b) ^ c) | d)"),
        ("a & b + c * d", "(a & (b + (c * d)))"),
        ("a | b | c", "((a | b) | c)"),
        ("a ^ b ^ c", "((a ^ b) ^ c)"),
        ("a & 3 == b | 4", "((a & 3) == (b | 4))"),
        ("a & b && c | d || e", "(((a & b) && (c | d)) || e)"),
        ("!a & -b", "(Not(a) & Negate(b))"),
        ("a & b >> f", "((a & b) >> f)"),
        ("a & b as u8", "(a & (b as u8))"),
        ("f(a | x, b | y)", "f((a | x), (b | y))"),
        ("|x| x | y", "(|x| (x | y))"),
        ("|x, y| x | y | z", "(|x, y| ((x | y) | z))"),
        ("f(|x| x | 1, |y| y)", "f((|x| (x | 1)), (|y| y))"),
        ("a >> |x| x | y", "(a >> (|x| (x | y)))"),
    ]);
}

/// The body of a function with this head.
#[track_caller]
fn body_of(head: &str, body: &str) -> String {
    let text = format!("{head} {{ {body} }}");
    let parsed = parse_text(&text);
    assert_eq!(parsed.errors, [], "{text}");
    match parsed.input.as_ref() {
        Some(Input::Items(items)) => super::print(&items.functions[0].body),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn shifts_bind_as_in_rust_in_the_bodies_of_user_functions() {
    let rows = [
        ("a << 3 | a >> 29", "((a shift<< 3) | (a shift>> 29))"),
        ("a & b << 1 + c", "(a & (b shift<< (1 + c)))"),
        ("a >> b >> c", "((a shift>> b) shift>> c)"),
        ("a < b << 1", "(a < (b shift<< 1))"),
        ("a >> 3 & 7 == b", "(((a shift>> 3) & 7) == b)"),
        ("-a << b as u32", "(Negate(a) shift<< (b as u32))"),
        ("{ let f = |x| x >> 1; f(a << 2) }", "{ let f = (|x| (x shift>> 1)); f((a shift<< 2)) }"),
    ];
    for (body, expected) in rows {
        for head in ["fn f(a: u32) -> u32", "fn f(a: (u8, u32x4)) -> (u8, bool)"] {
            assert_eq!(body_of(head, body), expected, "{head}");
        }
    }
    for head in ["fn f(a: [u32; 4]) -> u32", "fn f<const N: usize>(a: u32) -> u32", "fn f(n: usize) -> u32"] {
        assert_eq!(body_of(head, "a >> f & b"), "(a >> (f & b))", "{head}");
    }
    let both = "fn f(a: u32) -> u32 { a >> 1 } fn g(a: [u32; 4]) -> u32 { a || b >> f }";
    let Some(Input::Items(items)) = parse_text(both).input else { panic!("no items") };
    assert_eq!(super::print(&items.functions[1].body), "((a || b) >> f)");
}

#[test]
fn a_lambda_extends_as_far_as_possible() {
    table(&[
        ("a >> map(|x| x + 1 >> f)", "(a >> map((|x| ((x + 1) >> f))))"),
        ("a >> |x| x >> f", "(a >> (|x| (x >> f)))"),
        ("|x| |y| x + y", "(|x| (|y| (x + y)))"),
        ("|x, (a, _): (f32, i32)| x", "(|x, (a, _): (f32, i32)| x)"),
        ("|i => x| x + i", "(|i => x| (x + i))"),
        ("|i => acc, (a, b): T| acc >> |j => y| y", "(|i => acc, (a, b): T| (acc >> (|j => y| y)))"),
        ("f(|| 1, 2)", "f((|| 1), 2)"),
        ("f(|x| x, 2)", "f((|x| x), 2)"),
    ]);
}

#[test]
fn calls_components_and_methods_chain() {
    table(&[
        ("map(f)(xs)", "map(f)(xs)"),
        ("x.0", "x.0"),
        ("x.0.1", "x.0.1"),
        ("x.0.1.2", "x.0.1.2"),
        ("x.0.1.sqrt()", "sqrt(x.0.1)"),
        ("x.0.sqrt().1", "sqrt(x.0).1"),
        ("x.max(y + 1).abs()", "abs(max(x, (y + 1)))"),
        ("-x.abs()", "Negate(abs(x))"),
        ("2.0.sqrt()", "sqrt(f2.0)"),
        ("(a, b).1", "tuple(a, b).1"),
        ("f(a,)", "f(a)"),
        ("f()", "f()"),
    ]);
}

#[test]
fn literals_keep_their_digits_and_their_suffix() {
    table(&[
        ("1", "1"),
        ("1_000_000", "1000000"),
        ("0xff_u8", "255:u8"),
        ("0x1f32", "7986"),
        ("0b101", "5"),
        ("1.50", "f1.50"),
        ("1e-3", "f1e-3"),
        ("1.", "f1."),
        ("2.5f32", "f2.5:f32"),
        ("1f64", "f1:f64"),
        ("1_0.5_0", "f10.50"),
        ("7u64", "7:u64"),
        ("true", "true"),
        ("18446744073709551615", "18446744073709551615"),
    ]);
}

#[test]
fn blocks_conditionals_and_arrays_are_expressions() {
    table(&[
        (
            "{ let x = 1; let (a, b): (f32, f32) = y; x + a }",
            "{ let x = 1; let (a, b): (f32, f32) = y; (x + a) }",
        ),
        ("{ a + b }", "(a + b)"),
        ("if a < b { a } else { b }", "if (a < b) { a } else { b }"),
        ("if a { 1 } else if b { 2 } else { 3 }", "if a { 1 } else { if b { 2 } else { 3 } }"),
        ("if a { 1 } else { 2 } + 3", "(if a { 1 } else { 2 } + 3)"),
        ("[1, 2, 3] >> f", "([1, 2, 3] >> f)"),
        ("(a)", "a"),
        ("(a, b, c)", "tuple(a, b, c)"),
    ]);
}

#[test]
fn the_founding_example_parses_with_and_without_its_angles() {
    let expected = "map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, A)))";
    table(&[
        ("map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, A)))", expected),
        ("< map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, A))) >", expected),
        ("<map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, A)))>", expected),
        ("<a >> f>", "(a >> f)"),
        ("<|x| x>", "(|x| x)"),
    ]);
}

#[test]
fn a_fragment_of_another_macro_keeps_its_grouping() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    let fragment = |text: &str| {
        let tokens: TokenStream = text.parse().expect("tokens");
        TokenTree::Group(Group::new(Delimiter::None, tokens))
    };
    let star: TokenStream = "* 2".parse().expect("tokens");
    let tokens = std::iter::once(fragment("a + b")).chain(star).collect();
    let parsed = crate::parse(tokens);
    let Some(Input::Inline(expression)) = parsed.input else { panic!("no expression") };
    assert_eq!(super::print(&expression), "((a + b) * 2)");
    let parsed = crate::parse(std::iter::once(fragment("a")).collect());
    let Some(Input::Inline(expression)) = parsed.input else { panic!("no expression") };
    assert_eq!(expression.kind, ExprKind::Name("a".into()));
}

#[test]
fn every_expression_knows_its_first_and_its_last_token() {
    let text = "a >> map(|x| (x.0 + 1) * 2)";
    let parsed = parse_text(text);
    let Some(Input::Inline(expression)) = &parsed.input else { panic!("no expression") };
    let columns = |expression: &lift_core::front::syntax::Expr| {
        let range = parsed.sources.range(expression.source);
        text.get(range.first.start().column..range.last.end().column)
    };
    assert_eq!(columns(expression), Some(text));
    let ExprKind::Pipe(_, call) = &expression.kind else { panic!("no pipe") };
    assert_eq!(columns(call), Some("map(|x| (x.0 + 1) * 2)"));
    let ExprKind::Call(_, arguments, _) = &call.kind else { panic!("no call") };
    let ExprKind::Lambda(Lambda { body, .. }) = &arguments[0].kind else { panic!("no lambda") };
    assert_eq!(columns(body), Some("(x.0 + 1) * 2"));
    let ExprKind::Binary(_, left, _) = &body.kind else { panic!("no product") };
    assert_eq!(columns(left), Some("(x.0 + 1)"));
}

#[test]
fn paths_are_names_joined_by_colons() {
    assert_eq!(parenthesised("x * f32::MAX"), "(x * f32::MAX)");
    assert_eq!(parenthesised("-std::f64::consts::PI.sin()"), "Negate(sin(std::f64::consts::PI))");
    assert_eq!(parenthesised("Vec::new(a)"), "Vec::new(a)");
}
