//! The primitives that compute an array from others, or choose from one (Hagedorn's thesis, definitions 2.3
//! to 2.5).

use std::sync::Arc;

use super::EvalError;
use super::expression::{Evaluator, malformed};
use super::layout::count;
use super::value::Value;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, Lambda, Position, ScanKind};
use crate::ir::types::Type;

impl Evaluator<'_> {
    pub(super) fn map(&mut self, function: &Lambda, input: &Expr) -> Result<Value, EvalError> {
        let elements = self.array(input)?;
        (0..)
            .zip(elements.iter())
            .map(|(position, element)| self.apply_at(function, position, [element.clone()], 0))
            .collect::<Result<_, _>>()
            .map(Value::Array)
    }

    /// Reduces in order, whatever the operator.
    pub(super) fn reduce(
        &mut self,
        function: &Lambda,
        initial: &Expr,
        input: &Expr,
    ) -> Result<Value, EvalError> {
        let initial = self.evaluate(initial)?;
        let elements = self.array(input)?;
        (0..).zip(elements.iter()).try_fold(initial, |accumulator, (position, element)| {
            self.apply_at(function, position, [accumulator, element.clone()], 1)
        })
    }

    /// The same for a function that also says whether to go on.
    pub(super) fn reduce_while(
        &mut self,
        function: &Lambda,
        initial: &Expr,
        input: &Expr,
    ) -> Result<Value, EvalError> {
        let mut accumulator = self.evaluate(initial)?;
        for (position, element) in (0..).zip(self.array(input)?.iter()) {
            let step = self.apply_at(function, position, [accumulator.clone(), element.clone()], 1)?;
            match &step {
                Value::Tuple(parts) if let [Value::Bool(goes_on), next] = parts.as_slice() => match goes_on {
                    true => accumulator = next.clone(),
                    false => break,
                },
                _ => return Err(malformed(function.body.source, "a step that is no pair")),
            }
        }
        Ok(accumulator)
    }

    pub(super) fn zip(&mut self, inputs: &[Arc<Expr>], source: Source) -> Result<Value, EvalError> {
        let mut arrays = Vec::new();
        for input in inputs {
            arrays.push(self.array(input)?);
        }
        let length = arrays.iter().map(|array| array.len()).min().unwrap_or(0);
        if arrays.iter().any(|array| array.len() != length) {
            return Err(malformed(source, "arrays of different lengths"));
        }
        let tuple = |position| {
            Value::Tuple(
                arrays.iter().filter_map(|array: &Arc<[Value]>| array.get(position).cloned()).collect(),
            )
        };
        Ok(Value::Array((0..length).map(tuple).collect()))
    }

    /// Evaluates arrays, one after the other, to one array.
    pub(super) fn concat(&mut self, inputs: &[Arc<Expr>]) -> Result<Value, EvalError> {
        let mut elements = Vec::new();
        for input in inputs {
            elements.extend_from_slice(&self.array(input)?);
        }
        Ok(Value::Array(elements.into()))
    }

    /// The element at a size, which must lie inside, or at a number computed from data, which may lie
    /// anywhere.
    pub(super) fn element_at(
        &mut self,
        position: &Position,
        input: &Expr,
        source: Source,
    ) -> Result<Value, EvalError> {
        let elements = self.array(input)?;
        let element = match position {
            Position::Size(size) => {
                let position = self.environment.evaluate(size);
                choose(&elements, position.ok_or(EvalError::UndefinedSize { source })?, source)
            }
            Position::Clamped(index) => {
                // No position lies inside an empty array: the position after clamping is reported.
                let inside = self.index(index)?.min(count(&elements) - 1).max(0);
                choose(&elements, inside, source)
            }
            Position::OrDefault(index, default) => {
                let (index, default) = (self.index(index)?, self.evaluate(default)?);
                let inside = (0..count(&elements)).contains(&index);
                if inside { choose(&elements, index, source) } else { Ok(default) }
            }
        }?;
        self.counter.read_element(&element);
        Ok(element)
    }

    /// The value of an index that is computed from data.
    fn index(&mut self, index: &Expr) -> Result<i128, EvalError> {
        match self.evaluate(index)? {
            Value::Integer(_, position) | Value::Size(position) => Ok(position),
            Value::Bool(_)
            | Value::F16(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Vector(_)
            | Value::Tuple(_)
            | Value::Array(_) => Err(malformed(index.source, "an index that is no integer")),
        }
    }

    /// The array of a function's values at each position.
    pub(super) fn generate(
        &mut self,
        length: &Nat,
        function: &Lambda,
        source: Source,
    ) -> Result<Value, EvalError> {
        let positions = (0..).take(self.length(length, source)?);
        let element = |position| self.apply_at(function, position, [], 0);
        positions.map(element).collect::<Result<_, _>>().map(Value::Array)
    }

    /// A tuple of arrays. The type gives their number, which an empty array does not show.
    pub(super) fn unzip(&mut self, ty: &Type, input: &Expr) -> Result<Value, EvalError> {
        let Type::Tuple(components) = ty else {
            return Err(malformed(input.source, "what is unzipped is no tuple of arrays"));
        };
        let mut arrays = vec![Vec::new(); components.len()];
        for tuple in self.array(input)?.iter() {
            let Value::Tuple(parts) = tuple else {
                return Err(malformed(input.source, "an element to unzip is no tuple"));
            };
            if parts.len() != arrays.len() {
                return Err(malformed(input.source, "an element to unzip has another number of components"));
            }
            for (array, part) in arrays.iter_mut().zip(parts) {
                array.push(part.clone());
            }
        }
        Ok(Value::Tuple(arrays.into_iter().map(|array| Value::Array(array.into())).collect()))
    }

    /// All prefixes of a reduction in order.
    pub(super) fn scan(
        &mut self,
        kind: ScanKind,
        function: &Lambda,
        initial: &Expr,
        input: &Expr,
    ) -> Result<Value, EvalError> {
        let mut accumulator = match kind {
            ScanKind::Exclusive | ScanKind::ExclusiveSequential => Some(self.evaluate(initial)?),
            ScanKind::Inclusive => None,
        };
        let mut prefixes = Vec::new();
        for (position, element) in (0..).zip(self.array(input)?.iter()) {
            let element = element.clone();
            let next = match accumulator.clone() {
                Some(accumulator) => self.apply_at(function, position, [accumulator, element], 1)?,
                None => {
                    self.counter.read_element(&element);
                    element
                }
            };
            match kind {
                ScanKind::Exclusive | ScanKind::ExclusiveSequential => prefixes.extend(accumulator),
                ScanKind::Inclusive => prefixes.push(next.clone()),
            }
            accumulator = Some(next);
        }
        Ok(Value::Array(prefixes.into()))
    }

    /// A function applied to its own result, for the given number of applications.
    pub(super) fn iterate(
        &mut self,
        steps: &Nat,
        function: &Lambda,
        input: &Expr,
    ) -> Result<Value, EvalError> {
        let mut value = self.evaluate(input)?;
        for step in (0..).take(self.length(steps, input.source)?) {
            let next = self.apply_at(function, step, [value.clone()], 1)?;
            if std::mem::take(&mut self.has_ended) {
                break;
            }
            value = next;
        }
        Ok(value)
    }
}

/// The element at a position.
fn choose(elements: &[Value], position: i128, source: Source) -> Result<Value, EvalError> {
    let length = elements.len();
    let element = usize::try_from(position).ok().and_then(|position| elements.get(position));
    element.cloned().ok_or(EvalError::OutOfBounds { source, position, length })
}
