//! The Rust variables that an expression uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::nat::Var;
use crate::ir::typed::Variable;
use crate::ir::types::Type;

/// The Rust variables that an expression uses.
#[derive(Clone, Default)]
pub(super) struct Captures {
    pub(super) used: BTreeMap<String, Capture>,
    /// Those that are sizes for a use further on.
    pub(super) demanded: BTreeSet<String>,
}

/// A Rust variable.
#[derive(Clone)]
pub(super) struct Capture {
    /// The variable.
    pub(super) variable: Variable,
    /// Its type.
    pub(super) ty: Type,
    /// The size it is, where it is one.
    pub(super) size: Option<Var>,
}

impl Captures {
    /// No Rust variable so far; `demanded` are those that are known to be sizes.
    pub(super) fn with_sizes(demanded: &BTreeSet<String>) -> Captures {
        Captures { used: BTreeMap::new(), demanded: demanded.clone() }
    }
}
