//! Rules: equations between expressions, as data.
//!
//! A rule says what an expression equals, and knows where that is so. It is typed by construction: its right
//! side is made by [`Build`], which has the typing rules, so that a right side without a type cannot be made.
//! (`middle::stated` makes the right sides of a few rules, and says why. The type of the whole is proved
//! there, too.)
//! What the right side needs of sizes beyond the left one is collected, and becomes a condition of the form
//! that is rewritten.
//!
//! A rule looks at structure, laws and identities. It knows no element type, no benchmark, and no size beyond
//! its side conditions; which size is good is a strategy's business.

use std::fmt;
use std::sync::Arc;

use super::mismatch::Mismatch;
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{AddressSpace, Around, Expr, MapKind, Path, ReduceKind};

/// A rule.
pub struct Rule {
    /// Its name, as schedules, derivations and messages write it.
    pub name: &'static str,
    /// What equals what, in the notation of `lift!`.
    pub statement: &'static str,
    /// Who published it, or why it is new.
    pub origin: &'static str,
    /// What it takes besides the expression.
    pub parameters: &'static [Kind],
    /// Whether an operator is applied to its operands in another order or grouping than before, so that sums
    /// of floats may be rounded differently.
    pub regroups: bool,
    /// The right side for an expression that is the left side.
    pub apply: Apply,
}

/// What a rule does: the right side for a left side and arguments, or why there is none.
pub type Apply = fn(&Redex<'_>, &[Argument], &mut Build<'_>) -> Result<Arc<Expr>, Mismatch>;

/// An expression that a rule is applied to, and where it stands.
pub struct Redex<'e> {
    /// The expression.
    pub expr: &'e Arc<Expr>,
    /// What stands around it.
    pub around: &'e Around<'e>,
}

/// What a rule takes besides the expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A size.
    Size,
    /// The width of a vector.
    Width,
    /// A dimension of the thread hierarchy.
    Dimension,
    /// A memory.
    Space,
    /// A way to compute a reduction.
    Reduce,
    /// The workers of a map.
    Map,
    /// A place inside the expression.
    Place,
}

/// An argument of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A size.
    Size(Nat),
    /// The width of a vector.
    Width(u8),
    /// A dimension of the thread hierarchy.
    Dimension(u8),
    /// A memory.
    Space(AddressSpace),
    /// A way to compute a reduction.
    Reduce(ReduceKind),
    /// The workers of a map.
    Map(MapKind),
    /// A place inside the expression, from where the rule says that it starts.
    Place(Path),
}

impl Argument {
    /// The kind of the argument.
    pub fn kind(&self) -> Kind {
        match self {
            Argument::Size(_) => Kind::Size,
            Argument::Width(_) => Kind::Width,
            Argument::Dimension(_) => Kind::Dimension,
            Argument::Space(_) => Kind::Space,
            Argument::Reduce(_) => Kind::Reduce,
            Argument::Map(_) => Kind::Map,
            Argument::Place(_) => Kind::Place,
        }
    }
}

/// As a program writes it.
impl fmt::Display for Argument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Size(size) => write!(formatter, "{size}"),
            Argument::Place(path) => write!(formatter, "{path}"),
            Argument::Width(number) | Argument::Dimension(number) => write!(formatter, "{number}"),
            Argument::Space(space) => formatter.write_str(match space {
                AddressSpace::Global => "toGlobal",
                AddressSpace::Local => "toLocal",
                AddressSpace::Private => "toPrivate",
            }),
            Argument::Reduce(kind) => formatter.write_str(kind.name()),
            Argument::Map(kind) => match kind {
                MapKind::Unspecified => formatter.write_str("map"),
                MapKind::Sequential => formatter.write_str("mapSeq"),
                MapKind::Unrolled => formatter.write_str("mapSeqUnroll"),
                MapKind::Sliding => formatter.write_str("mapSeqSlide"),
                MapKind::Global(dimension) => write!(formatter, "mapGlb{dimension}"),
                MapKind::WorkGroup(dimension) => write!(formatter, "mapWrg{dimension}"),
                MapKind::Local(dimension) => write!(formatter, "mapLcl{dimension}"),
            },
        }
    }
}

impl Redex<'_> {
    /// The mismatch where the expression is not of the form that the rule is about.
    pub fn is_not(&self, wanted: &'static str) -> Mismatch {
        Mismatch::form(wanted, self.expr, 0)
    }
}

/// Two rules are one if they have one name.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}
