//! Padding against bank conflicts: the room in buffers that `increase` asks for (Hagedorn's thesis,
//! definition 3.6).
//!
//! `increase(l, r)` is the identity on values, but a buffer for a value computed from its result has room for
//! `l + r` more elements after every increased array. In local memory this changes the distance of rows, and
//! with it which elements lie in the same bank. Room follows the dimensions of an array through maps, and
//! ends at layouts that mix dimensions or make other arrays.

use crate::flat::FlatMap;
use crate::ir::code::Gap;
use crate::ir::nat::Nat;
use crate::ir::typed::{Binding, Expr, ExprKind, Layout};
use crate::ir::types::Type;

/// The scalars of room after every array of a dimension, outermost first; missing dimensions have none.
type Room = Vec<Nat>;

/// The gaps in the buffer of a value that is stored as one of this type.
pub fn gaps(expr: &Expr, stored: &Type) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut ty = stored;
    for scalars in room(expr, &FlatMap::new()) {
        if scalars.as_constant() != Some(0) {
            gaps.push(Gap { every: ty.element_count(), scalars });
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

fn room(expr: &Expr, variables: &FlatMap<u32, Room>) -> Room {
    match &expr.kind {
        ExprKind::Variable(variable) => variables.get(&variable.id).cloned().unwrap_or_default(),
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
            let mut outer = room(input, variables);
            let rows = outer.split_off(outer.len().min(1));
            if let (Some(room), Some(array)) = (outer.first_mut(), input.ty.as_array()) {
                *room = of_elements(room, &array.element, &function.body.ty);
            }
            let mut inner = variables.clone();
            inner.extend(function.parameters.iter().map(|(parameter, _)| (parameter.id, rows.clone())));
            let rows = room(&function.body, &inner);
            if outer.is_empty() && !rows.is_empty() {
                outer.push(Nat::zero());
            }
            outer.extend(rows);
            outer
        }
        ExprKind::Zip(parts) => {
            parts.iter().map(|part| room(part, variables)).find(|room| !room.is_empty()).unwrap_or_default()
        }
        ExprKind::Component(input, _) => room(input, variables),
        ExprKind::Layout(layout, input) => rearranged(layout, input, room(input, variables)),
        ExprKind::Literal(_)
        | ExprKind::Size(_)
        | ExprKind::Tuple(_)
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
        | ExprKind::Unzip(_)
        | ExprKind::Scan(..)
        | ExprKind::Iterate(..) => Room::new(),
    }
}

/// Room for the same number of elements of another type.
fn of_elements(room: &Nat, before: &Type, after: &Type) -> Nat {
    let (before, after) = (before.element_count(), after.element_count());
    let is_same = before == after || before.as_constant() == Some(0);
    if is_same { room.clone() } else { room.divide(&before) * after }
}

/// The room of an array after a layout.
fn rearranged(layout: &Layout, input: &Expr, mut room: Room) -> Room {
    match layout {
        Layout::Increase { left, right } => {
            let element = input.ty.as_array().map_or(Nat::zero(), |array| array.element.element_count());
            let more = (left + right) * element;
            match room.first_mut() {
                Some(first) => *first = &*first + more,
                None => room.push(more),
            }
            room
        }
        Layout::Split { .. } | Layout::Partition(_) => {
            if !room.is_empty() {
                room.insert(1, Nat::zero());
            }
            room
        }
        Layout::Join => {
            if room.len() > 1 {
                room.remove(1);
            }
            room
        }
        Layout::Gather(_) | Layout::Scatter(_) => room,
        Layout::Transpose
        | Layout::Deinterleave { .. }
        | Layout::Interleave
        | Layout::Slice { .. }
        | Layout::Slide { .. }
        | Layout::Pad { .. } => Room::new(),
        Layout::AsVector { .. } | Layout::AsScalar => room,
    }
}
