//! Calls: `f(a, b)`, `f(a)(b)` and `b >> f(a)` are the same, and a function with too few arguments is a function.

use std::rc::Rc;

use super::environment::{Argument, Binding, Elaborated, Environment, Function, Head};
use super::message::{counted, signature};
use super::primitives::Call;
use super::{Inference, is_atomic};
use crate::diagnostic::Diagnostic;
use crate::primitive::{ArgumentKind, Primitive};
use crate::scalar::Literal;
use crate::source::Source;
use crate::syntax::{Expr, ExprKind, Notation, Pattern, PatternKind};
use crate::typed::{self, Lambda};
use crate::types::Type;

/// What a lambda under a primitive adds to the depth of an expression: the stack that its typing takes, in
/// calls.
const LAMBDA_DEPTH: usize = 4;

impl<'a> Inference<'a> {
    /// `callee(arguments)` as written.
    pub(super) fn call_expression(
        &mut self,
        callee: &'a Expr,
        arguments: &'a [Expr],
        notation: Notation,
        source: Source,
        names: &Environment<'a>,
    ) -> Elaborated<'a> {
        let arguments: Vec<Argument<'a>> =
            arguments.iter().map(|argument| Argument::Syntax(argument, names.clone())).collect();
        if notation == Notation::Method
            && let Some(diagnostic) = self.no_method(callee, names)
        {
            self.report(diagnostic);
            self.look_at(arguments);
            return Elaborated::Value(self.mistake(source));
        }
        match self.function(callee, names, source) {
            Some(function) if arguments.is_empty() => {
                let diagnostic = self.arity_mistake(&function.head, 0, source);
                Elaborated::Value(self.fail(diagnostic))
            }
            Some(function) => self.call(function, arguments, source),
            None => {
                self.look_at(arguments);
                Elaborated::Value(self.mistake(source))
            }
        }
    }

    /// `left >> right`: application to a value, composition of two functions.
    pub(super) fn pipe(
        &mut self,
        left: &'a Expr,
        right: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> Elaborated<'a> {
        let left = self.expression(left, names);
        if let Elaborated::Value(value) = &left
            && let Some(diagnostic) = self.shift(value, right, names)
        {
            return Elaborated::Value(self.fail(diagnostic));
        }
        let Some(right) = self.function(right, names, source) else {
            return Elaborated::Value(self.mistake(source));
        };
        match left {
            Elaborated::Value(value) => match self.call(right, vec![Argument::value(value)], source) {
                Elaborated::Function(Function { head: Head::Primitive(row), given, source })
                    if let Some(diagnostic) = self.misplaced(row, &given, source) =>
                {
                    Elaborated::Value(self.fail(diagnostic))
                }
                applied => applied,
            },
            Elaborated::Function(left) => {
                let head = Head::Composition(Rc::new(left), Rc::new(right));
                Elaborated::Function(Function::new(head, source))
            }
        }
    }

    /// Elaborates what must be a function. A name that means nothing is not taken for a Rust variable here.
    pub(super) fn function(
        &mut self,
        expr: &'a Expr,
        names: &Environment<'a>,
        call: Source,
    ) -> Option<Function<'a>> {
        let elaborated = match &expr.kind {
            ExprKind::Name(name) => match self.known_function(name, expr.source, names) {
                Some(Ok(elaborated)) => elaborated,
                Some(Err(argument)) => return self.function_argument(argument),
                None => {
                    let diagnostic = self.unknown_function(name, expr.source, names);
                    self.report(diagnostic);
                    return None;
                }
            },
            _ => self.expression(expr, names),
        };
        match elaborated {
            Elaborated::Function(function) => Some(function),
            Elaborated::Value(value) if self.unknowns.is_mistake(&value.ty) => None,
            Elaborated::Value(value) => {
                if let Some(diagnostic) = self.hidden_function(expr, &value) {
                    self.report(diagnostic);
                    return None;
                }
                let message = format!("a function is needed here, but this is {}", self.show(&value.ty));
                let diagnostic = Diagnostic::new(expr.source, message);
                let diagnostic = if call == expr.source {
                    diagnostic
                } else {
                    diagnostic.with_help("`a >> f` applies the function `f` to `a`")
                };
                self.report(diagnostic);
                None
            }
        }
    }

    /// What a name stands for, or the argument it was bound to.
    fn known_function(
        &mut self,
        name: &str,
        source: Source,
        names: &Environment<'a>,
    ) -> Option<Result<Elaborated<'a>, Argument<'a>>> {
        if let Some(Binding::Alias(argument)) = names.get(name) {
            return Some(Err(argument.clone()));
        }
        self.known_name(name, source, names).map(Ok)
    }

    /// An argument that must be a function.
    pub(super) fn function_argument(&mut self, argument: Argument<'a>) -> Option<Function<'a>> {
        match argument {
            Argument::Syntax(expr, names) => self.function(expr, &names, expr.source),
            Argument::Elaborated(elaborated) => match *elaborated {
                Elaborated::Function(function) => Some(function),
                Elaborated::Value(value) if self.unknowns.is_mistake(&value.ty) => None,
                Elaborated::Value(value) => {
                    let message = format!("a function is needed here, but this is {}", self.show(&value.ty));
                    self.report(Diagnostic::new(value.source, message));
                    None
                }
            },
        }
    }

    /// Elaborates arguments only for their mistakes: the call itself has one.
    pub(super) fn look_at(&mut self, arguments: Vec<Argument<'a>>) {
        for argument in arguments {
            let harmless = match &argument {
                Argument::Syntax(expr, _) => matches!(expr.kind, ExprKind::Name(_) | ExprKind::Lambda(..)),
                Argument::Elaborated(_) => true,
            };
            if !harmless {
                self.in_open_frame(|this| this.argument(argument));
            }
        }
    }

    /// Applies a function to more arguments; the result is a function while it lacks some.
    pub(super) fn call(
        &mut self,
        function: Function<'a>,
        arguments: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        self.deeper(source, |this| this.apply_arguments(function, arguments, source), Elaborated::Value)
    }

    fn apply_arguments(
        &mut self,
        function: Function<'a>,
        arguments: Vec<Argument<'a>>,
        source: Source,
    ) -> Elaborated<'a> {
        if let Head::Composition(first, second) = &function.head {
            return match self.call(first.as_ref().clone(), arguments, source) {
                Elaborated::Value(value) => {
                    self.call(second.as_ref().clone(), vec![Argument::value(value)], source)
                }
                Elaborated::Function(first) => {
                    let head = Head::Composition(Rc::new(first), second.clone());
                    Elaborated::Function(Function::new(head, source))
                }
            };
        }
        let mut given = function.given;
        given.extend(arguments);
        let Some(arity) = self.arity(&function.head) else {
            return self.saturate(function.head, given, source);
        };
        if given.len() < arity
            && given.len() == 1
            && !matches!(function.head, Head::Primitive(_))
            && let Some(argument) = given.pop()
        {
            given = self.take_apart(argument, arity);
        }
        match given.len() {
            count if count > arity && !takes_more(&function.head) => {
                self.look_at(given);
                let diagnostic = self.arity_mistake(&function.head, count, source);
                let diagnostic = match &function.head {
                    Head::Primitive(row) if is_map(row.primitive) => {
                        let (signature, name) = (signature(row), row.name);
                        diagnostic.with_help(format!(
                            "{signature}\nhelp: several arrays go through `zip`: `zip(a, b) >> {name}(f)`"
                        ))
                    }
                    Head::Primitive(_)
                    | Head::Builtin(..)
                    | Head::Operator(..)
                    | Head::Negate
                    | Head::Identity
                    | Head::Closure(_)
                    | Head::Item(_)
                    | Head::Composition(..) => diagnostic,
                };
                Elaborated::Value(self.fail(diagnostic))
            }
            count if count < arity => {
                let given = self.settle(&function.head, given);
                Elaborated::Function(Function { head: function.head, given, source })
            }
            _ => self.saturate(function.head, given, source),
        }
    }

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

    /// One tuple given to a function of `count` parameters stands for its components.
    fn take_apart(&mut self, argument: Argument<'a>, count: usize) -> Vec<Argument<'a>> {
        if let Argument::Syntax(Expr { kind: ExprKind::Tuple(components), .. }, names) = &argument
            && components.len() == count
        {
            return components.iter().map(|part| Argument::Syntax(part, names.clone())).collect();
        }
        if is_constant(&argument) {
            return vec![argument];
        }
        match self.argument(argument) {
            Elaborated::Value(value) => match self.unknowns.outermost(&value.ty) {
                Type::Tuple(types) if types.len() == count => {
                    self.spread(value, types).into_iter().map(Argument::value).collect()
                }
                Type::Tuple(_) | Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => {
                    vec![Argument::value(value)]
                }
            },
            function @ Elaborated::Function(_) => vec![Argument::Elaborated(Box::new(function))],
        }
    }

    /// The first arguments of a function, computed once however often the function is applied. Constants
    /// stay open: their types may differ from use to use.
    fn settle(&mut self, head: &Head<'a>, given: Vec<Argument<'a>>) -> Vec<Argument<'a>> {
        let mut settled = Vec::new();
        for (position, argument) in given.into_iter().enumerate() {
            let lazy = match head {
                Head::Primitive(row) => match row.arguments.get(position) {
                    Some((_, ArgumentKind::Value | ArgumentKind::Values)) => false,
                    Some((_, ArgumentKind::Position)) => self.may_be_size(&argument),
                    Some(_) | None => true,
                },
                Head::Builtin(..)
                | Head::Operator(..)
                | Head::Negate
                | Head::Identity
                | Head::Closure(_)
                | Head::Item(_)
                | Head::Composition(..) => false,
            };
            if lazy || is_constant(&argument) {
                settled.push(argument);
                continue;
            }
            let elaborated = match self.argument(argument) {
                Elaborated::Value(value) => Elaborated::Value(self.bind(value, "value")),
                function @ Elaborated::Function(_) => function,
            };
            settled.push(Argument::Elaborated(Box::new(elaborated)));
        }
        settled
    }

    fn saturate(&mut self, head: Head<'a>, given: Vec<Argument<'a>>, source: Source) -> Elaborated<'a> {
        match head {
            Head::Primitive(row) => self.primitive(row, given, source),
            Head::Closure(closure) => self.in_open_frame(|this| {
                let scope = closure
                    .patterns
                    .iter()
                    .zip(given)
                    .fold(closure.environment.clone(), |scope, (pattern, argument)| {
                        this.bind_pattern(pattern, argument, scope)
                    });
                this.expression(closure.body, &scope)
            }),
            Head::Item(item) => Elaborated::Value(self.call_item(item, given, source)),
            Head::Identity => match given.into_iter().next() {
                Some(argument) => self.argument(argument),
                None => Elaborated::Value(self.mistake(source)),
            },
            Head::Builtin(builtin, _) => {
                let values = given.into_iter().map(|argument| self.argument_value(argument)).collect();
                Elaborated::Value(self.builtin(builtin, values, source))
            }
            Head::Negate => match given.into_iter().next() {
                Some(argument) => {
                    let operand = self.argument_value(argument);
                    Elaborated::Value(self.negate(operand, source))
                }
                None => Elaborated::Value(self.mistake(source)),
            },
            Head::Operator(operator, _) => {
                let mut values = given.into_iter().map(|argument| self.argument_value(argument));
                match (values.next(), values.next()) {
                    (Some(left), Some(right)) => {
                        drop(values);
                        Elaborated::Value(self.binary(operator, left, right, source))
                    }
                    _ => {
                        drop(values);
                        Elaborated::Value(self.mistake(source))
                    }
                }
            }
            Head::Composition(first, second) => {
                let head = Head::Composition(first, second);
                self.apply_arguments(Function::new(head, source), given, source)
            }
        }
    }

    /// Applies a function to the values that a primitive gives it.
    pub(super) fn apply(
        &mut self,
        function: Function<'a>,
        values: Vec<typed::Expr>,
        source: Source,
    ) -> typed::Expr {
        let values = self.adapt(&function, values);
        let written = function.source;
        let name = self.head_name(&function.head);
        let arguments = values.into_iter().map(Argument::value).collect();
        match self.call(function, arguments, source) {
            Elaborated::Value(value) => value,
            Elaborated::Function(result) => {
                let inside = if result.source == source { written } else { result.source };
                let result = Function { source: inside, ..result };
                let diagnostic = match &result.head {
                    Head::Primitive(_) if let Some(diagnostic) = self.incomplete(&result) => diagnostic,
                    Head::Primitive(row) => {
                        Diagnostic::new(written, format!("{name} lacks arguments to be applied here"))
                            .with_help(signature(row))
                    }
                    Head::Builtin(..)
                    | Head::Operator(..)
                    | Head::Negate
                    | Head::Identity
                    | Head::Closure(_)
                    | Head::Item(_)
                    | Head::Composition(..) => self.function_as_value(&result),
                };
                self.fail(diagnostic)
            }
        }
    }

    /// A function of k parameters takes the components of one k-tuple, and one that takes a k-tuple apart
    /// takes k values.
    fn adapt(&mut self, function: &Function<'a>, values: Vec<typed::Expr>) -> Vec<typed::Expr> {
        let function = first_applied(function);
        let lacking = match (self.arity(&function.head), &function.head) {
            (Some(arity), Head::Primitive(_)) if arity > function.given.len() + 1 => return values,
            (Some(arity), _) => arity.saturating_sub(function.given.len()),
            (None, _) => {
                let is_tuple = |value: &typed::Expr| match self.unknowns.outermost(&value.ty) {
                    Type::Tuple(components) => components.len(),
                    Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => 1,
                };
                values.first().map_or(1, is_tuple)
            }
        };
        match (lacking, values.len()) {
            (1, count) if count > 1 && takes_tuple(&function.head) => {
                let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
                let source = function.source;
                vec![self.node(typed::ExprKind::Tuple(values), ty, source)]
            }
            (count, 1) if count > 1 => {
                let Some(value) = values.into_iter().next() else { return Vec::new() };
                let types: Vec<Type> = (0..count).map(|_| self.unknowns.fresh()).collect();
                let tuple = Type::Tuple(types.clone());
                let is_mistake = self.unknowns.is_mistake(&value.ty);
                match self.unify(&value.ty, &tuple, "this function", value.source) {
                    Ok(()) if is_mistake => (0..count).map(|_| self.mistake(value.source)).collect(),
                    Ok(()) => self.spread(value, types),
                    Err(_) => {
                        let message = format!(
                            "{} takes {}, and is given one value of type {}",
                            self.head_name(&function.head),
                            counted(count, "argument"),
                            self.show(&value.ty)
                        );
                        let mistake = self.fail(Diagnostic::new(function.source, message));
                        (0..count).map(|_| self.mistake(mistake.source)).collect()
                    }
                }
            }
            _ => values,
        }
    }

    /// The lambda that a primitive applies, given the types of its parameters and names for those that the
    /// user gave none.
    pub(super) fn lambda(&mut self, function: Function<'a>, parameters: &[(&str, Type)]) -> Lambda {
        let names = parameter_names(first_applied(&function), parameters);
        let variables: Vec<(typed::Variable, Type)> = names
            .iter()
            .zip(parameters)
            .map(|(name, (_, ty))| (self.fresh_variable(name), ty.clone()))
            .collect();
        if let (Some(mapped), [(variable, _)]) = (self.mapped.take(), variables.as_slice()) {
            self.rows_of.insert(variable.clone(), mapped);
        }
        let written = function.source;
        self.depth += LAMBDA_DEPTH;
        let body = self.in_frame(|this| {
            let values = variables
                .iter()
                .map(|(variable, ty)| {
                    if this.unknowns.is_mistake(ty) {
                        let mistake = this.mistake(written);
                        typed::Expr { ty: ty.clone(), ..mistake }
                    } else {
                        this.variable(variable, ty, written)
                    }
                })
                .collect();
            this.apply(function, values, written)
        });
        self.depth = self.depth.saturating_sub(LAMBDA_DEPTH);
        Lambda { parameters: variables, index: None, body: Box::new(body) }
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
fn is_map(primitive: Primitive) -> bool {
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
fn takes_more(head: &Head<'_>) -> bool {
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

/// The function of a composition that takes the arguments.
fn first_applied<'f, 'a>(function: &'f Function<'a>) -> &'f Function<'a> {
    let mut function = function;
    while let Head::Composition(first, _) = &function.head {
        function = first;
    }
    function
}

fn takes_tuple(head: &Head<'_>) -> bool {
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

/// The user's names for the parameters of a lambda, where there are some.
fn parameter_names(function: &Function<'_>, parameters: &[(&str, Type)]) -> Vec<String> {
    let patterns: &[Pattern] = match &function.head {
        Head::Closure(closure) => closure.patterns.get(function.given.len()..).unwrap_or_default(),
        Head::Primitive(_)
        | Head::Builtin(..)
        | Head::Operator(..)
        | Head::Negate
        | Head::Identity
        | Head::Item(_)
        | Head::Composition(..) => &[],
    };
    let alike = patterns.len() == parameters.len();
    let named = |position: usize| patterns.get(position).filter(|_| alike).and_then(pattern_name);
    parameters
        .iter()
        .enumerate()
        .map(|(position, (name, _))| named(position).unwrap_or(name).to_owned())
        .collect()
}

fn pattern_name(pattern: &Pattern) -> Option<&str> {
    match &pattern.kind {
        PatternKind::Name(name) => Some(name),
        PatternKind::Typed(pattern, _) => pattern_name(pattern),
        PatternKind::Wildcard | PatternKind::Tuple(_) => None,
    }
}

/// Whether an argument is a constant, which costs nothing to elaborate again.
fn is_constant(argument: &Argument<'_>) -> bool {
    match argument {
        Argument::Syntax(expr, _) => is_constant_syntax(expr),
        Argument::Elaborated(elaborated) => match elaborated.as_ref() {
            Elaborated::Value(value) => is_atomic(value),
            Elaborated::Function(_) => false,
        },
    }
}

fn is_constant_syntax(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Literal::Bool(_) | Literal::Integer(_) | Literal::Float(_), _) => true,
        ExprKind::Unary(_, operand) => is_constant_syntax(operand),
        ExprKind::Tuple(components) | ExprKind::Array(components) => {
            components.iter().all(is_constant_syntax)
        }
        _ => false,
    }
}
