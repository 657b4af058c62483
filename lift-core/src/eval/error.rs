//! The reasons why a program has no value for some arguments.

use std::error::Error;
use std::fmt;

use crate::ir::source::Source;

/// The reason why a program has no value for some arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum EvalError {
    /// The program takes another number of arguments.
    ArgumentCount {
        /// The number of parameters.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// A size was given for a value, a value for a size, or a value of another type or shape.
    Argument {
        /// The parameter's name.
        parameter: String,
        /// The type that the argument does not have.
        expected: String,
    },
    /// No value of a size variable explains the arguments, or the search did not try such a value.
    UnsolvedSize {
        /// The user's name for the size.
        name: String,
    },
    /// A size is smaller than the program accepts.
    SizeTooSmall {
        /// The user's name for the size.
        name: String,
        /// The smallest accepted value.
        minimum: u64,
        /// The actual value.
        found: i128,
    },
    /// No argument fixes an element type, or one fixes it to a type without the operations that the program
    /// needs.
    ElementType {
        /// The position of the type parameter.
        index: usize,
    },
    /// An obligation does not hold.
    Obligation {
        /// The obligation in the user's words.
        text: String,
    },
    /// A size has no value: a division by zero, an overflow, or an unknown variable.
    UndefinedSize {
        /// The expression that needs it.
        source: Source,
    },
    /// A position outside an array was read or written.
    OutOfBounds {
        /// The primitive that uses it.
        source: Source,
        /// The position.
        position: i128,
        /// The length of the array.
        length: usize,
    },
    /// A scatter puts two elements at one position.
    NoPermutation {
        /// The scatter.
        source: Source,
        /// The position.
        position: i128,
    },
    /// An expression does not have the value that its type promises: the fault of an earlier stage, not the
    /// user's.
    Malformed {
        /// The expression.
        source: Source,
        /// What is wrong.
        what: String,
    },
}

impl fmt::Display for EvalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::ArgumentCount { expected, found } => {
                write!(formatter, "expected {expected} arguments, found {found}")
            }
            EvalError::Argument { parameter, expected } => {
                write!(formatter, "the argument for `{parameter}` must be {expected}")
            }
            EvalError::UnsolvedSize { name } => {
                write!(formatter, "no value of the size `{name}` fits the arguments")
            }
            EvalError::SizeTooSmall { name, minimum, found } => {
                write!(formatter, "the size `{name}` must be at least {minimum}, found {found}")
            }
            EvalError::ElementType { index } => {
                write!(
                    formatter,
                    "no argument fixes the element type T{index} to one that the program accepts"
                )
            }
            EvalError::Obligation { text } => formatter.write_str(text),
            EvalError::UndefinedSize { .. } => {
                formatter.write_str("a size is not defined for these arguments")
            }
            EvalError::OutOfBounds { position, length, .. } => {
                write!(formatter, "position {position} of an array of length {length} was used")
            }
            EvalError::NoPermutation { position, .. } => {
                write!(formatter, "a scatter puts two elements at position {position}: it is no permutation")
            }
            EvalError::Malformed { what, .. } => write!(formatter, "not a well-typed program: {what}"),
        }
    }
}

impl Error for EvalError {}
