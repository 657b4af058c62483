//! What names mean, and the values that exist only during inference: functions and unevaluated arguments.

use std::rc::Rc;

use crate::front::syntax;
use crate::ir::nat::Nat;
use crate::ir::primitive::Row;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::BinaryOperator;
use crate::ir::source::Source;
use crate::ir::typed;

/// The names in scope. A persistent list: closures keep theirs.
#[derive(Clone, Default)]
pub(super) struct Environment<'a>(Option<Rc<Scope<'a>>>);

struct Scope<'a> {
    name: &'a str,
    binding: Binding<'a>,
    outer: Environment<'a>,
}

/// What one name stands for.
#[derive(Clone)]
pub(super) enum Binding<'a> {
    /// An atomic expression, to be copied. Where it was bound by `let`, what it was bound to is kept: a
    /// constant may be used as a size.
    Value(typed::Expr, Option<(&'a syntax::Expr, Environment<'a>)>),
    /// A size.
    Size(Nat),
    /// A function.
    Function(Function<'a>),
    /// Whatever the argument turns out to be where the name stands.
    Alias(Argument<'a>),
}

impl<'a> Environment<'a> {
    /// No names.
    pub(super) fn empty() -> Environment<'a> {
        Environment::default()
    }

    /// These names and one more, which shadows.
    #[must_use]
    pub(super) fn with(&self, name: &'a str, binding: Binding<'a>) -> Environment<'a> {
        Environment(Some(Rc::new(Scope { name, binding, outer: self.clone() })))
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

/// An argument that may not have been looked at yet.
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

/// What can be applied.
#[derive(Clone)]
pub(super) enum Head<'a> {
    /// A primitive.
    Primitive(&'static Row),
    /// A built-in that has no operator.
    Builtin(Builtin, usize),
    /// A built-in that is an operator, with the name it was called by.
    Operator(BinaryOperator, &'static str),
    /// `neg`
    Negate,
    /// `id`
    Identity,
    /// A lambda.
    Closure(Rc<Closure<'a>>),
    /// The item at this position.
    Item(usize),
    /// The first, then the second.
    Composition(Rc<Function<'a>>, Rc<Function<'a>>),
}

/// A lambda with the names it may use.
pub(super) struct Closure<'a> {
    /// Its parameters.
    pub(super) patterns: &'a [syntax::Pattern],
    /// Its body.
    pub(super) body: &'a syntax::Expr,
    /// The names in scope where it stands.
    pub(super) environment: Environment<'a>,
}

impl<'a> Function<'a> {
    /// A function that was given nothing yet.
    pub(super) fn new(head: Head<'a>, source: Source) -> Function<'a> {
        Function { head, given: Vec::new(), source }
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
