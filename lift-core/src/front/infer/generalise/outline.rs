//! What is known of a program besides its body.

use crate::front::infer::attributes::Directives;
use crate::ir::nat::Var;
use crate::ir::source::Source;
use crate::ir::typed::{Function, Launch, Variable};
use crate::ir::types::Type;

/// What is known of a program besides its body.
pub(in crate::front::infer) struct Outline {
    /// Its name.
    pub(in crate::front::infer) name: String,
    /// Its parameters, in order.
    pub(in crate::front::infer) parameters: Vec<Slot>,
    /// Its declared size variables, with their names.
    pub(in crate::front::infer) sizes: Vec<(Var, String)>,
    /// The user functions that may be called, callees first.
    pub(in crate::front::infer) functions: Vec<Function>,
    /// The launches that the user fixed.
    pub(in crate::front::infer) launches: Vec<Launch>,
    /// How it is lowered, and for which backends.
    pub(in crate::front::infer) directives: Directives,
    /// What elements may be if nothing computes with them.
    pub(in crate::front::infer) elements: OpenElements,
}

/// What the elements of an array may be that an expression only moves, so that the arguments decide their
/// type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum OpenElements {
    /// Scalars: the user wrote the number of dimensions.
    Scalars,
    /// Scalars, or rows of any number of dimensions, since their uses do not tell.
    OfAnyRank,
}

/// A parameter.
pub(in crate::front::infer) enum Slot {
    /// A scalar or an array.
    Value {
        /// The variable.
        variable: Variable,
        /// Its type.
        ty: Type,
        /// Where it was named.
        source: Source,
    },
    /// A size.
    Size {
        /// The variable.
        variable: Variable,
        /// The size.
        size: Var,
        /// Where it was named.
        source: Source,
    },
}
