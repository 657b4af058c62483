//! Programs and mistakes as text.

use std::fmt::Write as _;

use lift_core::diagnostic::Diagnostic;
use lift_core::syntax::Input;
use lift_core::typed::{ParameterType, Program};
use lift_core::types::infer::{infer_closure, infer_inline, infer_items};
use lift_parser::{Parsed, parse_text};

/// The programs of one `lift!`, typed.
pub(crate) fn infer(text: &str) -> Result<Vec<Program>, Vec<Diagnostic>> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    infer_parsed(&parsed)
}

fn infer_parsed(parsed: &Parsed) -> Result<Vec<Program>, Vec<Diagnostic>> {
    match &parsed.input {
        Some(Input::Inline(expr)) => infer_inline(expr).map(|program| vec![program]),
        Some(Input::Closure(expr)) => infer_closure(expr).map(|program| vec![program]),
        Some(Input::Items(items)) => infer_items(items).map(|items| items.kernels),
        None => Ok(Vec::new()),
    }
}

/// The signatures of the programs, with what they leave to the launch.
pub(crate) fn typed(text: &str) -> String {
    match infer(text) {
        Ok(programs) => programs.iter().map(signature).collect::<Vec<_>>().join("\n"),
        Err(mistakes) => format!("{} mistakes", mistakes.len()),
    }
}

fn signature(program: &Program) -> String {
    let mut text = String::new();
    let parameters: Vec<String> = program
        .parameters
        .iter()
        .map(|parameter| match &parameter.ty {
            ParameterType::Value(ty) => format!("{}: {ty}", parameter.variable.name),
            ParameterType::Size(_) => format!("{}: size", parameter.variable.name),
        })
        .collect();
    let _ = write!(text, "({}) -> {}", parameters.join(", "), program.body.ty);
    for obligation in &program.obligations {
        let _ = write!(text, "\n  needs {}", obligation.text);
    }
    text
}

/// The mistakes, each with the text it points at.
pub(crate) fn mistakes(text: &str) -> String {
    let parsed = parse_text(text);
    let mistakes = if parsed.errors.is_empty() {
        infer_parsed(&parsed).err().unwrap_or_default()
    } else {
        parsed.errors.clone()
    };
    mistakes
        .iter()
        .map(|mistake| {
            let range = parsed.sources.range(mistake.source);
            format!("{}\n  {}", between(text, &range), mistake.render().replace('\n', "\n  "))
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn between(text: &str, range: &lift_parser::sources::Range) -> String {
    let offset = |line: usize, column: usize| {
        let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        before + text[before..].chars().take(column).map(char::len_utf8).sum::<usize>()
    };
    let (start, end) = (range.first.start(), range.last.end());
    text[offset(start.line, start.column)..offset(end.line, end.column)].to_owned()
}
