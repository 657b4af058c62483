//! Evaluates expressions symbolically: the value of an expression is made of kernel expressions and views.

use std::sync::Arc;

use super::applications::Iterate;
use super::error::Error;
use super::generator::{Generated, Generator};
use super::layouts::layout_view;
use super::reduce::Reduction;
use super::values::scalar_type;
use super::values::{array_of, component};
use super::vector::{all_of_one_width, same_width};
use crate::ir::kernel::Expression;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Layout, MapKind};
use crate::ir::types::Type;
use crate::middle::lower::is_readable;
use crate::middle::view::{Environment, Value, View};

impl Generator<'_> {
    /// The value of an expression. Emits the statements that must run before it is used.
    ///
    /// Expressions nest, and each level is a call. So the code for each form is in a function of its own,
    /// which keeps the stack frame of this one small.
    pub(super) fn value(&mut self, expr: &Expr, environment: &Environment) -> Generated<Value> {
        let source = expr.source;
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Size(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_) => self.computed(expr, environment).map(Value::Scalar),
            ExprKind::Variable(variable) => environment
                .get(variable)
                .cloned()
                .ok_or_else(|| Error::internal(source, format!("`{}` is not bound", variable.name))),
            ExprKind::Tuple(parts) => self.values(parts, environment).map(Value::Tuple),
            ExprKind::Component(input, position) => {
                self.component_of_value(input, *position, environment, source)
            }
            ExprKind::ArrayLiteral(elements) => self.array_literal(expr, elements, environment),
            ExprKind::Let { bindings, body } => {
                let environment = self.bound(bindings, body, environment)?;
                self.value(body, &environment)
            }
            ExprKind::Lanewise(function, arguments) => self.lanewise(expr, function, arguments, environment),
            ExprKind::Function(function, arguments) => {
                let arguments = self.values(arguments, environment)?;
                self.call(*function, arguments, &expr.ty, source)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.conditional([condition, then, otherwise], environment, source)
            }
            ExprKind::Layout(Layout::Scatter(function), input) if !is_readable(function, input) => {
                self.materialise(expr, environment)
            }
            ExprKind::Map(MapKind::Unspecified, ..)
            | ExprKind::Zip(_)
            | ExprKind::Layout(..)
            | ExprKind::PadConstant { .. }
            | ExprKind::Generate(..)
            | ExprKind::Repeat(..) => self.delayed(expr, environment).map(Value::Array),
            ExprKind::Map(..) | ExprKind::Scan(..) => self.materialise(expr, environment),
            ExprKind::Reduce(kind, function, initial, input) => {
                self.reduce(&Reduction { kind: *kind, function, initial, input }, expr, environment)
            }
            ExprKind::Store(Some(space), value) => self.materialise_in(*space, value, environment),
            ExprKind::Store(None, value) => self.materialise(value, environment),
            ExprKind::Concat(parts) => self.concat(parts, environment, source),
            ExprKind::At(position, input) => self.at(position, input, environment, source),
            ExprKind::Unzip(input) => self.unzip(input, environment, source),
            ExprKind::EndUnless(..) => Err(Error::internal(source, "the end of an `iterate` outside of one")),
            ExprKind::Iterate(count, function, input) => {
                self.iterated(&Iterate { count, function, input }, expr, environment)
            }
        }
    }

    /// The scalar or vector of a literal, a size, an operator, a built-in function or a conversion.
    fn computed(&mut self, expr: &Expr, environment: &Environment) -> Generated<Expression> {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Expression::Literal(literal.clone(), scalar_type(expr)?)),
            ExprKind::Size(nat) => Ok(Expression::Index(self.ranges.simplify(nat), scalar_type(expr)?)),
            ExprKind::Unary(operator, operand) => {
                Ok(Expression::Unary(*operator, Box::new(self.scalar(operand, environment)?)))
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.scalar(left, environment)?;
                let right = self.scalar(right, environment)?;
                let (left, right) = same_width(left, right);
                Ok(self.binary(*operator, left, right))
            }
            ExprKind::Builtin(builtin, arguments) => {
                let arguments = all_of_one_width(*builtin, self.scalars(arguments, environment)?);
                let position = self.clamped_to_size(*builtin, &arguments);
                let position = position.or_else(|| self.extreme_position(*builtin, &arguments));
                Ok(position.unwrap_or(Expression::Builtin(*builtin, arguments)))
            }
            ExprKind::Cast(ty, operand) => {
                Ok(Expression::Cast(*ty, Box::new(self.scalar(operand, environment)?)))
            }
            ExprKind::Broadcast(operand) => {
                let operand = self.scalar(operand, environment)?;
                match expr.ty {
                    Type::Vector(_, width) => Ok(Expression::Broadcast(Box::new(operand), width)),
                    _ => Err(Error::internal(expr.source, "a broadcast that is no vector")),
                }
            }
            _ => Err(Error::internal(expr.source, "a scalar was expected")),
        }
    }

    /// The view of an array that is not stored.
    fn delayed(&mut self, expr: &Expr, environment: &Environment) -> Generated<View> {
        match &expr.kind {
            ExprKind::Map(_, function, input) => {
                let input = Arc::new(self.view(input, environment)?);
                let function = Arc::new(function.clone());
                Ok(View::Mapped { function, environment: environment.clone(), input })
            }
            ExprKind::Zip(parts) => {
                let views = parts.iter().map(|part| self.view(part, environment));
                views.collect::<Generated<Vec<View>>>().map(View::Zipped)
            }
            ExprKind::Layout(layout, input) => {
                let view = self.view(input, environment)?;
                self.through_layout(layout, view, input)
            }
            ExprKind::PadConstant { left, right: _, value, input } => {
                let Some(array) = array_of(&input.ty) else {
                    return Err(Error::internal(expr.source, "`padConstant` of a scalar"));
                };
                let value = Arc::new(self.value(value, environment)?);
                let view = Arc::new(self.view(input, environment)?);
                let (length, left) = (array.length.clone(), left.clone());
                Ok(View::PaddedConstant { input: view, length, left, value })
            }
            ExprKind::Generate(_, function) => {
                let function = Arc::new(function.clone());
                Ok(View::Generated { function, environment: environment.clone() })
            }
            ExprKind::Repeat(_, value) => {
                let value = self.value(value, environment)?;
                Ok(View::Constant(Arc::new(self.keep(value, "repeated"))))
            }
            _ => Err(Error::internal(expr.source, "an array was expected")),
        }
    }

    fn through_layout(&mut self, layout: &Layout, view: View, input: &Expr) -> Generated<View> {
        // All components of a vector are read one after the other, so each vector is computed once.
        let view = match layout {
            Layout::AsScalar if view.is_computed() => self.share(view, &"vector".into()),
            _ => view,
        };
        layout_view(layout, view, &input.ty, input.source)
    }

    fn component_of_value(
        &mut self,
        input: &Expr,
        position: usize,
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        match self.value(input, environment)? {
            Value::Tuple(parts) => component(parts, position, source),
            Value::Array(view) => Ok(Value::Array(View::Component(Arc::new(view), position))),
            Value::Scalar(_) => Err(Error::internal(source, "a component of a scalar")),
        }
    }

    /// The value of an expression that is a scalar.
    pub(super) fn scalar(&mut self, expr: &Expr, environment: &Environment) -> Generated<Expression> {
        match self.value(expr, environment)? {
            Value::Scalar(expression) => Ok(expression),
            Value::Tuple(_) | Value::Array(_) => Err(Error::internal(expr.source, "a scalar was expected")),
        }
    }

    /// The value of an expression that is an array.
    pub(super) fn view(&mut self, expr: &Expr, environment: &Environment) -> Generated<View> {
        match self.value(expr, environment)? {
            Value::Array(view) => Ok(view),
            Value::Scalar(_) | Value::Tuple(_) => Err(Error::internal(expr.source, "an array was expected")),
        }
    }

    fn values(&mut self, exprs: &[Arc<Expr>], environment: &Environment) -> Generated<Vec<Value>> {
        exprs.iter().map(|expr| self.value(expr, environment)).collect()
    }

    fn scalars(&mut self, exprs: &[Arc<Expr>], environment: &Environment) -> Generated<Vec<Expression>> {
        exprs.iter().map(|expr| self.scalar(expr, environment)).collect()
    }
}
