//! How often something is computed, as far as that does not depend on sizes.

use crate::ir::types::Type;

/// A number of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Times {
    /// A number that does not depend on sizes.
    Known(i128),
    /// As many as there are elements of something, or work-items.
    Many,
}

impl Times {
    pub(super) const NEVER: Times = Times::Known(0);
    pub(super) const ONCE: Times = Times::Known(1);

    pub(super) fn and(self, other: Times) -> Times {
        match (self, other) {
            (Times::Known(one), Times::Known(other)) => Times::Known(one.saturating_add(other)),
            (Times::Many, _) | (_, Times::Many) => Times::Many,
        }
    }

    pub(super) fn each(self, other: Times) -> Times {
        match (self, other) {
            (Times::NEVER, _) | (_, Times::NEVER) => Times::NEVER,
            (Times::Known(one), Times::Known(other)) => Times::Known(one.saturating_mul(other)),
            (Times::Many, _) | (_, Times::Many) => Times::Many,
        }
    }

    /// As many as an array of this type has elements.
    pub(super) fn of_length(ty: &Type) -> Times {
        let length = ty.as_array().and_then(|array| array.length.as_constant());
        length.map_or(Times::Many, Times::Known)
    }
}
