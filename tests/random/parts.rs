//! Values as they cross the boundary of a kernel: tuples are taken apart, and elements lie one after the
//! other.

use std::collections::BTreeMap;

use lift_core::eval::{Argument, Value};
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;
use lift_core::middle::tuples::components;

/// The sizes of a program.
pub(crate) type Sizes = BTreeMap<Var, i128>;

/// A number, a vector or an array as a kernel takes and gives it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dense {
    /// The lengths of the dimensions; the components of vectors are the last one. Rows of different lengths
    /// come one after the other, in one dimension.
    pub(crate) shape: Vec<usize>,
    /// The scalars in row-major order.
    pub(crate) scalars: Vec<Value>,
}

/// An argument of a kernel.
pub(crate) enum Passed {
    Size(u64),
    Dense(Dense),
}

/// The arguments of the program that is launched.
pub(crate) fn taken_apart(kernel: &Program, arguments: &[Argument], sizes: &Sizes) -> Vec<Passed> {
    let pairs = kernel.parameters.iter().zip(arguments);
    let parts = pairs.flat_map(|(parameter, argument)| match (&parameter.ty, argument) {
        (ParameterType::Value(ty), Argument::Value(value)) => {
            parts(value, ty, sizes).into_iter().map(Passed::Dense).collect()
        }
        (_, Argument::Size(size)) => vec![Passed::Size(*size)],
        (ParameterType::Size(_), Argument::Value(_)) => Vec::new(),
    });
    parts.collect()
}

/// The components of a value of a type, in order: an array of tuples is an array for each component.
pub(crate) fn parts(value: &Value, ty: &Type, sizes: &Sizes) -> Vec<Dense> {
    let dense = |(value, ty): (Value, Type)| {
        let scalars = value.flatten();
        Dense { shape: shape(&ty, scalars.len(), sizes), scalars }
    };
    values(value, ty).into_iter().zip(components(ty)).map(dense).collect()
}

fn values(value: &Value, ty: &Type) -> Vec<Value> {
    match (value, ty) {
        (Value::Tuple(parts), Type::Tuple(types)) => {
            parts.iter().zip(types).flat_map(|(value, ty)| values(value, ty)).collect()
        }
        (Value::Array(elements), Type::Array(array)) if matches!(ty.innermost(), Type::Tuple(_)) => {
            let rows: Vec<_> = elements.iter().map(|element| values(element, &array.element)).collect();
            (0..components(ty).len())
                .map(|part| Value::Array(rows.iter().map(|row| row[part].clone()).collect()))
                .collect()
        }
        _ => vec![value.clone()],
    }
}

/// The shape of a value of a type without tuples. The type says it, because an array without rows does not
/// show how long its rows would be.
fn shape(ty: &Type, scalars: usize, sizes: &Sizes) -> Vec<usize> {
    if ty.is_position_dependent() {
        return vec![scalars];
    }
    let length = |length: &Nat| {
        let found = length.evaluate(&|variable: &Var| sizes.get(variable).copied());
        found.and_then(|length| usize::try_from(length).ok()).expect("a length is a formula of sizes")
    };
    let lanes = match ty.innermost() {
        Type::Vector(_, width) => Some(usize::from(*width)),
        _ => None,
    };
    ty.shape().iter().map(length).chain(lanes).collect()
}
