//! Padding against bank conflicts: the room in buffers that `increase` asks for (Hagedorn's thesis,
//! definition 3.6).
//!
//! `increase(l, r)` is the identity on values, but a buffer for a value computed from its result has room for
//! `l + r` more elements after every increased array. In local memory this changes the distance of rows, and
//! with it which elements lie in the same bank. Room follows the dimensions of an array through maps, and
//! ends at layouts that mix dimensions or make other arrays. An array of tuples lies in one buffer for each
//! component, and each of these has its own room: the same number of elements, which may be vectors in one
//! component and scalars in another.

use crate::flat::FlatMap;
use crate::ir::code::Gap;
use crate::ir::nat::Nat;
use crate::ir::typed::{Binding, Expr, ExprKind, Layout};
use crate::ir::types::Type;

/// The room in the buffers of a value.
#[derive(Clone)]
pub enum Room {
    /// The scalars of room after every array of a dimension, outermost first; missing dimensions have none.
    Buffer(Vec<Nat>),
    /// The room of each component of tuples, or of arrays of tuples.
    Tuple(Vec<Room>),
}

impl Room {
    /// The room that `increase` asks for in the buffers of a value.
    pub fn of(expr: &Expr) -> Room {
        room(expr, &FlatMap::new())
    }

    fn none() -> Room {
        Room::Buffer(Vec::new())
    }

    /// The room of one component.
    pub fn component(&self, position: usize) -> Room {
        match self {
            Room::Buffer(_) => Room::none(),
            Room::Tuple(components) => components.get(position).cloned().unwrap_or_else(Room::none),
        }
    }

    /// The gaps in the buffer of a value that is stored as one of this type, which has no tuples.
    pub fn gaps(&self, stored: &Type) -> Vec<Gap> {
        let Room::Buffer(dimensions) = self else { return Vec::new() };
        let mut gaps = Vec::new();
        let mut ty = stored;
        for scalars in dimensions {
            if scalars.as_constant() != Some(0) {
                gaps.push(Gap { every: ty.element_count(), scalars: scalars.clone() });
            }
            let Type::Array(array) = ty else { break };
            // Rows of different lengths have no fixed distance.
            if array.index.is_some() {
                break;
            }
            ty = &array.element;
        }
        gaps
    }

    /// The room of every buffer changed, for the part of a type that lies in it.
    fn changed(self, ty: &Type, change: &impl Fn(&mut Vec<Nat>, &Type)) -> Room {
        match (self, ty.innermost()) {
            (Room::Buffer(mut dimensions), Type::Scalar(_) | Type::Vector(..) | Type::Size) => {
                change(&mut dimensions, ty);
                Room::Buffer(dimensions)
            }
            (room, Type::Tuple(components)) => {
                let components = (0..components.len())
                    .map(|position| room.component(position).changed(&ty.component(position), change));
                Room::Tuple(components.collect())
            }
            (room, _) => room,
        }
    }

    /// The room of the elements of an array.
    fn elements(&self) -> Room {
        match self {
            Room::Buffer(dimensions) => Room::Buffer(dimensions.get(1..).unwrap_or_default().to_vec()),
            Room::Tuple(components) => Room::Tuple(components.iter().map(Room::elements).collect()),
        }
    }

    /// The room after an array whose elements have a type, in the first buffer that has any: its scalars,
    /// and the scalars that an element has there.
    fn after(&self, element: &Type) -> Option<(Nat, Nat)> {
        match self {
            Room::Buffer(dimensions) => {
                let scalars = dimensions.first().filter(|scalars| scalars.as_constant() != Some(0))?;
                Some((scalars.clone(), element.element_count()))
            }
            Room::Tuple(components) => {
                let mut components = components.iter().enumerate();
                components.find_map(|(position, room)| room.after(&element.component(position)))
            }
        }
    }
}

fn room(expr: &Expr, variables: &FlatMap<u32, Room>) -> Room {
    match &expr.kind {
        ExprKind::Variable(variable) => variables.get(&variable.id).cloned().unwrap_or_else(Room::none),
        ExprKind::Store(_, value) | ExprKind::EndUnless(_, value) => room(value, variables),
        ExprKind::Let { bindings, body } => {
            let mut inner = variables.clone();
            for Binding { variable, value } in bindings {
                let room = room(value, &inner);
                inner.insert(variable.id, room);
            }
            room(body, &inner)
        }
        ExprKind::Map(_, function, input) => {
            let outer = room(input, variables);
            let after = input.ty.as_array().and_then(|array| outer.after(&array.element));
            let mut inner = variables.clone();
            inner.extend(function.parameters.iter().map(|(parameter, _)| (parameter.id, outer.elements())));
            room(&function.body, &inner).changed(&function.body.ty, &|dimensions, element| {
                let after = after.as_ref().map(|(scalars, count)| of_elements(scalars, count, element));
                if after.is_some() || !dimensions.is_empty() {
                    dimensions.insert(0, after.unwrap_or_else(Nat::zero));
                }
            })
        }
        ExprKind::Zip(parts) | ExprKind::Tuple(parts) => {
            Room::Tuple(parts.iter().map(|part| room(part, variables)).collect())
        }
        ExprKind::Unzip(input) => room(input, variables),
        ExprKind::Component(input, position) => room(input, variables).component(*position),
        ExprKind::Layout(layout, input) => {
            room(input, variables).changed(&input.ty, &|dimensions, ty| rearrange(layout, ty, dimensions))
        }
        ExprKind::Literal(_)
        | ExprKind::Size(_)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::If(..)
        | ExprKind::Cast(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::Reduce(..)
        | ExprKind::PadConstant { .. }
        | ExprKind::Concat(_)
        | ExprKind::At(..)
        | ExprKind::Generate(..)
        | ExprKind::Repeat(..)
        | ExprKind::Scan(..)
        | ExprKind::Iterate(..) => Room::none(),
    }
}

/// Room for the same number of elements of another type.
fn of_elements(scalars: &Nat, before: &Nat, element: &Type) -> Nat {
    let after = element.element_count();
    let is_same = *before == after || before.as_constant() == Some(0);
    if is_same { scalars.clone() } else { scalars.divide(before) * after }
}

/// The room of the array in one buffer after a layout.
fn rearrange(layout: &Layout, ty: &Type, dimensions: &mut Vec<Nat>) {
    match layout {
        Layout::Increase { left, right } => {
            let element = ty.as_array().map_or(Nat::zero(), |array| array.element.element_count());
            let more = (left + right) * element;
            match dimensions.first_mut() {
                Some(first) => *first = &*first + more,
                None => dimensions.push(more),
            }
        }
        Layout::Split { .. } | Layout::Partition(_) => {
            if !dimensions.is_empty() {
                dimensions.insert(1, Nat::zero());
            }
        }
        Layout::Join => {
            if dimensions.len() > 1 {
                dimensions.remove(1);
            }
        }
        Layout::Transpose
        | Layout::Deinterleave { .. }
        | Layout::Interleave
        | Layout::Slice { .. }
        | Layout::Slide { .. }
        | Layout::Pad { .. } => dimensions.clear(),
        Layout::Gather(_) | Layout::Scatter(_) | Layout::AsVector { .. } | Layout::AsScalar => {}
    }
}
