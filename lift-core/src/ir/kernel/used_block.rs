//! A block in which statements move, with the uses of each of them.

use super::{Statement, Uses};

/// A block in which statements move.
pub(crate) struct Block {
    /// `None` where a statement was removed.
    pub(crate) statements: Vec<Option<Statement>>,
    /// The uses of the statement at each position.
    pub(crate) uses: Vec<Uses>,
}

impl Block {
    pub(crate) fn new(statements: Vec<Statement>) -> Block {
        let uses = statements.iter().map(|statement| Uses::of(std::slice::from_ref(statement))).collect();
        Block { statements: statements.into_iter().map(Some).collect(), uses }
    }

    pub(crate) fn finish(self) -> Vec<Statement> {
        self.statements.into_iter().flatten().collect()
    }

    pub(crate) fn remove(&mut self, position: usize) {
        if let (Some(statement), Some(uses)) =
            (self.statements.get_mut(position), self.uses.get_mut(position))
        {
            *statement = None;
            *uses = Uses::default();
        }
    }

    /// The positions of the statements that mention a variable.
    pub(crate) fn mentioning(&self, name: &str) -> Vec<usize> {
        let positions = self.uses.iter().enumerate();
        positions.filter(|(_, uses)| mentions(uses, name)).map(|(position, _)| position).collect()
    }
}

/// Whether a variable is used or declared.
fn mentions(uses: &Uses, name: &str) -> bool {
    uses.scalars.contains(name) || uses.writes.declared.contains(name)
}
