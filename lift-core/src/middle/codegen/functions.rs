//! User functions: their tuples are taken apart into scalars, and their bodies become statements.

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::values::value_type;
use crate::ir::kernel::{Expression, Function, Statement, ValueType, Variable};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed::Program;
use crate::ir::types::Type;
use crate::middle::view::{Environment, Value};

/// Generates the user functions of a program in the order of the program, in which callees come first.
pub(super) fn generate_functions(
    generator: &mut Generator<'_>,
    program: &Program,
) -> Generated<Vec<Function>> {
    program.functions.iter().map(|function| generate_function(generator, function)).collect()
}

fn generate_function(
    generator: &mut Generator<'_>,
    function: &crate::ir::typed::Function,
) -> Generated<Function> {
    let name = generator.fresh.name(&function.name);
    let mut parameters = Vec::new();
    let mut environment = Environment::default();
    for (variable, ty) in &function.parameters {
        let value = parameter_value(generator, ty, &variable.name, &mut parameters, function.body.source)?;
        environment = environment.with(variable, value);
    }
    let (body, value) = generator.in_block(|generator| generator.value(&function.body, &environment))?;
    let mut values = Vec::new();
    flatten(value, &mut values, function.body.source)?;
    let results = values.iter().map(Expression::ty).collect();
    Ok(Function { name, parameters, results, body, values })
}

/// Adds parameters for the scalars of a type. Returns the value that they form.
fn parameter_value(
    generator: &mut Generator<'_>,
    ty: &Type,
    wanted: &str,
    parameters: &mut Vec<Variable>,
    source: Source,
) -> Generated<Value> {
    match ty {
        Type::Scalar(_) | Type::Vector(..) => {
            let variable = generator.fresh_variable(wanted, element_type(ty, source)?);
            parameters.push(variable.clone());
            Ok(Value::Scalar(Expression::Variable(variable)))
        }
        Type::Tuple(components) => {
            let mut parts = Vec::new();
            for (position, component) in components.iter().enumerate() {
                let wanted = format!("{wanted}_{position}");
                parts.push(parameter_value(generator, component, &wanted, parameters, source)?);
            }
            Ok(Value::Tuple(parts))
        }
        Type::Size | Type::Array(_) => Err(Error::new(source, Problem::FunctionParameter(ty.clone()))),
    }
}

/// The scalars of a value, in order.
fn flatten(value: Value, scalars: &mut Vec<Expression>, source: Source) -> Generated<()> {
    match value {
        Value::Scalar(expression) => {
            scalars.push(expression);
            Ok(())
        }
        Value::Tuple(parts) => parts.into_iter().try_for_each(|part| flatten(part, scalars, source)),
        Value::Array(_) => Err(Error::internal(source, "a user function got an array")),
    }
}

/// The type of a scalar or a vector.
fn element_type(ty: &Type, source: Source) -> Generated<ValueType> {
    value_type(ty).ok_or_else(|| Error::internal(source, "a scalar or a vector was expected"))
}

impl Generator<'_> {
    /// Calls a user function.
    pub(super) fn call(
        &mut self,
        function: usize,
        arguments: Vec<Value>,
        ty: &Type,
        source: Source,
    ) -> Generated<Value> {
        let mut scalars = Vec::new();
        arguments.into_iter().try_for_each(|argument| flatten(argument, &mut scalars, source))?;
        match ty {
            Type::Scalar(_) | Type::Vector(..) => {
                Ok(Value::Scalar(Expression::Function(function, scalars, element_type(ty, source)?)))
            }
            Type::Size | Type::Tuple(_) | Type::Array(_) => {
                let mut results = Vec::new();
                let value = self.result_value(ty, &mut results);
                self.block.push(Statement::CallFunction { results, function, arguments: scalars });
                Ok(value)
            }
        }
    }

    /// Variables for the scalars of a function's result.
    fn result_value(&mut self, ty: &Type, results: &mut Vec<Variable>) -> Value {
        match ty {
            Type::Tuple(components) => Value::Tuple(
                components.iter().map(|component| self.result_value(component, results)).collect(),
            ),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => {
                let ty = value_type(ty).unwrap_or(ValueType::from(ScalarType::I64));
                let variable = self.fresh_variable("component", ty);
                results.push(variable.clone());
                Value::Scalar(Expression::Variable(variable))
            }
        }
    }
}
