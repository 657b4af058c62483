//! What typed programs say and the language cannot.

use std::fmt;

/// Something of a typed program that no `lift!` says. Programs that inference made have nothing of it, but
/// rules and lowering may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsayable {
    /// A `let` of something that is written again wherever it is used, such as a variable or a number.
    LetOfAtom {
        /// The name that it binds.
        name: String,
    },
    /// A `let` that nothing uses.
    UnusedLet {
        /// The name that it binds.
        name: String,
    },
    /// A vector made of a scalar where nothing says that a vector is expected.
    Broadcast,
    /// A component of a tuple that is written out, which is that component.
    ComponentOfTuple,
    /// The negation of a positive number, which is a negative number.
    NegatedNumber,
    /// A number that no literal has.
    Number {
        /// The number.
        digits: String,
    },
    /// `mapSeqSlide` of something that is not the windows of a `slide`.
    SlidingWithoutWindows,
    /// The end of an `iterate` with something before it in each application.
    End,
    /// A size inside of an `iterate` that depends on the application in a way that the length of the array
    /// does not tell.
    Counter {
        /// The size.
        size: String,
    },
    /// A size with cases or a sum, as a value: expressions have others than sizes.
    SizeAsValue {
        /// The size.
        size: String,
    },
    /// The length of an inner dimension of a parameter whose element type is open: it has no name.
    Length {
        /// What the program calls it.
        name: String,
    },
    /// A strategy that no item can name.
    Strategy {
        /// Its name.
        name: &'static str,
    },
    /// An element type that the arguments decide, where it must be written.
    OpenType,
    /// Something that only items have, such as `#[launch(…)]`, of a program with open element types, which no
    /// item has.
    OnlyOfItems {
        /// What it is.
        what: &'static str,
    },
}

impl fmt::Display for Unsayable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsayable::LetOfAtom { name } => {
                write!(formatter, "`{name}` is bound to something that is not bound when it is written")
            }
            Unsayable::UnusedLet { name } => write!(formatter, "nothing uses `{name}`"),
            Unsayable::Broadcast => {
                formatter.write_str("a scalar is made a vector where nothing says that a vector is expected")
            }
            Unsayable::ComponentOfTuple => {
                formatter.write_str("a component of a tuple that is written out is just that component")
            }
            Unsayable::NegatedNumber => formatter.write_str("the negation of a number is a number"),
            Unsayable::Number { digits } => write!(formatter, "no literal is {digits}"),
            Unsayable::SlidingWithoutWindows => {
                formatter.write_str("`mapSeqSlide` is a map over the windows of a `slide`, which is missing")
            }
            Unsayable::End => formatter.write_str(
                "an `iterateWhile` computes something before it knows whether there is a next step",
            ),
            Unsayable::Counter { size } => write!(
                formatter,
                "the size {size} inside of `iterate` does not follow from the length of the array"
            ),
            Unsayable::SizeAsValue { size } => {
                write!(formatter, "the size {size} is no value, because of its cases or its sum")
            }
            Unsayable::Length { name } => write!(formatter, "{name} is a length without a name"),
            Unsayable::Strategy { name } => {
                write!(formatter, "no `#[schedule(…)]` names the strategy `{name}`")
            }
            Unsayable::OpenType => {
                formatter.write_str("an element type that the arguments decide cannot be written")
            }
            Unsayable::OnlyOfItems { what } => {
                write!(formatter, "{what} stands at items, which have no open element types")
            }
        }
    }
}
