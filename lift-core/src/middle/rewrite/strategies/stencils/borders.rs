//! Where windows see a border: how many of the results of a stencil, from its beginning and from its end.
//!
//! `pad` says which elements of an array are repeated ones, `slide` which windows hold them, and other
//! layouts where these are.

use std::sync::Arc;

use super::super::super::recognise::is_variable;
use crate::ir::nat::Nat;
use crate::ir::typed::{DIMENSIONS, Expr, ExprKind, Layout, MapKind, Path, Variable};

/// How many of the elements along a dimension of an array depend on elements outside of what was padded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Border {
    /// Those at the beginning.
    pub(super) first: Nat,
    /// Those at the end.
    pub(super) last: Nat,
}

/// A nest of maps over an array that has borders.
pub(super) struct Nest {
    /// The outermost map.
    pub(super) path: Path,
    /// The borders that each of the maps sees, outermost first, of up to three.
    pub(super) borders: Vec<Option<Border>>,
}

impl Nest {
    /// The outermost nest in an expression.
    pub(super) fn outermost(expr: &Arc<Expr>) -> Option<Nest> {
        Nest::below(expr, &Path::root(), &Elements::default())
    }

    fn below(expr: &Arc<Expr>, path: &Path, around: &Elements<'_>) -> Option<Nest> {
        let mut borders = around.borders_of_nest(expr);
        borders.truncate(usize::from(DIMENSIONS));
        if borders.iter().any(Option::is_some) {
            return Some(Nest { path: path.clone(), borders });
        }
        let inside = around.with(expr);
        let children = expr.children().enumerate();
        children.into_iter().find_map(|(position, child)| Nest::below(child, &path.child(position), &inside))
    }
}

/// Variables that are the elements of arrays: the arguments of maps around.
#[derive(Clone, Default)]
struct Elements<'e>(Vec<(&'e Variable, &'e Arc<Expr>)>);

impl<'e> Elements<'e> {
    /// The same inside a function of a map.
    fn with(&self, expr: &'e Expr) -> Elements<'e> {
        let mut inside = self.clone();
        if let ExprKind::Map(_, function, input) = &expr.kind {
            inside.0.extend(function.parameters.first().map(|(parameter, _)| (parameter, input)));
        }
        inside
    }

    fn array_of(&self, element: &Variable) -> Option<&'e Arc<Expr>> {
        self.0.iter().rev().find(|(variable, _)| variable.id == element.id).map(|(_, array)| *array)
    }

    /// The borders that a map over an array sees, and those that the map of each row sees which its function
    /// is, and so on.
    fn borders_of_nest(&self, expr: &Expr) -> Vec<Option<Border>> {
        let ExprKind::Map(MapKind::Unspecified, function, input) = &expr.kind else { return Vec::new() };
        let mut borders = vec![self.border(input, 0)];
        if let (ExprKind::Map(_, _, row), [(parameter, _)]) =
            (&function.body.kind, function.parameters.as_slice())
            && is_variable(row, parameter)
        {
            borders.extend(self.with(expr).borders_of_nest(&function.body));
        }
        borders
    }

    /// The borders along a dimension of an array; `None` where there are none, or none that are known.
    fn border(&self, array: &Arc<Expr>, dimension: usize) -> Option<Border> {
        match (&array.kind, dimension) {
            (ExprKind::Variable(element), _) => self.border(self.array_of(element)?, dimension + 1),
            (ExprKind::Component(tuple, part), _) => match &tuple.kind {
                ExprKind::Variable(element) => match &self.array_of(element)?.kind {
                    ExprKind::Zip(parts) => self.border(parts.get(*part)?, dimension + 1),
                    _ => None,
                },
                _ => None,
            },
            (ExprKind::Zip(parts), _) => {
                parts.iter().filter_map(|part| self.border(part, dimension)).reduce(Border::or)
            }
            (ExprKind::Store(_, array), _) | (ExprKind::Map(_, _, array), 0) => self.border(array, dimension),
            (ExprKind::Map(_, function, _), _) => self.with(array).border(&function.body, dimension - 1),
            (ExprKind::PadConstant { left, right, input, .. }, 0) => {
                Border::of(left, right).after(self.border(input, 0))
            }
            (ExprKind::PadConstant { input, .. }, _) => self.border(input, dimension),
            (ExprKind::Layout(layout, input), _) => self.border_of_layout(layout, input, dimension),
            // What else there is computes its elements, or takes them from several arrays.
            _ => None,
        }
    }

    fn border_of_layout(&self, layout: &Layout, input: &Arc<Expr>, dimension: usize) -> Option<Border> {
        match (layout, dimension) {
            (Layout::Pad { left, right, .. }, 0) => Border::of(left, right).after(self.border(input, 0)),
            (Layout::Slide { size, step }, 0) => {
                let elements = self.border(input, 0)?;
                Some(elements.of_windows(size, step, &input.ty.as_array()?.length))
            }
            // The dimension inside of windows.
            (Layout::Slide { .. }, 1) => None,
            (Layout::Slide { .. }, _) => self.border(input, dimension - 1),
            (Layout::Transpose, 0) => self.border(input, 1),
            (Layout::Transpose, 1) => self.border(input, 0),
            (Layout::Transpose | Layout::Pad { .. }, _) => self.border(input, dimension),
            // What else there is puts elements elsewhere.
            _ => None,
        }
    }
}

impl Border {
    fn of(left: &Nat, right: &Nat) -> Border {
        Border { first: left.clone(), last: right.clone() }
    }

    /// The borders of an array that has these borders around elements which may have borders themselves.
    fn after(self, inner: Option<Border>) -> Option<Border> {
        let Border { first, last } = match inner {
            None => self,
            Some(inner) => Border { first: self.first + inner.first, last: self.last + inner.last },
        };
        (first != Nat::zero() || last != Nat::zero()).then_some(Border { first, last })
    }

    /// The borders of arrays side by side.
    fn or(self, other: Border) -> Border {
        // `Ord` has a `max` of its own, of terms.
        Border { first: Nat::max(&self.first, &other.first), last: Nat::max(&self.last, &other.last) }
    }

    /// The windows that hold an element of the border of an array: window `i` begins at `step * i`.
    fn of_windows(&self, size: &Nat, step: &Nat, length: &Nat) -> Border {
        let windows = (length - size).divide(step) + Nat::one();
        let first = (&self.first + step - Nat::one()).divide(step);
        let without_last = (length - &self.last - size).divide(step) + Nat::one();
        Border { first, last: windows - without_last }
    }
}
