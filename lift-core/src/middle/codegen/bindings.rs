//! Values with names: each is computed once, however often it is read.

use std::sync::Arc;

use super::error::Error;
use super::generator::{Generated, Generator, SharedElement};
use crate::ir::kernel::Expression;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{Application, Binding, Expr, ExprKind, Lambda, MapKind, Variable};
use crate::middle::view::{Environment, Value, View};

impl Generator<'_> {
    /// The environment of the body of `let`s. A stored array is named after its variable.
    pub(super) fn bound(
        &mut self,
        bindings: &[Binding],
        body: &Arc<Expr>,
        environment: &Environment,
    ) -> Generated<Environment> {
        let mut environment = environment.clone();
        for (position, Binding { variable, value }) in bindings.iter().enumerate() {
            if is_stored_at_once(value) {
                self.array_name = Some(variable.name.clone());
            }
            let value = self.value(value, &environment)?;
            let reads = |variable: &Variable| {
                let later = bindings.iter().skip(position + 1).map(|binding| &binding.value).chain([body]);
                later.map(|part| occurrences(variable, part)).sum()
            };
            let value = self.keep_for(value, variable, reads);
            environment = environment.with(variable, value);
        }
        Ok(environment)
    }

    /// The environment of a function's body, with its parameters bound.
    pub(super) fn bind(
        &mut self,
        function: &Lambda,
        arguments: Vec<Value>,
        environment: &Environment,
        source: Source,
    ) -> Generated<Environment> {
        if function.parameters.len() != arguments.len() {
            return Err(Error::internal(source, "a function is applied to the wrong arguments"));
        }
        let mut inner = environment.clone();
        for ((variable, _), value) in function.parameters.iter().zip(arguments) {
            let value = match value {
                Value::Scalar(_) | Value::Tuple(_) if !is_computed(&value) => value,
                value if occurrences(variable, &function.body) > 1 => {
                    self.keep_for(value, variable, |variable| occurrences(variable, &function.body))
                }
                value => value,
            };
            inner = inner.with(variable, value);
        }
        Ok(inner)
    }

    /// Keeps a value that is bound to a variable. A scalar gets a variable of the kernel. A delayed array
    /// that is read more than once becomes a shared one, whose elements are computed once each.
    fn keep_for(
        &mut self,
        value: Value,
        variable: &Variable,
        reads: impl FnOnce(&Variable) -> usize,
    ) -> Value {
        match self.keep(value, &variable.name) {
            Value::Array(view) if view.is_computed() && reads(variable) > 1 => {
                Value::Array(self.share(view, &variable.name))
            }
            kept => kept,
        }
    }

    pub(super) fn share(&mut self, view: View, name: &Arc<str>) -> View {
        View::Shared { id: self.fresh.number(), name: name.clone(), input: Arc::new(view) }
    }

    /// The element of a shared array. It is computed when it is first read; later reads in the same scope
    /// find its variable.
    pub(super) fn shared_element(
        &mut self,
        id: u32,
        name: &Arc<str>,
        input: &View,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let index = self.ranges.simplify(index);
        let known = self.shared.iter().find(|element| element.array == id && element.index == index);
        if let Some(known) = known {
            return Ok(known.value.clone());
        }
        let value = match self.access(input, &index, source)? {
            Value::Array(view) if view.is_computed() => Value::Array(self.share(view, name)),
            element => self.keep(element, name),
        };
        self.shared.push(SharedElement { array: id, index, value: value.clone() });
        Ok(value)
    }

    /// Keeps the scalars of a value in variables, so that they are computed once. Views are returned as they
    /// are.
    pub(super) fn keep(&mut self, value: Value, wanted: &str) -> Value {
        match value {
            Value::Scalar(expression) => Value::Scalar(self.kept_scalar(expression, wanted)),
            Value::Tuple(parts) => {
                let name = |position| format!("{wanted}_{position}");
                let kept =
                    parts.into_iter().enumerate().map(|(position, part)| self.keep(part, &name(position)));
                Value::Tuple(kept.collect())
            }
            Value::Array(view) => Value::Array(view),
        }
    }

    /// Keeps a scalar or a vector in a variable, unless it is as simple as one. The distance of two positions
    /// stays, too, and a position from data becomes an index with a name: the algebra knows where it lies.
    pub(super) fn kept_scalar(&mut self, expression: Expression, wanted: &str) -> Expression {
        let position = self.as_position(&expression);
        if expression.is_trivial() || position.as_ref().is_some_and(is_distance) {
            return expression;
        }
        match (expression, position) {
            (Expression::Index(_, ty), Some(position)) if self.is_from_data(&position) => {
                Expression::Index(self.position_from_data(wanted, &position), ty)
            }
            (expression, _) => Expression::Variable(self.declare(wanted, expression)),
        }
    }
}

/// Whether a position is one variable without another one.
fn is_distance(position: &Nat) -> bool {
    let terms = position.terms();
    let signs: Vec<i128> = terms.iter().map(|term| term.coefficient).collect();
    matches!(signs.as_slice(), [1, -1] | [-1, 1])
        && terms.iter().all(|term| term.degree() == 1 && term.is_product_of_variables())
}

/// The number of reads of a variable; a read of one of its components counts as one.
fn occurrences(variable: &Variable, expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Variable(read) => usize::from(read.id == variable.id),
        _ => expr.children().map(|child| occurrences(variable, child)).sum(),
    }
}

/// Whether a value is an element with operations in it. If such a value is mentioned twice, its text doubles,
/// and doubles again with every value that is made of it.
fn is_computed(value: &Value) -> bool {
    match value {
        Value::Scalar(Expression::Unary(..) | Expression::Binary(..) | Expression::Builtin(..)) => true,
        Value::Scalar(Expression::Function(..) | Expression::Select(..) | Expression::Cast(..)) => true,
        Value::Scalar(Expression::Components(_)) => true,
        Value::Scalar(Expression::Broadcast(operand, _) | Expression::Component(operand, _)) => {
            is_computed(&Value::Scalar(operand.as_ref().clone()))
        }
        Value::Scalar(
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..),
        ) => false,
        Value::Tuple(parts) => parts.iter().any(is_computed),
        Value::Array(_) => false,
    }
}

/// Whether evaluating an expression begins by making a buffer for its elements.
fn is_stored_at_once(expr: &Expr) -> bool {
    match expr.application() {
        Some(Application::Map(MapKind::Unspecified, function, input)) => {
            function.inverse_layout().is_some() && is_stored_at_once(input)
        }
        Some(Application::Map(..) | Application::Scan(..)) => true,
        Some(
            Application::Reduce(..)
            | Application::Iterate(..)
            | Application::Generate(_)
            | Application::Lanewise(..),
        ) => false,
        None => match &expr.kind {
            ExprKind::Store(..) => true,
            ExprKind::Layout(_, input) => is_stored_at_once(input),
            _ => false,
        },
    }
}
