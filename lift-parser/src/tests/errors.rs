//! Messages: what they say and what they point at.

use super::messages;
use crate::parse_text;

#[track_caller]
fn single(text: &str, at: &str, message: &str) {
    assert_eq!(messages(text), [(at.to_owned(), message.to_owned())], "{text}");
}

#[test]
fn a_message_points_at_the_wrong_token() {
    single("map(f a)", "a", "expected `,` or an operator, found `a`");
    single("a b", "b", "expected an operator or the end of the expression, found `b`");
    single("map(f, )  >> + 1", "+", "expected an expression, found `+`");
    single("a < b < c", "<", "comparisons cannot be chained");
    single("self", "self", "`self` is no number and no array");
    single("x * self.scale(2)", "scale", "a method of Rust, `scale`, cannot be called here");
    single("f(&a)", "&", "`&` is not needed: arrays are borrowed");
    single("a[0]", "[0]", "expected an operator or the end of the expression, found `[…]`");
    single("x += 1", "+=", "expected an operator or the end of the expression, found `+=`");
    single("\"text\"", "\"text\"", "expected a number, `true` or `false`: there is no other literal");
    single("1usize", "1usize", "`usize` is no type of a device");
    single("()", "()", "a tuple has at least two components");
    single("if a { 1 }", "if a { 1 }", "`if` needs an `else`: both have a value");
    single("map(|&x| x, a)", "&", "a pattern is a name, `_`, or a tuple or an array of patterns");
    single("a |> map(f)", "|>", "expected an operator or the end of the expression, found `|>`");
    single("map(|x: f32| -> f32 { x }, a)", "-> f32", "the result type of a lambda is not written");
    single("map(|i =>| i, a)", "i", "the element at position `i` has no name");
    single("map(|(a, b) => x| x, a)", "=>", "expected `,` or the closing `|`, found `=>`");
    single("map(|i => j => x| x, a)", "=>", "expected `,` or the closing `|`, found `=>`");
    single("map(x -> x, a)", "->", "expected `,` or an operator, found `->`");
    single(
        "fn f(a: f32) -> f32 where T: Float, N >= 1 { a }",
        "T",
        "`T` is no type of this function, and has no bounds",
    );
    single("fn f(a: f32) -> f32 where N = 4 { a }", "N", "expected a comparison of sizes");
    single("map(|x| print!(x), a)", "!", "expected `,` or an operator, found `!`");
    single("for x in a {}", "for", "there are no loops");
    single("map(f, a);", ";", "expected an operator or the end of the expression, found `;`");
}

#[test]
fn an_unexpected_end_points_at_the_last_token() {
    single("a +", "+", "expected an expression after this");
    single("a >>", ">>", "expected an expression after this");
    single("f(a, b *)", "*", "expected an expression after this");
    single("|x|", "|", "expected an expression after this");
    single("{ let a = 1; }", ";", "expected the block's result after this");
    single("fn f(a: f32) -> f32", "f32", "expected the function's body after this");
    single("fn", "fn", "expected the function's name after this");
}

#[test]
fn independent_mistakes_are_all_reported() {
    let found = messages("f(a +, |&x| x, b b, [1 2], (c, *))");
    let at: Vec<&str> = found.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(at, [",", "&", "b", "2", "*"]);
    let found = messages(
        "fn a(x: f32) { x }
         fn b<'a>(x: f32) -> f32 { x }
         struct C { x: f32 }
         fn d(x: f32, y) -> f32 { x + }
         fn e(x: &f32) -> f32 { x }
         fn ok(x: f32) -> f32 { x }",
    );
    let at: Vec<&str> = found.iter().map(|(at, _)| at.as_str()).collect();
    assert_eq!(at, ["a", "'a", "struct", "y", "+", "&"], "{found:?}");
}

#[test]
fn a_wrong_head_hides_nothing_in_the_body() {
    let found = |text: &str| messages(text).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
    assert_eq!(found("fn f(x: f32) { let a = 1 +; x y }"), ["f", ";", "y"]);
    assert_eq!(
        found("fn f<'a>(x: &f32, y) -> f32 { x + } fn g(x: f32) -> f32 { x * }"),
        ["'a", "&", "y", "+", "*"]
    );
    assert_eq!(found("fn f(x: f32) -> &f32 where x { a b }"), ["&", "b"]);
    assert_eq!(found("fn f(x: f32) -> f32 { let mut a = 1; let b = 2 +; a b }"), ["mut", ";", "b"]);
    assert_eq!(found("{ let &a = 1; let (b, mut c) = 2; a + }"), ["&", "mut", "+"]);
}

#[test]
fn patterns_name_all_elements() {
    single("{ let [a, .., b] = xs; a + b }", "..", "a pattern has all elements, and no `..`");
    single("map(|(a, ..)| a, xs)", "..", "a pattern has all elements, and no `..`");
    single("{ let [] = xs; 1 }", "[]", "a pattern of an array has at least one element");
}

#[test]
fn what_parsed_is_there_in_spite_of_mistakes_elsewhere() {
    use lift_core::front::syntax::Input;
    let parsed = parse_text("map(f, a +, b)");
    let Some(Input::Inline(expression)) = parsed.input else { panic!("no expression") };
    assert_eq!(super::print(&expression), "map(f, (a + ERROR), b)");
}

#[test]
fn one_mistake_gives_one_message() {
    single("{ let a = 1 + ; a }", ";", "expected an expression, found `;`");
    single("f(if a { 1 * } else { b }, c)", "*", "expected an expression after this");
    single("|a: [f32; 2 * ]| a", "*", "expected an expression after this");
    single("f(a + ; b, c)", ";", "expected an expression, found `;`");
    single("a + * b c", "*", "there are no references to follow");
}

#[test]
fn items_get_messages_of_their_own() {
    single("unsafe fn f(a: f32) -> f32 { a }", "unsafe", "a function of `lift!` is just `fn`");
    single("fn f(a: f32) { a }", "f", "a function needs a result type");
    single("fn f<'a>(a: f32) -> f32 { a }", "'a", "only sizes and element types can be generic");
    single("fn f<const N: u32>(a: f32) -> f32 { a }", "u32", "a size is a `usize`");
    single("fn f(a) -> f32 { a }", "a", "the parameter `a` needs a type");
    single("fn f(a: [f32]) -> f32 { a }", "f32", "an array type needs its length");
    single("fn f(a: Vec<f32>) -> f32 { a }", "Vec", "`Vec` is no type of `lift!`");
    single("fn f(a: f32) -> f32 where N { a }", "N", "expected a comparison of sizes");
    single(
        "#[launch = 3] fn f(a: f32) -> f32 { a }",
        "launch",
        "this attribute takes its arguments in parentheses",
    );
    single("#!fn f(a: f32) -> f32 { a }", "#", "this is no attribute of a function");
}

#[test]
fn deep_nesting_is_a_message_and_no_stack_overflow() {
    let deep = "this expression is nested too deeply";
    let times = |text: &str, count: usize| text.repeat(count);
    for text in [
        times("(", 20_000) + "x" + &times(")", 20_000),
        times("-", 20_000) + "x",
        times("|x| ", 20_000) + "x",
        "x".to_owned() + &times(" + x", 20_000),
        "x".to_owned() + &times("(x)", 20_000),
        "x".to_owned() + &times(" >> f", 20_000),
        times("if a { b } else ", 20_000) + "{ c }",
        format!("|a: {}f32{}| a", times("[", 20_000), times("; N]", 20_000)),
    ] {
        let found = messages(&text);
        assert_eq!(found.len(), 1, "{:?}", found.iter().take(4).collect::<Vec<_>>());
        assert_eq!(found[0].1, deep);
    }
}
