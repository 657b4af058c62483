//! For any tokens the parser ends, and reports something if it did not understand them.

use lift_core::front::syntax::{Expr, ExprKind, Input};
use proptest::prelude::*;

use crate::parse_text;

/// Tokens that have a meaning somewhere in the grammar, and some that never do.
const TOKENS: [&str; 58] = [
    "a",
    "map",
    "N",
    "fn",
    "pub",
    "let",
    "if",
    "else",
    "as",
    "where",
    "const",
    "usize",
    "f32",
    "mut",
    "_",
    "true",
    "for",
    "match",
    "move",
    "self",
    "1",
    "0.1",
    "2.5f32",
    "0x1f",
    "1usize",
    "\"s\"",
    "'c'",
    "'l",
    "r#fn",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ">>",
    "|",
    "||",
    "&&",
    "&",
    "=",
    "==",
    "=>",
    "->",
    ",",
    ";",
    ":",
    "::",
    ".",
    "..",
    "+",
    "-",
    "*",
    "#",
    "#[launch(a = 1)]",
    "!",
];

fn tokens() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..40).prop_map(|tokens| tokens.join(" "))
}

/// Text with balanced delimiters around arbitrary tokens.
fn nested() -> impl Strategy<Value = String> {
    tokens().prop_recursive(6, 64, 4, |inner| {
        (prop::collection::vec(inner, 1..4), prop::sample::select(&["()", "[]", "{}"][..])).prop_map(
            |(parts, delimiters)| {
                let (open, close) = delimiters.split_at(1);
                format!("fn {open}{}{close} a", parts.join(" , "))
            },
        )
    })
}

fn contains_error(expression: &Expr) -> bool {
    format!("{expression:?}").contains(&format!("{:?}", ExprKind::Error))
}

proptest! {
    #[test]
    fn arbitrary_tokens_are_parsed_or_reported(text in prop_oneof![tokens(), nested()]) {
        let parsed = parse_text(&text);
        let complete = match &parsed.input {
            None => false,
            Some(Input::Inline(expression) | Input::Closure(expression)) => !contains_error(expression),
            Some(Input::Items(items)) => {
                prop_assert_eq!(items.functions.len(), parsed.items.functions.len());
                prop_assert_eq!(items.constants.len(), parsed.items.constants.len());
                !format!("{items:?}").contains("kind: Error")
            }
        };
        prop_assert!(complete || !parsed.errors.is_empty(), "{} gives no message", text);
    }

    #[test]
    fn parsing_the_same_tokens_twice_gives_the_same(text in tokens()) {
        let (first, second) = (parse_text(&text), parse_text(&text));
        prop_assert_eq!(first.input, second.input);
        prop_assert_eq!(first.errors, second.errors);
    }
}
