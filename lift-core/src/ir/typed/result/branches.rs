//! The type of a choice between arrays: what a condition compares of sizes is known in its branches.
//!
//! The lengths of the branches may be equal only where one of them is taken:
//! `if len(a) <= n { a } else { slice(0, n, a) }` has `min(len(a), n)` elements. What must stay true: where a
//! branch is taken, its type is that of the choice.

use crate::ir::nat::{Condition, Nat, Ranges, Var};
use crate::ir::types::{ArrayType, Type};

/// The type of both branches; `None` where there is no proof that they have one. `fresh` gives a position that
/// is bound nowhere else.
pub fn type_of_branches(
    chosen: &Condition,
    then: &Type,
    otherwise: &Type,
    ranges: &Ranges,
    fresh: &mut dyn FnMut(&str) -> Var,
) -> Option<Type> {
    let negated = chosen.clone().negate();
    let branches = Branches { taken: ranges.with_assumed(chosen), not_taken: ranges.with_assumed(&negated) };
    branches.types(then, otherwise, fresh)
}

/// What is known in the two branches.
struct Branches {
    taken: Ranges,
    not_taken: Ranges,
}

impl Branches {
    fn types(&self, then: &Type, otherwise: &Type, fresh: &mut dyn FnMut(&str) -> Var) -> Option<Type> {
        match (then, otherwise) {
            (Type::Array(then), Type::Array(otherwise)) => self.arrays(then, otherwise, fresh),
            (Type::Tuple(thens), Type::Tuple(others)) if thens.len() == others.len() => {
                let both = thens.iter().zip(others);
                both.map(|(then, otherwise)| self.types(then, otherwise, fresh))
                    .collect::<Option<_>>()
                    .map(Type::Tuple)
            }
            (
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
            ) => (then == otherwise).then(|| otherwise.clone()),
        }
    }

    fn arrays(
        &self,
        then: &ArrayType,
        otherwise: &ArrayType,
        fresh: &mut dyn FnMut(&str) -> Var,
    ) -> Option<Type> {
        if then == otherwise {
            return Some(Type::Array(otherwise.clone().into()));
        }
        let length = self.length(&then.length, &otherwise.length)?;
        if then.index.is_none() && otherwise.index.is_none() {
            return Some(Type::array(self.types(&then.element, &otherwise.element, fresh)?, length));
        }
        let index = fresh(otherwise.index.as_ref().or(then.index.as_ref())?.name());
        let position = Nat::variable(&index);
        let inside = |ranges: &Ranges| ranges.with_position(&index, &Nat::zero(), &length);
        let inside = Branches { taken: inside(&self.taken), not_taken: inside(&self.not_taken) };
        let (then, otherwise) = (then.element_at(&position), otherwise.element_at(&position));
        let element = inside.types(&then, &otherwise, fresh)?;
        Some(Type::array_at(&index, element, length))
    }

    /// A length that is the first where its branch is taken, and the second where the other one is.
    fn length(&self, then: &Nat, otherwise: &Nat) -> Option<Nat> {
        let is_of_both = |length: &Nat| {
            self.taken.is_equal(length, then) == Some(true)
                && self.not_taken.is_equal(length, otherwise) == Some(true)
        };
        let candidates =
            [otherwise.clone(), then.clone(), Nat::min(then, otherwise), Nat::max(then, otherwise)];
        candidates.into_iter().find(is_of_both)
    }
}
