//! Identity elements of operators.

use crate::ir::scalar::Literal;

/// The identity element of an operator.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Identity {
    Literal(Literal),
    /// The identity element of each component.
    Tuple(Vec<Identity>),
}
