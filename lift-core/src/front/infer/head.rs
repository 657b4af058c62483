//! What can be called: how many arguments it takes, and what it is called in messages.

use super::Inference;
use super::environment::Head;
use super::error::{counted, signature};
use super::primitives::Call;
use crate::diagnostic::Diagnostic;
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

    /// What a function is called in messages.
    pub(super) fn head_name(&self, head: &Head<'a>) -> String {
        match head {
            Head::Primitive(row) => format!("`{}`", row.name),
            Head::Builtin(builtin, _) => format!("`{builtin}`"),
            Head::Operator(_, name) => format!("`{name}`"),
            Head::Negate => "`neg`".to_owned(),
            Head::Identity => "`id`".to_owned(),
            Head::Closure(_) => "this lambda".to_owned(),
            Head::Item(item) => format!("`{}`", self.items.name(*item)),
            Head::Composition(..) => "this composition".to_owned(),
        }
    }

    /// The name of the primitive that the user wrote: the prelude's calls stand nowhere.
    pub(super) fn written_name(&self, call: &Call) -> &'static str {
        match self.derived.last() {
            Some(derivation) if call.source == Source::UNKNOWN => derivation.name,
            Some(_) | None => call.row.name,
        }
    }

    pub(super) fn arity_mistake(&self, head: &Head<'a>, given: usize, source: Source) -> Diagnostic {
        let name = self.head_name(head);
        let takes = self
            .arity(head)
            .map_or_else(|| "at least 2 arguments".to_owned(), |arity| counted(arity, "argument"));
        let message = format!("{name} takes {takes}, and is given {given}");
        let diagnostic = Diagnostic::new(source, message);
        match head {
            Head::Primitive(row) => diagnostic.with_help(signature(row)),
            Head::Item(item) => diagnostic.with_help(self.items.signature(*item)),
            Head::Builtin(..)
            | Head::Operator(..)
            | Head::Negate
            | Head::Identity
            | Head::Closure(_)
            | Head::Composition(..) => diagnostic,
        }
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
