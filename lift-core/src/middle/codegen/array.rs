//! Arrays made from parts, and single elements of arrays.

use std::borrow::Cow;
use std::rc::Rc;

use super::error::Error;
use super::{Generated, Generator};
use crate::ir::kernel::{Expression, Statement};
use crate::ir::nat::{Condition, Nat, Substitution};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, Lambda, Position};
use crate::ir::types::Type;
use crate::middle::view::{Environment, Value, View};

impl Generator<'_> {
    /// `concat(a, b)`, read.
    pub(super) fn concat(
        &mut self,
        parts: &[Expr],
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

    /// `unzip(xs)`: one view per component.
    pub(super) fn unzip(
        &mut self,
        input: &Expr,
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        let Some(Type::Tuple(components)) = input.ty.as_array().map(|array| &array.element) else {
            return Err(Error::internal(source, "`unzip` of an array of something else than tuples"));
        };
        let view = Rc::new(self.view(input, environment)?);
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
                // The clamped element may be read wherever the array has one at all.
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

    /// An index that is computed from data, clamped into an array of this length, for the algebra of sizes.
    fn index_from_data(&mut self, value: Expression, length: &Nat) -> Nat {
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

    /// One of two values by a condition on indices; each is generated knowing the condition.
    pub(super) fn choose_by(
        &mut self,
        condition: &Condition,
        then: impl FnOnce(&mut Self) -> Generated<Value>,
        otherwise: impl FnOnce(&mut Self) -> Generated<Value>,
        source: Source,
    ) -> Generated<Value> {
        match self.ranges.decide(condition) {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let outside = self.ranges.clone();
        self.ranges.assume(condition);
        let then = self.in_block(then);
        self.ranges = outside.clone();
        self.ranges.assume(&condition.clone().negate());
        let otherwise = self.in_block(otherwise);
        self.ranges = outside;
        let condition = Expression::Condition(self.ranges.simplify_condition(condition));
        self.merge_branches(condition, then?, otherwise?, source)
    }

    /// A map's function at a position: that of a map over a position-dependent array mentions it.
    pub(super) fn positioned<'f>(&self, function: &'f Lambda, index: &Nat) -> Generated<Cow<'f, Lambda>> {
        match &function.index {
            None => Ok(Cow::Borrowed(function)),
            Some(_) => Ok(Cow::Owned(self.at_index(function, index, function.body.source)?)),
        }
    }

    /// The function of a position or step, at a position or step.
    pub(super) fn at_index(&self, function: &Lambda, index: &Nat, source: Source) -> Generated<Lambda> {
        let Some(variable) = &function.index else {
            return Err(Error::internal(source, "a function of a position has no position"));
        };
        let index = self.ranges.simplify(index);
        Ok(function.substitute(&Substitution::from([(variable.clone(), index)])))
    }
}

/// Whether an integer computed from data lies in `0..length`; compared in the widest type of its sign.
fn is_inside(index: &Expression, length: &Nat) -> Expression {
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
