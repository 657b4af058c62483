//! The value of an expression, form by form.

use std::sync::Arc;

use super::EvalError;
use super::builtin;
use super::environment::Environment;
use super::layout::Place;
use super::scalar;
use super::tally::{Counter, part_of};
use super::value::Value;
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, ReduceKind, Variable};
use crate::ir::types::Type;

/// An evaluation in progress.
pub(super) struct Evaluator<'a> {
    /// The user functions of the program.
    pub(super) functions: &'a [Function],
    /// The values of the names in scope.
    pub(super) environment: Environment,
    /// Counts the work so far.
    pub(super) counter: Counter,
    /// Whether the innermost `iterate` has ended before the application that was evaluated last.
    pub(super) has_ended: bool,
}

impl Evaluator<'_> {
    /// The value of an expression. It is checked to have the expression's type, so that this oracle never
    /// hides a fault of type inference.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        let value = self.evaluate_kind(expr)?;
        // The value of a variable was checked when it was bound.
        if matches!(expr.kind, ExprKind::Variable(_)) || self.environment.conforms(&value, &expr.ty) {
            return Ok(value);
        }
        Err(malformed(expr.source, "a value is not of the type that was inferred for it"))
    }

    fn evaluate_kind(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        let source = expr.source;
        match &expr.kind {
            ExprKind::Literal(literal) => {
                let scalar = self.scalar_type(expr)?;
                scalar::literal(literal, scalar).ok_or_else(|| malformed(source, "a literal of another type"))
            }
            ExprKind::Variable(variable) => {
                let value = self.variable(variable, source)?.clone();
                self.counter.read(variable, Vec::new(), &value);
                Ok(value)
            }
            ExprKind::Size(size) => self.size_as_value(size, expr),
            ExprKind::Tuple(components) => self.evaluate_all(components).map(Value::Tuple),
            ExprKind::Component(tuple, position) => self.component(expr, tuple, *position),
            ExprKind::ArrayLiteral(elements) => {
                self.evaluate_all(elements).map(|elements| Value::Array(elements.into()))
            }
            ExprKind::Let { bindings, body } => self.evaluate_bound(bindings, body),
            ExprKind::Unary(operator, operand) => {
                let operand = self.evaluate(operand)?;
                self.counter.operation(&operand);
                scalar::unary(*operator, operand)
                    .ok_or_else(|| malformed(source, "an operand of another type"))
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.counter.operation(&left);
                scalar::binary(*operator, left, right)
                    .ok_or_else(|| malformed(source, "operands of other types"))
            }
            ExprKind::Builtin(function, arguments) => {
                let arguments = self.evaluate_all(arguments)?;
                self.counter.builtin(&arguments);
                builtin::apply(*function, arguments)
                    .ok_or_else(|| malformed(source, "arguments of other types"))
            }
            ExprKind::Function(position, arguments) => self.call(*position, arguments, source),
            ExprKind::If(condition, then, otherwise) => match self.evaluate(condition)? {
                Value::Bool(true) => self.evaluate(then),
                Value::Bool(false) => self.evaluate(otherwise),
                _ => Err(malformed(condition.source, "a condition that is no truth value")),
            },
            ExprKind::Cast(_, operand) => {
                let scalar = self.scalar_type(expr)?;
                let operand = self.evaluate(operand)?;
                self.counter.operation(&operand);
                scalar::cast(scalar, operand).ok_or_else(|| malformed(source, "a cast of another type"))
            }
            ExprKind::Broadcast(operand) => {
                let Type::Vector(_, width) = expr.ty else {
                    return Err(malformed(source, "a broadcast that is no vector"));
                };
                Ok(Value::Vector(vec![self.evaluate(operand)?; usize::from(width)]))
            }
            ExprKind::Lanewise(function, arguments) => self.lanewise(function, arguments, expr),
            // The workers that compute an element make no difference to its value.
            ExprKind::Map(_, function, input) => self.map(function, input),
            ExprKind::Reduce(ReduceKind::While, function, initial, input) => {
                self.reduce_while(function, initial, input)
            }
            ExprKind::Reduce(_, function, initial, input) => self.reduce(function, initial, input),
            ExprKind::Zip(inputs) => self.zip(inputs, source),
            ExprKind::Layout(layout, input) => {
                let elements = self.array(input)?;
                let length = expr.ty.as_array().map(|array| &array.length);
                let length = length.ok_or_else(|| malformed(source, "a layout that is no array"))?;
                let mut place = Place { environment: &mut self.environment, source };
                place.apply(layout, &elements, length).map(|elements| Value::Array(elements.into()))
            }
            ExprKind::PadConstant { left, right, value, input } => {
                let (left, right) = (self.length(left, source)?, self.length(right, source)?);
                let value = self.evaluate(value)?;
                let mut elements = vec![value.clone(); left];
                elements.extend_from_slice(&self.array(input)?);
                elements.extend(vec![value; right]);
                Ok(Value::Array(elements.into()))
            }
            // The memory that holds a value makes no difference to it either.
            ExprKind::Store(_, value) => self.evaluate(value),
            ExprKind::Concat(inputs) => self.concat(inputs),
            ExprKind::At(position, input) => self.element_at(position, input, source),
            ExprKind::Generate(length, function) => self.generate(length, function, source),
            ExprKind::Repeat(length, value) => {
                let length = self.length(length, source)?;
                let value = self.evaluate(value)?;
                Ok(Value::Array(vec![value; length].into()))
            }
            ExprKind::Unzip(input) => self.unzip(&expr.ty, input),
            ExprKind::Scan(kind, function, initial, input) => self.scan(*kind, function, initial, input),
            ExprKind::Iterate(steps, function, input) => self.iterate(steps, function, input),
            ExprKind::EndUnless(condition, value) => match self.evaluate(condition)? {
                Value::Bool(goes_on) => {
                    let value = self.evaluate(value)?;
                    self.has_ended = !goes_on;
                    Ok(value)
                }
                _ => Err(malformed(condition.source, "a condition that is no truth value")),
            },
        }
    }

    pub(super) fn evaluate_all(&mut self, exprs: &[Arc<Expr>]) -> Result<Vec<Value>, EvalError> {
        exprs.iter().map(|expr| self.evaluate(expr)).collect()
    }

    /// The elements of an expression that is an array.
    pub(super) fn array(&mut self, expr: &Expr) -> Result<Arc<[Value]>, EvalError> {
        match self.evaluate(expr)? {
            Value::Array(elements) => Ok(elements),
            _ => Err(malformed(expr.source, "an array was expected")),
        }
    }

    /// The concrete scalar type of an expression.
    fn scalar_type(&self, expr: &Expr) -> Result<ScalarType, EvalError> {
        let scalar = match &expr.ty {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => self.environment.resolve(*scalar),
            Type::Size | Type::Tuple(_) | Type::Array(_) => None,
        };
        scalar.ok_or_else(|| malformed(expr.source, "a scalar of unknown type"))
    }

    /// A size as a number of the algebra, or of the scalar type that it was cast to.
    fn size_as_value(&self, size: &Nat, expr: &Expr) -> Result<Value, EvalError> {
        let source = expr.source;
        let value = self.environment.evaluate(size).ok_or(EvalError::UndefinedSize { source })?;
        match &expr.ty {
            Type::Size => Ok(Value::Size(value)),
            Type::Scalar(_) => scalar::cast(self.scalar_type(expr)?, Value::Size(value))
                .ok_or_else(|| malformed(source, "a size of another type")),
            Type::Vector(..) | Type::Tuple(_) | Type::Array(_) => {
                Err(malformed(source, "a size of another type"))
            }
        }
    }

    /// A size as a number of elements.
    pub(super) fn length(&self, size: &Nat, source: Source) -> Result<usize, EvalError> {
        let value = self.environment.evaluate(size).and_then(|value| usize::try_from(value).ok());
        value.ok_or(EvalError::UndefinedSize { source })
    }

    /// Applies a function of scalars to every component of vectors.
    fn lanewise(
        &mut self,
        function: &Lambda,
        arguments: &[Arc<Expr>],
        expr: &Expr,
    ) -> Result<Value, EvalError> {
        let arguments = self.evaluate_all(arguments)?;
        let Type::Vector(_, width) = expr.ty else {
            return Err(malformed(expr.source, "a function on components that gives no vector"));
        };
        let mut lanes = Vec::new();
        for lane in 0..usize::from(width) {
            let of_lane: Option<Vec<Value>> = arguments
                .iter()
                .map(|argument| match argument {
                    Value::Vector(lanes) => lanes.get(lane).cloned(),
                    _ => None,
                })
                .collect();
            let of_lane = of_lane.ok_or_else(|| malformed(expr.source, "a component of something else"))?;
            lanes.push(self.apply(&function.parameters, of_lane, &function.body)?);
        }
        Ok(Value::Vector(lanes))
    }

    fn variable(&self, variable: &Variable, source: Source) -> Result<&Value, EvalError> {
        let unbound = || malformed(source, &format!("`{}` is not bound", variable.name));
        self.environment.value_of(variable).ok_or_else(unbound)
    }

    fn component(&mut self, expr: &Expr, tuple: &Expr, position: usize) -> Result<Value, EvalError> {
        let missing = || malformed(tuple.source, "a tuple without that component");
        // Only this part of a variable is read.
        if let Some((variable, path)) = part_of(expr) {
            let part = self.variable(variable, tuple.source)?.at(&path).ok_or_else(missing)?.clone();
            self.counter.read(variable, path, &part);
            return Ok(part);
        }
        match self.evaluate(tuple)? {
            Value::Tuple(components) => components.into_iter().nth(position).ok_or_else(missing),
            _ => Err(missing()),
        }
    }

    /// Evaluates the values of `let`s in order, and then the body.
    fn evaluate_bound(&mut self, bindings: &[Binding], body: &Expr) -> Result<Value, EvalError> {
        let scope = self.environment.enter();
        let result = self.bind_all(bindings).and_then(|()| self.evaluate(body));
        self.environment.leave(scope);
        result
    }

    fn bind_all(&mut self, bindings: &[Binding]) -> Result<(), EvalError> {
        for Binding { variable, value } in bindings {
            let value = self.evaluate(value)?;
            self.environment.bind(variable, value);
        }
        Ok(())
    }

    /// Evaluates a body with its parameters bound to arguments.
    fn apply(
        &mut self,
        parameters: &[(Variable, Type)],
        arguments: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
        body: &Expr,
    ) -> Result<Value, EvalError> {
        let arguments = arguments.into_iter();
        if parameters.len() != arguments.len() {
            return Err(malformed(body.source, "a function of another number of parameters"));
        }
        let scope = self.environment.enter();
        for ((variable, ty), argument) in parameters.iter().zip(arguments) {
            if !self.environment.conforms(&argument, ty) {
                return Err(malformed(
                    body.source,
                    &format!("an argument for `{}` of another type", variable.name),
                ));
            }
            self.environment.bind(variable, argument);
        }
        let result = self.evaluate(body);
        self.environment.leave(scope);
        result
    }

    /// Applies the function of a primitive at a position or in an application. The arguments from
    /// `first_element` on are elements of an array.
    pub(super) fn apply_at(
        &mut self,
        lambda: &Lambda,
        position: i128,
        arguments: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
        first_element: usize,
    ) -> Result<Value, EvalError> {
        let before = self.counter.bind(lambda, first_element);
        let result = self.apply_indexed(lambda, position, arguments);
        self.counter.restore(before);
        result
    }

    fn apply_indexed(
        &mut self,
        lambda: &Lambda,
        position: i128,
        arguments: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Result<Value, EvalError> {
        let Some(index) = &lambda.index else {
            return self.apply(&lambda.parameters, arguments, &lambda.body);
        };
        self.environment.bind_size(index, position);
        let result = self.apply(&lambda.parameters, arguments, &lambda.body);
        self.environment.unbind_size();
        result
    }

    fn call(&mut self, position: usize, arguments: &[Arc<Expr>], source: Source) -> Result<Value, EvalError> {
        let functions = self.functions;
        let function = functions.get(position).ok_or_else(|| malformed(source, "an unknown function"))?;
        let arguments = self.evaluate_all(arguments)?;
        self.apply(&function.parameters, arguments, &function.body)
    }
}

/// A fault of an earlier stage.
pub(super) fn malformed(source: Source, what: &str) -> EvalError {
    EvalError::Malformed { source, what: what.to_owned() }
}
