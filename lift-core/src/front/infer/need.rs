//! Constraints on sizes, with what their messages need.

use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::Requirement;
use crate::ir::typed::result::Purpose;

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
    /// A primitive, or an operation on sizes, needs it.
    Primitive(Purpose),
    /// A length that is written in a type is a natural number.
    LengthNotNegative,
    /// `launch`: the work-groups are whole.
    WholeGroups,
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
        let requirement = self.requirement.map(&size, condition);
        let reason = match &self.reason {
            Reason::Primitive(purpose) => Reason::Primitive(purpose.map(size)),
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
