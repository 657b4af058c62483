//! Kernels from program text, run on a device and compared with what they mean.

pub(crate) mod arguments;
mod compare;

use lift_core::diagnostic::Diagnostic;
use lift_core::syntax::Input;
use lift_core::typed::Program;
use lift_core::types::infer::{infer_closure, infer_items};
use lift_parser::parse_text;

pub(crate) use compare::compare;

/// Messages as a user reads them.
pub(crate) fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}

/// What stands between the braces of every `lift!` with items in the text of a file.
pub(crate) fn blocks(file: &str) -> Vec<&str> {
    let opened = file.split("\nlift! {\n").skip(1);
    opened.filter_map(|from| from.split_once("\n}\n")).map(|(items, _)| items).collect()
}

/// The kernels of a text of items or of one closure.
pub(crate) fn kernels(text: &str) -> Result<Vec<Program>, String> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(render(&parsed.errors));
    }
    match parsed.input {
        Some(Input::Items(items)) => infer_items(&items).map(|items| items.kernels),
        Some(Input::Closure(closure)) => infer_closure(&closure).map(|kernel| vec![kernel]),
        Some(Input::Inline(_)) | None => return Err("neither items nor a closure".to_owned()),
    }
    .map_err(|diagnostics| render(&diagnostics))
}
