//! Arrays seen through layouts: views that cost nothing.

use std::sync::Arc;

use super::error::Error;
use super::generator::Generated;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{Layout, Rows};
use crate::ir::types::{ArrayType, Type};
use crate::middle::view::View;

/// The view of an array through a layout; `ty` is the type of the array.
pub(super) fn layout_view(layout: &Layout, input: View, ty: &Type, source: Source) -> Generated<View> {
    let Some(array) = ty.as_array() else { return Err(Error::internal(source, "a layout of a scalar")) };
    let input = Arc::new(input);
    Ok(match layout {
        Layout::Split { chunk } => View::Rows { input, stride: chunk.clone() },
        Layout::Slide { size: _, step } => View::Rows { input, stride: step.clone() },
        Layout::Partition(rows) => View::Partitioned { input, rows: rows.clone() },
        Layout::Join => joined_view(input, array, source)?,
        Layout::Transpose => View::Transposed(input),
        // Rows that take elements in turn are the columns of rows side by side.
        Layout::Deinterleave { rows } => {
            View::Transposed(Arc::new(View::Rows { input, stride: rows.clone() }))
        }
        Layout::Interleave => View::Interleaved { input, rows: array.length.clone() },
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
        // Readers do not see the room that `increase` makes in a buffer.
        Layout::Increase { .. } => View::Shifted { input, offset: Nat::zero() },
        Layout::Pad { left, right: _, boundary } => View::Padded {
            input,
            length: array.length.clone(),
            left: left.clone(),
            boundary: boundary.clone(),
        },
    })
}

/// The rows of an array end to end.
fn joined_view(input: Arc<View>, array: &ArrayType, source: Source) -> Generated<View> {
    let Some(rows) = Rows::of(array) else {
        return Err(Error::internal(source, "`join` of an array of scalars"));
    };
    Ok(end_to_end(&input, &rows).unwrap_or(View::Joined { input, rows }))
}

/// The view in which rows of different lengths lie end to end already, if there is one.
fn end_to_end(view: &View, rows: &Rows) -> Option<View> {
    rows.index.as_ref()?;
    match view {
        View::Partitioned { input, rows: same } if same.is_same(rows) => Some(input.as_ref().clone()),
        View::Memory(storage, array) => {
            let row = array.element.as_array()?;
            let is_known = array.index.as_ref().is_none_or(|index| !row.element.mentions(index));
            if row.index.is_some() || !is_known || !Rows::of(array)?.is_same(rows) {
                return None;
            }
            let ty = ArrayType { index: None, element: row.element.clone(), length: rows.total() };
            Some(View::Memory(storage.clone(), Arc::new(ty)))
        }
        _ => None,
    }
}
