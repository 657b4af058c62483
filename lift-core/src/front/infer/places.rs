//! Places of Rust: `self.k`, `v.0.x`. Like a Rust variable, a place is an argument, evaluated once.
//!
//! A field makes a place, because no value of the language has one. `v.0` is one where `v` stands nowhere by
//! itself. Where it does, `v` is a tuple, whose type is known, and is passed as a whole.

use super::environment::Environment;
use super::inference::Inference;
use crate::front::syntax::Expr;

impl Inference<'_> {
    /// The path of the place of Rust that an expression is.
    pub(super) fn rust_place(&self, expr: &Expr, names: &Environment<'_>) -> Option<String> {
        let captures = self.captures.as_ref()?;
        let place = expr.place()?;
        if names.get(place.name).is_some() {
            return None;
        }
        let is_place = place.has_field || (self.is_capturable(place.name) && !captures.is_whole(place.name));
        is_place.then_some(place.path)
    }
}
