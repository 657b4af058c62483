//! Values of another type than is needed.

use super::remedy::Remedy;
use super::words::because;
use super::{KnownType, counted};
use crate::diagnostic::Diagnostic;
use crate::front::infer::unknowns::Mismatch;
use crate::ir::source::Source;
use std::fmt;

/// Types that cannot be equal.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum TypeMistake {
    /// Something has another type than its place.
    Expected {
        /// The place.
        place: Place,
        /// The type that is needed there.
        wanted: KnownType,
        /// The type of what stands there.
        found: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// The body of an item has another type than is declared.
    Result {
        /// The item.
        item: String,
        /// The type that is declared.
        declared: KnownType,
        /// The type of the body.
        found: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// A value has another type than its pattern.
    Annotated {
        /// The type that is written.
        written: KnownType,
        /// The type of the value.
        found: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
    },
    /// A pattern takes something apart that is no tuple with that many components.
    Pattern {
        /// The number of components.
        count: usize,
        /// The type of the value.
        ty: KnownType,
    },
    /// A pattern takes something apart that is no array with that many elements.
    ArrayPattern {
        /// The number of elements.
        count: usize,
        /// The type of the value.
        ty: KnownType,
        /// Why it is no such array.
        mismatch: Mismatch,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// The elements of an array literal differ.
    Elements {
        /// The type of the first.
        first: KnownType,
        /// The type of another one.
        other: KnownType,
    },
    /// The branches of an `if` differ.
    Branches {
        /// The type of the first.
        then: KnownType,
        /// The type of the second.
        otherwise: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
    },
    /// A tuple has fewer components.
    NoComponent {
        /// The component that is taken.
        position: usize,
        /// How many there are.
        count: usize,
        /// The type of the tuple.
        ty: KnownType,
    },
    /// A field is taken of a value that is no struct of Rust.
    NoField {
        /// The field.
        name: String,
    },
    /// A component is taken of an array.
    ComponentOfArray {
        /// The component.
        position: usize,
        /// The type of the array.
        ty: KnownType,
    },
    /// A component is taken of something of unknown type.
    ComponentOfUnknown,
    /// A component is taken of something else.
    ComponentOfOther {
        /// The component.
        position: usize,
        /// Its type.
        ty: KnownType,
    },
}

/// The place of a value that must have a certain type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::front::infer) enum Place {
    /// The operand of `!`.
    Inverted,
    /// An operand of a logical operator.
    Operand(&'static str),
    /// The condition of `if`, `select` or `filter`.
    Condition(&'static str),
    /// An element of an array.
    Element,
    /// The value of a constant with this name.
    Constant(String),
    /// A parameter of an item.
    Parameter {
        /// Its name.
        name: String,
        /// The item.
        item: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Inverted => formatter.write_str("the operand of `!`"),
            Place::Operand(operator) => write!(formatter, "an operand of `{operator}`"),
            Place::Condition(of) => write!(formatter, "the condition of `{of}`"),
            Place::Element => formatter.write_str("an element of the array"),
            Place::Constant(name) => write!(formatter, "the constant `{name}`"),
            Place::Parameter { name, item } => write!(formatter, "the parameter `{name}` of `{item}`"),
        }
    }
}

impl TypeMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            TypeMistake::Expected { place, wanted, found, mismatch, remedy } => Diagnostic {
                help: remedy.as_ref().map(Remedy::help),
                ..says(format!("{place} is {wanted}, but this is {found}{}", because(mismatch)))
            },
            TypeMistake::Result { item, declared, found, mismatch, remedy } => Diagnostic {
                help: remedy.as_ref().map(Remedy::help),
                ..says(format!(
                    "the declared result of `{item}` is {declared}, but its body gives {found}{}",
                    because(mismatch)
                ))
            },
            TypeMistake::Annotated { written, found, mismatch } => says(format!(
                "the type is written as {written}, but the value is {found}{}",
                because(mismatch)
            )),
            TypeMistake::Pattern { count, ty } => {
                says(format!("this pattern takes {}, but the value is {ty}", counted(*count, "component")))
            }
            TypeMistake::ArrayPattern { count, ty, mismatch, remedy } => Diagnostic {
                help: remedy.as_ref().map(Remedy::help),
                ..says(format!(
                    "this pattern takes an array of {}, but the value is {ty}{}",
                    counted(*count, "element"),
                    because(mismatch)
                ))
            },
            TypeMistake::Elements { first, other } => {
                says(format!("the elements of an array have one type: the first is {first}, this is {other}"))
            }
            TypeMistake::Branches { then, otherwise, mismatch } => Diagnostic {
                help: match mismatch {
                    Mismatch::Size(..) => Some(
                        "`slice` takes a part of the longer array, and `padConstant` fills the shorter one up"
                            .to_owned(),
                    ),
                    Mismatch::Shape => None,
                },
                ..says(format!(
                    "the branches of `if` have one type, but they are {then} and {otherwise}{}",
                    because(mismatch)
                ))
            },
            TypeMistake::NoComponent { position, count, ty } => {
                says(format!("there is no component {position}: the tuple is {ty}"))
                    .with_help(format!("components are numbered from 0 to {}", count.saturating_sub(1)))
            }
            TypeMistake::NoField { name } => says(format!("`.{name}` is no component of a tuple"))
                .with_help("components are `.0`, `.1`, …; a method needs its `()`"),
            TypeMistake::ComponentOfArray { position, ty } => {
                says(format!("component {position} is taken of an array, {ty}"))
                    .with_help(format!("`map(get({position}))` takes it of every element"))
            }
            TypeMistake::ComponentOfUnknown => says("the type of this tuple is not known here".to_owned())
                .with_help("take it apart with a pattern: `|(x, y)| …`"),
            TypeMistake::ComponentOfOther { position, ty } => {
                says(format!("component {position} is taken of {ty}, which is no tuple"))
            }
        }
    }
}
