//! Branch fusion and sinking: branches compute what only they need.
//!
//! Neighbouring `if`s with the same condition on indices become one; for example, every element of a row is
//! chosen by the number of the row. A declaration that stands right before a branch, and that only this
//! branch needs, moves into it.

use crate::ir::kernel::used_block::Block;
use crate::ir::kernel::{Expression, Statement, Uses, mentions};
use crate::ir::nat::Var;

/// Joins neighbouring branches with one condition, and moves into them what only they need; see the module
/// documentation. The declarations at the start of a kernel stay there: they are names for all of it.
pub(crate) fn sink_into_branches(body: Vec<Statement>) -> Vec<Statement> {
    fuse(body.into_iter().map(|statement| statement.map_blocks(join_and_sink)).collect())
}

fn join_and_sink(block: Vec<Statement>) -> Vec<Statement> {
    let block: Vec<Statement> =
        block.into_iter().map(|statement| statement.map_blocks(join_and_sink)).collect();
    if has_branches(&block) { Block::new(fuse(block)).sink() } else { block }
}

fn has_branches(block: &[Statement]) -> bool {
    block.iter().any(|statement| matches!(statement, Statement::If(..)))
}

impl Block {
    /// Moves declarations into the one branch that needs them. The last come first: one may be the only use
    /// of an earlier declaration.
    fn sink(mut self) -> Vec<Statement> {
        for position in (0..self.statements.len()).rev() {
            if let Some((branch, block)) = self.only_user(position) {
                self.move_into(position, branch, block);
            }
        }
        self.finish()
    }

    /// The position of the `if`, and the number of its block, that alone needs what this statement declares.
    /// Only declarations and comments may stand in between: a load that is made long before it is needed is
    /// made so on purpose.
    fn only_user(&self, position: usize) -> Option<(usize, usize)> {
        let statement = self.statements.get(position)?.as_ref()?;
        let declared = Declared::by(statement)?;
        let rest = self.uses.iter().enumerate().skip(position + 1);
        let mut users = rest.filter(|(_, uses)| declared.is_in(uses)).map(|(user, _)| user);
        let (Some(user), None) = (users.next(), users.next()) else { return None };
        let between = self.statements.get(position + 1..user)?.iter().flatten();
        let Some(Statement::If(condition, then, otherwise)) = self.statements.get(user)? else { return None };
        let asked = Statement::If(condition.clone(), Vec::new(), Vec::new());
        if declared.is_mentioned_in(&[asked]) || !between.into_iter().all(only_declares) {
            return None;
        }
        match [then, otherwise].map(|block| declared.is_mentioned_in(block)) {
            [true, false] => Some((user, 0)),
            [false, true] => Some((user, 1)),
            [true, true] | [false, false] => None,
        }
    }

    fn move_into(&mut self, position: usize, branch: usize, block: usize) {
        let above = position.checked_sub(1);
        // A comment moves with the last statement that it is about.
        let mut rest = self.statements.get(position + 1..branch).into_iter().flatten().flatten();
        let is_last = rest.all(|statement| matches!(statement, Statement::Comment(_)));
        let comment = above.filter(|&above| {
            is_last && matches!(self.statements.get(above), Some(Some(Statement::Comment(_))))
        });
        let moved: Vec<Statement> = comment
            .into_iter()
            .chain([position])
            .filter_map(|position| self.statements.get_mut(position)?.take())
            .collect();
        let used = self.uses.get_mut(position).map(std::mem::take).unwrap_or_default();
        if let Some(Some(statement)) = self.statements.get_mut(branch)
            && let Some(block) = statement.blocks_mut().into_iter().nth(block)
        {
            block.splice(0..0, moved);
        }
        if let Some(uses) = self.uses.get_mut(branch) {
            uses.add(used);
        }
    }
}

/// The name that a declaration introduces.
enum Declared<'s> {
    Variable(&'s str),
    Index(&'s Var),
}

impl Declared<'_> {
    fn by(statement: &Statement) -> Option<Declared<'_>> {
        match statement {
            Statement::Declare(variable, Some(_)) => Some(Declared::Variable(&variable.name)),
            Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } => {
                Some(Declared::Index(index))
            }
            Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::Comment(_)
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::Update { .. }
            | Statement::CallFunction { .. }
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::BreakUnless(_)
            | Statement::Barrier { .. } => None,
        }
    }

    fn is_in(&self, uses: &Uses) -> bool {
        match self {
            Declared::Variable(name) => uses.scalars.contains(*name),
            Declared::Index(index) => uses.sizes.contains(*index),
        }
    }

    fn is_mentioned_in(&self, block: &[Statement]) -> bool {
        mentions(block, |mention| match self {
            Declared::Variable(name) => mention.is_named(name),
            Declared::Index(index) => mention.depends_on(index),
        })
    }
}

/// Whether a statement is a comment or a declaration, which changes nothing.
fn only_declares(statement: &Statement) -> bool {
    matches!(statement, Statement::Comment(_) | Statement::Declare(_, None))
        || Declared::by(statement).is_some()
}

/// Joins neighbouring `if`s with the same condition, if their blocks do not change it.
fn fuse(block: Vec<Statement>) -> Vec<Statement> {
    let mut fused: Vec<Statement> = Vec::new();
    for statement in block {
        let Statement::If(condition, then, otherwise) = statement else {
            fused.push(statement);
            continue;
        };
        let last = fused.iter().rposition(|statement| !matches!(statement, Statement::Comment(_)));
        let is_same = |position: &usize| matches!(fused.get(*position), Some(Statement::If(before, _, _)) if *before == condition);
        match last.filter(is_same).filter(|_| is_of_indices(&condition)) {
            None => fused.push(Statement::If(condition, then, otherwise)),
            Some(last) => {
                let comments = fused.split_off(last + 1);
                if let Some(Statement::If(_, then_before, otherwise_before)) = fused.last_mut() {
                    then_before.extend(comments);
                    then_before.extend(then);
                    otherwise_before.extend(otherwise);
                }
            }
        }
    }
    fused
}

/// Whether an expression has the same value wherever it stands in a block.
fn is_of_indices(expression: &Expression) -> bool {
    expression.nested().all(|part| match part {
        Expression::Literal(..)
        | Expression::Index(..)
        | Expression::Condition(_)
        | Expression::WorkerId(_)
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Builtin(..)
        | Expression::Broadcast(..)
        | Expression::Components(_)
        | Expression::Component(..)
        | Expression::Select(..)
        | Expression::Cast(..) => true,
        Expression::Variable(_) | Expression::Load(..) | Expression::Function(..) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::examples::{assign, declare, first_rows, read, sum};
    use crate::ir::scalar::BinaryOperator;

    #[test]
    fn neighbours_that_ask_the_same_become_one() {
        let branch = |name: &str| Statement::If(first_rows(), vec![assign(name, read("x"))], vec![]);
        let comment = Statement::Comment("mapSeq".to_owned());
        let joined = vec![assign("a", read("x")), comment.clone(), assign("b", read("x"))];
        assert_eq!(
            sink_into_branches(vec![branch("a"), comment, branch("b")]),
            [Statement::If(first_rows(), joined, vec![])]
        );
    }

    #[test]
    fn neighbours_that_ask_about_data_stay_apart() {
        let asks = Expression::Binary(BinaryOperator::Less, Box::new(read("a")), Box::new(read("x")));
        let block = vec![Statement::If(asks, vec![assign("a", read("x"))], vec![]); 2];
        assert_eq!(sink_into_branches(block.clone()), block);
    }

    #[test]
    fn what_one_branch_needs_is_declared_in_it() {
        let comment = Statement::Comment("toPrivate".to_owned());
        let used = assign("a", read("y"));
        let block = vec![
            comment.clone(),
            declare("x", Some(read("b"))),
            declare("y", Some(sum("x", "x"))),
            Statement::If(first_rows(), vec![used.clone()], vec![]),
        ];
        let inside = vec![comment, declare("x", Some(read("b"))), declare("y", Some(sum("x", "x"))), used];
        assert_eq!(join_and_sink(block), [Statement::If(first_rows(), inside, vec![])]);
    }

    #[test]
    fn what_is_needed_elsewhere_or_computed_early_stays() {
        let branch = Statement::If(first_rows(), vec![assign("a", read("x"))], vec![]);
        let early = vec![declare("x", Some(read("b"))), assign("b", read("c")), branch.clone()];
        assert_eq!(join_and_sink(early.clone()), early);
        let needed = vec![declare("x", Some(read("b"))), branch, assign("c", read("x"))];
        assert_eq!(join_and_sink(needed.clone()), needed);
    }
}
