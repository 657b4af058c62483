//! Which arguments a primitive lacks, and which stand in another order.
//!
//! A primitive takes its data last, so `a >> pad(1, 1)` has its data and lacks what stands before it. What is
//! missing follows from what the given arguments can be: they are matched with the parameters in order, an
//! array with the last one.

use crate::front::infer::environment::{Argument, Binding, Elaborated, Environment, Function, Head};
use crate::front::infer::error::{CallMistake, Error};
use crate::front::infer::inference::Inference;
use crate::front::syntax::{Expr, ExprKind};
use crate::ir::primitive::vocabulary::{BOUNDARIES, is_function_of_the_language};
use crate::ir::primitive::{ArgumentKind, Row};
use crate::ir::scalar::{BinaryOperator, Literal};
use crate::ir::source::Source;
use crate::ir::types::Type;

/// What is known of an argument without elaborating it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A number or a size.
    Number,
    /// An array, or what has the place of one.
    Data,
    /// A value that may be a number or data.
    Value,
    /// A function, on values or on positions.
    Function,
    /// `clamp` and the like.
    Boundary,
    /// Anything.
    Unknown,
}

impl Form {
    /// Whether an argument of this form may be passed for a parameter of this kind.
    fn suits(self, kind: ArgumentKind) -> bool {
        match self {
            Form::Unknown => true,
            Form::Boundary => kind == ArgumentKind::Boundary,
            Form::Function => matches!(
                kind,
                ArgumentKind::Function
                    | ArgumentKind::IndexFunction
                    | ArgumentKind::RowLengths
                    | ArgumentKind::Boundary
            ),
            Form::Data => {
                matches!(kind, ArgumentKind::Value | ArgumentKind::Values | ArgumentKind::Choices)
            }
            Form::Number | Form::Value => !matches!(
                kind,
                ArgumentKind::Function
                    | ArgumentKind::IndexFunction
                    | ArgumentKind::RowLengths
                    | ArgumentKind::Boundary
            ),
        }
    }
}

impl<'a> Inference<'a> {
    /// The mistake of a primitive that was given its data where something else belongs.
    pub(in crate::front::infer) fn misplaced(
        &self,
        row: &'static Row,
        given: &[Argument<'a>],
        source: Source,
    ) -> Option<Error> {
        let fits =
            given.iter().zip(row.arguments).all(|(argument, (_, kind))| self.form_of(argument).suits(*kind));
        if fits { None } else { self.lacks_more_than_data(row, given, source) }
    }

    /// The mistake of a call that has all its arguments, in another order.
    pub(in crate::front::infer) fn disordered(
        &self,
        row: &'static Row,
        given: &[Argument<'a>],
        source: Source,
    ) -> Option<Error> {
        let forms: Vec<Form> = given.iter().map(|argument| self.form_of(argument)).collect();
        let kinds: Vec<ArgumentKind> = row.arguments.iter().map(|(_, kind)| *kind).collect();
        let fits =
            forms.len() != kinds.len() || forms.iter().zip(&kinds).all(|(form, kind)| form.suits(*kind));
        if fits || !can_be_ordered(&forms, &kinds) {
            return None;
        }
        Some(Error::new(source, CallMistake::Disordered { row }))
    }

    /// The mistake of a function where a value is needed, if it is a primitive, or starts with one, that
    /// lacks more than its data.
    pub(in crate::front::infer) fn incomplete(&self, function: &Function<'a>) -> Option<Error> {
        match &function.head {
            Head::Primitive(row) if !function.given.is_empty() => self
                .lambda_without_comma(&function.given)
                .or_else(|| self.lacks_more_than_data(row, &function.given, function.source)),
            Head::Composition(first, _) => self.incomplete(first),
            Head::Primitive(_)
            | Head::Builtin(..)
            | Head::Operator(..)
            | Head::Negate
            | Head::Identity
            | Head::Closure(_)
            | Head::Item(_) => None,
        }
    }

    /// An argument that is written like `n |i| body`, where `i` means nothing: a function after a missing comma,
    /// and not two operators.
    fn lambda_without_comma(&self, given: &[Argument<'a>]) -> Option<Error> {
        given.iter().find_map(|argument| {
            let Argument::Syntax(argument, names) = argument else { return None };
            let ExprKind::Binary(BinaryOperator::BitOr, left, _) = &argument.kind else { return None };
            let ExprKind::Binary(BinaryOperator::BitOr, _, parameter) = &left.kind else { return None };
            let ExprKind::Name(name) = &parameter.kind else { return None };
            let mistake = CallMistake::LambdaWithoutComma { parameter: name.clone() };
            names.get(name).is_none().then(|| Error::new(parameter.source, mistake))
        })
    }

    /// The mistake of `0 |acc, x| body` in the place of a function: two arguments, since the comma between the
    /// parameters separates what were meant to be a number and a lambda.
    pub(in crate::front::infer) fn parameters_as_arguments(
        &self,
        row: &'static Row,
        given: &[Argument<'a>],
    ) -> Option<Error> {
        let functions = row.arguments.iter().map(|(_, kind)| *kind == ArgumentKind::Function);
        given.iter().zip(given.iter().skip(1)).zip(functions).find_map(|((argument, next), is_function)| {
            let (Argument::Syntax(argument, _), Argument::Syntax(next, _)) = (argument, next) else {
                return None;
            };
            let ExprKind::Binary(BinaryOperator::BitOr, _, first) = &argument.kind else { return None };
            let ExprKind::Name(first_name) = &first.kind else { return None };
            let second_name = name_before_bar(next)?;
            let mistake =
                CallMistake::LambdaWithoutComma { parameter: format!("{first_name}, {second_name}") };
            is_function.then(|| Error::new(first.source, mistake))
        })
    }

    /// Whether a function of two numbers was given an array.
    pub(in crate::front::infer) fn combines_elements(&self, function: &Function<'a>) -> bool {
        let is_binary = match &function.head {
            Head::Builtin(_, arity) => *arity == 2,
            Head::Operator(..) => true,
            Head::Primitive(_)
            | Head::Negate
            | Head::Identity
            | Head::Closure(_)
            | Head::Item(_)
            | Head::Composition(..) => false,
        };
        let is_data = |argument: &Argument<'a>| self.form_of(argument) == Form::Data;
        is_binary && function.given.first().is_some_and(is_data)
    }

    fn lacks_more_than_data(
        &self,
        row: &'static Row,
        given: &[Argument<'a>],
        source: Source,
    ) -> Option<Error> {
        let missing = self.missing(row, given)?;
        let data = row.arguments.len().checked_sub(1)?;
        (missing != [data]).then(|| Error::new(source, CallMistake::Lacks { row, missing }))
    }

    /// The positions of the parameters without an argument. `None` if the arguments suit the parameters in no
    /// way.
    fn missing(&self, row: &Row, given: &[Argument<'a>]) -> Option<Vec<usize>> {
        let mut forms: Vec<Form> = given.iter().map(|argument| self.form_of(argument)).collect();
        let mut parameters: Vec<(usize, ArgumentKind)> =
            row.arguments.iter().enumerate().map(|(position, (_, kind))| (position, *kind)).collect();
        let last_is_data = match forms.last() {
            Some(Form::Data | Form::Value | Form::Unknown) => true,
            Some(Form::Number | Form::Function | Form::Boundary) | None => false,
        };
        if last_is_data && parameters.last().is_some_and(|(_, kind)| *kind == ArgumentKind::Value) {
            forms.pop();
            parameters.pop();
        }
        let mut missing = Vec::new();
        let mut parameters = parameters.into_iter();
        for form in forms {
            loop {
                let (position, kind) = parameters.next()?;
                if form.suits(kind) {
                    break;
                }
                missing.push(position);
            }
        }
        missing.extend(parameters.map(|(position, _)| position));
        Some(missing)
    }

    fn form_of(&self, argument: &Argument<'a>) -> Form {
        match argument {
            Argument::Syntax(expr, names) => self.form_of_syntax(expr, names),
            Argument::Elaborated(elaborated) => match elaborated.as_ref() {
                Elaborated::Value(value) => self.form_of_type(&value.ty),
                Elaborated::Function(_) => Form::Function,
            },
        }
    }

    fn form_of_type(&self, ty: &Type) -> Form {
        if self.unknowns.is_mistake(ty) {
            return Form::Unknown;
        }
        match self.unknowns.outermost(ty) {
            Type::Size => Form::Number,
            ty @ Type::Scalar(_) if self.unknowns.is_open(&ty) => Form::Value,
            Type::Scalar(_) => Form::Number,
            Type::Array(_) | Type::Tuple(_) | Type::Vector(..) => Form::Data,
        }
    }

    fn form_of_syntax(&self, expr: &Expr, names: &Environment<'a>) -> Form {
        match &expr.kind {
            ExprKind::Name(name) => self.form_of_name(name, names),
            ExprKind::Lambda(..) => Form::Function,
            ExprKind::Literal(Literal::Integer(_) | Literal::Float(_), _)
            | ExprKind::Path(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..) => Form::Number,
            ExprKind::Literal(Literal::Bool(_), _) | ExprKind::Component(..) | ExprKind::Field(..) => {
                Form::Value
            }
            ExprKind::Array(_) | ExprKind::Tuple(_) => Form::Data,
            ExprKind::Call(..)
            | ExprKind::Pipe(..)
            | ExprKind::Shift(..)
            | ExprKind::Block(..)
            | ExprKind::If(..)
            | ExprKind::Error => Form::Unknown,
        }
    }

    fn form_of_name(&self, name: &str, names: &Environment<'a>) -> Form {
        match names.get(name) {
            Some(Binding::Value(value, _) | Binding::Constant(value)) => self.form_of_type(&value.ty),
            Some(Binding::Size(_)) => Form::Number,
            Some(Binding::Function(_)) => Form::Function,
            Some(Binding::Alias(argument)) => self.form_of(argument),
            None if is_boundary(name) => Form::Boundary,
            None if is_function_of_the_language(name) || self.items.position(name).is_some() => {
                Form::Function
            }
            None if self.is_capturable(name) => Form::Value,
            None => Form::Unknown,
        }
    }
}

/// Whether some order of the arguments suits the parameters. An argument that may be anything suits none
/// here.
fn can_be_ordered(forms: &[Form], kinds: &[ArgumentKind]) -> bool {
    let Some((kind, kinds)) = kinds.split_first() else { return true };
    forms.iter().enumerate().any(|(position, form)| {
        let others: Vec<Form> =
            forms.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, form)| *form).collect();
        form.suits(*kind) && *form != Form::Unknown && can_be_ordered(&others, kinds)
    })
}

/// The name before the first `|` of an expression that begins with it, as in `x | y + 1 || z`.
fn name_before_bar(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Binary(operator, left, _) => match (&left.kind, operator) {
            (ExprKind::Name(name), BinaryOperator::BitOr) => Some(name),
            _ => name_before_bar(left),
        },
        ExprKind::Pipe(left, _) => name_before_bar(left),
        _ => None,
    }
}

fn is_boundary(name: &str) -> bool {
    BOUNDARIES.contains(&name)
}
