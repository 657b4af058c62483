//! From text to a typed program.

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::source::Source;
use lift_core::ir::typed::result::Purpose;
use lift_core::ir::typed::{Obligation, Program};
use lift_core::middle::rewrite::Rewritten;
use lift_parser::parse_text;

/// Parses and type-checks a closure or one kernel; an error is the list of messages.
pub(crate) fn typed(text: &str) -> Result<Program, String> {
    chosen(text, |_| true)
}

/// The same for one kernel of several.
pub(crate) fn typed_kernel(text: &str, name: &str) -> Result<Program, String> {
    chosen(text, |program| program.name == name)
}

fn chosen(text: &str, is_chosen: impl Fn(&Program) -> bool) -> Result<Program, String> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(render(&parsed.errors));
    }
    match parsed.input {
        Some(Input::Closure(closure)) => infer_closure(&closure).map_err(|errors| render(&errors)),
        Some(Input::Items(items)) => {
            let items = infer_items(&items).map_err(|errors| render(&errors))?;
            items.kernels.into_iter().find(is_chosen).ok_or_else(|| "no kernel".to_owned())
        }
        Some(Input::Inline(_)) | None => Err("neither a closure nor an item".to_owned()),
    }
}

/// A program that a launch checks for what the rules need.
pub(crate) fn with_needs(rewritten: &Rewritten) -> Program {
    let mut program = rewritten.program.clone();
    program.obligations.extend(rewritten.needs.iter().map(|need| Obligation {
        requirement: need.requirement.clone(),
        text: String::new(),
        source: match need.purpose {
            Purpose::RoomSuffices | Purpose::Positive => Source::UNKNOWN,
            // A primitive needs it again when the text of the program is read.
            _ => program.body.source,
        },
    }));
    program
}

fn render(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    messages.join("\n")
}
