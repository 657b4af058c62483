//! Choices between values, and code that runs only where a condition holds.
//!
//! What must stay true: code of a branch runs only if that branch is chosen, because it may read what does
//! not exist otherwise. Variables that the result needs are declared before the choice.

use std::sync::Arc;

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use super::values::{is_nowhere, scalar};
use super::vector::{of_width, same_width};
use crate::ir::kernel::{Expression, Statement, Variable};
use crate::ir::nat::Condition;
use crate::ir::scalar::Literal;
use crate::ir::source::Source;
use crate::ir::typed::Expr;
use crate::middle::view::{Environment, Value, View};

/// Statements, and the value that they compute.
type Branch = (Vec<Statement>, Value);

impl Generator<'_> {
    pub(super) fn conditional(
        &mut self,
        [condition, then, otherwise]: [&Expr; 3],
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        let condition = self.scalar(condition, environment)?;
        self.choose(
            condition,
            |generator| generator.value(then, environment),
            |generator| generator.value(otherwise, environment),
            source,
        )
    }

    /// One of two values. Only the code of the chosen one runs.
    pub(super) fn choose(
        &mut self,
        condition: Expression,
        then: impl FnOnce(&mut Self) -> Generated<Value>,
        otherwise: impl FnOnce(&mut Self) -> Generated<Value>,
        source: Source,
    ) -> Generated<Value> {
        if condition.ty().lanes > 1 {
            let (then, otherwise) = (then(self)?, otherwise(self)?);
            return self.select(&condition, then, otherwise, source);
        }
        match &condition {
            Expression::Literal(Literal::Bool(true), _) => return then(self),
            Expression::Literal(Literal::Bool(false), _) => return otherwise(self),
            Expression::Condition(condition) => return self.choose_by(condition, then, otherwise, source),
            _ => {}
        }
        let then = self.in_block(then)?;
        let otherwise = self.in_block(otherwise)?;
        self.merge_branches(condition, then, otherwise, source)
    }

    /// One of two values, by a condition on indices. The code for each is generated with what the condition
    /// says about the indices.
    pub(super) fn choose_by(
        &mut self,
        condition: &Condition,
        then: impl FnOnce(&mut Self) -> Generated<Value>,
        otherwise: impl FnOnce(&mut Self) -> Generated<Value>,
        source: Source,
    ) -> Generated<Value> {
        match self.ranges.decide(condition) {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let outside = self.ranges.clone();
        self.ranges.assume(condition);
        let then = self.in_block(then);
        self.ranges = outside.clone();
        self.ranges.assume(&condition.clone().negate());
        let otherwise = self.in_block(otherwise);
        self.ranges = outside;
        let condition = Expression::Condition(self.ranges.simplify_condition(condition));
        self.merge_branches(condition, then?, otherwise?, source)
    }

    /// Generates statements that run only where a condition on indices holds, with what it says about them.
    pub(super) fn where_holds(
        &mut self,
        condition: &Condition,
        generate: impl FnOnce(&mut Self) -> Generated<()>,
    ) -> Generated<()> {
        match self.ranges.decide(condition) {
            Some(true) => return generate(self),
            Some(false) => return Ok(()),
            None => {}
        }
        let outside = self.ranges.clone();
        self.ranges.assume(condition);
        let inside = self.in_block(generate);
        self.ranges = outside;
        let (inside, ()) = inside?;
        let condition = Expression::Condition(self.ranges.simplify_condition(condition));
        self.block.push(Statement::If(condition, inside, Vec::new()));
        Ok(())
    }

    /// Joins two branches: into `?:` if neither has statements, otherwise into an `if` that assigns
    /// variables.
    fn merge_branches(
        &mut self,
        condition: Expression,
        then: Branch,
        otherwise: Branch,
        source: Source,
    ) -> Generated<Value> {
        let (mut then, mut otherwise) = (then, otherwise);
        let are_arrays = matches!((&then.1, &otherwise.1), (Value::Array(_), Value::Array(_)));
        // If both are elements in memory, the result may be a destination. Then it must stay an element and
        // not become a variable with the value that lies there.
        if are_arrays || is_in_memory(&then.1) && is_in_memory(&otherwise.1) {
            self.keep_names([&mut then.0, &mut otherwise.0]);
        }
        if then.0.is_empty() && otherwise.0.is_empty() {
            return self.select(&condition, then.1, otherwise.1, source);
        }
        let (then, otherwise) = match (then, otherwise) {
            ((before, Value::Scalar(then)), (before_other, Value::Scalar(otherwise))) => {
                let (then, otherwise) = same_width(then, otherwise);
                ((before, Value::Scalar(then)), (before_other, Value::Scalar(otherwise)))
            }
            branches => branches,
        };
        let result = self.variables_like(&then.1, source)?;
        let (mut then_block, ()) = self.in_block(|generator| generator.assign(&result, then.1, source))?;
        let (mut other_block, ()) =
            self.in_block(|generator| generator.assign(&result, otherwise.1, source))?;
        then_block.splice(0..0, then.0);
        other_block.splice(0..0, otherwise.0);
        self.block.push(Statement::If(condition, then_block, other_block));
        Ok(result)
    }

    pub(super) fn select(
        &mut self,
        condition: &Expression,
        then: Value,
        otherwise: Value,
        source: Source,
    ) -> Generated<Value> {
        match (then, otherwise) {
            (Value::Scalar(then), Value::Scalar(otherwise)) if then == otherwise => Ok(Value::Scalar(then)),
            (Value::Scalar(then), Value::Scalar(otherwise)) => {
                let lanes = condition.ty().lanes.max(then.ty().lanes).max(otherwise.ty().lanes);
                Ok(scalar(Expression::Select(
                    Box::new(condition.clone()),
                    Box::new(of_width(then, lanes)),
                    Box::new(of_width(otherwise, lanes)),
                )))
            }
            (Value::Tuple(then), Value::Tuple(otherwise)) if then.len() == otherwise.len() => {
                let parts = then
                    .into_iter()
                    .zip(otherwise)
                    .map(|(then, otherwise)| self.select(condition, then, otherwise, source))
                    .collect::<Generated<_>>()?;
                Ok(Value::Tuple(parts))
            }
            (Value::Array(then), Value::Array(otherwise)) => {
                let condition = Box::new(condition.clone());
                Ok(Value::Array(View::Selected(condition, Arc::new(then), Arc::new(otherwise))))
            }
            _ => Err(Error::internal(source, "the branches of an `if` differ")),
        }
    }

    /// Declares uninitialised variables for the scalars of a value.
    fn variables_like(&mut self, value: &Value, source: Source) -> Generated<Value> {
        match value {
            Value::Scalar(expression) => {
                let variable = self.fresh_variable("chosen", expression.ty());
                self.block.push(Statement::Declare(variable.clone(), None));
                Ok(scalar(Expression::Variable(variable)))
            }
            Value::Tuple(parts) => {
                let parts =
                    parts.iter().map(|part| self.variables_like(part, source)).collect::<Generated<_>>()?;
                Ok(Value::Tuple(parts))
            }
            Value::Array(_) => Err(Error::new(source, Problem::ArrayBranches)),
        }
    }

    /// A value where `condition` holds, and `otherwise` elsewhere. The code for the value runs only where the
    /// condition holds, because it may read what does not exist elsewhere.
    pub(super) fn guarded(
        &mut self,
        condition: &Condition,
        otherwise: &Value,
        source: Source,
        generate: impl FnOnce(&mut Self) -> Generated<Value>,
    ) -> Generated<Value> {
        match self.ranges.decide(condition) {
            Some(true) => return generate(self),
            Some(false) => return Ok(otherwise.clone()),
            None => {}
        }
        let ranges_outside = self.ranges.clone();
        self.ranges.assume(condition);
        let generated = self.in_block(generate);
        self.ranges = ranges_outside;
        let (statements, value) = generated?;
        self.merge_guarded(condition, statements, value, otherwise, source)
    }

    fn merge_guarded(
        &mut self,
        condition: &Condition,
        statements: Vec<Statement>,
        value: Value,
        otherwise: &Value,
        source: Source,
    ) -> Generated<Value> {
        match value {
            Value::Array(view) => {
                self.run_where(Expression::Condition(self.ranges.simplify_condition(condition)), statements);
                let otherwise = match otherwise {
                    Value::Array(view) => view.clone(),
                    element => View::Constant(Arc::new(element.clone())),
                };
                let condition = self.ranges.simplify_condition(condition);
                Ok(Value::Array(View::Guarded {
                    condition,
                    input: Arc::new(view),
                    otherwise: Arc::new(otherwise),
                }))
            }
            element => {
                let condition = Expression::Condition(self.ranges.simplify_condition(condition));
                self.merge_branches(condition, (statements, element), (Vec::new(), otherwise.clone()), source)
            }
        }
    }

    /// Emits statements that run only where a condition holds. What they declare is declared outside, for the
    /// code after them.
    fn run_where(&mut self, condition: Expression, statements: Vec<Statement>) {
        if statements.is_empty() {
            return;
        }
        let mut inside = Vec::new();
        for statement in statements {
            match statement {
                // An index is declared outside the condition and clamped at once, so that it has a valid
                // value even where its array does not exist.
                Statement::DeclareIndex { index, value, length } => {
                    let before = std::mem::take(&mut inside);
                    self.block.push(Statement::If(condition.clone(), before, Vec::new()));
                    let zero = Expression::Literal(Literal::Integer(0), value.ty().scalar);
                    let value =
                        Expression::Select(Box::new(condition.clone()), Box::new(value), Box::new(zero));
                    self.block.push(Statement::DeclareIndex { index, value, length });
                }
                Statement::Declare(variable, value) => {
                    self.block.push(Statement::Declare(variable.clone(), None));
                    inside.extend(value.map(|value| Statement::Assign(variable, value)));
                }
                Statement::DeclareValue { index, value, .. } => self.declare_outside(index, &value),
                Statement::DeclareBuffer(_) | Statement::DeclareWorker { .. } => self.block.push(statement),
                Statement::CallFunction { results, function, arguments } => {
                    let fresh: Vec<Variable> =
                        results.iter().map(|result| self.fresh_variable(&result.name, result.ty)).collect();
                    inside.push(Statement::CallFunction { results: fresh.clone(), function, arguments });
                    for (result, fresh) in results.into_iter().zip(fresh) {
                        self.block.push(Statement::Declare(result.clone(), None));
                        inside.push(Statement::Assign(result, Expression::Variable(fresh)));
                    }
                }
                Statement::Comment(_)
                | Statement::Assign(..)
                | Statement::Store(..)
                | Statement::Update { .. }
                | Statement::Loop(_)
                | Statement::If(..)
                | Statement::BreakUnless(_)
                | Statement::Barrier { .. } => inside.push(statement),
            }
        }
        if !inside.is_empty() {
            self.block.push(Statement::If(condition, inside, Vec::new()));
        }
    }
}

/// Whether a value consists of elements in memory, or choices between such elements. A place may be nowhere.
fn is_in_memory(value: &Value) -> bool {
    fn is_element(expression: &Expression) -> bool {
        match expression {
            Expression::Load(..) => true,
            Expression::Select(_, then, otherwise) => is_element(then) && is_element(otherwise),
            place => is_nowhere(place),
        }
    }
    match value {
        Value::Scalar(expression) => is_element(expression),
        Value::Tuple(parts) => parts.iter().all(is_in_memory),
        Value::Array(_) => false,
    }
}
