//! Limits how many delayed arrays an element is read through.
//!
//! Code generation makes a nested call for each of these arrays. The height of a program's tree is bounded by
//! the parser and where functions are inlined. But a variable may be bound to an array that is computed from
//! another variable, and so on. Programs that pass this check are compiled within two megabytes of stack by
//! an unoptimised compiler.

use super::error::{Error, Violation};
use crate::flat::FlatMap;
use crate::ir::typed::{Application, Expr, ExprKind, Lambda, Program};

/// The most delayed arrays on the way to an element.
const DEEPEST: usize = 400;

/// The first expression with too many, as an error.
pub(super) fn too_deep(program: &Program) -> Option<Error> {
    let mut depths = Depths { known: FlatMap::new(), found: None };
    depths.of(&program.body);
    depths.found
}

struct Depths {
    /// The depths of the arrays that variables are bound to.
    known: FlatMap<u32, usize>,
    found: Option<Error>,
}

impl Depths {
    /// The number of arrays that an element of a value is read through.
    fn of(&mut self, expr: &Expr) -> usize {
        let behind = match &expr.kind {
            ExprKind::Variable(variable) => return self.known.get(&variable.id).copied().unwrap_or(0),
            ExprKind::Let { bindings, body } => {
                for binding in bindings {
                    let depth = self.of(&binding.value);
                    if !binding.value.ty.is_element() {
                        self.known.insert(binding.variable.id, depth);
                    }
                }
                return self.of(body);
            }
            _ => match expr.application() {
                Some(application) => self.of_application(application),
                None => expr.children().map(|child| self.of(child)).max().unwrap_or(0),
            },
        };
        let depth = behind + 1;
        if depth > DEEPEST && self.found.is_none() {
            self.found = Some(Error { source: expr.source, violation: Violation::TooDeep { most: DEEPEST } });
        }
        match &expr.kind {
            ExprKind::Store(..) => 0,
            _ => depth,
        }
    }

    fn of_application(&mut self, application: Application<'_>) -> usize {
        let initial = application.initial().map_or(0, |initial| self.of(initial));
        match application {
            Application::Map(_, function, input)
            | Application::Reduce(_, function, _, input)
            | Application::Scan(_, function, _, input)
            | Application::Iterate(_, function, input) => {
                let input = self.of(input);
                input.max(initial).max(self.of_body(function, input))
            }
            Application::Generate(function) => self.of_body(function, 0),
            Application::Lanewise(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.of(argument)).max().unwrap_or(0);
                arguments.max(self.of(&function.body))
            }
        }
    }

    /// The same for the body of a function that takes elements, which may be rows, of an array.
    fn of_body(&mut self, function: &Lambda, input: usize) -> usize {
        let rows = function.parameters.iter().filter(|(_, ty)| !ty.is_element());
        self.known.extend(rows.map(|(variable, _)| (variable.id, input)));
        self.of(&function.body)
    }
}
