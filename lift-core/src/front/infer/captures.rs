//! The Rust variables and places that an expression uses.

use std::collections::{BTreeMap, BTreeSet};

use super::free_names::{Names, names_in};
use crate::front::syntax::Expr;
use crate::ir::nat::Var;
use crate::ir::typed::Variable;
use crate::ir::types::Type;

/// The Rust variables and places that an expression uses, by their names and paths.
#[derive(Clone, Default)]
pub(super) struct Captures {
    pub(super) used: BTreeMap<String, Capture>,
    /// Those that must be sizes, because some use demands one.
    pub(super) demanded: BTreeSet<String>,
    /// The names of all variables in the expression.
    names: BTreeSet<String>,
    /// The names of those that stand somewhere by themselves, and not only before a field or a component.
    whole: BTreeSet<String>,
}

/// A Rust variable or place.
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
    /// Nothing of an expression is used yet; `demanded` are those variables and places that must be sizes.
    pub(super) fn with_sizes(expr: &Expr, demanded: &BTreeSet<String>) -> Captures {
        let owned = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
        let Names { all, whole } = names_in(expr);
        Captures { used: BTreeMap::new(), demanded: demanded.clone(), names: owned(all), whole: owned(whole) }
    }

    /// Whether a variable stands somewhere by itself.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        self.whole.contains(name)
    }

    /// What a program calls a variable or a place: `self_k` for `self.k`, unless something else has that name.
    pub(super) fn readable_name(&self, path: &str) -> String {
        if !path.contains('.') {
            return path.to_owned();
        }
        let mut name = path.replace('.', "_");
        while self.names.contains(&name) || self.used.values().any(|used| *used.variable.name == name) {
            name.push('_');
        }
        name
    }

    /// The name or the path of a variable of the program.
    pub(super) fn path_of(&self, variable: &Variable) -> Option<String> {
        let mut used = self.used.iter();
        used.find(|(_, capture)| capture.variable == *variable).map(|(path, _)| path.clone())
    }
}
