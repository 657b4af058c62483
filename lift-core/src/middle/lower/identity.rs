//! Identity elements of operators.

use crate::ir::scalar::Literal;

/// A value that changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Identity {
    Literal(Literal),
    /// That of each component.
    Tuple(Vec<Identity>),
}
