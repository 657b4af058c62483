//! Which memory a value that must be stored lies in (Steuwer et al., CGO 2017, section 5.2).
//!
//! Only values that are written element by element and then read by something else are stored; everything else is a
//! view. The memory is what the user says with `toGlobal`, `toLocal` or `toPrivate` around the value or around the last
//! thing that writes it; where nothing is said, what the work-items of a group make is shared in local
//! memory, what one work-item makes is private, and what the whole device makes is global.

mod room;

pub use room::{Gap, gaps};

use crate::typed::{AddressSpace, Expr, ExprKind, MapKind};

/// The memory that the user names for a value, outermost word first.
pub fn stated_space(expr: &Expr) -> Option<AddressSpace> {
    match &expr.kind {
        ExprKind::Store(space, _) => Some(*space),
        ExprKind::Map(_, function, _) => stated_space(&function.body),
        ExprKind::Layout(_, input) | ExprKind::Component(input, _) => stated_space(input),
        ExprKind::Let { body, .. } => stated_space(body),
        ExprKind::Zip(parts) | ExprKind::Tuple(parts) => parts.iter().find_map(stated_space),
        ExprKind::If(_, then, otherwise) => stated_space(then).or_else(|| stated_space(otherwise)),
        ExprKind::PadConstant { input, .. } | ExprKind::Unzip(input) => stated_space(input),
        ExprKind::Concat(parts) => parts.iter().find_map(stated_space),
        ExprKind::Iterate(_, function, _) => stated_space(&function.body),
        ExprKind::At(..)
        | ExprKind::Generate(..)
        | ExprKind::Repeat(..)
        | ExprKind::Scan(..)
        | ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Size(_)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::Cast(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::Reduce(..) => None,
    }
}

/// The memory of a value that is stored: stated, or chosen by who computes it.
pub fn space_of(expr: &Expr) -> AddressSpace {
    stated_space(expr).unwrap_or_else(|| {
        if computed_by(expr, |kind| matches!(kind, MapKind::Global(_) | MapKind::WorkGroup(_))) {
            AddressSpace::Global
        } else if computed_by(expr, |kind| matches!(kind, MapKind::Local(_))) {
            AddressSpace::Local
        } else {
            AddressSpace::Private
        }
    })
}

/// Whether a map of such a kind writes elements of the value.
pub fn computed_by(expr: &Expr, is_such: fn(MapKind) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Map(kind, function, _) => is_such(*kind) || computed_by(&function.body, is_such),
        ExprKind::Layout(_, input) | ExprKind::Component(input, _) | ExprKind::Store(_, input) => {
            computed_by(input, is_such)
        }
        ExprKind::Let { body, .. } => computed_by(body, is_such),
        ExprKind::Zip(parts) | ExprKind::Tuple(parts) => parts.iter().any(|part| computed_by(part, is_such)),
        ExprKind::If(_, then, otherwise) => computed_by(then, is_such) || computed_by(otherwise, is_such),
        ExprKind::PadConstant { input, .. } | ExprKind::Unzip(input) => computed_by(input, is_such),
        ExprKind::Concat(parts) => parts.iter().any(|part| computed_by(part, is_such)),
        ExprKind::Reduce(_, function, _, _)
        | ExprKind::Scan(_, function, _, _)
        | ExprKind::Iterate(_, function, _) => computed_by(&function.body, is_such),
        ExprKind::At(..)
        | ExprKind::Generate(..)
        | ExprKind::Repeat(..)
        | ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Size(_)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::Cast(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..) => false,
    }
}
