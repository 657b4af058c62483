//! Kernels from program text.

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_parser::parse_text;

/// Messages as a user reads them.
pub(crate) fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}

#[allow(dead_code, reason = "some test programs have texts of their own")]
/// What stands between the braces of every macro invocation at the start of a line that opens so, in the text of a file.
pub(crate) fn blocks<'t>(file: &'t str, opening: &str) -> Vec<&'t str> {
    let opening = format!("\n{opening}");
    let opened = file.split(opening.as_str()).skip(1);
    opened.filter_map(|from| from.split_once("\n}\n")).map(|(items, _)| items).collect()
}

/// The kernels of a text of items, or the one of a closure or of an expression.
pub(crate) fn kernels(text: &str) -> Result<Vec<Program>, String> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(render(&parsed.errors));
    }
    match parsed.input {
        Some(Input::Items(items)) => infer_items(&items).map(|items| items.kernels),
        Some(Input::Closure(closure)) => infer_closure(&closure).map(|kernel| vec![kernel]),
        Some(Input::Inline(expression)) => infer_inline(&expression).map(|kernel| vec![kernel]),
        None => return Err("no program".to_owned()),
    }
    .map_err(|diagnostics| render(&diagnostics))
}
