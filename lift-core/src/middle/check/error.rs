//! Violations of the rules, and their messages for the user.

use std::fmt;

use crate::diagnostic::Diagnostic;
use crate::ir::source::Source;
use crate::ir::typed::MapKind;
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
    NestedTwice(Level),
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

/// The levels of the thread hierarchy, each in a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The work-items of the device.
    Global(u8),
    /// The work-groups.
    WorkGroup(u8),
    /// The work-items of a group.
    Local(u8),
}

impl Level {
    /// The level that a map distributes its elements over.
    pub(super) fn of(kind: MapKind) -> Option<Level> {
        match kind {
            MapKind::Global(dimension) => Some(Level::Global(dimension)),
            MapKind::WorkGroup(dimension) => Some(Level::WorkGroup(dimension)),
            MapKind::Local(dimension) => Some(Level::Local(dimension)),
            MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled | MapKind::Sliding => None,
        }
    }
}

/// The user's name of the map.
impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Global(dimension) => write!(formatter, "mapGlb{dimension}"),
            Level::WorkGroup(dimension) => write!(formatter, "mapWrg{dimension}"),
            Level::Local(dimension) => write!(formatter, "mapLcl{dimension}"),
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
            Violation::NestedTwice(level) => says(format!(
                "`{level}` is nested inside another `{level}`: its work-items are already distributed there"
            ))
            .with_help("use another dimension for one of them, or `mapSeq` for the inner one"),
            Violation::LocalOutsideGroup(level) => says(format!(
                "`{level}` stands outside any `mapWrg`: it distributes work among the work-items of a group"
            ))
            .with_help(format!(
                "put it inside a `mapWrg0`, as in `split(64) >> mapWrg0({level}(f)) >> join`, or use \
                 `mapGlb0`"
            )),
            Violation::LevelInsideAnother { inner, outer } => says(format!(
                "`{inner}` stands inside `{outer}`, where every work-item already has its element"
            ))
            .with_help(
                "use `mapWrg` outside and `mapLcl` inside, or `mapGlb` alone, or `mapSeq` for the inner one",
            ),
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
