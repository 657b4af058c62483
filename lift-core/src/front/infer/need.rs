//! Constraints on sizes, with what their messages need.

use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::Requirement;

/// A constraint on sizes with what its messages need.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Need {
    /// What must hold.
    pub(super) requirement: Requirement,
    /// Why.
    pub(super) reason: Reason,
    /// The call that needs it, as `split(4)`.
    pub(super) call: String,
    /// Where.
    pub(super) source: Source,
}

/// Why something is needed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reason {
    /// `split(m)`: the chunks fill the array.
    ChunksFill,
    /// `asVector(n)`: the vectors fill the array.
    VectorsFill,
    /// `partition`: the rows take all elements.
    RowsFill,
    /// `slide`: a window is not larger than the array.
    WindowFits,
    /// `slide`: the last window ends at the last element. The sizes are those of a window and of the array.
    WindowsFill(Nat, Nat),
    /// `pad`: the array has an element to repeat.
    NotEmpty,
    /// `stride(s)`: the stride divides the length, so that it is a permutation.
    StrideFills,
    /// `gather`, `pad`: the value of an index function (the first size) lies inside an array (the length is
    /// the second size).
    IndexInside(Nat, Nat),
    /// A size is a natural number.
    NotNegative,
    /// A length that is written in a type is a natural number.
    LengthNotNegative,
    /// A size that divides something is at least 1.
    Positive,
    /// Two lengths that only the launch knows are equal.
    SameSize,
    /// `at`, `head`, `last`: there is an element at the position.
    ElementExists,
    /// `slice`: the elements lie inside the array. The sizes are the position of the first and how many there
    /// are.
    SliceFits(Nat, Nat),
    /// `launch`: the work-groups are whole.
    WholeGroups,
    /// `scatter`: no two elements are written to one place.
    OnePlaceEach,
    /// A `where` clause says so.
    Clause(String),
    /// This is needed where a condition holds.
    Where(Condition, Box<Need>),
    /// This is needed for every value of an index below a count.
    ForEvery {
        /// The index.
        index: Var,
        /// Where its values end.
        count: Nat,
        /// What is needed.
        need: Box<Need>,
    },
}

impl Need {
    /// The need with an operation applied to its sizes.
    pub(super) fn map(
        &self,
        size: impl Fn(&Nat) -> Nat,
        condition: impl Fn(&Condition) -> Condition,
    ) -> Need {
        let requirement = match &self.requirement {
            Requirement::Equal(left, right) => Requirement::Equal(size(left), size(right)),
            Requirement::AtMost(left, right) => Requirement::AtMost(size(left), size(right)),
            Requirement::Divides(left, right) => Requirement::Divides(size(left), size(right)),
            Requirement::Holds(held) => Requirement::Holds(condition(held)),
            Requirement::Permutation { index, image, length } => {
                Requirement::Permutation { index: index.clone(), image: size(image), length: size(length) }
            }
        };
        let reason = match &self.reason {
            Reason::WindowsFill(window, length) => Reason::WindowsFill(size(window), size(length)),
            Reason::IndexInside(index, length) => Reason::IndexInside(size(index), size(length)),
            Reason::SliceFits(start, count) => Reason::SliceFits(size(start), size(count)),
            other => other.clone(),
        };
        Need { requirement, reason, ..self.clone() }
    }

    /// The same need for every value of an index below a count, as `requirement` states it.
    pub(super) fn for_every(self, requirement: Requirement, index: &Var, count: &Nat) -> Need {
        let (call, source) = (self.call.clone(), self.source);
        let reason = Reason::ForEvery { index: index.clone(), count: count.clone(), need: Box::new(self) };
        Need { requirement, reason, call, source }
    }
}
