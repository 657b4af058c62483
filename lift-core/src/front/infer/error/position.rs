//! Positions: functions on them, borders, rows of lengths that depend on them.

use super::{BOUNDARIES, Callee, KnownType, counted, quoted};
use crate::diagnostic::Diagnostic;
use crate::ir::nat::Nat;
use crate::ir::source::Source;

/// Positions, or a function on them, that a primitive cannot take.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum PositionMistake {
    /// Positions that are data, where a function on positions stands.
    Data {
        /// The call.
        call: String,
        /// The array of positions.
        name: String,
        /// What stands there.
        found: DataFound,
        /// What happens at the positions.
        access: Access,
    },
    /// A function of another number of parameters.
    Parameters {
        /// How many it takes.
        takes: usize,
        /// How many it is given.
        given: usize,
    },
    /// A function that maps values.
    Function(Callee),
    /// A position is taken apart.
    Tuple,
    /// A position is a vector.
    Vector {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type.
        ty: KnownType,
    },
    /// A position that is mapped outside of the array.
    Outside {
        /// The call.
        call: String,
        /// The position.
        position: Nat,
        /// Where it is mapped.
        image: Nat,
        /// The length of the array.
        length: Nat,
    },
    /// Every position is mapped outside of the array.
    NeverInside {
        /// The call.
        call: String,
        /// The length of the array.
        length: Nat,
    },
    /// Two positions are mapped to one.
    Collision {
        /// The call.
        call: String,
        /// The first.
        first: Nat,
        /// The second.
        second: Nat,
        /// Where both are mapped.
        image: Nat,
    },
    /// A function that knows its position where there is none.
    Unknown {
        /// Its name for the position.
        name: String,
        /// What takes the function.
        taker: Taker,
    },
    /// A name that is no boundary.
    Boundary(String),
    /// A number that is no boundary.
    NumberAsBoundary,
    /// `caseSplit()`
    NoRows,
    /// `caseSplit` of another number of rows than are made.
    Rows {
        /// How many lengths it gives.
        lengths: usize,
        /// How many rows are made.
        rows: i128,
    },
}

/// Positions that are data.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front::infer) enum DataFound {
    /// An array of them, of this type.
    Array(KnownType),
    /// A function that takes one out of an array.
    Element,
}

/// What takes a function that knows its position and has none to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Taker {
    /// A primitive that applies it to something else than the elements of an array.
    Primitive(&'static str),
    /// A primitive that applies it to the elements of an array of several dimensions.
    Nested(&'static str),
    /// A primitive that applies it to each element, and has no use for positions.
    Ordering(&'static str),
    /// A primitive that applies it to positions.
    OfPositions,
    /// A call of the function itself.
    Call,
    /// A kernel value, which is the function.
    Kernel,
}

/// What happens at the positions that an index function gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Access {
    /// An element is read there.
    Read,
    /// An element is written there.
    Write,
}

/// What gives a function its position.
const GIVES_POSITIONS: &str = "`map`, `reduce` and `scan` of all kinds give the position of each element: \
                               `map(|i => x| …)`, `reduce(|i => acc, x| …, z)`; `iterate` gives the number of \
                               the step: `iterate(m, |k => xs| …)`";

impl PositionMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            PositionMistake::Data { call, name, found, access } => {
                let found = match found {
                    DataFound::Array(ty) => format!("`{name}` is {ty}"),
                    DataFound::Element => format!("this is an element of `{name}`, which is data"),
                };
                let help = match access {
                    Access::Read => format!(
                        "`map(|i| at(i, xs), {name})` reads the elements of `xs` at positions that are data"
                    ),
                    Access::Write => format!(
                        "nothing is written at positions that are data; `map(|i| at(i, xs), q)` reads at \
                         those of `q`, which does the same where `q` is the inverse of `{name}`: `i` stands \
                         in `q` at the position that `{name}` has at `i`"
                    ),
                };
                says(format!("`{call}` takes a function on positions, but {found}")).with_help(help)
            }
            PositionMistake::Parameters { takes, given } => {
                let (needed, help) = match given {
                    1 => (
                        "1 is".to_owned(),
                        "`|i| …` takes a position alone; other sizes are used by their names, or as \
                         `len(xs)`",
                    ),
                    several => (
                        format!("{several} are"),
                        "`|i, n| …` maps a position `i` outside of an array of length `n`",
                    ),
                };
                let takes = counted(*takes, "parameter");
                says(format!("this function on positions takes {takes}, and {needed} needed")).with_help(help)
            }
            PositionMistake::Function(callee) => says(format!("{callee} is no function on positions"))
                .with_help(
                    "positions are mapped by `|i| …` with size arithmetic, `reverse`, `stride(s)` or \
                     `rotate(k)`",
                ),
            PositionMistake::Tuple => says("a position is one number, and cannot be taken apart".to_owned()),
            PositionMistake::Vector { name, ty } => {
                says(format!("`{name}` takes an integer, but this is {ty}"))
            }
            PositionMistake::Outside { call, position, image, length } => says(format!(
                "`{call}`: position {} is mapped to {}, outside the array of {} elements",
                quoted(position),
                quoted(image),
                quoted(length)
            ))
            .with_help("an index stays inside with `% n`, or with `min` and `max`"),
            PositionMistake::NeverInside { call, length } => {
                says(format!("`{call}`: no position is mapped into the array of {} elements", quoted(length)))
            }
            PositionMistake::Collision { call, first, second, image } => says(format!(
                "`{call}`: positions {first} and {second} are both mapped to {}: this is no permutation",
                quoted(image)
            ))
            .with_help(
                "`reverse`, `stride(s)`, `rotate(k)` and functions that undo themselves are permutations; \
                 `gather(f)` takes any function, and reads where `scatter` would write",
            ),
            PositionMistake::Unknown { name, taker } => match taker {
                Taker::Primitive(taker) => says(format!(
                    "`{taker}` applies its function to no element of an array: there is no position `{name}`"
                ))
                .with_help(GIVES_POSITIONS),
                Taker::Nested(taker) => says(format!(
                    "an element has several positions under `{taker}`, and `{name}` is a single one"
                ))
                .with_help("`map(|i => row| row >> map(|j => x| …))` names the position in each dimension"),
                Taker::Ordering(taker) => {
                    says(format!("`{taker}` does not give its function the position `{name}` of an element"))
                        .with_help("`enumerate` before it makes pairs of positions and elements")
                }
                Taker::OfPositions => says(format!(
                    "a function on positions is applied to no element of an array: there is no position \
                     `{name}` beside its parameters"
                ))
                .with_help("`|i| …` takes the position as its parameter"),
                Taker::Call => says(format!("a function that is called has no position `{name}`"))
                    .with_help(GIVES_POSITIONS),
                Taker::Kernel => {
                    says(format!("a kernel has no position `{name}`")).with_help(GIVES_POSITIONS)
                }
            },
            PositionMistake::Boundary(name) => says(format!("`{name}` is no boundary")).with_help(BOUNDARIES),
            PositionMistake::NumberAsBoundary => says("a number is no boundary".to_owned())
                .with_help(format!("{BOUNDARIES}\nhelp: `padConstant` adds elements of one value")),
            PositionMistake::NoRows => {
                says("`caseSplit` takes the length of every row, and is given none".to_owned())
                    .with_help("`partition(3, caseSplit(a, b, c))`")
            }
            PositionMistake::Rows { lengths, rows } => says(format!(
                "`caseSplit` gives the lengths of {}, but `partition` makes {rows}",
                counted(*lengths, "row")
            )),
        }
    }
}
