//! How an element of a view is found: the consumption of views (CGO 2017, section 5.3; Hagedorn's thesis, chapter 4).

use std::rc::Rc;

use super::error::Error;
use super::rows::joined_view;
use super::storage::value_in;
use super::{Generated, Generator};
use crate::ir::kernel::{Expression, Statement, Variable};
use crate::ir::nat::{Condition, Nat};
use crate::ir::scalar::Literal;
use crate::ir::source::Source;
use crate::ir::typed::{Boundary, Lambda, Layout};
use crate::ir::types::{ArrayType, Type};
use crate::middle::view::{Environment, Storage, Value, View};

impl Generator<'_> {
    /// The element at `index` of a view. Delayed computations emit their code here.
    ///
    /// Views nest: what each form needs is in a function of its own, so that a level takes little of the stack.
    pub(super) fn access(&mut self, view: &View, index: &Nat, source: Source) -> Generated<Value> {
        let (mut view, mut index) = (view, self.named_for(view, index));
        while let Some((input, position)) = self.position_elsewhere(view, &index) {
            index = self.named_for(input, &position);
            view = input;
        }
        let index = &index;
        match view {
            View::Memory(storage, array) => Ok(self.element_in_memory(storage, array, index)),
            View::Rows { .. } | View::Partitioned { .. } | View::Transposed(_) => {
                self.row(view, index, source).map(Value::Array)
            }
            View::Vectors { input, width } => self.vector_at(input, *width, index, source),
            View::Components { input, width } => self.component_at(input, *width, index, source),
            View::Joined { input, rows } => self.joined(input, rows, index, source),
            View::Column(input, column) => {
                let row = self.access_array(input, index, source)?;
                self.access(&row, column, source)
            }
            View::PaddedConstant { .. } | View::Guarded { .. } | View::Selected(..) => {
                self.chosen(view, index, source)
            }
            View::Generated { function, environment } => {
                let function = self.at_index(function, index, source)?;
                self.value(&function.body, environment)
            }
            View::Concatenated(parts) => self.concatenated(parts, index, source),
            View::Shared { id, name, input } => self.shared_element(*id, name, input, index, source),
            View::Constant(value) => Ok(value.as_ref().clone()),
            View::Zipped(parts) => {
                let values = parts.iter().map(|part| self.access(part, index, source));
                values.collect::<Generated<Vec<Value>>>().map(Value::Tuple)
            }
            View::Component(input, position) => self.component_at_index(input, *position, index, source),
            View::Mapped { function, environment, input } => {
                let element = self.access(input, index, source)?;
                self.applied(function, element, environment, index, source)
            }
            View::Shifted { .. } | View::Reordered(..) | View::Padded { .. } => {
                Err(Error::internal(source, "an element that lies elsewhere"))
            }
        }
    }

    /// The view in which an element is found, and where, if this view only says that.
    fn position_elsewhere<'v>(&mut self, view: &'v View, index: &Nat) -> Option<(&'v View, Nat)> {
        match view {
            View::Shifted { input, offset } => Some((input, self.ranges.simplify(&(offset + index)))),
            View::Reordered(input, function) => Some((input, self.ranges.simplify(&function.apply(index)))),
            View::Padded { input, length, left, boundary } => {
                Some((input, self.padded_position(input, &(index - left), length, boundary)))
            }
            _ => None,
        }
    }

    fn element_in_memory(&self, storage: &Storage, array: &ArrayType, index: &Nat) -> Value {
        let element = self.closed(storage.element(array, index), array);
        value_in(&element, &array.element_at(index))
    }

    /// The row at `index` of a view of rows.
    fn row(&self, view: &View, index: &Nat, source: Source) -> Generated<View> {
        match view {
            View::Rows { input, stride } => {
                Ok(View::Shifted { input: input.clone(), offset: stride * index })
            }
            View::Partitioned { input, rows } => {
                let offset = self.ranges.simplify(&rows.start(index));
                Ok(View::Shifted { input: input.clone(), offset })
            }
            View::Transposed(input) => Ok(View::Column(input.clone(), index.clone())),
            _ => Err(Error::internal(source, "a row of something else than rows")),
        }
    }

    /// The element at `index` of one of several views.
    fn chosen(&mut self, view: &View, index: &Nat, source: Source) -> Generated<Value> {
        match view {
            View::PaddedConstant { input, length, left, value } => {
                let position = self.ranges.simplify(&(index - left));
                let inside = inside(&position, length);
                self.guarded(&inside, value, source, |generator| generator.access(input, &position, source))
            }
            View::Guarded { condition, input, otherwise } => {
                let otherwise = self.access(otherwise, index, source)?;
                self.guarded(condition, &otherwise, source, |generator| {
                    generator.access(input, index, source)
                })
            }
            View::Selected(condition, then, otherwise) => self.choose(
                condition.as_ref().clone(),
                |generator| generator.access(then, index, source),
                |generator| generator.access(otherwise, index, source),
                source,
            ),
            _ => Err(Error::internal(source, "a choice between views was expected")),
        }
    }

    fn component_at_index(
        &mut self,
        input: &View,
        position: usize,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        match self.access(input, index, source)? {
            Value::Tuple(parts) => component(parts, position, source),
            Value::Array(view) => Ok(Value::Array(View::Component(Rc::new(view), position))),
            Value::Scalar(_) => Err(Error::internal(source, "a component of a scalar")),
        }
    }

    /// What a delayed map makes of an element.
    fn applied(
        &mut self,
        function: &Lambda,
        element: Value,
        environment: &Environment,
        index: &Nat,
        source: Source,
    ) -> Generated<Value> {
        let function = self.positioned(function, index)?;
        let environment = self.bind(&function, vec![element], environment, source)?;
        self.value(&function.body, &environment)
    }

    /// The storage of an element with its offset in simplest form: of a number, whose row and column may be quotient and remainder
    /// of one index, and of an uneven row, where the sum over the rows before has a closed form.
    fn closed(&self, storage: Storage, array: &ArrayType) -> Storage {
        match storage {
            storage if array.index.is_none() && !array.element.is_element() => storage,
            Storage::Buffer(buffer, offset) => Storage::Buffer(buffer, self.ranges.simplify(&offset)),
            Storage::Tuple(parts) => {
                Storage::Tuple(parts.into_iter().map(|part| self.closed(part, array)).collect())
            }
        }
    }

    /// The element at `index` of arrays one after the other.
    fn concatenated(&mut self, parts: &[(View, Nat)], index: &Nat, source: Source) -> Generated<Value> {
        let Some(((first, length), others)) = parts.split_first() else {
            return Err(Error::internal(source, "an element of nothing"));
        };
        if others.is_empty() {
            return self.access(first, index, source);
        }
        let index = self.ranges.simplify(index);
        let rest = self.ranges.simplify(&(&index - length));
        self.choose_by(
            &Condition::Less(index.clone(), length.clone()),
            |generator| generator.access(first, &index, source),
            |generator| generator.concatenated(others, &rest, source),
            source,
        )
    }

    /// The element at `index` of a view whose elements are arrays.
    pub(super) fn access_array(&mut self, view: &View, index: &Nat, source: Source) -> Generated<View> {
        match self.access(view, index, source)? {
            Value::Array(view) => Ok(view),
            Value::Scalar(_) | Value::Tuple(_) => Err(Error::internal(source, "an array was expected")),
        }
    }

    /// The position inside `0..length` that an extended position reads (thesis, definitions 2.11 and 2.12). Cheap forms
    /// are used where the ranges prove that the border is not wider than the array.
    fn padded_position(&mut self, input: &View, position: &Nat, length: &Nat, boundary: &Boundary) -> Nat {
        let position = self.ranges.simplify(position);
        if self.ranges.decide(&inside(&position, length)) == Some(true) {
            return position;
        }
        let position = match boundary {
            Boundary::Clamp => position,
            Boundary::Mirror | Boundary::Wrap | Boundary::Custom(_) => self.named_operand(input, &position),
        };
        let last = length - Nat::one();
        let twice = Nat::constant(2) * length;
        let reflects_once = self.ranges.is_at_most(&-length, &position) == Some(true)
            && self.ranges.is_less(&position, &twice) == Some(true);
        let extended = match boundary {
            Boundary::Clamp => Nat::min(&Nat::max(&position, &Nat::zero()), &last),
            Boundary::Mirror if reflects_once => {
                let above_zero = self.ranges.simplify(&Nat::max(&position, &(-Nat::one() - &position)));
                Nat::min(&above_zero, &(&twice - Nat::one() - &above_zero))
            }
            Boundary::Mirror => {
                let period = position.modulo(&twice);
                Nat::min(&period, &(&twice - Nat::one() - &period))
            }
            Boundary::Wrap if reflects_once => {
                let below = Condition::Less(position.clone(), Nat::zero());
                let above = Condition::LessOrEqual(length.clone(), position.clone());
                let from_above = Nat::select(&above, &(&position - length), &position);
                Nat::select(&below, &(&position + length), &from_above)
            }
            Boundary::Wrap => position.modulo(length),
            Boundary::Custom(function) => {
                Nat::select(&inside(&position, length), &position, &function.apply(&position))
            }
        };
        let extended = self.ranges.simplify(&extended);
        self.named_position(input, extended, length)
    }

    /// A value where `condition` holds, else another. Code that the value needs runs only where it holds: it may
    /// read what does not exist elsewhere.
    fn guarded(
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
                    element => View::Constant(Rc::new(element.clone())),
                };
                let condition = self.ranges.simplify_condition(condition);
                Ok(Value::Array(View::Guarded {
                    condition,
                    input: Rc::new(view),
                    otherwise: Rc::new(otherwise),
                }))
            }
            element => {
                let condition = Expression::Condition(self.ranges.simplify_condition(condition));
                self.merge_branches(condition, (statements, element), (Vec::new(), otherwise.clone()), source)
            }
        }
    }
}

impl Generator<'_> {
    /// Emits statements that run only where a condition holds, and prepare variables for what comes after them.
    fn run_where(&mut self, condition: Expression, statements: Vec<Statement>) {
        if statements.is_empty() {
            return;
        }
        let mut inside = Vec::new();
        for statement in statements {
            match statement {
                // Clamped at once, so an index has a value also where its array is not there.
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
                | Statement::Loop(_)
                | Statement::If(..)
                | Statement::Barrier { .. } => inside.push(statement),
            }
        }
        if !inside.is_empty() {
            self.block.push(Statement::If(condition, inside, Vec::new()));
        }
    }
}

/// `0 <= position < length`
fn inside(position: &Nat, length: &Nat) -> Condition {
    Condition::And(
        Rc::new(Condition::LessOrEqual(Nat::zero(), position.clone())),
        Rc::new(Condition::Less(position.clone(), length.clone())),
    )
}

/// The component of a tuple at a position.
pub(super) fn component(parts: Vec<Value>, position: usize, source: Source) -> Generated<Value> {
    parts.into_iter().nth(position).ok_or_else(|| Error::internal(source, "a tuple has no such component"))
}

/// The view of an array through a layout; `ty` is the type of the array.
pub(super) fn layout_view(layout: &Layout, input: View, ty: &Type, source: Source) -> Generated<View> {
    let Some(array) = ty.as_array() else { return Err(Error::internal(source, "a layout of a scalar")) };
    let input = Rc::new(input);
    Ok(match layout {
        Layout::Split { chunk } => View::Rows { input, stride: chunk.clone() },
        Layout::Slide { size: _, step } => View::Rows { input, stride: step.clone() },
        Layout::Partition(rows) => View::Partitioned { input, rows: rows.clone() },
        Layout::Join => joined_view(input, array, source)?,
        Layout::Transpose => View::Transposed(input),
        Layout::AsVector { width } => match input.as_ref() {
            View::Components { input, width: same } if same == width => input.as_ref().clone(),
            _ => View::Vectors { input, width: *width },
        },
        Layout::AsScalar => match (input.as_ref(), &array.element) {
            (View::Vectors { input, .. }, _) => input.as_ref().clone(),
            (_, Type::Vector(_, width)) => View::Components { input, width: *width },
            _ => return Err(Error::internal(source, "`asScalar` of something else than vectors")),
        },
        Layout::Gather(function) => View::Reordered(input, function.clone()),
        Layout::Scatter(function) => match function.inverse(&array.length) {
            Some(inverse) => View::Reordered(input, inverse),
            None => return Err(Error::internal(source, "a scatter without a known inverse is read")),
        },
        Layout::Slice { start, length: _ } => View::Shifted { input, offset: start.clone() },
        // Room in a buffer is not seen by whoever reads it.
        Layout::Increase { .. } => View::Shifted { input, offset: Nat::zero() },
        Layout::Pad { left, right: _, boundary } => View::Padded {
            input,
            length: array.length.clone(),
            left: left.clone(),
            boundary: boundary.clone(),
        },
    })
}
