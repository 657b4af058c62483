//! What names mean, and the values that exist only during inference: functions and unevaluated arguments.

use std::sync::Arc;

use super::free_names::free_names;
use crate::front::syntax;
use crate::ir::nat::Nat;
use crate::ir::primitive::Row;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::BinaryOperator;
use crate::ir::source::Source;
use crate::ir::typed;

/// The names in scope. It is a persistent list, so that every closure keeps the scope where it was written.
#[derive(Clone, Default)]
pub(super) struct Environment<'a>(Option<Arc<Scope<'a>>>);

struct Scope<'a> {
    name: &'a str,
    binding: Binding<'a>,
    outer: Environment<'a>,
}

/// What one name means.
#[derive(Clone)]
pub(super) enum Binding<'a> {
    /// An atomic expression, which is copied wherever the name stands. For a `let`, the bound expression is
    /// kept too, because a constant may be used as a size.
    Value(typed::Expr, Option<(&'a syntax::Expr, Environment<'a>)>),
    /// A size.
    Size(Nat),
    /// A constant of the items that is no size: a literal, or an operator on literals.
    Constant(typed::Expr),
    /// A function.
    Function(Function<'a>),
    /// An argument that is elaborated anew wherever the name stands.
    Alias(Argument<'a>),
}

impl<'a> Environment<'a> {
    /// No names.
    pub(super) fn empty() -> Environment<'a> {
        Environment::default()
    }

    /// These names and one more, which hides an earlier one of that name.
    #[must_use]
    pub(super) fn with(&self, name: &'a str, binding: Binding<'a>) -> Environment<'a> {
        Environment(Some(Arc::new(Scope { name, binding, outer: self.clone() })))
    }

    /// What `name` means.
    pub(super) fn get(&self, name: &str) -> Option<&Binding<'a>> {
        let mut scope = self.0.as_deref();
        while let Some(here) = scope {
            if here.name == name {
                return Some(&here.binding);
            }
            scope = here.outer.0.as_deref();
        }
        None
    }

    /// All names, innermost first.
    pub(super) fn names(&self) -> Vec<&'a str> {
        let mut names = Vec::new();
        let mut scope = self.0.as_deref();
        while let Some(here) = scope {
            names.push(here.name);
            scope = here.outer.0.as_deref();
        }
        names
    }
}

/// An expression during inference: functions are values of their own until a primitive takes them.
#[derive(Clone)]
pub(super) enum Elaborated<'a> {
    /// A value, typed.
    Value(typed::Expr),
    /// A function, perhaps with its first arguments.
    Function(Function<'a>),
}

/// An argument, elaborated or not.
#[derive(Clone)]
pub(super) enum Argument<'a> {
    /// As written, with the names it may use.
    Syntax(&'a syntax::Expr, Environment<'a>),
    /// Elaborated already.
    Elaborated(Box<Elaborated<'a>>),
}

/// A function with the arguments it has been given so far.
#[derive(Clone)]
pub(super) struct Function<'a> {
    /// What is applied.
    pub(super) head: Head<'a>,
    /// Its first arguments; fewer than it takes.
    pub(super) given: Vec<Argument<'a>>,
    /// Where it was written.
    pub(super) source: Source,
}

/// The head of an application: what is applied.
#[derive(Clone)]
pub(super) enum Head<'a> {
    /// A primitive.
    Primitive(&'static Row),
    /// A built-in function that is no operator, with its number of arguments.
    Builtin(Builtin, usize),
    /// An operator as a function, with the name that it was called by, such as `add`.
    Operator(BinaryOperator, &'static str),
    /// `neg`
    Negate,
    /// `id`
    Identity,
    /// A lambda.
    Closure(Arc<Closure<'a>>),
    /// The item at this position.
    Item(usize),
    /// The first, then the second.
    Composition(Arc<Function<'a>>, Arc<Function<'a>>),
}

/// A lambda with the names it may use.
pub(super) struct Closure<'a> {
    /// The name of its position, unless it has been given one.
    pub(super) position: Option<&'a syntax::Identifier>,
    /// Its parameters.
    pub(super) patterns: &'a [syntax::Pattern],
    /// Its body.
    pub(super) body: &'a syntax::Expr,
    /// The names in scope where it stands.
    pub(super) environment: Environment<'a>,
}

impl<'a> Closure<'a> {
    /// The same lambda at a position.
    fn at(self: &Arc<Self>, position: &Nat) -> Arc<Closure<'a>> {
        let Some(name) = self.position else { return self.clone() };
        let environment = self.environment.with(&name.name, Binding::Size(position.clone()));
        Arc::new(Closure { position: None, patterns: self.patterns, body: self.body, environment })
    }
}

impl<'a> Function<'a> {
    /// A function that was given nothing yet.
    pub(super) fn new(head: Head<'a>, source: Source) -> Function<'a> {
        Function { head, given: Vec::new(), source }
    }

    /// The name of the position that it must be given; of a composition, the first one.
    pub(super) fn position(&self) -> Option<&'a syntax::Identifier> {
        match &self.head {
            Head::Closure(closure) => closure.position,
            Head::Composition(first, second) => first.position().or_else(|| second.position()),
            Head::Primitive(_)
            | Head::Builtin(..)
            | Head::Operator(..)
            | Head::Negate
            | Head::Identity
            | Head::Item(_) => None,
        }
    }

    /// Whether what it computes mentions its position.
    pub(super) fn mentions_position(&self) -> bool {
        match &self.head {
            Head::Closure(closure) => closure.position.is_some_and(|position| {
                free_names(closure.body, &[]).iter().any(|(name, _)| *name == position.name)
            }),
            Head::Composition(first, second) => first.mentions_position() || second.mentions_position(),
            Head::Primitive(_)
            | Head::Builtin(..)
            | Head::Operator(..)
            | Head::Negate
            | Head::Identity
            | Head::Item(_) => false,
        }
    }

    /// The same function at a position. All functions of a composition are applied at one: `map(f >> g)` is
    /// `map(f) >> map(g)`.
    pub(super) fn at(&self, position: &Nat) -> Function<'a> {
        let head = match &self.head {
            Head::Closure(closure) => Head::Closure(closure.at(position)),
            Head::Composition(first, second) => {
                Head::Composition(Arc::new(first.at(position)), Arc::new(second.at(position)))
            }
            Head::Primitive(_)
            | Head::Builtin(..)
            | Head::Operator(..)
            | Head::Negate
            | Head::Identity
            | Head::Item(_) => self.head.clone(),
        };
        Function { head, given: self.given.clone(), source: self.source }
    }
}

impl<'a> Argument<'a> {
    /// A value as an argument.
    pub(super) fn value(expr: typed::Expr) -> Argument<'a> {
        Argument::Elaborated(Box::new(Elaborated::Value(expr)))
    }

    /// Where it stands.
    pub(super) fn source(&self) -> Source {
        match self {
            Argument::Syntax(expr, _) => expr.source,
            Argument::Elaborated(elaborated) => match elaborated.as_ref() {
                Elaborated::Value(expr) => expr.source,
                Elaborated::Function(function) => function.source,
            },
        }
    }
}
