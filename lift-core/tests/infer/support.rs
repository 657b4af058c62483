//! Programs, their typed form and their mistakes as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::nat::Var;
use lift_core::ir::scalar::{Literal, ScalarType};
use lift_core::ir::typed::check::{self as typing, Binders};
use lift_core::ir::typed::{
    Boundary, Expr, ExprKind, Lambda, Layout, NodeId, ParameterType, Position, Program,
};
use lift_core::ir::types::Type;
use lift_parser::sources::Range;
use lift_parser::{Parsed, parse_text};

/// The programs of one `lift!`, typed and checked to be what the typed form promises.
pub(crate) fn infer(text: &str) -> Result<Vec<Program>, Vec<Diagnostic>> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let programs = infer_parsed(&parsed)?;
    programs.iter().for_each(check_form);
    Ok(programs)
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
pub(crate) fn signatures(text: &str) -> String {
    match infer(text) {
        Ok(programs) => programs.iter().map(signature).collect::<Vec<_>>().join("\n"),
        Err(_) => mistakes(text),
    }
}

fn signature(program: &Program) -> String {
    let mut text = String::new();
    let parameters: Vec<String> = program
        .parameters
        .iter()
        .map(|parameter| match &parameter.ty {
            ParameterType::Value(ty) => format!("{}: {}", parameter.variable.name, of_any_rank(ty, program)),
            ParameterType::Size(_) => format!("{}: size", parameter.variable.name),
        })
        .collect();
    let _ = write!(text, "({}) -> {}", parameters.join(", "), of_any_rank(&program.body.ty, program));
    for obligation in &program.obligations {
        let _ = write!(text, "\n{}", obligation.text);
    }
    text
}

/// A type, with `T0..` for an element of type `T0` or a block of them.
fn of_any_rank(ty: &Type, program: &Program) -> String {
    match ty {
        Type::Array(array) => match &array.element {
            Type::Scalar(ScalarType::Parameter(parameter))
                if program.open_ranks.contains(&parameter.index) =>
            {
                format!("T{}..", parameter.index)
            }
            element if array.index.is_none() => {
                format!("[{}; {}]", of_any_rank(element, program), array.length)
            }
            _ => ty.to_string(),
        },
        Type::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| of_any_rank(part, program)).collect();
            format!("({})", parts.join(", "))
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size => ty.to_string(),
    }
}

/// The typed body of the last program.
pub(crate) fn elaborated(text: &str) -> String {
    match infer(text) {
        Ok(programs) => programs.last().map(|program| show(&program.body)).unwrap_or_default(),
        Err(_) => mistakes(text),
    }
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
            format!("`{}`: {}", between(text, &range), mistake.render())
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn between(text: &str, range: &Range) -> String {
    let offset = |line: usize, column: usize| {
        let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        before + text[before..].chars().take(column).map(char::len_utf8).sum::<usize>()
    };
    let (start, end) = (range.first.start(), range.last.end());
    text[offset(start.line, start.column)..offset(end.line, end.column)].to_owned()
}

fn show(expr: &Expr) -> String {
    let list = |parts: &[Arc<Expr>]| parts.iter().map(|part| show(part)).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Literal(Literal::Bool(truth)) => truth.to_string(),
        ExprKind::Literal(Literal::Integer(value)) => format!("{value}{}", expr.ty),
        ExprKind::Literal(Literal::Float(digits)) => format!("{digits}{}", expr.ty),
        ExprKind::Variable(variable) => variable.name.to_string(),
        ExprKind::Size(size) => format!("size({size}): {}", expr.ty),
        ExprKind::Tuple(parts) => format!("({})", list(parts)),
        ExprKind::Component(tuple, position) => format!("{}.{position}", show(tuple)),
        ExprKind::ArrayLiteral(parts) => format!("[{}]", list(parts)),
        ExprKind::Let { bindings, body } => {
            let bound =
                bindings.iter().map(|own| format!("let {} = {}; ", own.variable.name, show(&own.value)));
            bound.collect::<String>() + &show(body)
        }
        ExprKind::Unary(operator, operand) => format!("{operator:?}({})", show(operand)),
        ExprKind::Binary(operator, left, right) => {
            format!("({} {} {})", show(left), operator.symbol(), show(right))
        }
        ExprKind::Builtin(builtin, parts) => format!("{builtin}({})", list(parts)),
        ExprKind::Function(function, parts) => format!("function{function}({})", list(parts)),
        ExprKind::If(condition, then, otherwise) => {
            format!("if {} {{ {} }} else {{ {} }}", show(condition), show(then), show(otherwise))
        }
        ExprKind::Cast(scalar, operand) => format!("({} as {scalar})", show(operand)),
        ExprKind::Broadcast(operand) => format!("{}({})", expr.ty, show(operand)),
        ExprKind::Lanewise(lambda, parts) => format!("lanewise({}, {})", show_lambda(lambda), list(parts)),
        ExprKind::Map(kind, lambda, input) => {
            format!("map{}({}, {})", low_level(kind), show_lambda(lambda), show(input))
        }
        ExprKind::Reduce(kind, lambda, initial, input) => {
            let kind = low_level(kind);
            format!("reduce{kind}({}, {}, {})", show_lambda(lambda), show(initial), show(input))
        }
        ExprKind::Zip(parts) => format!("zip({})", list(parts)),
        ExprKind::Layout(layout, input) => format!("{}({})", show_layout(layout), show(input)),
        ExprKind::PadConstant { left, right, value, input } => {
            format!("padConstant({left}, {right}, {}, {})", show(value), show(input))
        }
        ExprKind::Store(Some(space), value) => format!("to{space:?}({})", show(value)),
        ExprKind::Store(None, value) => format!("store({})", show(value)),
        ExprKind::Concat(parts) => format!("concat({})", list(parts)),
        ExprKind::At(Position::Size(size), input) => format!("at[{size}]({})", show(input)),
        ExprKind::At(Position::Clamped(index), input) => format!("at({}, {})", show(index), show(input)),
        ExprKind::At(Position::OrDefault(index, default), input) => {
            format!("atOr({}, {}, {})", show(index), show(default), show(input))
        }
        ExprKind::Generate(length, lambda) => format!("generate[{length}]({})", show_lambda(lambda)),
        ExprKind::Repeat(length, value) => format!("repeat[{length}]({})", show(value)),
        ExprKind::Unzip(input) => format!("unzip({})", show(input)),
        ExprKind::Scan(kind, lambda, initial, input) => {
            let kind = low_level(kind);
            format!("scan{kind}({}, {}, {})", show_lambda(lambda), show(initial), show(input))
        }
        ExprKind::EndUnless(condition, value) => format!("endUnless({}, {})", show(condition), show(value)),
        ExprKind::Iterate(count, lambda, input) => {
            let parameter = lambda.parameters.first().map(|parameter| parameter.1.to_string());
            let types = format!("{} -> {}", parameter.unwrap_or_default(), lambda.body.ty);
            format!("iterate[{count}]({}: {types}, {})", show_lambda(lambda), show(input))
        }
    }
}

fn low_level(kind: &impl std::fmt::Debug) -> String {
    format!("{kind:?}").replace("Unspecified", "")
}

fn show_lambda(lambda: &Lambda) -> String {
    let mut names: Vec<&str> = lambda.parameters.iter().map(|(variable, _)| &*variable.name).collect();
    names.extend(lambda.index.as_ref().map(Var::name));
    format!("|{}| {}", names.join(", "), show(&lambda.body))
}

fn show_layout(layout: &Layout) -> String {
    match layout {
        Layout::Split { chunk } => format!("split[{chunk}]"),
        Layout::Partition(rows) => {
            let index = rows.index.as_ref().map_or("_", Var::name);
            format!("partition[{}, {index} -> {}]", rows.count, rows.length)
        }
        Layout::Join => "join".to_owned(),
        Layout::Transpose => "transpose".to_owned(),
        Layout::Deinterleave { rows } => format!("deinterleave[{rows}]"),
        Layout::Interleave => "interleave".to_owned(),
        Layout::AsVector { width } => format!("asVector[{width}]"),
        Layout::AsScalar => "asScalar".to_owned(),
        Layout::Gather(function) => format!("gather[{} -> {}]", function.index, function.body),
        Layout::Scatter(function) => format!("scatter[{} -> {}]", function.index, function.body),
        Layout::Slice { start, length } => format!("slice[{start}, {length}]"),
        Layout::Increase { left, right } => format!("increase[{left}, {right}]"),
        Layout::Slide { size, step } => format!("slide[{size}, {step}]"),
        Layout::Pad { left, right, boundary: Boundary::Custom(function) } => {
            format!("pad[{left}, {right}, {} -> {}]", function.index, function.body)
        }
        Layout::Pad { left, right, boundary } => {
            format!("pad[{left}, {right}, {}]", format!("{boundary:?}").to_lowercase())
        }
    }
}

/// Checks what the typed form promises of every program.
fn check_form(program: &Program) {
    assert_eq!(typing::check(program, Binders::Unique), Ok(()));
    let mut nodes = BTreeSet::new();
    for body in program.functions.iter().map(|function| &function.body).chain([&program.body]) {
        number_nodes(body, &mut nodes);
    }
    assert!(nodes.iter().all(|node| node.0 < program.next_id));
}

fn number_nodes(expr: &Expr, nodes: &mut BTreeSet<NodeId>) {
    assert!(nodes.insert(expr.id), "node {} occurs twice", expr.id.0);
    expr.children().for_each(|child| number_nodes(child, nodes));
}

/// Checks one kind of result on many programs.
pub(crate) fn check(show: fn(&str) -> String, cases: &[(&str, &str)]) {
    for (program, expected) in cases {
        assert_eq!(show(program), *expected, "\nin {program}");
    }
}
