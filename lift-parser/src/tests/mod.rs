//! Tests of the parser, on text.

use lift_core::front::syntax::{Expr, ExprKind, Input, Lambda, Pattern, PatternKind, TypeExpr, TypeExprKind};

use crate::{Parsed, parse_text};

mod arbitrary;
mod errors;
mod expressions;
mod forms;

/// A program written with every parenthesis.
fn print(expression: &Expr) -> String {
    let all = |parts: &[Expr]| parts.iter().map(print).collect::<Vec<_>>().join(", ");
    match &expression.kind {
        ExprKind::Literal(literal, ty) => {
            let ty = ty.map(|ty| format!(":{ty}")).unwrap_or_default();
            match literal {
                lift_core::ir::scalar::Literal::Bool(value) => format!("{value}{ty}"),
                lift_core::ir::scalar::Literal::Integer(value) => format!("{value}{ty}"),
                lift_core::ir::scalar::Literal::Float(digits) => format!("f{digits}{ty}"),
            }
        }
        ExprKind::Name(name) => name.clone(),
        ExprKind::Path(path) => path.join("::"),
        ExprKind::Array(parts) => format!("[{}]", all(parts)),
        ExprKind::Call(function, arguments, _) => format!("{}({})", print(function), all(arguments)),
        ExprKind::Lambda(Lambda { position, parameters, body }) => {
            let position =
                position.as_ref().map_or(String::new(), |position| format!("{} => ", position.name));
            format!("(|{position}{}| {})", patterns(parameters), print(body))
        }
        ExprKind::Pipe(left, right) => format!("({} >> {})", print(left), print(right)),
        ExprKind::Shift(shift, left, right) => {
            format!("({} shift{} {})", print(left), shift.symbol(), print(right))
        }
        ExprKind::Tuple(parts) => format!("tuple({})", all(parts)),
        ExprKind::Field(inner, name) => format!("{}.{}", print(inner), name.name),
        ExprKind::Component(tuple, position) => format!("{}.{position}", print(tuple)),
        ExprKind::Block(bindings, body) => {
            let bindings: Vec<String> = bindings
                .iter()
                .map(|binding| format!("let {} = {}; ", pattern(&binding.pattern), print(&binding.value)))
                .collect();
            format!("{{ {}{} }}", bindings.concat(), print(body))
        }
        ExprKind::Cast(inner, to) => format!("({} as {})", print(inner), ty(to)),
        ExprKind::Unary(operator, inner) => format!("{operator:?}({})", print(inner)),
        ExprKind::Binary(operator, left, right) => {
            format!("({} {} {})", print(left), operator.symbol(), print(right))
        }
        ExprKind::If(condition, then, otherwise) => {
            format!("if {} {{ {} }} else {{ {} }}", print(condition), print(then), print(otherwise))
        }
        ExprKind::Error => "ERROR".into(),
    }
}

fn patterns(patterns: &[Pattern]) -> String {
    patterns.iter().map(pattern).collect::<Vec<_>>().join(", ")
}

fn pattern(pattern_here: &Pattern) -> String {
    match &pattern_here.kind {
        PatternKind::Name(name) => name.clone(),
        PatternKind::Wildcard => "_".into(),
        PatternKind::Tuple(components) => format!("({})", patterns(components)),
        PatternKind::Array(elements) => format!("[{}]", patterns(elements)),
        PatternKind::Typed(inner, written) => format!("{}: {}", pattern(inner), ty(written)),
    }
}

fn ty(written: &TypeExpr) -> String {
    match &written.kind {
        TypeExprKind::Name(name) => name.clone(),
        TypeExprKind::Tuple(parts) => format!("({})", parts.iter().map(ty).collect::<Vec<_>>().join(", ")),
        TypeExprKind::Array { index, element, length } => {
            let index = index.as_ref().map(|index| format!("{} => ", index.name)).unwrap_or_default();
            format!("[{index}{}; {}]", ty(element), print(length))
        }
        TypeExprKind::Error => "ERROR".into(),
    }
}

/// The messages of a parsed program, each with the text it points at.
fn messages(text: &str) -> Vec<(String, String)> {
    let parsed = parse_text(text);
    let line_starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |position: proc_macro2::LineColumn| {
        let start = line_starts[position.line - 1];
        start + text[start..].char_indices().nth(position.column).map_or(text[start..].len(), |(at, _)| at)
    };
    let text_of = |parsed: &Parsed, source| {
        let range = parsed.sources.range(source);
        let (from, to) = (offset(range.first.start()), offset(range.last.end()));
        text.get(from..to).unwrap_or("").to_owned()
    };
    parsed.errors.iter().map(|error| (text_of(&parsed, error.source), error.message.clone())).collect()
}

/// The fully parenthesised form of an inline expression or a closure that has no mistakes.
fn parenthesised(text: &str) -> String {
    let parsed = parse_text(text);
    assert_eq!(parsed.errors, [], "{text}");
    match parsed.input {
        Some(Input::Inline(expression) | Input::Closure(expression)) => print(&expression),
        other => panic!("{text}: {other:?}"),
    }
}
