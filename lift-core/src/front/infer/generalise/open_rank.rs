//! Free variables of any rank: elements that an inline expression only moves may be rows of any number of
//! dimensions.
//!
//! What nothing computes with is moved as a block of `k` scalars, row by row, and `k` is one more size
//! variable: `reverse(m)` takes an `m` of type `[[T0; k]; n]`. A launch sets `k` to the product of the
//! dimensions of the argument beyond those that the expression mentions, which is 1 for an array of scalars,
//! and gives the result these dimensions. So one program is right for all ranks, and the layouts, which act
//! on the outer dimensions, stay as they are.
//!
//! An element stays a scalar where a block has no form in Rust (a single element, a component of a tuple in
//! an array, packed rows) or none in a kernel (an accumulator, a choice, a memory of its own), and where the
//! user says who computes it: a block of unknown length would need a memory of unknown length, and one
//! work-item for all of it.

use std::collections::BTreeSet;

use super::outline::Slot;
use crate::front::infer::inference::Inference;
use crate::front::infer::unknowns::{ArrayView, Unknowns};
use crate::ir::typed::{Expr, ExprKind, MapKind, Position};
use crate::ir::types::Type;

/// Where in the type of a parameter or of the result a scalar stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is a value of its own.
    Alone,
    /// It is the element of a dense array.
    Element,
    /// It is in a tuple in an array, or in rows of different lengths.
    Packed,
}

/// The open scalars at the boundary, by their place among the unknowns.
#[derive(Default)]
struct Open {
    /// Those that are elements of dense arrays.
    elements: BTreeSet<usize>,
    /// Those that have to be scalars.
    scalars: BTreeSet<usize>,
}

impl Inference<'_> {
    /// Makes blocks of the elements that may have dimensions of their own, and returns the types of their
    /// scalars.
    pub(super) fn open_ranks(&mut self, parameters: &[Slot], body: &Expr) -> Vec<Type> {
        let mut taken = Open::default();
        for slot in parameters {
            if let Slot::Value { ty, .. } = slot {
                self.at_boundary(ty, Place::Alone, &mut taken);
            }
        }
        let mut returned = Open::default();
        self.at_boundary(&body.ty, Place::Alone, &mut returned);
        let mut scalars = returned.scalars;
        scalars.extend(taken.scalars);
        self.scalars_in(body, &mut scalars);
        let blocks = taken.elements.difference(&scalars);
        blocks.filter_map(|&index| self.block(index)).collect()
    }

    /// Makes an unknown a block of scalars.
    fn block(&mut self, index: usize) -> Option<Type> {
        let element = Unknowns::at_index(index);
        match self.as_array(&element) {
            ArrayView::Array(block) => Some(block.element.clone()),
            ArrayView::Mistake | ArrayView::Other => None,
        }
    }

    fn at_boundary(&self, ty: &Type, place: Place, open: &mut Open) {
        match self.unknowns.outermost(ty) {
            Type::Tuple(components) => {
                let inside = match place {
                    Place::Alone => Place::Alone,
                    Place::Element | Place::Packed => Place::Packed,
                };
                components.iter().for_each(|component| self.at_boundary(component, inside, open));
            }
            Type::Array(array) => {
                let inside = match place {
                    Place::Alone | Place::Element if array.index.is_none() => Place::Element,
                    Place::Alone | Place::Element | Place::Packed => Place::Packed,
                };
                self.at_boundary(&array.element, inside, open);
            }
            Type::Vector(lane, _) => self.at_boundary(&Type::Scalar(lane), Place::Packed, open),
            scalar @ (Type::Scalar(_) | Type::Size) => {
                if let Some(index) = self.unknowns.index(&scalar) {
                    let is_open = place == Place::Element && self.unknowns.is_open(&scalar);
                    if is_open {
                        open.elements.insert(index)
                    } else {
                        open.scalars.insert(index)
                    };
                }
            }
        }
    }

    /// Collects what has to be a scalar because of what computes it.
    fn scalars_in(&self, expr: &Expr, scalars: &mut BTreeSet<usize>) {
        match &expr.kind {
            // An `if` between arrays moves their elements.
            ExprKind::If(..) if matches!(self.unknowns.outermost(&expr.ty), Type::Array(_)) => {}
            ExprKind::Literal(_)
            | ExprKind::Size(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Function(..)
            | ExprKind::If(..)
            | ExprKind::Cast(..)
            | ExprKind::Broadcast(_)
            | ExprKind::Lanewise(..)
            | ExprKind::ArrayLiteral(_)
            | ExprKind::Reduce(..)
            | ExprKind::Scan(..)
            | ExprKind::Iterate(..)
            | ExprKind::EndUnless(..)
            | ExprKind::PadConstant { .. }
            | ExprKind::Store(..)
            | ExprKind::Map(
                MapKind::Sequential
                | MapKind::Unrolled
                | MapKind::Sliding
                | MapKind::Global(_)
                | MapKind::WorkGroup(_)
                | MapKind::Local(_),
                ..,
            )
            | ExprKind::At(Position::OrDefault(..), _) => {
                for operand in expr.children() {
                    self.collect_unknowns(&operand.ty, scalars);
                }
                self.collect_unknowns(&expr.ty, scalars);
            }
            ExprKind::Variable(_)
            | ExprKind::Tuple(_)
            | ExprKind::Component(..)
            | ExprKind::Let { .. }
            | ExprKind::Map(MapKind::Unspecified, ..)
            | ExprKind::Zip(_)
            | ExprKind::Layout(..)
            | ExprKind::Concat(_)
            | ExprKind::At(Position::Size(_) | Position::Clamped(_), _)
            | ExprKind::Generate(..)
            | ExprKind::Repeat(..)
            | ExprKind::Unzip(_) => {}
        }
        expr.children().for_each(|child| self.scalars_in(child, scalars));
    }

    fn collect_unknowns(&self, ty: &Type, found: &mut BTreeSet<usize>) {
        match self.unknowns.outermost(ty) {
            Type::Tuple(components) => {
                components.iter().for_each(|component| self.collect_unknowns(component, found));
            }
            Type::Array(array) => self.collect_unknowns(&array.element, found),
            Type::Vector(lane, _) => self.collect_unknowns(&Type::Scalar(lane), found),
            scalar @ (Type::Scalar(_) | Type::Size) => found.extend(self.unknowns.index(&scalar)),
        }
    }
}
