//! What an expression means.

use std::rc::Rc;

use super::access::{component, layout_view};
use super::error::{Error, Problem};
use super::iterate::Iteration;
use super::reduce::Reduction;
use super::storage::{array_of, value_in};
use super::vector::{all_of_one_width, of_width, same_width};
use super::{Generated, Generator, SharedElement};
use crate::ir::kernel::{BufferRole, Expression, Statement, Workers};
use crate::ir::nat::Nat;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Layout, MapKind, Variable};
use crate::ir::types::Type;
use crate::middle::lower::is_readable;
use crate::middle::view::{Environment, Storage, Value, View};

/// Statements and the value they prepare.
type Branch = (Vec<Statement>, Value);

impl Generator<'_> {
    /// The value of an expression; emits what has to happen first.
    ///
    /// Expressions nest: what each form needs is in a function of its own, so that a level takes little of the stack.
    pub(super) fn value(&mut self, expr: &Expr, environment: &Environment) -> Generated<Value> {
        let source = expr.source;
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Size(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_) => self.computed(expr, environment).map(Value::Scalar),
            ExprKind::Variable(variable) => environment
                .get(variable)
                .cloned()
                .ok_or_else(|| Error::internal(source, format!("`{}` is not bound", variable.name))),
            ExprKind::Tuple(parts) => self.values(parts, environment).map(Value::Tuple),
            ExprKind::Component(input, position) => {
                self.component_of_value(input, *position, environment, source)
            }
            ExprKind::ArrayLiteral(elements) => self.array_literal(expr, elements, environment),
            ExprKind::Let { bindings, body } => {
                let environment = self.bound(bindings, body, environment)?;
                self.value(body, &environment)
            }
            ExprKind::Lanewise(function, arguments) => self.lanewise(expr, function, arguments, environment),
            ExprKind::Function(function, arguments) => {
                let arguments = self.values(arguments, environment)?;
                self.call(*function, arguments, &expr.ty, source)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.conditional([condition, then, otherwise], environment, source)
            }
            ExprKind::Layout(Layout::Scatter(function), input) if !is_readable(function, input) => {
                self.materialise(expr, environment)
            }
            ExprKind::Map(MapKind::Unspecified, ..)
            | ExprKind::Zip(_)
            | ExprKind::Layout(..)
            | ExprKind::PadConstant { .. }
            | ExprKind::Generate(..)
            | ExprKind::Repeat(..) => self.delayed(expr, environment).map(Value::Array),
            ExprKind::Map(..) | ExprKind::Scan(..) => self.materialise(expr, environment),
            ExprKind::Reduce(kind, function, initial, input) => {
                self.reduce(&Reduction { kind: *kind, function, initial, input }, expr, environment)
            }
            ExprKind::Store(Some(space), value) => self.materialise_in(*space, value, environment),
            ExprKind::Store(None, value) => self.materialise(value, environment),
            ExprKind::Concat(parts) => self.concat(parts, environment, source),
            ExprKind::At(position, input) => self.at(position, input, environment, source),
            ExprKind::Unzip(input) => self.unzip(input, environment, source),
            ExprKind::Iterate(count, function, input) => {
                self.iterated(&Iteration { count, function, input }, expr, environment)
            }
        }
    }

    /// The scalar or vector that an operator or a built-in function computes, or that is written down.
    fn computed(&mut self, expr: &Expr, environment: &Environment) -> Generated<Expression> {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Expression::Literal(literal.clone(), scalar_type(expr)?)),
            ExprKind::Size(nat) => Ok(Expression::Index(self.ranges.simplify(nat), scalar_type(expr)?)),
            ExprKind::Unary(operator, operand) => {
                Ok(Expression::Unary(*operator, Box::new(self.scalar(operand, environment)?)))
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.scalar(left, environment)?;
                let right = self.scalar(right, environment)?;
                let (left, right) = same_width(left, right);
                Ok(self.binary(*operator, left, right))
            }
            ExprKind::Builtin(builtin, arguments) => {
                let arguments = all_of_one_width(*builtin, self.scalars(arguments, environment)?);
                Ok(Expression::Builtin(*builtin, arguments))
            }
            ExprKind::Cast(ty, operand) => {
                Ok(Expression::Cast(*ty, Box::new(self.scalar(operand, environment)?)))
            }
            ExprKind::Broadcast(operand) => {
                let operand = self.scalar(operand, environment)?;
                match expr.ty {
                    Type::Vector(_, width) => Ok(Expression::Broadcast(Box::new(operand), width)),
                    _ => Err(Error::internal(expr.source, "a broadcast that is no vector")),
                }
            }
            _ => Err(Error::internal(expr.source, "a scalar was expected")),
        }
    }

    /// An array that is not stored: a view of others.
    fn delayed(&mut self, expr: &Expr, environment: &Environment) -> Generated<View> {
        match &expr.kind {
            ExprKind::Map(_, function, input) => {
                let input = Rc::new(self.view(input, environment)?);
                let function = Rc::new(function.clone());
                Ok(View::Mapped { function, environment: environment.clone(), input })
            }
            ExprKind::Zip(parts) => {
                let views = parts.iter().map(|part| self.view(part, environment));
                views.collect::<Generated<Vec<View>>>().map(View::Zipped)
            }
            ExprKind::Layout(layout, input) => {
                let view = self.view(input, environment)?;
                self.through_layout(layout, view, input)
            }
            ExprKind::PadConstant { left, right: _, value, input } => {
                let Some(array) = array_of(&input.ty) else {
                    return Err(Error::internal(expr.source, "`padConstant` of a scalar"));
                };
                let value = Rc::new(self.value(value, environment)?);
                let view = Rc::new(self.view(input, environment)?);
                let (length, left) = (array.length.clone(), left.clone());
                Ok(View::PaddedConstant { input: view, length, left, value })
            }
            ExprKind::Generate(_, function) => {
                let function = Rc::new(function.clone());
                Ok(View::Generated { function, environment: environment.clone() })
            }
            ExprKind::Repeat(_, value) => {
                let value = self.value(value, environment)?;
                Ok(View::Constant(Rc::new(self.keep(value, "repeated"))))
            }
            _ => Err(Error::internal(expr.source, "an array was expected")),
        }
    }

    fn through_layout(&mut self, layout: &Layout, view: View, input: &Expr) -> Generated<View> {
        // The components of one vector are taken one after the other.
        let view = match layout {
            Layout::AsScalar if view.is_computed() => self.share(view, &"vector".into()),
            _ => view,
        };
        layout_view(layout, view, &input.ty, input.source)
    }

    fn component_of_value(
        &mut self,
        input: &Expr,
        position: usize,
        environment: &Environment,
        source: Source,
    ) -> Generated<Value> {
        match self.value(input, environment)? {
            Value::Tuple(parts) => component(parts, position, source),
            Value::Array(view) => Ok(Value::Array(View::Component(Rc::new(view), position))),
            Value::Scalar(_) => Err(Error::internal(source, "a component of a scalar")),
        }
    }

    fn conditional(
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

    /// The value of an expression that is a scalar.
    pub(super) fn scalar(&mut self, expr: &Expr, environment: &Environment) -> Generated<Expression> {
        match self.value(expr, environment)? {
            Value::Scalar(expression) => Ok(expression),
            Value::Tuple(_) | Value::Array(_) => Err(Error::internal(expr.source, "a scalar was expected")),
        }
    }

    /// The value of an expression that is an array.
    pub(super) fn view(&mut self, expr: &Expr, environment: &Environment) -> Generated<View> {
        match self.value(expr, environment)? {
            Value::Array(view) => Ok(view),
            Value::Scalar(_) | Value::Tuple(_) => Err(Error::internal(expr.source, "an array was expected")),
        }
    }

    fn values(&mut self, exprs: &[Expr], environment: &Environment) -> Generated<Vec<Value>> {
        exprs.iter().map(|expr| self.value(expr, environment)).collect()
    }

    fn scalars(&mut self, exprs: &[Expr], environment: &Environment) -> Generated<Vec<Expression>> {
        exprs.iter().map(|expr| self.scalar(expr, environment)).collect()
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

    /// Keeps a value that is read under a name: a scalar in a variable; an array that is computed where it is read, and is read more
    /// than once, so that each element is computed once.
    pub(super) fn keep_for(
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

    fn share(&mut self, view: View, name: &Rc<str>) -> View {
        View::Shared { id: self.fresh.number(), name: name.clone(), input: Rc::new(view) }
    }

    /// The element of a shared array: computed the first time it is read where its variable is in scope.
    pub(super) fn shared_element(
        &mut self,
        id: u32,
        name: &Rc<str>,
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

    /// One of two values; only the code of the chosen one runs.
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

    /// Joins two branches: without statements into `?:`, else into an `if` that assigns variables.
    pub(super) fn merge_branches(
        &mut self,
        condition: Expression,
        then: Branch,
        otherwise: Branch,
        source: Source,
    ) -> Generated<Value> {
        let (mut then, mut otherwise) = (then, otherwise);
        let are_arrays = matches!((&then.1, &otherwise.1), (Value::Array(_), Value::Array(_)));
        // One of two elements may be a destination: what is assigned goes to its place in memory, not to a variable
        // that holds what lies there.
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
                Ok(Value::Array(View::Selected(condition, Rc::new(then), Rc::new(otherwise))))
            }
            _ => Err(Error::internal(source, "the branches of an `if` differ")),
        }
    }

    /// Uninitialised variables for the scalars of a value.
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

    /// A small constant array: a table at file scope where all elements are literals, else private memory.
    fn array_literal(
        &mut self,
        expr: &Expr,
        elements: &[Expr],
        environment: &Environment,
    ) -> Generated<Value> {
        let mut literals = Vec::new();
        if collect_literals(elements, &mut literals)
            && let Type::Scalar(element) = *expr.ty.innermost()
        {
            let length = Nat::constant(literals.len() as i128);
            let buffer = self.constant_table(element, length, literals);
            return Ok(value_in(&Storage::Buffer(buffer, Nat::zero()), &expr.ty));
        }
        elements.iter().try_for_each(|element| self.check_space(AddressSpace::Private, element))?;
        let storage = self.allocate(AddressSpace::Private, "block", &expr.ty, expr.source)?;
        let place = value_in(&storage, &expr.ty);
        let Value::Array(view) = &place else {
            return Err(Error::internal(expr.source, "an array was expected"));
        };
        for (position, element) in elements.iter().enumerate() {
            let place = self.access(view, &Nat::constant(position as i128), expr.source)?;
            self.write(element, environment, &place)?;
        }
        Ok(place)
    }

    /// The table with these elements; equal tables are shared.
    fn constant_table(
        &mut self,
        element: ScalarType,
        length: Nat,
        literals: Vec<Literal>,
    ) -> crate::ir::kernel::BufferId {
        let role = BufferRole::Constant(literals);
        let same = self.buffers.iter().position(|buffer| buffer.role == role && buffer.element == element);
        match same {
            Some(position) => crate::ir::kernel::BufferId(position),
            None => self.buffer("constants", element, length, role),
        }
    }
}

/// Whether a value is elements of buffers, which may be chosen from several.
fn is_in_memory(value: &Value) -> bool {
    fn is_element(expression: &Expression) -> bool {
        match expression {
            Expression::Load(..) => true,
            Expression::Select(_, then, otherwise) => is_element(then) && is_element(otherwise),
            _ => false,
        }
    }
    match value {
        Value::Scalar(expression) => is_element(expression),
        Value::Tuple(parts) => parts.iter().all(is_in_memory),
        Value::Array(_) => false,
    }
}

/// Collects the literals of nested array literals, row by row; false where anything else stands.
fn collect_literals(elements: &[Expr], literals: &mut Vec<Literal>) -> bool {
    elements.iter().all(|element| match &element.kind {
        ExprKind::Literal(literal) => {
            literals.push(literal.clone());
            true
        }
        ExprKind::ArrayLiteral(inner) => collect_literals(inner, literals),
        _ => false,
    })
}

/// How often a variable is read; a part of it counts as it does.
pub(super) fn occurrences(variable: &Variable, expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Variable(read) => usize::from(read.id == variable.id),
        _ => expr.children().into_iter().map(|child| occurrences(variable, child)).sum(),
    }
}

/// Whether a value is an element that computations have gone into: where such a value is read twice, its text would
/// double, and with every further step double again.
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

/// The work-items of a group that compute the elements of a value, for each dimension of it that they share.
pub(super) fn distribution(expr: &Expr) -> Vec<Workers> {
    match &expr.kind {
        ExprKind::Map(MapKind::Local(dimension), function, _) => {
            let mut workers = vec![Workers::Local(*dimension)];
            workers.extend(distribution(&function.body));
            workers
        }
        ExprKind::Let { body, .. } => distribution(body),
        ExprKind::Store(_, value) => distribution(value),
        _ => Vec::new(),
    }
}

pub(super) fn scalar(expression: Expression) -> Value {
    Value::Scalar(expression)
}

fn scalar_type(expr: &Expr) -> Generated<ScalarType> {
    super::storage::value_type(&expr.ty)
        .map(|ty| ty.scalar)
        .ok_or_else(|| Error::internal(expr.source, "a scalar type was expected"))
}
