//! How many arguments a function takes.

use super::environment::Head;
use super::inference::Inference;
use crate::front::syntax::{Pattern, PatternKind};
use crate::ir::primitive::{ArgumentKind, Primitive};

impl<'a> Inference<'a> {
    /// The number of arguments a function takes; none for a variadic one.
    pub(super) fn arity(&self, head: &Head<'a>) -> Option<usize> {
        match head {
            Head::Primitive(row) if is_variadic(row.arguments) => None,
            Head::Primitive(row) => Some(row.arguments.len()),
            Head::Builtin(_, arity) => Some(*arity),
            Head::Operator(..) => Some(2),
            Head::Negate | Head::Identity | Head::Composition(..) => Some(1),
            Head::Closure(closure) => Some(closure.patterns.len()),
            Head::Item(item) => Some(self.items.arity(*item)),
        }
    }
}

/// Whether a primitive takes any number of arguments, all of one kind. Such a primitive is given all of them
/// at once.
pub(super) fn is_variadic(arguments: &[(&str, ArgumentKind)]) -> bool {
    arguments.first().is_some_and(|(_, kind)| *kind == ArgumentKind::Values)
}

/// Whether a function may be given more arguments than its row lists.
pub(super) fn takes_more(head: &Head<'_>) -> bool {
    match head {
        Head::Primitive(row) => row.arguments.last().is_some_and(|(_, kind)| *kind == ArgumentKind::Values),
        Head::Builtin(..)
        | Head::Operator(..)
        | Head::Negate
        | Head::Identity
        | Head::Closure(_)
        | Head::Item(_)
        | Head::Composition(..) => false,
    }
}

/// Whether a function of one parameter takes a tuple apart.
pub(super) fn takes_tuple(head: &Head<'_>) -> bool {
    match head {
        Head::Closure(closure) => closure.patterns.first().is_some_and(is_tuple_pattern),
        Head::Identity => true,
        Head::Primitive(row) => matches!(row.primitive, Primitive::Vectorize | Primitive::MapVec),
        Head::Builtin(..) | Head::Operator(..) | Head::Negate | Head::Item(_) | Head::Composition(..) => {
            false
        }
    }
}

fn is_tuple_pattern(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Tuple(_) => true,
        PatternKind::Typed(pattern, _) => is_tuple_pattern(pattern),
        PatternKind::Name(_) | PatternKind::Wildcard | PatternKind::Array(_) => false,
    }
}
