//! Kernels from program text.

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_corpus::Topic;
use lift_parser::parse_text;

/// Messages as a user reads them.
pub(crate) fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}

/// All kernels of a topic of the corpus.
#[allow(dead_code, reason = "some test programs have texts of their own")]
pub(crate) fn kernels_of(topic: Topic) -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for block in topic.blocks() {
        programs.extend(kernels(block).map_err(|error| format!("{}: {error}", topic.name))?);
    }
    Ok(programs)
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
