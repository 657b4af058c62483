//! The reference evaluator: the meaning of a typed program, as simply as possible.
//!
//! It is the oracle of every test of the compiler, so it is slow and obvious. Arrays are trees of values, a
//! layout builds the array that it describes, and a reduction folds in order. The thread hierarchy and the
//! memories have no effect. Every intermediate value is checked against the type that inference gave its
//! expression.
//!
//! The primitives follow Hagedorn's thesis (*Combining Optimizations for DSLs with Lift*), definitions 2.3 to
//! 2.16. Nothing here panics, whatever the program or its arguments.

mod arguments;
mod array;
mod bits;
mod builtin;
mod environment;
mod error;
mod expression;
mod layout;
mod powers;
mod scalar;
mod special;
mod tally;
mod value;

pub use arguments::Argument;
pub use error::EvalError;
pub use tally::Tally;
pub use value::Value;

use std::collections::BTreeMap;

use crate::ir::nat::Var;
use crate::ir::typed::Program;
use environment::Environment;
use expression::Evaluator;
use tally::Counter;

/// The result of a program for the given arguments, one for each of its parameters, in order.
///
/// The arguments fix the program's sizes and open element types; lengths that disagree, a size below its
/// minimum, and an unmet obligation are errors.
///
/// # Errors
/// See [`EvalError`]. All but [`EvalError::Malformed`] can be the fault of the arguments.
pub fn evaluate(program: &Program, arguments: &[Argument]) -> Result<Value, EvalError> {
    let environment = arguments::bind(program, arguments, &BTreeMap::new())?;
    Ok(evaluate_in(environment, program, Counter::default())?.0)
}

/// The result of a program, and its sizes. `known` are those that the arguments may not show: a matrix
/// without rows does not say how long its rows would be.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_with_sizes(
    program: &Program,
    arguments: &[Argument],
    known: &BTreeMap<Var, i128>,
) -> Result<(Value, BTreeMap<Var, i128>), EvalError> {
    let environment = arguments::bind(program, arguments, known)?;
    let size = |variable: &Var| Some((variable.clone(), environment.size_of(variable)?));
    let sizes = program.sizes.iter().filter_map(|own| size(&own.variable)).collect();
    Ok((evaluate_in(environment, program, Counter::default())?.0, sizes))
}

/// The result of a program, and the work of the evaluation.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_counting(program: &Program, arguments: &[Argument]) -> Result<(Value, Tally), EvalError> {
    let environment = arguments::bind(program, arguments, &BTreeMap::new())?;
    evaluate_in(environment, program, Counter::counting())
}

fn evaluate_in(
    environment: Environment,
    program: &Program,
    counter: Counter,
) -> Result<(Value, Tally), EvalError> {
    let mut evaluator = Evaluator { functions: &program.functions, environment, counter, has_ended: false };
    let value = evaluator.evaluate(&program.body)?;
    Ok((value, evaluator.counter.tally))
}

#[cfg(test)]
mod tests;
