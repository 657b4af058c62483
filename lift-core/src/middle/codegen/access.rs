//! How an element of a view is found: views are consumed from the outside in (CGO 2017, section 5.3;
//! Hagedorn's thesis, chapter 4).

use std::sync::Arc;

use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::component;
use super::values::value_in;
use crate::ir::nat::{Condition, Nat};
use crate::ir::source::Source;
use crate::ir::typed::{Boundary, Lambda};
use crate::ir::types::ArrayType;
use crate::middle::view::{Environment, Storage, Value, View};

impl Generator<'_> {
    /// The element at `index` of a view. Delayed computations emit their code here.
    ///
    /// Views nest, and each level is a call. So the code for each form is in a function of its own, which
    /// keeps the stack frame of this one small.
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
            View::Interleaved { input, rows } => {
                let row = self.ranges.simplify(&index.modulo(rows));
                let position = self.ranges.simplify(&index.divide(rows));
                self.element_of_row(input, &row, &position, source)
            }
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

    /// The input of a view that only moves elements, and the position there. `None` for other views.
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
            Value::Array(view) => Ok(Value::Array(View::Component(Arc::new(view), position))),
            Value::Scalar(_) => Err(Error::internal(source, "a component of a scalar")),
        }
    }

    /// The value of the function of a delayed map for an element.
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

    /// The same storage with its offset simplified. This is done for elements, whose row and column may be
    /// quotient and remainder of one index, and for rows of different lengths, whose start is a sum that may
    /// have a closed form.
    fn closed(&self, storage: Storage, array: &ArrayType) -> Storage {
        match storage {
            storage if array.index.is_none() && !array.element.is_element() => storage,
            Storage::Buffer(buffer, offset) => Storage::Buffer(buffer, self.ranges.simplify(&offset)),
            Storage::Tuple(parts) => {
                Storage::Tuple(parts.into_iter().map(|part| self.closed(part, array)).collect())
            }
        }
    }

    /// The element at `index` of concatenated arrays.
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

    /// The position in `0..length` that is read for a position of the padded array (thesis, definitions 2.11
    /// and 2.12). The forms without `%` are used where the ranges prove that the border is not wider than the
    /// array.
    fn padded_position(&mut self, input: &View, position: &Nat, length: &Nat, boundary: &Boundary) -> Nat {
        let position = self.ranges.simplify(position);
        if self.is_inside(&position, length) {
            return position;
        }
        let position = match boundary {
            Boundary::Clamp => position,
            Boundary::Mirror | Boundary::Wrap | Boundary::Custom(_) => self.named_operand(input, &position),
        };
        let last = length - Nat::one();
        let twice = Nat::constant(2) * length;
        let reflects_once = || {
            self.ranges.proves_at_most(&-length, &position)
                && self.ranges.proves_at_most(&position, &(&twice - Nat::one()))
        };
        let extended = match boundary {
            Boundary::Clamp => Nat::min(&Nat::max(&position, &Nat::zero()), &last),
            Boundary::Mirror if reflects_once() => {
                let above_zero = self.ranges.simplify(&Nat::max(&position, &(-Nat::one() - &position)));
                Nat::min(&above_zero, &(&twice - Nat::one() - &above_zero))
            }
            Boundary::Mirror => {
                let period = position.modulo(&twice);
                Nat::min(&period, &(&twice - Nat::one() - &period))
            }
            Boundary::Wrap if reflects_once() => {
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

    /// Whether a position is proved to be one of an array of this length.
    fn is_inside(&self, position: &Nat, length: &Nat) -> bool {
        self.ranges.proves_at_most(&Nat::zero(), position)
            && self.ranges.proves_at_most(position, &(length - Nat::one()))
    }
}

/// `0 <= position < length`
fn inside(position: &Nat, length: &Nat) -> Condition {
    Condition::And(
        Arc::new(Condition::LessOrEqual(Nat::zero(), position.clone())),
        Arc::new(Condition::Less(position.clone(), length.clone())),
    )
}
