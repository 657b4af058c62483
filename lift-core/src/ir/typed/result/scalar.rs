//! Scalars, vectors and tuples of such: the types of operators, built-in functions and casts.

use super::judge::{Judge, Kind, Mismatch};
use crate::ir::primitive::builtin::{Builtin, Domain};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarClass, ScalarType, UnaryOperator};
use crate::ir::types::{Type, VECTOR_WIDTHS};

/// The same type with components of another scalar type.
pub fn with_lane(ty: &Type, lane: ScalarType) -> Type {
    match ty {
        Type::Vector(_, width) => Type::Vector(lane, *width),
        Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => Type::Scalar(lane),
    }
}

/// The type of an operator's result, given that of its operands.
pub fn of_operator(operator: BinaryOperator, operand: &Type) -> Type {
    match operator {
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::BitAnd
        | BinaryOperator::BitXor
        | BinaryOperator::BitOr
        | BinaryOperator::And
        | BinaryOperator::Or => operand.clone(),
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => with_lane(operand, ScalarType::Bool),
    }
}

/// The class of the operands of an operator; `None` for truth values.
pub fn class_of_operands(operator: BinaryOperator) -> Option<ScalarClass> {
    match operator {
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => Some(ScalarClass::Number),
        BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr => Some(ScalarClass::Bits),
        BinaryOperator::Equal | BinaryOperator::NotEqual => Some(ScalarClass::Any),
        BinaryOperator::And | BinaryOperator::Or => None,
    }
}

/// The class of the numbers that a built-in function takes.
pub fn class_of_builtin(builtin: Builtin) -> ScalarClass {
    if builtin == Builtin::Select {
        return ScalarClass::Any;
    }
    match builtin.domain() {
        Domain::Float | Domain::Single | Domain::FloatWithBits => ScalarClass::Float,
        Domain::Integer | Domain::BitsOfFloat => ScalarClass::Integer,
        Domain::Number => ScalarClass::Number,
    }
}

/// The only types that a function between floats and their bits takes; `None` for other domains.
pub fn types_with_bits(domain: Domain) -> Option<[ScalarType; 2]> {
    match domain {
        Domain::FloatWithBits => Some([ScalarType::F32, ScalarType::F64]),
        Domain::BitsOfFloat => Some([ScalarType::U32, ScalarType::U64]),
        Domain::Number | Domain::Float | Domain::Single | Domain::Integer => None,
    }
}

/// The type of a built-in function's result, given that of its operands (for `select`, of what it chooses
/// from).
pub fn of_builtin(builtin: Builtin, operand: &Type) -> Type {
    match (builtin, operand) {
        (Builtin::Dot, Type::Vector(lane, _)) => Type::Scalar(*lane),
        (_, Type::Scalar(lane) | Type::Vector(lane, _)) => with_lane(operand, builtin.result(*lane)),
        (_, Type::Size | Type::Tuple(_) | Type::Array(_)) => operand.clone(),
    }
}

/// A literal of a stated type.
pub(super) fn literal(literal: &Literal, stated: &Type) -> Result<(), Mismatch> {
    let class = match literal {
        Literal::Bool(_) => return truth(stated),
        Literal::Integer(_) if *stated == Type::Size => return Ok(()),
        // The zero of an open type, which is `false` where that turns out to be `bool`.
        Literal::Integer(0) if matches!(stated, Type::Scalar(ScalarType::Parameter(_))) => ScalarClass::Any,
        Literal::Integer(_) => ScalarClass::Number,
        Literal::Float(_) => ScalarClass::Float,
    };
    match stated {
        Type::Scalar(scalar) if scalar.satisfies(class) => Ok(()),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
            Err(Mismatch::Kind { wanted: Kind::Scalar(class), found: stated.clone() })
        }
    }
}

/// A size as a value of a stated type.
pub(super) fn size(stated: &Type) -> Result<(), Mismatch> {
    match stated {
        Type::Size => Ok(()),
        Type::Scalar(scalar) if scalar.is_integer() => Ok(()),
        Type::Scalar(_) | Type::Vector(..) | Type::Tuple(_) | Type::Array(_) => {
            Err(Mismatch::Kind { wanted: Kind::Size, found: stated.clone() })
        }
    }
}

/// A truth value.
pub(super) fn truth(ty: &Type) -> Result<(), Mismatch> {
    match ty {
        Type::Scalar(ScalarType::Bool) => Ok(()),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
            Err(Mismatch::Kind { wanted: Kind::Truth, found: ty.clone() })
        }
    }
}

fn truth_operand(ty: &Type) -> Result<(), Mismatch> {
    match lane(ty) {
        Some(ScalarType::Bool) => Ok(()),
        Some(_) | None => Err(Mismatch::Kind { wanted: Kind::TruthOperand, found: ty.clone() }),
    }
}

fn operand(class: ScalarClass, ty: &Type) -> Result<(), Mismatch> {
    match lane(ty) {
        Some(scalar) if scalar.satisfies(class) => Ok(()),
        Some(_) | None => Err(Mismatch::Kind { wanted: Kind::Operand(class), found: ty.clone() }),
    }
}

/// The scalar type of a scalar, or of the components of a vector.
fn lane(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Scalar(lane) | Type::Vector(lane, _) => Some(*lane),
        Type::Size | Type::Tuple(_) | Type::Array(_) => None,
    }
}

pub(super) fn unary(operator: UnaryOperator, of: &Type) -> Result<Type, Mismatch> {
    match operator {
        UnaryOperator::Negate => operand(ScalarClass::Number, of)?,
        UnaryOperator::Not => operand(ScalarClass::Bits, of)?,
    }
    Ok(of.clone())
}

pub(super) fn binary(
    operator: BinaryOperator,
    left: &Type,
    right: &Type,
    judge: &mut dyn Judge,
) -> Result<Type, Mismatch> {
    let compares_sizes = operator.is_comparison() && *left == Type::Size;
    match class_of_operands(operator) {
        Some(_) if compares_sizes => {}
        Some(class) => operand(class, left)?,
        None => truth_operand(left)?,
    }
    judge.equal_types(left, right)?;
    Ok(of_operator(operator, left))
}

pub(super) fn builtin(
    builtin: Builtin,
    arguments: &[&Type],
    judge: &mut dyn Judge,
) -> Result<Type, Mismatch> {
    let wanted = Builtin::ALL.iter().find(|row| row.0 == builtin).map_or(arguments.len(), |row| row.2);
    if arguments.len() != wanted {
        return Err(Mismatch::Count { wanted, found: arguments.len() });
    }
    let operands = match (builtin, arguments) {
        (Builtin::Select, [condition, chosen @ ..]) => {
            truth_operand(condition)?;
            chosen
        }
        (_, [first, last]) if let Some(scalar) = builtin.exponent() => {
            judge.equal_types(&with_lane(first, scalar), last)?;
            std::slice::from_ref(first)
        }
        (_, all) => all,
    };
    let Some((first, others)) = operands.split_first() else {
        return Err(Mismatch::Count { wanted, found: arguments.len() });
    };
    operand(class_of_builtin(builtin), first)?;
    if let Some(allowed) = types_with_bits(builtin.domain())
        && !lane(first).is_some_and(|lane| allowed.contains(&lane))
    {
        return Err(Mismatch::Kind {
            wanted: Kind::Operand(class_of_builtin(builtin)),
            found: (*first).clone(),
        });
    }
    others.iter().try_for_each(|other| judge.equal_types(first, other))?;
    if let (Builtin::Select, [Type::Vector(_, of_condition), ..]) = (builtin, arguments)
        && !matches!(first, Type::Vector(_, width) if width == of_condition)
    {
        return Err(Mismatch::Kind { wanted: Kind::Vector, found: (*first).clone() });
    }
    Ok(of_builtin(builtin, first))
}

/// `value as scalar`, component by component.
pub(super) fn cast(scalar: ScalarType, of: &Type) -> Result<Type, Mismatch> {
    match of {
        Type::Scalar(_) | Type::Vector(..) | Type::Size => Ok(with_lane(of, scalar)),
        Type::Tuple(_) | Type::Array(_) => {
            Err(Mismatch::Kind { wanted: Kind::Operand(ScalarClass::Any), found: of.clone() })
        }
    }
}

/// A scalar in every component of a vector of a stated type.
pub(super) fn broadcast(of: &Type, stated: &Type, judge: &mut dyn Judge) -> Result<(), Mismatch> {
    let Type::Vector(lane, width) = stated else {
        return Err(Mismatch::Kind { wanted: Kind::Vector, found: stated.clone() });
    };
    if !VECTOR_WIDTHS.contains(width) {
        return Err(Mismatch::Width(*width));
    }
    judge.equal_types(&Type::Scalar(*lane), of)
}
