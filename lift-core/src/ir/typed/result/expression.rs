//! The type of an expression of every form, given the types of the expressions inside it.

use std::sync::Arc;

use super::branches::type_of_branches;
use super::judge::{Judge, Kind, Mismatch};
use super::prover::Prover;
use super::{array, scalar};
use crate::ir::nat::{Nat, Substitution};
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::{Expr, ExprKind, Function, Lambda, Position, ScanKind};
use crate::ir::types::{ArrayType, Type};

impl ExprKind {
    /// The type of an expression of this form, once everything that the form needs is demanded. `stated` is
    /// the type of what does not determine its own: literals, sizes, variables, and vectors made of a scalar.
    /// `functions` are the user functions of the program.
    pub fn result(
        &self,
        stated: &Type,
        functions: &[Function],
        prover: &mut Prover,
    ) -> Result<Type, Mismatch> {
        match self {
            ExprKind::Literal(literal) => scalar::literal(literal, stated).map(|()| stated.clone()),
            ExprKind::Variable(_) => Ok(stated.clone()),
            ExprKind::Size(_) => scalar::size(stated).map(|()| stated.clone()),
            ExprKind::Tuple(parts) => Ok(Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect())),
            ExprKind::Component(tuple, position) => component(&tuple.ty, *position),
            ExprKind::ArrayLiteral(elements) => {
                let Some((first, others)) = elements.split_first() else {
                    return Err(Mismatch::Count { wanted: 1, found: 0 });
                };
                others.iter().try_for_each(|other| prover.equal_types(&first.ty, &other.ty))?;
                let length = i128::try_from(elements.len()).unwrap_or(i128::MAX);
                Ok(Type::array(first.ty.clone(), Nat::constant(length)))
            }
            ExprKind::Let { body, .. } => Ok(body.ty.clone()),
            ExprKind::Unary(operator, operand) => scalar::unary(*operator, &operand.ty),
            ExprKind::Binary(operator, left, right) => scalar::binary(*operator, &left.ty, &right.ty, prover),
            ExprKind::Builtin(builtin, arguments) => {
                let arguments: Vec<&Type> = arguments.iter().map(|argument| &argument.ty).collect();
                scalar::builtin(*builtin, &arguments, prover)
            }
            ExprKind::Function(position, arguments) => {
                let function = functions.get(*position).ok_or(Mismatch::NoFunction(*position))?;
                let arguments: Vec<Type> = arguments.iter().map(|argument| argument.ty.clone()).collect();
                takes(&function.parameters, &arguments, prover)?;
                Ok(function.body.ty.clone())
            }
            ExprKind::If(condition, then, otherwise) => {
                scalar::truth(&condition.ty)?;
                let Some(chosen) = condition.size_condition().filter(|_| then.ty != otherwise.ty) else {
                    prover.equal_types(&then.ty, &otherwise.ty)?;
                    return Ok(otherwise.ty.clone());
                };
                let ranges = prover.ranges().clone();
                let mut fresh = |name: &str| prover.position(name);
                if let Some(ty) = type_of_branches(&chosen, &then.ty, &otherwise.ty, &ranges, &mut fresh) {
                    return Ok(ty);
                }
                prover.under_condition(&chosen, |prover| prover.equal_types(&otherwise.ty, &then.ty))?;
                Ok(otherwise.ty.clone())
            }
            ExprKind::Cast(scalar, operand) => scalar::cast(*scalar, &operand.ty),
            ExprKind::Broadcast(operand) => {
                scalar::broadcast(&operand.ty, stated, prover).map(|()| stated.clone())
            }
            ExprKind::Lanewise(function, arguments) => lanewise(function, arguments, prover),
            ExprKind::Map(_, function, input) => {
                let array = prover.array(&input.ty)?;
                takes_elements(function, None, &array, prover)?;
                Ok(array::of_results(
                    function.index.as_ref(),
                    &function.body.ty,
                    array.length.clone(),
                    prover,
                ))
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                let array = prover.array(&input.ty)?;
                takes_elements(function, Some(&initial.ty), &array, prover)?;
                accumulates(function, &kind.step(&initial.ty), &array.length, prover)?;
                Ok(initial.ty.clone())
            }
            ExprKind::Zip(parts) => {
                if parts.len() < 2 {
                    return Err(Mismatch::Count { wanted: 2, found: parts.len() });
                }
                let arrays: Vec<_> =
                    parts.iter().map(|part| prover.array(&part.ty)).collect::<Result<_, _>>()?;
                array::zip(&arrays, prover)
            }
            ExprKind::Layout(layout, input) => {
                let array = prover.array(&input.ty)?;
                layout.result(&array, prover)
            }
            ExprKind::PadConstant { left, right, value, input } => {
                let array = prover.array(&input.ty)?;
                array::pad_constant(&array, [left, right], &value.ty, prover)
            }
            ExprKind::Store(_, value) => Ok(value.ty.clone()),
            ExprKind::Concat(parts) => {
                let arrays: Vec<_> =
                    parts.iter().map(|part| prover.array(&part.ty)).collect::<Result<_, _>>()?;
                array::concat(&arrays, prover)
            }
            ExprKind::At(position, input) => {
                let array = prover.array(&input.ty)?;
                element(position, &array, prover)
            }
            ExprKind::Generate(length, function) => {
                prover.natural(length)?;
                takes(&function.parameters, &[], prover)?;
                Ok(array::of_results(function.index.as_ref(), &function.body.ty, length.clone(), prover))
            }
            ExprKind::Repeat(length, value) => {
                prover.natural(length)?;
                Ok(array::of_length(value.ty.clone(), length, prover))
            }
            ExprKind::Unzip(input) => {
                let array = prover.array(&input.ty)?;
                array::unzip(&array, prover)
            }
            ExprKind::Scan(kind, function, initial, input) => {
                let array = prover.array(&input.ty)?;
                let result = array::scan(*kind, &array, &initial.ty)?;
                if *kind == ScanKind::Inclusive {
                    prover.equal_types(&array.element, &initial.ty)?;
                }
                takes_elements(function, Some(&initial.ty), &array, prover)?;
                accumulates(function, &initial.ty, &array.length, prover)?;
                Ok(result)
            }
            ExprKind::Iterate(count, function, input) => iterate(count, function, &input.ty, prover),
            ExprKind::EndUnless(condition, value) => {
                scalar::truth(&condition.ty)?;
                Ok(value.ty.clone())
            }
        }
    }
}

/// Checks the parameters of a function against the types of what it is applied to.
fn takes<V>(parameters: &[(V, Type)], arguments: &[Type], prover: &mut Prover) -> Result<(), Mismatch> {
    if parameters.len() != arguments.len() {
        return Err(Mismatch::Count { wanted: arguments.len(), found: parameters.len() });
    }
    parameters.iter().zip(arguments).try_for_each(|((_, ty), argument)| prover.equal_types(argument, ty))
}

/// The same for a function that is applied to the elements of an array, after an accumulator if there is one.
fn takes_elements(
    function: &Lambda,
    accumulator: Option<&Type>,
    array: &ArrayType,
    prover: &mut Prover,
) -> Result<(), Mismatch> {
    let element = match (&function.index, &array.index) {
        (Some(index), _) => array.element_at(&Nat::variable(index)),
        (None, None) => array.element.clone(),
        (None, Some(_)) => return Err(Mismatch::NoIndex),
    };
    let arguments: Vec<Type> = accumulator.cloned().into_iter().chain([element]).collect();
    at_positions(function, &array.length, prover, |prover| takes(&function.parameters, &arguments, prover))
}

/// Checks that a function gives the next accumulator.
fn accumulates(
    function: &Lambda,
    accumulator: &Type,
    count: &Nat,
    prover: &mut Prover,
) -> Result<(), Mismatch> {
    at_positions(function, count, prover, |prover| prover.equal_types(accumulator, &function.body.ty))
}

fn at_positions<T>(
    function: &Lambda,
    count: &Nat,
    prover: &mut Prover,
    judge: impl Fn(&mut Prover) -> Result<T, Mismatch>,
) -> Result<T, Mismatch> {
    match &function.index {
        Some(index) => prover.under_index(index, count, judge),
        None => prover.for_elements(count, judge),
    }
}

/// `tuple.position`
fn component(tuple: &Type, position: usize) -> Result<Type, Mismatch> {
    let Type::Tuple(components) = tuple else {
        return Err(Mismatch::Kind { wanted: Kind::Tuple, found: tuple.clone() });
    };
    let missing = || Mismatch::NoComponent { position, tuple: tuple.clone() };
    components.get(position).cloned().ok_or_else(missing)
}

fn element(position: &Position, array: &ArrayType, prover: &mut Prover) -> Result<Type, Mismatch> {
    let integer = |index: &Expr| match &index.ty {
        Type::Scalar(scalar) if scalar.is_integer() => Ok(()),
        other => Err(Mismatch::Kind { wanted: Kind::Scalar(ScalarClass::Integer), found: other.clone() }),
    };
    match position {
        Position::Size(position) => array::element_at(array, position, prover),
        Position::Clamped(index) => {
            array::regular(array)?;
            integer(index)?;
            array::has_elements(array, prover)?;
            Ok(array.element.clone())
        }
        Position::OrDefault(index, default) => {
            array::regular(array)?;
            integer(index)?;
            prover.equal_types(&array.element, &default.ty)?;
            Ok(array.element.clone())
        }
    }
}

/// A function on scalars, applied to vectors of one width.
fn lanewise(function: &Lambda, arguments: &[Arc<Expr>], prover: &mut Prover) -> Result<Type, Mismatch> {
    let mut lanes = Vec::new();
    let mut common = None;
    for argument in arguments {
        match &argument.ty {
            Type::Vector(lane, width) if common.is_none_or(|common| common == *width) => {
                lanes.push(Type::Scalar(*lane));
                common = Some(*width);
            }
            other => return Err(Mismatch::Kind { wanted: Kind::Vector, found: other.clone() }),
        }
    }
    takes(&function.parameters, &lanes, prover)?;
    match (&function.body.ty, common) {
        (Type::Scalar(lane), Some(width)) => Ok(Type::Vector(*lane, width)),
        (_, None) => Err(Mismatch::Count { wanted: 1, found: 0 }),
        (other, Some(_)) => {
            Err(Mismatch::Kind { wanted: Kind::Scalar(ScalarClass::Any), found: other.clone() })
        }
    }
}

/// A function that is applied to its own result: to the input first, and after application `i` to what that
/// gives.
fn iterate(count: &Nat, function: &Lambda, input: &Type, prover: &mut Prover) -> Result<Type, Mismatch> {
    prover.natural(count)?;
    let result = array::iterated(count, function, prover)?;
    let ([(_, parameter)], Some(index)) = (function.parameters.as_slice(), &function.index) else {
        return Err(Mismatch::NoIndex);
    };
    let at = |position: Nat| parameter.substitute(&Substitution::from([(index.clone(), position)]));
    prover.equal_types(&at(Nat::zero()), input)?;
    let (before, after) = (prover.array(parameter)?, prover.array(&function.body.ty)?);
    prover.equal_types(&before.element, &after.element)?;
    // Where the type of the parameter does not mention the application, the last result may have another.
    let applications = if parameter.mentions(index) { count.clone() } else { count - Nat::one() };
    if prover.ranges().is_at_most(&applications, &Nat::zero()) != Some(true) {
        let next = at(Nat::variable(index) + Nat::one());
        prover.under_index(index, &applications, |prover| prover.equal_types(&next, &function.body.ty))?;
    }
    Ok(result)
}
