//! What can be called: how many arguments it takes, and what it is called in messages.

use super::Inference;
use super::environment::Head;
use super::error::{CallMistake, Callee};
use super::primitives::Call;
use crate::front::syntax::{Pattern, PatternKind};
use crate::ir::primitive::{ArgumentKind, Primitive};
use crate::ir::source::Source;

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

    /// A function, as messages call it.
    pub(super) fn callee(&self, head: &Head<'a>) -> Callee {
        match head {
            Head::Primitive(row) => Callee::Primitive(row),
            Head::Builtin(builtin, _) => Callee::Builtin(builtin.name()),
            Head::Operator(_, name) => Callee::Builtin(name),
            Head::Negate => Callee::Builtin("neg"),
            Head::Identity => Callee::Builtin("id"),
            Head::Closure(_) => Callee::Lambda,
            Head::Item(item) => Callee::Item {
                name: self.items.name(*item).to_owned(),
                parameters: self.items.parameters(*item),
            },
            Head::Composition(..) => Callee::Composition,
        }
    }

    /// The name of the primitive that the user wrote: the prelude's calls stand nowhere.
    pub(super) fn written_name(&self, call: &Call) -> &'static str {
        match self.derived.last() {
            Some(derivation) if call.source == Source::UNKNOWN => derivation.name,
            Some(_) | None => call.row.name,
        }
    }

    /// What a function gets that is given another number of arguments than it takes.
    pub(super) fn arity_mistake(&self, head: &Head<'a>, given: usize) -> CallMistake {
        CallMistake::Arguments { callee: self.callee(head), takes: self.arity(head), given }
    }
}

/// Whether a primitive takes any number of arguments, all alike. It is never given them one after another.
pub(super) fn is_variadic(arguments: &[(&str, ArgumentKind)]) -> bool {
    arguments.first().is_some_and(|(_, kind)| *kind == ArgumentKind::Values)
}

/// Whether a primitive applies a function to every element of one array.
pub(super) fn is_map(primitive: Primitive) -> bool {
    matches!(
        primitive,
        Primitive::Map
            | Primitive::MapSeq
            | Primitive::MapSeqUnroll
            | Primitive::MapGlb(_)
            | Primitive::MapWrg(_)
            | Primitive::MapLcl(_)
    )
}

/// Whether more arguments may follow the last one in the table.
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
        PatternKind::Name(_) | PatternKind::Wildcard => false,
    }
}
