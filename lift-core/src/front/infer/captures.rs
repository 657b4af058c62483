//! The Rust variables that an expression uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::nat::Var;
use crate::ir::typed::Variable;
use crate::ir::types::Type;

/// The Rust variables that an expression uses.
#[derive(Clone, Default)]
pub(super) struct Captures {
    pub(super) used: BTreeMap<String, Capture>,
    /// The names of those that must be sizes, because some use demands one.
    pub(super) demanded: BTreeSet<String>,
}

/// A Rust variable.
#[derive(Clone)]
pub(super) struct Capture {
    /// The variable.
    pub(super) variable: Variable,
    /// Its type.
    pub(super) ty: Type,
    /// The size variable, if it is a size.
    pub(super) size: Option<Var>,
}

impl Captures {
    /// No variable is used yet; `demanded` are those that must be sizes.
    pub(super) fn with_sizes(demanded: &BTreeSet<String>) -> Captures {
        Captures { used: BTreeMap::new(), demanded: demanded.clone() }
    }
}
