//! What a strict program asks of the arithmetic of a device: with which types its kernels compute.

use std::collections::BTreeSet;

use super::Exactness;
use crate::ir::kernel::{Expression, Module, nested};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::typed::Rounding;

/// What the kernels of a module ask of a device.
pub(super) fn exactness(module: &Module) -> Exactness {
    let mut types = Types::default();
    if module.rounding == Rounding::Strict {
        let blocks = module.functions.iter().map(|function| &function.body);
        let blocks = blocks.chain(module.kernels.iter().map(|kernel| &kernel.body));
        let statements = blocks.flat_map(|block| nested(block));
        let expressions = statements.flat_map(|statement| statement.expressions());
        let values = module.functions.iter().flat_map(|function| &function.values);
        expressions.chain(values).for_each(|expression| expression.each_part(&mut |part| types.add(part)));
    }
    let Types { computed, divided } = types;
    Exactness { computed: computed.into_iter().collect(), divided: divided.into_iter().collect() }
}

#[derive(Default)]
struct Types {
    computed: BTreeSet<ScalarType>,
    divided: BTreeSet<ScalarType>,
}

impl Types {
    /// Adds the types of an operation. What only moves numbers asks for nothing.
    fn add(&mut self, operation: &Expression) {
        let computed = &mut self.computed;
        let mut computes = |of: &Expression| computed.extend(float(of.ty().scalar));
        match operation {
            Expression::Unary(_, operand) => computes(operand),
            Expression::Cast(to, operand) => {
                computes(operand);
                computed.extend(float(*to));
            }
            Expression::Binary(operator, left, _) => {
                computes(left);
                if *operator == BinaryOperator::Divide {
                    self.divides(left);
                }
            }
            Expression::Builtin(builtin, arguments) => {
                arguments.iter().for_each(&mut computes);
                if let (Builtin::Sqrt, [operand]) = (builtin, arguments.as_slice()) {
                    self.divides(operand);
                }
            }
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..)
            | Expression::Function(..)
            | Expression::Broadcast(..)
            | Expression::Components(_)
            | Expression::Component(..)
            | Expression::Select(..) => {}
        }
    }

    /// Kernels divide numbers of half precision in single precision.
    fn divides(&mut self, of: &Expression) {
        match float(of.ty().scalar) {
            Some(ScalarType::F16) => {
                self.computed.insert(ScalarType::F32);
                self.divided.insert(ScalarType::F32);
            }
            other => self.divided.extend(other),
        }
    }
}

/// A type whose numbers may be rounded.
fn float(scalar: ScalarType) -> Option<ScalarType> {
    scalar.may_be_float().then_some(scalar)
}
