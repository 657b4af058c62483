//! Normal forms: rules applied until none applies.

use super::rule::Rule;

/// A normal form: no rule of a list applies anywhere. The rules make every program smaller in some order, so that
/// there is an end.
pub struct Normal {
    /// Its name.
    pub name: &'static str,
    /// The rules, first the one that is tried first.
    pub rules: &'static [&'static Rule],
}

/// Two normal forms are one if they have one name.
impl PartialEq for Normal {
    fn eq(&self, other: &Normal) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Normal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}
