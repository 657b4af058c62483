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
    /// `slide`: the last window ends at the last element. The windows and the array have these sizes.
    WindowsFill(Nat, Nat),
    /// `pad`: there is an element to take.
    NotEmpty,
    /// `stride(s)`: it is a permutation.
    StrideFills,
    /// `gather`, `pad`: an index function, which is this, stays inside an array of this length.
    IndexInside(Nat, Nat),
    /// A size is a natural number.
    NotNegative,
    /// A length that is written in a type is a natural number.
    LengthNotNegative,
    /// A size by which something is divided.
    Positive,
    /// Two lengths that only the launch knows.
    SameSize,
    /// `at`, `head`, `last`: there is an element at the position.
    ElementExists,
    /// `slice`: the elements from the first size on, as many as the second, are inside.
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

    /// What this asks of every value of an index below a count, which the requirement says.
    pub(super) fn for_every(self, requirement: Requirement, index: &Var, count: &Nat) -> Need {
        let (call, source) = (self.call.clone(), self.source);
        let reason = Reason::ForEvery { index: index.clone(), count: count.clone(), need: Box::new(self) };
        Need { requirement, reason, call, source }
    }
}
