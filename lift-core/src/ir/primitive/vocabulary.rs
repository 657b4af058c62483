//! The names that the language gives a meaning.

use super::Primitive;
use super::builtin::Builtin;

/// Functions on positions, which mean something only as an argument of `gather` and the like.
pub(crate) const INDEX_FUNCTIONS: &[&str] = &["stride", "rotate"];

/// What only `pad` takes.
pub(crate) const BOUNDARIES: &[&str] = &["clamp", "mirror", "wrap"];

/// What only `partition` takes.
pub(crate) const ROW_LENGTHS: &[&str] = &["caseSplit"];

/// Operators and the identity, which are functions of the language with a name.
pub(crate) const OPERATORS: &[&str] =
    &["id", "add", "sub", "mult", "mul", "div", "rem", "neg", "bitAnd", "bitXor", "bitOr"];

/// Whether a name means something only as an argument of a primitive. No Rust variable can be used by such a
/// name.
pub(crate) fn is_reserved(name: &str) -> bool {
    INDEX_FUNCTIONS.contains(&name) || BOUNDARIES.contains(&name) || ROW_LENGTHS.contains(&name)
}

/// Whether a name is a function that the language defines.
pub(crate) fn is_function_of_the_language(name: &str) -> bool {
    Primitive::from_name(name).is_some() || Builtin::from_name(name).is_some() || OPERATORS.contains(&name)
}
