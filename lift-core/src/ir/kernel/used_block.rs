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

    /// Whether the statement at a position uses or declares a variable.
    pub(crate) fn mentions(&self, position: usize, name: &str) -> bool {
        let uses = self.uses.get(position);
        uses.is_some_and(|uses| uses.scalars.contains(name) || uses.writes.declared.contains(name))
    }
}
