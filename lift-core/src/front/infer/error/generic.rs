//! Mistakes in the types that an item declares.

use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;

/// What is wrong with a declared type.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum GenericMistake {
    /// It has no bound.
    Unbounded(String),
    /// A trait that bounds no element types.
    UnknownBound(String),
    /// No type has all its bounds.
    NoSuchType(String),
    /// No parameter has it.
    Unused(String),
    /// Two generics of the item have this name.
    Twice(String),
    /// A law of a generic function on scalars.
    Laws {
        /// The function.
        function: String,
    },
    /// A number is converted to it, and it need not be a number.
    CastToElement {
        /// The type.
        name: String,
    },
    /// A number is converted to it that it may not hold.
    Cast {
        /// The type.
        name: String,
    },
}

/// What the bounds are.
const KNOWN: &str = "`Number` is for arithmetic, `Float` also for `sqrt` and the like, `Integer` also for bits, and \
                     `Element` for elements that are only moved and compared";

impl GenericMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            GenericMistake::Unbounded(name) => {
                says(format!("the type `{name}` needs a bound, as in `{name}: Number`")).with_help(KNOWN)
            }
            GenericMistake::UnknownBound(name) => {
                says(format!("`{name}` is no bound of element types")).with_help(KNOWN)
            }
            GenericMistake::NoSuchType(name) => {
                says(format!("no type is what all bounds of `{name}` ask for"))
                    .with_help("integers have no `sqrt`, and floats have no operators on bits")
            }
            GenericMistake::Unused(name) => says(format!("the type `{name}` occurs in no parameter"))
                .with_help("a call could not tell what it is; write the type out"),
            GenericMistake::Twice(name) => says(format!("two generics are named `{name}`")),
            GenericMistake::Laws { function } => says(format!(
                "`{function}` is generic and a part of whatever calls it, so that a law of it means nothing"
            ))
            .with_help("write a function for each type that needs the law"),
            GenericMistake::CastToElement { name } => {
                says(format!("`as` makes numbers, and `{name}` may be none"))
                    .with_help(format!("write the bound `{name}: Number`"))
            }
            GenericMistake::Cast { name } => {
                says(format!("`as {name}` converts floats only if `{name}` is a float")).with_help(format!(
                    "write the bound `{name}: Float`, or convert to an integer first: `x as i32 as {name}`"
                ))
            }
        }
    }
}
