//! If-conversion of copies: branches assign the final place of their value.
//!
//! A choice between values that take statements to compute assigns a variable in both branches; afterwards,
//! the variable is copied to its place. Here the branches assign that place themselves, so that a branch that
//! keeps the old value is empty. This comes before copies are coalesced, and makes more of them.

use std::sync::Arc;

use super::copy_coalescing::{ends_loop, is_idle};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::used_block::Block;
use crate::ir::kernel::{Expression, Statement, Uses, Variable, mentions, nested};

/// Lets branches assign the place that their result is copied to; see the module documentation.
pub(crate) fn convert_copies(body: Vec<Statement>) -> Vec<Statement> {
    let body = if copies_a_choice(&body) { Block::new(body).convert_copies() } else { body };
    body.into_iter().map(|statement| statement.map_blocks(convert_copies)).collect()
}

/// Whether a block copies a variable that its branches assign. Few blocks do, and only for these the uses of
/// each statement are collected.
fn copies_a_choice(block: &[Statement]) -> bool {
    let mut chosen = FlatSet::new();
    let branches = block.iter().filter(|statement| matches!(statement, Statement::If(..)));
    for statement in branches.flat_map(|branch| nested(std::slice::from_ref(branch))) {
        if let Statement::Assign(variable, _) = statement {
            chosen.insert(variable.name.as_ref());
        }
    }
    !chosen.is_empty()
        && block.iter().any(|statement| {
            matches!(statement, Statement::Assign(_, Expression::Variable(copied)) if chosen.contains(copied.name.as_ref()))
        })
}

impl Block {
    fn convert_copies(mut self) -> Vec<Statement> {
        let mut chosen_somewhere = self.assigned_in_branches();
        let mut occurrences = Occurrences::of(&self);
        for copy in 0..self.statements.len() {
            let Some(Some(Statement::Assign(target, Expression::Variable(chosen)))) =
                self.statements.get(copy)
            else {
                continue;
            };
            if !chosen_somewhere.contains(&chosen.name) {
                continue;
            }
            let (target, chosen) = (target.clone(), chosen.clone());
            if let Some((declared, branch)) = self.chosen_for(&chosen, &target, copy, &occurrences) {
                self.rename_in_branches(branch, &chosen, &target);
                self.remove(declared);
                self.remove(copy);
                for name in [&chosen.name, &target.name] {
                    occurrences.find_again(name, [declared, branch, copy], &self);
                }
                chosen_somewhere.insert(target.name);
            }
        }
        self.finish()
    }

    /// The variables that branches assign: few of the copies in a block are of these.
    fn assigned_in_branches(&self) -> FlatSet<Arc<str>> {
        let is_branch = |statement: &Option<Statement>| matches!(statement, Some(Statement::If(..)));
        let branches = self.statements.iter().zip(&self.uses).filter(|(statement, _)| is_branch(statement));
        branches.flat_map(|(_, uses)| uses.writes.assigned.iter().cloned()).collect()
    }

    /// The positions of the declaration and of the branch that chooses a variable. `None` unless the variable
    /// is only copied to the target, and both branches may assign the target at once.
    fn chosen_for(
        &self,
        chosen: &Variable,
        target: &Variable,
        copy: usize,
        occurrences: &Occurrences,
    ) -> Option<(usize, usize)> {
        let mut positions = occurrences.of_name(&chosen.name);
        let (declared, branch, last) = (positions.next()?, positions.next()?, positions.next()?);
        if positions.next().is_some() {
            return None;
        }
        let is_declared = matches!(self.statements.get(declared)?, Some(Statement::Declare(_, None)));
        let Some(Statement::If(_, then, otherwise)) = self.statements.get(branch)? else { return None };
        let untouched =
            occurrences.of_name(&target.name).all(|position| position <= branch || position >= copy);
        // Where the loop ends in between, the target keeps its value.
        let ends_between = self.statements.get(branch..copy)?.iter().flatten().any(ends_loop);
        let fits = is_declared && last == copy && chosen.ty == target.ty && untouched && !ends_between;
        let both = || [then, otherwise].into_iter().all(|block| stands_for(block, target, chosen));
        (fits && both()).then_some((declared, branch))
    }

    fn rename_in_branches(&mut self, branch: usize, chosen: &Variable, target: &Variable) {
        let Some(Some(statement)) = self.statements.get_mut(branch) else { return };
        let mut renaming = Renaming { from: chosen, to: target };
        for block in statement.blocks_mut() {
            let renamed = block.iter().flat_map(|statement| renaming.statement(statement));
            *block = renamed.filter(|statement| !is_idle(statement)).collect();
        }
        if let Some(uses) = self.uses.get_mut(branch) {
            *uses = Uses::of(std::slice::from_ref(statement));
        }
    }
}

/// The positions of the statements of a block that use or declare each variable.
struct Occurrences(FlatMap<Arc<str>, FlatSet<usize>>);

impl Occurrences {
    fn of(block: &Block) -> Occurrences {
        let mut positions: FlatMap<Arc<str>, FlatSet<usize>> = FlatMap::new();
        for (position, uses) in block.uses.iter().enumerate() {
            for name in uses.scalars.iter().chain(&uses.writes.declared) {
                positions.get_or_default(name.clone()).insert(position);
            }
        }
        Occurrences(positions)
    }

    fn of_name(&self, name: &str) -> impl Iterator<Item = usize> {
        self.0.get(name).into_iter().flatten().copied()
    }

    /// Looks again whether these statements mention a variable: they have changed.
    fn find_again(&mut self, name: &Arc<str>, changed: [usize; 3], block: &Block) {
        let positions = self.0.get_or_default(name.clone());
        for position in changed {
            match block.mentions(position, name) {
                true => positions.insert(position),
                false => positions.remove(&position),
            };
        }
    }
}

/// Whether a variable that is assigned in a block may be the target itself: from its first value on, the
/// target is not mentioned any more.
fn stands_for(block: &[Statement], target: &Variable, chosen: &Variable) -> bool {
    let Some(first) = block.iter().position(|statement| uses_or_declares(statement, chosen)) else {
        return false;
    };
    let assigned_at_once =
        matches!(block.get(first), Some(Statement::Assign(variable, _)) if variable == chosen);
    let free_from = if assigned_at_once { first + 1 } else { first };
    !block.iter().skip(free_from).any(|statement| uses_or_declares(statement, target))
}

fn uses_or_declares(statement: &Statement, variable: &Variable) -> bool {
    mentions(std::slice::from_ref(statement), |mention| mention.is_named(&variable.name))
        || statement.any(&mut |statement| {
            statement.declared_variables().iter().any(|declared| declared.name == variable.name)
        })
}

/// Replaces one variable by another.
struct Renaming<'v> {
    from: &'v Variable,
    to: &'v Variable,
}

impl Fold for Renaming<'_> {
    fn variable(&mut self, variable: &Variable) -> Variable {
        if variable == self.from { self.to.clone() } else { variable.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::examples::{assign, declare, first_rows, read, sum};

    fn chosen_sum() -> Vec<Statement> {
        let then = vec![assign("chosen", read("acc")), assign("chosen", sum("chosen", "x"))];
        vec![
            declare("chosen", None),
            Statement::If(first_rows(), then, vec![assign("chosen", read("acc"))]),
            assign("acc", read("chosen")),
        ]
    }

    #[test]
    fn a_branch_that_keeps_the_old_value_is_empty() {
        let then = vec![assign("acc", sum("acc", "x"))];
        assert_eq!(convert_copies(chosen_sum()), [Statement::If(first_rows(), then, vec![])]);
    }

    #[test]
    fn branches_that_read_the_old_value_later_keep_their_variable() {
        let mut block = chosen_sum();
        if let Some(Statement::If(_, then, _)) = block.get_mut(1) {
            then.push(assign("chosen", sum("chosen", "acc")));
        }
        assert_eq!(convert_copies(block.clone()), block);
    }

    #[test]
    fn a_variable_that_is_read_again_stays() {
        let mut block = chosen_sum();
        block.push(assign("other", read("chosen")));
        assert_eq!(convert_copies(block.clone()), block);
    }

    #[test]
    fn two_that_change_places_do_not_become_one() {
        let then = vec![assign("x", read("b")), assign("y", read("a"))];
        let otherwise = vec![assign("x", read("a")), assign("y", read("b"))];
        let block = vec![
            declare("x", None),
            declare("y", None),
            Statement::If(first_rows(), then, otherwise),
            assign("a", read("x")),
            assign("b", read("y")),
        ];
        let then = vec![assign("x", read("b")), assign("b", read("a"))];
        let otherwise = vec![assign("x", read("a"))];
        let expected =
            vec![declare("x", None), Statement::If(first_rows(), then, otherwise), assign("a", read("x"))];
        assert_eq!(convert_copies(block), expected);
    }
}
