//! Arrays made of arrays, values and functions: the type of each, and what it needs.

use std::sync::Arc;

use super::judge::{Judge, Kind, Mismatch, Purpose};
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::typed::{Lambda, Requirement, ScanKind};
use crate::ir::types::{ArrayType, Type};

/// `[element; length]`, the length in its simplest form.
pub fn of_length(element: Type, length: &Nat, judge: &dyn Judge) -> Type {
    Type::array(element, judge.simplified(length))
}

/// Demands that the elements of an array have one type.
pub fn regular(array: &ArrayType) -> Result<(), Mismatch> {
    match &array.index {
        None => Ok(()),
        Some(_) => Err(Mismatch::Irregular(array.clone())),
    }
}

/// The type of the array of a function's results. `index` is the position that the type of a result may
/// mention.
pub fn of_results(index: Option<&Var>, element: &Type, length: Nat, judge: &dyn Judge) -> Type {
    let Some(index) = index else { return Type::array(element.clone(), length) };
    let resolved = judge.resolved(element);
    match resolved.mentions(index) {
        true => Type::array_at(index, resolved, length),
        false => Type::array(element.clone(), length),
    }
}

/// `zip`: tuples of the elements of arrays of one length.
pub fn zip(arrays: &[Arc<ArrayType>], judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    let Some((first, others)) = arrays.split_first() else {
        return Err(Mismatch::Count { wanted: 2, found: arrays.len() });
    };
    // All lengths are compared, because each may teach something about the others.
    let equal = others.iter().map(|array| judge.equal_sizes(&first.length, &array.length, Purpose::SameSize));
    equal.fold(Ok(()), Result::and)?;
    let length = judge.simplified(&first.length);
    let Some(named) = arrays.iter().find_map(|array| array.index.as_ref()) else {
        let elements = arrays.iter().map(|array| array.element.clone()).collect();
        return Ok(Type::array(Type::Tuple(elements), length));
    };
    let index = judge.position(named.name());
    let position = Nat::variable(&index);
    let elements = arrays.iter().map(|array| array.element_at(&position)).collect();
    Ok(Type::array_at(&index, Type::Tuple(elements), length))
}

/// `unzip`: a tuple of arrays from an array of tuples.
pub fn unzip(array: &ArrayType, judge: &dyn Judge) -> Result<Type, Mismatch> {
    let Type::Tuple(components) = judge.resolved(&array.element) else {
        return Err(Mismatch::Kind { wanted: Kind::Tuple, found: array.element.clone() });
    };
    let of_component =
        |component: &Type| of_results(array.index.as_ref(), component, array.length.clone(), judge);
    Ok(Type::Tuple(components.iter().map(of_component).collect()))
}

/// `concat`: arrays with elements of one type, one after the other.
pub fn concat(arrays: &[Arc<ArrayType>], judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    let Some((first, others)) = arrays.split_first() else {
        return Err(Mismatch::Count { wanted: 2, found: arrays.len() });
    };
    arrays.iter().try_for_each(|array| regular(array))?;
    others.iter().try_for_each(|array| judge.equal_types(&first.element, &array.element))?;
    let total = arrays.iter().fold(Nat::zero(), |total, array| total + &array.length);
    Ok(of_length(first.element.clone(), &total, judge))
}

/// `padConstant`: an array with copies of a value on both sides.
pub fn pad_constant(
    array: &ArrayType,
    [left, right]: [&Nat; 2],
    value: &Type,
    judge: &mut dyn Judge,
) -> Result<Type, Mismatch> {
    regular(array)?;
    judge.natural(left)?;
    judge.natural(right)?;
    judge.equal_types(&array.element, value)?;
    Ok(padded(array, [left, right], judge))
}

/// An array with elements of its own type added on both sides.
pub fn padded(array: &ArrayType, [left, right]: [&Nat; 2], judge: &dyn Judge) -> Type {
    of_length(array.element.clone(), &(left + &array.length + right), judge)
}

/// The type of the element at a size, which lies inside the array.
pub fn element_at(array: &ArrayType, position: &Nat, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    judge.natural(position)?;
    let beyond = position + Nat::one();
    judge.need(Requirement::AtMost(beyond, array.length.clone()), Purpose::ElementExists)?;
    Ok(array.element_at(position))
}

/// The position of the last element, which exists.
pub fn last_position(array: &ArrayType, judge: &mut dyn Judge) -> Result<Nat, Mismatch> {
    has_elements(array, judge)?;
    Ok(&array.length - Nat::one())
}

/// Demands an element, for a position that is clamped into the array.
pub fn has_elements(array: &ArrayType, judge: &mut dyn Judge) -> Result<(), Mismatch> {
    judge.need(Requirement::AtMost(Nat::one(), array.length.clone()), Purpose::ElementExists)
}

/// The type of a scan: its initial value before every element, or what the elements become.
pub fn scan(kind: ScanKind, array: &ArrayType, initial: &Type) -> Result<Type, Mismatch> {
    regular(array)?;
    Ok(match kind {
        ScanKind::Exclusive | ScanKind::ExclusiveSequential => {
            Type::array(initial.clone(), array.length.clone())
        }
        ScanKind::Inclusive => Type::Array(Arc::new(array.clone())),
    })
}

/// The type after all applications of a function to its own result: an array with the elements of its
/// parameter. The length of the parameter mentions the number of applications so far. Where it does not, all
/// applications keep it, or there is only one.
pub fn iterated(count: &Nat, function: &Lambda, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    let [(_, parameter)] = function.parameters.as_slice() else {
        return Err(Mismatch::Count { wanted: 1, found: function.parameters.len() });
    };
    let Some(index) = &function.index else { return Err(Mismatch::NoIndex) };
    let parameter = judge.resolved(parameter);
    let (parameter, result) = (judge.array(&parameter)?, judge.array(&function.body.ty)?);
    regular(&parameter)?;
    regular(&result)?;
    let length = match parameter.length.mentions(index) {
        true => parameter.length.substitute(&Substitution::from([(index.clone(), count.clone())])),
        false => result.length.clone(),
    };
    Ok(of_length(parameter.element.clone(), &length, judge))
}
