//! Properties of random programs with one token changed: nothing panics, and what is wrong gets a message in
//! the user's words.

use crate::seed::seed;
use crate::support::{Choices, Style, random_program};
use lift_core::compile;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_parser::parse_text;
use proptest::collection::vec;
use proptest::prelude::*;

/// What stands in the place of a token, or beside it.
const TOKENS: [&str; 24] = [
    "map", "reduce", "zip", "split", "add", "x", "N", "0", "7", "1.5", "true", "|", ">>", "+", "/", ",", ".",
    "0 ..", "(", ")", "[", "as", "let", "=>",
];

/// How a program is changed.
#[derive(Debug, Clone, Copy)]
enum Change {
    Delete,
    Repeat,
    Swap,
    Replace(&'static str),
    Insert(&'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let token = proptest::sample::select(&TOKENS[..]);
    prop_oneof![
        Just(Change::Delete),
        Just(Change::Repeat),
        Just(Change::Swap),
        token.clone().prop_map(Change::Replace),
        token.prop_map(Change::Insert),
    ]
}

/// Names, numbers and marks.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut in_word = false;
    for character in text.chars() {
        match tokens.last_mut() {
            Some(last) if in_word && is_word(character) => last.push(character),
            _ if character.is_whitespace() => {}
            _ => tokens.push(character.to_string()),
        }
        in_word = is_word(character);
    }
    tokens
}

fn programs() -> impl Strategy<Value = String> {
    let style = prop_oneof![Just(Style::HighLevel), Just(Style::LowLevel)];
    (vec(any::<u32>(), 0..150), style)
        .prop_map(|(choices, style)| random_program(&mut Choices::new(choices), style).text)
}

/// The text with one change at a token.
fn changed(text: &str, position: usize, change: Change) -> String {
    let mut tokens = tokens(text);
    let position = position % tokens.len();
    match change {
        Change::Delete => drop(tokens.remove(position)),
        Change::Repeat => tokens.insert(position, tokens[position].clone()),
        Change::Swap => {
            let next = (position + 1) % tokens.len();
            tokens.swap(position, next);
        }
        Change::Replace(token) => tokens[position] = token.to_owned(),
        Change::Insert(token) => tokens.insert(position, token.to_owned()),
    }
    // Only words need a space between them: `>>` is two marks.
    let is_word =
        |token: &str| token.chars().all(|character| character.is_alphanumeric() || character == '_');
    let mut text = String::new();
    let mut after_word = false;
    for token in &tokens {
        if after_word && is_word(token) {
            text.push(' ');
        }
        text.push_str(token);
        after_word = is_word(token);
    }
    text
}

/// Everything that a macro does with a text up to the kernel.
fn compiled(text: &str) -> Result<(), Vec<Diagnostic>> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let programs: Vec<Program> = match &parsed.input {
        Some(Input::Inline(expression)) => vec![infer_inline(expression)?],
        Some(Input::Closure(expression)) => vec![infer_closure(expression)?],
        Some(Input::Items(items)) => infer_items(items)?.kernels,
        None => return Err(Vec::new()),
    };
    programs.iter().try_for_each(|program| compile(program).map(drop))
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let Err(messages) = compiled(text) else { return Ok(()) };
    prop_assert!(!messages.is_empty(), "no message: {}", text);
    for message in messages {
        prop_assert!(!message.message.contains("internal"), "{}\n{}", text, message.render());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn one_changed_token_is_a_program_or_has_messages(
        text in programs(), position in any::<usize>(), change in change(),
    ) {
        check(&changed(&text, position, change))?;
    }

    #[test]
    fn a_function_that_does_not_exist_has_a_message(text in programs(), position in any::<usize>()) {
        let all = tokens(&text);
        // Attributes that mean nothing here are rustc's.
        let start = all.iter().position(|token| token == "]" && all[0] == "#").unwrap_or(0);
        let called: Vec<usize> = (start + 1..all.len())
            .filter(|position| all[*position] == "(" && all[position - 1].starts_with(char::is_alphabetic))
            .filter(|position| position.checked_sub(2).is_none_or(|before| all[before] != "fn"))
            .map(|position| position - 1)
            .collect();
        if called.is_empty() {
            return Ok(());
        }
        let text = changed(&text, called[position % called.len()], Change::Replace("wrongName"));
        prop_assert!(compiled(&text).is_err(), "{}", text);
        check(&text)?;
    }

    #[test]
    fn a_text_that_ends_early_is_a_program_or_has_messages(text in programs(), position in any::<usize>()) {
        let all = tokens(&text);
        let kept = &all[..position % all.len()];
        let mut text = kept.join(" ").replace("> >", ">>").replace("- >", "->").replace("= >", "=>");
        // A text has whole groups, as a macro gets them.
        let mut open = Vec::new();
        for token in kept {
            match token.as_str() {
                "(" => open.push(")"),
                "[" => open.push("]"),
                "{" => open.push("}"),
                ")" | "]" | "}" => drop(open.pop()),
                _ => {}
            }
        }
        text.extend(open.into_iter().rev());
        check(&text)?;
    }
}
