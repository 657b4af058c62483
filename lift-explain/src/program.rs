//! From a `lift!` to its typed programs.

use std::rc::Rc;

use lift_core::diagnostic::Diagnostic;
use lift_core::front::infer::{infer_closure, infer_inline, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::source::Source;
use lift_core::ir::typed::Program;
use lift_parser::{Parsed, Sources};

use crate::invocation::Invocation;
use crate::mistake::Mistake;

/// A typed program of a file.
pub(crate) struct Found {
    pub(crate) program: Program,
    /// The line of its function, or of the `lift!` where it is none.
    pub(crate) line: usize,
    /// What a user calls it: the name of its function, or the line of the `lift!` where it is none.
    pub(crate) called: String,
    sources: Rc<Sources>,
}

impl Found {
    /// Messages of the compiler about the program.
    pub(crate) fn mistakes(&self, diagnostics: &[Diagnostic]) -> Vec<Mistake> {
        Mistake::of(diagnostics, &self.sources, self.line)
    }
}

/// The programs of a `lift!`, in the order of the text.
pub(crate) fn programs(invocation: &Invocation) -> Result<Vec<Found>, Vec<Mistake>> {
    let Parsed { input, sources, errors, .. } = lift_parser::parse(invocation.tokens.clone());
    let typed = if errors.is_empty() { typed(input.as_ref()) } else { Err(errors) };
    let typed = typed.map_err(|diagnostics| Mistake::of(&diagnostics, &sources, invocation.line))?;
    let sources = Rc::new(sources);
    let found = typed.into_iter().map(|(program, source)| {
        let sources = sources.clone();
        match source {
            Some(source) => {
                let line = sources.range(source).first.start().line;
                Found { line, called: program.name.clone(), program, sources }
            }
            None => Found { line: invocation.line, called: invocation.line.to_string(), program, sources },
        }
    });
    Ok(found.collect())
}

/// Typed programs, each with the source of its name if it is a function.
fn typed(input: Option<&Input>) -> Result<Vec<(Program, Option<Source>)>, Vec<Diagnostic>> {
    let alone = |program| vec![(program, None)];
    match input {
        None => Ok(Vec::new()),
        Some(Input::Inline(expression)) => infer_inline(expression).map(alone),
        Some(Input::Closure(closure)) => infer_closure(closure).map(alone),
        Some(Input::Items(items)) => {
            let with_source = |program: Program| {
                let item = items.functions.iter().find(|item| item.name.name == program.name);
                (program, item.map(|item| item.name.source))
            };
            Ok(infer_items(items)?.kernels.into_iter().map(with_source).collect())
        }
    }
}
