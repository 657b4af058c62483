//! Arrays made from parts, and single elements of arrays.

use std::borrow::Cow;
use std::sync::Arc;

use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::value_in;
use crate::ir::kernel::{BufferId, BufferRole, Expression, Statement};
use crate::ir::nat::{Condition, Nat, Substitution};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Position};
use crate::ir::types::Type;
use crate::middle::view::{Environment, Storage, Value, View};

impl Generator<'_> {
    /// The value of `concat(a, b)`.
    pub(super) fn concat(
        &mut self,
        parts: &[Arc<Expr>],
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        let mut views = Vec::new();
        for part in parts {
            let Some(array) = part.ty.as_array() else {
                return Err(Error::internal(source, "`concat` of a scalar"));
            };
            views.push((self.view(part, environment)?, array.length.clone()));
        }
        Ok(Value::Array(View::Concatenated(views)))
    }

    /// The value of `unzip(xs)`: a view for each component.
    pub(super) fn unzip(
        &mut self,
        input: &Expr,
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        let Some(Type::Tuple(components)) = input.ty.as_array().map(|array| &array.element) else {
            return Err(Error::internal(source, "`unzip` of an array of something else than tuples"));
        };
        let view = Arc::new(self.view(input, environment)?);
        let parts =
            (0..components.len()).map(|position| Value::Array(View::Component(view.clone(), position)));
        Ok(Value::Tuple(parts.collect()))
    }

    /// One element of an array.
    pub(super) fn at(
        &mut self,
        position: &Position,
        input: &Expr,
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        let Some(array) = input.ty.as_array() else {
            return Err(Error::internal(source, "an element of a scalar"));
        };
        let view = self.view(input, environment)?;
        match position {
            Position::Size(index) => self.access(&view, index, source),
            Position::Clamped(index) => {
                let index = self.scalar(index, environment)?;
                let index = self.index_from_data(index, &array.length);
                self.access(&view, &index, source)
            }
            Position::OrDefault(index, default) => {
                let index = self.scalar(index, environment)?;
                let index = if index.is_trivial() {
                    index
                } else {
                    Expression::Variable(self.declare("wanted", index))
                };
                let inside = is_inside(&index, &array.length);
                let default = self.value(default, environment)?;
                // The clamped position may be read if the array is not empty.
                let not_empty = Condition::Less(Nat::zero(), array.length.clone());
                let clamped = self.index_from_data(index, &array.length);
                self.choose_by(
                    &not_empty,
                    |generator| {
                        let element = generator.access(&view, &clamped, source)?;
                        generator.select(&inside, element, default.clone(), source)
                    },
                    |_| Ok(default.clone()),
                    source,
                )
            }
        }
    }

    /// A value from data as an index: clamped into an array of this length, and known to the algebra of sizes
    /// as a variable in that range.
    pub(super) fn index_from_data(&mut self, value: Expression, length: &Nat) -> Nat {
        if let Some(index) = self.as_position(&value) {
            let last = length - &Nat::constant(1);
            return self.ranges.simplify(&Nat::min(&Nat::max(&index, &Nat::zero()), &last));
        }
        let index = self.fresh.index("index");
        let length = self.ranges.simplify(length);
        self.ranges.declare(&index, Nat::zero(), Some(length.clone()));
        self.block.push(Statement::DeclareIndex { index: index.clone(), value, length });
        Nat::variable(&index)
    }

    /// `min(max(value, 0), size)` of a value from data as a position, so that the algebra knows where it lies,
    /// and what lies inside of an array is not clamped into it again.
    pub(super) fn clamped_to_size(
        &mut self,
        builtin: Builtin,
        arguments: &[Expression],
    ) -> Option<Expression> {
        let (Builtin::Min, [Expression::Builtin(Builtin::Max, inner), size]) = (builtin, arguments) else {
            return None;
        };
        let size = &match size {
            Expression::Index(size, ScalarType::I64) => size.clone(),
            Expression::Literal(Literal::Integer(size), ScalarType::I64) => Nat::constant(*size),
            _ => return None,
        };
        let [value, Expression::Literal(Literal::Integer(0), ScalarType::I64)] = inner.as_slice() else {
            return None;
        };
        let is_size = self.is_of_sizes(size) && self.ranges.is_non_negative(size) == Some(true);
        let is_data = self.as_position(value).is_none();
        (is_size && is_data).then(|| {
            let position = self.index_from_data(value.clone(), &(size + Nat::one()));
            self.positions_from_data.extend(position.as_variable().cloned());
            Expression::Index(position, ScalarType::I64)
        })
    }

    /// The value of an array literal: a table at file scope if all elements are literals, otherwise a private
    /// array.
    pub(super) fn array_literal(
        &mut self,
        expr: &Expr,
        elements: &[Arc<Expr>],
        environment: &Environment,
    ) -> Generated<Value> {
        let mut literals = Vec::new();
        if collect_literals(elements, &mut literals)
            && let Type::Scalar(element) = *expr.ty.innermost()
        {
            let length = Nat::constant(literals.len() as i128);
            let buffer = self.constant_table(element, length, literals);
            return Ok(value_in(&Storage::Buffer(buffer, Nat::zero()), &expr.ty));
        }
        elements.iter().try_for_each(|element| self.check_space(AddressSpace::Private, element))?;
        let storage = self.allocate(AddressSpace::Private, "block", &expr.ty, expr.source)?;
        let place = value_in(&storage, &expr.ty);
        let Value::Array(view) = &place else {
            return Err(Error::internal(expr.source, "an array was expected"));
        };
        for (position, element) in elements.iter().enumerate() {
            let place = self.access(view, &Nat::constant(position as i128), expr.source)?;
            self.write(element, environment, &place)?;
        }
        Ok(place)
    }

    /// The table with these elements; equal tables are shared.
    fn constant_table(&mut self, element: ScalarType, length: Nat, literals: Vec<Literal>) -> BufferId {
        let role = BufferRole::Constant(literals);
        let same = self.buffers.iter().position(|buffer| buffer.role == role && buffer.element == element);
        match same {
            Some(position) => BufferId(position),
            None => self.buffer("constants", element, length, role),
        }
    }

    /// The function of a map at a position. Only maps over position-dependent arrays have functions that
    /// mention the position.
    pub(super) fn positioned<'f>(&self, function: &'f Lambda, index: &Nat) -> Generated<Cow<'f, Lambda>> {
        match &function.index {
            None => Ok(Cow::Borrowed(function)),
            Some(_) => Ok(Cow::Owned(self.at_index(function, index, function.body.source)?)),
        }
    }

    /// A function that mentions its position, with the position replaced by `index`.
    pub(super) fn at_index(&self, function: &Lambda, index: &Nat, source: Source) -> Generated<Lambda> {
        let Some(variable) = &function.index else {
            return Err(Error::internal(source, "a function of a position has no position"));
        };
        let index = self.ranges.simplify(index);
        Ok(function.substitute(&Substitution::from([(variable.clone(), index)])))
    }
}

/// Whether an integer computed from data lies in `0..length`; compared in the widest type of its sign.
pub(super) fn is_inside(index: &Expression, length: &Nat) -> Expression {
    let wide = match index.ty().scalar {
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => ScalarType::U64,
        _ => ScalarType::I64,
    };
    let index = Expression::Cast(wide, Box::new(index.clone()));
    let length = Expression::Index(length.clone(), wide);
    let below = Expression::Binary(BinaryOperator::Less, Box::new(index.clone()), Box::new(length));
    if wide == ScalarType::U64 {
        return below;
    }
    let zero = Expression::Literal(Literal::Integer(0), wide);
    let above = Expression::Binary(BinaryOperator::GreaterOrEqual, Box::new(index), Box::new(zero));
    Expression::Binary(BinaryOperator::And, Box::new(above), Box::new(below))
}

/// Whether every number of the type of an integer from data lies in `0..length`: a byte in 256 entries.
pub(super) fn always_lies_inside(index: &Expression, length: &Nat) -> bool {
    let numbers = match (index, index.ty().scalar) {
        (Expression::Cast(ScalarType::I64 | ScalarType::U64, narrow), _) => {
            return always_lies_inside(narrow, length);
        }
        (_, ScalarType::U8) => 1 << 8,
        (_, ScalarType::U16) => 1 << 16,
        _ => return false,
    };
    length.as_constant().is_some_and(|length| length >= numbers)
}

/// Collects the literals of nested array literals, row by row. Returns false if an element is no literal.
fn collect_literals(elements: &[Arc<Expr>], literals: &mut Vec<Literal>) -> bool {
    elements.iter().all(|element| match &element.kind {
        ExprKind::Literal(literal) => {
            literals.push(literal.clone());
            true
        }
        ExprKind::ArrayLiteral(inner) => collect_literals(inner, literals),
        _ => false,
    })
}
