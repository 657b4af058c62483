//! Arrays that a primitive cannot take.

use super::remedy::Remedy;
use super::words::because;
use super::{KnownType, enumerated, quoted, signature};
use crate::diagnostic::Diagnostic;
use crate::front::infer::unknowns::Mismatch;
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::Row;
use crate::ir::source::Source;

/// An array, or a function on its elements, that does not suit a primitive.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum ArrayMistake {
    /// Its elements differ in length, and the primitive needs elements of one type.
    Irregular {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the array.
        ty: KnownType,
    },
    /// Its rows differ in length, and have no columns.
    Columns {
        /// The primitive, as it was written.
        name: &'static str,
        /// The position of a row.
        row: Var,
        /// The type of the array.
        ty: KnownType,
        /// The length of the row at the position.
        length: Nat,
    },
    /// Its rows have elements whose lengths depend on the row, and the joined array would need a formula for
    /// them.
    Joined {
        /// The type of the array.
        ty: KnownType,
    },
    /// Its rows have other lengths than rows that take the elements of an array in turn.
    Interleaved {
        /// The type of the array.
        ty: KnownType,
        /// The position of a row.
        row: Var,
        /// The length of the row at the position.
        length: Nat,
    },
    /// Keys or positions of elements are no integers.
    Keys {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the array of keys.
        ty: KnownType,
    },
    /// The bits of elements say nothing of their order, or are not known.
    Unsortable {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the array.
        ty: KnownType,
    },
    /// The keys of elements that are sorted have no order, or their type is not known.
    UnsortableKeys {
        /// The type of a key.
        ty: KnownType,
        /// Whether it is a number of a type that is not known.
        is_number: bool,
    },
    /// There is no least and no greatest element.
    Unordered {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the array.
        ty: KnownType,
        /// Whether the elements are truth values.
        are_truths: bool,
    },
    /// Arrays of different lengths are zipped.
    Zipped {
        /// The primitive, as it was written.
        name: &'static str,
        /// The types of the arrays.
        types: Vec<KnownType>,
        /// Which lengths are not equal.
        mismatch: Mismatch,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// Arrays with elements of different types are concatenated.
    Concatenated {
        /// The types of the arrays.
        types: Vec<KnownType>,
        /// Why their elements are not of one type.
        mismatch: Mismatch,
    },
    /// The elements of `unzip` are no tuples.
    Unzipped {
        /// The primitive.
        row: &'static Row,
        /// The type of the array.
        ty: KnownType,
    },
    /// A value of another type is added at the border.
    Border {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the value.
        value: KnownType,
        /// The type of the elements.
        element: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
        /// The number of dimensions of the array, where a primitive pads all of them.
        dimensions: Option<usize>,
    },
    /// A function gives another type than the accumulator.
    Accumulator {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type that the function gives.
        found: KnownType,
        /// The type of the accumulator.
        accumulator: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
    },
    /// The function of a reduction that may end early gives no pair of a truth value and an accumulator.
    Step {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type that the function gives.
        found: KnownType,
        /// The type of the accumulator.
        accumulator: KnownType,
        /// Why they do not fit.
        mismatch: Mismatch,
    },
    /// A function that is applied to its own result gives another type than it starts with.
    Repeated {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type that the function gives.
        found: KnownType,
        /// The type of the first value.
        initial: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
    },
    /// What says whether to go on gives no truth value.
    Condition {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type that it gives.
        found: KnownType,
    },
    /// A loop of one work-item starts with an array.
    NoElement {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type of the first value.
        found: KnownType,
    },
    /// A function of two elements gives no element.
    Scanned {
        /// The type that the function gives.
        found: KnownType,
        /// The type of an element.
        element: KnownType,
        /// Why they are not equal.
        mismatch: Mismatch,
    },
    /// A function that is applied to its own result gives something else than it takes.
    Iterated {
        /// The primitive, as it was written.
        name: &'static str,
        /// The type that the function gives.
        found: KnownType,
        /// The type that it takes.
        parameter: KnownType,
    },
    /// A function that knows the number of its application changes the length of the array.
    CountedLengths {
        /// What the function calls the number.
        step: String,
        /// How many elements it makes.
        next: Nat,
    },
    /// A function that is applied to its own result makes arrays of lengths for which there is no formula.
    IteratedLengths {
        /// The call.
        call: String,
        /// How many elements the function makes of `n`.
        next: Nat,
    },
}

impl ArrayMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            ArrayMistake::Irregular { name, ty } => says(format!(
                "`{name}` needs elements of one type, but the lengths in {ty} depend on the position"
            ))
            .with_help("inside a `map` over this array, a row is an array like any other"),
            ArrayMistake::Columns { name, row, ty, length } => says(format!(
                "`{name}` needs rows of one length, but row `{row}` of {ty} has {} elements",
                quoted(length)
            ))
            .with_help("`padConstant(0, n - len(row), z)` makes rows of one length"),
            ArrayMistake::Joined { ty } => says(format!(
                "`join`: the lengths of the elements of {ty} depend on their row, and no formula for the \
                 joined array is known"
            ))
            .with_help("join the inner rows first: `map(join) >> join`"),
            ArrayMistake::Interleaved { ty, row, length } => says(format!(
                "`interleave` needs rows that take elements in turn, but row `{row}` of {ty} has {} elements",
                quoted(length)
            ))
            .with_help(
                "row `l` of `p` has `(n - l + p - 1) / p` of `n` elements, as `deinterleave(p)` makes them; \
                 `join` puts rows of any lengths one after another",
            ),
            ArrayMistake::Keys { name: "scatterTo", ty } => {
                says(format!("`scatterTo` needs an array of integers as positions, but they are {ty}"))
                    .with_help("`map(|x| x as i32, positions)` makes integers")
            }
            ArrayMistake::Keys { name: name @ ("segments" | "reduceSegments"), ty } => {
                says(format!("`{name}` needs an array of integers as offsets, but they are {ty}"))
                    .with_help("`map(|x| x as i32, offsets)` makes integers")
            }
            ArrayMistake::Keys { name, ty } => {
                says(format!("`{name}` needs an array of integers as keys, but they are {ty}"))
                    .with_help("a key is a position in the table: `map(|x| x as i32, keys)` makes integers")
            }
            ArrayMistake::Unsortable { name, ty } => says(format!(
                "`{name}` needs an array of numbers or truth values of a known type, but this is {ty}"
            ))
            .with_help(
                "`sortBy(key, xs)` sorts other elements by a number; a `fn` with types for its parameters says which \
                 type elements have",
            ),
            ArrayMistake::UnsortableKeys { ty, is_number } => says(format!(
                "a key of `sortBy` is a number or a truth value of a known type, but this is {ty}"
            ))
            .with_help(match is_number {
                true => "a cast says of which type it is: `|x| … as i32`",
                false => {
                    "elements with equal keys stay in their order: sort by the less important key first, and then \
                     by the other one"
                }
            }),
            ArrayMistake::Unordered { name, ty, are_truths } => {
                says(format!("`{name}` needs an array of numbers, but this is {ty}")).with_help(match are_truths {
                    true => "`map(|x| if x { 1 } else { 0 })` makes numbers",
                    false => "`map(f)` before it makes a number of each element, `join` makes one array of rows",
                })
            }
            ArrayMistake::Zipped { name, types, mismatch, remedy } => Diagnostic {
                help: remedy.as_ref().map(Remedy::help),
                ..says(format!(
                    "`{name}` needs arrays of one length, but they are {}{}",
                    enumerated(types),
                    because(mismatch)
                ))
            },
            ArrayMistake::Concatenated { types, mismatch } => says(format!(
                "`concat` needs arrays with elements of one type, but they are {}{}",
                enumerated(types),
                because(mismatch)
            )),
            ArrayMistake::Unzipped { row, ty } => {
                says(format!("`unzip` needs an array of tuples, but this is {ty}")).with_help(signature(row))
            }
            ArrayMistake::Border { name, value, element, mismatch, dimensions } => Diagnostic {
                help: dimensions.map(|dimensions| format!("`padConstant{dimensions}` pads all dimensions")),
                ..says(format!("`{name}` adds {value} to an array of {element}{}", because(mismatch)))
            },
            ArrayMistake::Accumulator { name, found, accumulator, mismatch } => says(format!(
                "the function of `{name}` gives {found}, but the accumulator is {accumulator}{}",
                because(mismatch)
            ))
            .with_help(format!(
                "`{name}(f, z)` starts with `z` and replaces it by `f(z, x)`: both have one type"
            )),
            ArrayMistake::Step { name, found, accumulator, mismatch } => says(format!(
                "the function of `{name}` gives {found}, and not whether to go on and the next accumulator, \
                 which is {accumulator}{}",
                because(mismatch)
            ))
            .with_help(format!(
                "`{name}(f, z)` starts with `z`; `f(z, x)` is a pair: `(true, next)` replaces `z` by `next`, \
                 `(false, _)` ends with `z`"
            )),
            ArrayMistake::Repeated { name, found, initial, mismatch } => says(format!(
                "the function of `{name}` gives {found}, but the value that it starts with is {initial}{}",
                because(mismatch)
            ))
            .with_help(format!("`{name}(limit, c, f, z)` replaces `z` by `f(z)`: both have one type")),
            ArrayMistake::Condition { name, found } => {
                says(format!("the condition of `{name}` gives {found} instead of `bool`"))
                    .with_help(format!("`{name}(limit, c, f, z)` goes on while `c(z)` is `true`"))
            }
            ArrayMistake::NoElement { name, found } => {
                let (arrays, help) = match *name {
                    "iterateWhile" => {
                        (", or an array", "`zip` makes one array of several arrays of one length")
                    }
                    _ => ("", "`reduceSeq` has accumulators that are arrays"),
                };
                says(format!(
                    "`{name}` starts with a number, a vector or a tuple of such{arrays}, but this is {found}"
                ))
                .with_help(help)
            }
            ArrayMistake::Scanned { found, element, mismatch } => says(format!(
                "the function of `scanInclusive` gives {found}, but an element is {element}{}",
                because(mismatch)
            ))
            .with_help(
                "`scanInclusive(f)` combines elements: all have one type; `scan(f, z)` starts with any `z`",
            ),
            ArrayMistake::Iterated { name, found, parameter } => {
                says(format!("the function of `{name}` makes {found} of {parameter}")).with_help(match *name {
                    "iterateWhile" => "it is applied to its own result: nothing of its type may change",
                    _ => "it is applied to its own result: only the outermost length may change",
                })
            }
            ArrayMistake::CountedLengths { step, next } => says(format!(
                "the function of `iterate` names its step, `{step}`, and makes {} elements: it must keep the \
                 length of the array",
                quoted(next)
            ))
            .with_help("without the name of its step, it may change the length by a fixed amount or factor"),
            ArrayMistake::IteratedLengths { call, next } => says(format!(
                "`{call}`: the length after any number of applications is not known: the function makes {} \
                 elements of `n`",
                quoted(next)
            ))
            .with_help(
                "`n + c`, `c * n` and `n / c` elements are possible, and any number of them where the number \
                 of applications is a literal up to 64",
            ),
        }
    }
}
