//! `#[schedule(…)]`: the strategies that the user names, with their arguments.
//!
//! Sizes are typed; what the names mean is known where strategies are (`middle::rewrite::schedule`).

use crate::ir::nat::Nat;
use crate::ir::source::Source;

/// A strategy, or an argument of one, as the user wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleTerm {
    /// What it is.
    pub kind: ScheduleTermKind,
    /// Where it stands.
    pub source: Source,
}

/// The forms of a term of a schedule.
#[derive(Debug, Clone, PartialEq)]
pub enum ScheduleTermKind {
    /// A name with its arguments: `tileWindows(32, 16)`, `toLocal`.
    Name(String, Vec<ScheduleTerm>),
    /// A size: `32`, `N / 4`.
    Size(Nat),
}

impl ScheduleTerm {
    /// The name without arguments, or the size.
    pub fn name(&self) -> String {
        match &self.kind {
            ScheduleTermKind::Name(name, _) => name.clone(),
            ScheduleTermKind::Size(size) => size.to_string(),
        }
    }

    /// The same term with an operation applied to its sizes.
    #[must_use]
    pub fn with_sizes(self, change: &mut dyn FnMut(&Nat) -> Nat) -> ScheduleTerm {
        let kind = match self.kind {
            ScheduleTermKind::Size(size) => ScheduleTermKind::Size(change(&size)),
            ScheduleTermKind::Name(name, arguments) => {
                let arguments = arguments.into_iter().map(|argument| argument.with_sizes(change)).collect();
                ScheduleTermKind::Name(name, arguments)
            }
        };
        ScheduleTerm { kind, ..self }
    }
}
