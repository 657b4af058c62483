//! Layouts on values, written as the positions they read (Hagedorn's thesis, definitions 2.6 to 2.12).

use std::sync::Arc;

use super::EvalError;
use super::environment::Environment;
use super::value::Value;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{Boundary, IndexFunction, Layout, Rows};

/// The place of a layout: the sizes that it may mention, and the expression that errors name.
pub(super) struct Place<'a> {
    pub(super) environment: &'a mut Environment,
    pub(super) source: Source,
}

impl Place<'_> {
    /// Applies a layout to an array. `length` is the length of the result.
    pub(super) fn apply(
        &mut self,
        layout: &Layout,
        elements: &[Value],
        length: &Nat,
    ) -> Result<Vec<Value>, EvalError> {
        match layout {
            Layout::Split { chunk } => self.split(self.size(chunk)?, length, elements),
            Layout::Partition(rows) => self.partition(rows, elements),
            Layout::Join => self.join(elements),
            Layout::AsVector { width } => self.vectors(usize::from(*width), elements),
            Layout::AsScalar => self.scalars(elements),
            Layout::Transpose => {
                (0..self.size(length)?).map(|column| self.column(column, elements)).collect()
            }
            Layout::Deinterleave { rows } => self.deinterleave(self.size(rows)?, elements),
            Layout::Interleave => self.interleave(elements),
            Layout::Gather(function) => (0..count(elements))
                .map(|position| {
                    let from = self.position(function, position)?;
                    self.element(elements, from).cloned()
                })
                .collect(),
            Layout::Scatter(function) => self.scatter(function, elements),
            Layout::Slice { start, length } => {
                let (start, length) = (self.size(start)?, self.size(length)?);
                self.range(start, length, elements)
            }
            // Gaps around an array do not change it.
            Layout::Increase { .. } => Ok(elements.to_vec()),
            Layout::Slide { size, step } => self.slide(self.size(size)?, self.size(step)?, elements),
            Layout::Pad { left, right, boundary } => {
                let (left, right) = (self.size(left)?, self.size(right)?);
                (-left..count(elements) + right)
                    .map(|position| {
                        let from = self.inside(boundary, position, elements)?;
                        self.element(elements, from).cloned()
                    })
                    .collect()
            }
        }
    }

    /// The value of a size.
    fn size(&self, size: &Nat) -> Result<i128, EvalError> {
        self.environment.evaluate(size).ok_or(EvalError::UndefinedSize { source: self.source })
    }

    fn malformed(&self, what: &str) -> EvalError {
        EvalError::Malformed { source: self.source, what: what.to_owned() }
    }

    fn element<'a>(&self, elements: &'a [Value], position: i128) -> Result<&'a Value, EvalError> {
        let outside = EvalError::OutOfBounds { source: self.source, position, length: elements.len() };
        usize::try_from(position).ok().and_then(|position| elements.get(position)).ok_or(outside)
    }

    fn inner<'a>(&self, row: &'a Value) -> Result<&'a [Value], EvalError> {
        row.as_array().ok_or_else(|| self.malformed("the layout needs an array of arrays"))
    }

    /// No elements in rows of none are as many rows as the type says: `a >> split(len(a))` is one.
    fn split(&self, chunk: i128, rows: &Nat, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        if chunk == 0 && elements.is_empty() {
            return Ok((0..self.size(rows)?).map(|_| Value::Array(Arc::default())).collect());
        }
        let chunk = usize::try_from(chunk).ok().filter(|chunk| *chunk > 0);
        let chunks = chunk.map(|chunk| elements.chunks_exact(chunk));
        match chunks {
            Some(chunks) if chunks.remainder().is_empty() => {
                Ok(chunks.map(|chunk| Value::Array(chunk.into())).collect())
            }
            Some(_) | None => Err(self.malformed("the length is no multiple of the length of the parts")),
        }
    }

    fn vectors(&self, width: usize, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        if width == 0 || !elements.len().is_multiple_of(width) {
            return Err(self.malformed("the length is no multiple of the width of the vectors"));
        }
        Ok(elements.chunks_exact(width).map(|chunk| Value::Vector(chunk.to_vec())).collect())
    }

    fn scalars(&self, vectors: &[Value]) -> Result<Vec<Value>, EvalError> {
        let mut scalars = Vec::new();
        for vector in vectors {
            match vector {
                Value::Vector(lanes) => scalars.extend_from_slice(lanes),
                _ => return Err(self.malformed("the layout needs an array of vectors")),
            }
        }
        Ok(scalars)
    }

    /// Splits elements into rows, one after the other, which take all elements.
    fn partition(&mut self, rows: &Rows, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        let (mut parts, mut start) = (Vec::new(), 0);
        for row in 0..self.size(&rows.count)? {
            let length = self.size(&rows.length_at(&Nat::constant(row)))?;
            parts.push(Value::Array(self.range(start, length, elements)?.into()));
            start += length;
        }
        if start == count(elements) {
            Ok(parts)
        } else {
            Err(self.malformed("the rows have another number of elements than the array"))
        }
    }

    fn join(&self, rows: &[Value]) -> Result<Vec<Value>, EvalError> {
        let mut elements = Vec::new();
        for row in rows {
            elements.extend_from_slice(self.inner(row)?);
        }
        Ok(elements)
    }

    /// Row `l` takes the elements `l`, `l + rows`, and so on.
    fn deinterleave(&self, rows: i128, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        let Some(step) = usize::try_from(rows).ok().filter(|rows| *rows > 0) else {
            return Err(self.malformed("there is no row to take the elements"));
        };
        let row = |first| Value::Array(elements.iter().skip(first).step_by(step).cloned().collect());
        Ok((0..step).map(row).collect())
    }

    /// One element of every row in turn, of rows that took them in turn: none has more elements than the
    /// first, nor two fewer.
    fn interleave(&self, rows: &[Value]) -> Result<Vec<Value>, EvalError> {
        let rows = rows.iter().map(|row| self.inner(row)).collect::<Result<Vec<_>, _>>()?;
        let (count, total) = (rows.len(), rows.iter().map(|row| row.len()).sum::<usize>());
        let is_in_turn = |(row, elements): (usize, &&[Value])| {
            (total + count - 1 - row).checked_div(count) == Some(elements.len())
        };
        if !rows.iter().enumerate().all(is_in_turn) {
            return Err(self.malformed("the rows do not take elements in turn"));
        }
        let longest = rows.first().map_or(0, |row| row.len());
        let turn = |turn| rows.iter().filter_map(move |row: &&[Value]| row.get(turn).cloned());
        Ok((0..longest).flat_map(turn).collect())
    }

    fn column(&self, column: i128, rows: &[Value]) -> Result<Value, EvalError> {
        let element = |row: &Value| self.element(self.inner(row)?, column).cloned();
        rows.iter().map(element).collect::<Result<_, _>>().map(Value::Array)
    }

    /// Window `i` starts at `i * step`, as long as windows fit.
    fn slide(&self, size: i128, step: i128, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        let windows = (count(elements) - size + step).checked_div_euclid(step);
        let windows = windows.ok_or(EvalError::UndefinedSize { source: self.source })?;
        (0..windows)
            .map(|window| Ok(Value::Array(self.range(window * step, size, elements)?.into())))
            .collect()
    }

    /// Elements that lie side by side.
    fn range(&self, start: i128, length: i128, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        (start..start + length).map(|position| self.element(elements, position).cloned()).collect()
    }

    /// Moves element `i` to `f(i)`; no two elements may meet.
    fn scatter(&mut self, function: &IndexFunction, elements: &[Value]) -> Result<Vec<Value>, EvalError> {
        let mut scattered = vec![None; elements.len()];
        for (from, element) in (0..).zip(elements) {
            let position = self.position(function, from)?;
            let outside = EvalError::OutOfBounds { source: self.source, position, length: elements.len() };
            let slot = usize::try_from(position).ok().and_then(|position| scattered.get_mut(position));
            if slot.ok_or(outside)?.replace(element.clone()).is_some() {
                return Err(EvalError::NoPermutation { source: self.source, position });
            }
        }
        // There are as many places as elements, and no two elements at one place: every place is taken.
        Ok(scattered.into_iter().flatten().collect())
    }

    /// The position to which an index function maps a position.
    fn position(&mut self, function: &IndexFunction, position: i128) -> Result<i128, EvalError> {
        self.environment.bind_size(&function.index, position);
        let result = self.size(&function.body);
        self.environment.unbind_size();
        result
    }

    /// The position inside the array of the element that stands at a position of the padded array.
    fn inside(&mut self, boundary: &Boundary, position: i128, elements: &[Value]) -> Result<i128, EvalError> {
        let length = count(elements);
        if (0..length).contains(&position) {
            return Ok(position);
        }
        let empty = EvalError::OutOfBounds { source: self.source, position, length: 0 };
        match boundary {
            // The lower bound of an empty array lies above its upper bound; `element` reports it.
            Boundary::Clamp => Ok(position.min(length - 1).max(0)),
            Boundary::Mirror => {
                let reflected = position.checked_rem_euclid(2 * length).ok_or(empty)?;
                Ok(if reflected < length { reflected } else { 2 * length - 1 - reflected })
            }
            Boundary::Wrap => position.checked_rem_euclid(length).ok_or(empty),
            Boundary::Custom(function) => self.position(function, position),
        }
    }
}

/// The number of elements, as a position.
pub(super) fn count(elements: &[Value]) -> i128 {
    i128::try_from(elements.len()).unwrap_or(i128::MAX)
}
