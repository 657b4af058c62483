//! How often something is computed or read, as far as that does not depend on sizes.

use crate::ir::types::Type;

/// A number of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Multiplicity {
    /// A number that does not depend on sizes.
    Known(i128),
    /// A number that depends on sizes, such as the number of elements of an array.
    Many,
}

impl Multiplicity {
    pub(super) const NEVER: Multiplicity = Multiplicity::Known(0);
    pub(super) const ONCE: Multiplicity = Multiplicity::Known(1);

    pub(super) fn plus(self, other: Multiplicity) -> Multiplicity {
        match (self, other) {
            (Multiplicity::Known(one), Multiplicity::Known(other)) => {
                Multiplicity::Known(one.saturating_add(other))
            }
            (Multiplicity::Many, _) | (_, Multiplicity::Many) => Multiplicity::Many,
        }
    }

    pub(super) fn times(self, other: Multiplicity) -> Multiplicity {
        match (self, other) {
            (Multiplicity::NEVER, _) | (_, Multiplicity::NEVER) => Multiplicity::NEVER,
            (Multiplicity::Known(one), Multiplicity::Known(other)) => {
                Multiplicity::Known(one.saturating_mul(other))
            }
            (Multiplicity::Many, _) | (_, Multiplicity::Many) => Multiplicity::Many,
        }
    }

    /// The number of elements of an array of this type.
    pub(super) fn of_length(ty: &Type) -> Multiplicity {
        let length = ty.as_array().and_then(|array| array.length.as_constant());
        length.map_or(Multiplicity::Many, Multiplicity::Known)
    }
}
