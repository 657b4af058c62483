//! Expressions that have the form of a place of Rust: `self.k`, `v.0.x`.

use super::{Expr, ExprKind};

/// The name by which methods know their receiver.
pub const SELF: &str = "self";

/// A place, as it is written.
pub struct Place<'s> {
    /// The variable.
    pub root: &'s Expr,
    /// Its name.
    pub name: &'s str,
    /// The whole path: `self.k`.
    pub path: String,
    /// Whether only Rust has such a place, because no value of the language has fields.
    pub has_field: bool,
}

impl Expr {
    /// The place that this is: a variable with one or more fields and components.
    pub fn place(&self) -> Option<Place<'_>> {
        match &self.kind {
            ExprKind::Field(inner, field) => {
                let place = inner.place_or_variable()?;
                let path = format!("{}.{}", place.path, field.name);
                Some(Place { path, has_field: true, ..place })
            }
            ExprKind::Component(inner, position) => {
                let place = inner.place_or_variable()?;
                let path = format!("{}.{position}", place.path);
                Some(Place { path, ..place })
            }
            _ => None,
        }
    }

    fn place_or_variable(&self) -> Option<Place<'_>> {
        match &self.kind {
            ExprKind::Name(name) => {
                Some(Place { root: self, name, path: name.clone(), has_field: name == SELF })
            }
            _ => self.place(),
        }
    }
}
