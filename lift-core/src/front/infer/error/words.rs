//! How types, sizes and numbers of things stand in a sentence.

use std::fmt;
use std::sync::Arc;

use crate::front::infer::unknowns::Mismatch;
use crate::ir::nat::Nat;
use crate::ir::primitive::Row;
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::types::Type;
use crate::ir::types::display::Written;

/// A type as far as it was known where a mistake was found.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front::infer) enum KnownType {
    /// A scalar of a class: a number that nothing gave a type yet.
    Scalar(ScalarClass),
    /// Any other; what is not known of it is a type parameter. Those that the user declared have names.
    Type(Type, Vec<(usize, Arc<str>)>),
}

impl fmt::Display for KnownType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnownType::Scalar(class) => formatter.write_str(a_scalar(*class)),
            KnownType::Type(ty, names) => {
                let scalar = |scalar: &ScalarType| match scalar {
                    ScalarType::Parameter(parameter) => {
                        let declared = names.iter().find(|(index, _)| *index == parameter.index);
                        declared.map_or_else(|| "_".to_owned(), |(_, name)| name.to_string())
                    }
                    other => other.to_string(),
                };
                write!(formatter, "`{}`", Written { ty, scalar })
            }
        }
    }
}

/// A scalar of a class.
pub(super) fn a_scalar(class: ScalarClass) -> &'static str {
    match class {
        ScalarClass::Any => "a scalar",
        ScalarClass::Bits => "an integer or a truth value",
        ScalarClass::Number => "a number",
        ScalarClass::Integer => "an integer",
        ScalarClass::Float => "a floating-point number",
    }
}

/// A size: a number as it is, an expression in backticks.
pub(super) fn quoted(size: &Nat) -> String {
    match size.as_constant() {
        Some(number) => number.to_string(),
        None => format!("`{size}`"),
    }
}

/// `1 element`, `3 elements`
pub(super) fn elements(size: &Nat) -> String {
    let noun = if size.as_constant() == Some(1) { "element" } else { "elements" };
    format!("{} {noun}", quoted(size))
}

/// `1 argument`, `2 arguments`
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `a and b`, `a, b and c`
pub(super) fn enumerated<T: ToString>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

/// The end of a sentence about a mismatch of sizes; empty for shapes, which the types show.
pub(super) fn because(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Shape => String::new(),
        Mismatch::Size(left, right) => format!(": the length {} is not {}", quoted(left), quoted(right)),
    }
}

/// What stands where a boundary is needed.
pub(super) const BOUNDARIES: &str =
    "boundaries are `clamp`, `mirror`, `wrap`, and functions such as `|i, n| 0`";

/// How a primitive is written, with its type.
pub(super) fn signature(row: &Row) -> String {
    format!("`{}` has the type `{}`", row.call(), row.signature)
}
