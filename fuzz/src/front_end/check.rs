//! What must hold for every program, right or wrong. The front end ends soon, without a panic and without an
//! internal error. It reports what is wrong or prints kernels of a bounded length, and does so the same way
//! every time.

use lift_core::compile;
use lift_core::compiled::Compiled;
use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_parser::parse_text;

use super::symptom::symptom;

/// The greatest length of a printed program in bytes, for either backend: two reductions of rows of floats in
/// the elements of a reduction that is divided take 64,000,
const LONGEST: usize = 70_000;

/// or as many bytes for each byte of the program, where that is more: five reductions of whole arrays take five
/// times as much text as one.
const LONGEST_PER_BYTE: usize = 300;

/// The outcome for a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Compiled,
    Refused,
    /// It broke a rule; this names the rule, without what is particular to the program.
    Broken(String),
}

/// Compiles a program as the macro does, and compares the results of two compilations.
pub(crate) fn outcome(text: &str) -> Outcome {
    let (first, second) = (kernels(text), kernels(text));
    if first != second {
        return Outcome::Broken("two compilations differ".to_owned());
    }
    match first {
        Ok(kernels) => kernels
            .iter()
            .find_map(|kernel| too_long(kernel, text))
            .map_or(Outcome::Compiled, Outcome::Broken),
        Err(messages) => {
            let internal = messages.iter().find(|message| message.message.contains("internal error"));
            match internal {
                Some(message) => Outcome::Broken(symptom(&message.message)),
                None if messages.is_empty() => Outcome::Broken("refused without a message".to_owned()),
                None => Outcome::Refused,
            }
        }
    }
}

/// What a user gets for a program: its kernels for both backends, or messages.
pub(crate) fn rendered(text: &str) -> String {
    let texts: Vec<_> = match kernels(text) {
        Ok(kernels) => {
            let host =
                |kernel: &Compiled| kernel.host.as_ref().map_or(String::new(), |host| host.text.clone());
            kernels.iter().flat_map(|kernel| [kernel.plain.source.clone(), host(kernel)]).collect()
        }
        Err(messages) => messages.iter().map(Diagnostic::render).collect(),
    };
    texts.join("\n")
}

fn too_long(kernel: &Compiled, program: &str) -> Option<String> {
    let longest = LONGEST.max(LONGEST_PER_BYTE * program.len());
    let host = kernel.host.as_ref().map_or(0, |host| host.text.len());
    match (kernel.plain.source.len() > longest, host > longest) {
        (true, _) => Some("more OpenCL C than the program's length explains".to_owned()),
        (false, true) => Some("more Rust than the program's length explains".to_owned()),
        (false, false) => None,
    }
}

/// Everything that the macro does up to the kernels.
fn kernels(text: &str) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
    typed(text)?.iter().map(compile).collect()
}

/// The typed kernels of a program.
pub(crate) fn typed(text: &str) -> Result<Vec<Program>, Vec<Diagnostic>> {
    let parsed = parse_text(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    match &parsed.input {
        Some(Input::Inline(expression)) => Ok(vec![infer_inline(expression)?]),
        Some(Input::Closure(expression)) => Ok(vec![infer_closure(expression)?]),
        Some(Input::Items(items)) => Ok(infer_items(items)?.kernels),
        None => Err(Vec::new()),
    }
}
