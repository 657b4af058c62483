//! Finds the sizes that the arguments of a call fix, and checks the program's constraints.
//!
//! The lengths of the arguments are equations over the size variables. An equation that is a plain variable
//! is solved at once. Any other is solved by trial as soon as it has only one unknown; trial finds the
//! smallest solution.

use std::collections::{BTreeMap, BTreeSet};

use super::EvalError;
use super::environment::Environment;
use super::value::Value;
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::{Obligation, Parameter, ParameterType, Program, Requirement, SizeVariable};
use crate::ir::types::Type;

/// The largest size that is tried for an equation in one unknown.
const LARGEST_TRIAL: i128 = 1 << 16;

/// An argument of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// For a parameter of a type: a scalar or an array.
    Value(Value),
    /// For a parameter that is a size.
    Size(u64),
}

/// A length in the type, and the length of the argument.
struct Equation {
    left: Nat,
    right: i128,
}

/// Binds the parameters, the sizes and the element types of a program to its arguments, and checks them.
/// `known` are sizes that the arguments may not show: the lengths of rows where there are none.
pub(super) fn bind(
    program: &Program,
    arguments: &[Argument],
    known: &BTreeMap<Var, i128>,
) -> Result<Environment, EvalError> {
    if arguments.len() != program.parameters.len() {
        return Err(EvalError::ArgumentCount { expected: program.parameters.len(), found: arguments.len() });
    }
    let mut environment = Environment::default();
    let mut equations = Vec::new();
    for (parameter, argument) in program.parameters.iter().zip(arguments) {
        match (&parameter.ty, argument) {
            (ParameterType::Size(variable), Argument::Size(size)) => {
                bind_declared_size(&mut environment, parameter, variable, *size)?;
            }
            (ParameterType::Value(ty), Argument::Value(value)) => {
                collect(ty, value, &mut environment, &mut equations);
                environment.bind(&parameter.variable, value.clone());
            }
            (ParameterType::Size(_), Argument::Value(_)) => return Err(mismatch(parameter, "a size")),
            (ParameterType::Value(_), Argument::Size(_)) => return Err(mismatch(parameter, "a value")),
        }
    }
    for (variable, size) in known {
        environment.bind_size(variable, *size);
    }
    solve(&program.sizes, &equations, &mut environment);
    check(program, arguments, &environment)?;
    Ok(environment)
}

fn mismatch(parameter: &Parameter, expected: &str) -> EvalError {
    EvalError::Argument { parameter: parameter.variable.name.to_string(), expected: expected.to_owned() }
}

/// Binds a size that is a parameter. Two parameters may be the same size; then they must agree.
fn bind_declared_size(
    environment: &mut Environment,
    parameter: &Parameter,
    variable: &Var,
    size: u64,
) -> Result<(), EvalError> {
    match environment.size_of(variable) {
        Some(previous) if previous != i128::from(size) => {
            Err(mismatch(parameter, &format!("{previous}, as another parameter has it")))
        }
        Some(_) => Ok(()),
        None => {
            environment.bind_size(variable, size.into());
            Ok(())
        }
    }
}

/// Collects the equations between the lengths of a type and of a value, and the element types that the value
/// fixes. Where type and value do not fit, it collects nothing: the later check reports that.
fn collect(ty: &Type, value: &Value, environment: &mut Environment, equations: &mut Vec<Equation>) {
    match (ty, value) {
        (Type::Scalar(ScalarType::Parameter(parameter)), value) => {
            if let Some(scalar) = value.scalar_type() {
                environment.fix_element_type(parameter.index, scalar);
            }
        }
        (Type::Vector(lane, _), Value::Vector(components)) => {
            let lane = Type::Scalar(*lane);
            components.iter().for_each(|component| collect(&lane, component, environment, equations));
        }
        (Type::Tuple(types), Value::Tuple(components)) => {
            for (ty, component) in types.iter().zip(components) {
                collect(ty, component, environment, equations);
            }
        }
        (Type::Array(array), Value::Array(elements)) => {
            if let Ok(right) = i128::try_from(elements.len()) {
                equations.push(Equation { left: array.length.clone(), right });
            }
            match &array.index {
                // The elements of a regular array give the same equations; the check reports elements that
                // differ.
                None => elements
                    .iter()
                    .take(1)
                    .for_each(|element| collect(&array.element, element, environment, equations)),
                Some(_) => (0..).zip(elements.iter()).for_each(|(position, element)| {
                    collect(&array.element_at(&Nat::constant(position)), element, environment, equations);
                }),
            }
        }
        (Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_), _) => {}
    }
}

/// Solves equations until no more can be solved.
fn solve(sizes: &[SizeVariable], equations: &[Equation], environment: &mut Environment) {
    for equation in equations {
        if let Some(variable) = equation.left.as_variable()
            && environment.size_of(variable).is_none()
        {
            environment.bind_size(variable, equation.right);
        }
    }
    let mut progress = true;
    while progress {
        progress = false;
        for size in sizes {
            if environment.size_of(&size.variable).is_some() {
                continue;
            }
            let solution = equations.iter().find_map(|equation| solve_for(size, equation, environment));
            if let Some(solution) = solution {
                environment.bind_size(&size.variable, solution);
                progress = true;
            }
        }
    }
}

/// The smallest accepted value of a variable that makes an equation true; `None` if the equation has another
/// unknown.
fn solve_for(size: &SizeVariable, equation: &Equation, environment: &Environment) -> Option<i128> {
    let others_are_known =
        |variable: &Var| *variable == size.variable || environment.size_of(variable).is_some();
    let unknowns = equation.left.variables();
    if !unknowns.contains(&size.variable) || !unknowns.iter().all(others_are_known) {
        return None;
    }
    (i128::from(size.minimum)..=LARGEST_TRIAL).find(|trial| {
        environment.evaluate_with(&equation.left, &size.variable, *trial) == Some(equation.right)
    })
}

/// Checks sizes, types and obligations.
fn check(program: &Program, arguments: &[Argument], environment: &Environment) -> Result<(), EvalError> {
    program.sizes.iter().try_for_each(|size| check_size(size, environment))?;
    for parameter in &program.type_parameters {
        let accepted = environment
            .resolve(ScalarType::Parameter(*parameter))
            .is_some_and(|scalar| scalar.satisfies(parameter.class));
        if !accepted {
            return Err(EvalError::ElementType { index: parameter.index });
        }
    }
    for (parameter, argument) in program.parameters.iter().zip(arguments) {
        if let (ParameterType::Value(ty), Argument::Value(value)) = (&parameter.ty, argument)
            && !environment.conforms(value, ty)
        {
            return Err(mismatch(parameter, "of the parameter's type, with lengths that agree"));
        }
    }
    program.obligations.iter().try_for_each(|obligation| check_obligation(obligation, environment))
}

fn check_size(size: &SizeVariable, environment: &Environment) -> Result<(), EvalError> {
    let name = || size.name.clone();
    match environment.size_of(&size.variable) {
        None => Err(EvalError::UnsolvedSize { name: name() }),
        Some(found) if found < i128::from(size.minimum) => {
            Err(EvalError::SizeTooSmall { name: name(), minimum: size.minimum, found })
        }
        Some(_) => Ok(()),
    }
}

fn check_obligation(obligation: &Obligation, environment: &Environment) -> Result<(), EvalError> {
    let undefined = || EvalError::UndefinedSize { source: obligation.source };
    let evaluate = |size: &Nat| environment.evaluate(size).ok_or_else(undefined);
    let holds = match &obligation.requirement {
        Requirement::Equal(left, right) => evaluate(left)? == evaluate(right)?,
        Requirement::AtMost(left, right) => evaluate(left)? <= evaluate(right)?,
        Requirement::Divides(divisor, dividend) => {
            evaluate(dividend)?.checked_rem(evaluate(divisor)?) == Some(0)
        }
        Requirement::Holds(condition) => environment.decide(condition).ok_or_else(undefined)?,
        Requirement::Permutation { index, image, length } => {
            let length = evaluate(length)?;
            let mut images = BTreeSet::new();
            for position in 0..length {
                let at = |var: &Var| if var == index { Some(position) } else { environment.size_of(var) };
                images.insert(image.evaluate(&at).ok_or_else(undefined)?);
            }
            // As many images as positions, all of them inside and different: so none is left out.
            images.len() as i128 == length && images.iter().all(|image| (0..length).contains(image))
        }
    };
    if holds { Ok(()) } else { Err(EvalError::Obligation { text: obligation.text.clone() }) }
}
