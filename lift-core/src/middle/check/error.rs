//! Violations of the rules, and their messages for the user.

use std::fmt;

use crate::diagnostic::Diagnostic;
use crate::ir::kernel::Workers;
use crate::ir::source::Source;
use crate::ir::typed::{MapKind, ReduceKind};
use crate::ir::types::Type;

/// A violation, and its position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Error {
    /// Its position.
    pub(super) source: Source,
    /// The violation.
    pub(super) violation: Violation,
}

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Violation {
    /// A dimension of a level nests inside itself.
    NestedTwice {
        /// The level inside.
        inner: Level,
        /// The same level outside.
        outer: Level,
    },
    /// A map over the work-items of a group, outside of any group.
    LocalOutsideGroup(Level),
    /// A level inside another one that has already distributed its work.
    LevelInsideAnother {
        /// The level inside.
        inner: Level,
        /// The level outside.
        outer: Level,
    },
    /// An element is read through too many arrays that are not stored.
    TooDeep {
        /// The most that are allowed.
        most: usize,
    },
    /// 64 bits do not hold the number of elements of an array of this type.
    TooLong(Type),
}

/// A level of the thread hierarchy in a dimension, and the primitive that distributes its work over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// The workers.
    pub(super) workers: Workers,
    /// The reduction; `None` for a map.
    reduction: Option<ReduceKind>,
}

impl Level {
    /// The level that a map distributes its elements over.
    pub(super) fn of_map(kind: MapKind) -> Option<Level> {
        let workers = match kind {
            MapKind::Global(dimension) => Workers::Global(dimension),
            MapKind::WorkGroup(dimension) => Workers::WorkGroup(dimension),
            MapKind::Local(dimension) => Workers::Local(dimension),
            MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled | MapKind::Sliding => return None,
        };
        Some(Level { workers, reduction: None })
    }

    /// The level that a reduction distributes its elements over.
    pub(super) fn of_reduction(kind: ReduceKind) -> Option<Level> {
        let level = Level::of_map(kind.sharing()?)?;
        Some(Level { reduction: Some(kind), ..level })
    }
}

impl Level {
    /// The primitive of one work-item that computes the same.
    fn in_order(self) -> &'static str {
        if self.reduction.is_some() { "reduceSeq" } else { "mapSeq" }
    }

    /// The primitive of the whole device that computes the same.
    fn of_device(self) -> &'static str {
        if self.reduction.is_some() { "reduceGlb" } else { "mapGlb0" }
    }

    /// A call.
    fn example(self) -> String {
        if self.reduction.is_some() { format!("{self}(f, z)") } else { format!("{self}(f)") }
    }
}

/// The user's name of the primitive.
impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reduction) = self.reduction {
            return formatter.write_str(reduction.name());
        }
        match self.workers {
            Workers::Sequential => formatter.write_str("mapSeq"),
            Workers::Global(dimension) => write!(formatter, "mapGlb{dimension}"),
            Workers::WorkGroup(dimension) => write!(formatter, "mapWrg{dimension}"),
            Workers::Local(dimension) => write!(formatter, "mapLcl{dimension}"),
        }
    }
}

/// The help text for numbers that 64 bits do not hold.
pub(crate) const LARGEST_NUMBER: &str =
    "sizes, lengths and all numbers that indices are computed from are below 2^63";

impl Error {
    /// The message for the user.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let says = |message: String| Diagnostic::new(self.source, message);
        match &self.violation {
            Violation::NestedTwice { inner, outer } => {
                let other = if inner == outer { "another" } else { "a" };
                let in_order = inner.in_order();
                says(format!(
                    "`{inner}` is nested inside {other} `{outer}`: its work-items are already distributed there"
                ))
                .with_help(format!("use another dimension for one of them, or `{in_order}` for the inner one"))
            }
            Violation::LocalOutsideGroup(level) => says(format!(
                "`{level}` stands outside any `mapWrg`: it distributes work among the work-items of a group"
            ))
            .with_help(format!(
                "put it inside a `mapWrg0`, as in `split(64) >> mapWrg0({}) >> join`, or use `{}`",
                level.example(),
                level.of_device(),
            )),
            Violation::LevelInsideAnother { inner, outer } => says(format!(
                "`{inner}` stands inside `{outer}`, where every work-item already has its element"
            ))
            .with_help(format!(
                "use `mapWrg` outside and `mapLcl` inside, or `mapGlb` alone, or `{}` for the inner one",
                inner.in_order(),
            )),
            Violation::TooDeep { most } => says(format!(
                "an element of this is read through more than {most} arrays, one behind the other, that are \
                 not stored"
            ))
            .with_help(
                "store one of them on the way, `let xs = toGlobal(…)`, or divide the program into several",
            ),
            Violation::TooLong(ty) => says(format!(
                "64 bits do not hold the number of elements of this array, which has the type `{ty}`"
            ))
            .with_help(LARGEST_NUMBER),
        }
    }
}
