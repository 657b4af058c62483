//! A chain of functions applied to a value, and the ways to write it.

use super::choices::Choices;
use super::types::Type;

/// A function with all its arguments but the data.
#[derive(Debug, Clone)]
pub(crate) enum Stage {
    /// A primitive: `split(2)`, `join`.
    Primitive(&'static str, Vec<String>),
    /// A lambda, in parentheses.
    Lambda(String),
}

/// A value and what is applied to it, innermost first.
#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    pub(crate) head: String,
    pub(crate) stages: Vec<Stage>,
    /// The type of the whole.
    pub(crate) ty: Type,
}

impl Stage {
    /// As a function: `split(2)`.
    pub(crate) fn function(&self) -> String {
        match self {
            Stage::Primitive(name, arguments) if arguments.is_empty() => (*name).to_owned(),
            Stage::Primitive(name, arguments) => format!("{name}({})", arguments.join(", ")),
            Stage::Lambda(text) => text.clone(),
        }
    }

    /// Applied: `split(2, a)`, `split(2)(a)` or `a >> split(2)`.
    fn applied(&self, input: &str, choices: &mut Choices) -> String {
        match self {
            Stage::Primitive(name, arguments) if choices.one_in(3) => {
                let mut arguments = arguments.clone();
                arguments.push(input.to_owned());
                format!("{name}({})", arguments.join(", "))
            }
            Stage::Primitive(..) if choices.one_in(6) => format!("{}({input})", self.function()),
            Stage::Primitive(..) | Stage::Lambda(_) => format!("{input} >> {}", self.function()),
        }
    }
}

impl Pipeline {
    pub(crate) fn new(head: &str, ty: Type) -> Pipeline {
        Pipeline { head: head.to_owned(), stages: Vec::new(), ty }
    }

    pub(crate) fn push(&mut self, stage: Stage, ty: Type) {
        self.stages.push(stage);
        self.ty = ty;
    }

    /// As an expression.
    pub(crate) fn text(&self, choices: &mut Choices) -> String {
        let apply = |input: String, stage: &Stage| stage.applied(&input, choices);
        self.stages.iter().fold(self.head.clone(), apply)
    }

    /// As a function of the variable at its head without a lambda, if that is used nowhere else.
    pub(crate) fn composition(&self, parameter: &str) -> Option<String> {
        let functions: Vec<_> = self.stages.iter().map(Stage::function).collect();
        let elsewhere = functions.iter().any(|function| mentions(function, parameter));
        if self.head != parameter || elsewhere || functions.is_empty() {
            return None;
        }
        Some(functions.join(" >> "))
    }
}

/// Whether a text has a name in it.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
}
