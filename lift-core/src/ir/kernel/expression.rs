//! Expressions of kernels.

use super::{BufferId, ValueType, Variable, Workers};
use crate::ir::nat::{Condition, Nat};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};

/// An expression on scalars or, lane by lane, on vectors.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A literal of a type.
    Literal(Literal, ScalarType),
    /// A variable.
    Variable(Variable),
    /// A size or an index as a number of a type.
    Index(Nat, ScalarType),
    /// A comparison of indices.
    Condition(Condition),
    /// The number of the worker among its kind.
    WorkerId(Workers),
    /// `buffer[index]`; a vector consists of the scalars that start there.
    Load(BufferId, Nat, ValueType),
    /// An operator.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator; the result is `bool` for comparisons, else of the operands' type.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A built-in function; the result has the type of the last argument, or of its components for `dot`.
    Builtin(Builtin, Vec<Expression>),
    /// A call of the function at this position in [`Module::functions`](super::Module::functions), which
    /// returns one scalar or vector.
    Function(usize, Vec<Expression>, ValueType),
    /// A scalar, copied to every component of a vector with this number of lanes.
    Broadcast(Box<Expression>, u8),
    /// A vector of these components.
    Components(Vec<Expression>),
    /// One component of a vector.
    Component(Box<Expression>, u8),
    /// `condition ? then : otherwise`; component by component where the condition is a vector.
    Select(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A conversion with the meaning of Rust's `as`, lane by lane.
    Cast(ScalarType, Box<Expression>),
}

impl Expression {
    /// A comparison of indices, or its truth value where it is decided.
    pub(crate) fn comparison(condition: Condition) -> Expression {
        match condition.as_constant() {
            Some(truth) => Expression::Literal(Literal::Bool(truth), ScalarType::Bool),
            None => Expression::Condition(condition),
        }
    }

    /// The truth value of a condition that is decided.
    pub(crate) fn as_truth(&self) -> Option<bool> {
        match self {
            Expression::Literal(Literal::Bool(truth), _) => Some(*truth),
            _ => None,
        }
    }

    /// The truth value that this one is not.
    pub(crate) fn negated(&self) -> Expression {
        match self {
            Expression::Unary(UnaryOperator::Not, operand) => operand.as_ref().clone(),
            Expression::Condition(condition) => Expression::Condition(condition.clone().negate()),
            _ => Expression::Unary(UnaryOperator::Not, Box::new(self.clone())),
        }
    }

    /// The type of its value.
    pub fn ty(&self) -> ValueType {
        match self {
            Expression::Literal(_, ty) | Expression::Index(_, ty) => ValueType::from(*ty),
            Expression::Load(_, _, ty) | Expression::Function(_, _, ty) => *ty,
            Expression::Cast(ty, operand) => operand.ty().of(*ty),
            Expression::Variable(variable) => variable.ty,
            Expression::Condition(_) => ValueType::BOOL,
            Expression::WorkerId(_) => ValueType::from(ScalarType::I32),
            Expression::Unary(_, operand) => operand.ty(),
            Expression::Binary(operator, left, _) => match operator {
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::BitAnd
                | BinaryOperator::BitXor
                | BinaryOperator::BitOr => left.ty(),
                BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::And
                | BinaryOperator::Or => left.ty().of(ScalarType::Bool),
            },
            Expression::Broadcast(operand, lanes) => ValueType { lanes: *lanes, ..operand.ty() },
            Expression::Components(components) => {
                let first = components.first().map_or(ValueType::BOOL, Expression::ty);
                ValueType { lanes: u8::try_from(components.len()).unwrap_or(u8::MAX), ..first }
            }
            Expression::Component(vector, _) => ValueType { lanes: 1, ..vector.ty() },
            Expression::Builtin(Builtin::Dot, arguments) => {
                let vector = arguments.last().map_or(ValueType::BOOL, Expression::ty);
                ValueType { lanes: 1, ..vector }
            }
            Expression::Builtin(builtin, arguments) => {
                let operand = builtin.operand(arguments).map_or(ValueType::BOOL, Expression::ty);
                operand.of(builtin.result(operand.scalar))
            }
            Expression::Select(_, then, _) => then.ty(),
        }
    }

    /// Whether a second evaluation costs no more than reading a variable.
    pub fn is_trivial(&self) -> bool {
        match self {
            Expression::Literal(..) | Expression::Variable(_) => true,
            Expression::Index(nat, _) => nat.as_constant().is_some() || nat.as_variable().is_some(),
            Expression::Broadcast(operand, _) | Expression::Component(operand, _) => operand.is_trivial(),
            Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Components(_)
            | Expression::Select(..)
            | Expression::Cast(..) => false,
        }
    }

    /// One component of a vector; a scalar is its own component.
    #[must_use]
    pub fn component(&self, lane: u8) -> Expression {
        let lanes = self.ty().lanes;
        match self {
            _ if lanes == 1 => self.clone(),
            Expression::Broadcast(operand, _) => operand.as_ref().clone(),
            Expression::Components(components) => components
                .get(usize::from(lane))
                .cloned()
                .unwrap_or_else(|| Expression::Component(Box::new(self.clone()), lane)),
            Expression::Load(buffer, index, ty) => {
                let index = index + Nat::constant(i128::from(lane));
                Expression::Load(*buffer, index, ValueType::from(ty.scalar))
            }
            Expression::Select(condition, then, otherwise) => Expression::Select(
                Box::new(condition.component(lane)),
                Box::new(then.component(lane)),
                Box::new(otherwise.component(lane)),
            ),
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Component(..)
            | Expression::Cast(..) => Expression::Component(Box::new(self.clone()), lane),
        }
    }

    /// Whether the expression or one of its parts is wanted. Each is asked before its own parts, and those
    /// after the first one are not. It makes no list, unlike [`nested`](Self::nested): passes ask this most
    /// often.
    pub(crate) fn any<'e>(&'e self, is_wanted: &mut impl FnMut(&'e Expression) -> bool) -> bool {
        if is_wanted(self) {
            return true;
        }
        match self.parts() {
            Parts::None => false,
            Parts::List(parts) => {
                for part in parts {
                    if part.any(is_wanted) {
                        return true;
                    }
                }
                false
            }
            Parts::One(part) => part.any(is_wanted),
            Parts::Two(first, second) => first.any(is_wanted) || second.any(is_wanted),
            Parts::Three(first, second, third) => {
                first.any(is_wanted) || second.any(is_wanted) || third.any(is_wanted)
            }
        }
    }

    /// Looks at the expression and all its parts, each before its own parts. It makes no list either.
    pub(crate) fn each_part<'e>(&'e self, look: &mut impl FnMut(&'e Expression)) {
        self.any(&mut |part| {
            look(part);
            false
        });
    }

    /// The expression and all its parts, each before its own parts.
    pub fn nested(&self) -> impl Iterator<Item = &Expression> {
        let mut rest = vec![self];
        std::iter::from_fn(move || {
            let next = rest.pop()?;
            next.push_parts(&mut rest);
            Some(next)
        })
    }

    /// The direct parts of an expression.
    pub fn children(&self) -> Vec<&Expression> {
        let mut parts = Vec::new();
        self.push_parts(&mut parts);
        parts.reverse();
        parts
    }

    /// Appends the parts to a list, the last one first. A walk keeps one list for all parts that it still has
    /// to see.
    fn push_parts<'e>(&'e self, list: &mut Vec<&'e Expression>) {
        match self.parts() {
            Parts::None => {}
            Parts::List(parts) => list.extend(parts.iter().rev()),
            Parts::One(part) => list.push(part),
            Parts::Two(first, second) => {
                list.push(second);
                list.push(first);
            }
            Parts::Three(first, second, third) => {
                list.push(third);
                list.push(second);
                list.push(first);
            }
        }
    }

    /// The direct parts. Every walk that looks at all forms alike starts here. It is inlined always:
    /// procedural macros are built without optimisation.
    #[inline(always)]
    fn parts(&self) -> Parts<'_> {
        match self {
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..) => Parts::None,
            Expression::Unary(_, operand)
            | Expression::Cast(_, operand)
            | Expression::Broadcast(operand, _)
            | Expression::Component(operand, _) => Parts::One(operand),
            Expression::Binary(_, left, right) => Parts::Two(left, right),
            Expression::Builtin(_, arguments)
            | Expression::Function(_, arguments, _)
            | Expression::Components(arguments) => Parts::List(arguments),
            Expression::Select(condition, then, otherwise) => Parts::Three(condition, then, otherwise),
        }
    }
}

/// The direct parts of an expression, in order, without a list of them.
enum Parts<'e> {
    None,
    One(&'e Expression),
    Two(&'e Expression, &'e Expression),
    Three(&'e Expression, &'e Expression, &'e Expression),
    List(&'e [Expression]),
}
