//! The names that the language gives a meaning.

use crate::ir::primitive::Primitive;
use crate::ir::primitive::builtin::Builtin;

/// Functions on positions, which mean something only as an argument of `gather` and the like.
pub(super) const INDEX_FUNCTIONS: &[&str] = &["stride", "rotate"];

/// What only `pad` takes.
pub(super) const BOUNDARIES: &[&str] = &["clamp", "mirror", "wrap"];

/// What only `partition` takes.
pub(super) const ROW_LENGTHS: &[&str] = &["caseSplit"];

/// Operators and the identity, which are functions of the language with a name.
pub(super) const OPERATORS: &[&str] = &["id", "add", "sub", "mult", "mul", "div", "rem", "neg"];

/// Whether a name means something only as an argument of a primitive. No Rust variable can be used by such a
/// name.
pub(super) fn is_reserved(name: &str) -> bool {
    INDEX_FUNCTIONS.contains(&name) || BOUNDARIES.contains(&name) || ROW_LENGTHS.contains(&name)
}

/// Whether a name is a function that the language defines.
pub(super) fn is_function_of_the_language(name: &str) -> bool {
    Primitive::from_name(name).is_some() || Builtin::from_name(name).is_some() || OPERATORS.contains(&name)
}
