//! Primitives that only determine where elements are: one description for reading and for writing.
//!
//! A layout maps positions of its result to positions of its input. Reading consumes the map as it is;
//! writing through a layout is reading through its [`inverse`](Layout::inverse). There is no second
//! description of any layout (earlier implementations had one and broke there).

use std::sync::Arc;

use super::{Expr, ExprKind, Lambda, MapKind, Variable};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::types::{ArrayType, Type};

/// A primitive that moves no data. The type of the input gives the lengths it needs.
#[derive(Debug, Clone, PartialEq)]
pub enum Layout {
    /// `[A; n] -> [[A; chunk]; n / chunk]`
    Split {
        /// The length of the inner arrays; it divides `n`.
        chunk: Nat,
    },
    /// `[A; sum of g] -> [i => [A; g(i)]; k]`
    Partition(Rows),
    /// `[[A; m]; n] -> [A; n * m]`, `[i => [A; g(i)]; n] -> [A; sum of g]`
    Join,
    /// `[[A; m]; n] -> [[A; n]; m]`
    Transpose,
    /// `[A; n] -> [l => [A; (n - l + rows - 1) / rows]; rows]`: rows that take the elements in turn (the
    /// cyclic distribution). Element `i` of row `l` is the one at `l + rows * i`.
    Deinterleave {
        /// The number of rows; at least 1.
        rows: Nat,
    },
    /// `[l => [A; (n - l + p - 1) / p]; p] -> [A; n]`: the elements of rows that took them in turn. The
    /// element at `k` is element `k / p` of row `k % p`.
    Interleave,
    /// `[T; width * n] -> [Txwidth; n]`: neighbouring scalars as vectors (Steuwer et al., CGO 2017, section
    /// 3.2).
    AsVector {
        /// The number of components; it divides the length.
        width: u8,
    },
    /// `[Txwidth; n] -> [T; width * n]`
    AsScalar,
    /// `out[i] = in[f(i)]`
    Gather(IndexFunction),
    /// `out[f(i)] = in[i]`; `f` is a permutation.
    Scatter(IndexFunction),
    /// `[A; n] -> [A; length]`: `length` elements from `start` on.
    Slice {
        /// The first element taken.
        start: Nat,
        /// The number of elements.
        length: Nat,
    },
    /// The same array; the buffer that holds it gets gaps on both sides (Hagedorn's thesis, definition 3.6).
    Increase {
        /// The length of the gap before the first element.
        left: Nat,
        /// The length of the gap after the last element.
        right: Nat,
    },
    /// `[A; n] -> [[A; size]; (n - size + step) / step]`
    Slide {
        /// The length of a window.
        size: Nat,
        /// The distance between the starts of two neighbouring windows.
        step: Nat,
    },
    /// `[A; n] -> [A; left + n + right]`, border elements taken from inside.
    Pad {
        /// The number of elements added before the first.
        left: Nat,
        /// The number of elements added after the last.
        right: Nat,
        /// The element at an added position.
        boundary: Boundary,
    },
}

/// The largest number of rows that comparisons tell apart.
const MOST_COMPARED_ROWS: i128 = 8;

/// Rows that lie one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The position of a row, where the length depends on it.
    pub index: Option<Var>,
    /// The length of a row.
    pub length: Nat,
    /// The number of rows.
    pub count: Nat,
}

impl Rows {
    /// The rows of an array of this type; `None` where its elements are not arrays.
    pub fn of(array: &ArrayType) -> Option<Rows> {
        let length = array.element.as_array()?.length.clone();
        let index = array.index.clone().filter(|index| length.mentions(index));
        Some(Rows { index, length, count: array.length.clone() })
    }

    /// The length of the row at a position.
    pub fn length_at(&self, position: &Nat) -> Nat {
        match &self.index {
            None => self.length.clone(),
            Some(index) => self.length.substitute(&[(index.clone(), position.clone())].into()),
        }
    }

    /// The number of elements in the rows before the row at a position, which is where that row starts.
    pub fn start(&self, position: &Nat) -> Nat {
        match self.chunk() {
            Some(chunk) => position * chunk,
            None => self.before(position),
        }
    }

    /// The number of elements in all rows.
    pub fn total(&self) -> Nat {
        self.before(&self.count)
    }

    /// The number of elements in the rows before a position, which may be that behind the last row.
    fn before(&self, position: &Nat) -> Nat {
        match &self.index {
            None => position * &self.length,
            Some(index) => Nat::sum(index, &Nat::zero(), position, &self.length),
        }
    }

    /// The length of all rows but the last one, where the form of the lengths shows that they are those of
    /// chunks. Then the element at `k` of all rows is element `k % chunk` of row `k / chunk`.
    pub fn chunk(&self) -> Option<Nat> {
        let (chunk, _) = self.length.as_chunk(self.index.as_ref()?)?;
        Some(chunk)
    }

    /// The same for all chunks of an array: there are as many rows as it takes.
    pub fn all_chunks(&self) -> Option<Nat> {
        let (chunk, length) = self.length.as_chunk(self.index.as_ref()?)?;
        let count = (length + &chunk - Nat::one()).divide(&chunk);
        (Ranges::new().is_equal(&self.count, &count) == Some(true)).then_some(chunk)
    }

    /// Whether comparisons may tell the rows apart where no formula does: their number is a small constant.
    pub fn are_few(&self) -> bool {
        self.count.as_constant().is_some_and(|count| count <= MOST_COMPARED_ROWS)
    }

    /// Whether both have the same rows, whatever the name of the position.
    pub fn is_same(&self, other: &Rows) -> bool {
        let same_lengths = match &self.index {
            None => other.index.is_none() && self.length == other.length,
            Some(index) => self.length == other.length_at(&Nat::variable(index)),
        };
        self.count == other.count && same_lengths
    }
}

/// The element that an out-of-range position reads (Hagedorn's thesis, definitions 2.11 and 2.12).
#[derive(Debug, Clone, PartialEq)]
pub enum Boundary {
    /// The nearest element.
    Clamp,
    /// Reflected at the edge, the edge element repeated: `a a b c c`.
    Mirror,
    /// From the other end: `c a b c a`.
    Wrap,
    /// `|i, n| …` for `i` outside `0..n` only; the length has been substituted.
    Custom(IndexFunction),
}

/// A function from positions to positions.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexFunction {
    /// The well-known function that it is, if any.
    pub kind: IndexFunctionKind,
    /// The position.
    pub index: Var,
    /// The position that it is mapped to.
    pub body: Nat,
}

/// Index functions whose inverse is known.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexFunctionKind {
    /// `i -> n - 1 - i`
    Reverse,
    /// `i -> i / (n / s) + s * (i % (n / s))`
    Stride(Nat),
    /// `i -> (i + k) % n`
    Rotate(Nat),
    /// Written by the user.
    Custom,
}

impl IndexFunction {
    /// The position that `position` is mapped to.
    pub fn apply(&self, position: &Nat) -> Nat {
        self.body.substitute(&[(self.index.clone(), position.clone())].into())
    }

    /// `reverse` on `length` elements.
    pub fn reverse(index: Var, length: &Nat) -> IndexFunction {
        let body = length - Nat::one() - Nat::variable(&index);
        IndexFunction { kind: IndexFunctionKind::Reverse, index, body }
    }

    /// `stride(step)` on `length` elements; `step` divides `length`.
    pub fn stride(index: Var, step: &Nat, length: &Nat) -> IndexFunction {
        let position = Nat::variable(&index);
        let count = length.divide(step);
        let body = position.divide(&count) + step * position.modulo(&count);
        IndexFunction { kind: IndexFunctionKind::Stride(step.clone()), index, body }
    }

    /// `rotate(distance)` on `length` elements.
    pub fn rotate(index: Var, distance: &Nat, length: &Nat) -> IndexFunction {
        let body = (Nat::variable(&index) + distance).modulo(length);
        IndexFunction { kind: IndexFunctionKind::Rotate(distance.clone()), index, body }
    }

    /// The function that undoes this one on `length` elements; `None` where it is not known.
    pub fn inverse(&self, length: &Nat) -> Option<IndexFunction> {
        let index = self.index.clone();
        match &self.kind {
            IndexFunctionKind::Reverse => Some(self.clone()),
            IndexFunctionKind::Stride(step) => Some(Self::stride(index, &length.divide(step), length)),
            IndexFunctionKind::Rotate(distance) => {
                Some(Self::rotate(index, &(length - distance.modulo(length)), length))
            }
            IndexFunctionKind::Custom => None,
        }
    }
}

impl Layout {
    /// The layout that undoes this one, given the type of its input; `None` where elements are repeated or
    /// dropped, or where the inverse is not known.
    pub fn inverse(&self, input: &Type) -> Option<Layout> {
        match self {
            Layout::Split { .. } | Layout::Partition(_) => Some(Layout::Join),
            Layout::Join => {
                let rows = Rows::of(input.as_array()?)?;
                match rows.index {
                    Some(_) => Some(Layout::Partition(rows)),
                    None => Some(Layout::Split { chunk: rows.length }),
                }
            }
            Layout::Transpose => Some(Layout::Transpose),
            Layout::Deinterleave { .. } => Some(Layout::Interleave),
            Layout::Interleave => Some(Layout::Deinterleave { rows: input.as_array()?.length.clone() }),
            Layout::AsVector { .. } => Some(Layout::AsScalar),
            Layout::AsScalar => match input.as_array()?.element {
                Type::Vector(_, width) => Some(Layout::AsVector { width }),
                Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => None,
            },
            Layout::Gather(function) => {
                let length = &input.as_array()?.length;
                Some(Layout::Gather(function.inverse(length)?))
            }
            Layout::Scatter(function) => Some(Layout::Gather(function.clone())),
            Layout::Increase { .. } => Some(self.clone()),
            Layout::Slice { .. } | Layout::Slide { .. } | Layout::Pad { .. } => None,
        }
    }
}

impl Lambda {
    /// The function that undoes this one; `None` unless it only rearranges its argument in a way that can be
    /// undone. `map(join)` is a layout just as `join` is, and can be written through.
    pub fn inverse_layout(&self) -> Option<Lambda> {
        let [(parameter, _)] = self.parameters.as_slice() else { return None };
        let argument = self.body.with_kind(ExprKind::Variable(parameter.clone()));
        let body = undo(&self.body, parameter, argument)?;
        Some(Lambda {
            parameters: vec![(parameter.clone(), self.body.ty.clone())],
            index: self.index.clone(),
            body,
        })
    }
}

/// The value of `variable`, given the value of an expression that only rearranges it; `None` for other
/// expressions.
fn undo(expr: &Expr, variable: &Variable, value: Arc<Expr>) -> Option<Arc<Expr>> {
    let (input, kind) = match &expr.kind {
        ExprKind::Variable(same) if same == variable => return Some(value),
        ExprKind::Layout(layout, input) => (input, ExprKind::Layout(layout.inverse(&input.ty)?, value)),
        ExprKind::Map(MapKind::Unspecified, function, input) => {
            (input, ExprKind::Map(MapKind::Unspecified, function.inverse_layout()?, value))
        }
        _ => return None,
    };
    let undone = Expr { id: expr.id, ty: input.ty.clone(), source: expr.source, kind };
    undo(input, variable, Arc::new(undone))
}
