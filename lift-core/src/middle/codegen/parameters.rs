//! The parameters and the result of a program: buffers and variables for parameters, buffers for the result.

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::values;
use crate::ir::kernel::{BufferRole, Expression};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::ParameterType;
use crate::ir::types::Type;
use crate::middle::view::{Environment, Storage, Value, View};

impl Generator<'_> {
    /// Makes buffers and variables for the program's parameters. Returns the environment in which they are
    /// bound.
    pub(super) fn bind_parameters(&mut self) -> Generated<Environment> {
        let mut environment = Environment::default();
        for (position, parameter) in self.program.parameters.iter().enumerate() {
            let ParameterType::Value(ty) = &parameter.ty else { continue };
            let name = &parameter.variable.name;
            let value = match ty {
                Type::Scalar(_) | Type::Vector(..) => {
                    let Some(ty) = values::value_type(ty) else {
                        return Err(unsupported_boundary(ty, parameter.source));
                    };
                    let variable = self.fresh.variable(name, ty);
                    self.scalars.push((position, variable.clone()));
                    Value::Scalar(Expression::Variable(variable))
                }
                Type::Array(array) => {
                    let (Type::Scalar(element) | Type::Vector(element, _)) = *ty.innermost() else {
                        return Err(unsupported_boundary(ty, parameter.source));
                    };
                    let length = self.ranges.simplify(&ty.element_count());
                    let buffer = self.buffer(name, element, length, BufferRole::Parameter(position));
                    Value::Array(View::Memory(Storage::Buffer(buffer, Nat::zero()), array.clone()))
                }
                Type::Size | Type::Tuple(_) => {
                    return Err(unsupported_boundary(ty, parameter.source));
                }
            };
            environment = environment.with(&parameter.variable, value);
        }
        Ok(environment)
    }

    /// The destination of the program's result.
    pub(super) fn destination(&mut self, ty: &Type, source: Source) -> Generated<Value> {
        let storage = self.result_storage(ty, "result", &mut 0, source)?;
        Ok(values::value_in(&storage, ty))
    }

    /// Makes a buffer for each component of the result; `count` buffers exist already.
    fn result_storage(
        &mut self,
        ty: &Type,
        name: &str,
        count: &mut usize,
        source: Source,
    ) -> Generated<Storage> {
        match ty.innermost() {
            Type::Tuple(components) => {
                let parts = (0..components.len())
                    .map(|position| {
                        let name = format!("{name}_{position}");
                        self.result_storage(&ty.component(position), &name, count, source)
                    })
                    .collect::<Generated<_>>()?;
                Ok(Storage::Tuple(parts))
            }
            Type::Scalar(element) | Type::Vector(element, _) => {
                let length = self.ranges.simplify(&ty.element_count());
                let buffer = self.buffer(name, *element, length, BufferRole::Result(*count));
                *count += 1;
                Ok(Storage::Buffer(buffer, Nat::zero()))
            }
            Type::Size | Type::Array(_) => Err(unsupported_boundary(ty, source)),
        }
    }
}

fn unsupported_boundary(ty: &Type, source: Source) -> Error {
    Error::new(source, Problem::Boundary(ty.clone()))
}
