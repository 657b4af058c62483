//! Layouts: what each needs of sizes, and the type of what it makes of an array.
//!
//! Everywhere the array may depend on positions (Pizzuti, Steuwer, Dubach, FHPNC 2019, section 4): the type
//! of an element of the result is that of the element it shows.

use std::sync::Arc;

use super::array::{of_length, padded, regular};
use super::judge::{Arguments, Judge, Kind, Mismatch, Purpose};
use super::positions::Positions;
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::{Boundary, Layout, Requirement, Rows};
use crate::ir::types::{ArrayType, Type, VECTOR_WIDTHS};

impl Layout {
    /// The type of the result, once everything that the layout needs is demanded. The length of the array is
    /// in its simplest form, for all but [`Layout::Join`].
    pub fn result(&self, input: &ArrayType, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
        self.require(input, judge)?;
        self.rearranged(input, judge)
    }

    /// Demands what the layout needs of sizes.
    fn require(&self, input: &ArrayType, judge: &mut dyn Judge) -> Result<(), Mismatch> {
        let length = &input.length;
        match self {
            Layout::Split { chunk } => {
                judge.natural(chunk)?;
                match chunk.as_constant() {
                    // Nothing is a multiple of 0 but 0: it is the chunk that is wrong.
                    Some(0) => judge.need(positive(chunk), Purpose::Positive),
                    Some(_) | None => {
                        judge.need(Requirement::Divides(chunk.clone(), length.clone()), Purpose::ChunksFill)
                    }
                }
            }
            Layout::Partition(rows) => {
                match rows.all_chunks() {
                    // Then every row has an element.
                    Some(chunk) => judge.need(positive(&chunk), Purpose::Positive)?,
                    None => natural_rows(rows, judge)?,
                }
                let total = judge.simplified(&rows.total());
                judge.equal_sizes(&total, length, Purpose::RowsFill)
            }
            Layout::Join | Layout::AsScalar => Ok(()),
            // What is known of the rows of a matrix need not hold where there are none.
            Layout::Transpose => {
                let row = judge.array(&input.element)?;
                let depends = input.index.as_ref().is_some_and(|index| row.length.mentions(index));
                if depends || row.length.as_variable().is_some() {
                    return Ok(());
                }
                judge.need(Requirement::AtMost(Nat::zero(), row.length.clone()), Purpose::NotNegative)
            }
            Layout::Deinterleave { rows } => {
                judge.natural(rows)?;
                judge.need(positive(rows), Purpose::Positive)
            }
            // Rows of one length may be none.
            Layout::Interleave => match (&input.index, judge.array(&input.element)?) {
                (Some(row), inner) if inner.length.mentions(row) => {
                    judge.need(positive(length), Purpose::Positive)
                }
                (Some(_) | None, _) => Ok(()),
            },
            Layout::AsVector { width } => {
                let size = Nat::constant(i128::from(*width));
                judge.need(Requirement::Divides(size, length.clone()), Purpose::VectorsFill)
            }
            Layout::Gather(function) => function.maps_into(length, judge),
            Layout::Scatter(function) => {
                function.maps_into(length, judge)?;
                function.permutes(length, judge)
            }
            Layout::Slice { start, length: taken } => {
                judge.natural(start)?;
                judge.natural(taken)?;
                let purpose = Purpose::SliceFits(start.clone(), taken.clone());
                judge.need(Requirement::AtMost(start + taken, length.clone()), purpose)
            }
            Layout::Increase { left, right } => {
                judge.natural(left)?;
                judge.natural(right)
            }
            Layout::Slide { size, step } => {
                judge.natural(size)?;
                judge.need(positive(step), Purpose::Positive)?;
                judge.need(Requirement::AtMost(size.clone(), length.clone()), Purpose::WindowFits)?;
                let purpose = Purpose::WindowsFill(size.clone(), length.clone());
                judge.need(Requirement::Divides(step.clone(), length - size + step), purpose)
            }
            Layout::Pad { left, right, boundary } => {
                judge.natural(left)?;
                judge.natural(right)?;
                repeats_element(left, right, length, judge)?;
                match boundary {
                    Boundary::Clamp | Boundary::Mirror | Boundary::Wrap => Ok(()),
                    Boundary::Custom(function) => Positions::borders(left, right, length)
                        .iter()
                        .try_for_each(|border| function.stays_inside(border, judge)),
                }
            }
        }
    }

    /// The type of the result, where everything that the layout needs has been demanded.
    pub fn rearranged(&self, input: &ArrayType, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
        let length = &input.length;
        match self {
            Layout::Split { chunk } => Ok(rows_of(input, chunk, chunk, &length.divide(chunk), judge)),
            Layout::Partition(rows) => Ok(partitioned(input, rows, judge)),
            Layout::Join => joined(input, judge),
            Layout::Transpose => transposed(input, judge),
            Layout::Deinterleave { rows } => Ok(in_turn(input, rows, judge)),
            Layout::Interleave => interleaved(input, judge),
            Layout::AsVector { width } => {
                if !VECTOR_WIDTHS.contains(width) {
                    return Err(Mismatch::Width(*width));
                }
                let Type::Scalar(lane) = judge.resolved(&input.element) else {
                    let wanted = Kind::Scalar(ScalarClass::Any);
                    return Err(Mismatch::Kind { wanted, found: input.element.clone() });
                };
                let count = length.divide(&Nat::constant(i128::from(*width)));
                Ok(of_length(Type::Vector(lane, *width), &count, judge))
            }
            Layout::AsScalar => {
                let Type::Vector(lane, width) = judge.resolved(&input.element) else {
                    return Err(Mismatch::Kind { wanted: Kind::Vector, found: input.element.clone() });
                };
                let count = length * Nat::constant(i128::from(width));
                Ok(of_length(Type::Scalar(lane), &count, judge))
            }
            Layout::Gather(function) => match &input.index {
                None => Ok(Type::Array(Arc::new(input.clone()))),
                Some(_) => Ok(moved(input, length, |position| function.apply(position), judge)),
            },
            Layout::Scatter(function) => match (&input.index, function.inverse(length)) {
                (None, _) => Ok(Type::Array(Arc::new(input.clone()))),
                (Some(_), Some(inverse)) => {
                    Ok(moved(input, length, |position| inverse.apply(position), judge))
                }
                // A function without a known inverse does not tell which element stands where.
                (Some(_), None) => Err(Mismatch::Irregular(input.clone())),
            },
            Layout::Slice { start, length } => Ok(moved(input, length, |position| start + position, judge)),
            Layout::Increase { .. } => Ok(Type::Array(Arc::new(input.clone()))),
            Layout::Slide { size, step } => {
                Ok(rows_of(input, size, step, &(length - size + step).divide(step), judge))
            }
            Layout::Pad { left, right, .. } => {
                regular(input)?;
                Ok(padded(input, [left, right], judge))
            }
        }
    }
}

fn positive(size: &Nat) -> Requirement {
    Requirement::AtMost(Nat::one(), size.clone())
}

/// Demands that the lengths of rows are natural numbers at every position, unless that has been seen to.
fn natural_rows(rows: &Rows, judge: &mut dyn Judge) -> Result<(), Mismatch> {
    judge.natural(&rows.count)?;
    let Some(index) = &rows.index else { return judge.natural(&rows.length) };
    if judge.arguments() != Arguments::Unchecked {
        return Ok(());
    }
    let mut ranges = judge.ranges().clone();
    Positions::all(&rows.count).learn(index, &mut ranges);
    let natural = Requirement::AtMost(Nat::zero(), rows.length.clone());
    if natural.decide(&ranges) == Some(true) {
        return Ok(());
    }
    let everywhere = natural.for_every(index, &Nat::zero(), &rows.count, &ranges);
    judge.need(everywhere, Purpose::NotNegative)
}

/// Demands that an array to which `pad` adds elements has one to repeat.
pub fn repeats_element(left: &Nat, right: &Nat, length: &Nat, judge: &mut dyn Judge) -> Result<(), Mismatch> {
    let border = left + right;
    let least = match judge.ranges().is_equal(&border, &Nat::zero()) {
        Some(true) => return Ok(()),
        Some(false) => Nat::one(),
        // Where nothing is added, an empty array may stay empty.
        None => Nat::min(&border, &Nat::one()),
    };
    judge.need(Requirement::AtMost(least, length.clone()), Purpose::NotEmpty)
}

/// The type of an array whose element at a position is the element of `array` at the position that `from`
/// computes.
fn moved(array: &ArrayType, length: &Nat, from: impl FnOnce(&Nat) -> Nat, judge: &mut dyn Judge) -> Type {
    let length = judge.simplified(length);
    let Some(named) = &array.index else { return Type::array(array.element.clone(), length) };
    let index = judge.position(named.name());
    let element = array.element_at(&from(&Nat::variable(&index)));
    Type::array_at(&index, element, length)
}

/// `count` rows of `row` elements of an array that start every `stride` elements.
fn rows_of(array: &ArrayType, row: &Nat, stride: &Nat, count: &Nat, judge: &mut dyn Judge) -> Type {
    if array.index.is_none() {
        return of_length(Type::array(array.element.clone(), row.clone()), count, judge);
    }
    let index = judge.position("i");
    let start = stride * Nat::variable(&index);
    let row = moved(array, row, |position| start + position, judge);
    Type::array_at(&index, row, judge.simplified(count))
}

fn partitioned(array: &ArrayType, rows: &Rows, judge: &mut dyn Judge) -> Type {
    let row = judge.position(rows.index.as_ref().map_or("i", Var::name));
    let position = Nat::variable(&row);
    let start = judge.simplified(&rows.start(&position));
    let element = moved(array, &rows.length_at(&position), |inner| start + inner, judge);
    Type::array_at(&row, element, rows.count.clone())
}

fn transposed(outer: &ArrayType, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    let inner = judge.array(&outer.element)?;
    let (rows, columns) = (outer.length.clone(), judge.simplified(&inner.length));
    if let Some(row) = outer.index.as_ref().filter(|index| columns.mentions(index)) {
        return Err(Mismatch::Columns { row: row.clone(), length: columns });
    }
    if outer.index.is_none() && inner.index.is_none() {
        return Ok(Type::array(Type::array(inner.element.clone(), rows), columns));
    }
    let mut position = |array: &ArrayType| judge.position(array.index.as_ref().map_or("i", Var::name));
    let (row, column) = (position(outer), position(&inner));
    let element = match outer.element_at(&Nat::variable(&row)).as_array() {
        Some(inner) => inner.element_at(&Nat::variable(&column)),
        None => inner.element.clone(),
    };
    Ok(Type::array_at(&column, Type::array_at(&row, element, rows), columns))
}

/// The length of a row that takes elements in turn with others.
fn length_in_turn(length: &Nat, row: &Nat, rows: &Nat) -> Nat {
    (length - row + rows - Nat::one()).divide(rows)
}

fn in_turn(array: &ArrayType, rows: &Nat, judge: &mut dyn Judge) -> Type {
    let index = judge.position("l");
    let row = Nat::variable(&index);
    let mut ranges = judge.ranges().clone();
    Positions::all(rows).learn(&index, &mut ranges);
    let length = ranges.simplify(&length_in_turn(&array.length, &row, rows));
    let element = match &array.index {
        None => Type::array(array.element.clone(), length),
        Some(named) => {
            let column = judge.position(named.name());
            let place = &row + rows * Nat::variable(&column);
            Type::array_at(&column, array.element_at(&place), length)
        }
    };
    Type::array_at(&index, element, rows.clone())
}

fn interleaved(outer: &ArrayType, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    let (row, column) = (judge.position("l"), judge.position("j"));
    let inner = judge.array(&outer.element_at(&Nat::variable(&row)))?;
    let index = inner.length.mentions(&row).then(|| row.clone());
    let rows = Rows { index, length: judge.simplified(&inner.length), count: outer.length.clone() };
    let total = judge.simplified(&rows.total());
    if !take_turns(&rows, &total, judge) {
        return Err(Mismatch::NotInTurn { row, length: rows.length });
    }
    let element = judge.resolved(&inner.element_at(&Nat::variable(&column)));
    if !element.mentions(&row) && !element.mentions(&column) {
        return Ok(Type::array(element, total));
    }
    // The element at `k` is element `k / count` of row `k % count`.
    let position = judge.position(column.name());
    let whole = Nat::variable(&position);
    let places = [(row, whole.modulo(&rows.count)), (column, whole.divide(&rows.count))];
    Ok(Type::array_at(&position, element.substitute(&places.into()), total))
}

/// Whether rows have the lengths of rows that take this many elements in turn.
fn take_turns(rows: &Rows, total: &Nat, judge: &dyn Judge) -> bool {
    let Some(index) = &rows.index else { return true };
    let mut ranges = judge.ranges().clone();
    Positions::all(&rows.count).learn(index, &mut ranges);
    let in_turn = length_in_turn(total, &Nat::variable(index), &rows.count);
    ranges.is_equal(&rows.length, &judge.simplified(&in_turn)) == Some(true)
}

fn joined(outer: &ArrayType, judge: &mut dyn Judge) -> Result<Type, Mismatch> {
    let inner = judge.array(&outer.element)?;
    let row = judge.position(outer.index.as_ref().map_or("i", Var::name));
    let column = judge.position("j");
    let at_row = outer.element_at(&Nat::variable(&row));
    let inner = at_row.as_array().unwrap_or(&inner);
    let rows = Rows { index: Some(row.clone()), length: inner.length.clone(), count: outer.length.clone() };
    let total = match inner.length.mentions(&row) {
        true => judge.simplified(&rows.total()),
        false => judge.simplified(&(&inner.length * &outer.length)),
    };
    let element = judge.resolved(&inner.element_at(&Nat::variable(&column)));
    if !element.mentions(&row) && !element.mentions(&column) {
        return Ok(Type::array(element, total));
    }
    match element_of_joined(&rows, &row, &column, &element, judge) {
        Some((position, element)) => Ok(Type::array_at(&position, element, total)),
        None => Err(Mismatch::Joined(outer.clone())),
    }
}

/// The type of the elements of joined rows, by their position in the joined array. It is what the first row
/// says, if that is right for all rows (`join` undoes `partition`). If all rows have one length, it is what
/// the quotient and the remainder of the position say. `None` where there is no formula.
fn element_of_joined(
    rows: &Rows,
    row: &Var,
    column: &Var,
    element: &Type,
    judge: &mut dyn Judge,
) -> Option<(Var, Type)> {
    let position = judge.position(row.name());
    let at = |row_is: &Nat, column_is: &Nat| {
        element.substitute(&[(row.clone(), row_is.clone()), (column.clone(), column_is.clone())].into())
    };
    let whole = Nat::variable(&position);
    let first = at(&Nat::zero(), &whole);
    let mut ranges = judge.ranges().clone();
    ranges.declare(row, Nat::zero(), Some(rows.count.clone()));
    ranges.declare(column, Nat::zero(), Some(rows.length.clone()));
    let there = ranges.simplify(&(rows.start(&Nat::variable(row)) + Nat::variable(column)));
    let candidate = first.substitute(&[(position.clone(), there)].into());
    if judge.are_equal(&candidate, element, &ranges) {
        return Some((position, first));
    }
    let is_even = !rows.length.mentions(row);
    is_even.then(|| {
        let element = at(&whole.divide(&rows.length), &whole.modulo(&rows.length));
        (position, element)
    })
}
